//! How many samples the best allocation needs.

use serde::{Serialize, Serializer};
use surefront::{Bound, Front, Model, Problem, bound};
use surefront_study::answer::ArmName;

use crate::lab_error::LabError;
use crate::replication::Bracket;

/// T*, w*, and the front that they are about.
#[derive(Clone, Debug, Serialize)]
pub struct Bounds {
    /// T*, between its certified ends, and w*.
    #[serde(flatten, serialize_with = "serialize_bound")]
    pub bound: Bound,
    /// The front of the means.
    pub front: Vec<ArmName>,
    /// All arms, in the order of the weights.
    pub arms: Vec<ArmName>,
}

impl Bounds {
    /// Of these means, to this relative tolerance.
    ///
    /// # Errors
    /// When arms tie, or it cannot be computed as closely.
    pub fn of(problem: &Problem, model: &Model, tolerance: f64) -> Result<Self, LabError> {
        let bound = bound(problem, model, tolerance).map_err(|error| LabError::of_bound(error, problem))?;
        let all: Vec<usize> = (0..problem.arm_count()).collect();
        let front = ArmName::list(problem, Front::of(model).members());
        Ok(Bounds { bound, front, arms: ArmName::list(problem, &all) })
    }
}

fn serialize_bound<S: Serializer>(bound: &Bound, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Fields<'a> {
        t_star: Bracket,
        weights: &'a [f64],
        /// What a sample costs on average; left out where all cost the same.
        #[serde(skip_serializing_if = "Option::is_none")]
        mean_cost: Option<f64>,
    }
    let t_star = Bracket { lower: bound.lower, upper: bound.upper };
    let mean_cost = (bound.mean_cost != 1.0).then_some(bound.mean_cost);
    Fields { t_star, weights: &bound.weights, mean_cost }.serialize(serializer)
}
