//! How the measurements are spread over the arms: an allocation, or the counts themselves.

use std::ops::Deref;

use crate::problem::{LARGEST, Problem, ProblemError};

/// One non-negative, finite weight per arm, not all zero. They need not add up to one: costs are proportional to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Vec<f64>);

impl Weights {
    /// Checks the weights of `arm_count` arms.
    ///
    /// # Errors
    /// When there is not one per arm, one is negative or not finite, or all are zero.
    pub fn new(arm_count: usize, weights: Vec<f64>) -> Result<Self, ProblemError> {
        if weights.len() != arm_count {
            return Err(ProblemError::WrongCount { what: "weights", found: weights.len(), expected: arm_count });
        }
        for (index, &value) in weights.iter().enumerate() {
            // Written so that NaN fails.
            if !(0.0..=LARGEST).contains(&value) {
                return Err(ProblemError::BadWeight { number: index + 1, value });
            }
        }
        if weights.iter().all(|&w| w == 0.0) {
            return Err(ProblemError::NoWeight);
        }
        Ok(Weights(weights))
    }

    /// The same share for every arm of a problem, adding up to one.
    pub fn uniform(problem: &Problem) -> Self {
        let arms = problem.arm_count();
        Weights(vec![1.0 / arms as f64; arms])
    }

    /// The counts before the first observation: all zero, which only a tally may have.
    pub(crate) fn zero(arm_count: usize) -> Self {
        Weights(vec![0.0; arm_count])
    }

    /// The count of one more arm.
    pub(crate) fn push_zero(&mut self) {
        self.0.push(0.0);
    }

    /// Sets the count of `arm`.
    pub(crate) fn set(&mut self, arm: usize, count: f64) {
        self.0[arm] = count;
    }
}

impl Deref for Weights {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_weights_that_mean_something() {
        assert!(Weights::new(2, vec![0.0, 1e-9]).is_ok());
        assert!(Weights::new(2, vec![0.5]).unwrap_err().to_string().contains("1 weights, but 2 arms"));
        for bad in [-1e-9, f64::NAN, f64::INFINITY] {
            let text = Weights::new(2, vec![1.0, bad]).unwrap_err().to_string();
            assert!(text.contains("arm number 2"), "{text}");
        }
        assert_eq!(Weights::new(2, vec![0.0, 0.0]), Err(ProblemError::NoWeight));
    }
}
