//! What a round of the learning loop costs, against the number of arms.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use surefront::{Evaluation, Front};

use super::learning_loop::{Arms, LearningLoop};
use super::time_tick::time_tick;
use super::vaccine;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::memory::resident_megabytes;
use crate::observer::{Observer, Steps};
use surefront_study::plot::{INK, Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{duration, grouped, ratio, significant};
use surefront_study::words::table::{Align, TextTable, Width};

const ARMS: [usize; 4] = [20, 100, 1000, 10_000];
const OBJECTIVES: [usize; 3] = [2, 3, 5];

/// The growth is taken from here on: with fewer arms, what a round costs whatever the arms shows too much.
const FEWEST_ARMS_FOR_SLOPE: usize = 100;

/// Fewer eager rounds than this are no measurement.
const FEWEST_EAGER_ROUNDS: f64 = 10.0;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedOptions {
    /// Rounds with the lazy oracle.
    pub rounds: u64,
    /// The most rounds with the eager oracle; `None`: as many as the lazy one.
    pub eager_rounds: Option<u64>,
    /// Time for the eager oracle on each instance; it is skipped where 10 rounds are predicted to take longer.
    pub eager_seconds: f64,
    /// The largest number of arms, from 20 to 10,000.
    pub max_arms: u32,
    /// Start of the random numbers: the same seed gives the same arms and decisions.
    pub seed: u64,
}

impl Default for SpeedOptions {
    fn default() -> Self {
        SpeedOptions { rounds: 100_000, eager_rounds: None, eager_seconds: 3.0, max_arms: 10_000, seed: 1 }
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// "speed".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Rounds with the lazy oracle.
    pub rounds: u64,
    /// One for each instance.
    pub rows: Vec<SpeedRow>,
    /// How the lazy time grows with the number of arms.
    pub slopes: Vec<Slope>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// The costs on one instance.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedRow {
    /// Where it comes from.
    pub instance: Origin,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// Rounds with the lazy oracle.
    pub rounds: u64,
    /// What one of them took.
    pub lazy_micros_per_round: f64,
    /// Pieces of the alternatives looked at.
    pub pieces_per_round: f64,
    /// By how much the process has grown since it began; `None` where the system does not say.
    pub memory_megabytes: Option<f64>,
    /// The eager oracle.
    pub eager: EagerOutcome,
}

/// Where an instance comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The paper.
    Vaccine,
    /// A generator of random numbers.
    Random,
}

/// What became of the eager oracle.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EagerOutcome {
    /// It ran, and the lazy one over the same rounds.
    Ran {
        /// How many.
        rounds: u64,
        /// What one took.
        micros_per_round: f64,
        /// What one took the lazy oracle.
        lazy_micros_per_round: f64,
        /// How many lazy rounds fit into an eager one.
        times_faster: f64,
    },
    /// It was predicted to take too long.
    Skipped {
        /// What one round was predicted to take.
        predicted_micros_per_round: f64,
    },
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
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Slope {
    /// In this many objectives.
    pub objectives: usize,
    /// From this many arms.
    pub from_arms: usize,
    /// To this many.
    pub to_arms: usize,
    /// The power.
    pub slope: f64,
}

/// Runs the experiment. Interrupted, it ends without the row under way.
///
/// # Errors
/// When an option is out of its range.
pub fn run(options: &SpeedOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Speed, LabError> {
    within("rounds", options.rounds, 1..=u64::MAX)?;
    within("eager_rounds", options.eager_rounds.unwrap_or(1), 1..=u64::MAX)?;
    within("eager_seconds", options.eager_seconds, 0.0..=f64::MAX)?;
    within("max_arms", options.max_arms, 20..=10_000)?;
    let (problem, truth) = vaccine::instance()?;
    let sizes = sizes(options);
    let wanted = 1 + sizes.len();
    observer.begin((wanted as u64).saturating_mul(options.rounds), Steps::Rounds);
    let bench = Bench { options, at_start: resident_megabytes(), observer, interrupt };
    let vaccine = std::iter::once_with(|| bench.row(Origin::Vaccine, &Arms { problem, truth }));
    let random = sizes.into_iter().map(|(k, d)| bench.row(Origin::Random, &Arms::random(k, d, options.seed)));
    let rows: Vec<SpeedRow> = vaccine.chain(random).map_while(|row| row).collect();
    observer.end();
    Ok(Speed {
        experiment: "speed",
        seed: options.seed,
        rounds: options.rounds,
        slopes: OBJECTIVES.iter().filter_map(|&d| Slope::of(&rows, d)).collect(),
        unfinished: Unfinished::rows(rows.len(), wanted),
        rows,
    })
}

impl Findings for Speed {
    fn text(&self, width: Width) -> String {
        format!("{}\n{}{NOTES}\n", table(&self.rows, width), slope_text(&self.slopes))
    }

    fn svg(&self) -> Option<String> {
        Some(plot(&self.rows, self.rounds).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
A round: ask the rule `dual`, draw the noise, tell, oracle and stop test; time of one core. Every arm was observed once before.
lazy: only the pieces that may have become the closest are looked at; eager: all of them. The decisions are the same.
first rounds: as many as the eager oracle had time for, in turn with a lazy one. memory: growth of the program so far.";

/// By the number of arms first: memory that is kept from an earlier row is never that of a larger one.
fn sizes(options: &SpeedOptions) -> Vec<(usize, usize)> {
    let arms = ARMS.into_iter().filter(|&k| k <= options.max_arms as usize);
    arms.flat_map(|k| OBJECTIVES.map(|d| (k, d))).collect()
}

/// Where the rows are measured.
struct Bench<'a> {
    options: &'a SpeedOptions,
    at_start: Option<f64>,
    observer: &'a dyn Observer,
    interrupt: &'a AtomicBool,
}

impl Bench<'_> {
    /// `None` if it was interrupted.
    fn row(&self, instance: Origin, arms: &Arms) -> Option<SpeedRow> {
        if self.interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let Arms { problem, truth } = arms;
        let (k, d) = (problem.arm_count(), problem.objective_count());
        self.observer.message(&format!("K = {k}, d = {d}, lazy"));
        let mut lazy = LearningLoop::start(arms, Evaluation::Lazy, self.options.seed);
        let pieces_before = lazy.study().pieces_evaluated();
        let lap = lazy.run(self.options.rounds, self.observer, self.interrupt)?;
        let pieces = lazy.study().pieces_evaluated() - pieces_before;
        let memory_megabytes = resident_megabytes().zip(self.at_start).map(|(now, start)| (now - start).max(0.0));
        let predicted = lazy.first_question_micros();
        drop(lazy);
        self.observer.message(&format!("K = {k}, d = {d}, eager"));
        Some(SpeedRow {
            instance,
            arms: k,
            objectives: d,
            front_arms: Front::of(truth).members().len(),
            rounds: lap.rounds,
            lazy_micros_per_round: lap.micros_per_round(),
            pieces_per_round: pieces as f64 / lap.rounds as f64,
            memory_megabytes,
            eager: self.eager(arms, predicted),
        })
    }

    /// The eager oracle for as many rounds as it has time for, and the lazy one over the same.
    fn eager(&self, arms: &Arms, predicted_micros_per_round: f64) -> EagerOutcome {
        let limit = self.options.eager_seconds * 1e6;
        if FEWEST_EAGER_ROUNDS * predicted_micros_per_round > limit {
            return EagerOutcome::Skipped { predicted_micros_per_round };
        }
        let most = self.options.eager_rounds.unwrap_or(u64::MAX).min(self.options.rounds);
        let [mut eager, mut lazy] = [Evaluation::Eager, Evaluation::Lazy]
            .map(|evaluation| LearningLoop::start(arms, evaluation, self.options.seed));
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
    fn of(rows: &[SpeedRow], objectives: usize) -> Option<Self> {
        let counted = |row: &&SpeedRow| {
            row.instance == Origin::Random && row.objectives == objectives && row.arms >= FEWEST_ARMS_FOR_SLOPE
        };
        let rows: Vec<&SpeedRow> = rows.iter().filter(counted).collect();
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

fn table(rows: &[SpeedRow], width: Width) -> String {
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
                Origin::Vaccine => "vaccine".to_owned(),
                Origin::Random => "random".to_owned(),
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
    rendered(&table, width)
}

fn plot(rows: &[SpeedRow], rounds: u64) -> Plot {
    let lazy = |colour| Look { colour, stroke: Stroke::Solid, marker: Marker::Disc };
    let eager = |colour| Look { colour, stroke: Stroke::Dashed, marker: Marker::Ring };
    let mut series = Vec::new();
    let mut legend = Vec::new();
    for (colour, d) in OBJECTIVES.into_iter().enumerate() {
        let points = |value: &dyn Fn(&SpeedRow) -> Option<f64>| {
            let rows = rows.iter().filter(|row| row.instance == Origin::Random && row.objectives == d);
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
        y_tick: time_tick,
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
