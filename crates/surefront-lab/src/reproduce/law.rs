//! How the observations of simulated arms are distributed, arm by arm.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, LogNormal, Poisson, StandardNormal, StudentT};
use surefront::Source;

/// How often something stalls, and how close it is otherwise.
const STALLED: f64 = 0.1;
const CLOSE: f64 = 0.3;

/// The law of an arm in one objective.
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
    /// Student's t with three degrees of freedom, around this.
    Student(f64),
    /// Gaussian of unit variance around this, rounded to whole numbers.
    Rounded(f64),
    /// Around the first, closely, and in one of ten cases so much more.
    Stalls(f64, f64),
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
            Law::LogNormal(mean, _) | Law::Student(mean) | Law::Rounded(mean) => mean,
            Law::Stalls(at, more) => at + STALLED * more,
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
            Law::Student(_) => 3.0,
            Law::Rounded(_) => 1.0 + 1.0 / 12.0,
            Law::Stalls(_, more) => CLOSE * CLOSE + STALLED * (1.0 - STALLED) * more * more,
            Law::Spikes { chance, height } => chance * (1.0 - chance) * height * height,
        }
    }

    /// Where medians are compared; but for what all arms have in common.
    pub fn median(self) -> f64 {
        match self {
            Law::LogNormal(mean, deviation) => mean * (-0.5 * deviation * deviation).exp(),
            Law::Exponential(mean) => mean * std::f64::consts::LN_2,
            Law::Rounded(at) => at.round(),
            Law::Stalls(at, _) => at,
            Law::Coin(p) => f64::from(u8::from(p > 0.5)),
            Law::Spikes { chance, height } => {
                if chance > 0.5 {
                    height
                } else {
                    0.0
                }
            }
            Law::Outliers { .. } => 0.0,
            Law::Count(_) => unreachable!("no case compares medians of counts"),
            Law::Always(x) | Law::Gaussian(x, _) | Law::Student(x) => x,
            Law::UpTo(most) => 0.5 * most,
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
            Law::Student(at) => at + rng.sample(StudentT::new(3.0).expect("there are degrees of freedom")),
            Law::Rounded(at) => (at + rng.sample::<f64, _>(StandardNormal)).round(),
            Law::Stalls(at, more) => {
                let value = at + CLOSE * rng.sample::<f64, _>(StandardNormal);
                if rng.random_bool(STALLED) { value + more } else { value }
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

/// By arm: one law for each objective.
#[derive(Clone, Debug)]
pub(super) struct Laws(pub Vec<Vec<Law>>);

impl Source for Laws {
    fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]) {
        for (value, law) in values.iter_mut().zip(&self.0[arm]) {
            *value = law.draw(rng);
        }
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
            (Law::Student(1.0), false),
            (Law::Rounded(2.0), true),
            (Law::Stalls(1.0, 20.0), false),
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
