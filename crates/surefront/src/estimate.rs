//! Variances that nobody knows in advance, from the observations.
//!
//! A few observations of an arm may happen to lie close together, and an estimate from them alone would make a stylized study sure of
//! anything. So there an arm's own variance is drawn up towards what the other arms show, and then enlarged as the stopping rule asks for. A
//! certified stop rests on no estimate, only the choice of arms does; there an arm's estimate is its own, so that an observation
//! changes one arm's alone.

use crate::coarseness::Coarseness;
use crate::problem::{LARGEST, Noise, Problem};
use crate::spread::Spread;
use crate::stopping::{FIRST_LOOKS, Stopping, StoppingRule};
use crate::tally::Tally;

/// How many values a doubling of a variance that arms share is rounded to: while the rounded one stays, no claim need be looked at again.
const ROUNDED: f64 = 8.0;

/// Estimates every unknown variance anew, with what all arms say together.
pub(crate) fn refresh(problem: &mut Problem, tally: &Tally, stopping: &Stopping) {
    for j in 0..problem.objective_count() {
        let pooled = pooled(problem, tally, j);
        for arm in 0..problem.arm_count() {
            if problem.noise(arm, j).is_estimated() {
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

/// The variance around the arms' own means, where it is unknown; not a number as long as nothing is known of it.
fn pooled(problem: &Problem, tally: &Tally, objective: usize) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, objective).is_estimated()) {
        if let Some(own) = tally.variance(arm, objective) {
            let n = tally.counts()[arm];
            squares += (n - 1.0) * own;
            freedom += n - 1.0;
        }
    }
    squares / freedom
}

/// Which estimates an observation changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of the arm observed.
    Arm,
    /// Those of other arms as well.
    All,
}

/// The estimates for a certified stop, arm by arm, and what is too coarse for them; a function of the tally.
#[derive(Clone, Debug)]
pub(crate) struct OwnEstimates {
    coarseness: Coarseness,
}

impl OwnEstimates {
    pub fn new(problem: &mut Problem, tally: &Tally, stopping: &Stopping) -> Self {
        let estimates = OwnEstimates { coarseness: Coarseness::new(problem, tally) };
        for j in 0..problem.objective_count() {
            problem.set_coarse_range(j, estimates.coarse_range(problem, tally, j));
        }
        (0..problem.arm_count()).for_each(|arm| estimate(problem, tally, stopping, arm));
        estimates
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &mut Problem, tally: &Tally, stopping: &Stopping, arm: usize) -> Reach {
        self.coarseness.follow(problem, tally, arm);
        let mut reach = Reach::Arm;
        for j in 0..problem.objective_count() {
            let range = self.coarse_range(problem, tally, j);
            if range != problem.coarse_range(j) {
                problem.set_coarse_range(j, range);
                reach = Reach::All;
            }
        }
        let shared = |problem: &Problem| -> Vec<f64> { problem.precision(arm).to_vec() };
        let before = shared(problem);
        estimate(problem, tally, stopping, arm);
        let changed = |problem: &Problem, j: usize| before[j] != problem.precision(arm)[j];
        if (0..problem.objective_count()).any(|j| problem.noise(arm, j) == Noise::Common && changed(problem, j)) {
            reach = Reach::All;
        }
        if reach == Reach::All {
            (0..problem.arm_count()).for_each(|arm| estimate(problem, tally, stopping, arm));
        }
        reach
    }

    fn coarse_range(&self, problem: &Problem, tally: &Tally, objective: usize) -> Option<f64> {
        self.coarseness.range(objective, || pooled(problem, tally, objective))
    }
}

/// Estimates the unknown variances of an arm.
fn estimate(problem: &mut Problem, tally: &Tally, stopping: &Stopping, arm: usize) {
    let count = tally.counts()[arm];
    for j in 0..problem.objective_count() {
        let noise = problem.noise(arm, j);
        if !noise.is_estimated() {
            continue;
        }
        let variance = match (problem.coarse_range(j), tally.variance(arm, j)) {
            (Some(range), _) if range > 0.0 => 0.25 * range * range,
            (None, Some(own)) if count >= FIRST_LOOKS => {
                if noise == Noise::Common {
                    rounded(pooled(problem, tally, j))
                } else {
                    let spread = Spread { own, freedom: count - 1.0, pooled: own };
                    stopping.cautious_variance(problem, tally, &spread)
                }
            }
            _ => LARGEST,
        };
        problem.estimate(arm, j, variance);
    }
}

/// No more than the variance, and nearly as much: a proof is not thought to be less than it is.
fn rounded(variance: f64) -> f64 {
    ((variance.log2() * ROUNDED).floor() / ROUNDED).exp2()
}
