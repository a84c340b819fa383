//! Whether the values of an objective of unknown variance are too coarse to be taken for Gaussian.
//!
//! An objective is coarse if values repeat and the standard deviation around the arms' means is less than two steps between values, or if some
//! arm has one value nearly always or few levels. Then nothing is concluded from how little the values vary, only from how far they reach. An arm that has had
//! one value only is no matter of this: nothing is concluded from it ([`Tally::telling`]), and of the others it says nothing, unless they are to share its variance.

use crate::grain::steps_are_coarse;
use crate::problem::{Noise, Problem};
use crate::tally::Tally;

/// What is known of the values of all objectives of unknown variance, kept up to date.
#[derive(Clone, Debug)]
pub(crate) struct Coarseness {
    /// By arm and objective: whether one value is there nearly always, or few are.
    clotted: Vec<bool>,
    objectives: Vec<Values>,
}

#[derive(Clone, Copy, Debug)]
struct Values {
    /// How many arms are clotted.
    clotted: usize,
    repeated: bool,
    /// Whether some arm has had two different values.
    varied: bool,
    /// The least step between different values of an arm.
    step: f64,
    low: f64,
    high: f64,
}

impl Coarseness {
    pub fn new(problem: &Problem, tally: &Tally) -> Self {
        let none = Values {
            clotted: 0,
            repeated: false,
            varied: false,
            step: f64::INFINITY,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        let (arms, d) = (problem.arm_count(), problem.objective_count());
        let mut coarseness = Coarseness { clotted: vec![false; arms * d], objectives: vec![none; d] };
        (0..arms).for_each(|arm| coarseness.follow(problem, tally, arm));
        coarseness
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let d = problem.objective_count();
        for j in (0..d).filter(|&j| problem.noise(arm, j).is_unknown()) {
            let Some(grain) = tally.grain(arm, j) else { continue };
            let (values, known) = (&mut self.objectives[j], &mut self.clotted[arm * d + j]);
            let (count, varies) = (tally.counts()[arm], tally.telling(arm, j) > 1.0);
            let counts = varies || problem.noise(arm, j) == Noise::Common;
            let clotted = counts && (grain.sticks(count) || grain.are_few(count));
            values.clotted = values.clotted + usize::from(clotted) - usize::from(*known);
            *known = clotted;
            values.repeated |= counts && grain.repeated();
            if varies {
                values.varied = true;
                values.step = values.step.min(grain.gap().unwrap_or(f64::INFINITY));
            }
            if let Some((low, high)) = grain.range() {
                (values.low, values.high) = (values.low.min(low), values.high.max(high));
            }
        }
    }

    /// How far the values of an objective reach, if they are coarse; nobody knows while every arm has had one value only. `pooled` is the variance around the arms' means.
    pub fn range(&self, objective: usize, pooled: impl FnOnce() -> f64) -> Option<f64> {
        let values = &self.objectives[objective];
        let coarse = values.clotted > 0 || (values.repeated && steps_are_coarse(values.step, pooled()));
        (coarse && values.varied).then_some(values.high - values.low)
    }
}
