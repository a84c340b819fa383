//! Bounds, plans and simulations: what can be known before anything is measured.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use surefront::{Method, Model, Outcome, Problem, Run, Tracking, Weights};
use surefront_lab::replication::{PlanOptions, Planner, SimulateOptions, Simulator};
use surefront_lab::{Bounds, Change, Findings};
use surefront_study::file::study::StudyFile;
use surefront_study::words::table::Width;

use crate::definition::{Definition, delta, named};
use crate::error::Failure;
use crate::json::json;

/// How often to look whether somebody pressed Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Makes the functions known.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(bound, module)?)?;
    module.add_function(wrap_pyfunction!(transport, module)?)?;
    module.add_function(wrap_pyfunction!(plan, module)?)?;
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_part, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_sum, module)?)
}

/// A study whose means are known.
struct Instance {
    file: StudyFile,
    problem: Problem,
    truth: Model,
}

impl Instance {
    fn read(definition: &Definition) -> Result<Self, Failure> {
        let file = definition.read()?;
        let (problem, truth) = definition.truth(&file)?;
        Ok(Instance { file, problem, truth })
    }

    fn weights(&self, given: Option<Vec<f64>>) -> Result<Weights, Failure> {
        let Some(given) = given else { return Ok(Weights::uniform(&self.problem)) };
        Weights::new(self.problem.arm_count(), given).map_err(|error| Failure::new(error.to_string()))
    }
}

/// T* and w*, as JSON.
#[pyfunction]
fn bound(py: Python<'_>, definition: Definition, tolerance: f64) -> PyResult<String> {
    Ok(py.detach(|| -> Result<String, Failure> {
        let instance = Instance::read(&definition)?;
        Ok(json(&Bounds::of(&instance.problem, &instance.truth, tolerance)?))
    })?)
}

/// The closest model with another front, as JSON.
#[pyfunction]
#[pyo3(signature = (definition, weights, method))]
fn transport(py: Python<'_>, definition: Definition, weights: Option<Vec<f64>>, method: &str) -> PyResult<String> {
    let method = match method {
        "auto" => Method::Auto,
        "branch" => Method::Branch,
        "cells" => Method::Cells,
        "sweep" => Method::Sweep,
        other => {
            let known = "write one of \"auto\", \"branch\", \"cells\", \"sweep\"";
            return Err(Failure::new(format!("there is no method named \"{other}\": {known}")).into());
        }
    };
    Ok(py.detach(|| -> Result<String, Failure> {
        let instance = Instance::read(&definition)?;
        let weights = instance.weights(weights)?;
        let change = Change::of(&instance.problem, &instance.truth, &weights, method);
        Ok(json(&change.map_err(|error| Failure::new(error.to_string()))?))
    })?)
}

/// What is simulated, and how often.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct SimulateChoice {
    rules: Vec<String>,
    threshold: Option<String>,
    delta: Option<f64>,
    runs: u64,
    first_run: u64,
    max_samples: Option<u64>,
    cumulative_tracking: bool,
    refresh: Option<u64>,
    check: Option<u64>,
    allocation: Option<Vec<f64>>,
    seed: u64,
    jobs: Option<usize>,
}

impl SimulateChoice {
    fn options(&self, instance: &Instance) -> Result<SimulateOptions, Failure> {
        let usual = SimulateOptions::default();
        let rules = self.rules.iter().map(|rule| Ok(named(Some(rule))?.expect("a name was given")));
        let range = |first: u64, count: u64| -> Result<Range<u64>, Failure> {
            let most = surefront_lab::replication::MOST_RUNS;
            let within = |number: u64| (number <= most).then_some(number);
            let end = within(first).zip(within(count)).map(|(first, count)| first + count);
            end.filter(|_| count > 0)
                .map(|end| first..end)
                .ok_or_else(|| Failure::new(format!("runs is {count}: give a number from 1 to {most}")))
        };
        Ok(SimulateOptions {
            study: instance.file.name.clone(),
            rules: rules.collect::<Result<_, Failure>>()?,
            threshold: named(self.threshold.as_deref())?.unwrap_or_default(),
            delta: delta(self.delta)?.or(instance.file.delta).unwrap_or(usual.delta),
            runs: range(self.first_run, self.runs)?,
            max_samples: self.max_samples.unwrap_or(usual.max_samples),
            tracking: if self.cumulative_tracking { Tracking::Cumulative } else { Tracking::Direct },
            refresh: self.refresh.unwrap_or(usual.refresh),
            check: self.check,
            allocation: self.allocation.clone().map(|given| instance.weights(Some(given))).transpose()?,
            seed: self.seed,
            jobs: self.jobs,
            ..usual
        })
    }
}

