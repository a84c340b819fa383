//! `surefront reproduce speed`: what a round of the learning loop costs, against the number of arms.

use indicatif::ProgressBar;
use serde::Serialize;
use surefront::{Evaluation, Front};

use super::learning_loop::{Arms, LearningLoop};
use super::vaccine;
use crate::args::SpeedArgs;
use crate::commands::{print, print_json};
use crate::failure::Failure;
use crate::memory::resident_megabytes;
use crate::progress;
use crate::remark::remark;
use surefront_study::file::study::StudyFile;
use surefront_study::output::figure::Figure;
use surefront_study::plot::{INK, Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio, significant};
use surefront_study::words::table::{Align, TextTable};

const ARMS: [usize; 4] = [20, 100, 1000, 10_000];
const OBJECTIVES: [usize; 3] = [2, 3, 5];

/// The growth is taken from here on: with fewer arms, what a round costs whatever the arms shows too much.
const FEWEST_ARMS_FOR_SLOPE: usize = 100;

/// Fewer eager rounds than this are no measurement.
const FEWEST_EAGER_ROUNDS: f64 = 10.0;

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    seed: u64,
    rounds: u64,
    rows: Vec<Row>,
    slopes: Vec<Slope>,
}

/// The costs on one instance.
#[derive(Serialize)]
struct Row {
    instance: Instance,
    arms: usize,
    objectives: usize,
    front_arms: usize,
    rounds: u64,
    lazy_micros_per_round: f64,
    pieces_per_round: f64,
    /// By how much the process has grown since it began; `None` where the system does not say.
    memory_megabytes: Option<f64>,
    eager: EagerOutcome,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Instance {
    Vaccine,
    Random,
}

/// What became of the eager oracle.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum EagerOutcome {
    /// It ran, and the lazy one over the same rounds.
    Ran { rounds: u64, micros_per_round: f64, lazy_micros_per_round: f64, times_faster: f64 },
    /// It was predicted to take too long.
    Skipped { predicted_micros_per_round: f64 },
}

impl EagerOutcome {
    fn micros_per_round(&self) -> Option<f64> {
        match self {
            EagerOutcome::Ran { micros_per_round, .. } => Some(*micros_per_round),
            EagerOutcome::Skipped { .. } => None,
        }
    }
}

/// How the lazy time grows: like K to this power.
#[derive(Serialize)]
struct Slope {
    objectives: usize,
    from_arms: usize,
    to_arms: usize,
    slope: f64,
}

/// Runs the experiment, prints the table and writes the plot.
pub fn run(args: &SpeedArgs) -> Result<(), Failure> {
    let figure = Figure::create(&args.svg, &[])?;
    let study = StudyFile::built_in("vaccine.toml", vaccine::STUDY)?;
    let problem = study.problem()?;
    let truth = study.model(&problem)?;
    let sizes = sizes(args);
    let bar = progress::rounds((1 + sizes.len()) as u64 * args.rounds);
    let bench = Bench { args, at_start: resident_megabytes(), bar: &bar };
    let mut rows = vec![bench.row(Instance::Vaccine, &Arms { problem, truth })];
    for (k, d) in sizes {
        rows.push(bench.row(Instance::Random, &Arms::random(k, d, args.seed)));
    }
    bar.finish_and_clear();

    let slopes: Vec<Slope> = OBJECTIVES.iter().filter_map(|&d| Slope::of(&rows, d)).collect();
    let written = figure.write(&plot(&rows, args.rounds).to_svg())?;
    if args.json {
        remark(&format!("{written}\n"));
        print_json(&Report { experiment: "speed", seed: args.seed, rounds: args.rounds, rows, slopes })
    } else {
        print(&format!("{}\n{}{NOTES}\n{written}\n", table(&rows), slope_text(&slopes)))
    }
}

