//! How the study was run last: what was typed then need not be typed again.

use surefront::Memory;

use super::batch::Batch;
use super::edit::{self, EditOf};
use super::store_error::StoreFault;
use super::view::View;

/// What was chosen last, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastSettings {
    /// The accepted chance of a wrong answer; none if the study file has another one by now.
    pub delta: Option<f64>,
    /// Which arm next.
    pub rule: Option<String>,
    /// When to stop.
    pub threshold: Option<String>,
    /// The start of the random numbers.
    pub seed: Option<u64>,
}

impl View<'_> {
    /// What was chosen last.
    pub fn last_settings(&self) -> Result<LastSettings, StoreFault> {
        Ok(LastSettings {
            delta: self.meta("delta")?.and_then(|text| text.parse().ok()),
            rule: self.meta("rule")?,
            threshold: self.meta("threshold")?,
            seed: self.meta("seed")?.and_then(|text| text.parse().ok()),
        })
    }

    /// Where the rule and its random numbers are. None at first, after a change of the arms, and if another release left something
    /// that this one cannot read: then they begin afresh, which changes which arm is asked for but nothing that is known.
    pub fn memory(&self) -> Result<Option<Memory>, StoreFault> {
        Ok(self.meta("memory")?.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

impl Batch<'_> {
    /// Keeps what was chosen.
    pub fn keep_settings(&self, settings: &LastSettings) -> Result<(), StoreFault> {
        let LastSettings { delta, rule, threshold, seed } = settings;
        let entries = [
            ("delta", delta.map(|delta| delta.to_string())),
            ("rule", rule.clone()),
            ("threshold", threshold.clone()),
            ("seed", seed.map(|seed| seed.to_string())),
        ];
        for (key, value) in entries {
            if let Some(value) = value
                && self.meta(key)?.as_ref() != Some(&value)
            {
                if key == "delta"
                    && let Some(before) = self.meta("delta")?.or(self.meta("file_delta")?)
                    && before != value
                {
                    edit::record(self.connection, EditOf::Delta, "", &before)?;
                }
                self.set_meta(key, &value)?;
            }
        }
        Ok(())
    }

    /// Forgets where the rule and its random numbers are: both begin afresh.
    pub fn forget(&self) -> Result<(), StoreFault> {
        self.connection.prepare_cached("DELETE FROM meta WHERE key = 'memory'")?.execute([])?;
        Ok(())
    }

    /// Keeps where the rule and its random numbers are.
    pub fn remember(&self, memory: &Memory) -> Result<(), StoreFault> {
        let text = serde_json::to_string(memory).expect("a memory is plain data");
        Ok(self.set_meta("memory", &text)?)
    }
}
