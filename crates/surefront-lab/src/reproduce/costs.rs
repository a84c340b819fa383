//! What it is worth to heed that measurements cost differently, on 24 random instances that are always the same.

use std::sync::atomic::AtomicBool;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use surefront::{Front, Model, Problem, Summary, bound};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{
    self, Bench, DELTA, RandomSuiteOptions, SuiteHead, drawn, geometric_mean, means, objectives, scaled,
};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::LabError;
use crate::observer::Observer;
use crate::replication::Yardstick;

const INSTANCE_SEED: u64 = 2027;
/// The samples that T* comes to, of every instance.
const SAMPLES: f64 = 1000.0;
/// Costs are drawn between one and this, evenly on a logarithmic scale.
const DEAREST: f64 = 20.0;

/// One instance.
#[derive(Clone, Debug)]
struct Instance {
    /// With costs.
    heeded: Problem,
    /// Without.
    ignored: Problem,
    truth: Model,
    yardstick: Yardstick,
    /// What T* costs at the allocation that is best if all cost the same.
    cost_ignoring: f64,
}

/// All of them, from one stream of random numbers.
fn instances() -> Vec<Instance> {
    drawn(INSTANCE_SEED, Instance::draw)
}

impl Instance {
    /// Standard normal means, scaled, and unit variances.
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let names = || random_suite::arms(arms).into_iter();
        let dear = names().map(|arm| arm.with_cost(DEAREST.powf(rng.random_range(0.0..1.0)))).collect();
        let heeded = Problem::new(objectives(d), dear).expect("names differ, and costs are above zero");
        let ignored = Problem::new(objectives(d), names().collect()).expect("names differ");
        let means = means(rng, arms, d);
        let model = |means: &[Vec<f64>]| Model::new(&heeded, means).expect("random means are finite");
        let found = bound(&heeded, &model(&means), 1e-5).expect("random means do not tie");
        let truth = model(&scaled(&means, (found.samples() / SAMPLES).sqrt()));
        let found = bound(&heeded, &truth, 1e-5).expect("as before");
        let unaware = bound(&ignored, &truth, 1e-5).expect("as before");
        let cost_ignoring = unaware.upper * heeded.total_cost(&unaware.weights);
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { heeded, ignored, truth, yardstick, cost_ignoring }
    }
}

/// What it is worth to heed costs.
#[derive(Clone, Debug, Serialize)]
pub struct Costly {
    /// How it was run.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// One for each instance.
    pub rows: Vec<CostlyRow>,
    /// Over all instances: of the mean cost over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    /// Over all instances: of the mean cost over that of ignoring the costs.
    pub geometric_mean_of_ignoring: f64,
    /// Its standard error.
    pub geometric_mean_of_ignoring_se: f64,
    /// The same of the bounds.
    pub geometric_mean_of_bounds: f64,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct CostlyRow {
    /// How many.
    pub arms: usize,
    /// How many.
    pub objectives: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// The least and the greatest cost of a measurement.
    pub costs: [f64; 2],
    /// T*.
    pub t_star: f64,
    /// What T* costs at the allocation that is best if all cost the same.
    pub t_star_ignoring: f64,
    /// The study is told the costs.
    pub heeded: SpentRow,
    /// It is not.
    pub ignored: SpentRow,
}

/// Runs of one kind on an instance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SpentRow {
    /// Runs finished.
    pub runs: u64,
    /// The mean cost.
    pub cost: f64,
    /// Its standard error.
    pub se: f64,
    /// The mean number of samples.
    pub samples: f64,
    /// The mean cost over T*·β.
    pub ratio: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &RandomSuiteOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Costly, LabError> {
    let row = |bench: &Bench<'_>, instance: &Instance| {
        let [heeded, ignored] = [&instance.heeded, &instance.ignored].map(|problem| {
            let summary = bench.simulated(problem, &instance.truth, &instance.heeded);
            let Summary { runs, mean, mean_cost: cost, cost_se: se, mistakes, undecided, .. } = summary;
            let ratio = instance.yardstick.cost_ratio(cost, mean);
            SpentRow { runs, cost, se, samples: mean, ratio, mistakes, undecided }
        });
        let costs = (0..instance.heeded.arm_count()).map(|arm| instance.heeded.cost(arm));
        CostlyRow {
            arms: instance.heeded.arm_count(),
            objectives: instance.heeded.objective_count(),
            front_arms: Front::of(&instance.truth).members().len(),
            costs: [costs.clone().fold(f64::INFINITY, f64::min), costs.fold(0.0, f64::max)],
            t_star: instance.yardstick.bound.upper,
            t_star_ignoring: instance.cost_ignoring,
            heeded,
            ignored,
        }
    };
    let (watched, both) = ((observer, interrupt), |row: &CostlyRow| row.heeded.runs + row.ignored.runs);
    let (rows, unfinished) = options.rows(&instances(), 2 * options.runs, watched, row, both)?;
    let whole: Vec<&CostlyRow> = rows.iter().filter(|row| row.heeded.cost > 0.0 && row.ignored.cost > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.heeded.ratio, spread(&row.heeded))));
    let (gain, gain_se) = geometric_mean(
        whole.iter().map(|row| (row.heeded.cost / row.ignored.cost, spread(&row.heeded).hypot(spread(&row.ignored)))),
    );
    let (bounds, _) = geometric_mean(rows.iter().map(|row| (row.t_star / row.t_star_ignoring, 0.0)));
    Ok(Costly {
        head: options.head("costs"),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.heeded.ratio).fold(f64::NAN, f64::max),
        geometric_mean_of_ignoring: gain,
        geometric_mean_of_ignoring_se: gain_se,
        geometric_mean_of_bounds: bounds,
        rows,
        unfinished,
    })
}

