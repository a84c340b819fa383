//! The stopping rules by name.

use super::{Calibrated, Certified, Stopping, Stylized};
use crate::names::named;
use crate::risk::DeltaError;

named! {
    /// A stopping rule by name.
    pub enum StoppingKind, "threshold" {
        /// ln(ln(1 + t) / δ), as in the paper's experiments, for their reproduction: customary, not proved. It knows neither the number
        /// of objectives nor that of the arms. At δ = 0.1 it errs in 25, 46 and 98 % of runs on two arms that are .1 apart in all of 8, 10
        /// and 20 objectives.
        Stylized = "stylized",
        /// The quick one: the doubts about all arms together, by objectives, near ties and looks. Calibrated by simulation, not proved.
        Calibrated = "calibrated",
        /// Every arm certified to be in or out: proved.
        Certified = "certified",
    }
}

impl StoppingKind {
    /// What stands behind it, in a few words.
    pub fn nature(self) -> &'static str {
        match self {
            StoppingKind::Stylized => "customary, not proved",
            StoppingKind::Calibrated => "calibrated by simulation, not proved",
            StoppingKind::Certified => "proved",
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