/// A run, as it travels between processes: its number, its samples, what they cost, how it ended, its seconds.
type Row = (u64, u64, f64, u8, f64);

fn row(run: &Run) -> Row {
    (
        run.index,
        run.samples,
        run.cost,
        OUTCOMES.iter().position(|outcome| *outcome == run.outcome).unwrap_or(0) as u8,
        run.seconds,
    )
}

fn run_of((index, samples, cost, outcome, seconds): Row) -> Result<Run, Failure> {
    let outcome = OUTCOMES.get(usize::from(outcome)).copied();
    let outcome = outcome.ok_or_else(|| Failure::new("a run came back that is none"))?;
    Ok(Run { index, samples, cost, outcome, seconds })
}

const OUTCOMES: [Outcome; 3] = [Outcome::Correct, Outcome::Mistake, Outcome::Undecided];

/// What many runs say about rules: JSON, the table, the figure.
#[pyfunction]
fn simulate(py: Python<'_>, definition: Definition, choice: SimulateChoice) -> PyResult<Found> {
    interruptible(py, |interrupt| {
        let instance = Instance::read(&definition)?;
        let options = choice.options(&instance)?;
        Ok(found(&Simulator::new(&instance.problem, &instance.truth, &options)?.run(&(), interrupt)?))
    })
}

/// The runs alone, by rule.
#[pyfunction]
fn simulate_part(py: Python<'_>, definition: Definition, choice: SimulateChoice) -> PyResult<Vec<Vec<Row>>> {
    interruptible(py, |interrupt| {
        let instance = Instance::read(&definition)?;
        let options = choice.options(&instance)?;
        let runs = Simulator::new(&instance.problem, &instance.truth, &options)?.runs(&(), interrupt)?;
        Ok(runs.iter().map(|runs| runs.iter().map(row).collect()).collect())
    })
}

/// What runs say that were made in parts.
#[pyfunction]
fn simulate_sum(
    py: Python<'_>,
    definition: Definition,
    choice: SimulateChoice,
    parts: Vec<Vec<Vec<Row>>>,
) -> PyResult<Found> {
    Ok(py.detach(|| -> Result<Found, Failure> {
        let instance = Instance::read(&definition)?;
        let options = choice.options(&instance)?;
        let mut runs: Vec<Vec<Run>> = Vec::new();
        for part in parts {
            runs.resize_with(runs.len().max(part.len()), Vec::new);
            for (all, rows) in runs.iter_mut().zip(part) {
                all.extend(rows.into_iter().map(run_of).collect::<Result<Vec<_>, _>>()?);
            }
        }
        Ok(found(&Simulator::new(&instance.problem, &instance.truth, &options)?.sum_up(runs)))
    })?)
}

/// What is planned for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PlanChoice {
    deltas: Vec<f64>,
    runs: u64,
    threshold: Option<String>,
    max_samples: Option<u64>,
    seed: u64,
    jobs: Option<usize>,
}

/// What a study will take: JSON, the table, the figure.
#[pyfunction]
fn plan(py: Python<'_>, definition: Definition, choice: PlanChoice) -> PyResult<Found> {
    interruptible(py, |interrupt| {
        let instance = Instance::read(&definition)?;
        let usual = PlanOptions::default();
        let given = if choice.deltas.is_empty() { None } else { Some(choice.deltas.clone()) };
        let options = PlanOptions {
            study: instance.file.name.clone(),
            deltas: given.or_else(|| instance.file.delta.map(|delta| vec![delta])).unwrap_or(usual.deltas),
            runs: choice.runs,
            threshold: named(choice.threshold.as_deref())?,
            max_samples: choice.max_samples.unwrap_or(usual.max_samples),
            seed: choice.seed,
            jobs: choice.jobs,
            budgets: Vec::new(),
        };
        Ok(found(&Planner::new(&instance.problem, &instance.truth, &options)?.run(&(), interrupt)?))
    })
}

/// Findings as JSON, as a text, and as a figure, where there is one.
type Found = (String, String, Option<String>);

fn found(findings: &impl Findings) -> Found {
    (json(findings), findings.text(Width::Unlimited), findings.svg())
}

/// Long work in a thread of its own, ended by Ctrl-C.
fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send) -> PyResult<T> {
    let interrupt = AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let interrupt = &interrupt;
            scope.spawn(move || {
                // Whoever started this waits for it.
                let _ = sender.send(work(interrupt));
            });
            let mut raised = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(done) => return (Some(done), raised),
                    Err(RecvTimeoutError::Disconnected) => return (None, raised),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            interrupt.store(true, Ordering::Relaxed);
                            raised.get_or_insert(error);
                        }
                    }
                }
            }
        })
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Some(done)) => Ok(done?),
        (None, None) => Err(Failure::new("the work ended without a result").into()),
    }
}
