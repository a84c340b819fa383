//! What a sample of a whole study costs, by what is measured and when it stops.

use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{
    Arm, Goal, Model, Noise, NoiseLaw, Objective, Problem, RuleKind, Settings, Simulation, Statistic, StoppingKind,
    bound,
};
use surefront_study::words::number::{duration, grouped};
use surefront_study::words::table::{Align, TextTable, Width};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};

/// How hard the instances of 20 arms are, so that a study takes thousands of samples.
const T_STAR: f64 = 1000.0;
/// Those of 1,000 arms end earlier: what is timed is the first 20 samples of each arm or so.
const SAMPLES: [(usize, u64); 2] = [(20, 50_000), (1000, 20_000)];
const OBJECTIVES: usize = 3;
const DELTA: f64 = 0.1;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundsOptions {
    /// Studies in each row, each of other arms.
    pub studies: u64,
    /// The largest number of arms.
    pub max_arms: u32,
    /// Start of the random numbers.
    pub seed: u64,
}

impl Default for RoundsOptions {
    fn default() -> Self {
        RoundsOptions { studies: 3, max_arms: 1000, seed: 1 }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measured {
    Known,
    Unknown,
    Common,
    Bernoulli,
    Median,
}

impl Measured {
    const ALL: [(Measured, StoppingKind); 8] = [
        (Measured::Known, StoppingKind::Stylized),
        (Measured::Known, StoppingKind::Calibrated),
        (Measured::Known, StoppingKind::Certified),
        (Measured::Unknown, StoppingKind::Certified),
        (Measured::Common, StoppingKind::Certified),
        (Measured::Bernoulli, StoppingKind::Stylized),
        (Measured::Bernoulli, StoppingKind::Certified),
        (Measured::Median, StoppingKind::Certified),
    ];

    fn name(self) -> &'static str {
        match self {
            Measured::Known => "gaussian, variance known",
            Measured::Unknown => "gaussian, variance unknown",
            Measured::Common => "gaussian, common variance",
            Measured::Bernoulli => "bernoulli",
            Measured::Median => "median",
        }
    }

    /// What the study is told.
    fn noise(self) -> (Noise, Statistic) {
        match self {
            Measured::Known => (Noise::Variance(1.0), Statistic::Mean),
            Measured::Unknown => (Noise::Unknown, Statistic::Mean),
            Measured::Common => (Noise::Common, Statistic::Mean),
            Measured::Bernoulli => (Noise::Bernoulli, Statistic::Mean),
            Measured::Median => (Noise::Any, Statistic::MEDIAN),
        }
    }

    /// What the noise is.
    fn actual(self) -> Noise {
        if self == Measured::Bernoulli { Noise::Bernoulli } else { Noise::Variance(1.0) }
    }
}

fn problem(arms: usize, (noise, statistic): (Noise, Statistic)) -> Problem {
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise).with_statistic(statistic);
    let names = (0..arms).map(|k| Arm::named(format!("a{k}"))).collect();
    Problem::new((0..OBJECTIVES).map(objective).collect(), names).expect("names differ")
}

