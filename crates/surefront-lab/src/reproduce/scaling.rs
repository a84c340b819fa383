//! Run time of the methods against the number of arms on the front and of objectives.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::instance::Shape;
use super::race::{Race, RaceRow, TimingOptions};
use super::time_tick::time_tick;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use surefront_study::plot::{INK, Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio};
use surefront_study::words::table::{Align, TextTable, Width};

/// The published program, measured: objectives, arms on the front, seconds by `cells`, seconds by `sweep`.
const PUBLISHED: [(usize, usize, f64, Option<f64>); 4] =
    [(2, 512, 8.5, Some(0.073)), (3, 64, 4.4, None), (4, 32, 6.8, None), (5, 16, 5.6, None)];

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalingOptions {
    /// The largest number of objectives, from 2 to 8.
    pub max_objectives: u32,
    /// The largest number of arms on the front, from 4 to 128.
    pub max_arms: u32,
    /// How.
    pub timing: TimingOptions,
}

impl Default for ScalingOptions {
    fn default() -> Self {
        ScalingOptions { max_objectives: 8, max_arms: 128, timing: TimingOptions::default() }
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct Scaling {
    /// "scaling".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Random instances per row.
    pub repeats: u32,
    /// One for each size.
    pub rows: Vec<ScalingRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// The times at one size.
#[derive(Clone, Debug, Serialize)]
pub struct ScalingRow {
    /// Ours.
    #[serde(flatten)]
    pub row: RaceRow,
    /// The published program's, by `cells`.
    pub published_cells_micros: Option<f64>,
    /// The published program's, by `sweep`.
    pub published_sweep_micros: Option<f64>,
}

/// Runs the experiment. Interrupted, it ends after the row under way.
///
/// # Errors
/// When an option is out of its range, or the methods disagree.
pub fn run(options: &ScalingOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Scaling, LabError> {
    within("max_objectives", options.max_objectives, 2..=8)?;
    within("max_arms", options.max_arms, 4..=128)?;
    let mut race = Race::new(options.timing)?;
    let sizes = sizes(options);
    observer.begin(sizes.len() as u64, Steps::Rows);
    let mut rows = Vec::with_capacity(sizes.len());
    for &(d, p) in &sizes {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        observer.message(&format!("d = {d}, p = {p}"));
        let row = race.row(Shape::Sphere { objectives: d }, p)?;
        let published = PUBLISHED.iter().find(|entry| (entry.0, entry.1) == (d, p));
        rows.push(ScalingRow {
            row,
            published_cells_micros: published.map(|entry| entry.2 * 1e6),
            published_sweep_micros: published.and_then(|entry| entry.3).map(|seconds| seconds * 1e6),
        });
        observer.advance(1);
    }
    observer.end();
    let unfinished = Unfinished::rows(rows.len(), sizes.len());
    let TimingOptions { seed, repeats, .. } = options.timing;
    Ok(Scaling { experiment: "scaling", seed, repeats, rows, unfinished })
}

impl Findings for Scaling {
    fn text(&self, width: Width) -> String {
        format!("{}\n{NOTES}\n", table(&self.rows, width))
    }

    fn svg(&self) -> Option<String> {
        Some(plot(&self.rows).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
Median times of one question: a front of p arms on a sphere, can the arm at the origin come onto it?
d objectives; cells: the published enumeration; branch: branch and bound; sweep: for two objectives.
Published: the authors' program in Python, measured; with sweep in brackets.";

/// d = 2…8 and p = 4…128, and the larger front in two objectives for which there is a published figure.
fn sizes(options: &ScalingOptions) -> Vec<(usize, usize)> {
    let (most_objectives, most_arms) = (options.max_objectives as usize, options.max_arms as usize);
    let mut sizes = Vec::new();
    for d in 2..=most_objectives {
        sizes.extend((2..=7).map(|power| (d, 1 << power)).filter(|&(_, p)| p <= most_arms));
        if d == 2 && most_arms == 128 {
            sizes.push((2, 512));
        }
    }
    sizes
}

fn table(rows: &[ScalingRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("d", Align::Right),
        ("p", Align::Right),
        ("cells", Align::Right),
        ("time by cells", Align::Right),
        ("nodes", Align::Right),
        ("by branch", Align::Right),
        ("by sweep", Align::Right),
        ("cells/branch", Align::Right),
        ("published", Align::Right),
    ]);
    for ScalingRow { row, published_cells_micros, published_sweep_micros } in rows {
        let dash = || "–".to_owned();
        let published = match (published_cells_micros, published_sweep_micros) {
            (Some(cells), Some(sweep)) => format!("{} ({})", duration(*cells), duration(*sweep)),
            (Some(cells), None) => duration(*cells),
            _ => String::new(),
        };
        table.push(vec![
            row.objectives.to_string(),
            row.front_arms.to_string(),
            grouped(row.cell_count),
            row.cells_text(),
            grouped(row.branch_nodes as u64),
            duration(row.branch.median_micros),
            row.sweep.as_ref().map_or_else(dash, |times| duration(times.median_micros)),
            row.cells_per_branch.map_or_else(dash, ratio),
            published,
        ]);
    }
    rendered(&table, width)
}

fn plot(rows: &[ScalingRow]) -> Plot {
    let mut objectives: Vec<usize> = rows.iter().map(|row| row.row.objectives).collect();
    objectives.dedup();
    let mut series = Vec::new();
    let mut legend = Vec::new();
    let branch = |colour| Look { colour, stroke: Stroke::Solid, marker: Marker::Disc };
    let cells = |colour| Look { colour, stroke: Stroke::Dashed, marker: Marker::Ring };
    let published = |colour| Look { colour, stroke: Stroke::Absent, marker: Marker::Diamond };
    for (colour, &d) in objectives.iter().enumerate() {
        let points = |value: &dyn Fn(&ScalingRow) -> Option<f64>| {
            let rows = rows.iter().filter(|row| row.row.objectives == d);
            rows.filter_map(|row| value(row).map(|micros| (row.row.front_arms as f64, micros))).collect::<Vec<_>>()
        };
        series.push(Series { look: cells(colour), points: points(&|row| row.row.cells_micros()) });
        series.push(Series { look: branch(colour), points: points(&|row| Some(row.row.branch.median_micros)) });
        series.push(Series { look: published(colour), points: points(&|row| row.published_cells_micros) });
        legend.push((format!("d = {d}"), branch(colour)));
    }
    legend.push(("branch".to_owned(), branch(INK)));
    legend.push(("cells".to_owned(), cells(INK)));
    legend.push(("cells, published".to_owned(), published(INK)));
    let most = rows.iter().map(|row| row.row.front_arms).max().unwrap_or(4);
    let x_ticks = (2..).map(|power| 1usize << power).take_while(|&p| p <= most).map(|p| p as f64).collect();
    Plot {
        title: "Exact transport cost: branch and bound against enumeration".to_owned(),
        subtitle: "p random arms on the positive orthant of the unit sphere in d objectives, and one at the origin"
            .to_owned(),
        x_label: "arms on the front, p".to_owned(),
        y_label: "median time of one question".to_owned(),
        x_ticks,
        y_tick: time_tick,
        series,
        legend,
    }
}
