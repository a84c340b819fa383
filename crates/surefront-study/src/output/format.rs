//! What a report can be written as.

use std::path::Path;

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
    /// What the name of such a file ends in.
    pub fn ending(self) -> &'static str {
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
