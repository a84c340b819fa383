//! The paper's experiment on the COV-BOOST data.

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{HedgeStep, Model, Outcome, Problem, RuleKind, Run, StoppingKind, Summary};

use super::distance::Distance;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{
    Bracket, Choice, Contest, Entrant, MOST_RUNS, RuleFindings, Workers, Yardstick, distinct_rules, histogram, table,
};
use surefront_study::file::input_error::InputError;
use surefront_study::file::study::StudyFile;
use surefront_study::plot::{Mark, Stroke};
use surefront_study::words::number::{duration, grouped, ratio, rough_duration, significant};
use surefront_study::words::table::{Align, TextTable, Width};

/// The instance: the paper's table of means.
pub const STUDY: &str = include_str!("../../data/vaccine.toml");

/// The arms, with the means that the paper gives.
///
/// # Errors
/// None, as long as [`STUDY`] is what it is.
pub fn instance() -> Result<(Problem, Model), InputError> {
    let study = StudyFile::built_in("vaccine.toml", STUDY)?;
    let problem = study.problem()?;
    let truth = study.model(&problem)?;
    Ok((problem, truth))
}

/// The paper's δ.
const DELTA: f64 = 0.1;

/// No run comes near it.
const MAX_SAMPLES: u64 = 10_000_000;

/// The paper's T*.
const PUBLISHED_T_STAR: f64 = 2103.78;

/// The last column of the paper's table of means, as printed.
const PUBLISHED_WEIGHTS: [f64; 20] = [
    0.0077, 0.0016, 0.0007, 0.023, 0.0048, 0.00066, 0.00079, 0.018, 0.14, 0.0011, 0.0014, 0.021, 0.0089, 0.025, 0.35,
    0.0014, 0.0015, 0.013, 0.38, 0.0012,
];

/// Seconds on one core for one of the authors' runs.
const PUBLISHED_SECONDS: f64 = 154.5;

/// What the paper compares itself with: the samples of 0-APE-20, as published.
const PUBLISHED_APE: f64 = 39_000.0;

/// The samples of the authors' own runs, and whether each was right.
const PUBLISHED_RUNS: &str = include_str!("../../data/vaccine_stopping_times.csv");

/// track-and-stop as the authors' public code has it: their step, with a gradient at every sample.
const TO_THE_LETTER: &str = "track-and-stop, authors' step";

/// The authors' own runs.
fn published() -> Entrant {
    let rows = PUBLISHED_RUNS.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let runs: Vec<Run> = (rows.enumerate())
        .map(|(index, row)| {
            let mut cells = row.split(',').skip(1);
            let samples = cells.next().and_then(|cell| cell.parse().ok()).expect("the data are as published");
            let outcome = if cells.next() == Some("true") { Outcome::Correct } else { Outcome::Mistake };
            Run { index: index as u64, samples, cost: samples as f64, outcome, seconds: PUBLISHED_SECONDS }
        })
        .collect();
    Entrant { label: "published track-and-stop", summary: Summary::of(&runs), runs }
}