const NOTES: &str = "\
A round: ask the rule `dual`, draw the noise, tell, oracle and stop test; time of one core. Every arm was observed once before.
lazy: only the pieces that may have become the closest are looked at; eager: all of them. The decisions are the same.
first rounds: as many as the eager oracle had time for, in turn with a lazy one. memory: growth of the program so far.";

/// By the number of arms first: memory that is kept from an earlier row is never that of a larger one.
fn sizes(args: &SpeedArgs) -> Vec<(usize, usize)> {
    let arms = ARMS.into_iter().filter(|&k| k <= args.max_arms as usize);
    arms.flat_map(|k| OBJECTIVES.map(|d| (k, d))).collect()
}

/// Where the rows are measured.
struct Bench<'a> {
    args: &'a SpeedArgs,
    at_start: Option<f64>,
    bar: &'a ProgressBar,
}

impl Bench<'_> {
    fn row(&self, instance: Instance, arms: &Arms) -> Row {
        let Arms { problem, truth } = arms;
        let (k, d) = (problem.arm_count(), problem.objective_count());
        self.bar.set_message(format!("K = {k}, d = {d}, lazy"));
        let mut lazy = LearningLoop::start(arms, Evaluation::Lazy, self.args.seed);
        let pieces_before = lazy.study().pieces_evaluated();
        let lap = lazy.run(self.args.rounds, self.bar);
        let pieces = lazy.study().pieces_evaluated() - pieces_before;
        let memory_megabytes = resident_megabytes().zip(self.at_start).map(|(now, start)| (now - start).max(0.0));
        let predicted = lazy.first_question_micros();
        drop(lazy);
        self.bar.set_message(format!("K = {k}, d = {d}, eager"));
        Row {
            instance,
            arms: k,
            objectives: d,
            front_arms: Front::of(truth).members().len(),
            rounds: lap.rounds,
            lazy_micros_per_round: lap.micros_per_round(),
            pieces_per_round: pieces as f64 / lap.rounds as f64,
            memory_megabytes,
            eager: self.eager(arms, predicted),
        }
    }

    /// The eager oracle for as many rounds as it has time for, and the lazy one over the same.
    fn eager(&self, arms: &Arms, predicted_micros_per_round: f64) -> EagerOutcome {
        let limit = self.args.eager_seconds * 1e6;
        if FEWEST_EAGER_ROUNDS * predicted_micros_per_round > limit {
            return EagerOutcome::Skipped { predicted_micros_per_round };
        }
        let most = self.args.eager_rounds.unwrap_or(u64::MAX).min(self.args.rounds);
        let [mut eager, mut lazy] = [Evaluation::Eager, Evaluation::Lazy]
            .map(|evaluation| LearningLoop::start(arms, evaluation, self.args.seed));
        let [eager, lazy] = eager.run_beside(&mut lazy, most, limit);
        EagerOutcome::Ran {
            rounds: eager.rounds,
            micros_per_round: eager.micros_per_round(),
            lazy_micros_per_round: lazy.micros_per_round(),
            times_faster: eager.micros / lazy.micros,
        }
    }
}

impl Slope {
    fn of(rows: &[Row], objectives: usize) -> Option<Self> {
        let counted = |row: &&Row| {
            row.instance == Instance::Random && row.objectives == objectives && row.arms >= FEWEST_ARMS_FOR_SLOPE
        };
        let rows: Vec<&Row> = rows.iter().filter(counted).collect();
        let [first, .., last] = rows[..] else { return None };
        let points: Vec<(f64, f64)> =
            rows.iter().map(|row| ((row.arms as f64).ln(), row.lazy_micros_per_round.ln())).collect();
        Some(Slope { objectives, from_arms: first.arms, to_arms: last.arms, slope: least_squares_slope(&points) })
    }
}

fn least_squares_slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / n, sum.1 + point.1 / n));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    products / squares
}

