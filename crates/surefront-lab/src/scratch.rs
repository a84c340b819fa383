//! A folder for what an experiment writes on the way, gone when its owner is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::lab_error::LabError;

/// An empty folder at first; removed with all that is in it.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new folder in this one, whose name begins with `surefront-` and what it is for.
    pub fn within(parent: &Path, purpose: &str) -> Result<Self, LabError> {
        // Numbered, since one process may make the same experiment several times at once.
        for number in 0u64.. {
            let path = parent.join(format!("surefront-{purpose}-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(LabError::Write { file: path, error }),
            }
        }
        unreachable!("there are fewer folders than numbers")
    }

    /// The path of something in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed does no harm but to lie there.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_do_not_meet_and_nothing_is_left() {
        let place = tempfile::tempdir().unwrap();
        let [one, two] = ["store"; 2].map(|purpose| Scratch::within(place.path(), purpose).unwrap());
        assert_ne!(one.join("x"), two.join("x"));
        fs::write(one.join("x"), "kept until the end").unwrap();
        drop((one, two));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        assert!(matches!(Scratch::within(&place.path().join("no"), "store"), Err(LabError::Write { .. })));
    }
}
