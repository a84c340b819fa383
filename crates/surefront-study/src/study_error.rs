//! What can go wrong with a study as people keep it.

use std::path::PathBuf;

use thiserror::Error;

use crate::file::input_error::InputError;
use crate::output::output_error::OutputError;
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
    /// It cannot be made like this with its kinds of noise.
    #[error(transparent)]
    Kind(#[from] surefront::StudyError),
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
    /// An output is not written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Another process measures for the same store.
    #[error("{}: another run (process {owner}) is measuring for this store", store.display())]
    AlreadyRunning {
        /// The store.
        store: PathBuf,
        /// The process.
        owner: String,
    },
}
