//! Serve the claim that is furthest from being proved: the rule for a certified stop.
//!
//! A certified stop needs every arm off the front to be dominated, provably, by one on it, and every arm on the front not to be dominated by
//! the others. Each claim is about two arms and rests on a difference of their means in one objective; an observation of either
//! arm is worth its share of the cost of that difference; where one of the two costs more to measure, over what it costs. As in [`Dual`](super::Dual), one question in ten is about a model drawn from what the
//! observations leave possible, so that an arm that merely looks irrelevant is not forgotten.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::posterior::{Draw, Rhythm};
use super::{Round, SamplingRule};
use crate::claims::By;
use crate::needs::Needs;

/// Measures the two arms of the weakest claim in proportion to their share of its cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weakest {
    rhythm: Rhythm,
    #[serde(skip)]
    draw: Draw,
}

impl Default for Weakest {
    fn default() -> Self {
        Weakest { rhythm: Rhythm::every(10), draw: Draw::default() }
    }
}

impl Weakest {
    pub(super) fn afresh(&self) -> Self {
        Weakest { rhythm: self.rhythm.afresh(), draw: Draw::default() }
    }

    pub(super) fn take_up(&mut self, earlier: &Self) {
        self.rhythm.take_up(earlier.rhythm);
    }
}

impl SamplingRule for Weakest {
    fn needs(&self) -> Needs {
        Needs::Claims
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let (claims, _) = round.claims.expect("the claims are watched for this rule");
        let (allocated, told) = (round.allocated, round.tally.counts());
        let pending = |arm: usize| allocated[arm] as f64 - told[arm];
        let (weakest, model) = if self.rhythm.strikes(round.problem.arm_count()) {
            let (model, front) = self.draw.anew(round.problem, round.tally, round.rng);
            (claims.served_in(round.problem, model, front, pending), model)
        } else {
            (claims.served(round.problem, pending), round.tally.means())
        };
        // Where nothing is in doubt, the least known arm.
        let Some(weakest) = weakest else { return round.least_allocated() };
        // What is claimed of an arm's limits takes observations of that arm alone.
        if weakest.claim.limit().is_some() {
            return weakest.rival;
        }
        let share = match weakest.by {
            By::Glance => {
                let named = if weakest.on_front { weakest.arm } else { weakest.rival };
                let arms = (weakest.arm, weakest.rival);
                claims.gauge().share(round.problem, model, arms, named, weakest.claim.objective)
            }
            // What it seemed to take was wrong, and so may be whose observations it takes.
            By::Proof => 0.5,
        };
        let share = match round.problem.costs() {
            None => share,
            Some(costs) => {
                let (own, others) = (share / costs[weakest.arm], (1.0 - share) / costs[weakest.rival]);
                own / (own + others)
            }
        };
        if round.rng.random::<f64>() < share { weakest.arm } else { weakest.rival }
    }
}
