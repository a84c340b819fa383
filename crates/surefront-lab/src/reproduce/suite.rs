//! Rules on 24 random instances that are always the same.

use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem, RuleKind, StoppingKind, Summary, bound};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{Choice, Contest, Entrant, MOST_RUNS, RuleFindings, Workers, Yardstick, distinct_rules};
use surefront_study::plot::{Dot, DotPlot, DotRow};
use surefront_study::words::number::{grouped, samples, significant};
use surefront_study::words::table::{Align, TextTable, Width};

const INSTANCES: usize = 24;
const INSTANCE_SEED: u64 = 2024;
/// Harder instances are drawn again.
const LARGEST_T_STAR: f64 = 5000.0;
const DELTA: f64 = 0.1;
const MAX_SAMPLES: u64 = 10_000_000;

/// What is run.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// Runs of each rule on each instance.
    pub runs: u64,
    /// Rules, each taken once; none is the one that goes with the threshold.
    pub rules: Vec<RuleKind>,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Start of the random numbers of the runs; the instances are always the same.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for SuiteOptions {
    fn default() -> Self {
        SuiteOptions { runs: 200, rules: Vec::new(), threshold: StoppingKind::Stylized, seed: 1, jobs: None }
    }
}

/// One instance of the suite.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub problem: Problem,
    pub truth: Model,
    pub yardstick: Yardstick,
}

/// All of them, from one stream of random numbers.
pub(super) fn instances() -> Vec<Instance> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
    (0..INSTANCES).map(|i| Instance::draw(&mut rng, 5 + 35 * i / 23, 2 + i % 3)).collect()
}

impl Instance {
    /// Standard normal means, unit variances, and a T* that is not too large.
    fn draw(rng: &mut Xoshiro256PlusPlus, arms: usize, objectives: usize) -> Self {
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
        let names = (0..arms).map(|k| Arm::named(format!("a{k}"))).collect();
        let problem = Problem::new((0..objectives).map(objective).collect(), names).expect("names differ");
        loop {
            let means: Vec<Vec<f64>> =
                (0..arms).map(|_| (0..objectives).map(|_| rng.sample(StandardNormal)).collect()).collect();
            let truth = Model::new(&problem, &means).expect("random means are finite");
            if let Ok(bound) = bound(&problem, &truth, 1e-4)
                && bound.upper < LARGEST_T_STAR
            {
                let yardstick = Yardstick::new(bound, DELTA).expect("it is between 0 and 1");
                return Instance { problem, truth, yardstick };
            }
        }
    }

    fn hold(
        &self,
        rules: &[RuleKind],
        options: &SuiteOptions,
        workers: &Workers<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Entrant>, LabError> {
        let contest = Contest {
            problem: &self.problem,
            truth: &self.truth,
            yardstick: &self.yardstick,
            choice: Choice { threshold: options.threshold, ..Choice::published(self.yardstick.bound.weights.clone()) },
            seed: options.seed,
            runs: 0..options.runs,
            max_samples: MAX_SAMPLES,
        };
        contest.hold(rules, workers, observer)
    }

    fn size(&self) -> String {
        format!("K = {}, d = {}", self.problem.arm_count(), self.problem.objective_count())
    }
}

/// What a rule did on an instance.
#[derive(Clone, Debug)]
struct Cell {
    instance: usize,
    entrant: Entrant,
    ratio: f64,
    ratio_se: f64,
}

impl Cell {
    fn new(instance: usize, Instance { yardstick, .. }: &Instance, entrant: Entrant) -> Self {
        let Summary { mean, se, .. } = entrant.summary;
        let ratio = yardstick.ratio(mean);
        Cell { instance, ratio, ratio_se: ratio * se / mean, entrant }
    }

