//! Whom to serve until everything is looked at again.
//!
//! What it takes to prove a claim hardly changes until then, and its cost grows in proportion to ab/(a + b), where a and b are the counts of its two arms. So it can be said ahead whose
//! turn it will be.

use super::turn::Entry;
use super::{By, Claims, WeakestClaim};
use crate::model::Model;
use crate::problem::Problem;

/// A claim is served at most for this part of what its two arms have been given before others have their turn.
const QUANTUM: f64 = 1.0 / 128.0;

/// The same of a claim that holds up the stop while all others seem to be proved: there is nobody else to serve.
const HELD_UP: f64 = 1.0 / 32.0;

/// So many claims at most are served before everything is looked at again.
const MOST_CLAIMS: usize = 32;

/// Two arms to be measured for a claim about them, or twice the same one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Service {
    pub arms: [usize; 2],
    /// The part of the observations that is worth most for the first of them.
    pub share: f64,
    /// For so many observations.
    pub times: u64,
}

impl Claims {
    /// What serves the claims, one after the other, for the next `rounds` observations at most; nothing if all are proved. The means are `model`; by arm, so many observations are under
    /// way.
    pub fn coming(
        &self,
        problem: &Problem,
        model: &Model,
        pending: impl Fn(usize) -> f64,
        rounds: u64,
    ) -> Vec<Service> {
        match self.last() {
            Some(weakest) if weakest.by == By::Glance => {}
            held_up => return held_up.map(|&claim| self.service(problem, model, claim, rounds)).into_iter().collect(),
        }
        let (mut line, front) = (self.line(problem, |arm| self.entry(arm)), self.front());
        let bars = self.certified.bars_beside(problem, &self.gauge, front);
        let (mut coming, mut left): (Vec<Service>, u64) = (Vec::new(), rounds);
        let mut last = usize::MAX;
        // By arm: what serves its claim, however often it is its turn.
        let mut known: Vec<(usize, Service)> = Vec::new();
        while left > 0 && coming.len() < MOST_CLAIMS {
            let Some(arm) = line.next(&pending, |open| self.barred(front, bars(open))) else { break };
            let kept = self.kept(arm);
            let is_foreseen = self.is_foreseen(kept);
            if !is_foreseen && !coming.is_empty() {
                break;
            }
            let place = known.iter().position(|(one, _)| *one == arm).unwrap_or_else(|| {
                known.push((arm, self.service(problem, model, kept, u64::MAX)));
                known.len() - 1
            });
            let service = known[place].1;
            let next = Service { times: service.times.min(left), ..service };
            match coming.last_mut() {
                Some(before) if last == arm => before.times += next.times,
                _ => coming.push(next),
            }
            if !is_foreseen {
                break;
            }
            left -= next.times;
            last = arm;
            line.count_in(observed(next), |counts, arm| self.foreseen(counts, arm));
        }
        coming
    }

    /// What serves a claim about these means, for the next `rounds` observations at most.
    pub fn service(&self, problem: &Problem, model: &Model, claim: WeakestClaim, rounds: u64) -> Service {
        let (arms, share) = self.measured_for(problem, model, claim);
        let given: f64 = arms.iter().map(|&arm| self.gauge.counts()[arm]).sum();
        // Where nothing is known of either, there is no share.
        let share = if share.is_nan() { 0.5 } else { share };
        let quantum = if claim.by == By::Proof { HELD_UP } else { QUANTUM };
        Service { arms, share, times: ((quantum * given) as u64).clamp(1, rounds.max(1)) }
    }

    /// The two arms to be measured for a claim about these means, and the part of an observation of either that is worth most for the first.
    fn measured_for(&self, problem: &Problem, model: &Model, served: WeakestClaim) -> ([usize; 2], f64) {
        let WeakestClaim { arm, rival, on_front, claim, by, .. } = served;
        // What is claimed of an arm's limits takes observations of that arm alone.
        if claim.limit().is_some() {
            return ([rival, rival], 0.5);
        }
        let share = match by {
            By::Glance => {
                let named = if on_front { arm } else { rival };
                self.gauge.share(problem, model, (arm, rival), named, claim.objective)
            }
            // What it seemed to take was wrong, and so may be whose observations it takes.
            By::Proof => 0.5,
        };
        ([arm, rival], share)
    }

    /// Whether it can be said how a claim will grow.
    fn is_foreseen(&self, claim: WeakestClaim) -> bool {
        let counts = self.gauge.counts();
        counts[claim.arm] > 0.0 && counts.get(claim.rival).is_some_and(|&count| count > 0.0)
    }

    /// What is kept of an arm, as it will be at these counts.
    fn foreseen(&self, counts: &[f64], arm: usize) -> Entry {
        let entry = self.entry(arm);
        let now = self.gauge.counts();
        let (Some(&ahead), Some(&seen)) = (counts.get(entry.rival), now.get(entry.rival)) else { return entry };
        if counts[arm] == now[arm] && ahead == seen {
            return entry;
        }
        let weight = |a: f64, b: f64| if arm == entry.rival { a } else { a * b / (a + b) };
        let (before, after) = (weight(now[arm], seen), weight(counts[arm], ahead));
        if !(before > 0.0) || entry.claim.cost == f64::INFINITY {
            return entry;
        }
        let mut claim = entry.claim;
        let more = claim.cost * (after / before - 1.0);
        claim.cost += more;
        claim.proof += more;
        Entry { claim, ..entry }
    }
}

/// The observations that serve a claim.
fn observed(Service { arms: [one, two], share, times }: Service) -> [(usize, f64); 2] {
    [(one, share * times as f64), (two, (1.0 - share) * times as f64)]
}
