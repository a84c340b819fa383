//! One `run` at a time on a store: two would give each other's tickets up for lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::output::output_error::OutputError;
use crate::study_error::StudyError;
use crate::system::{file_id, lock};

/// How long a lock may outlive its process: a command that was just being started when the process was killed has the lock
/// too, until it is the command.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(10);

/// The right to measure for a store. It ends with the process, however that ends.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Claim {
    /// Claims a store.
    ///
    /// # Errors
    /// When another process has it, or the file beside the store that says so cannot be made.
    pub fn of(store: &Path) -> Result<Self, StudyError> {
        let mut name = store.file_name().unwrap_or_default().to_owned();
        name.push("-run");
        let path = store.with_file_name(name);
        let begin = Instant::now();
        loop {
            match Claim::try_at(&path) {
                Ok(Some(claim)) => return Ok(claim),
                // Whoever had it took the file away between our opening and our locking it.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && begin.elapsed() < PATIENCE => {
                    thread::sleep(PAUSE);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let owner = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
                    return Err(StudyError::AlreadyRunning { store: store.to_owned(), owner });
                }
                Err(error) => return Err(OutputError::Write { file: path, error }.into()),
            }
        }
    }

    fn try_at(path: &Path) -> io::Result<Option<Self>> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        let ours = file_id(&file.metadata()?);
        let same = fs::metadata(path).is_ok_and(|there| file_id(&there) == ours);
        if !same {
            return Ok(None);
        }
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Some(Claim { path: path.to_owned(), _file: file }))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Taken away while it is locked: whoever waits for it notices. It may stay if it must.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("s.db");
        let claim = Claim::of(&store).unwrap();
        let Err(StudyError::AlreadyRunning { owner, .. }) = Claim::of(&store) else { panic!("claimed twice") };
        assert_eq!(owner, std::process::id().to_string());
        assert!(Claim::of(&folder.path().join("other.db")).is_ok());
        drop(claim);
        assert!(!folder.path().join("s.db-run").exists());
        // What a killed process leaves behind is no claim.
        fs::write(folder.path().join("s.db-run"), "1\n").unwrap();
        assert!(Claim::of(&store).is_ok());
    }
}
