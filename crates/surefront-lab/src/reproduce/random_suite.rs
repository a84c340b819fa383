//! What experiments on suites of random instances share: how they are run, and how ratios are summed up.

use std::ops::ControlFlow;

use surefront::{Model, NoiseLaw, Problem, RuleKind, Settings, Simulation, StoppingKind, Summary};

use crate::observer::Observer;
use crate::replication::Workers;

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

impl RandomSuiteOptions {
    /// The rule that goes with the threshold.
    pub fn rule(&self) -> RuleKind {
        RuleKind::usual_for(self.threshold)
    }

    /// How many arms and objectives the instance of this number has: 3 to 10, and 2 or 3.
    pub fn size(number: usize) -> (usize, usize) {
        (3 + 7 * number / (INSTANCES - 1), 2 + number % 2)
    }

    /// Studies of `problem` on arms of these means, with the Gaussian noise of `actual`.
    pub fn simulated(
        &self,
        workers: &Workers<'_>,
        observer: &dyn Observer,
        problem: &Problem,
        truth: &Model,
        actual: &Problem,
    ) -> Summary {
        let rule = self.rule().rule(problem, DELTA).expect("it is a probability");
        let stopping = self.threshold.stopping(DELTA).expect("it is a probability");
        let settings = Settings::new(rule, stopping).seed(self.seed);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings, MAX_SAMPLES)
            .and_then(|simulation| simulation.with_noise(NoiseLaw::Gaussian, actual.clone()))
            .expect("all are of one problem, and the noise is known");
        let runs = workers.replicate(&simulation, 0..self.runs, |_| {
            observer.advance(1);
            ControlFlow::Continue(())
        });
        Summary::of(&runs)
    }
}

/// Of values with relative standard errors; with its own standard error.
pub fn geometric_mean(values: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = (values.clone().map(|(value, _)| value.ln()).sum::<f64>() / n).exp();
    (mean, mean * values.map(|(_, spread)| spread * spread).sum::<f64>().sqrt() / n)
}
