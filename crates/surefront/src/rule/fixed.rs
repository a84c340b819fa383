//! A given allocation, such as the optimal one for the true means.
//!
//! The optimal allocation is what evidence grows fastest under in the long run. At an ordinary δ it is no ideal: arms with a
//! tiny share are so poorly known when the others are done that the estimates, not the evidence, hold up the stop.

use serde::{Deserialize, Serialize};

use super::{Round, SamplingRule};
use crate::weights::Weights;

/// Measures the arm that lags furthest behind its share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fixed {
    shares: Vec<f64>,
}

impl Fixed {
    /// Follows this allocation.
    pub fn new(allocation: &Weights) -> Self {
        let total: f64 = allocation.iter().sum();
        Fixed { shares: allocation.iter().map(|w| w / total).collect() }
    }

    pub(super) fn arm_count(&self) -> usize {
        self.shares.len()
    }

    /// The shares of these arms among themselves; the same for each if they have none.
    pub(super) fn afresh(&self, arms: &[usize]) -> Self {
        let shares: Vec<f64> = arms.iter().map(|&arm| self.shares[arm]).collect();
        let total: f64 = shares.iter().sum();
        let share = |share: f64| if total > 0.0 { share / total } else { 1.0 / arms.len() as f64 };
        Fixed { shares: shares.into_iter().map(share).collect() }
    }
}

impl SamplingRule for Fixed {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let time = round.time() as f64;
        round.furthest_behind(|arm| time * self.shares[arm])
    }
}