/// The relative standard error of the mean cost.
fn spread(row: &SpentRow) -> f64 {
    row.se / row.cost
}

impl Findings for Costly {
    fn text(&self, width: Width) -> String {
        format!("{}\n{}", table(&self.rows, width), self.notes())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

impl Costly {
    fn notes(&self) -> String {
        format!(
            "Heeded: mean cost over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}.\n\
             Heeded over ignored, geometric mean: {:.3} ± {:.3}; of the bounds alone {:.3}.\n\
             K arms, d objectives, costs of a measurement from 1 to {DEAREST} (evenly on a logarithmic scale), standard normal means, scaled, unit variances;\n\
             δ = {DELTA}, {} threshold, rule {}.\n\
             T*: the least cost. Ignoring: what T* costs at the allocation that is best if all cost the same. Both kinds of runs face the same random numbers.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            self.geometric_mean_of_ignoring,
            self.geometric_mean_of_ignoring_se,
            self.geometric_mean_of_bounds,
            self.head.threshold,
            self.head.rule
        )
    }
}

fn table(rows: &[CostlyRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("front", Align::Right),
        ("costs", Align::Left),
        ("T*", Align::Right),
        ("ignoring", Align::Right),
        ("heeded", Align::Right),
        ("over T*·β", Align::Right),
        ("ignored", Align::Right),
        ("heeded/ignored", Align::Right),
        ("mistakes", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.heeded.runs > 0) {
        let mistakes = [row.heeded, row.ignored].map(|of| grouped(of.mistakes));
        let spent = |of: &SpentRow| if of.runs > 0 { samples(of.cost) } else { String::new() };
        table.push(vec![
            row.arms.to_string(),
            row.objectives.to_string(),
            row.front_arms.to_string(),
            format!("{:.1} to {:.1}", row.costs[0], row.costs[1]),
            samples(row.t_star),
            samples(row.t_star_ignoring),
            spent(&row.heeded),
            format!("{:.3} ± {:.3}", row.heeded.ratio, row.heeded.ratio * spread(&row.heeded)),
            spent(&row.ignored),
            if row.ignored.runs > 0 { format!("{:.3}", row.heeded.cost / row.ignored.cost) } else { String::new() },
            mistakes.join(", "),
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
        assert_eq!((instances[0].heeded.arm_count(), instances[23].heeded.arm_count()), (3, 10));
        for instance in &instances {
            let bound = &instance.yardstick.bound;
            assert!((bound.samples() / SAMPLES - 1.0).abs() < 1e-3, "{bound:?}");
            let costs = (0..instance.heeded.arm_count()).map(|arm| instance.heeded.cost(arm));
            assert!(costs.into_iter().all(|cost| (1.0..=DEAREST).contains(&cost)));
        }
    }
}
