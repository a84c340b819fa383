//! Adaptive Pareto exploration under limits: e-cAPE (Kone, Kaufmann and Richert, "Constrained Pareto Set Identification with Bandit Feedback", ICML 2025).
//!
//! An arm is out either because it breaks a limit or because an arm that keeps them dominates it, whichever is surer, and it is one of the two that has to be said: the *explainable*
//! problem of the paper. So every arm ends up optimal, dominated or infeasible. The step is that of [`Ape`](super::Ape) among the arms that do not surely break a limit: b is the one,
//! not yet surely optimal, that is most optimistically optimal; c is the one that may yet dominate it. The less measured of the two is next; b, where nobody can dominate it any more and only its limits
//! are in doubt.
//!
//! The paper takes a polyhedron; ours is a box, since each limit is about one reading. Two things are our own: what the paper says of a distance to the polyhedron is said
//! of each limit (`keeping`), and the bounds of all pairs and of all limits share δ evenly, K(K − 1)d/2 + KL of them.
//! Without limits it is `ape`.
//!
//! Its own stop: every arm is surely optimal, surely infeasible, or surely dominated by one that is not surely infeasible.

use serde::{Deserialize, Serialize};

use super::ape::comparisons;
use super::calibration::{Calibration, LastCalibrated};
use super::contenders::Contenders;
use super::keeping::Keeping;
use super::leads::Leads;
use super::{Conclusion, Round, SamplingRule};
use crate::risk::{DeltaError, Risk};

/// Measures the most ambiguous arm that may keep its limits, or its most dangerous opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ECape {
    delta: Risk,
    #[serde(default, skip_serializing_if = "Calibration::is_usual")]
    calibration: Calibration,
    /// C for pairs, and for single arms.
    #[serde(skip)]
    constants: [LastCalibrated; 2],
    #[serde(skip)]
    leads: Leads,
    #[serde(skip)]
    keeping: Keeping,
}

impl ECape {
    /// With confidence bounds for this δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        let (calibration, constants) = (Calibration::default(), Default::default());
        Ok(ECape {
            delta: Risk::new(delta)?,
            calibration,
            constants,
            leads: Leads::default(),
            keeping: Keeping::default(),
        })
    }

    /// The same with another constant in the bonus.
    #[must_use]
    pub fn calibrated(self, calibration: Calibration) -> Self {
        ECape { calibration, ..self }
    }

    fn contenders(
        &mut self,
        round: &Round<'_>,
    ) -> Contenders<'_, impl Fn(usize) -> bool + use<'_>, impl Fn(usize) -> bool + use<'_>> {
        let problem = round.problem;
        let (limits, idle) = problem.limit_layout().map_or((0, 0), |layout| (layout.limits.len(), layout.idle.len()));
        let pairs = comparisons(problem.arm_count(), problem.objective_count() - idle);
        let x = ((pairs + (problem.arm_count() * limits) as f64) / self.delta.get()).ln();
        let [of_pairs, of_arms] = &mut self.constants;
        self.leads.refresh(round, of_pairs.at(self.calibration, 0.5 * x));
        self.keeping.refresh(round, of_arms.at(self.calibration, x));
        let keeping = &self.keeping;
        Contenders {
            leads: &self.leads,
            counts: |arm| !keeping.surely_breaks(arm),
            stays: |arm| keeping.surely_keeps(arm),
            within: 0.0,
        }
    }
}

impl SamplingRule for ECape {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.contenders(round).next(round)
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        self.contenders(round).settled().map(Conclusion::front)
    }
}
