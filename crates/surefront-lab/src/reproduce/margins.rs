//! Studies in which some differences do not matter, on 24 random instances that are always the same.

use std::sync::atomic::AtomicBool;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use surefront::{Front, Margin, Model, Objective, Problem, Summary, bound};
use surefront_study::words::number::{grouped, samples, significant};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{
    self, Bench, DELTA, RandomSuiteOptions, SuiteHead, drawn, geometric_mean, means, objectives, scaled,
};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::LabError;
use crate::observer::Observer;
use crate::replication::Yardstick;

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
    drawn(INSTANCE_SEED, Instance::draw)
}

impl Instance {
    /// Standard normal means and margins, scaled together, and unit variances.
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let means = means(rng, arms, d);
        let margins: Vec<f64> = (0..d).map(|_| rng.random_range(MARGINS.0..MARGINS.1)).collect();
        let at = |scale: f64| {
            let with_margin =
                |(objective, margin): (Objective, &f64)| objective.with_margin(Margin::Absolute(scale * margin));
            let objectives = objectives(d).into_iter().zip(&margins).map(with_margin).collect();
            let problem = Problem::new(objectives, random_suite::arms(arms)).expect("names differ");
            let truth = Model::new(&problem, &scaled(&means, scale)).expect("random means are finite");
            let found = bound(&problem, &truth, 1e-5).expect("random means do not differ by the margins");
            (problem, truth, found)
        };
        let (problem, truth, found) = at((at(1.0).2.upper / T_STAR).sqrt());
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { problem, truth, yardstick }
    }
}

/// What studies with margins take.
#[derive(Clone, Debug, Serialize)]
pub struct Margined {
    /// How it was run.
    #[serde(flatten)]
    pub head: SuiteHead,
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
    let row = |bench: &Bench<'_>, Instance { problem, truth, yardstick }: &Instance| {
        let Summary { runs, mean, se, mistakes, undecided, .. } = bench.simulated(problem, truth, problem);
        let size = |margin: Margin| match margin {
            Margin::Absolute(size) => size,
            _ => unreachable!("they are drawn in units"),
        };
        MarginedRow {
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
        }
    };
    let watched = (observer, interrupt);
    let (rows, unfinished) = options.rows(&instances(), options.runs, watched, row, |row| row.runs)?;
    let whole: Vec<&MarginedRow> = rows.iter().filter(|row| row.mean > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.ratio, row.se / row.mean)));
    Ok(Margined {
        head: options.head("margins"),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.ratio).fold(f64::NAN, f64::max),
        mistakes: rows.iter().map(|row| row.mistakes).sum(),
        rows,
        unfinished,
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
            self.head.threshold,
            self.head.rule
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
