//! Why a study cannot be made, or not do what it is told.

use thiserror::Error;

use crate::family::Family;
use crate::problem::NoOracle;
use crate::rule::RuleSizeError;
use crate::stopping::StoppingKind;
use crate::tally::ResumeError;

/// Why a study cannot be made, or not do what it is told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// Observations, or a saved study, of another problem.
    #[error(transparent)]
    Size(#[from] ResumeError),
    /// A rule of another problem.
    #[error(transparent)]
    Rule(#[from] RuleSizeError),
    /// The stopping rule says nothing about quantiles.
    #[error(
        "the threshold \"{}\" is for means, but \"{objective}\" is compared by its {statistic}: use \"certified\"",
        .stopping.name()
    )]
    StoppingForMeans {
        /// The stopping rule.
        stopping: StoppingKind,
        /// The first objective that it is not for.
        objective: String,
        /// What it compares.
        statistic: String,
    },
    /// The rule says nothing about quantiles.
    #[error(
        "the rule \"{rule}\" is for means, but \"{objective}\" is compared by its {statistic}: use \"weakest\", or \"uniform\""
    )]
    RuleForMeans {
        /// The rule's name.
        rule: &'static str,
        /// The first objective that it is not for.
        objective: String,
        /// What it compares.
        statistic: String,
    },
    /// The rule takes all measurements to cost the same.
    #[error(
        "the rule \"{rule}\" takes every measurement to cost the same: use \"dual\" or \"weakest\", or leave out the costs"
    )]
    RuleForOneCost {
        /// The rule's name.
        rule: &'static str,
    },
    /// The rule knows of no limits.
    #[error("the rule \"{rule}\" knows of no limits: use \"dual\" or \"weakest\", or leave out the limits")]
    RuleForNoLimits {
        /// The rule's name.
        rule: &'static str,
    },
    /// Rule or threshold rests on the closest alternative, which is not known.
    #[error(transparent)]
    NoOracle(#[from] NoOracle),
    /// A cost that is none.
    #[error("the cost of arm number {number} is {value}: it must be above 0")]
    BadCost {
        /// The arm's place in the list, from 1.
        number: usize,
        /// What was given.
        value: String,
    },
    /// There is not one cost per arm.
    #[error("there are {found} costs, but {expected} arms: give one for each arm")]
    CostCount {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Observations, or a saved study, with values that the noise cannot have.
    #[error(
        "the observations of arm \"{arm}\" in objective \"{objective}\" are not those of {} noise: their mean would be {}",
        .family.name(),
        .family.means()
    )]
    OtherNoise {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// The noise of the objective.
        family: Family,
    },
    /// Observations, or a saved study, with values that are outside the range.
    #[error(
        "the observations of arm \"{arm}\" in objective \"{objective}\" are not within its range: their mean is not"
    )]
    OtherRange {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
    },
    /// There is no arm of this index.
    #[error("there is no arm number {number}: there are {arms}")]
    UnknownArm {
        /// The arm asked for, from 1.
        number: usize,
        /// How many there are.
        arms: usize,
    },
    /// No arm would be left.
    #[error("arm \"{arm}\" is the last one that takes part: a study needs at least one")]
    LastArm {
        /// Its name.
        arm: String,
    },
}
