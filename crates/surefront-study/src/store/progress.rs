//! How the evidence grew.

use rusqlite::OptionalExtension;
use surefront::Progress;

use super::batch::Batch;
use super::store_error::StoreFault;
use super::view::View;

/// The evidence at one moment of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressRecord {
    /// When.
    pub at: String,
    /// The observations until then.
    pub samples: u64,
    /// What they said.
    pub progress: Progress,
}

impl View<'_> {
    /// The evidence over time.
    pub fn progress(&self) -> Result<Vec<ProgressRecord>, StoreFault> {
        let mut statement =
            self.connection.prepare_cached("SELECT at, samples, evidence, threshold FROM progress ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            Ok(ProgressRecord {
                at: row.get(0)?,
                samples: row.get::<_, i64>(1)?.unsigned_abs(),
                progress: Progress::new(row.get(2)?, row.get(3)?),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Batch<'_> {
    /// Records the evidence, unless there were hardly more samples since the last time: a record for each per cent is plenty.
    pub fn record_progress(&self, samples: u64, progress: Progress) -> Result<(), StoreFault> {
        let Progress { evidence, threshold, .. } = progress;
        if !(evidence.is_finite() && threshold.is_finite()) {
            return Ok(());
        }
        let last = self
            .connection
            .prepare_cached("SELECT samples, evidence >= threshold FROM progress ORDER BY id DESC LIMIT 1")?
            .query_row([], |row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get::<_, bool>(1)?)))
            .optional()?;
        if let Some((before, sufficed)) = last
            && (before..=before + before / 100).contains(&samples)
            && (samples == before || sufficed == progress.suffices())
        {
            return Ok(());
        }
        self.connection
            .prepare_cached("INSERT INTO progress (samples, evidence, threshold) VALUES (?1, ?2, ?3)")?
            .execute((samples as i64, evidence, threshold))?;
        Ok(())
    }
}
