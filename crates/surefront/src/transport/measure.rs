//! What pieces are compared by from one observation to the next, and how much of it one observation may take.

use crate::law::{Law, Laws, with_laws};
use crate::limit::behind_post;
use crate::model::Model;
use crate::problem::Problem;
use crate::tally::Tally;

/// Bounds are kept this much on the safe side of rounding.
const SAFETY: f64 = 1e-9;

/// The further the distance of a piece is known to be, the longer it sleeps; but beyond this many times the best cost it is not worth
/// the search for a better bound.
pub(super) const FORESIGHT: f64 = 4.0;

/// What pieces are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The distance that goes with a cost: all noise is Gaussian.
    Distance,
    /// The cost itself.
    Cost,
}

impl Measure {
    /// That of a problem.
    pub fn of(problem: &Problem) -> Self {
        let is_gaussian = |problem: &Problem| problem.kinds().is_none();
        let are_limits = problem.gate().is_none_or(|gate| is_gaussian(gate.problem()));
        if is_gaussian(problem) && are_limits { Measure::Distance } else { Measure::Cost }
    }

    /// Of a piece that costs so much.
    #[inline]
    pub fn of_cost(self, cost: f64) -> f64 {
        match self {
            Measure::Distance => (2.0 * cost).sqrt(),
            Measure::Cost => cost,
        }
    }

    /// The same, on the safe side of rounding, for a bound that is kept.
    #[inline]
    pub fn kept(self, cost: f64) -> f64 {
        self.of_cost(cost) * (1.0 - SAFETY)
    }

    /// Up to which a piece may be as close as one that costs `below`.
    #[inline]
    pub fn reach(self, below: f64) -> f64 {
        self.of_cost(below) * (1.0 + SAFETY)
    }

    /// By how much the means of an arm have moved with the last of `count` observations: by unit of weight and squared, for a distance; otherwise what that costs.
    #[inline]
    fn moved(self, laws: impl Laws, (before, now): (&[f64], &[f64]), precision: &[f64], count: f64) -> f64 {
        let moved = before.iter().zip(now).zip(precision).enumerate();
        let moved = moved.filter(|(_, ((from, to), _))| from != to);
        if self == Measure::Distance {
            return moved.map(|(_, ((from, to), p))| p * (to - from).powi(2)).sum();
        }
        let earlier = count - 1.0;
        let costs = moved.map(|(j, ((from, to), &precision))| {
            // The observation is as far from the new mean as all before it together.
            let (law, by) = (laws.law(j, before), to - from);
            law.price(earlier * precision, 0.0, by) + law.price(precision, by + earlier * by, -earlier * by)
        });
        costs.sum()
    }

    /// By how much an observation of `arm`, which turned the means `before` into those of the tally, may have lowered the distances of the pieces that involve it; at most
    /// [`f64::MAX`], which nothing survives.
    pub fn drift(self, laws: impl Laws, problem: &Problem, before: &Model, tally: &Tally, arm: usize) -> f64 {
        let (now, count) = (tally.means(), tally.counts()[arm]);
        let mut sum = self.moved(laws, (before.row(arm), now.row(arm)), problem.precision(arm), count);
        if let (Some(gate), Some(before), Some(now)) = (problem.gate(), before.limited(), now.limited()) {
            // What is only limited. What is optimised and limited counts twice, which is on the safe side.
            let place = behind_post(arm);
            let (from, to, precision) = (before.row(place), now.row(place), gate.problem().precision(place));
            sum += with_laws!(gate.problem(), laws => self.moved(laws, (from, to), precision, count));
        }
        let drift = match self {
            Measure::Distance => (count * sum).sqrt() * (1.0 + SAFETY),
            Measure::Cost => sum * (1.0 + SAFETY),
        };
        drift.min(f64::MAX)
    }
}
