//! Linux, and what is like it.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Stop;

/// A process that leads a group.
pub(crate) type Process = Pid;

/// Which file a file is, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

/// Lets a command begin in a group of its own.
pub(crate) fn alone(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// The leader of the group that a command began.
pub(crate) fn leader(child: &Child) -> Process {
    Pid::from_child(child)
}

/// Ends a group with all that it started; there may be nobody left.
pub(crate) fn stop_group(leader: Process, stop: Stop) {
    let signal = match stop {
        Stop::Ask => Signal::TERM,
        Stop::AtOnce => Signal::KILL,
    };
    let _ = kill_process_group(leader, signal);
}

/// Waits until a process has ended, and leaves it unclaimed: its number cannot yet belong to anybody else.
pub(crate) fn wait_for_end(process: Process) -> io::Result<()> {
    loop {
        match waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Locks a file for this process alone, for as long as it is open.
///
/// # Errors
/// `WouldBlock` when another process has it.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        // Some network file systems know no locks: then the store is all there is.
        Err(Errno::NOTSUP | Errno::NOLCK) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Which file this is.
pub(crate) fn file_id(metadata: &Metadata) -> FileId {
    FileId { device: metadata.dev(), inode: metadata.ino() }
}

/// The bytes of a path, as a URI has them.
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}
