//! A figure's file, made sure of before the long work, so that a wrong path costs nothing.

use std::path::Path;

use super::destination::Destination;
use super::kind::OutputKind;
use crate::study_error::StudyError;

/// A place for a figure.
pub struct Figure(Destination);

impl Figure {
    /// Makes sure of the place, which must be none of the files that are read.
    pub fn create(path: &Path, inputs: &[&Path]) -> Result<Self, StudyError> {
        Destination::new(path, OutputKind::Plot, inputs).map(Figure)
    }

    /// Writes the figure, and gives the sentence that says so.
    pub fn write(self, svg: &str) -> Result<String, StudyError> {
        self.0.write(svg.as_bytes())?;
        Ok(format!("Plot written to {}", self.0.path().display()))
    }
}
