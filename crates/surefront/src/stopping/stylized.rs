//! The threshold of the paper's experiments: customary, not proved.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Evidence, Progress, StoppingRule};

/// A risk that is no probability strictly between zero and one.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("delta is {0}: write a number between 0 and 1, such as 0.05")]
pub struct DeltaError(pub f64);

/// Stop once the evidence reaches β(t, δ) = ln(ln(1 + t) / δ) (paper, Section 4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stylized {
    delta: f64,
}

impl Stylized {
    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1.
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        // Written so that NaN fails.
        if delta > 0.0 && delta < 1.0 { Ok(Stylized { delta }) } else { Err(DeltaError(delta)) }
    }

    /// β(t, δ).
    pub fn threshold(&self, samples: f64) -> f64 {
        (samples.ln_1p() / self.delta).ln()
    }

    /// T* · β(t, δ) solved for t: the samples at which an optimal allocation is expected to have the evidence, the yardstick
    /// for a rule's stopping time.
    pub fn samples_expected(&self, t_star: f64) -> f64 {
        // The right-hand side grows so slowly in t that repeating it converges at once.
        (0..200).fold(t_star.max(2.0), |t, _| (t_star * self.threshold(t)).max(1.0))
    }
}

impl StoppingRule for Stylized {
    fn progress(&self, evidence: &Evidence<'_>) -> Progress {
        Progress {
            evidence: evidence.closest.map_or(f64::INFINITY, |closest| closest.cost),
            threshold: self.threshold(evidence.tally.total() as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_figures() {
        let rule = Stylized::new(0.1).unwrap();
        assert!((rule.threshold(9519.0) - (9520f64.ln() / 0.1).ln()).abs() < 1e-12);
        // T* β on the vaccine instance.
        assert!((rule.samples_expected(2103.75) - 9504.0).abs() < 25.0, "{}", rule.samples_expected(2103.75));
    }

    #[test]
    fn delta_must_be_a_risk() {
        for bad in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY] {
            assert!(Stylized::new(bad).is_err(), "{bad}");
        }
    }
}
