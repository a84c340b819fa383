//! What a lesson foretells of an arm that a handful of observations will decide (docs/certified.md, "Arms that are far away").
//!
//! The null is a mean x and a variance σ². The alternative is what the lesson leaves possible of the arm, whatever x and σ² are: 1/s ~ Gamma(a/2, rate a s₀/2)
//! and a mean ~ N(m₀, s/n₀). After n observations the least over σ of the logarithm of the likelihood ratio is P + (n/2) ln(1 + z), z the square of the distance of x from the
//! arm's mean over its mean square around it. The price P depends on what was observed, and on nothing that is unknown.

use super::student::{Rise, ln_gamma};
use super::term::{Term, Unknown};

/// What all arms together show of a variance counts as so many observations of the arm.
const POOLED: f64 = 6.0;

/// Before there are so many observations after the lesson there is no variance to speak of.
pub(super) const FIRST: f64 = 2.0;

/// What was seen of one arm in an objective by the lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Forecast {
    /// n₀ and m₀.
    count: f64,
    mean: f64,
    /// a, and a s₀.
    freedom: f64,
    squares: f64,
    /// What of the price does not depend on what comes: (a/2) ln(a s₀/2) − ln Γ(a/2).
    rest: f64,
}

impl Forecast {
    /// Of an arm with these observations, where all arms together show the variance `pooled`.
    pub fn new(count: f64, mean: f64, variance: f64, pooled: f64) -> Self {
        let freedom = count - 1.0 + POOLED;
        let squares = (count - 1.0) * variance + POOLED * pooled;
        let half = 0.5 * freedom;
        Forecast { count, mean, freedom, squares, rest: half * (0.5 * squares).ln() - ln_gamma(half) }
    }

    /// P after `count` observations of this mean and sum of squares around it. Never positive.
    pub fn price(&self, count: f64, mean: f64, squares: f64) -> f64 {
        let Forecast { count: before, freedom, .. } = *self;
        let both = count + before;
        let surprise = (count * before / both) * (mean - self.mean) * (mean - self.mean);
        let half = 0.5 * (count + freedom);
        0.5 * (before / both).ln() + self.rest + ln_gamma(half)
            - half * (0.5 * (self.squares + squares + surprise)).ln()
            + 0.5 * count * (1.0 + (squares / count).ln())
    }
}

/// The term of an arm that was foretold, at this price, for about a proof.
pub(super) fn about(count: f64, price: f64) -> Term {
    let unknown = Unknown::leaning_nowhere(Rise::logarithm(price, count), count);
    Term { scale: 0.0, kept: 1.0, price, unknown: Some(unknown) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The logarithm of the chance of the observations by the definition: an integral over the variance and the mean, on a grid of the logarithm of the one and of deviations of the other.
    fn slow_ln_chance((before, m0, v0, pooled): (f64, f64, f64, f64), values: &[f64]) -> f64 {
        let (freedom, squares) = (before - 1.0 + POOLED, (before - 1.0) * v0 + POOLED * pooled);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let around = |centre: f64| values.iter().map(|y| (y - centre) * (y - centre)).sum::<f64>();
        let (mut total, mut prior) = (Vec::new(), Vec::new());
        let (steps, reach) = (600, 9.0);
        let middle = ((squares + around(mean)) / (freedom + n)).ln();
        for i in 0..=steps {
            let ln_s = middle + 12.0 * (f64::from(i) / f64::from(steps) - 0.5);
            let s = ln_s.exp();
            // The density of ln s, but for its constant, which the second sum has as well.
            let weight = -0.5 * freedom * ln_s - 0.5 * squares / s;
            prior.push(weight);
            // Around where the mean is by both, in its deviations.
            let (peak, deviation) = ((before * m0 + n * mean) / (before + n), (s / (before + n)).sqrt());
            for k in 0..200 {
                let step = 2.0 * reach / 200.0;
                let centre = peak + deviation * (-reach + step * (f64::from(k) + 0.5));
                let density = 0.5 * (before / (2.0 * std::f64::consts::PI * s)).ln()
                    - 0.5 * before * (centre - m0) * (centre - m0) / s;
                let chance = -0.5 * n * (2.0 * std::f64::consts::PI * s).ln() - 0.5 * around(centre) / s;
                total.push(weight + density + chance + (step * deviation).ln());
            }
        }
        let ln_sum = |terms: &[f64]| {
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            top + terms.iter().map(|term| (term - top).exp()).sum::<f64>().ln()
        };
        ln_sum(&total) - ln_sum(&prior)
    }

    /// No likelihood under a null of this mean is larger.
    fn ln_largest_likelihood(values: &[f64], x: f64) -> f64 {
        let n = values.len() as f64;
        let square = values.iter().map(|y| (y - x) * (y - x)).sum::<f64>() / n;
        -0.5 * n * ((2.0 * std::f64::consts::PI * square).ln() + 1.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// The price and the rise above it are the logarithm of the chance over the largest likelihood under the null, whatever its mean.
        #[test]
        fn the_term_is_what_it_stands_for(
            values in prop::collection::vec(-3.0f64..3.0, 2..9), before in 4u32..20, m0 in -2.0f64..2.0, v0 in 0.2f64..4.0,
            pooled in 0.2f64..4.0, x in -6.0f64..6.0, unit in -8i32..8,
        ) {
            let scale = f64::from(unit).exp2();
            let values: Vec<f64> = values.iter().map(|y| y * scale).collect();
            let seen = (f64::from(before), m0 * scale, v0 * scale * scale, pooled * scale * scale);
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let squares: f64 = values.iter().map(|y| (y - mean) * (y - mean)).sum();
            prop_assume!(squares > 1e-3 * scale * scale);
            let price = Forecast::new(seen.0, seen.1, seen.2, seen.3).price(n, mean, squares);
            prop_assert!(price <= 1e-9, "{price}");
            let z = n * (x * scale - mean) * (x * scale - mean) / squares;
            let fast = price + 0.5 * n * z.ln_1p();
            let slow = slow_ln_chance(seen, &values) - ln_largest_likelihood(&values, x * scale);
            prop_assert!((fast - slow).abs() < 2e-3 * (1.0 + slow.abs()), "{fast} {slow}");
        }
    }
}
