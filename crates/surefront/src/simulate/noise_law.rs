//! The shape of simulated noise.

use std::f64::consts::PI;

use rand::{Rng, RngExt};
use rand_distr::{Beta, Exp1, Poisson, StandardNormal, StudentT};

use crate::family::Family;
use crate::normal::normal_quantile;
use crate::range::Range;
use crate::statistic::Quantile;

/// Of Student's t.
const FREEDOM: f64 = 5.0;

/// How the noise of simulated observations is distributed, whatever its variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseLaw {
    /// As every stopping rule assumes.
    Gaussian,
    /// Student's t with 5 degrees of freedom: kurtosis 9 instead of 3, as of measurements with outliers.
    HeavyTailed,
    /// Gaussian, with correlations of .99 between every other objective, and of −.99 between neighbours: as of objectives that are two
    /// readings of one thing. Whatever the problem says of correlations.
    Opposed,
}

impl NoiseLaw {
    /// Numbers with mean zero and variance one, one for each objective.
    pub(super) fn fill(self, rng: &mut impl Rng, values: &mut [f64]) {
        // What is common to all objectives is drawn only where something is, so that the other laws draw one number for each.
        let shared = if self == NoiseLaw::Opposed { rng.sample(StandardNormal) } else { 0.0 };
        values.iter_mut().enumerate().for_each(|(j, value)| *value = self.draw(rng, j, shared));
    }

    /// A quantile of such a number.
    pub(super) fn quantile(self, quantile: Quantile) -> f64 {
        match self {
            NoiseLaw::Gaussian | NoiseLaw::Opposed => normal_quantile(quantile.level()),
            NoiseLaw::HeavyTailed => {
                // By halving: the distribution function is elementary.
                let (mut low, mut high) = (-1e4, 1e4);
                for _ in 0..100 {
                    let middle: f64 = 0.5 * (low + high);
                    let angle = (middle / FREEDOM.sqrt()).atan();
                    let cdf = 0.5 + (angle + angle.sin() * (angle.cos() + 2.0 / 3.0 * angle.cos().powi(3))) / PI;
                    if cdf < quantile.level() { low = middle } else { high = middle }
                }
                0.5 * (low + high) / (FREEDOM / (FREEDOM - 2.0)).sqrt()
            }
        }
    }

    fn draw(self, rng: &mut impl Rng, objective: usize, shared: f64) -> f64 {
        match self {
            NoiseLaw::Gaussian => rng.sample(StandardNormal),
            NoiseLaw::Opposed => {
                const CORRELATION: f64 = 0.99;
                let sign = if objective.is_multiple_of(2) { 1.0 } else { -1.0 };
                let own: f64 = rng.sample(StandardNormal);
                sign * CORRELATION.sqrt() * shared + (1.0 - CORRELATION).sqrt() * own
            }
            NoiseLaw::HeavyTailed => {
                let student = StudentT::new(FREEDOM).expect("there are degrees of freedom");
                rng.sample(student) / (FREEDOM / (FREEDOM - 2.0)).sqrt()
            }
        }
    }
}

impl Family {
    /// One observation at this mean, which the family must have; of a Gaussian, with the unit as its variance.
    pub fn draw(self, mean: f64, rng: &mut impl Rng) -> f64 {
        match self {
            Family::Gaussian => mean + rng.sample::<f64, _>(StandardNormal),
            Family::Bernoulli => f64::from(u8::from(rng.random::<f64>() < mean)),
            // Beyond what the distribution can be drawn from, as at a mean of zero, the mean itself stands for the count.
            Family::Poisson => Poisson::new(mean).map_or_else(|_| mean.round(), |law| rng.sample(law)),
            // Zero is no time.
            Family::Exponential => (mean * rng.sample::<f64, _>(Exp1)).max(f64::MIN_POSITIVE),
        }
    }
}

