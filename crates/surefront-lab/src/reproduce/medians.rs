//! What it takes to compare medians, beside means, on noise of five laws.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{
    Arm, Front, Goal, Model, Noise, Objective, Problem, RuleKind, Settings, Simulation, Statistic, StoppingKind,
    Summary,
};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use super::law::{Law, Laws};
use super::only::chosen;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers, mistakes};

/// Arms and objectives.
const SIZES: [(usize, usize); 5] = [(2, 1), (5, 1), (20, 1), (5, 2), (20, 3)];
const DELTA: f64 = 0.1;
/// A run with more of them comes to no verdict.
const MAX_SAMPLES: u64 = 20_000;

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediansOptions {
    /// Runs of each kind in each row.
    pub runs: u64,
    /// Only rows in whose name this occurs: "gaussian, 20 arms, d = 1".
    pub only: Option<String>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for MediansOptions {
    fn default() -> Self {
        MediansOptions { runs: 20, only: None, seed: 1, jobs: None }
    }
}

/// How values are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Gaussian,
    Student,
    LogNormal,
    Stalls,
    Rounded,
}

impl Shape {
    const ALL: [Shape; 5] = [Shape::Gaussian, Shape::Student, Shape::LogNormal, Shape::Stalls, Shape::Rounded];

    fn name(self) -> &'static str {
        match self {
            Shape::Gaussian => "gaussian",
            Shape::Student => "Student's t (3)",
            Shape::LogNormal => "lognormal (1)",
            Shape::Stalls => "10 % stalls",
            Shape::Rounded => "rounded",
        }
    }

    /// The law on a step of a ladder: half a deviation apart, or one where values are rounded to it.
    fn law(self, step: usize) -> Law {
        let step = step as f64;
        match self {
            Shape::Gaussian => Law::Gaussian(0.5 * step, 1.0),
            Shape::Student => Law::Student(0.5 * step),
            Shape::LogNormal => Law::LogNormal((0.5 * step + 0.5).exp(), 1.0),
            Shape::Stalls => Law::Stalls(0.15 * step, 20.0),
            Shape::Rounded => Law::Rounded(step),
        }
    }

    /// Whether the mean is a number to compare at all: of some laws it is known so late that nobody would.
    fn has_mean(self) -> bool {
        self != Shape::LogNormal
    }
}

/// By arm and objective: each objective has the arms on a ladder of its own, in another order.
fn laws(shape: Shape, (arms, objectives): (usize, usize)) -> Vec<Vec<Law>> {
    // No factor has a divisor in common with the number of arms, so that no two arms share a step.
    const ORDERS: [(usize, usize); 3] = [(1, 0), (7, 3), (3, 1)];
    let step = |arm: usize, objective: usize| (ORDERS[objective].0 * arm + ORDERS[objective].1) % arms;
    (0..arms).map(|arm| (0..objectives).map(|j| shape.law(step(arm, j))).collect()).collect()
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Median,
    MeanKnown,
    MeanUnknown,
}

impl Compared {
    const ALL: [Compared; 3] = [Compared::Median, Compared::MeanKnown, Compared::MeanUnknown];
}

