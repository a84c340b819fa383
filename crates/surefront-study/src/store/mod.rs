//! The store: one SQLite file per study that keeps its definition, every ticket and every observation.
//!
//! What [`Store::write`] did is on the disk when it returns, or not done at all. Any number of processes may use a store at once:
//! writers wait for each other, readers for nobody.

mod batch;
mod definition;
mod dropped;
mod observation;
mod progress;
mod schema;
mod settings;
mod store_error;
#[cfg(test)]
mod tests;
mod ticket;
mod view;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use surefront::Problem;

pub use self::batch::Batch;
use self::definition::Definition;
pub use self::dropped::Dropped;
pub use self::observation::{Observation, Told};
pub use self::progress::ProgressRecord;
pub use self::settings::LastSettings;
pub use self::store_error::{Refusal, StoreError, StoreFault};
pub use self::ticket::Ticket;
pub use self::view::View;
use crate::file::study::StudyFile;

/// How long to wait for others that write to the store.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open store that fits its study file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    definition: Definition,
}

/// What to do if there is no store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfMissing {
    /// Make one.
    Create,
    /// Say so.
    Refuse,
}

impl Store {
    /// The store of a study file whose problem this is. Arms that are new in the file are new in the store; what the file says
    /// otherwise than the store and the observations do not allow is refused.
    pub fn open(path: &Path, file: &StudyFile, problem: &Problem, if_missing: IfMissing) -> Result<Self, StoreError> {
        let open = || -> Result<_, StoreFault> {
            // An empty file is what remains where a store was about to be made.
            let missing = match fs::metadata(path) {
                Ok(metadata) => metadata.is_file() && metadata.len() == 0,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            };
            if missing && if_missing == IfMissing::Refuse {
                return Err(StoreFault::Missing);
            }
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
            let mut connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(PATIENCE)?;
            let definition = Definition::agree(&mut connection, file, problem)?;
            Ok((connection, definition))
        };
        match open() {
            Ok((connection, definition)) => Ok(Store { path: path.to_owned(), connection, definition }),
            Err(fault) => Err(StoreError::new(path, fault)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads from the store as it is at this moment.
    pub fn read<T>(&mut self, work: impl FnOnce(&View) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let read = || -> Result<T, StoreFault> {
            let transaction = self.connection.transaction()?;
            work(&View::new(&transaction, &self.definition))
        };
        read().map_err(|fault| StoreError::new(&self.path, fault))
    }

    /// Reads from the store and writes to it, alone: all of it is on the disk when this returns, or, after an error, none of it is done.
    pub fn write<T>(&mut self, work: impl FnOnce(&Batch) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let write = || -> Result<T, StoreFault> {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&Batch::new(View::new(&transaction, &self.definition)))?;
            transaction.commit()?;
            Ok(done)
        };
        write().map_err(|fault| StoreError::new(&self.path, fault))
    }
}
