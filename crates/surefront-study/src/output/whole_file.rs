//! Files that are there whole or not at all: a reader never sees half of one, and a full disk does not cost the one before.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path`, or makes it, with what `work` writes.
pub fn write_with(path: &Path, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let to_end = |file: File, work: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
        let mut output = BufWriter::new(file);
        work(&mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)
    };
    let mut work = Some(work);
    let mut work = |output: &mut dyn Write| work.take().expect("it is done once")(output);
    // Where there is something other than a file, such as a terminal or a pipe, nothing can be put in its place.
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            return to_end(OpenOptions::new().write(true).open(path)?, &mut work).map(drop);
        }
        _ => {}
    }
    let (path, draft) = target(path)?;
    let written = (|| {
        let file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
        to_end(file, &mut work)?.sync_all()?;
        fs::rename(&draft, &path)
    })();
    if written.is_err() {
        // It may not be there; the first error is the one that matters.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Whether a file could be written at `path`, as far as that can be known before; nothing is left behind.
pub fn probe(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| there.is_dir()) {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let (path, draft) = target(path)?;
    if path.exists() {
        // A file that may not be changed is not to be replaced either.
        OpenOptions::new().append(true).open(&path)?;
    }
    OpenOptions::new().write(true).create_new(true).open(&draft)?;
    fs::remove_file(&draft)
}

/// The file and its draft; a link keeps pointing to where it points.
fn target(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft(&path)?;
    Ok((path, draft))
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

    fn write(path: &Path, content: &[u8]) -> io::Result<()> {
        write_with(path, |output| output.write_all(content))
    }

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
        let broken = |output: &mut dyn Write| output.write_all(b"half").and(Err(io::Error::other("no more")));
        assert!(write_with(&place.path().join("r.csv"), broken).is_err());
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
