//! The proofs against their definitions.

use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::tilts::*;
use super::*;
use crate::stopping::certified::tilt::{Prior, TILTS};
use crate::testing::effort;

const FAMILIES: [Family; 3] = [Family::Bernoulli, Family::Poisson, Family::Exponential];

/// ln of the likelihood ratio of n observations with this sum, of a law tilted by θ to the law of mean x, as it stands in books.
fn ln_ratio(family: Family, n: f64, sum: f64, tilt: f64, x: f64) -> f64 {
    match family {
        Family::Bernoulli => tilt * sum - n * (1.0 - x + x * tilt.exp()).ln(),
        Family::Poisson => tilt * sum - n * x * (tilt.exp() - 1.0),
        Family::Exponential => -tilt * n + (1.0 - (-tilt).exp()) * sum / x,
        Family::Gaussian => unreachable!("it has a proof of its own"),
    }
}

/// The logarithm of the mixture at a null, by its definition; `up` is the arm that is said to have the larger mean.
fn slow_at(family: Family, up: (f64, f64, Tilts), down: (f64, f64, Tilts), x: f64) -> f64 {
    let mixture = |(n, sum, _): (f64, f64, Tilts), prior: &Prior, sign: f64| {
        prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(family, n, sum, sign * tilt, x)))
    };
    let (one, two) = (up.2.priors(), down.2.priors());
    let terms: Vec<f64> =
        one.iter().zip(two).map(|(first, second)| mixture(up, first, 1.0) + mixture(down, second, -1.0)).collect();
    let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / terms.len() as f64).ln()
}

/// About a proof, by looking at every width.
fn slow_about(duel: &Duel) -> f64 {
    let (x, y) = duel.levels();
    let one = duel.upper.information(duel.null, x, duel.costs.0);
    let two = duel.lower.information(duel.null, y, duel.costs.1);
    let ((one_scales, count), (two_scales, other)) = (duel.upper.scales(), duel.lower.scales());
    let mut best = f64::NEG_INFINITY;
    for (s, t) in one_scales.into_iter().zip(two_scales).take(count.max(other)) {
        let (a, b) = (duel.costs.0 * one / (one + s), duel.costs.1 * two / (two + t));
        let gains = ln_two_cdf((2.0 * a).sqrt()) + ln_two_cdf((2.0 * b).sqrt());
        best = best.max(a + b + gains - 0.5 * ((1.0 + one / s) * (1.0 + two / t)).ln());
    }
    best - (count.max(other) as f64).ln()
}

/// Golden-section search over the null, or over one over it, where the mixture is convex.
fn slow_least(family: Family, up: (f64, f64, Tilts), down: (f64, f64, Tilts)) -> f64 {
    let means = [up.1 / up.0, down.1 / down.0];
    let (mut low, mut high) = match family {
        Family::Bernoulli => (0.0, 1.0),
        Family::Poisson => (0.0, 1000.0 * (means[0].max(means[1]) + 1.0 / up.0 + 1.0 / down.0)),
        _ => (0.0, 1000.0 / means[0].min(means[1])),
    };
    let at = |place: f64| {
        let x = if family == Family::Exponential { place.recip() } else { place };
        slow_at(family, up, down, x)
    };
    for _ in 0..120 {
        let (one, two) = (low + 0.381_966 * (high - low), low + 0.618_034 * (high - low));
        if at(one) < at(two) { high = two } else { low = one }
    }
    at(0.5 * (low + high))
}

