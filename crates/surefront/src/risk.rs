//! δ: the chance of a wrong answer that is accepted.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A chance of a wrong answer, from [`Risk::LEAST`] to below 1: checked, also when it is read from a saved study.
///
/// ```
/// use surefront::Risk;
///
/// assert_eq!(Risk::new(0.05)?.get(), 0.05);
/// assert!(Risk::new(1.0).is_err() && Risk::new(1e-320).is_err());
/// # Ok::<(), surefront::DeltaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Risk(f64);

/// A risk that is no probability strictly between zero and one, or too small to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("delta is {}: write a number between 0 and 1, such as 0.05{}", plain(.0), least(.0))]
pub struct DeltaError(pub f64);

impl Risk {
    /// The least that can be asked for. Parts of it, shared out among millions of arms and objectives, are ordinary numbers still.
    pub const LEAST: f64 = 1e-300;

    /// Checks δ.
    ///
    /// # Errors
    /// When δ is not below 1, or below [`Risk::LEAST`].
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        // Written so that NaN fails.
        if (Risk::LEAST..1.0).contains(&delta) { Ok(Risk(delta)) } else { Err(DeltaError(delta)) }
    }

    /// δ.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Risk {
    type Error = DeltaError;

    fn try_from(delta: f64) -> Result<Self, DeltaError> {
        Risk::new(delta)
    }
}

impl From<Risk> for f64 {
    fn from(risk: Risk) -> f64 {
        risk.0
    }
}

/// Tiny numbers without hundreds of zeros.
fn plain(delta: &f64) -> String {
    if *delta != 0.0 && delta.abs() < 1e-6 { format!("{delta:e}") } else { delta.to_string() }
}

fn least(delta: &f64) -> String {
    if *delta > 0.0 && *delta < Risk::LEAST { format!("; it can be {:e} at least", Risk::LEAST) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_must_be_a_risk() {
        for bad in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e-320] {
            assert_eq!(Risk::new(bad).is_err(), Risk::try_from(bad).is_err(), "{bad}");
            assert!(Risk::new(bad).is_err(), "{bad}");
        }
        for good in [Risk::LEAST, 0.05, 1.0f64.next_down()] {
            assert_eq!(Risk::new(good).map(f64::from), Ok(good));
        }
    }

    #[test]
    fn the_sentence_says_what_to_write() {
        let say = |delta: f64| Risk::new(delta).unwrap_err().to_string();
        assert_eq!(say(1.5), "delta is 1.5: write a number between 0 and 1, such as 0.05");
        assert_eq!(
            say(1e-320),
            "delta is 1e-320: write a number between 0 and 1, such as 0.05; it can be 1e-300 at least"
        );
    }

    #[test]
    fn a_saved_risk_is_checked_like_a_new_one() {
        let risk: Risk = serde_json::from_str("0.05").unwrap();
        assert_eq!(serde_json::to_string(&risk).unwrap(), "0.05");
        for bad in ["0", "1", "-0.1", "1e-320", "null"] {
            assert!(serde_json::from_str::<Risk>(bad).is_err(), "{bad}");
        }
    }
}
