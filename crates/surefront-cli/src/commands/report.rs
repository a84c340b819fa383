//! `surefront report`: a study and its answer for somebody who was not there.

use std::path::PathBuf;

use super::{inputs, print, print_document};
use crate::args::ReportArgs;
use crate::failure::Failure;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::store::Access;

/// Reads the study and writes the report.
pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let format = format(args)?;
    let mut session = args.session.open(Access::Read)?;
    let target = match path(args, format) {
        None => None,
        Some(path) => Some(report::destination(&path, format, &inputs(&session))?),
    };
    let data = ReportData::of(&mut session)?;
    let report = report::render(&data, format);
    match target {
        None => print_document(&report),
        Some(target) => {
            target.write(report.as_bytes())?;
            print(&format!("Report written to {}\n", target.path().display()))
        }
    }
}

/// Where the report goes; `None` for standard output.
fn path(args: &ReportArgs, format: Format) -> Option<PathBuf> {
    match &args.output {
        Some(path) if path.as_os_str() == "-" => None,
        Some(path) => Some(path.clone()),
        None => Some(report::beside(&args.session.study, format)),
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
