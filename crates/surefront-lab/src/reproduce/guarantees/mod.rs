//! Whether what is promised holds, under the conditions that people have: mistakes of every threshold, and how often the data show what is wrong.

mod case;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{
    Dual, DurationLaw, Promise, Rule, Run, Settings, SideBySide, Simulation, StoppingKind, Summary, Tally, Weakest,
};
use surefront_study::look::Look;
use surefront_study::words::number::{grouped, samples, short};
use surefront_study::words::table::{Align, TextTable, Width};

use self::case::{Case, Ground};
use super::only::chosen;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{Bracket, MOST_RUNS, Workers, counted};

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuaranteesOptions {
    /// Runs in each row; fewer where they take long.
    pub runs: u64,
    /// When to stop: a row for each.
    pub thresholds: Vec<StoppingKind>,
    /// Only conditions in whose name this occurs.
    pub only: Option<String>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for GuaranteesOptions {
    fn default() -> Self {
        let thresholds = vec![StoppingKind::Certified, StoppingKind::Calibrated, StoppingKind::Stylized];
        GuaranteesOptions { runs: 100, thresholds, only: None, seed: 1, jobs: None }
    }
}

/// What became of the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promised {
    /// Mistakes are no more than δ, as far as the runs can tell.
    Kept,
    /// They are more than δ: the 95 % interval lies above it.
    Broken,
    /// Nothing was promised.
    Nothing,
}

/// One threshold under one kind of conditions.
#[derive(Clone, Debug, Serialize)]
pub struct GuaranteesRow {
    /// The conditions.
    pub conditions: String,
    /// Whether they are among those that a proof assumes, or that a study recognises.
    pub assumed: bool,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Runs finished.
    pub runs: u64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// A 95 % interval for the chance of a mistake in a study.
    pub mistake_rate: Bracket,
    /// Runs that came to no verdict within the samples there were.
    pub undecided: u64,
    /// How many samples that were.
    pub max_samples: u64,
    /// The mean number of samples of the runs that came to one.
    pub mean: Option<f64>,
    /// Runs in which something was remarked upon; not known of measurements side by side.
    pub remarked: Option<u64>,
    /// What became of the promise.
    pub promised: Promised,
}

