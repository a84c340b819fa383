//! The stopping rules by name.

use super::{Calibrated, Certified, Promise, Stopping, Stylized};
use crate::names::named;
use crate::risk::DeltaError;

named! {
    /// A stopping rule by name.
    pub enum StoppingKind, "threshold" {
        /// ln(ln(1 + t) / δ): as published, not proved.
        Stylized = "stylized",
        /// The quick one: the doubts about all arms together, by objectives, near ties and looks. Calibrated by simulation, not proved.
        Calibrated = "calibrated",
        /// Every arm certified to be in or out: proved.
        Certified = "certified",
    }
}

impl Default for StoppingKind {
    /// Where nobody says otherwise, an answer is proved.
    fn default() -> Self {
        StoppingKind::Certified
    }
}

impl StoppingKind {
    /// How strong its answers are.
    pub const fn promise(self) -> Promise {
        match self {
            StoppingKind::Stylized | StoppingKind::Calibrated => Promise::Likely,
            StoppingKind::Certified => Promise::Proved,
        }
    }

    /// What it promises, in a sentence for people.
    pub const fn guarantee(self) -> &'static str {
        match self {
            StoppingKind::Stylized => Stylized::GUARANTEE,
            StoppingKind::Calibrated => Calibrated::GUARANTEE,
            StoppingKind::Certified => Certified::GUARANTEE,
        }
    }

    /// The stopping rule for the risk δ.
    ///
    /// ```
    /// use surefront::StoppingKind;
    ///
    /// let kind: StoppingKind = "certified".parse()?;
    /// assert_eq!(kind.stopping(0.05)?.delta(), 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn stopping(self, delta: f64) -> Result<Stopping, DeltaError> {
        Ok(match self {
            StoppingKind::Stylized => Stopping::Stylized(Stylized::new(delta)?),
            StoppingKind::Calibrated => Stopping::Calibrated(Calibrated::new(delta)?),
            StoppingKind::Certified => Stopping::Certified(Certified::new(delta)?),
        })
    }
}