fn slope_text(slopes: &[Slope]) -> String {
    let line = |Slope { objectives, from_arms, to_arms, slope }: &Slope| {
        let sense = match *slope {
            s if s < 0.7 => "well below the number of arms",
            s if s < 1.0 => "slower than the number of arms",
            _ => "no slower than the number of arms",
        };
        let range = format!("{} to {} arms", grouped(*from_arms as u64), grouped(*to_arms as u64));
        format!("d = {objectives}: from {range} a lazy round grows like K^{slope:.2}, {sense}\n")
    };
    let lines: String = slopes.iter().map(line).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

fn table(rows: &[Row]) -> String {
    let mut table = TextTable::new(&[
        ("instance", Align::Left),
        ("K", Align::Right),
        ("d", Align::Right),
        ("front", Align::Right),
        ("rounds", Align::Right),
        ("lazy", Align::Right),
        ("pieces", Align::Right),
        ("memory", Align::Right),
        ("first rounds", Align::Right),
        ("eager", Align::Right),
        ("lazy", Align::Right),
        ("eager/lazy", Align::Right),
    ]);
    let dash = || "–".to_owned();
    for row in rows {
        let mut cells = vec![
            match row.instance {
                Instance::Vaccine => "vaccine".to_owned(),
                Instance::Random => "random".to_owned(),
            },
            grouped(row.arms as u64),
            row.objectives.to_string(),
            row.front_arms.to_string(),
            grouped(row.rounds),
            duration(row.lazy_micros_per_round),
            significant(row.pieces_per_round, 3),
            row.memory_megabytes.map_or_else(dash, |megabytes| format!("{megabytes:.1} MB")),
        ];
        cells.extend(match &row.eager {
            EagerOutcome::Ran { rounds, micros_per_round, lazy_micros_per_round, times_faster } => {
                [grouped(*rounds), duration(*micros_per_round), duration(*lazy_micros_per_round), ratio(*times_faster)]
            }
            EagerOutcome::Skipped { predicted_micros_per_round } => {
                [dash(), format!("skipped (≈ {})", duration(*predicted_micros_per_round)), dash(), dash()]
            }
        });
        table.push(cells);
    }
    table.render()
}

fn plot(rows: &[Row], rounds: u64) -> Plot {
    let lazy = |colour| Look { colour, stroke: Stroke::Solid, marker: Marker::Disc };
    let eager = |colour| Look { colour, stroke: Stroke::Dashed, marker: Marker::Ring };
    let mut series = Vec::new();
    let mut legend = Vec::new();
    for (colour, d) in OBJECTIVES.into_iter().enumerate() {
        let points = |value: &dyn Fn(&Row) -> Option<f64>| {
            let rows = rows.iter().filter(|row| row.instance == Instance::Random && row.objectives == d);
            rows.filter_map(|row| value(row).map(|micros| (row.arms as f64, micros))).collect::<Vec<_>>()
        };
        series.push(Series { look: eager(colour), points: points(&|row| row.eager.micros_per_round()) });
        series.push(Series { look: lazy(colour), points: points(&|row| Some(row.lazy_micros_per_round)) });
        legend.push((format!("d = {d}"), lazy(colour)));
    }
    legend.push(("lazy".to_owned(), lazy(INK)));
    legend.push(("eager".to_owned(), eager(INK)));
    let most = rows.iter().map(|row| row.arms).max().unwrap_or(ARMS[0]);
    Plot {
        title: "What a round of the learning loop costs".to_owned(),
        subtitle: format!(
            "random arms; lazy: mean of {} rounds, eager: of as many of the first as there was time for",
            grouped(rounds)
        ),
        x_label: "arms, K".to_owned(),
        y_label: "time of one round".to_owned(),
        x_ticks: ARMS.into_iter().filter(|&k| k <= most).map(|k| k as f64).collect(),
        y_tick: super::time_tick,
        series,
        legend,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_exponent_as_slope() {
        let points: Vec<(f64, f64)> = [100f64, 1e3, 1e4].iter().map(|k| (k.ln(), (3.0 * k.powf(0.6)).ln())).collect();
        assert!((least_squares_slope(&points) - 0.6).abs() < 1e-12);
    }
}
