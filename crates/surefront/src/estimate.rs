//! Variances that nobody knows in advance, from the observations.
//!
//! A few observations of an arm may happen to lie close together, and an estimate from them alone would make the study sure of
//! anything. So an arm's own variance is drawn up towards what the other arms show, and then enlarged as the stopping rule asks for.

use crate::problem::{LARGEST, Noise, Problem};
use crate::spread::Spread;
use crate::stopping::{Stopping, StoppingRule};
use crate::tally::Tally;

/// Estimates every unknown variance anew.
pub(crate) fn refresh(problem: &mut Problem, tally: &Tally, stopping: &Stopping) {
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
