//! `surefront reproduce vaccine`: the paper's experiment on the COV-BOOST data.

use serde::Serialize;
use surefront::Summary;

use crate::args::{VaccineArgs, distinct};
use crate::commands::{print, print_json};
use crate::failure::{Failure, Unfinished};
use crate::progress;
use crate::remark::remark;
use crate::replication::{Bracket, Choice, Contest, Entrant, RuleJson, Workers, Yardstick, histogram, table};
use surefront_study::file::study::StudyFile;
use surefront_study::output::figure::Figure;
use surefront_study::plot::{Mark, Stroke};
use surefront_study::session::{RuleName, ThresholdName};
use surefront_study::words::number::{duration, grouped, ratio, rough_duration, significant};
use surefront_study::words::table::{Align, TextTable};

/// The instance: the paper's table of means.
pub const STUDY: &str = include_str!("../../../data/vaccine.toml");

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

/// The authors' own runs.
fn published() -> Entrant {
    let (runs, mean) = (2000, 17_909.5);
    let summary = Summary {
        runs,
        mean,
        se: 303.0,
        sd: 13_541.0,
        quantiles: [(0.05, 6025.0), (0.25, 10_575.0), (0.5, 15_125.0), (0.75, 21_231.0), (0.95, 38_601.0)],
        max: 308_700,
        mistakes: 0,
        // Clopper and Pearson's for no mistake.
        mistake_rate: (0.0, 1.0 - 0.025f64.powf(1.0 / runs as f64)),
        undecided: 0,
        seconds: PUBLISHED_SECONDS * runs as f64,
        micros_per_sample: 1e6 * PUBLISHED_SECONDS / mean,
    };
    Entrant { label: "published track-and-stop", summary, runs: Vec::new() }
}

#[derive(Serialize)]
struct Report<'a> {
    experiment: &'static str,
    seed: u64,
    runs: u64,
    delta: f64,
    threshold: &'static str,
    t_star: Bracket,
    published_t_star: f64,
    samples_expected: f64,
    weights: Vec<WeightJson<'a>>,
    rules: Vec<SpeedJson>,
    published: RuleJson,
    published_ape_mean: f64,
}

#[derive(Serialize)]
struct WeightJson<'a> {
    name: &'a str,
    index: usize,
    weight: f64,
    published: f64,
}

#[derive(Serialize)]
struct SpeedJson {
    #[serde(flatten)]
    rule: RuleJson,
    times_faster_per_sample: f64,
}

/// Runs the experiment, prints the tables and writes the figure.
pub fn run(args: &VaccineArgs) -> Result<(), Failure> {
    let study = StudyFile::built_in("vaccine.toml", STUDY)?;
    let problem = study.problem()?;
    let truth = study.model(&problem)?;
    let yardstick = Yardstick::of(&study, &problem, &truth, DELTA)?;
    let figure = Figure::create(&args.svg, &[])?;
    let workers = Workers::new(args.work.jobs)?;
    let contest = Contest {
        problem: &problem,
        truth: &truth,
        yardstick: &yardstick,
        choice: Choice { threshold: args.threshold, ..Choice::published(yardstick.bound.weights.clone()) },
        seed: args.work.seed,
        runs: 0..args.runs,
        max_samples: MAX_SAMPLES,
    };
    let typed = match args.threshold {
        ThresholdName::Stylized if args.rules.is_empty() => {
            &[RuleName::TrackAndStop, RuleName::Dual, RuleName::Ape][..]
        }
        _ => &args.rules,
    };
    let rules = distinct(typed, args.threshold);
    let bar = progress::runs(rules.len() as u64 * args.runs);
    let entrants = contest.hold(&rules, &workers, &bar, |_, _| ());
    bar.finish_and_clear();
    let written = figure.write(&drawn(&entrants, &yardstick))?;
    if args.work.json {
        remark(&format!("{written}\n"));
        print_json(&json(&contest, &entrants, args.runs))?;
    } else {
        print(&(screen(&contest, &entrants) + &written + "\n"))?;
    }
    let unfinished = contest.unfinished(&entrants);
    if unfinished.is_empty() {
        return Ok(());
    }
    // This command always begins with the first run.
    Err(Failure::Interrupted(unfinished.into_iter().map(|rule| Unfinished { rest: None, ..rule }).collect()))
}

fn json<'a>(contest: &Contest<'a>, entrants: &[Entrant], runs: u64) -> Report<'a> {
    let Contest { problem, yardstick, .. } = *contest;
    let weights = problem.arms().iter().zip(yardstick.bound.weights.iter()).zip(PUBLISHED_WEIGHTS).enumerate();
    Report {
        experiment: "vaccine",
        seed: contest.seed,
        runs,
        delta: DELTA,
        threshold: contest.choice.threshold.stopping(DELTA).name(),
        t_star: yardstick.t_star(),
        published_t_star: PUBLISHED_T_STAR,
        samples_expected: yardstick.samples_expected(),
        weights: weights
            .map(|(index, ((arm, &weight), published))| WeightJson { name: &arm.name, index, weight, published })
            .collect(),
        rules: entrants
            .iter()
            .map(|entrant| SpeedJson {
                rule: entrant.json(yardstick),
                times_faster_per_sample: times_faster(&entrant.summary),
            })
            .collect(),
        published: published().json(yardstick),
        published_ape_mean: PUBLISHED_APE,
    }
}

/// How many of our samples fit into the time of one of the authors'.
fn times_faster(summary: &Summary) -> f64 {
    published().summary.micros_per_sample / summary.micros_per_sample
}

fn screen(contest: &Contest<'_>, entrants: &[Entrant]) -> String {
    let threshold = contest.choice.threshold.stopping(DELTA).name();
    let Contest { problem, yardstick, .. } = contest;
    let mut weights = TextTable::new(&[("arm", Align::Left), ("w*", Align::Right), ("published", Align::Right)]);
    for ((arm, weight), published) in problem.arms().iter().zip(yardstick.bound.weights.iter()).zip(PUBLISHED_WEIGHTS) {
        weights.push(vec![arm.name.clone(), significant(*weight, 2), published.to_string()]);
    }
    let mut speed = TextTable::new(&[
        ("rule", Align::Left),
        ("one run on one core", Align::Right),
        ("all runs", Align::Right),
        ("one sample", Align::Right),
        ("faster per sample", Align::Right),
    ]);
    let mut all = vec![published()];
    all.extend(entrants.iter().filter(|entrant| entrant.summary.runs > 0).cloned());
    for Entrant { label, summary, .. } in &all {
        speed.push(vec![
            (*label).to_owned(),
            duration(1e6 * summary.seconds / summary.runs as f64),
            rough_duration(1e6 * summary.seconds),
            duration(summary.micros_per_sample),
            ratio(times_faster(summary)),
        ]);
    }
    format!(
        "Which third dose after which first two? 20 arms, 3 immune responses, δ = {DELTA}, {threshold} threshold\n\
         T* = {} (published {PUBLISHED_T_STAR}), T*·β = {} samples\n\n{}\n{}\n{}\n\
         Published: the authors' own 2000 runs. The paper gives {} samples for 0-APE-20.\n",
        significant(yardstick.bound.upper, 6),
        grouped(yardstick.samples_expected().round() as u64),
        weights.render(),
        table(&all, yardstick).render(),
        speed.render(),
        grouped(PUBLISHED_APE as u64)
    )
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
