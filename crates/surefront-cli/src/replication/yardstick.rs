//! What stopping times are measured against: T*·β, the samples that the best allocation is expected to take.

use surefront::{Bound, Model, Problem, Stylized, bound};

use super::report::Bracket;
use crate::failure::Failure;
use surefront_study::file::study::StudyFile;

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
    /// Of a study's means.
    pub fn of(study: &StudyFile, problem: &Problem, truth: &Model, delta: f64) -> Result<Self, Failure> {
        const TOLERANCE: f64 = 1e-6;
        let bound =
            bound(problem, truth, TOLERANCE).map_err(|error| Failure::of_bound(error, problem, study.path()))?;
        Ok(Yardstick::new(bound, delta))
    }

    /// Of a bound that is known; `delta` has been checked.
    pub fn new(bound: Bound, delta: f64) -> Self {
        let stylized = Stylized::new(delta).expect("δ was checked where it was read");
        Yardstick { bound, stylized, delta }
    }

    /// T*, between its certified ends.
    pub fn t_star(&self) -> Bracket {
        Bracket { lower: self.bound.lower, upper: self.bound.upper }
    }

    /// T*·β, solved for the number of samples that β depends on.
    pub fn samples_expected(&self) -> f64 {
        self.stylized.samples_expected(self.bound.upper)
    }

    /// The ratio of a mean stopping time to T*·β at that time; infinite where T* is zero.
    pub fn ratio(&self, mean: f64) -> f64 {
        mean / (self.bound.upper * self.stylized.threshold(mean))
    }
}