/// Mistakes under all conditions.
#[derive(Clone, Debug, Serialize)]
pub struct Guarantees {
    /// "guarantees".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// One for each kind of conditions and threshold.
    pub rows: Vec<GuaranteesRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &GuaranteesOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Guarantees, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let cases = chosen(Case::all(), options.only.as_deref(), |case| case.name.clone())?;
    let count = |case: &Case, threshold| options.runs.div_ceil(case.seldom_with(threshold));
    let thresholds = |case: &Case| {
        let suited = options.thresholds.iter().copied().filter(|&threshold| case.suits(threshold));
        suited.collect::<Vec<StoppingKind>>()
    };
    let runs_of = |case: &Case| thresholds(case).into_iter().map(|threshold| count(case, threshold)).sum::<u64>();
    let wanted = cases.iter().map(runs_of).sum::<u64>();
    observer.begin(wanted, Steps::Runs);
    let mut rows = Vec::new();
    for case in &cases {
        for threshold in thresholds(case) {
            observer.message(&format!("{}, {}", case.name, threshold.name()));
            rows.push(row(case, threshold, count(case, threshold), options.seed, &workers, observer));
        }
    }
    observer.end();
    let finished = rows.iter().map(|row| row.runs).sum();
    let missing = Unfinished { rule: None, steps: Steps::Runs, finished, wanted, rest: None };
    Ok(Guarantees {
        experiment: "guarantees",
        seed: options.seed,
        rows,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

fn row(
    case: &Case,
    threshold: StoppingKind,
    count: u64,
    seed: u64,
    workers: &Workers<'_>,
    observer: &dyn Observer,
) -> GuaranteesRow {
    let stopping = threshold.stopping(case.delta).expect("it is a probability");
    // As every command does where nothing is said, but for the published threshold, whose rule is another, and where that takes long.
    let rule = match threshold {
        StoppingKind::Stylized => Rule::Dual(Dual::default()),
        StoppingKind::Calibrated if case.crowded => Rule::Dual(Dual::default()),
        _ => Rule::Weakest(Weakest::default()),
    };
    let simulation = case.simulation(Settings::new(rule, stopping).seed(seed));
    // Each run, and whether something was remarked upon.
    let one = |index: u64| match case.at_once {
        Some(at_once) => {
            let run = simulation.run_side_by_side(index, SideBySide::new(at_once, DurationLaw::Value));
            (Run { index, samples: run.counted, cost: run.counted as f64, outcome: run.outcome, seconds: 0.0 }, false)
        }
        None => looked_at(&simulation, index),
    };
    let made = workers.each(0..count, one, |_| {
        observer.advance(1);
        ControlFlow::Continue(())
    });
    let (runs, remarked): (Vec<Run>, Vec<bool>) = made.into_iter().unzip();
    let summary = Summary::of(&runs);
    let (lower, upper) = summary.mistakes_of_all();
    GuaranteesRow {
        conditions: case.name.clone(),
        assumed: case.ground == Ground::Assumed,
        delta: case.delta,
        threshold,
        runs: summary.runs,
        mistakes: summary.mistakes,
        mistake_rate: Bracket { lower, upper },
        undecided: summary.undecided,
        max_samples: case.max_samples,
        mean: Some(summary.mean).filter(|mean| mean.is_finite()),
        remarked: case.at_once.is_none().then(|| remarked.into_iter().filter(|&shown| shown).count() as u64),
        promised: match case.ground {
            Ground::Beyond => Promised::Nothing,
            Ground::Assumed if lower <= case.delta => Promised::Kept,
            Ground::Assumed => Promised::Broken,
        },
    }
}

/// A run, and whether something is remarked upon at its end.
fn looked_at(simulation: &Simulation, index: u64) -> (Run, bool) {
    let problem = simulation.problem();
    let (mut look, mut tally) = (Look::new(problem), Tally::new(problem));
    let run = simulation.run_seen(index, |arm, values| {
        look.add(arm, values);
        tally.add(problem, arm, values).expect("simulated observations are finite");
    });
    (run, !look.sights(problem, &tally).is_empty())
}

impl Findings for Guarantees {
    fn text(&self, width: Width) -> String {
        let part = |assumed: bool, title: &str| {
            let rows: Vec<&GuaranteesRow> =
                self.rows.iter().filter(|row| row.assumed == assumed && row.runs > 0).collect();
            if rows.is_empty() { String::new() } else { format!("{title}\n\n{}\n", table(&rows, width)) }
        };
        let promised =
            "Conditions under which mistakes are promised to be at most δ (proved or likely), or no verdict is given";
        let beyond = "Laws beyond what is assumed: nothing can promise their means";
        format!("{}{}{NOTES}", part(true, promised), part(false, beyond))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
Mistakes: wrong answers, with a 95 % interval for their probability in a study; broken: it lies above δ. No verdict: within the samples of the last column.
Remarked: runs whose data show something that speaks against the answer. Certified is the default and is proved; calibrated is the quick option;
stylized is as published, with `dual`, and so is calibrated with the 300 pairs. A way out where the mean cannot be promised: let each observation be
the median of several measurements, or write the variance that the range of the values allows.
";

fn table(rows: &[&GuaranteesRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("conditions", Align::Left),
        ("δ", Align::Right),
        ("threshold", Align::Left),
        ("runs", Align::Right),
        ("mistakes", Align::Right),
        ("promise", Align::Left),
        ("no verdict", Align::Right),
        ("samples", Align::Right),
        ("remarked", Align::Right),
        ("at most", Align::Right),
    ]);
    for row in rows {
        let promised = match (row.promised, row.threshold.promise()) {
            (Promised::Nothing, _) => "none",
            (Promised::Broken, _) => "broken",
            (Promised::Kept, Promise::Proved) => "kept, proved",
            (Promised::Kept, Promise::Likely) => "kept",
        };
        table.push(vec![
            row.conditions.clone(),
            short(row.delta),
            row.threshold.name().to_owned(),
            grouped(row.runs),
            counted(row.mistakes, (row.mistake_rate.lower, row.mistake_rate.upper)),
            promised.to_owned(),
            grouped(row.undecided),
            row.mean.map_or("–".to_owned(), samples),
            row.remarked.map_or("–".to_owned(), grouped),
            grouped(row.max_samples),
        ]);
    }
    rendered(&table, width)
}
