//! What can go wrong with a store, and what to do then.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};
use surefront::ObservationError;
use thiserror::Error;

use super::schema;
use crate::words::plain::plain;

/// A fault, and the store it was found in.
#[derive(Debug, Error)]
pub struct StoreError {
    path: PathBuf,
    #[source]
    /// The condition that does not hold.
    pub fault: StoreFault,
}

impl StoreError {
    pub(super) fn new(path: &Path, fault: impl Into<StoreFault>) -> Self {
        StoreError { path: path.to_owned(), fault: fault.into() }
    }

    /// Whether something else was typed, or handed in, than the store allows; otherwise the store itself could not be used.
    pub fn is_wrong_input(&self) -> bool {
        match self.fault {
            StoreFault::Missing
            | StoreFault::NotAStore
            | StoreFault::OtherVersion { .. }
            | StoreFault::Differs(_)
            | StoreFault::NoArmLeft
            | StoreFault::OtherKind(_)
            | StoreFault::Refused(_) => true,
            StoreFault::Damaged(_)
            | StoreFault::Locked
            | StoreFault::Closed(_)
            | StoreFault::Unfinished
            | StoreFault::Gone
            | StoreFault::Full
            | StoreFault::Sqlite(_) => false,
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&format!("{}: {}", self.path.display(), self.fault)))
    }
}

/// The condition that does not hold.
#[derive(Debug, Error)]
pub enum StoreFault {
    /// Nothing was asked or told yet.
    #[error("there is no store for this study yet")]
    Missing,
    /// Some other file.
    #[error("this is not a store of surefront")]
    NotAStore,
    /// A store of a later release.
    #[error(
        "this store has layout {found}, and this program knows layouts up to {}: use the release of surefront that made it",
        schema::VERSION
    )]
    OtherVersion {
        /// What the store says.
        found: i32,
    },
    /// The observations do not fit the study file.
    #[error(
        "the study file and the store do not agree: {}. Undo the change",
        some(.0)
    )]
    Differs(Vec<String>),
    /// No arm is left.
    #[error("every arm was left out, because none could be measured: mend that, and take them in again")]
    NoArmLeft,
    /// The study cannot be run like this with its kinds of noise.
    #[error(transparent)]
    OtherKind(surefront::StudyError),
    /// What was told or named is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file is broken.
    #[error(
        "the store is damaged ({0}): put back a copy of it, or save what can be read with `sqlite3 FILE .recover`, and do not write to it meanwhile"
    )]
    Damaged(String),
    /// Someone else does not let go of it.
    #[error(
        "another program has kept the store locked for {} seconds: close it (an open transaction of `sqlite3`?) and try again; nothing was stored",
        super::PATIENCE.as_secs()
    )]
    Locked,
    /// It, or its folder, cannot be written.
    #[error("the store cannot be opened for writing ({0}): check that its folder exists and that you may write there")]
    Closed(String),
    /// It may only be read, and not all of it can be.
    #[error(
        "the store was not closed properly, and its folder cannot be written to: open it once where you may write, or copy it there with its -wal file"
    )]
    Unfinished,
    /// Its file is no longer the one that was opened.
    #[error(
        "the store was deleted, moved or replaced while it was in use: nothing more was stored; put it back and do this again"
    )]
    Gone,
    /// No room.
    #[error(
        "the disk is full: make room and do this again; everything told before is safe, and nothing was stored now"
    )]
    Full,
    /// Anything else.
    #[error("the store cannot be used ({0}); everything told before is safe")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreFault {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreFault::NotAStore,
            Some(ErrorCode::DatabaseCorrupt) => StoreFault::Damaged(error.to_string()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreFault::Locked,
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                // SQLite's own words, without the path, which stands before them already.
                let code = error.sqlite_error().map_or(ffi::SQLITE_ERROR, |error| error.extended_code);
                StoreFault::Closed(ffi::code_to_str(code).to_owned())
            }
            Some(ErrorCode::DiskFull) => StoreFault::Full,
            _ => StoreFault::Sqlite(error),
        }
    }
}

/// The first few of them; the rest of a long list is only counted.
fn some(differences: &[String]) -> String {
    const SHOWN: usize = 4;
    let mut text = differences.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    if differences.len() > SHOWN {
        text += &format!("; and {} more", differences.len() - SHOWN);
    }
    text
}

/// Why something told, or named, is not taken.
#[derive(Debug, Error)]
pub enum Refusal {
    /// Not an observation of this study.
    #[error(transparent)]
    Observation(#[from] ObservationError),
    /// No such ticket.
    #[error("there is no ticket {0}")]
    UnknownTicket(i64),
    /// The ticket's arm was taken out of the study file.
    #[error("ticket {ticket} is for arm \"{arm}\", which is no longer in the study file: put it back first")]
    ArmGone {
        /// The ticket.
        ticket: i64,
        /// Its arm.
        arm: String,
    },
    /// A ticket for another arm than was said.
    #[error("ticket {ticket} is for arm \"{asked}\", not \"{said}\": correct one of the two")]
    OtherArm {
        /// The ticket.
        ticket: i64,
        /// Its arm.
        asked: String,
        /// The arm that was named beside it.
        said: String,
    },
    /// The ticket has been told something else.
    #[error(
        "ticket {ticket} was told {known} already (observation {observation}), not {values}: if that was wrong, take it back first"
    )]
    OtherValues {
        /// The ticket.
        ticket: i64,
        /// The observation that it was told.
        observation: i64,
        /// Its values.
        known: String,
        /// The values now.
        values: String,
    },
    /// A ticket that cannot fail any more.
    #[error("ticket {ticket} was told already (observation {observation}): if that was wrong, take it back")]
    ToldAlready {
        /// The ticket.
        ticket: i64,
        /// Its observation.
        observation: i64,
    },
    /// No such observation.
    #[error("there is no observation {0}")]
    UnknownObservation(i64),
    /// The ticket has nothing to take back.
    #[error("ticket {0} has no observation that could be taken back")]
    NothingTold(i64),
    /// The observation was taken back before.
    #[error("observation {observation} was taken back already, at {at}")]
    RetractedAlready {
        /// The observation.
        observation: i64,
        /// When.
        at: String,
    },
}

impl From<ObservationError> for StoreFault {
    fn from(error: ObservationError) -> Self {
        Refusal::from(error).into()
    }
}