/// A study that compares it.
fn simulation(compared: Compared, laws: &[Vec<Law>], seed: u64) -> Simulation {
    let (noise, statistic): (fn(Law) -> Noise, Statistic) = match compared {
        Compared::Median => (|_| Noise::Any, Statistic::MEDIAN),
        Compared::MeanKnown => (|law| Noise::Variance(law.variance()), Statistic::Mean),
        Compared::MeanUnknown => (|_| Noise::Unknown, Statistic::Mean),
    };
    let objective = |j: usize| Objective::new(format!("y{j}"), Goal::Max, noise(laws[0][j])).with_statistic(statistic);
    let objectives = (0..laws[0].len()).map(objective).collect();
    let arm = |(k, row): (usize, &Vec<Law>)| {
        Arm::named(format!("a{k}")).with_noise(row.iter().map(|&law| noise(law)).collect::<Vec<_>>())
    };
    let problem = Problem::new(objectives, laws.iter().enumerate().map(arm).collect()).expect("names differ");
    let value = |law: &Law| if compared == Compared::Median { law.median() } else { law.mean() };
    let rows: Vec<Vec<f64>> = laws.iter().map(|row| row.iter().map(value).collect()).collect();
    let truth = Model::new(&problem, &rows).expect("the laws have means");
    let threshold = StoppingKind::Certified;
    let rule = RuleKind::usual_for(threshold).rule(&problem, DELTA).expect("it is a probability");
    let settings = Settings::new(rule, threshold.stopping(DELTA).expect("it is a probability")).seed(seed);
    let simulation = Simulation::new(problem, truth, settings, MAX_SAMPLES).expect("all are of one size");
    simulation.with_source(Laws(laws.to_vec()))
}

/// What medians and means take.
#[derive(Clone, Debug, Serialize)]
pub struct Medians {
    /// "medians".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Runs of each kind in each row.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// One for each law and size.
    pub rows: Vec<MediansRow>,
    #[serde(skip)]
    lines: Vec<Line>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Arms of one law.
#[derive(Clone, Debug, Serialize)]
pub struct MediansRow {
    /// The law.
    pub law: &'static str,
    /// How many.
    pub arms: usize,
    /// How many.
    pub objectives: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// Medians are compared.
    pub median: MediansSide,
    /// Means of known variances, where there is a mean to compare.
    pub mean_known: Option<MediansSide>,
    /// Means of unknown variances.
    pub mean_unknown: Option<MediansSide>,
}

/// Runs of one kind.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MediansSide {
    /// The mean number of samples of the runs with a verdict.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Runs that came to no verdict.
    pub undecided: u64,
}

impl MediansSide {
    fn of(summary: &Summary) -> Self {
        let Summary { mean, se, mistakes, undecided, .. } = *summary;
        MediansSide { mean, se, mistakes, undecided }
    }
}

