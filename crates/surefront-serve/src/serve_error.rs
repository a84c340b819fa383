//! Why there is no server.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

/// The condition that does not hold.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Nothing is there.
    #[error("{}: there is no such file or folder", path.display())]
    Missing {
        /// What was named.
        path: PathBuf,
    },
    /// A folder among files, or two folders.
    #[error("{}: name one folder, or study files", path.display())]
    OneFolder {
        /// The folder that is too many.
        path: PathBuf,
    },
    /// Two study files with one name.
    #[error("{} and {} have the same name, and would have the same address: rename one", one.display(), other.display())]
    SameName {
        /// A study file.
        one: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// A file whose name cannot be part of an address.
    #[error("{}: a study file is named like study.toml", path.display())]
    NotAName {
        /// The file.
        path: PathBuf,
    },
    /// Everybody on a network could write.
    #[error("{address} can be reached from other machines: there must be tokens")]
    TokensNeeded {
        /// Where it was to listen.
        address: SocketAddr,
    },
    /// The address cannot be had.
    #[error("cannot listen on {address} ({error})")]
    Listen {
        /// Where it was to listen.
        address: SocketAddr,
        /// What the operating system says.
        error: io::Error,
    },
    /// The operating system gives no threads.
    #[error("cannot serve ({0})")]
    Threads(io::Error),
}

impl ServeError {
    /// Whether something else was typed than can be served.
    pub fn is_wrong_input(&self) -> bool {
        !matches!(self, ServeError::Listen { .. } | ServeError::Threads(_))
    }
}
