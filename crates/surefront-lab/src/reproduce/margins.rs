//! Studies in which some differences do not matter, on 24 random instances that are always the same.

use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Arm, Front, Goal, Margin, Model, Noise, Objective, Problem, Summary, bound};
use surefront_study::words::number::{grouped, samples, significant};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{DELTA, INSTANCES, RandomSuiteOptions, geometric_mean};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers, Yardstick};

const INSTANCE_SEED: u64 = 2028;
/// Of every instance, with its margins.
const T_STAR: f64 = 1000.0;
/// Margins are drawn between these, in standard deviations of the means.
const MARGINS: (f64, f64) = (0.05, 0.5);

/// One instance.
#[derive(Clone, Debug)]
struct Instance {
    problem: Problem,
    truth: Model,
    yardstick: Yardstick,
}

/// All of them, from one stream of random numbers.
fn instances() -> Vec<Instance> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
    (0..INSTANCES).map(|i| Instance::draw(&mut rng, i)).collect()
}

impl Instance {
    /// Standard normal means and margins, scaled together, and unit variances.
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let means: Vec<Vec<f64>> = (0..arms).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let margins: Vec<f64> = (0..d).map(|_| rng.random_range(MARGINS.0..MARGINS.1)).collect();
        let scaled = |scale: f64| {
            let objective = |j: usize| {
                let objective = Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
                objective.with_margin(Margin::Absolute(scale * margins[j]))
            };
            let names = (0..arms).map(|k| Arm::named(format!("a{k}"))).collect();
            let problem = Problem::new((0..d).map(objective).collect(), names).expect("names differ");
            let rows: Vec<Vec<f64>> = means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect();
            let truth = Model::new(&problem, &rows).expect("random means are finite");
            let found = bound(&problem, &truth, 1e-5).expect("random means do not differ by the margins");
            (problem, truth, found)
        };
        // T* is inversely proportional to the square of all gaps.
        let (problem, truth, found) = scaled((scaled(1.0).2.upper / T_STAR).sqrt());
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { problem, truth, yardstick }
    }
}

/// What studies with margins take.
#[derive(Clone, Debug, Serialize)]
pub struct Margined {
    /// "margins".
    pub experiment: &'static str,
    /// Start of the random numbers of the runs.
    pub seed: u64,
    /// Runs on each instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// Which arm next.
    pub rule: &'static str,
    /// One for each instance.
    pub rows: Vec<MarginedRow>,
    /// Over all instances: of the mean over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    /// Runs that ended with an answer that is wrong beyond the margins.
    pub mistakes: u64,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct MarginedRow {
    /// How many.
    pub arms: usize,
    /// How many.
    pub objectives: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// By objective.
    pub margins: Vec<f64>,
    /// T*.
    pub t_star: f64,
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// The mean over T*·β.
    pub ratio: f64,
    /// Runs that ended with an answer that is wrong beyond the margins.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &RandomSuiteOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Margined, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let wanted = INSTANCES as u64 * options.runs;
    observer.begin(wanted, Steps::Runs);
    let mut rows = Vec::new();
    for (number, Instance { problem, truth, yardstick }) in instances().iter().enumerate() {
        observer.message(&format!("instance {}", number + 1));
        let Summary { runs, mean, se, mistakes, undecided, .. } =
            options.simulated(&workers, observer, problem, truth, problem);
        let size = |margin: Margin| match margin {
            Margin::Absolute(size) => size,
            _ => unreachable!("they are drawn in units"),
        };
        rows.push(MarginedRow {
            arms: problem.arm_count(),
            objectives: problem.objective_count(),
            front_arms: Front::of(truth).members().len(),
            margins: problem.objectives().iter().map(|objective| size(objective.margin)).collect(),
            t_star: yardstick.bound.upper,
            runs,
            mean,
            se,
            ratio: yardstick.ratio(mean),
            mistakes,
            undecided,
        });
    }
    observer.end();
    let finished = rows.iter().map(|row| row.runs).sum();
    let rule = options.rule();
    let missing = Unfinished { rule: Some(rule.name()), steps: Steps::Runs, finished, wanted, rest: None };
    let whole: Vec<&MarginedRow> = rows.iter().filter(|row| row.mean > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.ratio, row.se / row.mean)));
    Ok(Margined {
        experiment: "margins",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: options.threshold.name(),
        rule: rule.name(),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.ratio).fold(f64::NAN, f64::max),
        mistakes: rows.iter().map(|row| row.mistakes).sum(),
        rows,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

impl Findings for Margined {
    fn text(&self, width: Width) -> String {
        let notes = format!(
            "Mean over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}; {} mistakes beyond the margins.\n\
             K arms, d objectives with these margins, standard normal means, scaled to T* = {T_STAR}, unit variances; δ = {DELTA}, {} threshold, rule {}.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            grouped(self.mistakes),
            self.threshold,
            self.rule
        );
        format!("{}\n{notes}", table(&self.rows, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

fn table(rows: &[MarginedRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("front", Align::Right),
        ("margins", Align::Left),
        ("T*", Align::Right),
        ("mean", Align::Right),
        ("over T*·β", Align::Right),
        ("mistakes", Align::Right),
        ("undecided", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.runs > 0) {
        let margins: Vec<String> = row.margins.iter().map(|margin| significant(*margin, 2)).collect();
        table.push(vec![
            row.arms.to_string(),
            row.objectives.to_string(),
            row.front_arms.to_string(),
            margins.join(", "),
            samples(row.t_star),
            samples(row.mean),
            format!("{:.3} ± {:.3}", row.ratio, row.ratio * row.se / row.mean),
            grouped(row.mistakes),
            grouped(row.undecided),
        ]);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instances_are_always_the_same() {
        let instances = instances();
        assert_eq!((instances[0].problem.arm_count(), instances[23].problem.arm_count()), (3, 10));
        for instance in &instances {
            assert!((instance.yardstick.bound.upper / T_STAR - 1.0).abs() < 1e-3, "{:?}", instance.yardstick.bound);
        }
    }
}
