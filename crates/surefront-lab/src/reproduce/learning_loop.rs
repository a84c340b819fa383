//! The learning loop on simulated arms, against the clock: ask, draw the noise, tell.

use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{
    Arm, Dual, Evaluation, Goal, Model, Noise, Objective, Problem, Rule, Settings, Stopping, Study, Stylized,
};

use crate::observer::Observer;

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
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
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
        // What is timed is the loop, not its end: a study that has its answer after all goes on just the same.
        let stopping = Stopping::Stylized(Stylized::new(1e-200).expect("it is between 0 and 1"));
        let settings = Settings::new(Rule::Dual(Dual::default()), stopping).seed(seed).evaluation(evaluation);
        let deviations = |arm| problem.precision(arm).iter().map(|precision| 1.0 / precision.sqrt());
        let law =
            (0..problem.arm_count()).flat_map(|arm| truth.in_units(problem, arm).into_iter().zip(deviations(arm)));
        let mut learning = LearningLoop {
            law: law.collect(),
            values: vec![0.0; problem.objective_count()],
            study: Study::new(problem.clone(), settings).expect("the rule has no size"),
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

    /// Goes on for this many rounds; `None` if it was interrupted.
    pub fn run(&mut self, rounds: u64, observer: &dyn Observer, interrupt: &AtomicBool) -> Option<Lap> {
        let mut lap = Lap::default();
        while lap.rounds < rounds {
            let stretch = LONGEST_STRETCH.min(rounds - lap.rounds);
            self.stretch(stretch, &mut lap);
            observer.advance(stretch);
            if interrupt.load(Ordering::Relaxed) {
                return None;
            }
        }
        Some(lap)
    }

    /// Goes on for `most` rounds, or until about `limit_micros` are used up, and `other` with it: in turn, so that whatever
    /// else the machine does falls on both.
    pub fn run_beside(&mut self, other: &mut LearningLoop, most: u64, limit_micros: f64) -> [Lap; 2] {
        let mut laps = [Lap::default(); 2];
        let mut stretch = 1;
        while laps[0].rounds < most && laps[0].micros < limit_micros {
            stretch = stretch.min(most - laps[0].rounds);
            self.stretch(stretch, &mut laps[0]);
            other.stretch(stretch, &mut laps[1]);
            stretch = (2 * stretch).min(LONGEST_STRETCH);
        }
        laps
    }

    /// What the first question to the oracle took, once every arm was known: all pieces were looked at, however lazy it is.
    pub fn first_question_micros(&self) -> f64 {
        self.first_question_micros
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    fn stretch(&mut self, rounds: u64, lap: &mut Lap) {
        let start = ThreadTime::now();
        for _ in 0..rounds {
            let arm = self.study.ask();
            self.observe(arm);
        }
        lap.micros += micros_since(start);
        lap.rounds += rounds;
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

    fn start(evaluation: Evaluation) -> LearningLoop {
        LearningLoop::start(&Arms::random(30, 3, 1), evaluation, 7)
    }

    #[test]
    fn lazy_and_eager_go_the_same_way() {
        let (mut lazy, mut eager) = (start(Evaluation::Lazy), start(Evaluation::Eager));
        let laps = eager.run_beside(&mut lazy, 500, f64::INFINITY);
        assert_eq!(laps.map(|lap| lap.rounds), [500, 500]);
        assert_eq!(lazy.study().tally().total(), 530);
        assert_eq!(lazy.study().tally().counts(), eager.study().tally().counts());
        assert!(lazy.study().pieces_evaluated() < eager.study().pieces_evaluated());
    }

    #[test]
    fn a_used_up_limit_ends_the_lap() {
        let (mut lazy, mut eager) = (start(Evaluation::Lazy), start(Evaluation::Eager));
        assert_eq!(eager.run_beside(&mut lazy, 500, 0.0)[0].rounds, 0);
        let rounds = eager.run_beside(&mut lazy, u64::MAX, 1.0).map(|lap| lap.rounds);
        assert!(rounds[0] == rounds[1] && rounds[0] < 1000, "{rounds:?}");
    }

    #[test]
    fn a_long_run_has_all_its_rounds() {
        let rounds = 2 * LONGEST_STRETCH + 3;
        let lap = start(Evaluation::Lazy).run(rounds, &(), &AtomicBool::new(false));
        assert_eq!(lap.unwrap().rounds, rounds);
        assert!(start(Evaluation::Lazy).run(rounds, &(), &AtomicBool::new(true)).is_none());
    }
}
