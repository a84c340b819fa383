//! About the proof of a lead in one objective, quickly: at one scale, and at a few means that both arms may have in common.

use std::f64::consts::LN_2;

use super::claim::Claim;
use super::few::Few;
use super::term::{Term, Unknown};
use crate::side::Contrast;

/// In units of the variance: up to this square of a gap, no arm of unknown variance bears all of it.
const NEAR: f64 = 0.2;

/// What atoms in place of a density, and the weight of no tilt, may take from a proof about quantiles.
const CAUTION: f64 = 0.4;

/// About the proof at the best of the scales, and who is off there.
#[inline]
pub(super) fn best(contrast: Contrast, one: &Few<Term>, two: &Few<Term>) -> (f64, Bearing) {
    let (one_list, two_list) = (one.list(), two.list());
    if let ([first], [second]) = (one_list, two_list) {
        return together(&Pull::new(contrast, first, second), first, second);
    }
    let at = |place: usize, pull: &Pull| {
        let (proof, bearing) = together(pull, &one_list[place], &two_list[place]);
        (proof + one.ln_weight(place), bearing)
    };
    // Of two, the first is thought to be the right one.
    if let ([first, other], [second, another]) = (one_list, two_list) {
        let found = at(0, &Pull::new(contrast, first, second));
        let pull = Pull::new(contrast, other, another);
        if pull.at_most(other, another) + one.ln_weight(1) < found.0 {
            return found;
        }
        let next = at(1, &pull);
        return if next.0 > found.0 { next } else { found };
    }
    // The one that promises most comes first: most often the others promise less than it has.
    let mut pulls = [(Pull::NONE, f64::NEG_INFINITY); 3];
    let mut top = 0;
    for (place, (first, second)) in one_list.iter().zip(two_list).enumerate() {
        let pull = Pull::new(contrast, first, second);
        pulls[place] = (pull, pull.at_most(first, second) + one.ln_weight(place));
        if pulls[place].1 > pulls[top].1 {
            top = place;
        }
    }
    let (mut found, mut where_found) = (at(top, &pulls[top].0), top);
    for place in (0..one_list.len()).filter(|&place| place != top) {
        if pulls[place].1 < found.0 {
            continue;
        }
        let next = at(place, &pulls[place].0);
        if next.0 > found.0 || (next.0 == found.0 && place < where_found) {
            (found, where_found) = (next, place);
        }
    }
    found
}

/// No more than about the proof at the best of the scales, quickly: at the one that promises most, or of two at the one that is thought to be right.
#[inline]
pub(super) fn at_least(contrast: Contrast, one: &Few<Term>, two: &Few<Term>) -> f64 {
    let (one_list, two_list) = (one.list(), two.list());
    let mut top = (f64::NEG_INFINITY, 0);
    if one_list.len() > 2 {
        // About what is kept of the cost; any scale will do for a bound.
        let cost = 0.5 * parallel((contrast.one, contrast.two)) * contrast.gap * contrast.gap;
        for (place, (first, second)) in one_list.iter().zip(two_list).enumerate() {
            let promise = first.price + second.price + first.kept.min(second.kept) * cost + one.ln_weight(place);
            if promise > top.0 {
                top = (promise, place);
            }
        }
    }
    let (first, second) = (&one_list[top.1], &two_list[top.1]);
    Pull::new(contrast, first, second).at_least(first, second) + one.ln_weight(top.1)
}

/// No less than about the proof at the best of the scales, quickly.
#[inline]
pub(super) fn at_most(contrast: Contrast, one: &Few<Term>, two: &Few<Term>) -> f64 {
    let scales = one.list().iter().zip(two.list()).enumerate();
    let promises = scales.map(|(place, (first, second))| {
        Pull::new(contrast, first, second).at_most(first, second) + one.ln_weight(place)
    });
    promises.fold(f64::NEG_INFINITY, f64::max)
}

/// What rounding may add to a quick bound, as a part of it.
const ROUNDING: f64 = 1e-9;

