//! One thing that is measured of every arm, and what is wanted of it.

use super::noise::Noise;
use crate::limit::{Limits, Role};
use crate::margin::Margin;
use crate::statistic::Statistic;

/// Whether more or less of an objective is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Larger values are better.
    Max,
    /// Smaller values are better.
    Min,
}

/// One thing that is measured of every arm.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Objective {
    /// The name, unique among the objectives.
    pub name: String,
    /// Whether more or less is better.
    pub goal: Goal,
    /// The noise of one observation, for every arm that does not say otherwise. Where a quantile is compared, no conclusion rests on it: a variance is
    /// only what simulated observations are drawn with.
    pub noise: Noise,
    /// What of an arm's values is compared.
    pub statistic: Statistic,
    /// The largest difference that does not matter.
    pub margin: Margin,
    /// What it has to be for an arm to be wanted at all.
    pub limits: Limits,
    /// Whether it is optimised, or only has to keep its limits. If so, the goal says nothing.
    pub role: Role,
}

impl Objective {
    /// An objective of this name, of which means are compared.
    pub fn new(name: impl Into<String>, goal: Goal, noise: Noise) -> Self {
        Objective {
            name: name.into(),
            goal,
            noise,
            statistic: Statistic::Mean,
            margin: Margin::NONE,
            limits: Limits::default(),
            role: Role::Optimised,
        }
    }

    /// Something of this name that is not optimised, but has to keep limits.
    pub fn limited(name: impl Into<String>, noise: Noise) -> Self {
        Objective { role: Role::Limited, ..Objective::new(name, Goal::Min, noise) }
    }

    /// The same objective; arms whose mean is below this are not wanted.
    #[must_use]
    pub fn with_at_least(self, least: f64) -> Self {
        Objective { limits: Limits { at_least: Some(least), ..self.limits }, ..self }
    }

    /// The same objective; arms whose mean is above this are not wanted.
    #[must_use]
    pub fn with_at_most(self, most: f64) -> Self {
        Objective { limits: Limits { at_most: Some(most), ..self.limits }, ..self }
    }

    /// Whether it is measured for its limits alone.
    pub fn is_only_limited(&self) -> bool {
        self.role == Role::Limited
    }

    /// The same objective, of which something else is compared.
    ///
    /// ```
    /// use surefront::{Arm, Goal, Noise, Objective, Problem, Statistic};
    ///
    /// let time = Objective::new("milliseconds", Goal::Min, Noise::Any).with_statistic(Statistic::MEDIAN);
    /// let problem = Problem::new(vec![time], vec![Arm::named("a"), Arm::named("b")])?;
    /// assert_eq!(problem.quantile(0).unwrap().level(), 0.5);
    /// # Ok::<(), surefront::ProblemError>(())
    /// ```
    #[must_use]
    pub fn with_statistic(self, statistic: Statistic) -> Self {
        Objective { statistic, ..self }
    }

    /// The same objective, in which differences up to this do not matter.
    #[must_use]
    pub fn with_margin(self, margin: Margin) -> Self {
        Objective { margin, ..self }
    }
}
