//! Limits first, the front after: what one does who has a rule for each, and what Kone, Kaufmann and Richert (ICML 2025) hold e-cAPE against.
//!
//! First the arm that is fewest standard errors from its limits, of those whose standing is in doubt, until all are surely feasible or surely not, at δ/2: the index of MD-APT (Katz-Samuels and
//! Scott, "Feasible Arm Identification", ICML 2018), which is for a budget, with a stop. Then [`Ape`](super::Ape) among the feasible at δ/2, with all observations so far. The stop is
//! that of the second stage; an arm that breaks its limits by a hair is told from one that keeps them however badly it is dominated.

use serde::{Deserialize, Serialize};

use super::ape::comparisons;
use super::calibration::{Calibration, LastCalibrated};
use super::contenders::Contenders;
use super::keeping::Keeping;
use super::leads::Leads;
use super::{Conclusion, Round, SamplingRule};
use crate::risk::{DeltaError, Risk};

/// Measures whose limits are in doubt, then who is on the front.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoStage {
    delta: Risk,
    #[serde(default, skip_serializing_if = "Calibration::is_usual")]
    calibration: Calibration,
    /// By arm: whether it was found to keep its limits, once that is known of all; before, empty.
    feasible: Vec<bool>,
    /// C in the first stage, and in the second.
    #[serde(skip)]
    constants: [LastCalibrated; 2],
    #[serde(skip)]
    keeping: Keeping,
    #[serde(skip)]
    leads: Leads,
}

impl TwoStage {
    /// With confidence bounds for this δ, half of it for each stage.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        Ok(TwoStage::at(Risk::new(delta)?, Calibration::default()))
    }

    /// The same with another constant in the bonus.
    #[must_use]
    pub fn calibrated(self, calibration: Calibration) -> Self {
        TwoStage { calibration, ..self }
    }

    fn at(delta: Risk, calibration: Calibration) -> Self {
        let (constants, keeping, leads) = (Default::default(), Keeping::default(), Leads::default());
        TwoStage { delta, calibration, feasible: Vec::new(), constants, keeping, leads }
    }

    /// For how many arms it is; as many as there are before the first stage is over.
    pub(super) fn arm_count(&self, expected: usize) -> usize {
        if self.feasible.is_empty() { expected } else { self.feasible.len() }
    }

    pub(super) fn afresh(&self) -> Self {
        TwoStage::at(self.delta, self.calibration)
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        // What was found at another risk was found for another reason.
        if (earlier.delta, earlier.calibration) == (self.delta, self.calibration) {
            *self = earlier;
        }
    }

    /// The arm whose limits are in most doubt; `None` once those of no arm are.
    fn in_doubt(&mut self, round: &Round<'_>) -> Option<usize> {
        if !self.feasible.is_empty() {
            return None;
        }
        let arms = round.problem.arm_count();
        let limits = round.problem.limit_layout().map_or(0, |layout| layout.limits.len());
        let x = (2.0 * (arms * limits).max(1) as f64 / self.delta.get()).ln();
        self.keeping.refresh(round, self.constants[0].at(self.calibration, x));
        let keeping = &self.keeping;
        let open = (0..arms).filter(|&arm| !keeping.is_settled(arm));
        let next = open.min_by(|&one, &two| keeping.distance(one).total_cmp(&keeping.distance(two)));
        if next.is_none() {
            self.feasible = (0..arms).map(|arm| keeping.surely_keeps(arm)).collect();
        }
        next
    }

    /// The second stage.
    fn contenders(
        &mut self,
        round: &Round<'_>,
    ) -> Contenders<'_, impl Fn(usize) -> bool + use<'_>, impl Fn(usize) -> bool + use<>> {
        let feasible = &self.feasible;
        let (arms, means) = (feasible.iter().filter(|&&feasible| feasible).count(), round.tally.means());
        let optimised = (0..means.objective_count()).filter(|&j| !means.is_idle(j)).count();
        let x = (2.0 * comparisons(arms.max(2), optimised) / self.delta.get()).ln();
        self.leads.refresh(round, self.constants[1].at(self.calibration, 0.5 * x));
        Contenders { leads: &self.leads, counts: |arm| feasible[arm], stays: |_| true, within: 0.0 }
    }
}

impl SamplingRule for TwoStage {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        match self.in_doubt(round) {
            Some(arm) => arm,
            None => self.contenders(round).next(round),
        }
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        match self.in_doubt(round) {
            Some(_) => None,
            None => self.contenders(round).settled().map(Conclusion::front),
        }
    }
}
