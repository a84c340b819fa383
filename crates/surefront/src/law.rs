//! What it costs to move a mean, by objective: the one thing in which the kinds of noise differ for the oracle.
//!
//! Σ w_i kl(m_i, x) = floor + W kl(c, x) with W = Σ w_i and c the weighted mean, in every one-parameter exponential family. So a sum
//! of costs is a [`Bowl`], whatever the law, and its minimum is at the weighted mean. The algorithms are written once, for any
//! [`Laws`]; where all noise is Gaussian they are compiled for that alone. Where some means have a head start that no other family member
//! has, the arm that places are relative to is summed apart from the others ([`Shifted`]).

mod shifted;

use crate::bowl::{Bowl, half_square, share};
use crate::family::Family;
use crate::margin::Raise;

pub(crate) use self::shifted::Shifted;

/// The law of one objective. Places are relative to an arm's mean, and larger is better. Of that arm and all others either it alone has a head start, or all others have.
pub(crate) trait Law: Copy {
    /// What it costs to move a mean of this weight from `at` to `at + by`, with the head start of the arm that places are relative to. Nothing moved costs nothing, even at an infinite weight.
    fn price(self, weight: f64, at: f64, by: f64) -> f64;

    /// The same with the head start of the others.
    #[inline]
    fn step(self, weight: f64, at: f64, by: f64) -> f64 {
        self.price(weight, at, by)
    }

    /// The same law, for an arm of this weight.
    #[inline]
    #[must_use]
    fn of_weight(self, _: f64) -> Self {
        self
    }

    /// The sum of the costs of the arm alone.
    #[inline]
    fn alone(self, own: f64) -> Bowl {
        Bowl::at_origin(own)
    }

    /// A sum of costs plus that of one more mean, of another arm.
    fn plus(self, sum: Bowl, weight: f64, at: f64) -> Bowl;

    /// Where a sum is least, and what it is there.
    #[inline]
    fn bottom(self, sum: Bowl) -> Bottom {
        Bottom { centre: sum.centre, floor: sum.floor }
    }

    /// The furthest place at which a sum is no more than `level`, or a place beyond it.
    fn reach(self, sum: Bowl, level: f64) -> f64;

    /// At least what stepping aside at `at` adds to a cost that has its least value at `bottom`, if the place is at most `reach`, up to where the cost is no less than the sum `beyond`.
    fn rise(self, bottom: Bottom, beyond: Bowl, reach: f64, weight: f64, at: f64) -> f64;

    /// How far two arms of these weights go until they are level, of which the first, which places are relative to, is ahead by `gap`: it goes down, and the other up.
    #[inline]
    fn split(self, one: f64, two: f64, gap: f64) -> (f64, f64) {
        let share = share(one, two);
        (share * gap, (1.0 - share) * gap)
    }

    /// No more than what it costs to move two means, the one at the origin and the other `gap` below it, until they are level; without a logarithm.
    #[inline]
    fn level_at_least(self, weights: (f64, f64), gap: f64) -> f64 {
        let (one, two) = self.parts_at_least(weights, gap);
        one + two
    }

    /// The same: what each of the two adds.
    fn parts_at_least(self, weights: (f64, f64), gap: f64) -> (f64, f64);

    /// No less than that, as quickly: what each of the two adds.
    fn level_at_most(self, weights: (f64, f64), gap: f64) -> (f64, f64);
}

/// The least value of a sum of costs, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bottom {
    pub centre: f64,
    pub floor: f64,
}

/// [`Law::reach`] where the sum is a bowl, by how far above its centre it has risen by some height.
#[inline]
fn reach_of_bowl(sum: Bowl, level: f64, width: impl FnOnce(f64) -> f64) -> f64 {
    if sum.weight > 0.0 { sum.centre + width((level - sum.floor).max(0.0)) } else { f64::INFINITY }
}

/// [`Law::rise`] where the sum is a bowl: up to `reach` the cost rises at least like one of that weight around its minimum, since V(x) times its slope has at least this slope.
#[inline]
fn rise_of_bowl(law: impl Law, bottom: Bottom, beyond: Bowl, reach: f64, weight: f64, at: f64) -> f64 {
    let rise = Bowl { weight: beyond.weight, centre: bottom.centre, floor: 0.0 };
    let sum = law.plus(rise, weight, at);
    if sum.centre <= reach {
        sum.floor
    } else {
        law.price(rise.weight, rise.centre, reach - rise.centre) + law.price(weight, at, reach - at)
    }
}

