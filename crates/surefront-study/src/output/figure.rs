//! A figure's file, opened before the long work, so that a wrong path costs nothing.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::study_error::StudyError;

/// An open file for a figure.
pub struct Figure {
    path: PathBuf,
    file: File,
}

impl Figure {
    /// Opens the file.
    pub fn create(path: &Path) -> Result<Self, StudyError> {
        match File::create(path) {
            Ok(file) => Ok(Figure { path: path.to_owned(), file }),
            Err(error) => Err(StudyError::Write { file: path.to_owned(), error }),
        }
    }

    /// Writes the figure, and gives the sentence that says so.
    pub fn write(mut self, svg: &str) -> Result<String, StudyError> {
        match self.file.write_all(svg.as_bytes()) {
            Ok(()) => Ok(format!("Plot written to {}", self.path.display())),
            Err(error) => Err(StudyError::Write { file: self.path, error }),
        }
    }
}
