//! Measurements that failed, by arm.

use super::store_error::StoreFault;
use super::view::View;

/// The failures of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failures {
    /// The arm.
    pub arm: usize,
    /// How many measurements of it failed.
    pub count: u64,
    /// What was said of the last one.
    pub last: String,
    /// When that was.
    pub at: String,
}

impl View<'_> {
    /// The arms of which measurements failed, in the study file's order. A ticket that was told after all is no failure, and neither
    /// is one whose observation was taken back.
    pub fn failures(&self) -> Result<Vec<Failures>, StoreFault> {
        // Beside max(), SQLite takes the other columns from the row that has it.
        let mut statement = self.connection.prepare_cached(
            "SELECT arm, count(*), note, closed_at, max(closed_at || printf('%020d', id)) FROM ticket
             WHERE status = 'failed' AND id NOT IN
               (SELECT ticket FROM observation WHERE retracted_at IS NOT NULL AND ticket IS NOT NULL)
             GROUP BY arm",
        )?;
        let rows = statement.query_map([], |row| {
            let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) else { return Ok(None) };
            let (count, last): (i64, Option<String>) = (row.get(1)?, row.get(2)?);
            Ok(Some(Failures { arm, count: count.unsigned_abs(), last: last.unwrap_or_default(), at: row.get(3)? }))
        })?;
        let mut failures: Vec<Failures> = rows.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        failures.sort_unstable_by_key(|failures| failures.arm);
        Ok(failures)
    }
}
