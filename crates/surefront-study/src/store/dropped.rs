//! Arms that could not be measured and were left out of the study.

use super::batch::Batch;
use super::schema::NOW;
use super::store_error::StoreFault;
use super::view::View;

/// An arm that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The arm.
    pub arm: usize,
    /// Why.
    pub reason: String,
    /// When.
    pub at: String,
}

impl View<'_> {
    /// The arms that were left out, in the study file's order.
    pub fn dropped(&self) -> Result<Vec<Dropped>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, dropped_reason, dropped_at FROM arm
             WHERE dropped_at IS NOT NULL AND position IS NOT NULL ORDER BY position",
        )?;
        let rows = statement.query_map([], |row| {
            let arm = self.definition.arm_of.get(&row.get(0)?).copied();
            let (reason, at): (Option<String>, _) = (row.get(1)?, row.get(2)?);
            Ok(arm.map(|arm| Dropped { arm, reason: reason.unwrap_or_default(), at }))
        })?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }
}

impl Batch<'_> {
    /// Leaves an arm out from now on.
    pub fn drop_arm(&self, arm: usize, reason: &str) -> Result<(), StoreFault> {
        let sql = format!("UPDATE arm SET dropped_at = {NOW}, dropped_reason = ?2 WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.execute((self.definition.arm_ids[arm], reason))?;
        Ok(())
    }

    /// Takes an arm in again, if it was left out; whether it was.
    pub fn restore_arm(&self, arm: usize) -> Result<bool, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE arm SET dropped_at = NULL, dropped_reason = NULL WHERE id = ?1 AND dropped_at IS NOT NULL",
        )?;
        Ok(statement.execute([self.definition.arm_ids[arm]])? > 0)
    }
}