/// Two arms at one scale.
#[derive(Clone, Copy, Debug)]
struct Pull {
    gap: f64,
    /// What it costs not to know, of those that have noise.
    prices: f64,
    /// What is kept of the weights of their means; infinite without noise.
    a: f64,
    b: f64,
    /// The weight of their difference.
    both: f64,
}

impl Pull {
    /// None at all.
    const NONE: Pull = Pull { gap: 0.0, prices: 0.0, a: 0.0, b: 0.0, both: 0.0 };

    #[inline]
    fn new(contrast: Contrast, one: &Term, two: &Term) -> Self {
        let (mut prices, mut a, mut b) = (0.0, f64::INFINITY, f64::INFINITY);
        if contrast.one < f64::INFINITY {
            a = contrast.one * one.kept;
            prices += one.price;
        }
        if contrast.two < f64::INFINITY {
            b = contrast.two * two.kept;
            prices += two.price;
        }
        Pull { gap: contrast.gap.max(0.0), prices, a, b, both: parallel((a, b)) }
    }

    /// No less than about the proof: that of the squares, and ln 2 for each side. Where one arm of unknown variance may be off by all of the gap, no more than that can ever prove.
    #[inline]
    fn at_most(&self, one: &Term, two: &Term) -> f64 {
        let steepest = |term: &Term| term.unknown.as_ref().map_or(1.0, |unknown| unknown.steepest);
        let steepest = steepest(one).max(steepest(two));
        let mut grown = 0.5 * self.both * self.gap * self.gap * steepest + 2.0 * LN_2;
        let alone = |own: f64, term: &Term| match &term.unknown {
            Some(unknown) if own < f64::INFINITY => unknown.rise.top - unknown.rise.price + LN_2,
            _ => f64::INFINITY,
        };
        let top = alone(self.a, one).min(alone(self.b, two));
        if top < grown && !self.is_near(one, two) {
            grown = top;
        }
        self.prices + grown * (1.0 + ROUNDING) + ROUNDING
    }

    /// No more than about the proof.
    #[inline]
    fn at_least(&self, one: &Term, two: &Term) -> f64 {
        let Pull { gap, prices, a, b, both } = *self;
        if one.unknown.is_none() && two.unknown.is_none() {
            let grown = 0.5 * both * gap * gap;
            return prices + grown * (1.0 - ROUNDING) - ROUNDING;
        }
        let grown = |own: f64, term: &Term, off: f64| {
            let is_moved = own < f64::INFINITY && own > 0.0;
            let square = own * off * off;
            if is_moved { term.unknown.as_ref().map_or(0.5 * square, |unknown| unknown.at_least(square)) } else { 0.0 }
        };
        let off = |own: f64| if own > 0.0 { gap * (both / own) } else { 0.0 };
        let mut least = grown(a, one, off(a)) + grown(b, two, off(b));
        if !self.is_near(one, two) {
            let alone = |own: f64, term: &Term| match term.unknown {
                Some(_) if own < f64::INFINITY => grown(own, term, gap),
                _ => f64::INFINITY,
            };
            least = least.min(alone(a, one)).min(alone(b, two));
        }
        prices + least * (1.0 - ROUNDING) - ROUNDING
    }

    /// Whether what both arms prove grows ever faster up to all of the gap: then the least is where it is for known variances, or near.
    #[inline]
    fn is_near(&self, one: &Term, two: &Term) -> bool {
        let is_near = |own: f64, unknown: &Option<Unknown>| {
            unknown.as_ref().is_none_or(|unknown| own * self.gap * self.gap <= NEAR * unknown.freedom)
        };
        is_near(self.a, &one.unknown) && is_near(self.b, &two.unknown)
    }
}

/// About the proof at the best of the scales, where each arm adds this to the cost.
#[inline]
pub(super) fn by_shares((first, second): (f64, f64), one: &Few<Term>, two: &Few<Term>) -> f64 {
    let grown = |cost: f64, term: &Term| {
        let cost = cost * term.kept;
        term.price + cost + ln_two_cdf((2.0 * cost).sqrt())
    };
    let best = one.zip(*two).map(|(one, two)| grown(first, &one) + grown(second, &two)).top_weighed();
    // Rather too little than too much: that all seems to be proved and is not takes long to see.
    best - CAUTION
}