#[derive(Clone, Debug)]
struct Line {
    shape: Shape,
    size: (usize, usize),
    front_arms: usize,
    /// In the order of [`Compared::ALL`].
    sides: [Option<Summary>; 3],
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &MediansOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Medians, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let is_run = |shape: Shape, compared: Compared| compared == Compared::Median || shape.has_mean();
    let all = Shape::ALL.into_iter().flat_map(|shape| SIZES.map(|size| (shape, size)));
    let name = |&(shape, size): &(Shape, (usize, usize))| format!("{}, {} arms, d = {}", shape.name(), size.0, size.1);
    let rows = chosen(all.collect(), options.only.as_deref(), name)?;
    let kinds = |shape: Shape| Compared::ALL.iter().filter(|&&kind| is_run(shape, kind)).count();
    let wanted = rows.iter().map(|&(shape, _)| kinds(shape)).sum::<usize>() as u64 * options.runs;
    observer.begin(wanted, Steps::Runs);
    let mut lines = Vec::new();
    for row in rows {
        observer.message(&name(&row));
        let (shape, size) = row;
        let laws = laws(shape, size);
        let sides = Compared::ALL.map(|compared| {
            is_run(shape, compared).then(|| {
                let runs = workers.replicate(&simulation(compared, &laws, options.seed), 0..options.runs, |_| {
                    observer.advance(1);
                    ControlFlow::Continue(())
                });
                Summary::of(&runs)
            })
        });
        let medians: Vec<Vec<f64>> = laws.iter().map(|row| row.iter().map(|law| law.median()).collect()).collect();
        lines.push(Line { shape, size, front_arms: front_arms(&medians), sides });
    }
    observer.end();
    let finished = lines.iter().flat_map(|line| line.sides.iter().flatten()).map(|side| side.runs).sum();
    let rule = RuleKind::usual_for(StoppingKind::Certified).name();
    let missing = Unfinished { rule: Some(rule), steps: Steps::Runs, finished, wanted, rest: None };
    let row = |line: &Line| MediansRow {
        law: line.shape.name(),
        arms: line.size.0,
        objectives: line.size.1,
        front_arms: line.front_arms,
        median: MediansSide::of(line.sides[0].as_ref().expect("medians are always compared")),
        mean_known: line.sides[1].as_ref().map(MediansSide::of),
        mean_unknown: line.sides[2].as_ref().map(MediansSide::of),
    };
    Ok(Medians {
        experiment: "medians",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        rows: lines.iter().map(row).collect(),
        lines,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

fn front_arms(rows: &[Vec<f64>]) -> usize {
    let objectives = (0..rows[0].len()).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Exact)).collect();
    let arms = (0..rows.len()).map(|k| Arm::named(format!("a{k}"))).collect();
    let problem = Problem::new(objectives, arms).expect("names differ");
    Front::of(&Model::new(&problem, rows).expect("medians are finite")).members().len()
}

impl Findings for Medians {
    fn text(&self, width: Width) -> String {
        let mut table = TextTable::new(&[
            ("noise", Align::Left),
            ("K", Align::Right),
            ("d", Align::Right),
            ("front", Align::Right),
            ("median", Align::Right),
            ("mistakes", Align::Right),
            ("mean, variance known", Align::Right),
            ("times that", Align::Right),
            ("mean, variance unknown", Align::Right),
        ]);
        for Line { shape, size, front_arms, sides } in self.lines.iter().filter(|line| line.sides[0].is_some()) {
            let [median, known, unknown] = sides;
            let cell = |side: &Option<Summary>| match side {
                None => "–".to_owned(),
                Some(side) if side.undecided == side.runs => "no verdict".to_owned(),
                Some(side) if side.undecided > 0 => format!("{}, {} none", samples(side.mean), side.undecided),
                Some(side) => samples(side.mean),
            };
            table.push(vec![
                shape.name().to_owned(),
                grouped(size.0 as u64),
                size.1.to_string(),
                front_arms.to_string(),
                cell(median),
                median.as_ref().map_or_else(String::new, mistakes),
                cell(known),
                ratio(median, known),
                cell(unknown),
            ]);
        }
        format!("{}\n{NOTES}\n", rendered(&table, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

/// How many times as many samples medians take as means, with its standard error, where all runs of both came to a verdict.
fn ratio(median: &Option<Summary>, mean: &Option<Summary>) -> String {
    let (Some(median), Some(mean)) = (median, mean) else { return "–".to_owned() };
    if median.undecided + mean.undecided > 0 {
        return "–".to_owned();
    }
    let ratio = median.mean / mean.mean;
    let part = |side: &Summary| side.se / side.mean;
    format!("{ratio:.2} ± {:.2}", ratio * part(median).hypot(part(mean)))
}

const NOTES: &str = "\
Mean samples until the answer; certified, δ = 0.1. Arms are half a deviation apart in every objective (a whole one where values are rounded to it), in another order in each.
Mistakes: wrong answers when medians are compared, with a 95 % interval for their probability. None: runs without a verdict within 20,000 samples.
Where there are tails, a certified mean promises nothing, with the variance or without it.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_arms_share_a_median() {
        for shape in Shape::ALL {
            for size in SIZES {
                let laws = laws(shape, size);
                for j in 0..size.1 {
                    let mut medians: Vec<f64> = laws.iter().map(|row| row[j].median()).collect();
                    medians.sort_by(f64::total_cmp);
                    assert!(medians.windows(2).all(|pair| pair[0] < pair[1]), "{shape:?} {size:?}");
                }
            }
        }
    }

    #[test]
    fn a_study_of_medians_comes_to_its_answer() {
        let run = simulation(Compared::Median, &laws(Shape::Stalls, (5, 2)), 1).run(0);
        assert_eq!(run.outcome, surefront::Outcome::Correct);
    }
}
