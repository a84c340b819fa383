//! How measurements were made: observations made in different ways may be of different things.

use rusqlite::OptionalExtension;

use super::batch::Batch;
use super::store_error::StoreFault;
use super::view::View;

/// A way of measuring that is in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupId(pub(super) i64);

/// The observations of an arm that count and were measured in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The arm.
    pub arm: usize,
    /// The command.
    pub command: String,
    /// Commands side by side; `None` if nobody knows.
    pub jobs: Option<u64>,
    /// How many observations.
    pub count: u64,
    /// When the first and the last of them were told.
    pub first_at: String,
    /// See there.
    pub last_at: String,
}

impl View<'_> {
    /// How the observations that count were measured, in the order of the first of each kind; those that were told by hand, or
    /// simulated, are not among them.
    pub fn measured(&self) -> Result<Vec<Measured>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT arm, command, jobs, count(*), min(told_at), max(told_at)
             FROM observation JOIN setup ON setup.id = observation.setup
             WHERE retracted_at IS NULL GROUP BY arm, setup ORDER BY min(observation.id)",
        )?;
        let rows = statement.query_map([], |row| {
            let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) else { return Ok(None) };
            Ok(Some(Measured {
                arm,
                command: row.get(1)?,
                jobs: row.get::<_, Option<i64>>(2)?.map(i64::unsigned_abs),
                count: row.get::<_, i64>(3)?.unsigned_abs(),
                first_at: row.get(4)?,
                last_at: row.get(5)?,
            }))
        })?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }
}

impl View<'_> {
    /// From the first observation that a command measured, and that counts, to the last one.
    pub fn measuring_seconds(&self) -> Result<f64, StoreFault> {
        let sql = "SELECT 86400.0 * (julianday(max(told_at)) - julianday(min(told_at)))
                   FROM observation WHERE retracted_at IS NULL AND setup IS NOT NULL";
        let seconds: Option<f64> = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(seconds.unwrap_or(0.0).max(0.0))
    }
}

impl Batch<'_> {
    /// The way of measuring with this command, and this many side by side.
    pub fn setup(&self, command: &str, jobs: u64) -> Result<SetupId, StoreFault> {
        let jobs = jobs.cast_signed();
        let known = self
            .connection
            .prepare_cached("SELECT id FROM setup WHERE command = ?1 AND coalesce(jobs, 0) = ?2")?
            .query_row((command, jobs), |row| row.get(0))
            .optional()?;
        match known {
            Some(id) => Ok(SetupId(id)),
            None => {
                let sql = "INSERT INTO setup (command, jobs) VALUES (?1, ?2)";
                Ok(SetupId(self.connection.prepare_cached(sql)?.insert((command, jobs))?))
            }
        }
    }
}
