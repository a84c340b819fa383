//! Rows that did not count.

use std::collections::HashSet;

use serde::Serialize;

use crate::words::plural::counted;
use crate::words::suggestion::listed;

/// What was left out of a table, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Rows without a value where one is needed.
    pub incomplete: u64,
    /// Observations that were taken back, in an export of all.
    pub retracted: u64,
    /// Arms of which no row is left.
    pub arms: Vec<String>,
    #[serde(skip)]
    met: HashSet<Box<[u8]>>,
}

impl LeftOut {
    /// A row of this arm.
    pub(super) fn add(&mut self, arm: &[u8]) {
        self.incomplete += 1;
        if !arm.is_empty() && !self.met.contains(arm) {
            self.met.insert(arm.into());
            self.arms.push(String::from_utf8_lossy(arm).into_owned());
        }
    }

    /// Once all rows were read: only the arms that these are all of.
    pub(super) fn without<'a>(mut self, counted: impl Iterator<Item = &'a str>) -> Self {
        let counted: HashSet<&str> = counted.collect();
        self.arms.retain(|arm| !counted.contains(arm.as_str()));
        self.met = HashSet::new();
        self
    }

    /// All this, in sentences; none if nothing was left out.
    pub fn sentences(&self) -> Vec<String> {
        let rows = |count: u64| counted(count as usize, "row", "rows");
        let was = |count: u64| if count == 1 { "was" } else { "were" };
        let mut sentences = Vec::new();
        if self.incomplete > 0 {
            let has = if self.incomplete == 1 { "a value is missing in it" } else { "a value is missing in each" };
            sentences.push(format!("{} {} left out: {has}.", rows(self.incomplete), was(self.incomplete)));
        }
        if self.retracted > 0 {
            sentences.push(format!("{} {} left out: taken back.", rows(self.retracted), was(self.retracted)));
        }
        if !self.arms.is_empty() {
            let names = listed(self.arms.iter().map(String::as_str));
            sentences.push(format!("The answer says nothing of {names}, of which no row is complete."));
        }
        sentences
    }
}