/// The laws of all objectives.
pub(crate) trait Laws: Copy {
    type Law: Law;

    /// Whether all of them are Gaussian, for ways that only those can go.
    const GAUSSIAN: bool;

    /// The law of an objective, with places relative to these means, of an arm that has no head start; all others have theirs.
    fn law(self, objective: usize, origin: &[f64]) -> Self::Law;

    /// The same where the arm has its head start, which is part of its mean, and no other has one.
    fn of_raised(self, objective: usize, mean: f64) -> Self::Law;
}

/// Gaussian noise: ½ weight (x − at)², wherever that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaussian;

impl Law for Gaussian {
    #[inline]
    fn price(self, weight: f64, _: f64, by: f64) -> f64 {
        half_square(weight, by)
    }

    #[inline]
    fn plus(self, sum: Bowl, weight: f64, at: f64) -> Bowl {
        sum.plus(weight, at)
    }

    #[inline]
    fn reach(self, sum: Bowl, level: f64) -> f64 {
        reach_of_bowl(sum, level, |rise| (2.0 * rise / sum.weight).sqrt())
    }

    #[inline]
    fn rise(self, bottom: Bottom, beyond: Bowl, reach: f64, weight: f64, at: f64) -> f64 {
        rise_of_bowl(self, bottom, beyond, reach, weight, at)
    }

    #[inline]
    fn level_at_least(self, weights: (f64, f64), gap: f64) -> f64 {
        half_square(parallel(weights), gap)
    }

    #[inline]
    fn parts_at_least(self, (one, two): (f64, f64), gap: f64) -> (f64, f64) {
        let share = share(one, two);
        let by = |weight: f64, way: f64| (1.0 - ROUNDING) * moved(weight, half_square(1.0, way));
        (by(one, share * gap), by(two, (1.0 - share) * gap))
    }

    #[inline]
    fn level_at_most(self, (one, two): (f64, f64), gap: f64) -> (f64, f64) {
        let share = share(one, two);
        let by = |weight: f64, way: f64| (1.0 + ROUNDING) * moved(weight, half_square(1.0, way));
        (by(one, share * gap), by(two, (1.0 - share) * gap))
    }
}

/// The weight of a difference of two means.
#[inline]
fn parallel((one, two): (f64, f64)) -> f64 {
    match (one < f64::INFINITY, two < f64::INFINITY) {
        (true, true) if one + two > 0.0 => one * two / (one + two),
        (true, true) => 0.0,
        (true, false) => one,
        (false, _) => two,
    }
}

/// What a move adds that costs so much at a weight of one: nothing where nothing has moved, even at an infinite weight.
#[inline]
fn moved(weight: f64, cost: f64) -> f64 {
    if cost == 0.0 { 0.0 } else { weight * cost }
}

/// What rounding may take from a cost or add to it, as a part of it.
const ROUNDING: f64 = 1e-9;

impl Laws for Gaussian {
    type Law = Gaussian;
    const GAUSSIAN: bool = true;

    #[inline]
    fn law(self, _: usize, _: &[f64]) -> Gaussian {
        Gaussian
    }

    #[inline]
    fn of_raised(self, _: usize, _: f64) -> Gaussian {
        Gaussian
    }
}

/// The family of an objective, and which way it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kind {
    pub family: Family,
    /// 1 where larger values are better, otherwise −1.
    pub sign: f64,
}

impl Kind {
    /// Whether no mean can get to this one by finitely much evidence: the edge of the domain.
    pub fn is_edge(self, mean: f64) -> bool {
        match self.family {
            Family::Gaussian | Family::Exponential => false,
            Family::Bernoulli => mean == 0.0 || self.sign * mean == 1.0,
            Family::Poisson => mean == 0.0,
        }
    }

    /// The law with places relative to a mean.
    #[inline]
    pub fn around(self, mean: f64) -> Placed {
        Placed { kind: self, origin: self.sign * mean }
    }
}

/// The family of each objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds<'a>(pub &'a [Kind]);

