//! What stopping times are measured against: T*·β, the samples that the best allocation is expected to take.

use surefront::{Bound, DeltaError, Model, Problem, Stylized, bound};
use surefront_study::words::plural::counted;

use super::bracket::Bracket;
use crate::lab_error::LabError;

/// The bound of an instance, at a threshold.
#[derive(Clone, Debug)]
pub struct Yardstick {
    /// T* and w*.
    pub bound: Bound,
    /// The threshold.
    pub stylized: Stylized,
    /// Its δ.
    pub delta: f64,
}

impl Yardstick {
    /// Of the true means.
    ///
    /// # Errors
    /// When the means are not the problem's, a variance is unknown, arms tie, or δ is not between 0 and 1.
    pub fn of(problem: &Problem, truth: &Model, delta: f64) -> Result<Self, LabError> {
        const TOLERANCE: f64 = 1e-6;
        let size = |arms, objectives| {
            format!("{} in {}", counted(arms, "arm", "arms"), counted(objectives, "objective", "objectives"))
        };
        let expected = size(problem.arm_count(), problem.objective_count());
        let found = size(truth.arm_count(), truth.objective_count());
        if found != expected {
            return Err(LabError::OtherSize { what: "means", found, expected });
        }
        let unknown = |j: &usize| (0..problem.arm_count()).any(|arm| problem.noise(arm, *j).is_unknown());
        if let Some(j) = (0..problem.objective_count()).find(unknown) {
            return Err(LabError::UnknownVariance { objective: problem.objectives()[j].name.clone() });
        }
        let bound = bound(problem, truth, TOLERANCE).map_err(|error| LabError::of_bound(error, problem))?;
        Ok(Yardstick::new(bound, delta)?)
    }

    /// Of a bound that is known.
    ///
    /// # Errors
    /// When δ is not between 0 and 1.
    pub fn new(bound: Bound, delta: f64) -> Result<Self, DeltaError> {
        Ok(Yardstick { bound, stylized: Stylized::new(delta)?, delta })
    }

    /// T*, between its certified ends.
    pub fn t_star(&self) -> Bracket {
        Bracket { lower: self.bound.lower, upper: self.bound.upper }
    }

    /// The samples of T*·β, solved for their number, which β depends on.
    pub fn samples_expected(&self) -> f64 {
        self.stylized.samples_expected(self.bound.samples())
    }

    /// What they cost; without costs, their number.
    pub fn cost_expected(&self) -> f64 {
        self.bound.mean_cost * self.samples_expected()
    }

    /// Whether measurements cost differently, so that T* is a cost.
    pub fn counts_costs(&self) -> bool {
        self.bound.mean_cost != 1.0
    }

    /// The ratio of a mean stopping time to T*·β at that time; infinite where T* is zero.
    pub fn ratio(&self, mean: f64) -> f64 {
        self.cost_ratio(mean, mean)
    }

    /// The ratio of a mean cost to T*·β at the mean stopping time; infinite where T* is zero.
    pub fn cost_ratio(&self, cost: f64, samples: f64) -> f64 {
        cost / (self.bound.upper * self.stylized.threshold(samples))
    }
}
