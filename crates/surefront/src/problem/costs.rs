//! What measurements cost: as given, or as measured so far.

use super::Problem;
use crate::costs::{Costs, is_cost};

impl Problem {
    /// The same problem, in which a study learns what the measurements cost ([`Study::set_costs`](crate::Study::set_costs)); until then, one.
    #[must_use]
    pub fn with_measured_costs(self) -> Self {
        Problem { costs: Costs::Measured(vec![1.0; self.arms.len()]), ..self }
    }

    /// What one measurement of `arm` costs: as given, or as measured so far; one where nothing was said.
    ///
    /// # Panics
    /// When there is no such arm.
    #[inline]
    pub fn cost(&self, arm: usize) -> f64 {
        self.costs.of(arm)
    }

    /// What so many measurements of each arm cost; where nothing was said, their number.
    pub fn total_cost(&self, counts: &[f64]) -> f64 {
        counts.iter().enumerate().map(|(arm, count)| self.cost(arm) * count).sum()
    }

    /// Whether something was said of costs.
    pub fn has_costs(&self) -> bool {
        self.costs.by_arm().is_some()
    }

    /// Whether the costs are what measuring shows them to be.
    pub fn measures_costs(&self) -> bool {
        matches!(self.costs, Costs::Measured(_))
    }

    /// What a measurement costs, by arm; `None` where all cost one.
    #[inline]
    pub(crate) fn costs(&self) -> Option<&[f64]> {
        self.costs.by_arm()
    }

    /// Takes measurements to cost this; checked.
    pub(crate) fn set_costs(&mut self, costs: Vec<f64>) {
        debug_assert!(costs.len() == self.arms.len() && costs.iter().copied().all(is_cost));
        self.costs = Costs::Measured(costs);
    }
}
