//! Whether files are still as they were: a study file may be edited while it is served.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files, and when they were last changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<(PathBuf, Option<(SystemTime, u64)>)>);

impl Stamp {
    /// Of these files at this moment.
    pub fn of(paths: &[&Path]) -> Self {
        let changed = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        Stamp(paths.iter().map(|path| ((*path).to_owned(), changed(path))).collect())
    }

    /// These and those.
    pub fn with(mut self, other: &Stamp) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// Whether they have changed since.
    pub fn is_old(&self) -> bool {
        let paths: Vec<&Path> = self.0.iter().map(|(path, _)| path.as_path()).collect();
        Stamp::of(&paths) != *self
    }
}
