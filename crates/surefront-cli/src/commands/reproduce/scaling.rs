//! `surefront reproduce scaling`: run time against the number of arms on the front and of objectives.

use serde::Serialize;

use super::instance::Shape;
use super::race::{Race, Row};
use crate::args::ScalingArgs;
use crate::commands::{print, print_json};
use crate::failure::Failure;
use crate::progress;
use crate::remark::remark;
use surefront_study::output::figure::Figure;
use surefront_study::plot::{INK, Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio};
use surefront_study::words::table::{Align, TextTable};

/// The published program, measured: objectives, arms on the front, seconds by `cells`, seconds by `sweep`.
const PUBLISHED: [(usize, usize, f64, Option<f64>); 4] =
    [(2, 512, 8.5, Some(0.073)), (3, 64, 4.4, None), (4, 32, 6.8, None), (5, 16, 5.6, None)];

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    seed: u64,
    repeats: u32,
    rows: Vec<ScalingRow>,
}

#[derive(Serialize)]
struct ScalingRow {
    #[serde(flatten)]
    row: Row,
    published_cells_micros: Option<f64>,
    published_sweep_micros: Option<f64>,
}

/// Runs the experiment, prints the table and writes the plot.
pub fn run(args: &ScalingArgs) -> Result<(), Failure> {
    let figure = Figure::create(&args.svg, &[])?;
    let sizes = sizes(args);
    let bar = progress::rows(sizes.len());
    let mut race = Race::new(&args.timing);
    let mut rows = Vec::with_capacity(sizes.len());
    for (d, p) in sizes {
        bar.set_message(format!("d = {d}, p = {p}"));
        let row = race.row(Shape::Sphere { objectives: d }, p)?;
        let published = PUBLISHED.iter().find(|entry| (entry.0, entry.1) == (d, p));
        rows.push(ScalingRow {
            row,
            published_cells_micros: published.map(|entry| entry.2 * 1e6),
            published_sweep_micros: published.and_then(|entry| entry.3).map(|seconds| seconds * 1e6),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let written = figure.write(&plot(&rows).to_svg())?;
    if args.timing.json {
        remark(&format!("{written}\n"));
        print_json(&Report { experiment: "scaling", seed: args.timing.seed, repeats: args.timing.repeats, rows })
    } else {
        print(&format!("{}\n{NOTES}\n{written}\n", table(&rows)))
    }
}

const NOTES: &str = "\
Median times of one question: a front of p arms on a sphere, can the arm at the origin come onto it?
d objectives; cells: the published enumeration; branch: branch and bound; sweep: for two objectives.
Published: the authors' program in Python, measured; with sweep in brackets.";

/// d = 2…8 and p = 4…128, and the larger front in two objectives for which there is a published figure.
fn sizes(args: &ScalingArgs) -> Vec<(usize, usize)> {
    let (most_objectives, most_arms) = (args.max_objectives as usize, args.max_arms as usize);
    let mut sizes = Vec::new();
    for d in 2..=most_objectives {
        sizes.extend((2..=7).map(|power| (d, 1 << power)).filter(|&(_, p)| p <= most_arms));
        if d == 2 && most_arms == 128 {
            sizes.push((2, 512));
        }
    }
    sizes
}

fn table(rows: &[ScalingRow]) -> String {
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
    table.render()
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
        y_tick: super::time_tick,
        series,
        legend,
    }
}