proptest! {
    #![proptest_config(effort::cases(150, 500))]

    /// Means at the edge, counts far apart, and means that contradict the claim included.
    #[test]
    fn the_least_is_that_of_the_definition(
        which in 0usize..3, max in any::<bool>(), widths in prop::option::of((0u8..40, 0u8..40)),
        counts in (0u32..18, 0u32..18), parts in (0u32..9, 0u32..9), unit in -3i32..4,
    ) {
        let family = FAMILIES[which];
        let kind = Kind { family, sign: if max { 1.0 } else { -1.0 } };
        let (n, m) = (2f64.powi(counts.0 as i32), 2f64.powi(counts.1 as i32));
        let mean = |part: u32, n: f64| match family {
            Family::Bernoulli => (n * f64::from(part) / 8.0).round() / n,
            Family::Poisson => (n * f64::from(part) * 10f64.powi(unit)).round() / n,
            _ => f64::from(part + 1) * 10f64.powi(unit),
        };
        let (one, two) = (mean(parts.0, n), mean(parts.1, m));
        prop_assume!(family != Family::Poisson || one + two > 0.0);
        let tilts = widths.map_or((Tilts::Any, Tilts::Any), |(one, two)| (Tilts::Width(one), Tilts::Width(two)));
        let contender = |mean, count, tilts| Contender { mean: kind.sign * mean, count, tilts: Some(tilts), walk: 0.0 };
        let duel = Duel::new(kind, Raise::NONE, contender(one, n, tilts.0), contender(two, m, tilts.1));
        prop_assert!(duel.about() == slow_about(&duel) || duel.is_certain(), "{} {}", duel.about(), slow_about(&duel));
        let (first, second) = ((n, n * one, tilts.0), (m, m * two, tilts.1));
        let slow = if max { slow_least(family, first, second) } else { slow_least(family, second, first) };
        let fast = duel.proof(Care::Full);
        prop_assert!(fast <= slow + 1e-9 * (1.0 + slow.abs()) && fast >= slow - 1e-4 * (1.0 + slow.abs()), "{fast} {slow}");
        let bracket = duel.bracket();
        prop_assert!(bracket.low <= fast && fast <= bracket.high, "{bracket:?} {fast}");
        prop_assert!(bracket.high - bracket.low <= 2.0 * ROUGHLY + 1e-6 * fast.abs(), "{bracket:?}");
        prop_assert!(duel.proof(Care::Glance) >= fast);
        if kind.sign * (one - two) > 0.0 {
            prop_assert!(fast <= duel.cost());
        }
    }

    /// Where only the range is known: the average of the mixture of a success rate and of the one by how far the values were off before.
    #[test]
    fn the_least_within_a_range_is_that_of_the_definition(
        max in any::<bool>(), widths in prop::option::of((0u8..40, 0u8..40)), counts in (0u32..14, 0u32..14),
        parts in (0u32..9, 0u32..9), walks in (0.0..1.0f64, 0.0..1.0f64),
    ) {
        let (n, m) = (2f64.powi(counts.0 as i32), 2f64.powi(counts.1 as i32));
        let (one, two) = (f64::from(parts.0) / 8.0, f64::from(parts.1) / 8.0);
        let tilts = widths.map_or(Tilts::Any, |(one, two)| Tilts::Widths(one, two));
        let sign = if max { 1.0 } else { -1.0 };
        let (first, second) = ((n, one, n * walks.0), (m, two, m * walks.1));
        let contender = |(count, mean, walk): (f64, f64, f64)| Contender { mean: sign * (4.0 * mean - 1.0), count, tilts: Some(tilts), walk };
        let duel = Duel::within(Range { low: -1.0, high: 3.0 }, sign, Raise::NONE, contender(first), contender(second));
        let (up, down) = if max { (first, second) } else { (second, first) };
        let at = |x: f64| {
            let rate = |(n, mean, _): (f64, f64, f64), prior: &Prior, sign: f64| {
                prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(Family::Bernoulli, n, n * mean, sign * tilt, x)))
            };
            let walk = |(n, mean, walk): (f64, f64, f64), prior: &Prior, sign: f64| {
                prior.ln_mixture(&TILTS.map(|tilt| {
                    if tilt < 1.0 { sign * tilt * n * (mean - x) + walk * ((1.0 - tilt).ln() + tilt) } else { -1e300 }
                }))
            };
            let rates = tilts.priors().iter().map(|prior| rate(up, prior, 1.0) + rate(down, prior, -1.0));
            let walks = tilts.walk_priors().iter().map(|prior| walk(up, prior, 1.0) + walk(down, prior, -1.0));
            let terms: Vec<f64> = rates.chain(walks).collect();
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / terms.len() as f64).ln()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..120 {
            let (one, two) = (low + 0.381_966 * (high - low), low + 0.618_034 * (high - low));
            if at(one) < at(two) { high = two } else { low = one }
        }
        let (fast, slow) = (duel.proof(Care::Full), at(0.5 * (low + high)));
        prop_assert!(fast <= slow + 1e-9 * (1.0 + slow.abs()) && fast >= slow - 1e-4 * (1.0 + slow.abs()), "{fast} {slow}");
        let bracket = duel.bracket();
        prop_assert!(bracket.low <= fast && fast <= bracket.high, "{bracket:?} {fast}");
        prop_assert!(duel.proof(Care::Glance) >= fast && fast <= duel.cost());
    }

    /// With a head start of the first arm: the least over all pairs of means that are as the null has them.
    #[test]
    fn the_least_with_a_head_start_is_that_of_the_definition(
        which in 0usize..4, max in any::<bool>(), widths in prop::option::of((0u8..40, 0u8..40)),
        counts in (0u32..16, 0u32..16), parts in (0u32..9, 0u32..9), walks in (0.0..1.0f64, 0.0..1.0f64), size in 0.001..0.6f64, relative in any::<bool>(),
    ) {
        let family = [Family::Bernoulli, Family::Poisson, Family::Exponential, Family::Bernoulli][which];
        let sign = if max { 1.0 } else { -1.0 };
        let (kind, bounded) = (Kind { family, sign }, which == 3);
        let (n, m) = (2f64.powi(counts.0 as i32), 2f64.powi(counts.1 as i32));
        let mean = |part: u32, n: f64| match family {
            Family::Bernoulli => (n * f64::from(part) / 8.0).round() / n,
            Family::Poisson => (n * f64::from(part) / 2.0).round() / n,
            _ => f64::from(part + 1) / 3.0,
        };
        let (one, two) = (mean(parts.0, n), mean(parts.1, m));
        let raise = if relative { Raise { factor: 1.0 + sign * size, by: 0.0 } } else { Raise { factor: 1.0, by: size } };
        let tilts = match widths {
            None => (Tilts::Any, Tilts::Any),
            Some((a, b)) if bounded => (Tilts::Widths(a, b), Tilts::Widths(a, b)),
            Some((a, b)) => (Tilts::Width(a), Tilts::Width(b)),
        };
        let (walk, other_walk) = (n * walks.0, m * walks.1);
        let first = Contender { mean: raise.up(sign * one), count: n, tilts: Some(tilts.0), walk };
        let second = Contender { mean: sign * two, count: m, tilts: Some(tilts.1), walk: other_walk };
        let range = Range { low: 0.0, high: 1.0 };
        let duel = if bounded { Duel::within(range, sign, raise, first, second) } else { Duel::new(kind, raise, first, second) };
        // By the definition: what the first has under the null, and what the second has then.
        let top = if family == Family::Bernoulli { 1.0 } else { 60.0 };
        let at = |place: f64| {
            let x = if family == Family::Exponential { place.recip() } else { place };
            let y = sign * raise.up(sign * x);
            let is_outside = if family == Family::Exponential { y <= 0.0 } else { y < 0.0 || y > top };
            if is_outside {
                return f64::INFINITY;
            }
            let mix = |n: f64, mean: f64, null: f64, side: f64, prior: &Prior| {
                prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(family, n, n * mean, side * tilt, null)))
            };
            let walked = |n: f64, mean: f64, walk: f64, null: f64, side: f64, prior: &Prior| {
                prior.ln_mixture(&TILTS.map(|tilt| {
                    if tilt < 1.0 { side * tilt * n * (mean - null) + walk * ((1.0 - tilt).ln() + tilt) } else { -1e300 }
                }))
            };
            let pairs = tilts.0.priors().iter().zip(tilts.1.priors());
            let mut terms: Vec<f64> = pairs.map(|(a, b)| mix(n, one, x, sign, a) + mix(m, two, y, -sign, b)).collect();
            if bounded {
                let pairs = tilts.0.walk_priors().iter().zip(tilts.1.walk_priors());
                terms.extend(pairs.map(|(a, b)| walked(n, one, walk, x, sign, a) + walked(m, two, other_walk, y, -sign, b)));
            }
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / terms.len() as f64).ln()
        };
        let (mut low, mut high, mut slow) = (0.0, top, f64::INFINITY);
        for _ in 0..14 {
            let step = (high - low) / 100.0;
            let (least, x) = (0..=100).map(|i| low + step * f64::from(i)).map(|x| (at(x), x)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            slow = slow.min(least);
            (low, high) = ((x - step).max(low), (x + step).min(high));
        }
        let fast = duel.proof(Care::Full);
        if fast == f64::INFINITY {
            prop_assert!(slow == f64::INFINITY || slow > 1e3, "{slow}");
            return Ok(());
        }
        prop_assert!(fast <= slow + 1e-9 * (1.0 + slow.abs()), "too much: {fast} {slow} {duel:?}");
        prop_assert!(fast >= slow - 1e-3 * (1.0 + slow.abs()), "too little: {fast} {slow} {duel:?}");
        let bracket = duel.bracket();
        prop_assert!(bracket.low <= fast && fast <= bracket.high + 1e-9, "{bracket:?} {fast}");
        prop_assert!(duel.proof(Care::Glance) >= fast);
        if raise.up(sign * one) > sign * two {
            prop_assert!(fast <= duel.cost() + 1e-9, "{fast} {}", duel.cost());
        }
    }

    /// Where an arm has no noise, the null is its value; beyond the edge of the domain nothing is in doubt.
    #[test]
    fn an_arm_without_noise_is_the_null(which in 0usize..3, max in any::<bool>(), n in 1.0..1e4f64, one in 1u32..9, two in 0u32..9) {
        let family = FAMILIES[which];
        let kind = Kind { family, sign: if max { 1.0 } else { -1.0 } };
        let (one, two) = (f64::from(one) / 9.0, if family == Family::Exponential { f64::from(two + 1) } else { f64::from(two) / 8.0 });
        let noisy = Contender { mean: kind.sign * one, count: n, tilts: Some(Tilts::Any), walk: 0.0 };
        let exact = Contender { mean: kind.sign * two, count: 3.0, tilts: None, walk: 0.0 };
        let proof = Duel::new(kind, Raise::NONE, noisy, exact).proof(Care::Full);
        let sign = if max { 1.0 } else { -1.0 };
        let mixture = |prior: &Prior| prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(family, n, n * one, sign * tilt, two)));
        let terms: Vec<f64> = Tilts::Any.priors().iter().map(mixture).collect();
        let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let slow = top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / 4.0).ln();
        if proof < f64::INFINITY {
            prop_assert!((proof - slow).abs() < 1e-6 * (1.0 + slow.abs()), "{proof} {slow}");
        } else {
            prop_assert!(two == 0.0 || two == 1.0);
        }
    }

    /// About is about right where proofs are decided.
    #[test]
    fn the_quick_measure_is_near_the_proof(
        which in 0usize..3, base in -2.0..0.0f64, tilt in 0.02..2.0f64, ratio in -2.0..2.0f64, nats in 5.0..25.0f64, width in any::<bool>(),
    ) {
        let family = FAMILIES[which];
        let (low, high) = match family {
            Family::Bernoulli => { let p = 10f64.powf(base).min(0.9); let odds = p / (1.0 - p) * tilt.exp(); (p, odds / (1.0 + odds)) }
            _ => (10f64.powf(3.0 * base + 3.0), 10f64.powf(3.0 * base + 3.0) * tilt.exp()),
        };
        let kind = Kind { family, sign: 1.0 };
        // As many observations as make the cost this much.
        let duel = |n: f64| {
            let (first, second) = (n, n * ratio.exp());
            let tilts = |mean: f64, count: f64| if width { Tilts::for_scale(count / 6.0 * information(kind, mean, count)) } else { Tilts::Any };
            let contender = |mean, count| Contender { mean, count, tilts: Some(tilts(mean, count)), walk: 0.0 };
            Duel::new(kind, Raise::NONE, contender(high, first), contender(low, second))
        };
        let duel = duel(nats / duel(1.0).cost());
        let (about, exact) = (duel.about(), duel.proof(Care::Full));
        prop_assert!((about - exact).abs() < 1.0 + 0.08 * exact.abs(), "{about} {exact} of {}", duel.cost());
    }
}

