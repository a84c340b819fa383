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
use crate::output::destination::Destination;
use crate::output::kind::OutputKind;
use crate::study_error::StudyError;

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One page for a browser, with everything in it.
    Html,
    /// Markdown: the text and the tables.
    Md,
    /// JSON: everything, for programs.
    Json,
    /// The front as a figure.
    Svg,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Md => "md",
            Format::Json => "json",
            Format::Svg => "svg",
        }
    }

    /// What the end of a file's name says; `None` if it says nothing.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" => Some(Format::Html),
            "md" | "markdown" => Some(Format::Md),
            "json" => Some(Format::Json),
            "svg" => Some(Format::Svg),
            _ => None,
        }
    }
}

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
pub fn destination(path: &Path, format: Format, inputs: &[&Path]) -> Result<Destination, StudyError> {
    Destination::new(path, OutputKind::Report(format), inputs)
}
