//! Where the observations of an arm come from.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{CorrelatedNoise, Family, Noise, Problem, Range, normal_quantile};

use crate::file::input_error::{Fault, InputError};
use crate::file::study::{ArmCommand, StudyFile};

/// What makes an observation of one arm.
#[derive(Clone, Debug)]
pub enum Source {
    /// A command measures it.
    Command(ArmCommand),
    /// It is drawn around the given means.
    Simulated(Simulated),
}

impl Source {
    /// An arm with a command is measured by it; one with means and no command is simulated.
    pub fn of(study: &StudyFile, problem: &Problem, arm: usize) -> Result<Self, InputError> {
        if let Some(command) = study.command(arm) {
            return Ok(Source::Command(command.clone()));
        }
        let name = &problem.arms()[arm].name;
        let Some(means) = study.means(arm) else {
            return Err(study.fault_of_arm(arm, Fault::NoSource { arm: name.clone() }));
        };
        let law = |objective| match problem.noise(arm, objective) {
            noise if noise.variance().is_some() => {
                let deviation = noise.variance().map_or(0.0, f64::sqrt);
                // Where a quantile is compared, it is the quantile that is given.
                let offset = problem.quantile(objective).map_or(0.0, |quantile| -normal_quantile(quantile.level()));
                Ok(Law::Around { deviation, offset })
            }
            Noise::Bounded { low, high } => Ok(Law::Within(Range { low, high })),
            noise if noise.family().is_some() && !noise.is_estimated() => Ok(Law::Kind(problem.family(objective))),
            _ => {
                let fault = Fault::VarianceToSimulate {
                    arm: name.clone(),
                    objective: problem.objectives()[objective].name.clone(),
                };
                Err(study.fault_of_arm(arm, fault))
            }
        };
        let laws = (0..problem.objective_count()).map(law).collect::<Result<_, _>>()?;
        Ok(Source::Simulated(Simulated { means: means.to_vec(), laws, correlated: problem.correlated_noise() }))
    }
}

/// Observations with given means.
#[derive(Clone, Debug)]
pub struct Simulated {
    means: Vec<f64>,
    laws: Vec<Law>,
    /// Where all of them are Gaussian, and not independent.
    correlated: Option<CorrelatedNoise>,
}

/// How the observations of an objective are drawn.
#[derive(Clone, Copy, Debug)]
enum Law {
    /// Gaussian, with this standard deviation; its mean is so many of these away from what is given.
    Around { deviation: f64, offset: f64 },
    /// Of a kind that the mean alone says all about.
    Kind(Family),
    /// Within a range.
    Within(Range),
}

impl Law {
    /// The standard deviation, where it does not come with the mean.
    fn deviation(self) -> f64 {
        match self {
            Law::Around { deviation, .. } => deviation,
            Law::Kind(_) | Law::Within(_) => 0.0,
        }
    }
}

impl Simulated {
    /// The observation of a ticket: the same for the same seed, whatever else is measured before or meanwhile.
    pub fn observe(&self, seed: u64, ticket: i64) -> Vec<f64> {
        let mut noise = Xoshiro256PlusPlus::seed_from_u64(scrambled(scrambled(seed) ^ ticket.cast_unsigned()));
        if let Some(correlated) = &self.correlated {
            let mut values: Vec<f64> = self.means.iter().map(|_| noise.sample(StandardNormal)).collect();
            correlated.correlate(&mut values);
            let cells = values.iter().zip(&self.means).zip(&self.laws);
            return cells.map(|((noise, mean), law)| mean + law.deviation() * noise).collect();
        }
        let draw = |(&mean, law): (&f64, &Law)| match law {
            Law::Around { deviation, offset } => mean + deviation * (offset + noise.sample::<f64, _>(StandardNormal)),
            Law::Kind(family) => family.draw(mean, &mut noise),
            Law::Within(range) => range.draw(mean, &mut noise),
        };
        self.means.iter().zip(&self.laws).map(draw).collect()
    }
}

/// One round of SplitMix64: near numbers become far ones.
fn scrambled(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_observation_depends_on_its_seed_and_ticket_alone() {
        let laws = vec![Law::Around { deviation: 2.0, offset: 0.0 }, Law::Around { deviation: 0.0, offset: 0.0 }];
        let arm = Simulated { means: vec![5.0, -1.0], laws, correlated: None };
        assert_eq!(arm.observe(1, 7), arm.observe(1, 7));
        assert_ne!(arm.observe(1, 7)[0], arm.observe(1, 8)[0]);
        assert_ne!(arm.observe(1, 7)[0], arm.observe(2, 7)[0]);
        assert_eq!(arm.observe(1, 7)[1], -1.0);
    }

    /// Of 10,000, five standard errors around the part that is at or below the quantile given.
    #[test]
    fn observations_have_the_quantile() {
        let offset = -normal_quantile(0.9);
        let arm = Simulated { means: vec![5.0], laws: vec![Law::Around { deviation: 2.0, offset }], correlated: None };
        let below = (1..=10_000).filter(|&ticket| arm.observe(1, ticket)[0] <= 5.0).count();
        assert!((below as f64 - 9000.0).abs() < 5.0 * 30.0, "{below}");
    }

    #[test]
    fn observations_have_the_mean_and_the_variance() {
        let laws = vec![Law::Around { deviation: 2.0, offset: 0.0 }];
        let arm = Simulated { means: vec![5.0], laws, correlated: None };
        let noise: Vec<f64> = (1..=10_000).map(|ticket| arm.observe(1, ticket)[0] - 5.0).collect();
        let count = noise.len() as f64;
        let mean = noise.iter().sum::<f64>() / count;
        let variance = noise.iter().map(|x| x * x).sum::<f64>() / count;
        // Five standard errors.
        assert!(mean.abs() < 5.0 * 2.0 / count.sqrt(), "{mean}");
        assert!((variance - 4.0).abs() < 5.0 * 4.0 * (2.0 / count).sqrt(), "{variance}");
        let neighbours = noise.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / count;
        assert!(neighbours.abs() < 5.0 * 4.0 / count.sqrt(), "{neighbours}");
    }
}
