//! Serve the claim that is furthest from being proved: the rule for a certified stop.
//!
//! A certified stop needs every arm off the front to be dominated, provably, by one on it, and every arm on the front not to be dominated by
//! the others. Each claim is about two arms and rests on a difference of their means in one objective; an observation of either
//! arm is worth its share of the cost of that difference; where one of the two costs more to measure, over what it costs. As in [`Dual`](super::Dual), one question in ten is about a model drawn from what the
//! observations leave possible, so that an arm that merely looks irrelevant is not forgotten.
//!
//! Under a calibrated stop, which goes by doubts about arms, the largest of these is served in the same way.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::posterior::{Draw, Rhythm};
use super::{Round, SamplingRule};
use crate::claims::By;
use crate::doubts::{Doubts, Served};
use crate::needs::Needs;
use crate::question::Question;

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

    /// Under a calibrated stop every arm has a doubt, and the study goes on until all of them are small: those are served, not the claims that a proof
    /// would take.
    fn serve_doubts(&mut self, doubts: &Doubts, round: &mut Round<'_>) -> usize {
        let (problem, tally) = (round.problem, round.tally);
        let (allocated, counts) = (round.allocated, tally.counts());
        let pending = |arm: usize| allocated[arm] as f64 - counts[arm];
        let (served, question) = if self.rhythm.strikes(problem.arm_count()) {
            let (model, front) = self.draw.anew(problem, tally, round.rng);
            let question = Question::unchecked(problem, model, front, counts);
            (doubts.served_in(&question, pending), question)
        } else {
            (doubts.served(tally, pending), round.question())
        };
        // Where nothing is in doubt, the least known arm.
        let Some(Served { arm, rival, objective }) = served else { return round.least_allocated() };
        let side = |one: usize, named: bool| if named { question.raised(one) } else { question.side(one) };
        let is_on_front = question.front().contains(arm);
        let (own, other) = (side(arm, is_on_front), side(rival, !is_on_front));
        let law = problem.kind(objective).around(own.mean[objective]);
        let share = own.contrast(other, objective).share_by(law);
        round.either([arm, rival], share)
    }
}

impl Round<'_> {
    /// The first of two arms with the probability `share`, or the second; where one of the two costs more to measure, over what it costs.
    fn either(&mut self, [one, two]: [usize; 2], share: f64) -> usize {
        let share = match self.problem.costs() {
            None => share,
            Some(costs) => {
                let (own, others) = (share / costs[one], (1.0 - share) / costs[two]);
                own / (own + others)
            }
        };
        if self.rng.random::<f64>() < share { one } else { two }
    }
}

impl SamplingRule for Weakest {
    fn needs(&self) -> Needs {
        Needs::Claims
    }

    fn next(&mut self, round: &mut Round<'_>) -> usize {
        if let Some(doubts) = round.doubts {
            return self.serve_doubts(doubts, round);
        }
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
        round.either([weakest.arm, weakest.rival], share)
    }
}