impl Laws for Kinds<'_> {
    type Law = Placed;
    const GAUSSIAN: bool = false;

    #[inline]
    fn law(self, objective: usize, origin: &[f64]) -> Placed {
        self.0[objective].around(origin[objective])
    }

    #[inline]
    fn of_raised(self, objective: usize, mean: f64) -> Placed {
        self.0[objective].around(mean)
    }
}

/// The family of each objective, and the head start in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaisedKinds<'a>(pub &'a [Kind], pub &'a [Raise]);

impl Laws for RaisedKinds<'_> {
    type Law = Shifted;
    const GAUSSIAN: bool = false;

    #[inline]
    fn law(self, objective: usize, origin: &[f64]) -> Shifted {
        Shifted::new(self.0[objective], origin[objective], Raise::NONE, self.1[objective])
    }

    #[inline]
    fn of_raised(self, objective: usize, mean: f64) -> Shifted {
        Shifted::new(self.0[objective], mean, self.1[objective], Raise::NONE)
    }
}

/// A family, around a mean in its own units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    kind: Kind,
    origin: f64,
}

impl Placed {
    /// The variance of one observation at a place; where it is no function of the place, the unit.
    #[inline]
    fn variance(self, at: f64) -> f64 {
        self.kind.family.variance(self.value(at))
    }

    /// How far above its centre a bowl of positive weight has risen by `rise`.
    #[inline]
    fn width(self, bowl: Bowl, rise: f64) -> f64 {
        self.kind.family.climb(self.value(bowl.centre), self.kind.sign, rise / bowl.weight)
    }

    /// The same with places counted the other way.
    fn reversed(self) -> Placed {
        Placed { kind: Kind { sign: -self.kind.sign, ..self.kind }, ..self }
    }

    /// A place in the family's own units.
    #[inline]
    fn value(self, at: f64) -> f64 {
        self.origin + self.kind.sign * at
    }
}

impl Law for Placed {
    #[inline]
    fn price(self, weight: f64, at: f64, by: f64) -> f64 {
        if self.kind.family == Family::Gaussian {
            return half_square(weight, by);
        }
        if by == 0.0 || weight == 0.0 {
            return 0.0;
        }
        // What has no noise does not move, and a way that is closed is at infinity.
        if weight == f64::INFINITY || by.abs() == f64::INFINITY {
            return f64::INFINITY;
        }
        weight * self.kind.family.divergence(self.value(at), self.kind.sign * by)
    }

    /// Both go to the weighted mean: the sum of two non-negative numbers, each of a difference that keeps its digits.
    #[inline]
    fn plus(self, sum: Bowl, weight: f64, at: f64) -> Bowl {
        if self.kind.family == Family::Gaussian {
            return sum.plus(weight, at);
        }
        let gap = at - sum.centre;
        let total = sum.weight + weight;
        let (there, back) = if total > 0.0 && total < f64::INFINITY {
            (weight / total, sum.weight / total)
        } else {
            match (sum.weight < f64::INFINITY, weight < f64::INFINITY) {
                // Both weights are zero: wherever they meet, it costs nothing.
                (true, true) => return sum,
                (true, false) => (1.0, 0.0),
                (false, true) => (0.0, 1.0),
                (false, false) if gap == 0.0 => return sum,
                (false, false) => return Bowl { floor: f64::INFINITY, ..sum },
            }
        };
        let costs = self.price(sum.weight, sum.centre, there * gap) + self.price(weight, at, -back * gap);
        Bowl { weight: total, centre: sum.centre + there * gap, floor: sum.floor + costs }
    }

    #[inline]
    fn reach(self, sum: Bowl, level: f64) -> f64 {
        reach_of_bowl(sum, level, |rise| self.width(sum, rise))
    }

    #[inline]
    fn rise(self, bottom: Bottom, beyond: Bowl, reach: f64, weight: f64, at: f64) -> f64 {
        rise_of_bowl(self, bottom, beyond, reach, weight, at)
    }

    #[inline]
    fn parts_at_least(self, weights: (f64, f64), gap: f64) -> (f64, f64) {
        let (family, sign, share) = (self.kind.family, self.kind.sign, share(weights.0, weights.1));
        let one = moved(weights.0, family.divergence_at_least(self.value(0.0), -sign * (share * gap)));
        let two = moved(weights.1, family.divergence_at_least(self.value(-gap), sign * ((1.0 - share) * gap)));
        ((1.0 - ROUNDING) * one, (1.0 - ROUNDING) * two)
    }

