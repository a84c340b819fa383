//! Follow the evidence: our default.
//!
//! The evidence Z is the cost of the closest alternative at the counts N, and Z = Σ_k N_k ∂_k Z: each arm's share of it says how
//! much of the evidence against that alternative comes from measuring this arm. Arms are measured in these proportions. At a
//! fixed point the shares are the proportions of the counts, which is when no reallocation would speed the evidence up. Where
//! measurements cost differently, it is the cost that is spent in these proportions: an arm is measured in proportion to its share over its cost.
//!
//! Followed to the letter, the rule can get stuck: an arm that looks irrelevant under the present estimates has no share and is
//! not measured, so the estimate that makes it look so is not corrected. Therefore one question in ten is about a model drawn from
//! what the observations leave possible (the posterior under a flat prior) instead of their means; see docs/rules.md.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::posterior::{Draw, Rhythm};
use super::{Round, SamplingRule};
use crate::needs::Needs;
use crate::question::Question;
use crate::transport::Closest;

/// Measures arms in proportion to their share of the evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dual {
    rhythm: Rhythm,
    #[serde(skip)]
    draw: Draw,
}

impl Default for Dual {
    fn default() -> Self {
        Dual::exploring_every(10)
    }
}

impl Dual {
    /// Asks about a model drawn from the posterior in one round of `explore`, or of a tenth of the number of arms if that is more,
    /// since a draw costs as much as the arms are many; 0 for never.
    pub fn exploring_every(explore: u64) -> Self {
        Dual { rhythm: Rhythm::every(explore), draw: Draw::default() }
    }

    pub(super) fn afresh(&self) -> Self {
        Dual { rhythm: self.rhythm.afresh(), draw: Draw::default() }
    }

    pub(super) fn take_up(&mut self, earlier: &Self) {
        self.rhythm.take_up(earlier.rhythm);
    }
}

impl SamplingRule for Dual {
    fn needs(&self) -> Needs {
        Needs::Closest
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let counts = round.tally.counts();
        let chosen = if self.rhythm.strikes(round.problem.arm_count()) {
            let (model, front) = self.draw.anew(round.problem, round.tally, round.rng);
            let closest = round.oracle.closest(&Question::unchecked(round.problem, model, front, counts));
            closest.and_then(|closest| by_share(closest, counts, round.problem.costs(), round.rng.random()))
        } else {
            let costs = round.problem.costs();
            round.closest.and_then(|closest| by_share(closest, counts, costs, round.rng.random()))
        };
        // Evidence of zero comes from nowhere: fall back on the least known arm.
        chosen.unwrap_or_else(|| round.least_allocated())
    }
}

/// An arm, drawn in proportion to its share of the evidence over its cost; `None` if there is no evidence.
fn by_share(closest: &Closest, counts: &[f64], costs: Option<&[f64]>, uniform: f64) -> Option<usize> {
    let pairs = || closest.arms().iter().zip(closest.gradient());
    match costs {
        None => drawn(|| pairs().map(|(&arm, g)| (arm, counts[arm] * g)), uniform * closest.cost),
        Some(costs) => {
            let shares = || pairs().map(|(&arm, g)| (arm, counts[arm] * g / costs[arm]));
            drawn(shares, uniform * shares().map(|share| share.1).sum::<f64>())
        }
    }
}

/// The arm whose share is the first to exceed what is left of `left` after those before it.
#[inline]
fn drawn<S: DoubleEndedIterator<Item = (usize, f64)>>(shares: impl Fn() -> S, mut left: f64) -> Option<usize> {
    for (arm, share) in shares() {
        left -= share;
        if left < 0.0 {
            return Some(arm);
        }
    }
    // Rounding may leave a little over.
    shares().rfind(|share| share.1 > 0.0).map(|share| share.0)
}
