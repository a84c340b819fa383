//! Serve the claim that is furthest from being proved: the rule for a certified stop.
//!
//! A certified stop needs every arm off the front to be dominated, provably, by one on it, and every arm on the front not to be dominated by
//! the others. Each claim is about two arms and rests on a difference of their means in one objective; an observation of either
//! arm is worth its share of the cost of that difference; where one of the two costs more to measure, over what it costs. As in [`Dual`](super::Dual), one question in ten is about a model drawn from what the
//! observations leave possible, so that an arm that merely looks irrelevant is not forgotten. Once there are many observations, it plans ahead until the claims are looked at again.
//!
//! Under a calibrated stop, which goes by doubts about arms, the largest of these is served in the same way.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::plan::{Moment, Plan};
use super::posterior::{Draw, Rhythm};
use super::{Round, SamplingRule};
use crate::claims::Service;
use crate::doubts::{Doubts, Served};
use crate::needs::Needs;
use crate::question::Question;

/// A drawn model is asked about for so many observations at most, however many there are: of what an arm that was misjudged may be, one draw after the other must tell.
const MOST_DRAWN: u64 = 32;

/// And for so many at least, if there are as many until everything is looked at again.
const LEAST_DRAWN: u64 = 4;

/// Measures the two arms of the weakest claim in proportion to their share of its cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weakest {
    rhythm: Rhythm,
    /// Not there in version 0.1, nor is what follows.
    #[serde(default)]
    plan: Plan,
    /// A drawn model that was asked about for long stands for so many others.
    #[serde(default)]
    spared: u64,
    #[serde(skip)]
    draw: Draw,
}

impl Default for Weakest {
    fn default() -> Self {
        Weakest { rhythm: Rhythm::every(10), plan: Plan::default(), spared: 0, draw: Draw::default() }
    }
}

impl Weakest {
    pub(super) fn afresh(&self) -> Self {
        Weakest { rhythm: self.rhythm.afresh(), ..Weakest::default() }
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        self.rhythm.take_up(earlier.rhythm);
        (self.plan, self.spared) = (earlier.plan, earlier.spared);
    }

    /// Whether the next round needs no look at the claims.
    pub(super) fn knows_next(&self, now: Moment, arm_count: usize) -> bool {
        (self.rhythm.will_strike(arm_count) && self.spared == 0) || self.plan.covers(now, arm_count)
    }

    /// Whether this round is about a drawn model.
    fn draws(&mut self, arm_count: usize) -> bool {
        let strikes = self.rhythm.strikes(arm_count);
        if strikes && self.spared > 0 {
            self.spared -= 1;
            return false;
        }
        strikes
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
        let (problem, now, arm_count) = (round.problem, round.now, round.problem.arm_count());
        let is_planned = self.plan.covers(now, arm_count);
        let measured = if self.draws(arm_count) {
            let (model, front) = self.draw.anew(problem, round.tally, round.rng);
            let rounds = if is_planned { now.rounds().min(MOST_DRAWN) } else { 1 };
            let served = claims.served_in(problem, model, front, pending);
            served.map(|served| claims.service(problem, model, served, rounds)).map(|service| {
                let service = Service { times: service.times.max(LEAST_DRAWN.min(rounds)), ..service };
                self.spared = service.times - 1;
                self.plan.put_first(Service { times: service.times - 1, ..service });
                (service.arms, service.share)
            })
        } else {
            if !is_planned {
                self.plan = Plan::new(now, claims.coming(problem, round.tally.means(), pending, now.rounds()));
            }
            self.plan.next()
        };
        // Where nothing is in doubt, the least known arm.
        let Some(([arm, rival], share)) = measured else { return round.least_allocated() };
        if arm == rival {
            return arm;
        }
        round.either([arm, rival], share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective, Problem};
    use crate::rule::Rule;
    use crate::stopping::StoppingKind;
    use crate::study::{Settings, Study};

    /// However long a study takes, the next draw is never far: two arms that nothing tells apart, of which the plan is for hundreds of measurements in the end.
    #[test]
    fn draws_do_not_become_rare() {
        let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
        let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap();
        let stopping = StoppingKind::Certified.stopping(1e-9).unwrap();
        let mut study = Study::new(problem, Settings::new(Rule::Weakest(Weakest::default()), stopping)).unwrap();
        let (mut spared, mut planned) = (0, 0);
        for round in 0..40_000 {
            let arm = study.ask();
            let Rule::Weakest(weakest) = &study.settings().rule else { unreachable!("it is not changed") };
            spared = spared.max(weakest.spared);
            planned = planned.max(weakest.plan.longest());
            study.tell(arm, &[f64::from(round % 7) - 3.0]).unwrap();
        }
        assert!(!study.stopped() && planned > 2 * MOST_DRAWN, "{planned}");
        assert!((LEAST_DRAWN - 1..MOST_DRAWN).contains(&spared), "{spared}");
    }
}
