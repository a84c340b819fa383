//! An arm by name and index.

use serde::Serialize;
use surefront::Problem;

/// An arm by name and index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArmName {
    /// Its name.
    pub name: String,
    /// Its place in the study, from 0.
    pub index: usize,
}

impl ArmName {
    /// The arm of this number.
    pub fn of(problem: &Problem, index: usize) -> Self {
        ArmName { name: problem.arms()[index].name.clone(), index }
    }

    /// The arms of these numbers.
    pub fn list(problem: &Problem, indices: &[usize]) -> Vec<Self> {
        indices.iter().map(|&index| ArmName::of(problem, index)).collect()
    }
}
