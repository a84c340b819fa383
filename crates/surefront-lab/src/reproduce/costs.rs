//! What it is worth to heed that measurements cost differently, on 24 random instances that are always the same.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{
    Arm, Front, Goal, Model, Noise, NoiseLaw, Objective, Problem, RuleKind, Settings, Simulation, StoppingKind,
    Summary, bound,
};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers, Yardstick};

const INSTANCES: usize = 24;
const INSTANCE_SEED: u64 = 2027;
/// The samples that T* comes to, of every instance.
const SAMPLES: f64 = 1000.0;
/// Costs are drawn between one and this, evenly on a logarithmic scale.
const DEAREST: f64 = 20.0;
/// Where one close pair costs about the same, there is nothing to gain: drawn again until the best allocation costs at most this part of what the best one costs that ignores
/// the costs.
const MOST_LEFT: f64 = 0.97;
const DELTA: f64 = 0.1;
const MAX_SAMPLES: u64 = 10_000_000;

/// What is run.
#[derive(Clone, Debug)]
pub struct CostsOptions {
    /// Runs of each kind on each instance.
    pub runs: u64,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Start of the random numbers of the runs; the instances are always the same.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for CostsOptions {
    fn default() -> Self {
        CostsOptions { runs: 200, threshold: StoppingKind::Stylized, seed: 1, jobs: None }
    }
}

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
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
    (0..INSTANCES).map(|i| Instance::draw(&mut rng, i)).collect()
}

impl Instance {
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        loop {
            let instance = Instance::drawn_once(rng, number);
            if instance.yardstick.bound.upper <= MOST_LEFT * instance.cost_ignoring {
                return instance;
            }
        }
    }

    /// Standard normal means, scaled, and unit variances.
    fn drawn_once(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = (3 + 7 * number / (INSTANCES - 1), 2 + number % 2);
        let objectives = || (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect();
        let arm = |k: usize| Arm::named(format!("a{k}"));
        let dear = (0..arms).map(|k| arm(k).with_cost(DEAREST.powf(rng.random_range(0.0..1.0)))).collect();
        let heeded = Problem::new(objectives(), dear).expect("names differ, and costs are above zero");
        let ignored = Problem::new(objectives(), (0..arms).map(arm).collect()).expect("names differ");
        let means: Vec<Vec<f64>> = (0..arms).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let model = |means: &[Vec<f64>]| Model::new(&heeded, means).expect("random means are finite");
        let found = bound(&heeded, &model(&means), 1e-5).expect("random means do not tie");
        // T* is inversely proportional to the square of all gaps.
        let scale = (found.samples() / SAMPLES).sqrt();
        let scaled: Vec<Vec<f64>> = means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect();
        let truth = model(&scaled);
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
    /// "costs".
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
pub fn run(options: &CostsOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Costly, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let wanted = 2 * INSTANCES as u64 * options.runs;
    observer.begin(wanted, Steps::Runs);
    let rule = RuleKind::usual_for(options.threshold);
    let mut rows = Vec::new();
    for (number, instance) in instances().iter().enumerate() {
        observer.message(&format!("instance {}", number + 1));
        let [heeded, ignored] = [&instance.heeded, &instance.ignored].map(|problem| {
            let chosen = rule.rule(problem, DELTA).expect("it is a probability");
            let stopping = options.threshold.stopping(DELTA).expect("it is a probability");
            let settings = Settings::new(chosen, stopping).seed(options.seed);
            let simulation = Simulation::new(problem.clone(), instance.truth.clone(), settings, MAX_SAMPLES)
                .and_then(|simulation| simulation.with_noise(NoiseLaw::Gaussian, instance.heeded.clone()))
                .expect("all are of one problem, and the noise is known");
            let runs = workers.replicate(&simulation, 0..options.runs, |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            });
            let Summary { runs, mean, mean_cost: cost, cost_se: se, mistakes, undecided, .. } = Summary::of(&runs);
            let ratio = instance.yardstick.cost_ratio(cost, mean);
            SpentRow { runs, cost, se, samples: mean, ratio, mistakes, undecided }
        });
        let costs = (0..instance.heeded.arm_count()).map(|arm| instance.heeded.cost(arm));
        rows.push(CostlyRow {
            arms: instance.heeded.arm_count(),
            objectives: instance.heeded.objective_count(),
            front_arms: Front::of(&instance.truth).members().len(),
            costs: [costs.clone().fold(f64::INFINITY, f64::min), costs.fold(0.0, f64::max)],
            t_star: instance.yardstick.bound.upper,
            t_star_ignoring: instance.cost_ignoring,
            heeded,
            ignored,
        });
    }
    observer.end();
    let finished = rows.iter().map(|row| row.heeded.runs + row.ignored.runs).sum();
    let missing = Unfinished { rule: Some(rule.name()), steps: Steps::Runs, finished, wanted, rest: None };
    let whole: Vec<&CostlyRow> = rows.iter().filter(|row| row.heeded.cost > 0.0 && row.ignored.cost > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.heeded.ratio, spread(&row.heeded))));
    let (gain, gain_se) = geometric_mean(
        whole.iter().map(|row| (row.heeded.cost / row.ignored.cost, spread(&row.heeded).hypot(spread(&row.ignored)))),
    );
    let (bounds, _) = geometric_mean(rows.iter().map(|row| (row.t_star / row.t_star_ignoring, 0.0)));
    Ok(Costly {
        experiment: "costs",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: options.threshold.name(),
        rule: rule.name(),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.heeded.ratio).fold(f64::NAN, f64::max),
        geometric_mean_of_ignoring: gain,
        geometric_mean_of_ignoring_se: gain_se,
        geometric_mean_of_bounds: bounds,
        rows,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

/// The relative standard error of the mean cost.
fn spread(row: &SpentRow) -> f64 {
    row.se / row.cost
}

/// Of values with relative standard errors; with its own standard error.
fn geometric_mean(values: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = (values.clone().map(|(value, _)| value.ln()).sum::<f64>() / n).exp();
    (mean, mean * values.map(|(_, spread)| spread * spread).sum::<f64>().sqrt() / n)
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
             drawn until the best allocation costs at most {MOST_LEFT} of what it costs to ignore the costs; δ = {DELTA}, {} threshold, rule {}.\n\
             T*: the least cost. Ignoring: what T* costs at the allocation that is best if all cost the same. Both kinds of runs face the same random numbers.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            self.geometric_mean_of_ignoring,
            self.geometric_mean_of_ignoring_se,
            self.geometric_mean_of_bounds,
            self.threshold,
            self.rule
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
