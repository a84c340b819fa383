//! What an observation may be, and why one is refused.

use thiserror::Error;

use crate::family::Family;
use crate::problem::Problem;
use crate::range::Range;
use crate::reading::Reading;

/// Why an observation was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ObservationError {
    /// There is no arm of this index.
    #[error("there is no arm number {number}: there are {arms}")]
    UnknownArm {
        /// The arm asked for, from 1.
        number: usize,
        /// How many there are.
        arms: usize,
    },
    /// There is not one value per objective.
    #[error(
        "an observation of arm \"{arm}\" has {found} values, but there are {expected} objectives: give one for each"
    )]
    WrongArity {
        /// The arm's name.
        arm: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A value is not a number, infinite, or too large to compute with.
    #[error(
        "an observation of arm \"{arm}\" has the value {value:e} in objective \"{objective}\": give a finite number, at most 1e75 in size"
    )]
    BadValue {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
    },
    /// A value that is only known to be more than something, where means are compared.
    #[error(
        "an observation of arm \"{arm}\" has the value {reading} in objective \"{objective}\": there is no mean of such values; give a number, or compare a quantile, such as the median, which can bear it"
    )]
    MoreThan {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        reading: Reading,
    },
    /// A value that the noise of the objective cannot have.
    #[error(
        "an observation of arm \"{arm}\" has the value {value} in objective \"{objective}\", but its noise is {family}: give {values}",
        family = .family.name(),
        values = .family.values()
    )]
    OutsideFamily {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
        /// The noise of the objective.
        family: Family,
    },
    /// A value that is outside the range of the objective.
    #[error(
        "an observation of arm \"{arm}\" has the value {value} in objective \"{objective}\", which ranges from {} to {}: give a number within, or another range",
        .range.low,
        .range.high
    )]
    OutsideRange {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
        /// The range of the objective.
        range: Range,
    },
    /// A mean and a standard deviation, where these do not say enough.
    #[error(
        "of arm \"{arm}\" only means, standard deviations and counts are given, which say too little of objective \"{objective}\": give the single values"
    )]
    OnlySummary {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
    },
    /// Two observations differ where there should be no noise.
    #[error(
        "arm \"{arm}\" was {known} in objective \"{objective}\" and is {value} now, but the objective is said to be without noise: give it a variance"
    )]
    NotExact {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was observed before.
        known: f64,
        /// What was given.
        value: f64,
    },
}

impl Problem {
    /// Whether this can be an observation of `arm`, in the objectives' own units. `known` is what an objective was observed to be
    /// before, if the arm was: where there is no noise, it must be that again.
    ///
    /// # Errors
    /// When the arm is unknown, or the values are not one finite number per objective, or no values that its noise can have, or they contradict an objective
    /// without noise.
    pub fn check_observation(
        &self,
        arm: usize,
        values: &[f64],
        known: impl Fn(usize) -> Option<f64>,
    ) -> Result<(), ObservationError> {
        let Some(named) = self.arms().get(arm) else {
            return Err(ObservationError::UnknownArm { number: arm + 1, arms: self.arm_count() });
        };
        if values.len() != self.objective_count() {
            return Err(ObservationError::WrongArity {
                arm: named.name.clone(),
                found: values.len(),
                expected: self.objective_count(),
            });
        }
        for (j, (objective, &value)) in self.objectives().iter().zip(values).enumerate() {
            let reading = Reading::of(value);
            if !reading.is_sound() {
                return Err(ObservationError::BadValue {
                    arm: named.name.clone(),
                    objective: objective.name.clone(),
                    value,
                });
            }
            if objective.statistic.is_mean() && reading != Reading::Value(value) {
                let (arm, objective) = (named.name.clone(), objective.name.clone());
                return Err(ObservationError::MoreThan { arm, objective, reading });
            }
            let family = self.family(j);
            let exact = self.precision_in(arm, j) == f64::INFINITY;
            // What is exact is a mean.
            if !(if exact { family.takes_mean(value) } else { family.takes_value(value) }) {
                let (arm, objective) = (named.name.clone(), objective.name.clone());
                return Err(ObservationError::OutsideFamily { arm, objective, value, family });
            }
            if let Some(range) = self.range(j).filter(|range| !range.holds(value)) {
                let (arm, objective) = (named.name.clone(), objective.name.clone());
                return Err(ObservationError::OutsideRange { arm, objective, value, range });
            }
            if exact
                && let Some(known) = known(j)
                && known != value
            {
                return Err(ObservationError::NotExact {
                    arm: named.name.clone(),
                    objective: objective.name.clone(),
                    known,
                    value,
                });
            }
        }
        Ok(())
    }
}
