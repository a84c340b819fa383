//! About the proof of a lead in one objective, quickly: at one scale, and at a few means that both arms may have in common.

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
    let mut best = (f64::NEG_INFINITY, Bearing::Both);
    for (first, second) in one.list().iter().zip(two.list()) {
        let next = together(contrast, first, second);
        if next.0 > best.0 {
            best = next;
        }
    }
    (best.0 - one.ln_count(), best.1)
}

/// About the proof at the best of the scales, where each arm adds this to the cost.
#[inline]
pub(super) fn by_shares((first, second): (f64, f64), one: &Few<Term>, two: &Few<Term>) -> f64 {
    let grown = |cost: f64, term: &Term| {
        let cost = cost * term.kept;
        term.price + cost + ln_two_cdf((2.0 * cost).sqrt())
    };
    let scales = one.list().iter().zip(two.list());
    let best = scales.map(|(one, two)| grown(first, one) + grown(second, two)).fold(f64::NEG_INFINITY, f64::max);
    // Rather too little than too much: that all seems to be proved and is not takes long to see.
    best - one.ln_count() - CAUTION
}

/// About the proof at one scale.
#[inline]
fn together(contrast: Contrast, one: &Term, two: &Term) -> (f64, Bearing) {
    let Contrast { gap, one: w, two: v } = contrast;
    let gap = gap.max(0.0);
    let (mut sum, mut a, mut b) = (0.0, f64::INFINITY, f64::INFINITY);
    if w < f64::INFINITY {
        a = w * one.kept;
        sum += one.price;
    }
    if v < f64::INFINITY {
        b = v * two.kept;
        sum += two.price;
    }
    let both = parallel((a, b));
    // The shift of an arm is the other's share of the gap.
    let shifted = |own: f64, unknown: &Option<Unknown>, u: f64| {
        let is_moved = own < f64::INFINITY && own > 0.0;
        if is_moved { unknown.map_or_else(|| 0.5 * u * u + ln_two_cdf(u), |unknown| unknown.grown(u)) } else { 0.0 }
    };
    let share = |own: f64| both / own.sqrt() * gap;
    let balanced = shifted(a, &one.unknown, share(a)) + shifted(b, &two.unknown, share(b));
    // What an arm of unknown variance proves is bounded, however far its mean is off: perhaps it is off by all of the gap.
    let alone = |own: f64, unknown: &Option<Unknown>| match unknown {
        Some(_) if own < f64::INFINITY => shifted(own, unknown, own.sqrt() * gap),
        _ => f64::INFINITY,
    };
    let (first, second) = if is_near(a, &one.unknown, gap) && is_near(b, &two.unknown, gap) {
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
    (sum + least, bearing)
}

/// Whether what an arm proves grows ever faster up to all of the gap: then the least is where it is for known variances, or near.
#[inline]
fn is_near(own: f64, unknown: &Option<Unknown>, gap: f64) -> bool {
    unknown.is_none_or(|unknown| own * gap * gap <= NEAR * unknown.freedom)
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
    std::f64::consts::LN_2 * v / (v + 0.9)
}
