//! Where an output goes: decided in one place, before any long work, so that no output takes the place of something else.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::kind::{Found, OutputKind};
use super::whole_file;
use crate::study_error::StudyError;

/// A path that an output of some kind may be written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    path: PathBuf,
}

impl Destination {
    /// Makes sure that nothing is lost and that it can be written: at this path there is nothing yet, or an older output of the same
    /// kind, and nothing that the command reads.
    pub fn new(path: &Path, kind: OutputKind, inputs: &[&Path]) -> Result<Self, StudyError> {
        let file = || path.to_owned();
        let write_error = |error| StudyError::Write { file: path.to_owned(), error };
        match fs::metadata(path) {
            Ok(there) if there.is_file() => {
                if inputs.iter().any(|input| is_same(path, input)) {
                    return Err(StudyError::OverwritesInput { file: file() });
                }
                match kind.judge(&beginning(path, kind).map_err(write_error)?) {
                    Found::Older => {}
                    Found::FilledIn => return Err(StudyError::FilledIn { file: file() }),
                    Found::Foreign => return Err(StudyError::Foreign { file: file(), kind }),
                }
                whole_file::probe(path).map_err(write_error)?;
            }
            // A terminal, a pipe or a device: nothing is replaced there.
            Ok(there) if !there.is_dir() => {}
            _ => whole_file::probe(path).map_err(write_error)?,
        }
        Ok(Destination { path: file() })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all of it, or nothing.
    pub fn write(&self, content: &[u8]) -> Result<(), StudyError> {
        self.write_with(|output| output.write_all(content))
    }

    /// Writes what `work` writes, or nothing if that fails.
    pub fn write_with(&self, work: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), StudyError> {
        whole_file::write_with(&self.path, work).map_err(|error| StudyError::Write { file: self.path.clone(), error })
    }

    /// Opens the file anew, for rows that are to be kept as soon as they are there.
    pub fn open(&self) -> Result<File, StudyError> {
        File::create(&self.path).map_err(|error| StudyError::Write { file: self.path.clone(), error })
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

fn beginning(path: &Path, kind: OutputKind) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(kind.telling_bytes()).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;

    #[test]
    fn what_is_there_is_kept_unless_it_is_an_older_output() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("log.csv");
        let log = |inputs: &[&Path]| Destination::new(&path, OutputKind::RunLog, inputs);
        log(&[]).unwrap().write(b"rule,run,samples,outcome,seconds\n").unwrap();
        log(&[]).unwrap();
        assert!(matches!(log(&[&path]), Err(StudyError::OverwritesInput { .. })));
        let report = Destination::new(&path, OutputKind::Report(Format::Html), &[]);
        assert!(matches!(report, Err(StudyError::Foreign { .. })));
        fs::write(&path, "ticket,arm,x\n1,a,0.5\n").unwrap();
        let worklist = Destination::new(&path, OutputKind::Worklist, &[]);
        assert!(matches!(worklist, Err(StudyError::FilledIn { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"ticket,arm,x\n1,a,0.5\n");
    }

    #[test]
    fn a_path_that_cannot_be_written_is_said_at_once() {
        let place = tempfile::tempdir().unwrap();
        for path in [place.path().join("no/such.svg"), place.path().to_owned(), PathBuf::new()] {
            let refused = Destination::new(&path, OutputKind::Plot, &[]);
            assert!(matches!(refused, Err(StudyError::Write { .. })), "{path:?}");
        }
        Destination::new(&place.path().join("new.svg"), OutputKind::Plot, &[]).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_an_input_is_that_input() {
        let place = tempfile::tempdir().unwrap();
        let (input, link) = (place.path().join("s.toml"), place.path().join("link"));
        fs::write(&input, "").unwrap();
        std::os::unix::fs::symlink(&input, &link).unwrap();
        let refused = Destination::new(&link, OutputKind::Plot, &[&input]);
        assert!(matches!(refused, Err(StudyError::OverwritesInput { .. })));
    }
}
