//! One arm that is to be below another: the least product over all x.

use std::ops::Range;

use super::super::least_step::{Found, least};
use super::entropy::Entropy;
use super::excess::{Excess, Shown};
use crate::margin::Raise;
use crate::problem::Goal;
use crate::ranks::Ranks;
use crate::statistic::Quantile;

/// How far below the least a proof may be.
pub(super) const SLACK: f64 = 0.01;

/// How far from the least a cost may be: a part of it, and at least so much.
const COARSE: (f64, f64) = (0.1, 0.05);

/// At so many places it is looked whether a cost is certainly much, or little.
const LOOKS: usize = 4;

/// What rounding may do to a cost, as a part of it.
const ROUNDING: f64 = 1e-9;

/// One arm that is to be below another.
pub(super) struct Duel<'a> {
    pub low: &'a Ranks,
    pub high: &'a Ranks,
    /// Where the quantile of the one is, and which value of the other is the last up to its own.
    pub low_at: f64,
    pub high_place: usize,
    /// What the values of `high` are taken to be instead of what they are.
    pub raise: Raise,
    pub quantile: Quantile,
    pub logs: [f64; 2],
    pub goal: Goal,
    /// The mixtures for too many below, of the one, and above, of the other.
    pub below: &'a Excess,
    pub above: &'a Excess,
    pub entropy: &'a Entropy,
}

/// Where x may be: the product falls only where x passes a value of `high`, or what one is more than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At values of `high`.
    Values,
    /// Right behind what a value of `high` is more than: from there on it may be at or below x.
    Limits,
}

