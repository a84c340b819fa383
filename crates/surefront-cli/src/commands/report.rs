//! `surefront report`: a study and its answer for somebody who was not there.

use std::path::PathBuf;

use super::print;
use crate::args::ReportArgs;
use crate::failure::Failure;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::store::Access;

/// Reads the study and writes the report.
pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let format = format(args)?;
    let mut session = args.session.open(Access::Read)?;
    let target = Target::of(args, format);
    if let Target::File(path) = &target {
        report::refuse_inputs(path, &[session.file().path(), session.store_path()])?;
    }
    let data = ReportData::of(&mut session)?;
    match target {
        Target::Stdout => print(&report::render(&data, format)),
        Target::File(path) => {
            report::write_as(&path, &data, format)?;
            print(&format!("Report written to {}\n", path.display()))
        }
    }
}

/// Where the report goes.
enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    fn of(args: &ReportArgs, format: Format) -> Self {
        match &args.output {
            Some(path) if path.as_os_str() == "-" => Target::Stdout,
            Some(path) => Target::File(path.clone()),
            None => Target::File(report::beside(&args.session.study, format)),
        }
    }
}

/// What was said, or what the file's name says.
fn format(args: &ReportArgs) -> Result<Format, Failure> {
    match (args.format, &args.output) {
        (Some(format), _) => Ok(format),
        (None, Some(path)) if path.as_os_str() != "-" => {
            Format::of_path(path).ok_or_else(|| Failure::UnknownFormat { file: path.clone() })
        }
        (None, _) => Ok(Format::Html),
    }
}
