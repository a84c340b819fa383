//! How a study is to be run.

use std::num::NonZeroU64;

use serde::{Deserialize, Deserializer, Serialize};

use super::study_error::StudyError;
use crate::needs::Needs;
use crate::problem::Problem;
use crate::rule::{Rule, RuleKind, SamplingRule};
use crate::stopping::{Stopping, StoppingKind};
use crate::watch::Evaluation;

/// How a study is to be run.
///
/// ```
/// # use surefront::{Dual, Rule, Settings, StoppingKind};
/// let settings = Settings::new(Rule::Dual(Dual::default()), StoppingKind::Stylized.stopping(0.05)?).seed(7);
/// assert_eq!(settings.check_every.get(), 1);
/// # Ok::<(), surefront::DeltaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Settings {
    /// Which arm next.
    pub rule: Rule,
    /// When to stop.
    pub stopping: Stopping,
    /// The stop is tested whenever the number of observations is a multiple of this.
    #[serde(deserialize_with = "at_least_one")]
    pub check_every: NonZeroU64,
    /// What the study's random numbers begin with.
    pub seed: u64,
    /// How the closest alternative is found.
    #[serde(default)]
    pub evaluation: Evaluation,
}

impl Settings {
    /// A rule and a stop, which is tested at every observation; the random numbers begin with 1.
    pub fn new(rule: Rule, stopping: Stopping) -> Self {
        Settings { rule, stopping, check_every: NonZeroU64::MIN, seed: 1, evaluation: Evaluation::default() }
    }

    /// What the study's random numbers begin with.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The stop is tested whenever the number of observations is a multiple of this.
    #[must_use]
    pub fn check_every(self, observations: NonZeroU64) -> Self {
        Settings { check_every: observations, ..self }
    }

    /// How the closest alternative is found.
    #[must_use]
    pub fn evaluation(self, evaluation: Evaluation) -> Self {
        Settings { evaluation, ..self }
    }

    /// The cost of the closest alternative is one of means, and so is what rests on it. Rules that are as published know nothing of costs.
    ///
    /// # Errors
    /// When rule or stop rests on it and a quantile is compared or it is not known, or when the rule does not heed that measurements cost differently, or that there are limits.
    pub fn suit(&self, problem: &Problem) -> Result<(), StudyError> {
        let is_as_published = self.rule.kind().is_some_and(RuleKind::is_as_published);
        if problem.has_costs() && is_as_published {
            return Err(StudyError::RuleForOneCost { rule: self.rule.name() });
        }
        if problem.has_limits() && self.rule.kind().is_some_and(|kind| !kind.heeds_limits()) {
            return Err(StudyError::RuleForNoLimits { rule: self.rule.name() });
        }
        let stopping = self.stopping.kind();
        if let Some(missing) = problem.no_oracle()
            && (self.rule.needs() == Needs::Closest
                || self.rule.kind() == Some(RuleKind::TrackAndStop)
                || stopping == StoppingKind::Stylized)
        {
            return Err(missing.into());
        }
        let Some(objective) = problem.objectives().iter().find(|objective| !objective.statistic.is_mean()) else {
            return Ok(());
        };
        let (name, statistic) = (objective.name.clone(), objective.statistic.to_string());
        if stopping != StoppingKind::Certified {
            return Err(StudyError::StoppingForMeans { stopping, objective: name, statistic });
        }
        if self.rule.needs() == Needs::Closest || is_as_published {
            return Err(StudyError::RuleForMeans { rule: self.rule.name(), objective: name, statistic });
        }
        Ok(())
    }
}

/// In studies that version 0.1 saved, zero stands for one.
fn at_least_one<'de, D: Deserializer<'de>>(from: D) -> Result<NonZeroU64, D::Error> {
    Ok(NonZeroU64::new(u64::deserialize(from)?).unwrap_or(NonZeroU64::MIN))
}
