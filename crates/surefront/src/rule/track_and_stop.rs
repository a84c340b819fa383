//! The paper's rule: learn the optimal allocation by gradient ascent, one step per round, and track it.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{Round, SamplingRule};
use crate::question::Question;
use crate::weights::Weights;

/// How the learnt allocation turns into arms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tracking {
    /// The arm that lags furthest behind the sum of all allocations so far.
    Cumulative,
    /// The arm that lags furthest behind the present allocation times the number of rounds.
    #[default]
    Direct,
}

/// How a gradient changes the allocation. η_t = √(ln K) / (√(1 + t) · largest gradient so far).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HedgeStep {
    /// Ours: w is proportional to exp(η_t Σ g), with all gradients at the present rate, as the analysis of Hedge has it.
    #[default]
    Summed,
    /// The authors' public code: w ← w·exp(η_t g_t), each gradient at the rate of its own round.
    Multiplied,
}

impl HedgeStep {
    fn is_usual(&self) -> bool {
        *self == HedgeStep::default()
    }
}

/// Track-and-Stop with Hedge (Crépon, Garivier and Koolen, "Sequential learning of the Pareto front for multi-objective bandits", AISTATS
/// 2024, Section 2): the allocation climbs the oracle's gradients ([`HedgeStep`]), and is tracked. An arm with no more than √t − K/2 observations goes
/// first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackAndStop {
    tracking: Tracking,
    refresh: NonZeroU64,
    #[serde(default, skip_serializing_if = "HedgeStep::is_usual")]
    step: HedgeStep,
    /// Rounds so far.
    rounds: u64,
    /// The oracle's gradient, refreshed now and then.
    gradient: Vec<f64>,
    largest: f64,
    gradient_sum: Vec<f64>,
    allocation: Vec<f64>,
    allocation_sum: Vec<f64>,
}

impl TrackAndStop {
    /// Asks the oracle for a new gradient in every `refresh`-th round (the paper: 10).
    pub fn new(arm_count: usize, tracking: Tracking, refresh: NonZeroU64) -> Self {
        TrackAndStop {
            tracking,
            refresh,
            step: HedgeStep::default(),
            rounds: 0,
            gradient: vec![0.0; arm_count],
            largest: 0.0,
            gradient_sum: vec![0.0; arm_count],
            allocation: vec![1.0 / arm_count as f64; arm_count],
            allocation_sum: vec![0.0; arm_count],
        }
    }

    /// With this step.
    #[must_use]
    pub fn stepping(self, step: HedgeStep) -> Self {
        TrackAndStop { step, ..self }
    }

    /// For how many arms it was made, if for any.
    pub(super) fn arm_count(&self) -> usize {
        let lists = [&self.gradient, &self.gradient_sum, &self.allocation, &self.allocation_sum];
        let arms = self.gradient.len();
        if lists.iter().all(|list| list.len() == arms) { arms } else { 0 }
    }

    pub(super) fn afresh(&self, arm_count: usize) -> Self {
        TrackAndStop::new(arm_count, self.tracking, self.refresh).stepping(self.step)
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        if earlier.arm_count() == self.arm_count() {
            let TrackAndStop { tracking, refresh, step, .. } = *self;
            *self = TrackAndStop { tracking, refresh, step, ..earlier };
        }
    }

    /// The oracle's gradient at the present allocation.
    fn refresh(&mut self, round: &mut Round<'_>) {
        self.gradient.fill(0.0);
        // Hedge stays in the simplex; an allocation that was tampered with where it was stored says nothing.
        let Ok(weights) = Weights::new(self.allocation.len(), self.allocation.clone()) else { return };
        let question = Question::unchecked(round.problem, round.tally.means(), round.front, &weights);
        if let Some(closest) = round.oracle.closest(&question) {
            for (&arm, &derivative) in closest.arms().iter().zip(closest.gradient()) {
                self.gradient[arm] = derivative;
                self.largest = self.largest.max(derivative);
            }
        }
    }

    /// One step of Hedge.
    fn ascend(&mut self) {
        self.gradient_sum.iter_mut().zip(&self.gradient).for_each(|(sum, g)| *sum += g);
        if self.largest == 0.0 {
            return;
        }
        let rate = (self.allocation.len() as f64).ln().sqrt() / ((1.0 + self.rounds as f64).sqrt() * self.largest);
        match self.step {
            HedgeStep::Summed => {
                let most = self.gradient_sum.iter().fold(f64::NEG_INFINITY, |most, &g| most.max(g));
                self.allocation.iter_mut().zip(&self.gradient_sum).for_each(|(w, g)| *w = (rate * (g - most)).exp());
            }
            HedgeStep::Multiplied => {
                self.allocation.iter_mut().zip(&self.gradient).for_each(|(w, g)| *w *= (rate * g).exp());
            }
        }
        let total: f64 = self.allocation.iter().sum();
        self.allocation.iter_mut().for_each(|w| *w /= total);
    }
}

impl SamplingRule for TrackAndStop {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        if self.rounds.is_multiple_of(self.refresh.get()) {
            self.refresh(round);
        }
        self.rounds += 1;
        self.ascend();
        self.allocation_sum.iter_mut().zip(&self.allocation).for_each(|(sum, w)| *sum += w);

        let time = round.time() as f64;
        let least = round.least_allocated();
        if round.allocated[least] as f64 <= time.sqrt() - 0.5 * self.allocation.len() as f64 {
            return least;
        }
        match self.tracking {
            Tracking::Cumulative => round.furthest_behind(|arm| self.allocation_sum[arm]),
            Tracking::Direct => round.furthest_behind(|arm| time * self.allocation[arm]),
        }
    }
}
