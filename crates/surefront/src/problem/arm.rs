//! One of the alternatives.

use std::ops::RangeInclusive;

use super::noise::Noise;
use crate::costs;

/// One of the alternatives that can be measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arm {
    /// The name, unique among the arms.
    pub name: String,
    /// This arm's own noise, one entry per objective; `None` where it is the objectives' noise.
    pub noise: Option<Vec<Noise>>,
    /// What one measurement of it costs, in any unit that is the same for all arms; one, if nothing is said.
    pub cost: f64,
}

impl Arm {
    /// What a cost may be: a number above zero.
    pub const COSTS: RangeInclusive<f64> = costs::POSSIBLE;

    /// An arm with the objectives' noise, of which a measurement costs one.
    pub fn named(name: impl Into<String>) -> Self {
        Arm { name: name.into(), noise: None, cost: 1.0 }
    }

    /// The same arm with noise of its own, one entry per objective; `None` for the objectives' noise.
    #[must_use]
    pub fn with_noise(self, noise: impl Into<Option<Vec<Noise>>>) -> Self {
        Arm { noise: noise.into(), ..self }
    }

    /// The same arm, of which a measurement costs this.
    ///
    /// ```
    /// use surefront::{Arm, Goal, Model, Noise, Objective, Problem, bound};
    ///
    /// let loss = Objective::new("loss", Goal::Min, Noise::Variance(1.0));
    /// let problem = Problem::new(vec![loss], vec![Arm::named("small"), Arm::named("large").with_cost(9.0)])?;
    /// let bound = bound(&problem, &Model::new(&problem, &[[2.0], [1.0]])?, 1e-6)?;
    /// // Three of the small one for one of the large one: T* = 2 (√1 + √9)², not 2 (1 + 9) · 2.
    /// assert!((bound.upper - 32.0).abs() < 1e-3 && (bound.weights[0] - 0.75).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_cost(self, cost: f64) -> Self {
        Arm { cost, ..self }
    }
}