/// What is run.
#[derive(Clone, Debug)]
pub struct VaccineOptions {
    /// Runs of each rule.
    pub runs: u64,
    /// Rules, each taken once; none is track-and-stop, dual and ape, or for a certified stop the one that goes with it.
    pub rules: Vec<RuleKind>,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for VaccineOptions {
    fn default() -> Self {
        VaccineOptions { runs: 2000, rules: Vec::new(), threshold: StoppingKind::Stylized, seed: 1, jobs: None }
    }
}

impl VaccineOptions {
    fn rules(&self) -> Vec<RuleKind> {
        match self.threshold {
            StoppingKind::Stylized if self.rules.is_empty() => {
                vec![RuleKind::TrackAndStop, RuleKind::Dual, RuleKind::Ape]
            }
            threshold => distinct_rules(&self.rules, threshold),
        }
    }
}

/// What the rules did, beside what was published.
#[derive(Clone, Debug, Serialize)]
pub struct Vaccine {
    /// "vaccine".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Runs of each rule.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// T*.
    pub t_star: Bracket,
    /// The paper's T*.
    pub published_t_star: f64,
    /// T*·β.
    pub samples_expected: f64,
    /// w*, by arm.
    pub weights: Vec<VaccineWeight>,
    /// What became of each rule.
    pub rules: Vec<VaccineRule>,
    /// The authors' own runs.
    pub published: RuleFindings,
    /// What the paper compares itself with.
    pub published_ape_mean: f64,
    #[serde(skip)]
    entrants: Vec<Entrant>,
    #[serde(skip)]
    yardstick: Yardstick,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An arm's share of the best allocation.
#[derive(Clone, Debug, Serialize)]
pub struct VaccineWeight {
    /// The arm.
    pub name: String,
    /// Its place, from 0.
    pub index: usize,
    /// Its share.
    pub weight: f64,
    /// Its share as published.
    pub published: f64,
}

/// A rule beside the published one.
#[derive(Clone, Debug, Serialize)]
pub struct VaccineRule {
    /// The rule, and what it did.
    #[serde(flatten)]
    pub rule: RuleFindings,
    /// How many of our samples fit into the time of one of the authors'.
    pub times_faster_per_sample: f64,
    /// How far the stopping times are from the authors' own, as distributions, where it is their rule and threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_to_published: Option<Distance>,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &VaccineOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Vaccine, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let (problem, truth) = instance()?;
    let yardstick = Yardstick::of(&problem, &truth, DELTA)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let contest = Contest {
        problem: &problem,
        truth: &truth,
        yardstick: &yardstick,
        choice: Choice { threshold: options.threshold, ..Choice::published(yardstick.bound.weights.clone()) },
        seed: options.seed,
        runs: 0..options.runs,
        max_samples: MAX_SAMPLES,
    };
    let rules = options.rules();
    let both_steps = rules.contains(&RuleKind::TrackAndStop);
    observer.begin((rules.len() as u64 + u64::from(both_steps)) * options.runs, Steps::Runs);
    let mut entrants = contest.hold(&rules, &workers, observer)?;
    if both_steps {
        let choice = Choice { step: HedgeStep::Multiplied, refresh: 1, ..contest.choice.clone() };
        let to_the_letter = Contest { choice, ..contest.clone() };
        let held = to_the_letter.hold(&[RuleKind::TrackAndStop], &workers, observer)?;
        entrants.extend(held.into_iter().map(|entrant| Entrant { label: TO_THE_LETTER, ..entrant }));
    }
    observer.end();
    let unfinished = contest.unfinished(&entrants).into_iter().map(Unfinished::without_rest).collect();
    let distance = |entrant: &Entrant| {
        let comparable = options.threshold == StoppingKind::Stylized && entrant.label.starts_with("track-and-stop");
        if comparable { Distance::of(&entrant.runs, &published().runs) } else { None }
    };