impl Range {
    /// One observation at this mean, which must be within: a beta variable with a fifth of the variance that there can be.
    pub fn draw(self, mean: f64, rng: &mut impl Rng) -> f64 {
        const BOTH: f64 = 4.0;
        let part = self.part(mean);
        // At the ends there is nothing to draw.
        let drawn = Beta::new(BOTH * part, BOTH * (1.0 - part)).map_or(part, |law| rng.sample(law));
        (self.low + self.width() * drawn).clamp(self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;

    /// The mean square of 100,000 draws has a standard error of √(8 / 100,000) = 0.009 under the heavier tails; the share beyond four
    /// standard deviations is 0.35 % there, and 0.006 % under the Gaussian.
    #[test]
    fn both_have_unit_variance_and_one_has_outliers() {
        let draws = 100_000;
        let [gaussian, heavy] = [NoiseLaw::Gaussian, NoiseLaw::HeavyTailed].map(|law| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
            let mut values = vec![0.0; draws];
            law.fill(&mut rng, &mut values);
            let variance = values.iter().map(|x| x * x).sum::<f64>() / draws as f64;
            assert!((variance - 1.0).abs() < 0.04, "{law:?}: {variance}");
            values.iter().filter(|x| x.abs() > 4.0).count()
        });
        assert!(gaussian < 30 && heavy > 200, "{gaussian} {heavy}");
    }

    /// Of 100,000 draws, 5 standard errors around the part that is below.
    #[test]
    fn quantiles_are_those_of_the_draws() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for law in [NoiseLaw::Gaussian, NoiseLaw::HeavyTailed] {
            let mut values = vec![0.0; 100_000];
            law.fill(&mut rng, &mut values);
            for level in [0.05, 0.5, 0.9, 0.99] {
                let x = law.quantile(Quantile::new(level).unwrap());
                let part = values.iter().filter(|&&value| value <= x).count() as f64 / 1e5;
                assert!((part - level).abs() < 5.0 * (level * (1.0 - level) / 1e5).sqrt(), "{law:?} {level}: {part}");
            }
        }
    }

    /// Sums of 100,000 draws: five standard errors around the mean, and a variance within 5 %.
    #[test]
    fn draws_have_the_mean_and_the_variance_of_their_family() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        for (family, mean) in [
            (Family::Gaussian, 3.0),
            (Family::Bernoulli, 0.2),
            (Family::Bernoulli, 0.0),
            (Family::Bernoulli, 1.0),
            (Family::Poisson, 0.0),
            (Family::Poisson, 0.3),
            (Family::Poisson, 40.0),
            (Family::Exponential, 7.0),
        ] {
            let draws: Vec<f64> = (0..100_000).map(|_| family.draw(mean, &mut rng)).collect();
            assert!(draws.iter().all(|&value| family.takes_value(value)), "{family:?}");
            let average = draws.iter().sum::<f64>() / 1e5;
            let variance = draws.iter().map(|x| (x - average).powi(2)).sum::<f64>() / 1e5;
            let expected = family.variance(mean);
            assert!((average - mean).abs() <= 5.0 * (expected / 1e5).sqrt(), "{family:?} {mean}: {average}");
            assert!((variance - expected).abs() <= 0.05 * expected, "{family:?} {mean}: {variance}");
        }
    }

    /// The mean product of 100,000 pairs with a correlation of ±.99 has a standard error of 0.0045.
    #[test]
    fn opposed_objectives_have_unit_variance_and_go_together_or_apart() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let (draws, mut sums) = (100_000, [0.0; 3]);
        for _ in 0..draws {
            let mut values = [0.0; 3];
            NoiseLaw::Opposed.fill(&mut rng, &mut values);
            let [a, b, c] = values;
            [a * a, a * b, a * c].iter().zip(&mut sums).for_each(|(product, sum)| *sum += product / f64::from(draws));
        }
        assert!(sums.iter().zip([1.0, -0.99, 0.99]).all(|(sum, expected)| (sum - expected).abs() < 0.02), "{sums:?}");
    }
}
