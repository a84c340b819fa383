//! The accepted chance of a wrong answer.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Smaller risks are beyond what logarithms of their parts can be computed from.
const LEAST: f64 = 1e-300;

/// A risk that is no probability strictly between zero and one, or too small to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("delta is {0:?}: write a number between 0 and 1, such as 0.05, and not below 1e-300")]
pub struct DeltaError(pub f64);

/// A risk, checked: also where it is read from a saved study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub(crate) struct Delta(f64);

impl Delta {
    /// # Errors
    /// When it is not strictly between 0 and 1, or below 1e-300.
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        // Written so that NaN fails.
        if (LEAST..1.0).contains(&delta) { Ok(Delta(delta)) } else { Err(DeltaError(delta)) }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Delta {
    type Error = DeltaError;

    fn try_from(delta: f64) -> Result<Self, DeltaError> {
        Delta::new(delta)
    }
}

impl From<Delta> for f64 {
    fn from(delta: Delta) -> f64 {
        delta.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopping::Stopping;

    #[test]
    fn delta_must_be_a_risk() {
        for bad in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY, 1e-320] {
            assert!(Delta::new(bad).is_err(), "{bad}");
        }
        assert!(Delta::new(1e-300).is_ok());
    }

    #[test]
    fn also_where_it_is_read() {
        for name in ["Stylized", "Certified"] {
            let read = |delta: &str| serde_json::from_str::<Stopping>(&format!(r#"{{"{name}":{{"delta":{delta}}}}}"#));
            assert_eq!(read("0.25").unwrap().delta(), 0.25);
            for bad in ["0", "1.5", "-1", "1e-320"] {
                assert!(read(bad).unwrap_err().to_string().contains("between 0 and 1"), "{bad}");
            }
        }
    }
}