impl Duel<'_> {
    /// How many of `low` are certainly below x, and how many of `high` certainly above it, if x is at one of these places.
    #[inline]
    fn counts(&self, at: At, place: usize) -> (usize, usize) {
        let (low, values, limits) = (self.low.values(), self.high.values(), self.high.limits());
        match at {
            // Where values are equal, the last one tells: there the fewest are above.
            At::Values => {
                let x = values.nth(place);
                let passed = if limits.is_empty() { 0 } else { limits.below(x) };
                (low.below(self.raise.up(x)), self.high.len() - (place + 1) - passed)
            }
            At::Limits => {
                let x = limits.nth(place);
                (low.up_to(self.raise.up(x)), self.high.len() - values.up_to(x) - (place + 1))
            }
        }
    }

    /// The least over all x of something that grows with how many of `low` are below and something that grows with how many of `high` are above.
    fn least<T: Copy>(
        &self,
        places: Range<usize>,
        slack: impl Fn(f64) -> f64 + Copy,
        below: impl Fn(usize) -> T,
        above: impl Fn(usize) -> T,
        join: impl Fn(T, T) -> f64 + Copy,
    ) -> (f64, (usize, usize)) {
        // Below all values.
        let nowhere = (0, self.high.len());
        let mut best = (join(below(0), above(self.high.len())), nowhere);
        let mut bound = best.0;
        for (at, places) in [(At::Values, places), (At::Limits, 0..self.high.limits().len())] {
            let terms = |place: usize| {
                let (k, m) = self.counts(at, place);
                (below(k), above(m))
            };
            let Found { bound: next, value, place } = least(places, best.0, slack, terms, join);
            bound = bound.min(next);
            if let Some(place) = place {
                best = (value, self.counts(at, place));
            }
        }
        (bound, best.1)
    }

    /// The values of `high` from the last one that it costs nothing to have as x on the side of `low` to the first one that it costs nothing on its own.
    fn between(&self) -> Range<usize> {
        let values = self.high.values();
        let (from, to) = (values.up_to(self.raise.down(self.low_at)).saturating_sub(1), self.high_place);
        from.min(to)..(from.max(to) + 1).min(values.len())
    }

    /// n kl(k/n, q) of both arms where the sum is least, at these weights instead of n; and how many are below and above there.
    pub fn costs(&self, weights: (f64, f64)) -> ((usize, usize), (f64, f64)) {
        let (below, above) = self.excesses(weights);
        let slack = |best: f64| COARSE.0 * best + COARSE.1;
        let (_, (k, l)) = self.least(self.between(), slack, &below, &above, |one, two| one + two);
        ((k, l), (below(k), above(l)))
    }

    /// The most that one of the two says alone, if so many are below and above, at these weights instead of n.
    pub fn alone(&self, (k, l): (usize, usize), weights: (f64, f64)) -> f64 {
        let part = |k: usize, ranks: &Ranks| k as f64 / ranks.len().max(1) as f64;
        let (low, high) = (part(k, self.low), part(l, self.high));
        self.below.alone(weights.0, low).max(self.above.alone(weights.1, high))
    }

    /// n kl(k/n, q) of `low` if k are below, and of `high` if k are above, at these weights instead of n.
    #[inline]
    fn excesses(&self, weights: (f64, f64)) -> (impl Fn(usize) -> f64 + '_, impl Fn(usize) -> f64 + '_) {
        let (n, m) = (self.low.len(), self.high.len());
        let (q, [one, two]) = (self.quantile.level(), self.logs);
        let (low, high) = (weights.0 / n.max(1) as f64, weights.1 / m.max(1) as f64);
        (
            move |k: usize| low * self.entropy.excess(n, k, q, [one, two]),
            move |k: usize| high * self.entropy.excess(m, k, 1.0 - q, [two, one]),
        )
    }

    /// Whether the [`costs`](Self::costs) are certainly this much or more, by a few looks: what is left of a place has as many above as it or more, and what is right of it as many below.
    pub fn cost_at_least(&self, weights: (f64, f64), enough: f64) -> bool {
        let enough = enough * (1.0 + ROUNDING) + ROUNDING;
        let (below, above) = self.excesses(weights);
        // Below all values.
        if above(self.high.len()) < enough {
            return false;
        }
        // Where the sum may still be less, and what it has there on either side at least.
        let (mut places, mut least) = (self.between(), (0.0, 0.0));
        for _ in 0..LOOKS {
            if places.is_empty() {
                // Between two of the values there may be what one is more than.
                return self.high.limits().is_empty() || least.0 + least.1 >= enough;
            }
            let middle = places.start + places.len() / 2;
            let (k, l) = self.counts(At::Values, middle);
            let (rise, fall) = (below(k), above(l));
            match (least.0 + fall >= enough, rise + least.1 >= enough) {
                (true, true) => return true,
                (true, false) => (places.start, least.0) = (middle + 1, rise),
                (false, true) => (places.end, least.1) = (middle, fall),
                (false, false) => return false,
            }
        }
        false
    }

    /// Whether the [`costs`](Self::costs) are certainly less than this, by a few looks: what is found is little more than the sum anywhere.
    pub fn cost_below(&self, weights: (f64, f64), much: f64) -> bool {
        let (below, above) = self.excesses(weights);
        let is_less = |sum: f64| (sum + COARSE.1) / (1.0 - COARSE.0) * (1.0 + ROUNDING) + ROUNDING < much;
        if is_less(above(self.high.len())) {
            return true;
        }
        let mut places = self.between();
        for _ in 0..LOOKS {
            if places.is_empty() {
                break;
            }
            let middle = places.start + places.len() / 2;
            let (k, l) = self.counts(At::Values, middle);
            let (rise, fall) = (below(k), above(l));
            if is_less(rise + fall) {
                return true;
            }
            // Near the least of two parabolas.
            if rise * weights.0 < fall * weights.1 { places.start = middle + 1 } else { places.end = middle }
        }
        false
    }

    /// Of the lower and of the higher, where these are of the one ahead and of the one behind.
    #[inline]
    pub fn weights(&self, (ahead, behind): (f64, f64)) -> (f64, f64) {
        match self.goal {
            Goal::Max => (behind, ahead),
            Goal::Min => (ahead, behind),
        }
    }

    fn below(&self, k: usize) -> Shown {
        self.below.shown(self.low.len(), k)
    }

    fn above(&self, k: usize) -> Shown {
        self.above.shown(self.high.len(), k)
    }

    pub fn proof(&self) -> f64 {
        let places = 0..self.high.values().len();
        self.least(places, |_| SLACK, |k| self.below(k), |k| self.above(k), Shown::join).0
    }

    pub fn reaches(&self, bar: f64) -> bool {
        // A proof is less than the least by no more than the slack.
        let enough = bar + SLACK;
        let places = 0..self.high.values().len();
        let slack = |value: f64| SLACK.max(value - enough);
        let bound = self.least(places, slack, |k| self.below(k), |k| self.above(k), Shown::join).0;
        bound >= enough || (bound >= bar - SLACK && self.proof() >= bar)
    }

    pub fn glance(&self) -> f64 {
        let ((k, l), _) = self.costs((self.low.len() as f64, self.high.len() as f64));
        self.below(k).join(self.above(l))
    }
}
