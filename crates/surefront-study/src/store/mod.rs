//! The store: one SQLite file per study that keeps its definition, every ticket and every observation.
//!
//! What [`Store::write`] did is on the disk when it returns, or not done at all. Any number of processes may use a store at once:
//! writers wait for each other, readers for nobody.

mod batch;
#[cfg(test)]
mod conformance;
mod definition;
mod dropped;
mod edit;
mod ending;
mod failures;
mod identity;
mod line;
mod log;
mod moment;
mod observation;
mod place;
mod progress;
mod schema;
mod settings;
mod setup;
mod store_error;
#[cfg(test)]
mod tests;
mod ticket;
mod view;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use surefront::Problem;

pub use self::batch::Batch;
use self::definition::Definition;
pub use self::dropped::Dropped;
pub use self::edit::{Edit, EditOf};
pub use self::ending::{Ended, Ending};
pub use self::failures::Failures;
use self::identity::Identity;
pub use self::log::EndedTicket;
pub use self::moment::{Moment, MomentError};
pub use self::observation::{Observation, Origin, Told, in_words};
pub use self::place::Access;
pub use self::progress::ProgressRecord;
pub use self::settings::LastSettings;
pub use self::setup::{Measured, SetupId};
pub use self::store_error::{Refusal, StoreError, StoreFault};
pub use self::ticket::Ticket;
pub use self::view::View;
use crate::file::study::StudyFile;

/// How long to wait for others that write to the store.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);

/// An open store that fits its study file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    definition: Definition,
    /// The file that was opened, if it is one that is written to.
    identity: Option<Identity>,
    patience: Duration,
}

impl Store {
    /// The store of a study file whose problem this is. Arms that are new in the file are new in the store; what the file says
    /// otherwise than the store and the observations do not allow is refused. A store of an earlier release becomes one of this.
    ///
    /// For [`Access::Read`] alone, a store that may not be written to is copied into memory, as it is at this moment.
    pub fn open(path: &Path, file: &StudyFile, problem: &Problem, access: Access) -> Result<Self, StoreError> {
        let open = || -> Result<_, StoreFault> {
            match place::open(path, access) {
                Ok(connection) => Store::with(path, connection, Some(Identity::of(path)?), file, problem),
                Err(StoreFault::Closed(_)) if access == Access::Read && path.is_file() => {
                    Store::with(path, place::copy(path)?, None, file, problem)
                }
                Err(fault) => Err(fault),
            }
        };
        patiently(PATIENCE, open).map_err(|fault| StoreError::new(path, fault))
    }

    /// A store that is nowhere but in memory. All that have the same name are one; it is gone when the last of them is.
    pub fn in_memory(name: &str, file: &StudyFile, problem: &Problem) -> Result<Self, StoreError> {
        let path = Path::new(name);
        let open = || Store::with(path, place::in_memory(name)?, None, file, problem);
        open().map_err(|fault| StoreError::new(path, fault))
    }

    /// The same, of nobody else.
    pub fn private(name: &str, file: &StudyFile, problem: &Problem) -> Result<Self, StoreError> {
        let path = Path::new(name);
        let open = || Store::with(path, place::private()?, None, file, problem);
        open().map_err(|fault| StoreError::new(path, fault))
    }

    /// The file that it is, if it is one that is written to.
    pub fn file(&self) -> Option<&Path> {
        self.identity.is_some().then_some(self.path.as_path())
    }

    fn with(
        path: &Path,
        mut connection: Connection,
        identity: Option<Identity>,
        file: &StudyFile,
        problem: &Problem,
    ) -> Result<Self, StoreFault> {
        let definition = Definition::agree(&mut connection, file, problem)?;
        Ok(Store { path: path.to_owned(), connection, definition, identity, patience: PATIENCE })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads from the store as it is at this moment.
    pub fn read<T>(&mut self, work: impl FnOnce(&View) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let read = || -> Result<T, StoreFault> {
            let transaction = patiently(self.patience, || self.begin(TransactionBehavior::Deferred))?;
            work(&View::new(&transaction, &self.definition))
        };
        read().map_err(|fault| StoreError::new(&self.path, fault))
    }

    /// Reads from the store and writes to it, alone: all of it is on the disk when this returns, or, after an error, none of it is done.
    pub fn write<T>(&mut self, work: impl FnOnce(&Batch) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let write = || -> Result<T, StoreFault> {
            let transaction = patiently(self.patience, || self.begin(TransactionBehavior::Immediate))?;
            let done = work(&Batch::new(View::new(&transaction, &self.definition)))?;
            // What goes into a file without a name is lost.
            if self.identity.is_some_and(|identity| !identity.is_at(&self.path)) {
                return Err(StoreFault::Gone);
            }
            transaction.commit()?;
            Ok(done)
        };
        write().map_err(|fault| StoreError::new(&self.path, fault))
    }

    /// A transaction that has its locks: nothing in it has to wait for others any more.
    fn begin(&self, behavior: TransactionBehavior) -> Result<Transaction<'_>, StoreFault> {
        let transaction = Transaction::new_unchecked(&self.connection, behavior)?;
        transaction.prepare_cached("SELECT count(*) FROM sqlite_schema")?.query_row([], |_| Ok(()))?;
        Ok(transaction)
    }
}

/// Tries again while others are in the way. SQLite waits for them by itself, but not in all cases: not while one of them makes the store, or
/// is the last to close it.
fn patiently<T>(patience: Duration, mut attempt: impl FnMut() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    let begin = Instant::now();
    loop {
        match attempt() {
            Err(StoreFault::Locked) if begin.elapsed() < patience => thread::sleep(PAUSE),
            done => return done,
        }
    }
}
