//! Where rows go: a file, opened before the work, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

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

/// An open output.
pub struct OutputFile {
    /// `None` for standard output.
    file: Option<(PathBuf, File)>,
}

impl OutputFile {
    /// Opens it, so that a wrong path costs nothing.
    pub fn create(target: &CsvTarget) -> Result<Self, StudyError> {
        let file = match target {
            CsvTarget::Stdout => None,
            CsvTarget::File(path) => match File::create(path) {
                Ok(file) => Some((path.clone(), file)),
                Err(error) => return Err(StudyError::Write { file: path.clone(), error }),
            },
        };
        Ok(OutputFile { file })
    }

    /// Writes to it.
    pub fn write(self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), StudyError> {
        let to_end = |mut output: Box<dyn Write>| work(&mut output).and_then(|()| output.flush());
        match self.file {
            None => to_end(Box::new(BufWriter::new(io::stdout().lock()))).map_err(StudyError::Print),
            Some((path, file)) => {
                to_end(Box::new(BufWriter::new(file))).map_err(|error| StudyError::Write { file: path, error })
            }
        }
    }
}
