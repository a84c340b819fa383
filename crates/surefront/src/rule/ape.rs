//! Adaptive Pareto Exploration (Kone, Kaufmann and Richert, "Adaptive Algorithms for Relaxed Pareto Set Identification",
//! NeurIPS 2023): ε₁-APE-k. As published, but without their shrinkage of the means.
//!
//! With M(i, j) = max over objectives of μ_i − μ_j (positive if j does not dominate i) and its confidence bounds M⁻ ≤ M ≤ M⁺:
//! b is the arm, among those not yet certainly optimal, that is most optimistically optimal; c is the arm that may yet dominate
//! it; the less measured of the two is next.
//!
//! Its own stop: every arm of the front of the means is certainly within ε of optimal, and every other arm is certainly dominated or certainly within
//! ε; or k arms are certainly within ε. As published, ε = 0 and no k: the front itself.

use serde::{Deserialize, Serialize};

use super::calibration::Calibration;
use super::contenders::Contenders;
use super::leads::Leads;
use super::{Conclusion, Round, SamplingRule, Sought};
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};

/// Measures the most ambiguous arm or its most dangerous opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ape {
    /// δ; version 0.1 did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delta: Option<Risk>,
    /// The part of the confidence bonus that depends on δ.
    exploration: f64,
    #[serde(default, skip_serializing_if = "Relaxation::is_none")]
    relaxation: Relaxation,
    #[serde(default, skip_serializing_if = "Calibration::is_usual")]
    calibration: Calibration,
    #[serde(skip)]
    leads: Leads,
}

/// What will do instead of the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Relaxation {
    /// ε: arms that no arm beats by more than this in every objective, in the objectives' own units, will do.
    pub within: f64,
    /// k: so many arms will do.
    pub count: Option<usize>,
}

impl Relaxation {
    fn is_none(&self) -> bool {
        *self == Relaxation::default()
    }
}

impl Ape {
    /// With the confidence bonus of the paper for this δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(arm_count: usize, objective_count: usize, delta: f64) -> Result<Self, DeltaError> {
        Ok(Ape::at(arm_count, objective_count, Risk::new(delta)?))
    }

    /// The same, where less will do than the front. An ε that is no number of zero or more is taken for zero.
    #[must_use]
    pub fn relaxed(self, relaxation: Relaxation) -> Self {
        let within = if relaxation.within > 0.0 { relaxation.within } else { 0.0 };
        Ape { relaxation: Relaxation { within, ..relaxation }, ..self }
    }

    /// The same with another constant in the bonus.
    #[must_use]
    pub(super) fn calibrated(self, calibration: Calibration, arm_count: usize, objective_count: usize) -> Self {
        match self.delta {
            Some(delta) => {
                let exploration = exploration(calibration, arm_count, objective_count, delta);
                Ape { calibration, exploration, ..self }
            }
            None => self,
        }
    }

    fn at(arm_count: usize, objective_count: usize, delta: Risk) -> Self {
        let calibration = Calibration::default();
        let exploration = exploration(calibration, arm_count, objective_count, delta);
        let (relaxation, leads) = (Relaxation::default(), Leads::default());
        Ape { delta: Some(delta), exploration, relaxation, calibration, leads }
    }

    /// For another number of arms; with the study's δ where its own was not kept.
    pub(super) fn afresh(&self, problem: &Problem, delta: f64) -> Self {
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        match self.delta.or_else(|| Risk::new(delta).ok()) {
            Some(delta) => {
                Ape::at(arms, objectives, delta).calibrated(self.calibration, arms, objectives).relaxed(self.relaxation)
            }
            None => self.clone(),
        }
    }

    fn contenders(
        &mut self,
        round: &Round<'_>,
    ) -> Contenders<'_, impl Fn(usize) -> bool + use<>, impl Fn(usize) -> bool + use<>> {
        self.leads.refresh(round, self.exploration);
        Contenders { leads: &self.leads, counts: |_| true, stays: |_| true, within: self.relaxation.within }
    }
}

/// How many differences between arms have bounds.
pub(super) fn comparisons(arm_count: usize, objective_count: usize) -> f64 {
    (arm_count * (arm_count.max(2) - 1) * objective_count) as f64 / 2.0
}

/// The part of the bonus that depends on δ.
fn exploration(calibration: Calibration, arm_count: usize, objective_count: usize, delta: Risk) -> f64 {
    calibration.at(0.5 * (comparisons(arm_count, objective_count) / delta.get()).ln())
}

impl SamplingRule for Ape {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.contenders(round).next(round)
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        let Relaxation { within, count } = self.relaxation;
        let contenders = self.contenders(round);
        let arms = || 0..round.problem.arm_count();
        if let Some(count) = count {
            let optimal: Vec<usize> = arms().filter(|&arm| contenders.is_surely_optimal(arm)).take(count).collect();
            if optimal.len() == count {
                return Some(Conclusion { arms: optimal, sought: Sought::Some { count, within } });
            }
        }
        let is_settled = |arm: usize| {
            let on_front = round.front.contains(arm);
            (!on_front && contenders.is_surely_dominated(arm)) || contenders.is_surely_optimal(arm)
        };
        if !arms().all(is_settled) {
            return None;
        }
        let named = arms().filter(|&arm| round.front.contains(arm) || !contenders.is_surely_dominated(arm)).collect();
        let sought = match count {
            Some(count) => Sought::Some { count, within },
            None if within > 0.0 => Sought::Within(within),
            None => Sought::Front,
        };
        Some(Conclusion { arms: named, sought })
    }
}
