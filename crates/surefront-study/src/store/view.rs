//! A store as it is at one moment.

use rusqlite::{Connection, OptionalExtension};
use surefront::Problem;

use super::definition::{self, Definition};
use super::edit::{self, Edit};
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

    /// The problem of the study file: all arms, and variances as it says them.
    pub fn problem(&self) -> &'a Problem {
        &self.definition.problem
    }

    /// What the study file says of the noise of the objective of this name, as the store would have it.
    pub fn noise_of(&self, objective: &str) -> Option<String> {
        let objectives = self.definition.problem.objectives();
        objectives.iter().find(|known| known.name == objective).map(|known| definition::noise(known.noise))
    }

    /// What it says of the noise of one arm, as the store would have it; empty if nothing.
    pub fn noise_of_arm(&self, arm: usize) -> String {
        definition::noise_of_arm(&self.definition.problem, arm)
    }

    /// What it says of the correlation, as the store would have it; empty if nothing.
    pub fn correlation(&self) -> String {
        definition::correlation(&self.definition.problem)
    }

    /// What it says of margins, as the store would have it; empty if there are none.
    pub fn margins(&self) -> String {
        definition::margins(&self.definition.problem)
    }

    /// What it says of limits, as the store would have it; empty if there are none.
    pub fn limits(&self) -> String {
        definition::limits(&self.definition.problem)
    }

    /// What was changed while there were results, oldest first.
    pub fn edits(&self) -> Result<Vec<Edit>, StoreFault> {
        Ok(edit::all(self.connection)?)
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