/// A study of random arms.
fn simulation(measured: Measured, threshold: StoppingKind, arms: usize, most: u64, seed: u64) -> Simulation {
    let (study, actual) = (problem(arms, measured.noise()), problem(arms, (measured.actual(), Statistic::Mean)));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let places: Vec<Vec<f64>> =
        (0..arms).map(|_| (0..OBJECTIVES).map(|_| rng.sample(StandardNormal)).collect()).collect();
    let gaussian = problem(arms, (Noise::Variance(1.0), Statistic::Mean));
    let model = |problem: &Problem, rows: &[Vec<f64>]| Model::new(problem, rows).expect("the means are of their kind");
    // T* is inversely proportional to the square of all gaps; that of success rates is about four times as much.
    let t_star = bound(&gaussian, &model(&gaussian, &places), 1e-2).expect("random means do not tie").upper;
    let scale = (t_star / T_STAR).sqrt();
    let mean = |place: &f64| match measured {
        // Not too near the edge, and no ties.
        Measured::Bernoulli => 1.0 / (1.0 + (-3.0 * (2.0 / 3.0 * scale * place).tanh()).exp()),
        _ => scale * place,
    };
    let rows: Vec<Vec<f64>> = places.iter().map(|row| row.iter().map(mean).collect()).collect();
    let truth = model(&actual, &rows);
    let rule = RuleKind::usual_for(threshold).rule(&study, DELTA).expect("it is a probability");
    let settings = Settings::new(rule, threshold.stopping(DELTA).expect("it is a probability")).seed(seed);
    Simulation::new(study, truth, settings, most)
        .and_then(|simulation| simulation.with_noise(NoiseLaw::Gaussian, actual))
        .expect("all are of one size, and the noise is known")
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct Rounds {
    /// "rounds".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Studies in each row.
    pub studies: u64,
    /// One for each kind, threshold and number of arms.
    pub rows: Vec<RoundsRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Studies of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct RoundsRow {
    /// What is measured.
    pub measured: &'static str,
    /// When it stops.
    pub threshold: &'static str,
    /// How many.
    pub arms: usize,
    /// Of all studies together.
    pub samples: u64,
    /// Of one core, each.
    pub micros_per_sample: f64,
}

/// Runs the experiment, one study at a time. Interrupted, it ends after the row under way.
///
/// # Errors
/// When an option is out of its range.
pub fn run(options: &RoundsOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Rounds, LabError> {
    within("studies", options.studies, 1..=10_000)?;
    within("max_arms", options.max_arms, 20..=1000)?;
    let sizes = SAMPLES.into_iter().filter(|size| size.0 <= options.max_arms as usize);
    let wanted: Vec<(usize, u64, Measured, StoppingKind)> = sizes
        .flat_map(|(arms, most)| Measured::ALL.map(|(measured, threshold)| (arms, most, measured, threshold)))
        .collect();
    observer.begin(wanted.len() as u64, Steps::Rows);
    let mut rows = Vec::new();
    for &(arms, most, measured, threshold) in &wanted {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        observer.message(&format!("{arms} arms, {}, {}", measured.name(), threshold.name()));
        let (mut samples, mut micros) = (0, 0.0);
        // Many arms tell as much as many studies.
        let studies = if arms > 100 { 1 } else { options.studies };
        for number in 0..studies {
            let simulation = simulation(measured, threshold, arms, most, options.seed + number);
            let start = ThreadTime::now();
            samples += simulation.run(0).samples;
            micros += start.elapsed().as_nanos() as f64 / 1e3;
        }
        let micros_per_sample = micros / samples as f64;
        let (measured, threshold) = (measured.name(), threshold.name());
        rows.push(RoundsRow { measured, threshold, arms, samples, micros_per_sample });
        observer.advance(1);
    }
    observer.end();
    Ok(Rounds {
        experiment: "rounds",
        seed: options.seed,
        studies: options.studies,
        unfinished: Unfinished::rows(rows.len(), wanted.len()),
        rows,
    })
}

impl Findings for Rounds {
    fn text(&self, width: Width) -> String {
        let mut table = TextTable::new(&[
            ("measured", Align::Left),
            ("threshold", Align::Left),
            ("K", Align::Right),
            ("samples", Align::Right),
            ("each", Align::Right),
        ]);
        for row in &self.rows {
            table.push(vec![
                row.measured.to_owned(),
                row.threshold.to_owned(),
                grouped(row.arms as u64),
                grouped(row.samples),
                duration(row.micros_per_sample),
            ]);
        }
        format!("{}\n{NOTES}\n", rendered(&table, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
Whole studies of random arms in three objectives, δ = 0.1, with the rule that goes with the threshold: ask, draw the noise, tell, test the stop. Time of one core.
20 arms: to the end, or for 50,000 samples; 1,000 arms: one study, for 20,000 samples.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_timed() {
        let options = RoundsOptions { studies: 1, max_arms: 20, seed: 1 };
        let found = run(&options, &(), &AtomicBool::new(true)).unwrap();
        assert!(found.rows.is_empty() && !found.unfinished().is_empty());
        for (measured, threshold) in Measured::ALL {
            let run = simulation(measured, threshold, 5, 300, 1).run(0);
            assert!(run.samples > 10, "{measured:?} {threshold:?}");
        }
    }
}
