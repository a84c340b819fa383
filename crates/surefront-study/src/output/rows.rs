//! Where rows go: a file, made sure of before the work, or standard output.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::destination::Destination;
use super::kind::OutputKind;
use crate::study_error::StudyError;

/// Where rows are to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsvTarget {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl FromStr for CsvTarget {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "-" => CsvTarget::Stdout,
            path => CsvTarget::File(path.into()),
        })
    }
}

/// What went wrong with writing a row; the kind of the system's error is kept, so that a reader who has gone is seen to have gone.
pub fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// An output that can be written.
pub struct OutputFile {
    /// `None` for standard output.
    file: Option<Destination>,
}

impl OutputFile {
    /// Makes sure of it, so that a wrong path costs nothing; it must be none of the files that are read.
    pub fn create(target: &CsvTarget, kind: OutputKind, inputs: &[&Path]) -> Result<Self, StudyError> {
        let file = match target {
            CsvTarget::Stdout => None,
            CsvTarget::File(path) => Some(Destination::new(path, kind, inputs)?),
        };
        Ok(OutputFile { file })
    }

    /// Writes to it; a file is written as a whole or not at all.
    pub fn write(self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), StudyError> {
        match self.file {
            Some(destination) => destination.write_with(work),
            None => {
                let mut output = BufWriter::new(io::stdout().lock());
                work(&mut output).and_then(|()| output.flush()).map_err(StudyError::Print)
            }
        }
    }
}
