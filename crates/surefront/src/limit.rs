//! Limits: what a mean must at least, or at most, be for an arm to be wanted at all.
//!
//! An arm is *feasible* if it keeps all limits, and the answer is the front of the feasible arms. Each limit is a reading of its own, turned so that more of it is more
//! feasible, and all limits together are an arm without noise that stands exactly at them: the *post*. To be feasible is to cover the post. So whatever is known of
//! telling two arms apart, tells an arm from its limits.

use crate::family::Family;
use crate::range::Range;

/// What a mean must at least be, and at most.
///
/// ```
/// use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem};
///
/// let gain = Objective::new("gain", Goal::Max, Noise::Variance(1.0));
/// let time = Objective::new("milliseconds", Goal::Min, Noise::Variance(9.0)).with_at_most(200.0);
/// let errors = Objective::limited("error rate", Noise::Bernoulli).with_at_most(0.01);
/// let problem = Problem::new(vec![gain, time, errors], ["a", "b", "c"].map(Arm::named).to_vec())?;
/// // b is too slow and c fails too often, however much they gain.
/// let model = Model::new(&problem, &[[1.0, 150.0, 0.001], [9.0, 240.0, 0.001], [9.0, 120.0, 0.02]])?;
/// assert_eq!(Front::of(&model).members(), [0]);
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// The least it may be.
    pub at_least: Option<f64>,
    /// The most it may be.
    pub at_most: Option<f64>,
}

/// What an objective is measured for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// More, or less, of it is better.
    #[default]
    Optimised,
    /// It has to keep its limits, and that is all.
    Limited,
}

impl Limits {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Limits::default()
    }

    /// The numbers that are given, the least first.
    pub fn ends(self) -> impl Iterator<Item = (End, f64)> {
        [(End::Least, self.at_least), (End::Most, self.at_most)]
            .into_iter()
            .filter_map(|(end, value)| value.map(|value| (end, value)))
    }

    /// The number that a mean is beyond, if it is.
    pub fn broken_by(self, mean: f64) -> Option<(End, f64)> {
        self.ends().find(|&(end, value)| match end {
            End::Least => mean < value,
            End::Most => mean > value,
        })
    }
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A mean must not be below it.
    Least,
    /// A mean must not be above it.
    Most,
}

/// Whether a mean of this noise can be at a number.
pub(crate) fn can_be(family: Family, range: Option<Range>, value: f64) -> bool {
    family.takes_mean(value) && range.is_none_or(|range| range.holds(value))
}

/// The place of the post among the arms of a [`Layout`]; those of the problem come after it, in their order.
pub(crate) const POST: usize = 0;

/// The arm of a problem as it is found after the post.
#[inline]
pub(crate) fn behind_post(arm: usize) -> usize {
    arm + 1
}

/// Which objectives are limited, and where: the limits in their order, and where the post stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// By limit: the objective, and 1 where more of it, as the objective is turned, is more feasible, otherwise −1.
    pub limits: Vec<(usize, f64)>,
    /// The objectives that are measured for their limits alone.
    pub idle: Vec<usize>,
    /// By limit: the number itself, turned so that more is more feasible.
    pub post: Vec<f64>,
}

impl Layout {
    /// Whether an objective is measured for its limits alone.
    #[inline]
    pub fn is_idle(&self, objective: usize) -> bool {
        self.idle.contains(&objective)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_at_a_limit_keeps_it() {
        let limits = Limits { at_least: Some(1.0), at_most: Some(2.0) };
        assert_eq!(limits.broken_by(1.0), None);
        assert_eq!(limits.broken_by(2.0), None);
        assert_eq!(limits.broken_by(0.9), Some((End::Least, 1.0)));
        assert_eq!(limits.broken_by(2.1), Some((End::Most, 2.0)));
        assert!(Limits::default().is_none() && Limits::default().broken_by(5.0).is_none());
    }
}
