//! The report of a study: what was asked, what the answer is, how sure it is and why, for somebody who was not there.

mod data;
mod figures;
mod html;
mod markdown;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use self::data::ReportData;
pub use self::figures::pair;
pub use self::html::{Sections, sections_style};
pub use self::words::{answer as answer_sentence, sureness};
use crate::output::destination::Destination;
pub use crate::output::format::Format;
use crate::output::kind::OutputKind;
use crate::output::output_error::OutputError;

/// The report as text.
pub fn render(data: &ReportData, format: Format) -> String {
    match format {
        Format::Html => html::page(data),
        Format::Md => markdown::text(data),
        Format::Json => {
            // Numbers that JSON cannot hold become null on the way to a `Value`.
            let value: Value = serde_json::to_value(data).expect("a report has nothing that JSON cannot hold");
            serde_json::to_string_pretty(&value).expect("a value is valid JSON") + "\n"
        }
        Format::Svg => figures::sheet(data),
    }
}

/// Where the report of a study goes if nobody says: beside the study file.
pub fn beside(study: &Path, format: Format) -> PathBuf {
    study.with_extension(format.ending())
}

/// Makes sure of the place of a report in this format, which must be none of the files that are read.
pub fn destination(path: &Path, format: Format, inputs: &[&Path]) -> Result<Destination, OutputError> {
    Destination::new(path, OutputKind::Report(format), inputs)
}
