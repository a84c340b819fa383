//! What an output file is, and whether a file that is there already is an older one of the same kind: only such a file is replaced.

use std::fmt;

use crate::report::Format;

/// A kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A report in this format.
    Report(Format),
    /// A plot, as SVG.
    Plot,
    /// Observations, as CSV.
    ObservationsCsv,
    /// Observations, one JSON object on each line.
    ObservationsJson,
    /// One row for each simulated run, as CSV.
    RunLog,
    /// Tickets to be filled in, as CSV.
    Worklist,
    /// A page of the manual.
    ManualPage,
}

/// The header of exported observations; the objectives follow.
pub const OBSERVATION_COLUMNS: [&str; 5] = ["observation", "arm", "ticket", "told_at", "source"];
/// The header of a table of runs.
pub const RUN_COLUMNS: [&str; 5] = ["rule", "run", "samples", "outcome", "seconds"];
/// The header of a worklist; the objectives follow.
pub const WORKLIST_COLUMNS: [&str; 2] = ["ticket", "arm"];

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// An older output of the same kind: it may be replaced.
    Older,
    /// A worklist that somebody has written values into.
    FilledIn,
    /// Anything else.
    Foreign,
}

impl OutputKind {
    /// How much of a file has to be looked at; a worklist may have been filled in anywhere.
    pub(super) fn telling_bytes(self) -> u64 {
        if self == OutputKind::Worklist { u64::MAX } else { 64 * 1024 }
    }

    /// What a file that begins like this is to an output of this kind. An empty file has nothing that could be lost.
    pub(super) fn judge(self, content: &[u8]) -> Found {
        if content.is_empty() {
            return Found::Older;
        }
        if self == OutputKind::Worklist {
            return worklist(content);
        }
        let content = String::from_utf8_lossy(content);
        if self.is_like(&content) { Found::Older } else { Found::Foreign }
    }

    /// Each kind begins with something that no other program writes, in this release and all before it.
    fn is_like(self, content: &str) -> bool {
        match self {
            OutputKind::Report(Format::Html) => {
                content.starts_with("<!DOCTYPE html>\n")
                    && content.contains("<meta name=\"generator\" content=\"surefront ")
            }
            OutputKind::Report(Format::Md) => content.starts_with("# ") && content.contains("\n\nWhich of "),
            OutputKind::Report(Format::Json) => content.starts_with("{\n  \"answer\": {\n    \"arms\": ["),
            OutputKind::Report(Format::Svg) | OutputKind::Plot => {
                content.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                    && content.contains("\n<style>\ntext { font-family: system-ui, ")
            }
            OutputKind::ObservationsCsv => content.starts_with(&OBSERVATION_COLUMNS.join(",")),
            OutputKind::ObservationsJson => content.starts_with("{\"observation\":"),
            OutputKind::RunLog => content.starts_with(&RUN_COLUMNS.join(",")),
            OutputKind::Worklist => false,
            OutputKind::ManualPage => content.contains("\n.TH SUREFRONT"),
        }
    }
}

/// A worklist may be replaced as long as nobody has worked on it: its tickets are in the store.
fn worklist(content: &[u8]) -> Found {
    let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content);
    let mut rows = rows.byte_records();
    let fixed = WORKLIST_COLUMNS.len();
    match rows.next() {
        Some(Ok(header)) if header.iter().take(fixed).eq(WORKLIST_COLUMNS.map(str::as_bytes)) => {}
        _ => return Found::Foreign,
    }
    let untouched =
        rows.all(|row| row.is_ok_and(|row| row.iter().skip(fixed).all(|cell| cell.trim_ascii().is_empty())));
    if untouched { Found::Older } else { Found::FilledIn }
}

/// As it is said after "an older".
impl fmt::Display for OutputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutputKind::Report(Format::Html) => "report (HTML)",
            OutputKind::Report(Format::Md) => "report (Markdown)",
            OutputKind::Report(Format::Json) => "report (JSON)",
            OutputKind::Report(Format::Svg) | OutputKind::Plot => "figure of ours (SVG)",
            OutputKind::ObservationsCsv => "export of observations (CSV)",
            OutputKind::ObservationsJson => "export of observations (JSON lines)",
            OutputKind::RunLog => "table of runs (CSV)",
            OutputKind::Worklist => "worklist (CSV)",
            OutputKind::ManualPage => "manual page of surefront",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worklist_is_replaced_until_somebody_has_worked_on_it() {
        let judge = |text: &str| OutputKind::Worklist.judge(text.as_bytes());
        assert_eq!(judge(""), Found::Older);
        assert_eq!(judge("ticket,arm,x,y\n1,\"a, b\",,\n2,c, ,\n"), Found::Older);
        assert_eq!(judge("ticket,arm,x,y\n1,a,,\n2,c,,0.5\n"), Found::FilledIn);
        assert_eq!(judge("ticket,arm,x\n1,a,,spilt\n"), Found::FilledIn);
        assert_eq!(judge("ticket,arm,x\n1,a,ÿ\n"), Found::FilledIn);
        assert_eq!(judge("arm,x\na,1\n"), Found::Foreign);
        assert_eq!(judge("SQLite format 3\0"), Found::Foreign);
    }

    #[test]
    fn one_kind_is_not_another() {
        let run_log = b"rule,run,samples,outcome,seconds\ndual,0,12,correct,0.1\n";
        assert_eq!(OutputKind::RunLog.judge(run_log), Found::Older);
        assert_eq!(OutputKind::ObservationsCsv.judge(run_log), Found::Foreign);
        assert_eq!(OutputKind::Plot.judge(b"<svg xmlns=\"http://www.w3.org/2000/svg\">"), Found::Foreign);
        assert_eq!(OutputKind::Report(Format::Md).judge(b"# Notes\n\nMy own.\n"), Found::Foreign);
    }
}
