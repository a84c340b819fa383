//! Random instances with limits, and their parts: who keeps the limits, and who is on the front of some arms.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use surefront::{Goal, Model, Noise, Objective, Problem, bound};

use crate::replication::Yardstick;
use crate::reproduce::random_suite::{self, DELTA, RandomSuiteOptions, drawn, means, objectives, scaled};

const INSTANCE_SEED: u64 = 2029;
/// Of every instance, with its limits.
pub const T_STAR: f64 = 1000.0;
/// Limits are drawn between these, in standard deviations of the means: from where most arms keep one to where few do.
const LIMITS: (f64, f64) = (-1.0, 0.5);
/// One instance.
#[derive(Clone, Debug)]
pub struct Instance {
    pub problem: Problem,
    pub means: Vec<Vec<f64>>,
    pub truth: Model,
    pub yardstick: Yardstick,
}

/// All of them, from one stream of random numbers.
pub fn instances() -> Vec<Instance> {
    drawn(INSTANCE_SEED, Instance::draw)
}

impl Instance {
    /// Standard normal means and limits, scaled together, and unit variances. One constraint on something that is not optimised; in every other pair of instances, a limit on the first
    /// objective as well.
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let means = means(rng, arms, d + 1);
        let limits: Vec<f64> = (0..2).map(|_| rng.random_range(LIMITS.0..LIMITS.1)).collect();
        let at = |scale: f64| {
            let mut objectives = objectives(d);
            if number / 2 % 2 == 1 {
                objectives[0].limits.at_least = Some(scale * limits[1]);
            }
            objectives.push(Objective::limited("c", Noise::Variance(1.0)).with_at_least(scale * limits[0]));
            let problem = Problem::new(objectives, random_suite::arms(arms)).expect("names differ");
            let rows = scaled(&means, scale);
            let truth = Model::new(&problem, &rows).expect("random means are finite");
            let found = bound(&problem, &truth, 1e-5).expect("random means are not at a limit");
            (problem, rows, truth, found)
        };
        let (problem, means, truth, found) = at((at(1.0).3.upper / T_STAR).sqrt());
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { problem, means, truth, yardstick }
    }

    /// Who keeps the limits, all else being the same for all.
    pub fn limits_alone(&self) -> (Problem, Vec<usize>) {
        let limited: Vec<usize> =
            (0..self.problem.objective_count()).filter(|&j| !self.problem.objectives()[j].limits.is_none()).collect();
        let mut objectives = vec![Objective::new("nothing", Goal::Max, Noise::Exact)];
        objectives.extend(limited.iter().map(|&j| {
            let objective = &self.problem.objectives()[j];
            let mut alone = Objective::limited(&objective.name, objective.noise);
            alone.limits = objective.limits;
            alone
        }));
        (Problem::new(objectives, self.problem.arms().to_vec()).expect("names differ"), limited)
    }

    /// Who is on the front of these arms, whatever the limits.
    pub fn front_alone(&self, arms: &[usize]) -> (Problem, Vec<usize>) {
        let optimised: Vec<usize> =
            (0..self.problem.objective_count()).filter(|&j| !self.problem.objectives()[j].is_only_limited()).collect();
        let objective = |&j: &usize| {
            let objective = &self.problem.objectives()[j];
            Objective::new(&objective.name, objective.goal, objective.noise)
        };
        let kept = arms.iter().map(|&arm| self.problem.arms()[arm].clone()).collect();
        let problem = Problem::new(optimised.iter().map(objective).collect(), kept).expect("names differ");
        (problem, optimised)
    }
}
