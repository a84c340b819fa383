//! How a study is measured.

use std::num::NonZero;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::interrupt::Interrupt;
use super::round::{Limits, OnFailure};
use super::runner::RunnerOptions;
use crate::file::study::{ArmCommand, StudyFile};
use crate::session::Wishes;

/// How a study is measured. By default one command at a time, for as long as it takes, until there is an answer or one fails.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// How the study goes on: what is not said is as before.
    pub wishes: Wishes,
    /// Commands side by side.
    pub jobs: Jobs,
    /// Commands that take longer are ended.
    pub timeout: Option<Duration>,
    /// Runs of a command before its arm's first measurement.
    pub warm_ups: u64,
    /// What runs before each command; otherwise it is what the study file says.
    pub prepare: Option<ArmCommand>,
    /// The most observations in the study, those of earlier runs included.
    pub max_samples: Option<u64>,
    /// The most that the observations in the study may cost, those of earlier runs included: no more begin once that is spent. Where nothing is said of costs, each
    /// costs one; where they are measured, a second costs one.
    pub max_cost: Option<f64>,
    /// No more measurements begin after this time.
    pub until: Option<Instant>,
    /// How long results wait for an earlier ticket of others before it is given up; if nothing is said, as before.
    pub patience: Option<Duration>,
    /// What to do when an arm cannot be measured.
    pub on_failure: OnFailure,
    /// What to do about arms that an earlier run left out.
    pub left_out: LeftOut,
}

impl RunOptions {
    pub(super) fn runner(&self, file: &StudyFile) -> RunnerOptions {
        RunnerOptions { timeout: self.timeout, prepare: self.prepare.clone().or_else(|| file.prepare().cloned()) }
    }

    pub(super) fn limits(&self, interrupt: &Interrupt) -> Limits {
        Limits {
            samples: self.max_samples,
            cost: self.max_cost,
            until: self.until,
            interrupt: interrupt.clone(),
            on_failure: self.on_failure,
            jobs: self.jobs.get(),
            warm_ups: self.warm_ups,
        }
    }
}

/// What to do about arms that were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// They stay out.
    #[default]
    StayOut,
    /// They are taken in again.
    TakeIn,
}

/// How many commands run side by side: one or more, and not so many that there could not be a thread for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs(NonZero<usize>);

impl Jobs {
    /// The most there can be.
    pub const MOST: usize = 1024;

    /// The number.
    pub fn get(self) -> usize {
        self.0.get()
    }
}

/// One at a time: nothing disturbs a measurement of time.
impl Default for Jobs {
    fn default() -> Self {
        Jobs(NonZero::<usize>::MIN)
    }
}

/// No such number of commands side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} commands cannot run side by side: choose a number from 1 to {most}", most = Jobs::MOST)]
pub struct JobsError(pub usize);

impl TryFrom<usize> for Jobs {
    type Error = JobsError;

    fn try_from(count: usize) -> Result<Self, JobsError> {
        NonZero::new(count).filter(|count| count.get() <= Jobs::MOST).map(Jobs).ok_or(JobsError(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_some_and_not_too_many() {
        assert_eq!(Jobs::default().get(), 1);
        assert_eq!(Jobs::try_from(1024).map(Jobs::get), Ok(1024));
        assert_eq!(Jobs::try_from(0), Err(JobsError(0)));
        let sentence = Jobs::try_from(1025).unwrap_err().to_string();
        assert_eq!(sentence, "1025 commands cannot run side by side: choose a number from 1 to 1024");
    }
}
