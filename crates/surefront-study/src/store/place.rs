//! Where a store is: a file that one may write to, one that one may only read, or memory.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use super::PATIENCE;
use super::store_error::StoreFault;
use crate::system::path_bytes;

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To write to it; if there is none, one is made.
    Create,
    /// To write to it; that there is none is an error.
    Change,
    /// To read from it; that there is none is an error.
    Read,
}

/// Opens the file, to be written to.
pub fn open(path: &Path, access: Access) -> Result<Connection, StoreFault> {
    // An empty file is what remains where a store was about to be made.
    let missing = match fs::metadata(path) {
        Ok(metadata) => metadata.is_file() && metadata.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if missing && access != Access::Create {
        return Err(StoreFault::Missing);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = Connection::open_with_flags(path, flags)?;
    // SQLite opens what it may not write to for reading, and says so only when it is too late.
    if connection.is_readonly("main")? {
        return Err(StoreFault::Closed("it may only be read".to_owned()));
    }
    connection.busy_timeout(PATIENCE)?;
    // Readers and writers do not wait for each other, and what was committed survives a loss of power.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // The log is written over sooner than by default: a file that does not grow reaches the disk in half the time.
    connection.pragma_update(None, "wal_autocheckpoint", 200)?;
    Ok(connection)
}

/// A file that nobody writes to is read without the files that writers share.
const UNCHANGING: &str = "mode=ro&immutable=1";

/// A copy in memory of a file that may not be written to, nor any beside it.
pub fn copy(path: &Path) -> Result<Connection, StoreFault> {
    let mut memory = Connection::open_in_memory()?;
    // The log is there as long as somebody has the store open, or if nobody closed it.
    let log = fs::metadata(beside(path, "-wal")).ok();
    if log.is_none() {
        copy_into(&mut memory, path, UNCHANGING)?;
    } else if copy_into(&mut memory, path, "mode=ro").is_err() {
        if log.is_some_and(|log| log.len() > 0) {
            return Err(StoreFault::Unfinished);
        }
        copy_into(&mut memory, path, UNCHANGING)?;
    }
    memory.pragma_update(None, "foreign_keys", true)?;
    Ok(memory)
}

fn copy_into(memory: &mut Connection, path: &Path, options: &str) -> Result<(), StoreFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let source = Connection::open_with_flags(format!("file:{}?{options}", escaped(path)), flags)?;
    source.busy_timeout(PATIENCE)?;
    // All pages in one step: nobody writes in between.
    Backup::new(&source, memory)?.step(-1)?;
    // A copy of a log is no log; what is in memory needs none.
    memory.pragma_update(None, "journal_mode", "MEMORY")?;
    Ok(())
}

/// A path inside of a URI.
fn escaped(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let bytes = path_bytes(path).iter();
    bytes.map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Memory under a name, shared by all that open it in this process.
pub fn in_memory(name: &str) -> Result<Connection, StoreFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:/{}?vfs=memdb", escaped(Path::new(name))), flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// Memory without a name.
pub fn private() -> Result<Connection, StoreFault> {
    let connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}
