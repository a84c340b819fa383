//! What one measurement of each arm costs, where that is not the same for all.

use std::ops::RangeInclusive;

/// What one measurement of each arm costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Costs {
    /// One, for every arm.
    Alike,
    /// By arm, as given.
    Given(Vec<f64>),
    /// By arm, as measured so far; one before anything is known.
    Measured(Vec<f64>),
}

impl Costs {
    /// As the arms have them; costs have been checked.
    pub fn given(costs: Vec<f64>) -> Self {
        if costs.iter().all(|&cost| cost == 1.0) { Costs::Alike } else { Costs::Given(costs) }
    }

    /// By arm; `None` where all are one.
    #[inline]
    pub fn by_arm(&self) -> Option<&[f64]> {
        match self {
            Costs::Alike => None,
            Costs::Given(costs) | Costs::Measured(costs) => Some(costs),
        }
    }

    /// Of one arm.
    #[inline]
    pub fn of(&self, arm: usize) -> f64 {
        self.by_arm().map_or(1.0, |costs| costs[arm])
    }

    /// Of these arms.
    pub fn of_arms(&self, arms: &[usize]) -> Self {
        let part = |costs: &[f64]| arms.iter().map(|&arm| costs[arm]).collect();
        match self {
            Costs::Alike => Costs::Alike,
            Costs::Given(costs) => Costs::given(part(costs)),
            Costs::Measured(costs) => Costs::Measured(part(costs)),
        }
    }
}

/// What can be computed with: above zero, and of a size that sums and quotients can bear.
pub(crate) const POSSIBLE: RangeInclusive<f64> = 1e-75..=1e75;

/// Whether it is one of these; NaN is not.
pub(crate) fn is_cost(cost: f64) -> bool {
    POSSIBLE.contains(&cost)
}
