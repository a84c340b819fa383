//! Whose claim would be served if another model were true.
//!
//! Before a lesson the claim that is furthest from what all are to come to by then is served. The standing of an arm off the front is as far as through the arm of it through which it is furthest, so any one of them
//! bounds that from below, and most often the first that is looked at tells that another arm's claim is further from there.

use super::rivals::is_challenger;
use super::turn::{Entry, Towards, is_short};
use super::{By, Claims, Found, WeakestClaim, claim_about};
use crate::front::Front;
use crate::model::Model;
use crate::problem::Problem;
use crate::stopping::{Bars, Outlook};

/// What rounding may add to a bound, as a part of it.
const ROUNDING: f64 = 1e-9;

/// So many dominators of an arm are looked at before all of them are.
const TELLING: usize = 3;

/// A model at the counts of a study, and its front.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    claims: &'a Claims,
    problem: &'a Problem,
    model: &'a Model,
    front: &'a Front,
    bars: Bars,
}

impl Claims {
    /// The claim to be served if this were the model, at the same counts; `front` is its front. Looks at all arms.
    pub fn served_in(
        &self,
        problem: &Problem,
        model: &Model,
        front: &Front,
        pending: impl Fn(usize) -> f64,
    ) -> Option<WeakestClaim> {
        let drawn =
            Drawn { claims: self, problem, model, front, bars: self.certified.bars(problem, &self.gauge, front) };
        let is_quick = self.way(problem) != Towards::Proof && self.limits.is_none();
        is_quick.then(|| drawn.shortest()).flatten().or_else(|| drawn.served(pending))
    }
}

impl Drawn<'_> {
    fn bar(&self, arm: usize) -> f64 {
        self.bars.of(&self.claims.gauge, arm, self.front.contains(arm))
    }

    /// What is claimed of an arm.
    fn entry(&self, arm: usize) -> Entry {
        let &Drawn { claims, problem, model, front, .. } = self;
        let (limits, outlook) = (claims.limits.as_deref(), Outlook::plain(model));
        let Found { claim, rival, .. } =
            claim_about(&claims.gauge, limits, problem, outlook, front, arm, claims.search(arm));
        Entry { claim, rival, on_front: front.contains(arm), bar: self.bar(arm) }
    }

    /// The claim to be served, by looking at all of them.
    fn served(&self, pending: impl Fn(usize) -> f64) -> Option<WeakestClaim> {
        let entries: Vec<Entry> = (0..self.problem.arm_count()).map(|arm| self.entry(arm)).collect();
        let mut line = self.claims.line(self.problem, |arm| entries[arm]);
        let bars = self.claims.certified.bars_beside(self.problem, &self.claims.gauge, self.front);
        let next = line.next(pending, |open| self.claims.barred(self.front, bars(open)));
        next.map(|arm| seen(arm, &entries[arm]))
    }

    /// Before a lesson: the claim that is furthest from what all are to come to by then, if there is one; without limits.
    fn shortest(&self) -> Option<WeakestClaim> {
        let (counts, arms) = (self.claims.gauge.counts(), 0..self.problem.arm_count());
        let total: f64 = counts.iter().sum();
        let mut short: Option<WeakestClaim> = None;
        // What is claimed of the front takes a look at all others of it, and says how far the others are to be.
        let members = self.front.members().iter().copied();
        for arm in members.chain(arms.filter(|&arm| !self.front.contains(arm))) {
            if short.is_some_and(|known| self.is_further(arm, known.fraction)) {
                continue;
            }
            let entry = self.entry(arm);
            let next = seen(arm, &entry);
            let is_weaker = |known: WeakestClaim| (next.fraction, arm) < (known.fraction, known.arm);
            if is_short(counts, arm, &entry, total) && short.is_none_or(is_weaker) {
                short = Some(next);
            }
        }
        short
    }

    /// Whether the claim about an arm has come further than this: by what some arms that dominate it tell, if it does not take many.
    fn is_further(&self, arm: usize, fraction: f64) -> bool {
        let &Drawn { claims, problem, model, front, .. } = self;
        let (gauge, outlook) = (&claims.gauge, Outlook::plain(model));
        if front.contains(arm) {
            return false;
        }
        // Those that are kept are likely to tell.
        let known = claims.search(arm).likely.into_iter().filter(|&rival| is_challenger(problem, front, arm, rival));
        let ahead = known.chain(front.members().iter().copied());
        let ahead = ahead.filter(|&rival| gauge.contradiction(problem, outlook, arm, rival).is_none());
        ahead.take(TELLING).any(|rival| {
            let claim = gauge.dominated(problem, outlook, arm, rival);
            claim.fraction_at_least(self.bar(arm)) * (1.0 - ROUNDING) > fraction
        })
    }
}

/// As it seems.
fn seen(arm: usize, &Entry { claim, rival, on_front, bar }: &Entry) -> WeakestClaim {
    WeakestClaim { arm, rival, on_front, claim, fraction: claim.fraction(bar), by: By::Glance }
}
