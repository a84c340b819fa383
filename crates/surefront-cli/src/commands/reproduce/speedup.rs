//! `surefront reproduce speedup`: the methods in two objectives, up to thousands of arms on the front.

use serde::Serialize;

use super::instance::Shape;
use super::race::{Race, Row};
use crate::args::SpeedupArgs;
use crate::commands::{print, print_json};
use crate::failure::Failure;
use crate::progress;
use crate::remark::remark;
use surefront_study::output::figure::Figure;
use surefront_study::plot::{Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio};
use surefront_study::words::table::{Align, TextTable};

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

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    seed: u64,
    repeats: u32,
    rows: Vec<SpeedupRow>,
}

#[derive(Serialize)]
struct SpeedupRow {
    #[serde(flatten)]
    row: Row,
    published: Option<Published>,
}

#[derive(Serialize)]
struct Published {
    sweep_micros: f64,
    cells_micros: f64,
    cells_per_sweep: f64,
}

/// Runs the experiment, prints the table and writes the plot.
pub fn run(args: &SpeedupArgs) -> Result<(), Failure> {
    let figure = Figure::create(&args.svg, &[])?;
    let sizes: Vec<usize> = (1..=12).map(|power| 1 << power).filter(|&p| p <= args.max_arms as usize).collect();
    let bar = progress::rows(sizes.len());
    let mut race = Race::new(&args.timing);
    let mut rows = Vec::with_capacity(sizes.len());
    for p in sizes {
        bar.set_message(format!("p = {p}"));
        let row = race.row(Shape::Square, p)?;
        let published = PUBLISHED.iter().find(|entry| entry.0 == p).map(|&(_, sweep, cells, cells_per_sweep)| {
            Published { sweep_micros: sweep * 1e6, cells_micros: cells * 1e6, cells_per_sweep }
        });
        rows.push(SpeedupRow { row, published });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let written = figure.write(&plot(&rows).to_svg())?;
    if args.timing.json {
        remark(&format!("{written}\n"));
        print_json(&Report { experiment: "speedup", seed: args.timing.seed, repeats: args.timing.repeats, rows })
    } else {
        print(&format!("{}\n{NOTES}\n{written}\n", table(&rows)))
    }
}

const NOTES: &str = "\
Median times of one question: a front of p arms in a square, can the arm at the origin come onto it?
Published: the paper's table, t_2 (sweep), t_n (cells) and r = t_n / t_2, on one core of an Intel i5-6300U.";

fn table(rows: &[SpeedupRow]) -> String {
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
    table.render()
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
        y_tick: super::time_tick,
        legend: drawn.iter().map(|(label, look, _)| ((*label).to_owned(), *look)).collect(),
        series: drawn.into_iter().map(|(_, look, points)| Series { look, points }).collect(),
    }
}
