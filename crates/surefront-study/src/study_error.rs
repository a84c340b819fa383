//! What can go wrong with a study as people keep it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::file::input_error::InputError;
use crate::output::kind::OutputKind;
use crate::store::{Refusal, StoreError};

/// The condition that does not hold.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A file that was handed in is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The store does not allow it, or cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A row of a file is not what the store can take.
    #[error("{}, line {line}: {refusal}", file.display())]
    RowRefused {
        /// The file.
        file: PathBuf,
        /// The row's line.
        line: usize,
        /// Why not.
        refusal: Box<Refusal>,
    },
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
    /// Another process measures for the same store.
    #[error("{}: another run (process {owner}) is measuring for this store", store.display())]
    AlreadyRunning {
        /// The store.
        store: PathBuf,
        /// The process.
        owner: String,
    },
}
