//! Run time of the methods in two objectives, up to thousands of arms on the front.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::instance::Shape;
use super::race::{Race, RaceRow, TimingOptions};
use super::time_tick::time_tick;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use surefront_study::plot::{Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio};
use surefront_study::words::table::{Align, TextTable, Width};

/// The paper's table "Comparison between the improved and generic algorithm": p, t_2 and t_n in seconds, and their ratio
/// r as printed.
const PUBLISHED: [(usize, f64, f64, f64); 9] = [
    (2, 7.33e-4, 1.01e-3, 1.38),
    (4, 1.05e-3, 1.97e-3, 1.88),
    (8, 1.69e-3, 4.47e-3, 2.65),
    (16, 3.00e-3, 1.25e-2, 4.17),
    (32, 5.68e-3, 3.47e-2, 6.11),
    (64, 1.02e-2, 1.16e-1, 11.4),
    (128, 2.25e-2, 4.48e-1, 19.9),
    (256, 4.91e-2, 1.77, 36.0),
    (512, 8.77e-2, 7.66, 87.3),
];

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedupOptions {
    /// The largest number of arms on the front, from 2 to 4096.
    pub max_arms: u32,
    /// How.
    pub timing: TimingOptions,
}

impl Default for SpeedupOptions {
    fn default() -> Self {
        SpeedupOptions { max_arms: 4096, timing: TimingOptions::default() }
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct Speedup {
    /// "speedup".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Random instances per row.
    pub repeats: u32,
    /// One for each size.
    pub rows: Vec<SpeedupRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// The times at one size.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedupRow {
    /// Ours.
    #[serde(flatten)]
    pub row: RaceRow,
    /// The paper's.
    pub published: Option<Published>,
}

/// A line of the paper's table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Published {
    /// t_2.
    pub sweep_micros: f64,
    /// t_n.
    pub cells_micros: f64,
    /// r, as printed.
    pub cells_per_sweep: f64,
}

/// Runs the experiment. Interrupted, it ends after the row under way.
///
/// # Errors
/// When an option is out of its range, or the methods disagree.
pub fn run(options: &SpeedupOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Speedup, LabError> {
    within("max_arms", options.max_arms, 2..=4096)?;
    let mut race = Race::new(options.timing)?;
    let sizes: Vec<usize> = (1..=12).map(|power| 1 << power).filter(|&p| p <= options.max_arms as usize).collect();
    observer.begin(sizes.len() as u64, Steps::Rows);
    let mut rows = Vec::with_capacity(sizes.len());
    for &p in &sizes {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        observer.message(&format!("p = {p}"));
        let row = race.row(Shape::Square, p)?;
        let published = PUBLISHED.iter().find(|entry| entry.0 == p).map(|&(_, sweep, cells, cells_per_sweep)| {
            Published { sweep_micros: sweep * 1e6, cells_micros: cells * 1e6, cells_per_sweep }
        });
        rows.push(SpeedupRow { row, published });
        observer.advance(1);
    }
    observer.end();
    let unfinished = Unfinished::rows(rows.len(), sizes.len());
    let TimingOptions { seed, repeats, .. } = options.timing;
    Ok(Speedup { experiment: "speedup", seed, repeats, rows, unfinished })
}

impl Findings for Speedup {
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
Median times of one question: a front of p arms in a square, can the arm at the origin come onto it?
Published: the paper's table, t_2 (sweep), t_n (cells) and r = t_n / t_2, on one core of an Intel i5-6300U.";

fn table(rows: &[SpeedupRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("p", Align::Right),
        ("cells", Align::Right),
        ("time by cells", Align::Right),
        ("nodes", Align::Right),
        ("by branch", Align::Right),
        ("by sweep", Align::Right),
        ("cells/branch", Align::Right),
        ("cells/sweep", Align::Right),
        ("published t_2", Align::Right),
        ("t_n", Align::Right),
        ("r", Align::Right),
    ]);
    for SpeedupRow { row, published } in rows {
        let dash = || "–".to_owned();
        let mut cells = vec![
            row.front_arms.to_string(),
            grouped(row.cell_count),
            row.cells_text(),
            grouped(row.branch_nodes as u64),
            duration(row.branch.median_micros),
            row.sweep.as_ref().map_or_else(dash, |times| duration(times.median_micros)),
            row.cells_per_branch.map_or_else(dash, ratio),
            row.cells_per_sweep.map_or_else(dash, ratio),
        ];
        cells.extend(match published {
            Some(published) => {
                [duration(published.sweep_micros), duration(published.cells_micros), ratio(published.cells_per_sweep)]
            }
            None => [dash(), dash(), dash()],
        });
        table.push(cells);
    }
    rendered(&table, width)
}

fn plot(rows: &[SpeedupRow]) -> Plot {
    let points = |value: &dyn Fn(&SpeedupRow) -> Option<f64>| {
        rows.iter().filter_map(|row| value(row).map(|micros| (row.row.front_arms as f64, micros))).collect::<Vec<_>>()
    };
    let ours = |colour| Look { colour, stroke: Stroke::Solid, marker: Marker::Disc };
    let theirs = |colour| Look { colour, stroke: Stroke::Dashed, marker: Marker::Ring };
    let drawn = [
        ("cells, published", theirs(1), points(&|row| row.published.as_ref().map(|p| p.cells_micros))),
        ("sweep, published", theirs(2), points(&|row| row.published.as_ref().map(|p| p.sweep_micros))),
        ("cells", ours(1), points(&|row| row.row.cells_micros())),
        ("branch", ours(0), points(&|row| Some(row.row.branch.median_micros))),
        ("sweep", ours(2), points(&|row| row.row.sweep.as_ref().map(|times| times.median_micros))),
    ];
    Plot {
        title: "Exact transport cost in two objectives".to_owned(),
        subtitle: "p random arms that form a front in a 10 × 10 square, and one at the origin".to_owned(),
        x_label: "arms on the front, p".to_owned(),
        y_label: "median time of one question".to_owned(),
        x_ticks: rows.iter().map(|row| row.row.front_arms as f64).collect(),
        y_tick: time_tick,
        legend: drawn.iter().map(|(label, look, _)| ((*label).to_owned(), *look)).collect(),
        series: drawn.into_iter().map(|(_, look, points)| Series { look, points }).collect(),
    }
}
