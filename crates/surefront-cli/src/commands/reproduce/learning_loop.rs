//! The learning loop on simulated arms, against the clock: ask, draw the noise, tell.

use cpu_time::ThreadTime;
use indicatif::ProgressBar;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{
    Arm, Dual, Evaluation, Goal, Model, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized,
};

/// The clock is read, and the progress shown, after at most this many rounds.
const LONGEST_STRETCH: u64 = 256;

/// Arms with known means.
pub struct Arms {
    pub problem: Problem,
    pub truth: Model,
}

impl Arms {
    /// Standard normal means and unit variances. They depend on nothing but the arguments.
    pub fn random(arms: usize, objectives: usize, seed: u64) -> Self {
        let objective = |j| Objective { name: format!("y{j}"), goal: Goal::Max, noise: Noise::Variance(1.0) };
        let names = (0..arms).map(|k| Arm::named(format!("a{k}"))).collect();
        let problem = Problem::new((0..objectives).map(objective).collect(), names).expect("names differ");
        let mut rng = Stream::Arms.generator(seed);
        let means: Vec<Vec<f64>> =
            (0..arms).map(|_| (0..objectives).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let truth = Model::new(&problem, &means).expect("random means are finite");
        Arms { problem, truth }
    }
}

/// What random numbers are drawn for, each from a stream of its own; the rule's begins with the seed itself.
#[derive(Clone, Copy)]
enum Stream {
    Arms = 1,
    Noise = 2,
}

impl Stream {
    fn generator(self, seed: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(seed ^ ((self as u64) << 62))
    }
}

/// Rounds and the time of one core that they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lap {
    /// How many.
    pub rounds: u64,
    /// All of them together.
    pub micros: f64,
}

impl Lap {
    /// The mean time of a round.
    pub fn micros_per_round(&self) -> f64 {
        self.micros / self.rounds as f64
    }
}

/// A study of simulated arms in which every arm has been observed once.
pub struct LearningLoop {
    study: Study,
    noise: Xoshiro256PlusPlus,
    /// By arm, and in it by objective: mean and standard deviation, in the objectives' own units.
    law: Vec<(f64, f64)>,
    values: Vec<f64>,
    first_question_micros: f64,
}

impl LearningLoop {
    /// Observes every arm once.
    pub fn start(Arms { problem, truth }: &Arms, evaluation: Evaluation, seed: u64) -> Self {
        let settings = Settings {
            rule: Rule::Dual(Dual::default()),
            // What is timed is the loop, not its end: a study that is sure after all goes on just the same.
            stopping: Stopping::Stylized(Stylized::new(1e-300).expect("it is between 0 and 1")),
            check_every: 1,
            seed,
            evaluation,
        };
        let deviations = |arm| problem.precision(arm).iter().map(|precision| 1.0 / precision.sqrt());
        let law =
            (0..problem.arm_count()).flat_map(|arm| truth.in_units(problem, arm).into_iter().zip(deviations(arm)));
        let mut learning = LearningLoop {
            law: law.collect(),
            values: vec![0.0; problem.objective_count()],
            study: Study::new(problem.clone(), settings),
            noise: Stream::Noise.generator(seed),
            first_question_micros: 0.0,
        };
        for arm in 0..problem.arm_count() {
            let start = ThreadTime::now();
            learning.observe(arm);
            learning.first_question_micros = micros_since(start);
        }
        learning
    }

    /// Goes on for `most` rounds, or until about `limit_micros` are used up.
    pub fn run(&mut self, most: u64, limit_micros: f64, bar: &ProgressBar) -> Lap {
        let mut lap = Lap::default();
        let mut stretch = 1;
        while lap.rounds < most && lap.micros < limit_micros {
            let rounds = stretch.min(most - lap.rounds);
            let start = ThreadTime::now();
            for _ in 0..rounds {
                let arm = self.study.ask();
                self.observe(arm);
            }
            lap.micros += micros_since(start);
            lap.rounds += rounds;
            bar.inc(rounds);
            stretch = (2 * stretch).min(LONGEST_STRETCH);
        }
        lap
    }

    /// What the first question to the oracle took, once every arm was known: all pieces were looked at, however lazy it is.
    pub fn first_question_micros(&self) -> f64 {
        self.first_question_micros
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    fn observe(&mut self, arm: usize) {
        let d = self.values.len();
        for (value, (mean, deviation)) in self.values.iter_mut().zip(&self.law[arm * d..(arm + 1) * d]) {
            let drawn: f64 = self.noise.sample(StandardNormal);
            *value = mean + deviation * drawn;
        }
        self.study.tell(arm, &self.values).expect("simulated observations are finite");
    }
}

fn micros_since(start: ThreadTime) -> f64 {
    start.elapsed().as_nanos() as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lazy_and_eager_go_the_same_way() {
        let arms = Arms::random(30, 3, 1);
        let [lazy, eager] = [Evaluation::Lazy, Evaluation::Eager].map(|evaluation| {
            let mut learning = LearningLoop::start(&arms, evaluation, 7);
            let lap = learning.run(500, f64::INFINITY, &ProgressBar::hidden());
            assert_eq!((lap.rounds, learning.study().tally().total()), (500, 530));
            learning
        });
        assert_eq!(lazy.study().tally().counts(), eager.study().tally().counts());
        assert!(lazy.study().pieces_evaluated() < eager.study().pieces_evaluated());
    }

    #[test]
    fn a_used_up_limit_ends_the_lap() {
        let mut learning = LearningLoop::start(&Arms::random(10, 2, 1), Evaluation::Lazy, 7);
        assert_eq!(learning.run(500, 0.0, &ProgressBar::hidden()).rounds, 0);
        assert!(learning.run(u64::MAX, 1.0, &ProgressBar::hidden()).rounds < 1000);
    }
}
