//! Studies of the same random arms, by what is asked of them.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{Arm, Dual, Goal, Margin, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized};

/// What is asked beyond the front of the means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Nothing,
    /// Arms cost from 1 to 20.
    Costs,
    /// Differences up to a tenth of a standard deviation of the means do not matter.
    Margins,
    /// The first objective, and one further reading, must be above the lower third of the means.
    Limits,
    /// Margins and limits.
    Both,
}

/// A study of 20 arms with standard normal means in three objectives of unit variance, in which no arm has been observed. It does not stop.
pub struct Loop {
    study: Study,
    means: Vec<Vec<f64>>,
    noise: Xoshiro256PlusPlus,
}

impl Loop {
    pub fn start(asked: Asked, seed: u64) -> Self {
        const ARMS: usize = 20;
        let (margins, limits) =
            (matches!(asked, Asked::Margins | Asked::Both), matches!(asked, Asked::Limits | Asked::Both));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // The further reading is drawn whether it is measured or not, so that the arms are the same.
        let mut means: Vec<Vec<f64>> =
            (0..ARMS).map(|_| (0..4).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let objective = |j: usize| {
            let objective = Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
            let objective = if margins { objective.with_margin(Margin::Absolute(0.1)) } else { objective };
            if limits && j == 0 { objective.with_at_least(-0.5) } else { objective }
        };
        let mut objectives: Vec<Objective> = (0..3).map(objective).collect();
        if limits {
            objectives.push(Objective::limited("c", Noise::Variance(1.0)).with_at_least(-0.5));
        }
        means.iter_mut().for_each(|row| row.truncate(objectives.len()));
        let cost = |arm: usize| if asked == Asked::Costs { 1.0 + arm as f64 } else { 1.0 };
        let arms = (0..ARMS).map(|arm| Arm::named(format!("a{arm}")).with_cost(cost(arm))).collect();
        let problem = Problem::new(objectives, arms).unwrap();
        let stopping = Stopping::Stylized(Stylized::new(1e-200).unwrap());
        let study = Study::new(problem, Settings::new(Rule::Dual(Dual::default()), stopping).seed(seed)).unwrap();
        Loop { study, means, noise: Xoshiro256PlusPlus::seed_from_u64(seed + 1000) }
    }

    /// Ask, measure, tell.
    pub fn round(&mut self) {
        let arm = self.study.ask();
        let mut values = [0.0; 4];
        let values = &mut values[..self.means[arm].len()];
        for (value, mean) in values.iter_mut().zip(&self.means[arm]) {
            *value = mean + self.noise.sample::<f64, _>(StandardNormal);
        }
        self.study.tell(arm, values).unwrap();
    }
}
