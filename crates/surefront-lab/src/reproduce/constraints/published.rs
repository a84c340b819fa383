//! The rules for limits of the field, on their authors' word.

use serde::Serialize;
use surefront::{Ending, RuleKind, Settings, Simulation, Summary};

use super::ConstrainedRow;
use super::instance::Instance;
use super::stages::{MAX_SAMPLES, StageRow};
use crate::reproduce::random_suite::{Bench, DELTA, RandomSuiteOptions, geometric_mean};

/// The rules for limits of the field.
pub const PUBLISHED: [RuleKind; 2] = [RuleKind::ECape, RuleKind::TwoStage];

/// Their bounds are wide, and a tenth of the runs will do.
pub fn published_runs(options: &RandomSuiteOptions) -> u64 {
    options.runs.div_ceil(10)
}

/// Runs of a rule of the field, on its authors' word.
pub fn by_its_own_stop(instance: &Instance, rule: RuleKind, bench: &Bench<'_>) -> StageRow {
    let Instance { problem, truth, .. } = instance;
    let of_rule = rule.rule(problem, DELTA).expect("it is a probability");
    let stopping = bench.options.threshold.stopping(DELTA).expect("it is a probability");
    let settings = Settings::new(of_rule, stopping).seed(bench.options.seed);
    let simulation = Simulation::new(problem.clone(), truth.clone(), settings, MAX_SAMPLES);
    let simulation = simulation.and_then(|simulation| simulation.ending(Ending::OwnStop));
    let simulation = simulation.expect("it heeds limits");
    let runs = bench.each(published_runs(bench.options), |number| simulation.run(number));
    let Summary { runs, mean, se, mistakes, undecided, .. } = Summary::of(&runs);
    StageRow { runs, mean, se, mistakes, undecided }
}

/// Runs of a published rule on an instance, by its own stop.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PublishedRow {
    /// Which.
    pub rule: &'static str,
    /// What became of them.
    #[serde(flatten)]
    pub row: StageRow,
    /// The mean over T*·β.
    pub ratio: f64,
}

/// A published rule on all instances.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PublishedTotal {
    /// Which.
    pub rule: &'static str,
    /// The geometric mean of the mean over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// Runs that ended with a wrong answer.
    pub mistakes: u64,
    /// Of so many.
    pub runs: u64,
}

impl PublishedTotal {
    pub(super) fn of(rule: RuleKind, rows: &[ConstrainedRow]) -> Self {
        let own =
            || rows.iter().flat_map(|row| &row.published).filter(|of| of.rule == rule.name() && of.row.mean > 0.0);
        let (ratio, se) = geometric_mean(own().map(|of| (of.ratio, of.row.spread())));
        PublishedTotal {
            rule: rule.name(),
            geometric_mean_ratio: ratio,
            geometric_mean_ratio_se: se,
            mistakes: own().map(|of| of.row.mistakes).sum(),
            runs: own().map(|of| of.row.runs).sum(),
        }
    }
}
