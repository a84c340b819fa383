//! Means drawn together: the better guess where there are few observations of many arms.
//!
//! The mean of an arm with few observations is far out by chance more often than by merit, and whoever is far out is named. So each mean is drawn towards that of all arms, the more the less it is known beside how far
//! arms are apart: the posterior mean under a normal prior whose centre and variance are estimated from all arms, objective by objective (empirical Bayes; docs/field.md, "With a budget"). No proof uses it.

use crate::family::Family;
use crate::model::{Model, oriented};
use crate::problem::Problem;
use crate::tally::Tally;

/// How far means are drawn together, by objective.
#[derive(Clone, Debug)]
pub(crate) struct Shrinkage<'a> {
    problem: &'a Problem,
    tally: &'a Tally,
    priors: Vec<Prior>,
}

/// What the means of arms are like in an objective.
#[derive(Clone, Copy, Debug)]
struct Prior {
    centre: f64,
    /// Infinite where means are left where they are.
    variance: f64,
}

impl<'a> Shrinkage<'a> {
    /// Every arm must have been measured.
    pub fn new(problem: &'a Problem, tally: &'a Tally) -> Self {
        let arms = problem.arm_count() as f64;
        let prior = |j: usize| {
            let rows = || (0..problem.arm_count()).map(|arm| tally.means().row(arm)[j]);
            let centre = rows().sum::<f64>() / arms;
            let noise = (0..problem.arm_count()).map(|arm| noise(problem, tally, centre, arm, j)).sum::<Option<f64>>();
            let Some(noise) = noise.filter(|_| arms > 2.0) else { return Prior { centre, variance: f64::INFINITY } };
            let apart = rows().map(|mean| (mean - centre).powi(2)).sum::<f64>() / (arms - 1.0);
            // Some of it is merit, however it looks.
            Prior { centre, variance: (apart - noise / arms).max(apart / arms) }
        };
        Shrinkage { problem, tally, priors: (0..problem.objective_count()).map(prior).collect() }
    }

    /// What is kept of the distance to the centre.
    fn kept(&self, arm: usize, objective: usize) -> f64 {
        let Prior { centre, variance } = self.priors[objective];
        let noise = noise(self.problem, self.tally, centre, arm, objective);
        match noise {
            Some(noise) if variance < f64::INFINITY && variance + noise > 0.0 => variance / (variance + noise),
            _ => 1.0,
        }
    }

    /// The means, drawn together.
    pub fn means(&self) -> Model {
        let mut model = self.tally.means().clone();
        self.draw_together(&mut model);
        model
    }

    /// A model that was drawn around the means under a flat prior becomes one that is drawn around those drawn together.
    pub fn draw_together(&self, model: &mut Model) {
        for arm in 0..self.problem.arm_count() {
            let means = self.tally.means().row(arm);
            model.change(arm, |row| {
                for (j, (to, mean)) in row.iter_mut().zip(means).enumerate() {
                    let (kept, centre) = (self.kept(arm, j), self.priors[j].centre);
                    // What stays where it is may be infinite, as a quantile of measurements that never end.
                    if kept < 1.0 {
                        *to = centre + kept * (mean - centre) + kept.sqrt() * (*to - mean);
                    }
                }
            });
        }
    }
}

/// The variance of an arm's mean, if all arms were at the centre; `None` where it is no mean of noise that is known.
fn noise(problem: &Problem, tally: &Tally, centre: f64, arm: usize, objective: usize) -> Option<f64> {
    if problem.quantile(objective).is_some() {
        return None;
    }
    let variance = match problem.family(objective) {
        Family::Gaussian => problem.precision(arm)[objective].recip(),
        family => family.variance(oriented(problem.objectives()[objective].goal, centre)),
    };
    Some(variance / tally.counts()[arm]).filter(|noise| noise.is_finite())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::statistic::Statistic;

    fn told(noise: Noise, arms: &[Vec<f64>]) -> (Problem, Tally) {
        let objective = Objective::new("y", Goal::Min, noise);
        let names = (0..arms.len()).map(|arm| Arm::named(format!("{arm}"))).collect();
        let problem = Problem::new(vec![objective], names).unwrap();
        let mut tally = Tally::new(&problem);
        for (arm, values) in arms.iter().enumerate() {
            values.iter().for_each(|&value| tally.add(&problem, arm, &[value]).unwrap());
        }
        (problem, tally)
    }

    proptest! {
        /// Against the posterior mean of the definition; in the units of the objective, where less is better.
        #[test]
        fn means_are_posterior_means(
            arms in prop::collection::vec(prop::collection::vec(-50.0..50.0f64, 1..6), 3..9), variance in 0.01..1e4f64,
        ) {
            let (problem, tally) = told(Noise::Variance(variance), &arms);
            let drawn = Shrinkage::new(&problem, &tally).means();
            let k = arms.len() as f64;
            let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
            let centre = arms.iter().map(mean).sum::<f64>() / k;
            let apart = arms.iter().map(|values| (mean(values) - centre).powi(2)).sum::<f64>() / (k - 1.0);
            let noise = arms.iter().map(|values| variance / values.len() as f64).sum::<f64>() / k;
            let prior = (apart - noise).max(apart / k);
            for (arm, values) in arms.iter().enumerate() {
                let own = variance / values.len() as f64;
                let expected = (centre / prior + mean(values) / own) / (1.0 / prior + 1.0 / own);
                let found = -drawn.row(arm)[0];
                prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
            }
        }
    }

    #[test]
    fn what_has_no_noise_or_no_other_arms_stays_where_it_is() {
        let three = [vec![1.0], vec![0.0], vec![1.0]];
        for (noise, arms) in [(Noise::Exact, &three[..]), (Noise::Variance(1.0), &three[..2])] {
            let (problem, tally) = told(noise, arms);
            assert_eq!(Shrinkage::new(&problem, &tally).means(), *tally.means());
        }
    }

    #[test]
    fn a_quantile_may_be_infinite() {
        let objective = Objective::new("y", Goal::Min, Noise::Any).with_statistic(Statistic::MEDIAN);
        let problem = Problem::new(vec![objective], ["a", "b", "c"].map(Arm::named).to_vec()).unwrap();
        let mut tally = Tally::new(&problem);
        for (arm, value) in [(0, 1.0), (1, f64::INFINITY), (2, 3.0)] {
            (0..5).for_each(|_| tally.add(&problem, arm, &[value]).unwrap());
        }
        assert_eq!(Shrinkage::new(&problem, &tally).means(), *tally.means());
    }

    /// One success of one is no rate of 1 where others have many failures; and all at the edge are left there.
    #[test]
    fn success_rates_are_drawn_together() {
        let (problem, tally) =
            told(Noise::Bernoulli, &[vec![1.0], vec![0.0; 40], vec![0.0; 40], [1.0, 0.0].repeat(20)]);
        let drawn = Shrinkage::new(&problem, &tally).means();
        let rate = |arm: usize| -drawn.row(arm)[0];
        assert!(rate(0) < 0.8 && rate(0) > rate(3) && rate(1) > 0.0 && rate(1) < 0.1, "{drawn:?}");
        let (problem, tally) = told(Noise::Bernoulli, &[vec![0.0; 3], vec![0.0; 5], vec![0.0]]);
        assert_eq!(Shrinkage::new(&problem, &tally).means(), *tally.means());
    }
}
