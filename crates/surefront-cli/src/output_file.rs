//! Where rows go: a file, opened before the work, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::args::CsvTarget;
use crate::failure::Failure;

/// An open output.
pub struct OutputFile {
    /// `None` for standard output.
    file: Option<(PathBuf, File)>,
}

impl OutputFile {
    /// Opens it, so that a wrong path costs nothing.
    pub fn create(target: &CsvTarget) -> Result<Self, Failure> {
        let file = match target {
            CsvTarget::Stdout => None,
            CsvTarget::File(path) => match File::create(path) {
                Ok(file) => Some((path.clone(), file)),
                Err(error) => return Err(Failure::Write { file: path.clone(), error }),
            },
        };
        Ok(OutputFile { file })
    }

    /// Writes to it.
    pub fn write(self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let to_end = |mut output: Box<dyn Write>| work(&mut output).and_then(|()| output.flush());
        match self.file {
            None => Ok(to_end(Box::new(BufWriter::new(io::stdout().lock())))?),
            Some((path, file)) => {
                to_end(Box::new(BufWriter::new(file))).map_err(|error| Failure::Write { file: path, error })
            }
        }
    }
}
