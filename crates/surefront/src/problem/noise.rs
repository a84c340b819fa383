//! How far observations stray from what is measured.

use crate::family::Family;
use crate::range::Range;

/// How far one observation strays from the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Noise {
    /// Gaussian with this variance, known in advance.
    Variance(f64),
    /// No noise at all: one observation gives the mean, and no alternative can move it.
    Exact,
    /// Gaussian with a variance that only the observations can tell. A [`Study`](crate::Study) estimates it as it goes; until
    /// then, and wherever nobody estimates it, an observation is taken to say next to nothing.
    Unknown,
    /// As [`Noise::Unknown`], but the variance of the objective is the same for all arms of which this is said: all of them tell of it.
    Common,
    /// Every observation is 0 or 1; the mean is the rate of ones.
    Bernoulli,
    /// Every observation is a count of events.
    Poisson,
    /// Every observation is a time, or another positive number, that is exponentially distributed.
    Exponential,
    /// No observation is below the one or above the other number; nothing else is known.
    Bounded {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// Of any law at all: where a quantile is compared, nothing need be known of it.
    Any,
}

impl Noise {
    /// The variance of one observation: zero without noise, `None` where only the observations can tell, or where it comes with the mean.
    pub fn variance(self) -> Option<f64> {
        match self {
            Noise::Variance(variance) => Some(variance),
            Noise::Exact => Some(0.0),
            _ => None,
        }
    }

    /// The family it is of, or as which its costs are taken; `None` without noise, or where it may be any.
    pub fn family(self) -> Option<Family> {
        match self {
            Noise::Variance(_) | Noise::Unknown | Noise::Common | Noise::Bounded { .. } => Some(Family::Gaussian),
            Noise::Bernoulli => Some(Family::Bernoulli),
            Noise::Poisson => Some(Family::Poisson),
            Noise::Exponential => Some(Family::Exponential),
            Noise::Exact | Noise::Any => None,
        }
    }

    /// Whether only the observations can tell the variance.
    pub fn is_estimated(self) -> bool {
        matches!(self, Noise::Unknown | Noise::Common | Noise::Bounded { .. })
    }

    /// Whether it is Gaussian with a variance that nobody gave.
    pub fn is_unknown(self) -> bool {
        matches!(self, Noise::Unknown | Noise::Common)
    }

    /// Where its values are, if that is all that is known.
    pub fn range(self) -> Option<Range> {
        match self {
            Noise::Bounded { low, high } => Some(Range { low, high }),
            _ => None,
        }
    }
}
