//! Which file a store is, whatever its name.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::store_error::StoreFault;

/// A file on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// The file at this path.
    pub fn of(path: &Path) -> Result<Self, StoreFault> {
        fs::metadata(path).map(|metadata| Identity::new(&metadata)).map_err(|_| StoreFault::Gone)
    }

    /// Whether it is this file that is at the path.
    pub fn is_at(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Identity::new(&metadata) == self)
    }

    fn new(metadata: &Metadata) -> Self {
        Identity { device: metadata.dev(), inode: metadata.ino() }
    }
}
