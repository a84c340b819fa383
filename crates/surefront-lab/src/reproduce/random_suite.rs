//! What experiments on suites of random instances share: how instances are drawn and run, what is said of every suite, and how ratios are summed up.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{
    Arm, Goal, Model, Noise, NoiseLaw, Objective, Problem, RuleKind, Settings, Simulation, StoppingKind, Summary,
};

use crate::findings::Unfinished;
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers};

/// How many instances there are.
pub const INSTANCES: usize = 24;
/// The accepted chance of a wrong answer.
pub const DELTA: f64 = 0.1;
const MAX_SAMPLES: u64 = 10_000_000;

/// What is run.
#[derive(Clone, Debug)]
pub struct RandomSuiteOptions {
    /// Runs of each kind on each instance.
    pub runs: u64,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Start of the random numbers of the runs; the instances are always the same.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for RandomSuiteOptions {
    fn default() -> Self {
        RandomSuiteOptions { runs: 200, threshold: StoppingKind::Stylized, seed: 1, jobs: None }
    }
}

/// How a suite was run.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteHead {
    /// Which experiment.
    pub experiment: &'static str,
    /// Start of the random numbers of the runs.
    pub seed: u64,
    /// Runs of each kind on each instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// Which arm next.
    pub rule: &'static str,
}

impl RandomSuiteOptions {
    /// The rule that goes with the threshold.
    pub fn rule(&self) -> RuleKind {
        RuleKind::usual_for(self.threshold)
    }

    /// How many arms and objectives the instance of this number has: 3 to 10, and 2 or 3.
    pub fn size(number: usize) -> (usize, usize) {
        (3 + 7 * number / (INSTANCES - 1), 2 + number % 2)
    }

    /// How this experiment is run.
    pub(super) fn head(&self, experiment: &'static str) -> SuiteHead {
        let (threshold, rule) = (self.threshold.name(), self.rule().name());
        SuiteHead { experiment, seed: self.seed, runs: self.runs, delta: DELTA, threshold, rule }
    }

    /// A row for each instance, which takes so many runs; and what an interruption has left undone, by the runs that rows have finished.
    pub(super) fn rows<I, R>(
        &self,
        instances: &[I],
        runs_of_each: u64,
        (observer, interrupt): (&dyn Observer, &AtomicBool),
        row: impl Fn(&Bench<'_>, &I) -> R,
        finished: impl Fn(&R) -> u64,
    ) -> Result<(Vec<R>, Vec<Unfinished>), LabError> {
        within("runs", self.runs, 1..=MOST_RUNS)?;
        let bench = Bench { options: self, workers: Workers::new(self.jobs, interrupt)?, observer };
        let wanted = instances.len() as u64 * runs_of_each;
        observer.begin(wanted, Steps::Runs);
        let mut rows = Vec::new();
        for (number, instance) in instances.iter().enumerate() {
            observer.message(&format!("instance {}", number + 1));
            rows.push(row(&bench, instance));
        }
        observer.end();
        let finished = rows.iter().map(finished).sum();
        let rule = Some(self.rule().name());
        let missing = Unfinished { rule, steps: Steps::Runs, finished, wanted, rest: None };
        Ok((rows, if finished < wanted { vec![missing] } else { Vec::new() }))
    }
}

/// Where the instances of a suite are run.
pub(super) struct Bench<'a> {
    pub options: &'a RandomSuiteOptions,
    workers: Workers<'a>,
    observer: &'a dyn Observer,
}

impl Bench<'_> {
    /// Studies of `problem` on arms of these means, with the Gaussian noise of `actual`.
    pub fn simulated(&self, problem: &Problem, truth: &Model, actual: &Problem) -> Summary {
        let rule = self.options.rule().rule(problem, DELTA).expect("it is a probability");
        let stopping = self.options.threshold.stopping(DELTA).expect("it is a probability");
        let settings = Settings::new(rule, stopping).seed(self.options.seed);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings, MAX_SAMPLES)
            .and_then(|simulation| simulation.with_noise(NoiseLaw::Gaussian, actual.clone()))
            .expect("all are of one problem, and the noise is known");
        Summary::of(&self.each(self.options.runs, |number| simulation.run(number)))
    }

    /// What `one` makes of each run, by its number.
    pub fn each<T: Send>(&self, runs: u64, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
        self.workers.each(0..runs, one, |_| {
            self.observer.advance(1);
            ControlFlow::Continue(())
        })
    }
}

/// All instances of a suite, by number, from one stream of random numbers.
pub(super) fn drawn<I>(seed: u64, mut draw: impl FnMut(&mut Xoshiro256PlusPlus, usize) -> I) -> Vec<I> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..INSTANCES).map(|number| draw(&mut rng, number)).collect()
}

/// So many objectives of unit variance.
pub(super) fn objectives(count: usize) -> Vec<Objective> {
    (0..count).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect()
}

/// So many arms.
pub(super) fn arms(count: usize) -> Vec<Arm> {
    (0..count).map(|k| Arm::named(format!("a{k}"))).collect()
}

/// Standard normal means.
pub(super) fn means(rng: &mut Xoshiro256PlusPlus, arms: usize, readings: usize) -> Vec<Vec<f64>> {
    (0..arms).map(|_| (0..readings).map(|_| rng.sample(StandardNormal)).collect()).collect()
}

/// The same means, further apart. T* is inversely proportional to the square of all gaps.
pub(super) fn scaled(means: &[Vec<f64>], scale: f64) -> Vec<Vec<f64>> {
    means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect()
}

/// Of values with relative standard errors; with its own standard error.
pub fn geometric_mean(values: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = (values.clone().map(|(value, _)| value.ln()).sum::<f64>() / n).exp();
    (mean, mean * values.map(|(_, spread)| spread * spread).sum::<f64>().sqrt() / n)
}