/// Values within a range: evenly spread, two of them, or one nearly always. At 4 standard errors per check, 12 checks: a false alarm in about 1 of 2,000 seeds.
#[test]
fn mixtures_within_a_range_have_mean_one_at_stopping_times() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let range = Range { low: 0.0, high: 1.0 };
    for (which, null) in [(0, 0.6), (1, 0.3), (2, 0.0595)] {
        for (sign, bar) in [(1.0, 0.5), (1.0, 1.5), (-1.0, 0.5), (-1.0, 1.5)] {
            let runs = effort::either(400, 2_000);
            let values: Vec<f64> = (0..runs)
                .map(|_| {
                    let (mut n, mut sum, mut walk, mut log) = (0.0, 0.0, 0.0, 0.0);
                    while n < 300.0 && log < bar {
                        n += 1.0;
                        let x = match which {
                            0 => rng.random_range(0.2..1.0),
                            1 => f64::from(u8::from(rng.random_bool(0.3))),
                            _ if rng.random_bool(0.01) => 1.0,
                            _ => 0.05,
                        };
                        walk += f64::powi(x - (0.5 + sum) / n, 2);
                        sum += x;
                        let arm = Contender { mean: sign * sum / n, count: n, tilts: Some(Tilts::Any), walk };
                        let exact = Contender { mean: sign * null, count: 1.0, tilts: None, walk: 0.0 };
                        let duel = Duel::within(range, sign, Raise::NONE, arm, exact);
                        log = duel.at(duel.level).value;
                    }
                    log.exp()
                })
                .collect();
            let mean = values.iter().sum::<f64>() / f64::from(runs);
            let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
            let error = (spread / f64::from(runs)).sqrt();
            assert!(mean <= 1.0 + 4.0 * error, "{which} {sign} bar={bar}: {mean} ± {error}");
        }
    }
}

