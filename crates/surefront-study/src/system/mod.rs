//! What differs between operating systems: process groups, locks on files, which file a file is, the bytes of a path. A port to another system is a file
//! beside `unix.rs` with the same functions. (Signals to the program itself are for whoever is the program.)

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub(crate) use self::unix::{FileId, Process, alone, file_id, leader, lock, path_bytes, stop_group, wait_for_end};

#[cfg(not(unix))]
compile_error!(
    "surefront runs on Unix systems only: a port needs a file in crates/surefront-study/src/system with what unix.rs has"
);

/// How a group of processes is made to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// They are asked to, and may tidy up.
    Ask,
    /// They end.
    AtOnce,
}