    /// The longest run over the median one.
    fn longest_to_median(&self) -> f64 {
        self.entrant.summary.max as f64 / median(&self.entrant.summary)
    }
}

fn median(summary: &Summary) -> f64 {
    summary.quantiles[2].1
}

/// What the rules did.
#[derive(Clone, Debug, Serialize)]
pub struct Suite {
    /// "suite".
    pub experiment: &'static str,
    /// Start of the random numbers of the runs.
    pub seed: u64,
    /// Runs of each rule on each instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// One for each instance and rule.
    pub rows: Vec<SuiteRow>,
    /// Each rule over all instances.
    pub rules: Vec<Overall>,
    #[serde(skip)]
    instances: Vec<Instance>,
    #[serde(skip)]
    cells: Vec<Cell>,
}

/// A rule on an instance.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteRow {
    /// The instance's number.
    pub instance: usize,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
    /// The rule, and what it did.
    #[serde(flatten)]
    pub rule: RuleFindings,
    /// The standard error of the ratio to the bound.
    pub ratio_se: f64,
    /// The longest run over the median one.
    pub longest_to_median: f64,
}

/// A rule over all instances.
#[derive(Clone, Debug, Serialize)]
pub struct Overall {
    /// The rule.
    pub rule: &'static str,
    /// Instances on which it ran.
    pub instances: usize,
    /// Runs on all of them.
    pub runs: u64,
    /// Of the ratios to the bound.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest ratio to the bound.
    pub worst_ratio: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Their share on the instance with most of them.
    pub worst_mistake_share: f64,
    /// Runs that came to no answer.
    pub undecided: u64,
    /// The longest run over the median one, on the instance where that is most.
    pub worst_longest_to_median: f64,
}

impl Overall {
    fn of(rule: &'static str, cells: &[Cell]) -> Self {
        let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.entrant.label == rule).collect();
        let count = |of: &dyn Fn(&Summary) -> u64| cells.iter().map(|cell| of(&cell.entrant.summary)).sum();
        let most = |of: &dyn Fn(&Cell) -> f64| cells.iter().map(|cell| of(cell)).fold(f64::NAN, f64::max);
        let n = cells.len() as f64;
        let mean_log = cells.iter().map(|cell| cell.ratio.ln()).sum::<f64>() / n;
        let log_variance = cells.iter().map(|cell| (cell.ratio_se / cell.ratio).powi(2)).sum::<f64>() / (n * n);
        Overall {
            rule,
            instances: cells.len(),
            runs: count(&|summary| summary.runs),
            geometric_mean_ratio: mean_log.exp(),
            geometric_mean_ratio_se: mean_log.exp() * log_variance.sqrt(),
            worst_ratio: most(&|cell| cell.ratio),
            mistakes: count(&|summary| summary.mistakes),
            worst_mistake_share: most(&|cell| cell.entrant.summary.mistakes as f64 / cell.entrant.summary.runs as f64),
            undecided: count(&|summary| summary.undecided),
            worst_longest_to_median: most(&Cell::longest_to_median),
        }
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &SuiteOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Suite, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let rules = distinct_rules(&options.rules, options.threshold);
    observer.begin((INSTANCES * rules.len()) as u64 * options.runs, Steps::Runs);
    let instances = instances();
    let mut cells: Vec<Cell> = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        let entrants = instance.hold(&rules, options, &workers, observer)?;
        cells.extend(entrants.into_iter().map(|entrant| Cell::new(index, instance, entrant)));
    }
    observer.end();
    let labels: Vec<&'static str> = cells.iter().take(rules.len()).map(|cell| cell.entrant.label).collect();
    cells.retain(|cell| cell.entrant.summary.runs > 0);
    let row = |cell: &Cell| {
        let Instance { problem, truth, yardstick } = &instances[cell.instance];
        SuiteRow {
            instance: cell.instance,
            arms: problem.arm_count(),
            objectives: problem.objective_count(),
            front_arms: Front::of(truth).members().len(),
            t_star: yardstick.bound.upper,
            rule: cell.entrant.findings(yardstick),
            ratio_se: cell.ratio_se,
            longest_to_median: cell.longest_to_median(),
        }
    };
    Ok(Suite {
        experiment: "suite",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: options.threshold.name(),
        rows: cells.iter().map(row).collect(),
        rules: labels.iter().map(|&rule| Overall::of(rule, &cells)).collect(),
        instances,
        cells,
    })
}

impl Findings for Suite {
    fn text(&self, width: Width) -> String {
        let tables = format!("{}\n{}", table(&self.instances, &self.cells, width), overall_table(&self.rules, width));
        format!("{tables}\n{SUITE}, {} threshold.\n{RATIO}\n", self.threshold)
    }

