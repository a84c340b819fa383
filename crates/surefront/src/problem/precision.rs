//! 1 / variance by arm and objective: as given, as estimated so far, or as good as none.

use super::noise::Noise;
use super::problem_error::ProblemError;
use super::{LARGEST, Problem};
use crate::range::Range;
use crate::statistic::{Quantile, Statistic};

impl Problem {
    /// Takes a variance of unknown noise to be this, as far as numbers go.
    pub(crate) fn estimate(&mut self, arm: usize, objective: usize, variance: f64) {
        debug_assert!(self.noise(arm, objective).is_estimated());
        if let Some(gate) = &mut self.gate {
            gate.estimate(arm, objective, variance);
            if gate.layout().is_idle(objective) {
                return;
            }
        }
        let cell = arm * self.objectives.len() + objective;
        self.precision[cell] = 1.0 / variance.clamp(1.0 / LARGEST, LARGEST);
        if let (Some(raised), Some(raises)) = (&mut self.raised_precision, &self.raises) {
            raised[cell] = raises[objective].precision(self.precision[cell]);
        }
    }

    /// How far the values of an objective of unknown variance reach, where they are too coarse to be taken for Gaussian.
    pub(crate) fn coarse_range(&self, objective: usize) -> Option<f64> {
        self.coarse[objective]
    }

    /// Takes the values of an objective to be coarse, or not.
    pub(crate) fn set_coarse_range(&mut self, objective: usize, range: Option<f64>) {
        if let Some(gate) = &mut self.gate {
            gate.set_coarse_range(objective, range);
        }
        self.coarse[objective] = range;
    }

    /// 1 / variance of each objective of `arm`, and of a quantile, that of Gaussian values with the variance that was given; infinite where there is no noise and for what is only limited, the present estimate where it is unknown. One where the
    /// variance comes with the mean ([`Problem::family`]).
    ///
    /// # Panics
    /// When there is no such arm.
    pub fn precision(&self, arm: usize) -> &[f64] {
        let d = self.objectives.len();
        &self.precision[arm * d..(arm + 1) * d]
    }

    /// What [`Problem::precision`] gives, of all arms, row by row.
    #[inline]
    pub(crate) fn precisions(&self) -> &[f64] {
        &self.precision
    }

    /// 1 / variance of one observation of `arm` in an objective, as [`Problem::precision`] has it, also of one that is only limited.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    #[inline(always)]
    pub fn precision_in(&self, arm: usize, objective: usize) -> f64 {
        match &self.gate {
            Some(gate) if gate.layout().is_idle(objective) => gate.precision_of_idle(arm, objective),
            _ => self.precision(arm)[objective],
        }
    }
}

/// Of a quantile of Gaussian values, that of as many of its sample quantiles: what many observations come to.
pub(super) fn precision(
    noise: Noise,
    statistic: Statistic,
    place: impl FnOnce() -> String,
) -> Result<f64, ProblemError> {
    let loss = statistic.quantile().map_or(1.0, Quantile::gaussian_loss);
    match noise {
        Noise::Exact => Ok(f64::INFINITY),
        Noise::Unknown | Noise::Common | Noise::Any => Ok(1.0 / LARGEST),
        Noise::Bernoulli | Noise::Poisson | Noise::Exponential => Ok(1.0),
        // Whatever the mean, there is no more of it.
        Noise::Bounded { low, high } => {
            let range = Range { low, high };
            if !range.is_valid() {
                return Err(ProblemError::BadRange { place: place(), range });
            }
            Ok(1.0 / (0.25 * range.width() * range.width()).clamp(1.0 / LARGEST, LARGEST))
        }
        // Written so that NaN fails.
        Noise::Variance(v) if (1.0 / LARGEST..=LARGEST).contains(&v) => Ok(1.0 / (v * loss)),
        Noise::Variance(value) => Err(ProblemError::BadVariance { place: place(), value }),
    }
}
