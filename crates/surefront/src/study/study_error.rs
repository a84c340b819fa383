//! Why a study cannot be made, or not do what it is told.

use thiserror::Error;

use crate::family::Family;
use crate::rule::RuleSizeError;
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
