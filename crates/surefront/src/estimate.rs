//! Variances that nobody knows in advance, from the observations.
//!
//! A few observations of an arm may happen to lie close together, and an estimate from them alone would make the study sure of
//! anything. So an arm's own variance is drawn up towards what the other arms show, and then enlarged as the stopping rule asks for.

use crate::problem::{LARGEST, Noise, Problem};
use crate::stopping::StoppingRule;
use crate::tally::Tally;

/// How much the other arms count beside an arm's own observations: as much as this many of them.
const POOLED: f64 = 4.0;

/// What the observations say of one variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The sample variance of the arm's own observations.
    pub own: f64,
    /// Its degrees of freedom: one less than there are observations, at least one.
    pub freedom: f64,
    /// The variance of all arms taken together, each around its own mean.
    pub pooled: f64,
}

impl Spread {
    /// The sample variance, drawn towards the pooled one where that is larger: never down, since an arm may well be noisier than
    /// the others.
    pub fn shrunk(&self) -> f64 {
        let drawn = (POOLED * self.pooled + self.freedom * self.own) / (POOLED + self.freedom);
        drawn.max(self.own)
    }
}

/// Estimates every unknown variance anew.
pub(crate) fn refresh(problem: &mut Problem, tally: &Tally, stopping: &impl StoppingRule) {
    for j in 0..problem.objective_count() {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j) == Noise::Unknown) {
            if let Some(own) = tally.variance(arm, j) {
                let n = tally.counts()[arm];
                squares += (n - 1.0) * own;
                freedom += n - 1.0;
            }
        }
        let pooled = squares / freedom;
        for arm in 0..problem.arm_count() {
            if problem.noise(arm, j) == Noise::Unknown {
                // A single observation says nothing of its noise.
                let variance = tally.variance(arm, j).map_or(LARGEST, |own| {
                    let spread = Spread { own, freedom: tally.counts()[arm] - 1.0, pooled };
                    stopping.cautious_variance(problem, tally, &spread)
                });
                problem.estimate(arm, j, variance);
            }
        }
    }
}
