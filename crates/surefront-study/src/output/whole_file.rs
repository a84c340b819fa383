//! Files that are there whole or not at all: a reader never sees half of one, and a full disk does not cost the one before.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path`, or makes it.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // Where there is something other than a file, such as a terminal or a pipe, nothing can be put in its place.
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => return OpenOptions::new().write(true).open(path)?.write_all(content),
        _ => {}
    }
    // A link keeps pointing to where it points.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft(&path)?;
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&draft, &path)
    })();
    if written.is_err() {
        // It may not be there; the first error is the one that matters.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Beside the file, so that it can be moved into its place in one step.
fn draft(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"));
    };
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}.draft", std::process::id()));
    Ok(path.with_file_name(draft))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_behind() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("r.html");
        for content in ["one", "two"] {
            write(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        assert!(write(&place.path().join("no/such/r.html"), b"x").is_err());
        assert!(write(place.path(), b"x").is_err());
        assert!(write(Path::new(""), b"x").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_a_device_is_written_to() {
        let place = tempfile::tempdir().unwrap();
        let (link, target) = (place.path().join("link"), place.path().join("target"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
