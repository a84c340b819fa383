//! A store as it is at one moment.

use rusqlite::{Connection, OptionalExtension};

use super::definition::Definition;
use super::store_error::StoreFault;

/// What can be read from a store; the files of this folder say what there is to read.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) connection: &'a Connection,
    pub(super) definition: &'a Definition,
}

impl<'a> View<'a> {
    pub(super) fn new(connection: &'a Connection, definition: &'a Definition) -> Self {
        View { connection, definition }
    }

    /// The name of an arm.
    pub fn arm_name(&self, arm: usize) -> &'a str {
        &self.definition.problem.arms()[arm].name
    }

    /// An entry of the table `meta`.
    pub(super) fn meta(&self, key: &str) -> rusqlite::Result<Option<String>> {
        let mut statement = self.connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        statement.query_row([key], |row| row.get(0)).optional()
    }

    /// A number that changes when another process has written to the store, and only then.
    pub fn revision(&self) -> Result<i64, StoreFault> {
        Ok(self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
    }
}
