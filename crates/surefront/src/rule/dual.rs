//! Follow the evidence: our default.
//!
//! The evidence Z is the cost of the closest alternative at the counts N, and Z = Σ_k N_k ∂_k Z: each arm's share of it says how
//! much of the evidence against that alternative comes from measuring this arm. Arms are measured in these proportions. At a
//! fixed point the shares are the proportions of the counts, which is when no reallocation would speed the evidence up.
//!
//! Followed to the letter, the rule can get stuck: an arm that looks irrelevant under the present estimates has no share and is
//! not measured, so the estimate that makes it look so is not corrected. Therefore one question in ten is about a model drawn from
//! what the observations leave possible (the posterior under a flat prior) instead of their means; see docs/rules.md.

use rand::RngExt;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};

use super::{Round, SamplingRule};
use crate::front::Front;
use crate::model::Model;
use crate::transport::Closest;

/// Measures arms in proportion to their share of the evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dual {
    /// One round in this many, or in a tenth of the number of arms if that is more, asks about a model drawn from the posterior.
    explore: u64,
    rounds: u64,
    #[serde(skip)]
    room: Room,
}

/// Room for the drawn model; not part of the rule's state.
#[derive(Clone, Debug, Default)]
struct Room {
    model: Option<Model>,
    front: Front,
}

impl PartialEq for Room {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for Dual {
    fn default() -> Self {
        Dual { explore: 10, rounds: 0, room: Room::default() }
    }
}

impl Dual {
    /// Asks about a model drawn from the posterior in one round of `explore`, or of a tenth of the number of arms if that is more,
    /// since a draw costs as much as the arms are many; 0 for never.
    pub fn exploring_every(explore: u64) -> Self {
        Dual { explore, ..Dual::default() }
    }
}

impl SamplingRule for Dual {
    fn needs_closest(&self) -> bool {
        true
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.rounds += 1;
        let every = self.explore.max(round.problem.arm_count() as u64 / 10);
        let explores = self.explore > 0 && self.rounds.is_multiple_of(every);
        let counts = round.tally.counts();
        let chosen = if explores {
            let model = self.room.model.get_or_insert_with(|| round.tally.means().clone());
            draw(model, round);
            self.room.front.recompute(model);
            let closest = round.oracle.closest(round.problem, model, &self.room.front, counts);
            closest.and_then(|closest| by_share(closest, counts, round.rng.random()))
        } else {
            round.closest.and_then(|closest| by_share(closest, counts, round.rng.random()))
        };
        // Evidence of zero comes from nowhere: fall back on the least known arm.
        chosen.unwrap_or_else(|| round.least_allocated())
    }
}

/// A model drawn from the posterior N(mean, variance / n) under a flat prior.
fn draw(model: &mut Model, round: &mut Round<'_>) {
    for arm in 0..model.arm_count() {
        let n = round.tally.counts()[arm];
        let means = round.tally.means().row(arm);
        for ((to, mean), precision) in model.row_mut(arm).iter_mut().zip(means).zip(round.problem.precision(arm)) {
            let noise: f64 = round.rng.sample(StandardNormal);
            *to = mean + noise / (n * precision).sqrt();
        }
    }
}

/// An arm, drawn in proportion to its share of the evidence; `None` if there is no evidence.
fn by_share(closest: &Closest, counts: &[f64], uniform: f64) -> Option<usize> {
    let mut left = uniform * closest.cost;
    let shares = || closest.arms().iter().zip(closest.gradient()).map(|(&arm, g)| (arm, counts[arm] * g));
    for (arm, share) in shares() {
        left -= share;
        if left < 0.0 {
            return Some(arm);
        }
    }
    // Rounding may leave a little over.
    shares().rfind(|share| share.1 > 0.0).map(|share| share.0)
}