/// A cost for which [`by_shares`] is `proof` or more, however two arms share it.
#[inline]
pub(super) fn cost_for(proof: f64, one: &Few<Term>, two: &Few<Term>) -> f64 {
    let at = |(kept, price): (f64, f64)| {
        let cost = (proof + price) / kept;
        // What it gains to know the sides is least where one arm has all of it; it is less than this.
        let most = 0.7 / kept;
        if cost > 2.0 * most { cost - ln_two_cdf((2.0 * (cost - most) * kept).sqrt()) / kept } else { cost }
    };
    prices(one, two).map(at).fold(f64::INFINITY, f64::min).max(0.0)
}

/// A cost and a proof of a claim that is further on its way than `part`, which is less than one; the proof is worth `less` than [`by_shares`]. `None` if there is none.
#[inline]
pub(super) fn cost_on_the_way(part: f64, less: f64, one: &Few<Term>, two: &Few<Term>) -> Option<(f64, f64)> {
    if !(0.0..1.0).contains(&part) {
        return None;
    }
    let at = |(kept, price): (f64, f64)| {
        let cost = part * (Claim::GOAL + price + less) / (1.0 - part + part * kept);
        (cost, kept * cost - price)
    };
    prices(one, two).map(at).reduce(|one, two| if two.0 < one.0 { two } else { one })
}

/// By scale: what is kept of a cost at least, and what is taken from that.
#[inline]
fn prices(one: &Few<Term>, two: &Few<Term>) -> impl Iterator<Item = (f64, f64)> {
    let scales = one.list().iter().zip(two.list()).enumerate();
    scales.map(move |(place, (first, second))| {
        (first.kept.min(second.kept), CAUTION - one.ln_weight(place) - first.price - second.price)
    })
}

/// About the proof at one scale.
#[inline]
fn together(pull: &Pull, one: &Term, two: &Term) -> (f64, Bearing) {
    let Pull { gap, prices, a, b, both } = *pull;
    // The shift of an arm is the other's share of the gap.
    let shifted = |own: f64, unknown: &Option<Unknown>, u: f64| {
        let is_moved = own < f64::INFINITY && own > 0.0;
        if is_moved {
            unknown.as_ref().map_or_else(|| 0.5 * u * u + ln_two_cdf(u), |unknown| unknown.grown(u))
        } else {
            0.0
        }
    };
    let share = |own: f64| both / own.sqrt() * gap;
    let balanced = shifted(a, &one.unknown, share(a)) + shifted(b, &two.unknown, share(b));
    // What an arm of unknown variance proves is bounded, however far its mean is off: perhaps it is off by all of the gap.
    let alone = |own: f64, unknown: &Option<Unknown>| match unknown {
        Some(known) if own < f64::INFINITY => {
            // Most often a glance tells that it is more.
            let is_more = own > 0.0 && known.at_least(own * gap * gap) * (1.0 - ROUNDING) - ROUNDING > balanced;
            if is_more { f64::INFINITY } else { shifted(own, unknown, own.sqrt() * gap) }
        }
        _ => f64::INFINITY,
    };
    let (first, second) = if pull.is_near(one, two) {
        (f64::INFINITY, f64::INFINITY)
    } else {
        (alone(a, &one.unknown), alone(b, &two.unknown))
    };
    let least = balanced.min(first).min(second);
    let bearing = if least == balanced {
        Bearing::Both
    } else if least == first {
        Bearing::First
    } else {
        Bearing::Second
    };
    (prices + least, bearing)
}

/// Which of two arms is off where the proof is least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bearing {
    Both,
    First,
    Second,
}

/// The weight of a difference of two.
#[inline]
fn parallel((a, b): (f64, f64)) -> f64 {
    match (a < f64::INFINITY, b < f64::INFINITY) {
        (true, true) if a + b > 0.0 => a * b / (a + b),
        (true, true) => 0.0,
        (true, false) => a,
        (false, _) => b,
    }
}