    #[inline]
    fn level_at_most(self, weights: (f64, f64), gap: f64) -> (f64, f64) {
        let (family, sign, share) = (self.kind.family, self.kind.sign, share(weights.0, weights.1));
        let one = moved(weights.0, family.divergence_at_most(self.value(0.0), -sign * (share * gap)));
        let two = moved(weights.1, family.divergence_at_most(self.value(-gap), sign * ((1.0 - share) * gap)));
        ((1.0 + ROUNDING) * one, (1.0 + ROUNDING) * two)
    }
}

/// Calls what is written for any laws with those of a problem, so that the Gaussian ones are told apart once, and not in inner loops.
macro_rules! with_laws {
    ($problem:expr, $laws:ident => $body:expr) => {
        match ($problem.kinds(), $problem.raises()) {
            (None, _) => {
                let $laws = $crate::law::Gaussian;
                $body
            }
            (Some(kinds), None) => {
                let $laws = $crate::law::Kinds(kinds);
                $body
            }
            (Some(kinds), Some(raises)) => {
                let $laws = $crate::law::RaisedKinds(kinds, raises);
                $body
            }
        }
    };
}
pub(crate) use with_laws;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// A sum is what it is a sum of, wherever it is looked at, and its width is where it has risen that much.
        #[test]
        fn sums_and_widths_hold(
            which in 0usize..3, up in any::<bool>(), m in 1e-6..1.0f64, other in 0.0..1.0f64, third in 0.0..1.0f64,
            one in -6.0..3.0f64, two in -6.0..3.0f64,
        ) {
            let family = [Family::Bernoulli, Family::Poisson, Family::Exponential][which];
            let sign = if up { 1.0 } else { -1.0 };
            let law = Kind { family, sign }.around(sign * m);
            let (one, two) = (10f64.powf(one), 10f64.powf(two));
            let (at, x) = (sign * (other.max(1e-6) - m), sign * (third.max(1e-6) - m));
            let sum = law.plus(Bowl::at_origin(one), two, at);
            let apart = law.price(one, 0.0, x) + law.price(two, at, x - at);
            let together = sum.floor + law.price(sum.weight, sum.centre, x - sum.centre);
            prop_assert!((apart - together).abs() <= 1e-8 * apart + 1e-300, "{apart} {together}");
            let rise = 0.1 * one;
            let width = law.width(sum, rise);
            let risen = law.price(sum.weight, sum.centre, width);
            prop_assert!(width == 0.0 || risen >= rise * (1.0 - 1e-12), "{risen} {rise}");
        }

        /// No more than the cost of making two means level, also at the edge of the domain, and not much less where they are near.
        #[test]
        fn quick_bounds_hold(
            which in 0usize..4, up in any::<bool>(), m in 0.0..=1.0f64, other in 0.0..=1.0f64, one in -6.0..6.0f64, two in -6.0..6.0f64,
            near in any::<bool>(),
        ) {
            let family = [Family::Bernoulli, Family::Poisson, Family::Exponential, Family::Gaussian][which];
            let inside = |mean: f64| if family == Family::Exponential { mean.max(1e-3) } else { mean };
            let other = if near { m + 0.01 * (other - m) } else { other };
            let (m, other) = (inside(m), inside(other));
            let sign = if up { 1.0 } else { -1.0 };
            let law = Kind { family, sign }.around(sign * m);
            let (gap, weights) = (sign * (m - other), (10f64.powf(one), 10f64.powf(two)));
            let cost = law.plus(Bowl::at_origin(weights.0), weights.1, -gap).floor;
            let bound = law.level_at_least(weights, gap);
            prop_assert!(bound <= cost, "{bound} {cost}");
            let most = law.level_at_most(weights, gap);
            prop_assert!(cost <= most.0 + most.1, "{most:?} {cost}");
            let is_inside = family.variance(m).min(family.variance(other)) > 0.1;
            prop_assert!(!near || !is_inside || (bound >= 0.99 * cost && most.0 + most.1 <= 1.02 * cost), "{bound} {cost} {most:?}");
        }
    }
}
