//! The methods side by side on the same instances: how long each takes, and that they agree.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;
use surefront::{Effort, Method, Oracle};

use super::instance::{Instance, Shape};
use crate::lab_error::{LabError, within};
use surefront_study::words::number::{duration, rough_duration};

/// Exact methods must agree to this, relatively.
const AGREEMENT: f64 = 1e-9;

/// Times over the instances of a row.
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    /// The median time of one question.
    pub median_micros: f64,
    /// The mean time of one question.
    pub mean_micros: f64,
    /// How many instances it was asked about.
    pub instances: usize,
}

/// What became of `cells` in a row.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellsOutcome {
    /// It ran.
    Ran(Times),
    /// It was predicted to take too long.
    Skipped {
        /// The predicted time of one enumeration.
        predicted_micros: f64,
    },
}

/// One row of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct RaceRow {
    /// The number of objectives.
    pub objectives: usize,
    /// The number of arms on the front.
    pub front_arms: usize,
    /// C(p + d − 1, d − 1), the number of cells.
    pub cell_count: u64,
    /// The median number of nodes of `branch`.
    pub branch_nodes: f64,
    /// The times of `branch`.
    pub branch: Times,
    /// The times of `sweep`, in two objectives.
    pub sweep: Option<Times>,
    /// The times of `cells`.
    pub cells: CellsOutcome,
    /// How many times longer `cells` takes than `branch`, on the instances that both answered.
    pub cells_per_branch: Option<f64>,
    /// How many times longer `cells` takes than `sweep`, on the instances that both answered.
    pub cells_per_sweep: Option<f64>,
}

impl RaceRow {
    /// The median time of `cells`, if it ran.
    pub fn cells_micros(&self) -> Option<f64> {
        match &self.cells {
            CellsOutcome::Ran(times) => Some(times.median_micros),
            CellsOutcome::Skipped { .. } => None,
        }
    }

    /// The time of `cells` in words: why there is none if there is none.
    pub fn cells_text(&self) -> String {
        match &self.cells {
            CellsOutcome::Ran(times) => duration(times.median_micros),
            CellsOutcome::Skipped { predicted_micros } => {
                format!("skipped ({})", rough_duration(*predicted_micros))
            }
        }
    }
}

/// Options of every experiment on run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingOptions {
    /// Random instances per row.
    pub repeats: u32,
    /// `cells` is skipped where one enumeration is predicted to take longer than this.
    pub cells_seconds: f64,
    /// Start of the random numbers: the same seed gives the same instances.
    pub seed: u64,
}

impl Default for TimingOptions {
    fn default() -> Self {
        TimingOptions { repeats: 15, cells_seconds: 3.0, seed: 1 }
    }
}

/// Runs row after row, and learns from each how long a cell takes.
pub struct Race {
    timing: TimingOptions,
    micros_per_cell: f64,
}

impl Race {
    /// A race whose first row is run whatever a cell takes: it should be a small one.
    pub fn new(timing: TimingOptions) -> Result<Self, LabError> {
        within("repeats", timing.repeats, 1..=u32::MAX)?;
        within("cells_seconds", timing.cells_seconds, 0.0..=f64::MAX)?;
        Ok(Race { timing, micros_per_cell: 0.0 })
    }

    /// All methods that apply, on the instances of one row.
    pub fn row(&mut self, shape: Shape, p: usize) -> Result<RaceRow, LabError> {
        let instances: Vec<Instance> =
            (0..self.timing.repeats).map(|number| Instance::random(shape, p, self.timing.seed, number)).collect();
        let d = instances[0].problem.objective_count();
        let cell_count = binomial(p + d - 1, d - 1);
        let branch = time(Method::Branch, &instances, f64::INFINITY);
        let sweep = (d == 2).then(|| time(Method::Sweep, &instances, f64::INFINITY));
        let predicted_micros = cell_count as f64 * self.micros_per_cell;
        let limit = self.timing.cells_seconds * 1e6;
        let cells = (predicted_micros <= limit).then(|| time(Method::Cells, &instances, limit));
        let others = [sweep.as_ref().map(|laps| ("sweep", laps)), cells.as_ref().map(|laps| ("cells", laps))];
        for (name, laps) in others.into_iter().flatten() {
            agree(&branch, name, laps, || format!("{shape:?} with p = {p}, seed {}", self.timing.seed))?;
        }
        if let Some(laps) = &cells {
            self.micros_per_cell = median(&laps.micros) / cell_count as f64;
        }
        Ok(RaceRow {
            objectives: d,
            front_arms: p,
            cell_count,
            branch_nodes: median(&branch.nodes),
            cells_per_branch: cells.as_ref().map(|cells| times_longer(cells, &branch)),
            cells_per_sweep: cells.as_ref().zip(sweep.as_ref()).map(|(cells, sweep)| times_longer(cells, sweep)),
            branch: branch.times(),
            sweep: sweep.map(|laps| laps.times()),
            cells: cells.map_or(CellsOutcome::Skipped { predicted_micros }, |laps| CellsOutcome::Ran(laps.times())),
        })
    }
}

