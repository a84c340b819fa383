//! How the observations of simulated arms are distributed, arm by arm.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, LogNormal, Poisson, StandardNormal};
use surefront::Source;

/// The law of an arm in its only objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    Always(f64),
    /// Mean and standard deviation.
    Gaussian(f64, f64),
    /// Evenly between zero and this.
    UpTo(f64),
    /// Without memory, of this mean.
    Exponential(f64),
    /// One with this chance, else zero.
    Coin(f64),
    /// How many of something rare, of this mean.
    Count(f64),
    /// The logarithm is normal with this deviation; the mean is the first.
    LogNormal(f64, f64),
    /// Gaussian of unit variance, and with the given chance so much more.
    Outliers {
        chance: f64,
        more: f64,
    },
    /// Zero, and with the given chance so much.
    Spikes {
        chance: f64,
        height: f64,
    },
}

impl Law {
    pub fn mean(self) -> f64 {
        match self {
            Law::Always(x) | Law::Gaussian(x, _) | Law::Exponential(x) | Law::Coin(x) | Law::Count(x) => x,
            Law::UpTo(most) => 0.5 * most,
            Law::LogNormal(mean, _) => mean,
            Law::Outliers { chance, more: height } | Law::Spikes { chance, height } => chance * height,
        }
    }

    /// Where a study is told of it.
    pub fn variance(self) -> f64 {
        match self {
            Law::Always(_) => 0.0,
            Law::Gaussian(_, deviation) => deviation * deviation,
            Law::UpTo(most) => most * most / 12.0,
            Law::Exponential(mean) => mean * mean,
            Law::Coin(p) => p * (1.0 - p),
            Law::Count(mean) => mean,
            Law::LogNormal(mean, deviation) => mean * mean * (deviation * deviation).exp_m1(),
            Law::Outliers { chance, more } => 1.0 + chance * (1.0 - chance) * more * more,
            Law::Spikes { chance, height } => chance * (1.0 - chance) * height * height,
        }
    }

    fn draw(self, rng: &mut dyn Rng) -> f64 {
        match self {
            Law::Always(x) => x,
            Law::Gaussian(mean, deviation) => mean + deviation * rng.sample::<f64, _>(StandardNormal),
            Law::UpTo(most) => rng.random_range(0.0..most),
            Law::Exponential(mean) => mean * rng.sample::<f64, _>(Exp1),
            Law::Coin(p) => f64::from(u8::from(rng.random_bool(p))),
            Law::Count(mean) => Poisson::new(mean).expect("the mean is positive").sample(rng),
            Law::LogNormal(mean, deviation) => {
                let law = LogNormal::new(mean.ln() - 0.5 * deviation * deviation, deviation);
                law.expect("the deviation is positive").sample(rng)
            }
            Law::Outliers { chance, more } => {
                let value: f64 = rng.sample(StandardNormal);
                if rng.random_bool(chance) { value + more } else { value }
            }
            Law::Spikes { chance, height } => {
                if rng.random_bool(chance) {
                    height
                } else {
                    0.0
                }
            }
        }
    }
}

/// One law for each arm.
#[derive(Clone, Debug)]
pub(super) struct Laws(pub Vec<Law>);

impl Source for Laws {
    fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]) {
        values[0] = self.0[arm].draw(rng);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;

    /// Of 200,000 draws each mean is within five standard errors, so a false alarm comes in 1 of 200,000 seeds; the variance of laws with
    /// light tails within 5 %.
    #[test]
    fn laws_have_the_means_and_variances_they_are_said_to_have() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let draws = 200_000;
        for (law, light) in [
            (Law::Always(2.0), true),
            (Law::Gaussian(1.0, 3.0), true),
            (Law::UpTo(1.8), true),
            (Law::Exponential(0.7), true),
            (Law::Coin(0.2), true),
            (Law::Count(0.15), true),
            (Law::LogNormal(1.0, 1.0), false),
            (Law::Outliers { chance: 0.01, more: 40.0 }, false),
            (Law::Spikes { chance: 0.05, height: 10.0 }, false),
        ] {
            let values: Vec<f64> = (0..draws).map(|_| law.draw(&mut rng)).collect();
            let mean = values.iter().sum::<f64>() / f64::from(draws);
            let error = (law.variance() / f64::from(draws)).sqrt();
            assert!((mean - law.mean()).abs() <= 5.0 * error, "{law:?}: {mean}");
            let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(draws);
            assert!(!light || (variance - law.variance()).abs() <= 0.05 * law.variance(), "{law:?}: {variance}");
        }
    }
}
