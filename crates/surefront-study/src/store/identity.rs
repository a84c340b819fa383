//! Which file a store is, whatever its name.

use std::fs;
use std::path::Path;

use super::store_error::StoreFault;
use crate::system::{FileId, file_id};

/// A file on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(FileId);

impl Identity {
    /// The file at this path.
    pub fn of(path: &Path) -> Result<Self, StoreFault> {
        fs::metadata(path).map(|metadata| Identity(file_id(&metadata))).map_err(|_| StoreFault::Gone)
    }

    /// Whether it is this file that is at the path.
    pub fn is_at(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Identity(file_id(&metadata)) == self)
    }
}
