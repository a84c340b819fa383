//! The proof that one arm is ahead of another in one objective: a mixture of likelihood ratios, minimised over all that is
//! not known (docs/certified.md, "The martingales").
//!
//! For n observations of one arm and objective, in units of their standard deviation, let S be the sum of their deviations from the true
//! mean. Then m(S, n) = ∫ exp(θ S − n θ²/2) π(θ) dθ is a martingale of mean one, however the arms are chosen. With π the half of
//! N(0, 1/c) above zero, m = 2 √(c/(n+c)) exp(u²/2) Φ(u) with u = S/√(n+c).

use super::few::Few;
use crate::normal::ln_cdf;

/// The widths of the priors that are mixed: c stands for studies of a few times c observations of an arm.
pub(super) const SCALES: [f64; 3] = [8.0, 100.0, 1200.0];

/// What keeps the computed minimum below the true one in spite of rounding.
pub(super) const SAFETY: f64 = 1e-9;

/// How carefully the least over all true means is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Not at all: what comes out is no less than the proof. Enough to see that there is too little of it.
    Glance,
    /// Until it is found.
    Full,
}

/// One arm in one objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    /// How many observations there are.
    pub count: f64,
    /// That, over their variance; infinite without noise.
    pub weight: f64,
}

impl Coordinate {
    /// The factor of u = factor · deviation of the mean; `None` without noise.
    fn factor(&self, scale: f64) -> Option<f64> {
        (self.weight < f64::INFINITY).then(|| (self.weight * self.count / (self.count + scale)).sqrt())
    }

    /// ln √(c/(n+c)): what it costs not to know the shift; nothing without noise.
    fn price(&self, scale: f64) -> f64 {
        if self.weight < f64::INFINITY { price(self.count, scale) } else { 0.0 }
    }
}

/// ln √(c/(n+c)).
pub(super) fn price(count: f64, scale: f64) -> f64 {
    -0.5 * (count / scale).ln_1p()
}

/// The logarithm of the least value, over all pairs of true means of which the one of `ahead` is not above that of `behind`, of the
/// product of the two arms' martingales, averaged over the scales, each arm's own. The means observed are `gap` > 0 apart.
pub(super) fn proof(care: Care, ahead: Coordinate, behind: Coordinate, gap: f64, scales: Few<(f64, f64)>) -> f64 {
    let terms = scales.map(|(one, two)| {
        let least = match (ahead.factor(one), behind.factor(two)) {
            (None, None) => f64::INFINITY,
            (None, Some(a)) | (Some(a), None) => log_ratio(a * gap).0,
            // Without observations there is nothing to move.
            (Some(a), Some(b)) if a == 0.0 || b == 0.0 => 0.0,
            (Some(a), Some(b)) => least(care, a, b, gap),
        };
        least + ahead.price(one) + behind.price(two)
    });
    average(terms)
}

/// The logarithm of the average of martingales, given their logarithms.
pub(super) fn average(terms: Few<f64>) -> f64 {
    let top = terms.top();
    if top.is_infinite() {
        return top;
    }
    let part = |(place, term): (usize, &f64)| (term - top + terms.ln_weight(place)).exp();
    let sum: f64 = terms.list().iter().enumerate().map(part).sum();
    top + sum.ln() - SAFETY
}

/// The logarithm of the martingale without its price, at u; its slope and curvature.
fn log_ratio(u: f64) -> (f64, f64, f64) {
    let (ln_cdf, ratio) = ln_cdf(u);
    let slope = u + ratio;
    (0.5 * u * u + ln_cdf + std::f64::consts::LN_2, slope, 1.0 - ratio * slope)
}