    fn svg(&self) -> Option<String> {
        let labels: Vec<&str> = self.rules.iter().map(|rule| rule.rule).collect();
        Some(drawn(&self.instances, &self.cells, &labels, self.runs).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        let wanted = INSTANCES as u64 * self.runs;
        let short = self.rules.iter().filter(|rule| rule.runs < wanted);
        let entry = |rule: &Overall| Unfinished {
            rule: Some(rule.rule),
            steps: Steps::Runs,
            finished: rule.runs,
            wanted,
            rest: None,
        };
        short.map(entry).collect()
    }
}

const SUITE: &str = "K arms, d objectives, unit variances, standard normal means; δ = 0.1";
const RATIO: &str = "\
Ratio: the mean stopping time τ over T*·β(τ), what the best allocation is expected to take.";

fn table(instances: &[Instance], cells: &[Cell], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("front", Align::Right),
        ("T*", Align::Right),
        ("rule", Align::Left),
        ("mean", Align::Right),
        ("ratio ± s.e.", Align::Right),
        ("mistakes", Align::Right),
        ("undecided", Align::Right),
        ("median", Align::Right),
        ("longest/median", Align::Right),
    ]);
    for cell in cells {
        let Instance { problem, truth, yardstick } = &instances[cell.instance];
        let Entrant { label, summary, .. } = &cell.entrant;
        table.push(vec![
            problem.arm_count().to_string(),
            problem.objective_count().to_string(),
            Front::of(truth).members().len().to_string(),
            samples(yardstick.bound.upper),
            (*label).to_owned(),
            samples(summary.mean),
            format!("{:.3} ± {:.3}", cell.ratio, cell.ratio_se),
            grouped(summary.mistakes),
            grouped(summary.undecided),
            samples(median(summary)),
            format!("{:.1}", cell.longest_to_median()),
        ]);
    }
    rendered(&table, width)
}

fn overall_table(rules: &[Overall], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("rule", Align::Left),
        ("runs", Align::Right),
        ("geometric mean of the ratio", Align::Right),
        ("worst ratio", Align::Right),
        ("mistakes", Align::Right),
        ("worst share of mistakes", Align::Right),
        ("worst longest/median", Align::Right),
    ]);
    for rule in rules {
        table.push(vec![
            rule.rule.to_owned(),
            grouped(rule.runs),
            format!("{:.3} ± {:.3}", rule.geometric_mean_ratio, rule.geometric_mean_ratio_se),
            format!("{:.3}", rule.worst_ratio),
            grouped(rule.mistakes),
            format!("{} %", significant(100.0 * rule.worst_mistake_share, 2)),
            format!("{:.1}", rule.worst_longest_to_median),
        ]);
    }
    rendered(&table, width)
}

fn drawn(instances: &[Instance], cells: &[Cell], labels: &[&str], runs: u64) -> DotPlot {
    let dot = |cell: &Cell| Dot {
        colour: labels.iter().position(|label| *label == cell.entrant.label).unwrap_or_default(),
        value: cell.ratio,
        error: 2.0 * cell.ratio_se,
    };
    let row = |(index, instance): (usize, &Instance)| DotRow {
        label: instance.size(),
        dots: cells.iter().filter(|cell| cell.instance == index).map(dot).collect(),
    };
    DotPlot {
        title: "Samples taken over samples expected, on 24 random instances".to_owned(),
        subtitle: format!("δ = {DELTA}, means of {} runs, bars of two standard errors", grouped(runs)),
        x_label: "mean stopping time τ over T*·β(τ)".to_owned(),
        legend: labels.iter().map(|label| (*label).to_owned()).collect(),
        rows: instances.iter().enumerate().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_is_always_the_same() {
        let instances = instances();
        let sizes: Vec<String> = instances.iter().map(Instance::size).collect();
        assert_eq!((sizes[0].as_str(), sizes[23].as_str()), ("K = 5, d = 2", "K = 40, d = 4"));
        let total: f64 = instances.iter().map(|instance| instance.yardstick.bound.upper).sum();
        // To the tolerance of the bound.
        assert!((total - 55_585.6).abs() < 6.0, "{total}");
    }
}
