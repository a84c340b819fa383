//! How long the bound takes, against the number of arms; with costs, margins and limits, and without.

use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use surefront::{Arm, Front, Goal, Margin, Model, Noise, Objective, Problem, bound};
use surefront_study::words::number::{duration, grouped, significant};
use surefront_study::words::table::{Align, TextTable, Width};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};

const OBJECTIVES: usize = 3;
const SIZES: [u32; 6] = [500, 1000, 2000, 4000, 7000, 10_000];
const DEAREST: f64 = 20.0;
/// In each objective.
const MARGIN: f64 = 0.015;
/// What the first objective must be at least: one arm in six is below it.
const LEAST: f64 = 1.0 / 6.0;
/// What one more reading, uniform as well, may be at most.
const MOST: f64 = 0.5;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundOptions {
    /// The largest number of arms, from 500 to 10,000.
    pub max_arms: u32,
    /// The relative gap.
    pub tolerance: f64,
    /// Start of the random numbers.
    pub seed: u64,
}

impl Default for BoundOptions {
    fn default() -> Self {
        BoundOptions { max_arms: 10_000, tolerance: 1e-3, seed: 1 }
    }
}

/// Where the arms lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Anywhere in a cube: few are on the front.
    Cube,
    /// On the positive orthant of a sphere: all are.
    Sphere,
}

/// What is asked about the arms, beside their front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Terms {
    /// Nothing.
    Plain,
    /// A measurement costs from 1 to 20.
    Costs,
    /// Small differences do not matter.
    Margins,
    /// One objective and one more reading are limited.
    Limits,
    /// All of these.
    All,
}

impl Terms {
    const CUBE: [Terms; 5] = [Terms::Plain, Terms::Costs, Terms::Margins, Terms::Limits, Terms::All];

    fn has(self, other: Terms) -> bool {
        self == other || self == Terms::All
    }

    fn words(self) -> &'static str {
        match self {
            Terms::Plain => "",
            Terms::Costs => "costs",
            Terms::Margins => "margins",
            Terms::Limits => "limits",
            Terms::All => "all three",
        }
    }

    fn objectives(self) -> Vec<Objective> {
        let noise = Noise::Variance(1.0);
        let mut objectives: Vec<Objective> =
            (0..OBJECTIVES).map(|j| Objective::new(format!("y{j}"), Goal::Max, noise)).collect();
        if self.has(Terms::Margins) {
            let with_margin = |objective: Objective| objective.with_margin(Margin::Absolute(MARGIN));
            objectives = objectives.into_iter().map(with_margin).collect();
        }
        if self.has(Terms::Limits) {
            objectives[0] = objectives[0].clone().with_at_least(LEAST);
            objectives.push(Objective::limited("z", noise).with_at_most(MOST));
        }
        objectives
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct BoundTimes {
    /// "bound".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// The relative gap asked for.
    pub tolerance: f64,
    /// One for each instance.
    pub rows: Vec<BoundRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// One instance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BoundRow {
    /// Where the arms lie.
    pub place: Place,
    /// What is asked about them.
    pub terms: Terms,
    /// How many arms.
    pub arms: usize,
    /// How many of them on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
    /// The relative gap reached.
    pub gap: f64,
    /// Time of one core.
    pub seconds: f64,
}

/// Runs the experiment. Interrupted, it ends after the row under way.
///
/// # Errors
/// When an option is out of its range, or arms tie.
pub fn run(options: &BoundOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<BoundTimes, LabError> {
    within("max_arms", options.max_arms, 500..=10_000)?;
    let kinds: Vec<(Place, Terms)> =
        Terms::CUBE.map(|terms| (Place::Cube, terms)).into_iter().chain([(Place::Sphere, Terms::Plain)]).collect();
    let sizes = SIZES.iter().filter(|&&size| size <= options.max_arms);
    let wanted: Vec<_> = kinds.iter().flat_map(|&kind| sizes.clone().map(move |&size| (kind, size as usize))).collect();
    observer.begin(wanted.len() as u64, Steps::Rows);
    let mut rows = Vec::new();
    for &((place, terms), arms) in &wanted {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        observer.message(&format!("K = {arms}"));
        rows.push(row(options, place, terms, arms)?);
        observer.advance(1);
    }
    observer.end();
    let unfinished = Unfinished::rows(rows.len(), wanted.len());
    let BoundOptions { seed, tolerance, .. } = *options;
    Ok(BoundTimes { experiment: "bound", seed, tolerance, rows, unfinished })
}

fn row(options: &BoundOptions, place: Place, terms: Terms, arms: usize) -> Result<BoundRow, LabError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut uniform = || rng.random_range(0.0..1.0);
    let mut point = || {
        let mut point: Vec<f64> = (0..OBJECTIVES).map(|_| uniform()).collect();
        if place == Place::Sphere {
            let norm = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            point.iter_mut().for_each(|x| *x /= norm);
        }
        point
    };
    // The arms of a size are the same on all terms: what else is drawn comes after them.
    let mut means: Vec<Vec<f64>> = (0..arms).map(|_| point()).collect();
    let mut cost = || if terms.has(Terms::Costs) { DEAREST.powf(uniform()) } else { 1.0 };
    let named = (0..arms).map(|k| Arm::named(format!("a{k}")).with_cost(cost())).collect();
    if terms.has(Terms::Limits) {
        means.iter_mut().for_each(|row| row.push(uniform()));
    }
    let problem = Problem::new(terms.objectives(), named).expect("names differ, and costs are above zero");
    let model = Model::new(&problem, &means).expect("random means are finite");
    let start = ThreadTime::now();
    let bound = bound(&problem, &model, options.tolerance).map_err(|error| LabError::of_bound(error, &problem))?;
    let seconds = start.elapsed().as_secs_f64();
    let front_arms = Front::of(&model).members().len();
    Ok(BoundRow { place, terms, arms, front_arms, t_star: bound.upper, gap: bound.gap(), seconds })
}

impl Findings for BoundTimes {
    fn text(&self, width: Width) -> String {
        format!("{}\n{}", table(&self.rows, width), self.notes())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

impl BoundTimes {
    fn notes(&self) -> String {
        format!(
            "T* to a relative gap of {}, time of one core. K arms in {OBJECTIVES} objectives, uniform in a cube or on a sphere, unit variances.\n\
             With costs: of a measurement from 1 to {DEAREST}. With margins: {MARGIN} in each objective. With limits: the first objective at least {}, one more reading, uniform as well, at most {MOST}.\n",
            significant(self.tolerance, 2),
            significant(LEAST, 2)
        )
    }
}

fn table(rows: &[BoundRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("arms in a", Align::Left),
        ("with", Align::Left),
        ("K", Align::Right),
        ("front", Align::Right),
        ("T*", Align::Right),
        ("gap", Align::Right),
        ("time", Align::Right),
    ]);
    for row in rows {
        table.push(vec![
            if row.place == Place::Cube { "cube" } else { "sphere" }.to_owned(),
            row.terms.words().to_owned(),
            grouped(row.arms as u64),
            grouped(row.front_arms as u64),
            significant(row.t_star, 5),
            significant(row.gap, 2),
            duration(1e6 * row.seconds),
        ]);
    }
    rendered(&table, width)
}
