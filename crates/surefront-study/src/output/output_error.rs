//! Why an output is not written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::kind::OutputKind;

/// The condition that does not hold.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file cannot be written.
    #[error("cannot write {} ({error})", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// Standard output cannot be written to.
    #[error("cannot write the result ({0})")]
    Print(io::Error),
    /// A result would take the place of what it was made from.
    #[error("{} is what this is made from", file.display())]
    OverwritesInput {
        /// The file.
        file: PathBuf,
    },
    /// An output would take the place of something else.
    #[error("{} exists and is not an older {kind}: give another path, or remove it", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What would be written.
        kind: OutputKind,
    },
    /// A new worklist would take the place of one with results.
    #[error("{} is a worklist with values filled in, which would be lost: give another path, or tell them first", file.display())]
    FilledIn {
        /// The file.
        file: PathBuf,
    },
}