/// The least of h(a x) + h(b (gap − x)) over x: the common true mean, somewhere about the two that were observed. A convex
/// function; Newton's method, kept inside a bracket.
fn least(care: Care, a: f64, b: f64, gap: f64) -> f64 {
    let mut x = gap * b * b / (a * a + b * b);
    if care == Care::Glance {
        return log_ratio(a * x).0 + log_ratio(b * (gap - x)).0;
    }
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut value = f64::INFINITY;
    for _ in 0..100 {
        let (one, two) = (log_ratio(a * x), log_ratio(b * (gap - x)));
        value = value.min(one.0 + two.0);
        let slope = a * one.1 - b * two.1;
        if slope > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let mut next = x - slope / (a * a * one.2 + b * b * two.2);
        if !(next > low && next < high) {
            next = if low == f64::NEG_INFINITY {
                high - gap
            } else if high == f64::INFINITY {
                low + gap
            } else {
                0.5 * (low + high)
            };
        }
        // A convex function is above its tangent: the rest is at most this.
        if (slope * (next - x)).abs() <= 0.1 * SAFETY {
            break;
        }
        x = next;
    }
    value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;

    use super::*;

    /// The martingale by its definition: the integral over θ, by Simpson's rule.
    fn slow_martingale(scale: f64, n: f64, s: f64) -> f64 {
        let width = 1.0 / scale.sqrt();
        let steps = 20_000;
        let h = 9.0 * width / f64::from(steps);
        let density =
            |theta: f64| 2.0 * (-0.5 * theta * theta * scale).exp() * (scale / (2.0 * std::f64::consts::PI)).sqrt();
        let term = |theta: f64| (theta * s - 0.5 * n * theta * theta).exp() * density(theta);
        let weight = |i: i32| {
            if i == 0 || i == steps {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            }
        };
        (0..=steps).map(|i| weight(i) * term(f64::from(i) * h)).sum::<f64>() * h / 3.0
    }

    #[test]
    fn the_closed_form_is_the_integral() {
        for scale in SCALES {
            for (n, s) in [(1.0, 0.3), (7.0, 6.0), (50.0, -10.0), (400.0, 70.0)] {
                let u = s / f64::sqrt(n + scale);
                let fast = log_ratio(u).0 + price(n, scale);
                let slow = slow_martingale(scale, n, s).ln();
                assert!((fast - slow).abs() < 1e-8, "c={scale} n={n} s={s}: {fast} {slow}");
            }
        }
    }

    /// Golden-section search for the least over the common true mean, scale by scale.
    fn slow_proof(ahead: Coordinate, behind: Coordinate, gap: f64) -> f64 {
        let terms = SCALES.map(|scale| {
            let (a, b) = (ahead.factor(scale).unwrap(), behind.factor(scale).unwrap());
            let cost = |x: f64| log_ratio(a * x).0 + log_ratio(b * (gap - x)).0;
            let (mut low, mut high) = (-20.0 * gap - 40.0 / a, 21.0 * gap + 40.0 / b);
            for _ in 0..300 {
                let (one, two) = (low + 0.381_966 * (high - low), low + 0.618_034 * (high - low));
                if cost(one) < cost(two) { high = two } else { low = one }
            }
            cost(0.5 * (low + high)) + price(ahead.count, scale) + price(behind.count, scale)
        });
        (terms.iter().map(|term| term.exp()).sum::<f64>() / 3.0).ln()
    }

    proptest! {
        #[test]
        fn the_minimum_is_a_minimum(
            n in 1.0f64..1e5, m in 1.0f64..1e5, z in 0.01f64..9.0, p in 0.01f64..100.0, q in 0.01f64..100.0,
        ) {
            let (ahead, behind) = (Coordinate { count: n, weight: n * p }, Coordinate { count: m, weight: m * q });
            let gap = z / (ahead.weight * behind.weight / (ahead.weight + behind.weight)).sqrt();
            let (fast, slow) = (proof(Care::Full, ahead, behind, gap, Few::three(SCALES).map(|scale| (scale, scale))), slow_proof(ahead, behind, gap));
            prop_assert!(fast <= slow + 1e-12 && fast >= slow - 1e-7, "{fast} {slow}");
            // A mixture is no more than the best of what it mixes.
            prop_assert!(fast <= 0.5 * z * z);
            let glance = proof(Care::Glance, ahead, behind, gap, Few::three(SCALES).map(|scale| (scale, scale)));
            prop_assert!(glance >= fast && glance <= 0.5 * z * z);
        }
    }

    /// Mean ≤ 1 whatever the sampling: observations are taken until the sum looks high, or ten thousand at most. At 4 standard errors
    /// per check, 6 checks: a false alarm in about 1 of 2,500 seeds.
    #[test]
    fn martingales_have_mean_one_at_stopping_times() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for scale in SCALES {
            for bar in [0.5, 1.5] {
                let runs = 4_000;
                let values: Vec<f64> = (0..runs)
                    .map(|_| {
                        let (mut n, mut sum) = (0.0, 0.0);
                        let mut log = 0.0;
                        while n < 300.0 && log < bar {
                            n += 1.0;
                            sum += rng.sample::<f64, _>(StandardNormal);
                            log = log_ratio(sum / f64::sqrt(n + scale)).0 + price(n, scale);
                        }
                        log.exp()
                    })
                    .collect();
                let mean = values.iter().sum::<f64>() / f64::from(runs);
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
                let error = (spread / f64::from(runs)).sqrt();
                assert!((mean - 1.0).abs() <= 4.0 * error, "c={scale} bar={bar}: {mean} ± {error}");
            }
        }
    }
}