/// Mean at most 1 under the null, or beyond it, whatever decides when to stop: here once the mixture looks high, or at 300 observations. Success rates also of
/// values that are merely between 0 and 1. At 4 standard errors per check, 32 checks: a false alarm in about 1 of 1,000 seeds.
#[test]
fn mixtures_have_mean_one_at_stopping_times() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for (family, mean, null, between) in [
        (Family::Bernoulli, 0.3, 0.3, false),
        (Family::Bernoulli, 0.02, 0.02, false),
        (Family::Bernoulli, 0.6, 0.6, true),
        (Family::Bernoulli, 0.25, 0.3, false),
        (Family::Poisson, 0.2, 0.2, false),
        (Family::Poisson, 40.0, 40.0, false),
        (Family::Exponential, 3.0, 3.0, false),
        (Family::Exponential, 2.9, 3.0, false),
    ] {
        for (tilts, bar) in [(Tilts::Any, 0.5), (Tilts::Any, 1.5), (Tilts::Width(12), 0.5), (Tilts::Width(12), 1.5)] {
            let runs = effort::either(400, 2_000);
            let values: Vec<f64> = (0..runs)
                .map(|_| {
                    let (mut n, mut sum, mut log) = (0.0, 0.0, 0.0);
                    while n < 300.0 && log < bar {
                        n += 1.0;
                        sum += if between { 1.0 - rng.random::<f64>() * 0.8 } else { family.draw(mean, &mut rng) };
                        let kind = Kind { family, sign: 1.0 };
                        let arm = Contender { mean: sum / n, count: n, tilts: Some(tilts), walk: 0.0 };
                        let duel = Duel::new(
                            kind,
                            Raise::NONE,
                            arm,
                            Contender { mean: null, count: 1.0, tilts: None, walk: 0.0 },
                        );
                        log = duel.at(duel.level).value;
                    }
                    log.exp()
                })
                .collect();
            let mean = values.iter().sum::<f64>() / f64::from(runs);
            let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
            let error = (spread / f64::from(runs)).sqrt();
            assert!(mean <= 1.0 + 4.0 * error, "{family:?} {null} {tilts:?} bar={bar}: {mean} ± {error}");
        }
    }
}
