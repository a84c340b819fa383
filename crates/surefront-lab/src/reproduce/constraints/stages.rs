//! Who keeps the limits first, and the front after: the obvious way, with our rules and thresholds.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Front, Problem, Settings, Study};

use super::instance::Instance;
use crate::reproduce::random_suite::{DELTA, RandomSuiteOptions};

/// A run that takes more ends without an answer.
pub const MAX_SAMPLES: u64 = 10_000_000;

/// One run in two stages: the number of samples, and whether the answer is right; `None` without an answer.
///
/// Half of δ is spent on each stage, and what was observed in the first counts in the second.
pub fn in_two_stages(instance: &Instance, options: &RandomSuiteOptions, number: u64) -> (u64, Option<bool>) {
    let settings = |problem: &Problem, stage: u64| {
        let rule = options.rule().rule(problem, DELTA / 2.0).expect("it is a probability");
        let stopping = options.threshold.stopping(DELTA / 2.0).expect("it is a probability");
        Settings::new(rule, stopping).seed(options.seed.wrapping_mul(1_000_003) ^ (2 * number + stage))
    };
    let mut noise = Xoshiro256PlusPlus::seed_from_u64(options.seed.wrapping_mul(7_919) ^ number);
    let mut observe = |arm: usize| -> Vec<f64> {
        instance.means[arm].iter().map(|mean| mean + noise.sample::<f64, _>(StandardNormal)).collect()
    };
    let mut told: Vec<(usize, Vec<f64>)> = Vec::new();
    let (first, limited) = instance.limits_alone();
    let first_settings = settings(&first, 0);
    let mut study = Study::new(first, first_settings).expect("rule and threshold fit");
    while !study.stopped() && told.len() < MAX_SAMPLES as usize {
        let arm = study.ask();
        let values = observe(arm);
        let row: Vec<f64> = std::iter::once(0.0).chain(limited.iter().map(|&j| values[j])).collect();
        study.tell(arm, &row).expect("simulated observations are finite");
        told.push((arm, values));
    }
    let feasible = study.verdict().front;
    let right = Front::of(&instance.truth);
    if !study.stopped() {
        return (told.len() as u64, None);
    }
    let mut samples = told.len() as u64;
    let mut answer = feasible.clone();
    if feasible.len() > 1 {
        let (second, optimised) = instance.front_alone(&feasible);
        let second_settings = settings(&second, 1);
        let mut study = Study::new(second, second_settings).expect("rule and threshold fit");
        let part = |values: &[f64]| optimised.iter().map(|&j| values[j]).collect::<Vec<f64>>();
        for (arm, values) in &told {
            if let Some(place) = feasible.iter().position(|kept| kept == arm) {
                study.tell(place, &part(values)).expect("simulated observations are finite");
            }
        }
        while !study.stopped() && samples < MAX_SAMPLES {
            let place = study.ask();
            study.tell(place, &part(&observe(feasible[place]))).expect("simulated observations are finite");
            samples += 1;
        }
        if !study.stopped() {
            return (samples, None);
        }
        answer = study.verdict().front.into_iter().map(|place| feasible[place]).collect();
    }
    (samples, Some(answer == right.members()))
}

/// Runs of one kind on an instance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StageRow {
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Runs that ended with a wrong answer.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

impl StageRow {
    pub(super) fn of(runs: &[(u64, Option<bool>)]) -> Self {
        let n = runs.len() as f64;
        let mean = runs.iter().map(|run| run.0 as f64).sum::<f64>() / n;
        let squares: f64 = runs.iter().map(|run| (run.0 as f64 - mean).powi(2)).sum();
        let count = |what: Option<bool>| runs.iter().filter(|run| run.1 == what).count() as u64;
        let se = (squares / (n - 1.0).max(1.0) / n).sqrt();
        StageRow { runs: runs.len() as u64, mean, se, mistakes: count(Some(false)), undecided: count(None) }
    }

    /// The relative standard error.
    pub(super) fn spread(&self) -> f64 {
        self.se / self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::constraints::instance::instances;

    #[test]
    fn two_stages_come_to_the_same_answer() {
        let options = RandomSuiteOptions::default();
        let instances = instances();
        let runs = instances.iter().take(6).map(|instance| in_two_stages(instance, &options, 1));
        assert!(runs.filter(|run| run.1 == Some(true)).count() >= 5);
    }
}
