//! The observations of a study in the order in which they count: all of them, and those since a lesson was taken.
//!
//! A lesson divides a study in two. What came before it says what to expect; what comes after it is proof, by a standard that was fixed at that
//! moment (docs/certified.md, "Lessons").

use serde::{Deserialize, Serialize};

use crate::observation::ObservationError;
use crate::problem::Problem;
use crate::tally::{ResumeError, SavedTally, Tally};

/// All observations, and how they are divided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seasons {
    all: Tally,
    split: Option<Box<Split>>,
}

/// What a lesson divided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// What was observed before.
    pub early: Tally,
    /// What has been observed since.
    pub fresh: Tally,
    /// The part of the way that seemed to be done.
    pub part: f64,
    /// By arm: whether the standing it had then has been certified by all observations, then or later.
    pub settled: Vec<bool>,
}

/// How much was learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Era {
    /// How many observations were made before the lesson; none before there is one.
    lesson: u64,
    /// How many arms have been certified since.
    settled: usize,
}

/// A division, saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedSplit {
    early: SavedTally,
    fresh: SavedTally,
    part: f64,
    settled: Vec<bool>,
}

impl From<Tally> for Seasons {
    fn from(all: Tally) -> Self {
        Seasons { all, split: None }
    }
}

impl Seasons {
    /// Takes in one observation of `arm`; nothing changes if it is refused.
    pub fn add(&mut self, problem: &Problem, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        self.all.add(problem, arm, values)?;
        if let Some(split) = &mut self.split {
            split.fresh.take_in(problem, arm, values);
        }
        Ok(())
    }

    /// Takes a lesson: from here on, what is observed is proof.
    pub fn learn(&mut self, problem: &Problem, part: f64, settled: Vec<bool>) {
        self.split = Some(Box::new(Split { early: self.all.clone(), fresh: Tally::new(problem), part, settled }));
    }

    /// These arms are certified as well. Whether that is news.
    pub fn settle(&mut self, certified: &[bool]) -> bool {
        let Some(split) = &mut self.split else { return false };
        let before = split.settled.clone();
        split.settled.iter_mut().zip(certified).for_each(|(settled, &certified)| *settled |= certified);
        split.settled != before
    }

    /// All observations.
    pub fn all(&self) -> &Tally {
        &self.all
    }

    /// The observations that are proof: since the lesson, or all.
    pub fn fresh(&self) -> &Tally {
        self.split.as_ref().map_or(&self.all, |split| &split.fresh)
    }

    /// The lesson, if one was taken.
    pub fn split(&self) -> Option<&Split> {
        self.split.as_deref()
    }

    /// What was learned so far.
    pub fn era(&self) -> Era {
        let settled = |split: &Split| split.settled.iter().filter(|&&settled| settled).count();
        self.split().map_or_else(Era::default, |split| Era { lesson: split.early.total(), settled: settled(split) })
    }

    /// The same observations with the margins of another problem.
    pub fn under(&self, problem: &Problem) -> Self {
        let split = |split: &Split| {
            let (early, fresh) = (split.early.under(problem), split.fresh.under(problem));
            Box::new(Split { early, fresh, part: split.part, settled: split.settled.clone() })
        };
        Seasons { all: self.all.under(problem), split: self.split.as_deref().map(split) }
    }

    /// The observations of these arms alone.
    pub fn of_arms(&self, arms: &[usize]) -> Self {
        let part = |split: &Split| {
            let settled = arms.iter().map(|&arm| split.settled[arm]).collect();
            Box::new(Split {
                early: split.early.of_arms(arms),
                fresh: split.fresh.of_arms(arms),
                part: split.part,
                settled,
            })
        };
        Seasons { all: self.all.of_arms(arms), split: self.split.as_deref().map(part) }
    }

    pub fn save_split(&self) -> Option<SavedSplit> {
        self.split().map(|split| SavedSplit {
            early: split.early.save(),
            fresh: split.fresh.save(),
            part: split.part,
            settled: split.settled.clone(),
        })
    }

    pub fn resume(problem: &Problem, all: SavedTally, split: Option<SavedSplit>) -> Result<Self, ResumeError> {
        let all = Tally::resume(problem, all)?;
        let resume = |split: SavedSplit| {
            let (early, fresh) = (Tally::resume(problem, split.early)?, Tally::resume(problem, split.fresh)?);
            let (found, expected) = (split.settled.len(), problem.arm_count());
            if found != expected {
                return Err(ResumeError { found, expected });
            }
            Ok(Box::new(Split { early, fresh, part: split.part, settled: split.settled }))
        };
        Ok(Seasons { all, split: split.map(resume).transpose()? })
    }
}