    let weights = problem.arms().iter().zip(yardstick.bound.weights.iter()).zip(PUBLISHED_WEIGHTS).enumerate();
    Ok(Vaccine {
        experiment: "vaccine",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: options.threshold.name(),
        t_star: yardstick.t_star(),
        published_t_star: PUBLISHED_T_STAR,
        samples_expected: yardstick.samples_expected(),
        weights: weights
            .map(|(index, ((arm, &weight), published))| {
                let name = arm.name.clone();
                VaccineWeight { name, index, weight, published }
            })
            .collect(),
        rules: (entrants.iter())
            .map(|entrant| VaccineRule {
                rule: entrant.findings(&yardstick),
                times_faster_per_sample: times_faster(&entrant.summary),
                distance_to_published: distance(entrant),
            })
            .collect(),
        published: published().findings(&yardstick),
        published_ape_mean: PUBLISHED_APE,
        entrants,
        yardstick,
        unfinished,
    })
}

/// How many of our samples fit into the time of one of the authors'.
fn times_faster(summary: &Summary) -> f64 {
    published().summary.micros_per_sample / summary.micros_per_sample
}

impl Findings for Vaccine {
    fn text(&self, width: Width) -> String {
        let mut weights = TextTable::new(&[("arm", Align::Left), ("w*", Align::Right), ("published", Align::Right)]);
        for VaccineWeight { name, weight, published, .. } in &self.weights {
            weights.push(vec![name.clone(), significant(*weight, 2), published.to_string()]);
        }
        let mut speed = TextTable::new(&[
            ("rule", Align::Left),
            ("one run on one core", Align::Right),
            ("all runs", Align::Right),
            ("one sample", Align::Right),
            ("faster per sample", Align::Right),
        ]);
        let mut all = vec![published()];
        all.extend(self.entrants.iter().filter(|entrant| entrant.summary.runs > 0).cloned());
        for Entrant { label, summary, .. } in &all {
            speed.push(vec![
                (*label).to_owned(),
                duration(1e6 * summary.seconds / summary.runs as f64),
                rough_duration(1e6 * summary.seconds),
                duration(summary.micros_per_sample),
                ratio(times_faster(summary)),
            ]);
        }
        let distances: String = (self.rules.iter())
            .filter_map(|rule| Some((rule.rule.rule, rule.distance_to_published?)))
            .map(|(rule, distance)| format!("  {rule}: {}\n", distance.words()))
            .collect();
        let distances = match &distances[..] {
            "" => String::new(),
            lines => format!(
                "Distance of the stopping times to the authors' own (Kolmogorov and Smirnov's, with the chance of more by chance alone):\n{lines}\
                 track-and-stop takes the Hedge step as exp(η_t Σ g), with the gradient refreshed every 10 samples; \
                 the authors' public code as w·exp(η_t g_t), here with a gradient at every sample.\n"
            ),
        };
        format!(
            "Which third dose after which first two? 20 arms, 3 immune responses, δ = {DELTA}, {} threshold\n\
             T* = {} (published {PUBLISHED_T_STAR}), T*·β = {} samples\n\n{}\n{}\n{}\n{distances}\
             Published: the authors' own 2000 runs. The paper gives {} samples for 0-APE-20.\n",
            self.threshold,
            significant(self.t_star.upper, 6),
            grouped(self.samples_expected.round() as u64),
            rendered(&weights, width),
            table(&all, &self.yardstick, width),
            rendered(&speed, width),
            grouped(PUBLISHED_APE as u64)
        )
    }

    fn svg(&self) -> Option<String> {
        Some(drawn(&self.entrants, &self.yardstick))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

/// The histogram, with the published mean beside ours where it is the same rule.
fn drawn(entrants: &[Entrant], yardstick: &Yardstick) -> String {
    let title = "Samples until the best vaccine boosters are known".to_owned();
    let mut figure = histogram(title, entrants, yardstick);
    let mean = published().summary.mean;
    for panel in figure.panels.iter_mut().filter(|panel| panel.label.starts_with("track-and-stop")) {
        panel.label += &format!(", published mean {} (dotted)", grouped(mean.round() as u64));
        panel.marks.push(Mark { at: mean, stroke: Stroke::Dashed });
    }
    figure.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_runs_are_those_of_the_paper() {
        let Entrant { summary, .. } = published();
        assert_eq!((summary.runs, summary.mistakes, summary.max), (2000, 0, 308_700));
        assert!((summary.mean - 17_909.5).abs() < 0.1 && (summary.sd - 13_544.9).abs() < 0.1, "{summary:?}");
        assert_eq!(
            summary.quantiles.map(|(_, samples)| samples.round()),
            [6025.0, 10_575.0, 15_125.0, 21_231.0, 38_601.0]
        );
    }
}