/// ln(2 Φ(u)) for u ≥ 0, to within 0.06.
#[inline]
pub(super) fn ln_two_cdf(u: f64) -> f64 {
    let v = u * (u + 1.7);
    LN_2 * v / (v + 0.9)
}

/// No more than ln z for a normal positive z, by no more than 0.06: the exponent and what follows it, as one number.
#[inline]
pub(super) fn ln_at_least(z: f64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 52) as f64;
    LN_2 * (z.to_bits() as f64 * UNIT - 1023.0) - ROUNDING
}

/// No less than that, as quickly.
#[inline]
pub(super) fn ln_at_most(z: f64) -> f64 {
    ln_at_least(z) + 0.06
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stopping::certified::forecast;
    use crate::stopping::certified::student::{Curve, WIDTHS};

    /// An arm of known or unknown variance, or one that was foretold, at one width or more.
    fn terms(count: f64, kind: usize, widths: usize) -> Few<Term> {
        let [first, second, _] = WIDTHS;
        let widths = [Few::one(first), Few::led([first, second]), Few::three(WIDTHS)][widths];
        widths.map(|width| {
            let term = Term::new(count, width.shift);
            if kind == 0 {
                return term;
            }
            if kind == 1 {
                return forecast::about(count, -1.5);
            }
            let rise = Curve::new(count, count, width).rise;
            let leak = (1.0 - term.kept) / (count * term.kept);
            Term { price: rise.price, unknown: Some(Unknown::new(rise, count, leak)), ..term }
        })
    }

    proptest! {
        #[test]
        fn a_logarithm_is_bounded(x in -300.0f64..300.0, whole in -900i32..900) {
            for z in [10f64.powf(x), 2f64.powi(whole), 2f64.powi(whole).next_down()] {
                prop_assert!(ln_at_least(z) <= z.ln() && z.ln() <= ln_at_most(z), "{z}");
            }
        }

        /// Known and unknown variances, arms without noise, few observations and many, gaps from nothing to far.
        #[test]
        fn quick_bounds_hold(
            counts in (2.0f64..12.0, 2.0f64..12.0), units in (-6.0f64..6.0, -6.0f64..6.0), gap in -8.0f64..6.0,
            kinds in (0usize..3, 0usize..3), widths in 0usize..3, exact in any::<(bool, bool)>(), ahead in any::<bool>(),
        ) {
            let (n, m) = (counts.0.exp2(), counts.1.exp2());
            let weight = |exact: bool, count: f64, unit: f64| if exact { f64::INFINITY } else { count * unit.exp2() };
            let gap = if ahead { gap.exp2() } else { -gap.exp2() };
            let contrast = Contrast { gap, one: weight(exact.0, n, units.0), two: weight(exact.1 && !exact.0, m, units.1) };
            let (one, two) = (terms(n, kinds.0, widths), terms(m, kinds.1, widths));
            for (first, second) in one.list().iter().zip(two.list()) {
                let pull = Pull::new(contrast, first, second);
                let about = together(&pull, first, second).0;
                let (low, high) = (pull.at_least(first, second), pull.at_most(first, second));
                prop_assert!(low <= about && about <= high, "{low} {about} {high}");
            }
            // One scale after the other: of those that prove as much, the first.
            let mut slow = (f64::NEG_INFINITY, Bearing::Both);
            for (place, (first, second)) in one.list().iter().zip(two.list()).enumerate() {
                let (proof, bearing) = together(&Pull::new(contrast, first, second), first, second);
                let next = (proof + one.ln_weight(place), bearing);
                if next.0 > slow.0 {
                    slow = next;
                }
            }
            prop_assert_eq!(best(contrast, &one, &two), slow);
            let slow = slow.0;
            prop_assert!(at_least(contrast, &one, &two) <= slow && slow <= at_most(contrast, &one, &two));
        }
    }
}
