//! The report of a study: what was asked, what the answer is, how sure it is and why, for somebody who was not there.

mod data;
mod figures;
mod html;
mod markdown;
#[cfg(test)]
mod tests;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use self::data::ReportData;
use crate::output::whole_file;
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

/// Refuses to put a report in the place of what it is made from.
pub fn refuse_inputs(path: &Path, inputs: &[&Path]) -> Result<(), StudyError> {
    let same = |input: &&Path| matches!((fs::canonicalize(path), fs::canonicalize(input)), (Ok(one), Ok(other)) if one == other);
    if inputs.iter().any(same) {
        return Err(StudyError::OverwritesInput { file: path.to_owned() });
    }
    Ok(())
}

/// Writes the report to a file, whole or not at all; what the file's name does not say is HTML.
pub fn write(path: &Path, data: &ReportData) -> Result<(), StudyError> {
    write_as(path, data, Format::of_path(path).unwrap_or(Format::Html))
}

/// Writes the report to a file in this format, whole or not at all.
pub fn write_as(path: &Path, data: &ReportData, format: Format) -> Result<(), StudyError> {
    whole_file::write(path, render(data, format).as_bytes())
        .map_err(|error| StudyError::Write { file: path.to_owned(), error })
}
