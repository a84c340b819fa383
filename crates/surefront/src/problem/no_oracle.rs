//! Problems of which the closest model with another answer is not known.

use thiserror::Error;

use super::Problem;

/// Why nobody can say what it would cost to change the answer to a problem, and so not by how far it is from being likely either, nor how many observations it must take. It can be proved all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoOracle {
    /// A reading that follows another may break a limit.
    #[error(
        "there are limits and a correlation between readings, and what it would cost to change the answer is not known then: use the threshold \"certified\" with the rule \"weakest\" or \"uniform\", or leave out the correlation"
    )]
    LimitsWithCorrelation,
    /// An arm may become too good to be wanted.
    #[error(
        "objective number {number} has a limit on its better side, and what it would cost to change the answer is not known then: use the threshold \"certified\" with the rule \"weakest\" or \"uniform\", or make it a constraint on a reading of its own",
        number = .objective + 1
    )]
    LimitOnBetterSide {
        /// The objective.
        objective: usize,
    },
}

impl Problem {
    /// Why the closest model with another answer is not known, if it is not.
    pub fn no_oracle(&self) -> Option<NoOracle> {
        let layout = self.limit_layout()?;
        if self.coupling().is_some() || self.estimates_correlation() {
            return Some(NoOracle::LimitsWithCorrelation);
        }
        let against = layout.limits.iter().find(|&&(j, sign)| sign < 0.0 && !layout.is_idle(j));
        against.map(|&(objective, _)| NoOracle::LimitOnBetterSide { objective })
    }
}