/// What one method did on each instance, in their order; perhaps not on all.
#[derive(Default)]
struct Laps {
    micros: Vec<f64>,
    nodes: Vec<f64>,
    costs: Vec<f64>,
}

impl Laps {
    fn times(&self) -> Times {
        let count = self.micros.len();
        Times {
            median_micros: median(&self.micros),
            mean_micros: self.micros.iter().sum::<f64>() / count as f64,
            instances: count,
        }
    }
}

/// Asks about every instance, or until `limit_micros` are used up.
fn time(method: Method, instances: &[Instance], limit_micros: f64) -> Laps {
    let mut oracle = Oracle::new(&instances[0].problem, method).expect("the instances fit every method that is asked");
    let mut laps = Laps::default();
    let mut used = 0.0;
    for instance in instances {
        let (micros, cost, effort) = lap(&mut oracle, instance, &mut used);
        laps.micros.push(micros);
        laps.costs.push(cost);
        laps.nodes.push(effort.nodes as f64);
        if used > limit_micros {
            break;
        }
    }
    laps
}

/// One question. A short one is put several times: first to warm up, then to be longer than the clock's grain.
fn lap(oracle: &mut Oracle, instance: &Instance, used: &mut f64) -> (f64, f64, Effort) {
    const LONG_MICROS: f64 = 10_000.0;
    const GRAIN_MICROS: f64 = 50.0;
    let question = instance.question();
    let mut ask = |times: u32| {
        let start = Instant::now();
        let mut cost = f64::NAN;
        for _ in 0..times {
            let closest = black_box(oracle.closest_in(&question, instance.piece));
            cost = closest.expect("the arm is off the front").expect("noisy arms can change places").cost;
        }
        let micros = start.elapsed().as_nanos() as f64 / 1e3;
        *used += micros;
        (micros / f64::from(times), cost)
    };
    let (first, cost) = ask(1);
    let micros = if first > LONG_MICROS { first } else { ask(1 + (GRAIN_MICROS / first.max(0.1)) as u32).0 };
    (micros, cost, oracle.effort())
}

fn agree(branch: &Laps, other: &'static str, laps: &Laps, place: impl Fn() -> String) -> Result<(), LabError> {
    for (number, (&one_cost, &other_cost)) in branch.costs.iter().zip(&laps.costs).enumerate() {
        let difference = (one_cost - other_cost).abs();
        // NaN fails: it is within no distance.
        let within = difference <= AGREEMENT * one_cost.abs().max(other_cost.abs());
        if !within {
            let instance = format!("instance {number} of {}", place());
            return Err(LabError::Disagreement { instance, one: "branch", one_cost, other, other_cost });
        }
    }
    Ok(())
}

/// The ratio of the medians, over the instances that both answered.
fn times_longer(slow: &Laps, fast: &Laps) -> f64 {
    let both = slow.micros.len().min(fast.micros.len());
    median(&slow.micros[..both]) / median(&fast.micros[..both])
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + sorted[middle]) / 2.0 } else { sorted[middle] }
}

/// "n choose k"; every partial product is one, so that the division leaves no remainder.
fn binomial(n: usize, k: usize) -> u64 {
    (1..=k as u64).fold(1, |product, i| product * ((n - k) as u64 + i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials() {
        assert_eq!(binomial(66, 2), 2145);
        assert_eq!(binomial(68, 4), 814_385);
        assert_eq!(binomial(71, 7), 1_329_890_705);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn disagreement_is_found() {
        let laps = |cost| Laps { costs: vec![1.0, cost], ..Laps::default() };
        assert!(agree(&laps(2.0), "cells", &laps(2.0 + 1e-10), String::new).is_ok());
        let failure = agree(&laps(2.0), "cells", &laps(2.0 + 1e-8), String::new).unwrap_err();
        assert!(failure.to_string().contains("instance 1 of"), "{failure}");
        assert!(agree(&laps(2.0), "cells", &laps(f64::NAN), String::new).is_err());
    }

    #[test]
    fn the_effort_of_cells_is_the_predicted_count() {
        for (d, p) in [(2, 9), (3, 7), (4, 6)] {
            let instance = Instance::random(Shape::Sphere { objectives: d }, p, 3, 0);
            let mut oracle = Oracle::new(&instance.problem, Method::Cells).unwrap();
            let (_, _, effort) = lap(&mut oracle, &instance, &mut 0.0);
            assert_eq!(effort.cells, binomial(p + d - 1, d - 1));
        }
    }
}
