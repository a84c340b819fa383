//! The shape of simulated noise.

use rand::{Rng, RngExt};
use rand_distr::{StandardNormal, StudentT};

/// How the noise of simulated observations is distributed, whatever its variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseLaw {
    /// As every stopping rule assumes.
    Gaussian,
    /// Student's t with 5 degrees of freedom: kurtosis 9 instead of 3, as of measurements with outliers.
    HeavyTailed,
}

impl NoiseLaw {
    /// A number with mean zero and variance one.
    pub(super) fn draw(self, rng: &mut impl Rng) -> f64 {
        match self {
            NoiseLaw::Gaussian => rng.sample(StandardNormal),
            NoiseLaw::HeavyTailed => {
                const FREEDOM: f64 = 5.0;
                let student = StudentT::new(FREEDOM).expect("there are degrees of freedom");
                rng.sample(student) / (FREEDOM / (FREEDOM - 2.0)).sqrt()
            }
        }
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
            let values: Vec<f64> = (0..draws).map(|_| law.draw(&mut rng)).collect();
            let variance = values.iter().map(|x| x * x).sum::<f64>() / f64::from(draws);
            assert!((variance - 1.0).abs() < 0.04, "{law:?}: {variance}");
            values.iter().filter(|x| x.abs() > 4.0).count()
        });
        assert!(gaussian < 30 && heavy > 200, "{gaussian} {heavy}");
    }
}
