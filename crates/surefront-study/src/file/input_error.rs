//! A fault of a file that was handed in, and where it is.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use super::fault::Fault;
use crate::words::plain::plain;

/// A fault, and the file and line it was found in.
#[derive(Debug, Error)]
pub struct InputError {
    file: PathBuf,
    line: Option<usize>,
    #[source]
    fault: Box<Fault>,
}

impl InputError {
    /// A fault of the file as a whole.
    pub fn of_file(file: &Path, fault: Fault) -> Self {
        InputError { file: file.to_owned(), line: None, fault: Box::new(fault) }
    }

    /// A fault of one line, counted from 1.
    pub fn at_line(file: &Path, line: usize, fault: Fault) -> Self {
        InputError { file: file.to_owned(), line: Some(line), fault: Box::new(fault) }
    }

    /// The same where the text was never written to a file, and nobody would find the line.
    pub fn without_line(self) -> Self {
        InputError { line: None, ..self }
    }

    /// The condition that does not hold.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map_or_else(String::new, |line| format!(", line {line}"));
        // What is quoted from the file may be anything.
        f.write_str(&plain(&format!("{}{line}: {}", self.file.display(), self.fault)))
    }
}
