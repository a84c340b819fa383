//! What it costs not to know the variances, and whether mistakes stay below δ.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{
    Arm, Dual, Goal, Model, Noise, NoiseLaw, Objective, Problem, Rule, Run, Settings, Simulation, StoppingKind,
    Summary, Weakest, bound,
};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{Bracket, MOST_RUNS, Workers, mistakes};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

/// Arms and objectives of each row's instances.
const SIZES: [(usize, usize); 6] = [(5, 2), (5, 3), (20, 2), (20, 3), (50, 2), (50, 3)];
/// The runs of a row are shared among this many instances.
const INSTANCES: usize = 10;
/// Every instance is scaled to it: some 800 samples with known variances.
const T_STAR: f64 = 200.0;
const DELTA: f64 = 0.1;
const MAX_SAMPLES: u64 = 1_000_000;

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariancesOptions {
    /// Runs in each row, shared among its 10 instances.
    pub runs: u64,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for VariancesOptions {
    fn default() -> Self {
        VariancesOptions { runs: 200, threshold: StoppingKind::Stylized, seed: 1, jobs: None }
    }
}

/// What the noise is in truth.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    Gaussian,
    HeavyTails,
    ByArm,
    /// As Gaussian, and the study is told that all arms have the same variance.
    Common,
}

impl Setting {
    const ALL: [Setting; 4] = [Setting::Gaussian, Setting::HeavyTails, Setting::ByArm, Setting::Common];

    /// Those that a stop is for: an estimate with what all arms say together is the only one that a stop without a proof has.
    fn of(threshold: StoppingKind) -> &'static [Setting] {
        if threshold == StoppingKind::Certified { &Setting::ALL } else { &Setting::ALL[..3] }
    }

    fn name(self) -> &'static str {
        match self {
            Setting::Gaussian => "gaussian",
            Setting::HeavyTails => "heavy tails",
            Setting::ByArm => "variances by arm",
            Setting::Common => "common variance",
        }
    }

    fn law(self) -> NoiseLaw {
        match self {
            Setting::Gaussian | Setting::ByArm | Setting::Common => NoiseLaw::Gaussian,
            Setting::HeavyTails => NoiseLaw::HeavyTailed,
        }
    }
}

/// Random means and variances, before they are scaled.
struct Draft {
    means: Vec<Vec<f64>>,
    variances: Vec<Vec<f64>>,
}

impl Draft {
    /// Standard normal means; variances between 1/4 and 4, the logarithm uniform.
    fn draw(rng: &mut Xoshiro256PlusPlus, (arms, objectives): (usize, usize)) -> Self {
        let mut table = |draw: &dyn Fn(&mut Xoshiro256PlusPlus) -> f64| -> Vec<Vec<f64>> {
            (0..arms).map(|_| (0..objectives).map(|_| draw(rng)).collect()).collect()
        };
        Draft {
            means: table(&|rng| rng.sample(StandardNormal)),
            variances: table(&|rng| 4f64.powf(rng.random_range(-1.0..1.0))),
        }
    }

    /// The problem with this noise, one entry per arm and objective.
    fn problem(&self, noise: impl Fn(usize, usize) -> Noise) -> Problem {
        let objectives = self.means[0].len();
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise(0, j));
        let arm = |k| Arm::named(format!("a{k}")).with_noise((0..objectives).map(|j| noise(k, j)).collect::<Vec<_>>());
        Problem::new((0..objectives).map(objective).collect(), (0..self.means.len()).map(arm).collect())
            .expect("names differ and variances are positive")
    }
}

/// An instance with its noise.
struct Instance {
    known: Problem,
    unknown: Problem,
    truth: Model,
    setting: Setting,
}

impl Instance {
    fn new(draft: &Draft, setting: Setting) -> Self {
        let known = draft.problem(|arm, objective| match setting {
            Setting::Gaussian | Setting::HeavyTails | Setting::Common => Noise::Variance(1.0),
            Setting::ByArm => Noise::Variance(draft.variances[arm][objective]),
        });
        let unknown = draft.problem(|_, _| if setting == Setting::Common { Noise::Common } else { Noise::Unknown });
        let model = |means: &[Vec<f64>]| Model::new(&known, means).expect("random means are finite");
        let bound = bound(&known, &model(&draft.means), 1e-3).expect("random means do not tie");
        // T* is inversely proportional to the square of all gaps.
        let scale = (bound.upper / T_STAR).sqrt();
        let scaled: Vec<Vec<f64>> =
            draft.means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect();
        Instance { truth: model(&scaled), known, unknown, setting }
    }

    /// Runs of a study that has these variances to go by.
    fn replicate(&self, problem: &Problem, runs: Range<u64>, crew: &Crew<'_>) -> Vec<Run> {
        let simulation = Simulation::new(problem.clone(), self.truth.clone(), crew.settings.clone(), MAX_SAMPLES)
            .and_then(|simulation| simulation.with_noise(self.setting.law(), self.known.clone()))
            .expect("all are of one problem, and the noise is known");
        crew.workers.replicate(&simulation, runs, |_| {
            crew.observer.advance(1);
            ControlFlow::Continue(())
        })
    }
}

/// What all runs share.
struct Crew<'a> {
    workers: Workers<'a>,
    observer: &'a dyn Observer,
    settings: Settings,
}

/// The threshold, with the rule that goes with it.
fn settings(threshold: StoppingKind, seed: u64) -> Settings {
    let rule = match threshold {
        StoppingKind::Calibrated | StoppingKind::Certified => Rule::Weakest(Weakest::default()),
        _ => Rule::Dual(Dual::default()),
    };
    Settings::new(rule, threshold.stopping(DELTA).expect("it is a probability")).seed(seed)
}

/// Runs under the same noise, with and without the variances.
#[derive(Clone, Debug, Default)]
struct Pairs {
    known: Vec<Run>,
    unknown: Vec<Run>,
}

/// A line of the table.
#[derive(Clone, Debug)]
struct Row {
    /// Arms and objectives; `None` for all sizes together.
    size: Option<(usize, usize)>,
    setting: Setting,
    known: Summary,
    unknown: Summary,
}

impl Row {
    fn new(size: Option<(usize, usize)>, setting: Setting, pairs: &Pairs) -> Self {
        Row { size, setting, known: Summary::of(&pairs.known), unknown: Summary::of(&pairs.unknown) }
    }

    /// The mean samples without the variances over those with them, and its standard error as if the two were independent.
    fn ratio(&self) -> (f64, f64) {
        let Row { known, unknown, .. } = self;
        let ratio = unknown.mean / known.mean;
        (ratio, ratio * (known.se / known.mean).hypot(unknown.se / unknown.mean))
    }

    fn findings(&self) -> VariancesRow {
        let (ratio, ratio_se) = self.ratio();
        VariancesRow {
            arms: self.size.map(|size| size.0),
            objectives: self.size.map(|size| size.1),
            noise: self.setting.name(),
            known: Side::new(&self.known),
            unknown: Side::new(&self.unknown),
            ratio,
            ratio_se,
        }
    }
}

/// What it costs not to know the variances.
#[derive(Clone, Debug, Serialize)]
pub struct Variances {
    /// "variances".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Runs in each row.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// Which arm next.
    pub rule: &'static str,
    /// Of every instance.
    pub t_star: f64,
    /// One for each size and noise, then one for each noise.
    pub rows: Vec<VariancesRow>,
    #[serde(skip)]
    lines: Vec<Row>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// The same runs with and without known variances.
#[derive(Clone, Debug, Serialize)]
pub struct VariancesRow {
    /// How many; `None` for all sizes together.
    pub arms: Option<usize>,
    /// How many; `None` for all sizes together.
    pub objectives: Option<usize>,
    /// What the noise is in truth.
    pub noise: &'static str,
    /// The study is given the variances.
    pub known: Side,
    /// It has to estimate them.
    pub unknown: Side,
    /// The mean samples without the variances over those with them.
    pub ratio: f64,
    /// Its standard error.
    pub ratio_se: f64,
}

/// Runs of one kind.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Side {
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// A 95 % interval for the chance of a mistake.
    pub mistake_rate: Bracket,
    /// Runs that came to no answer.
    pub undecided: u64,
}

impl Side {
    fn new(summary: &Summary) -> Self {
        let Summary { runs, mean, se, mistakes, mistake_rate: (lower, upper), undecided, .. } = *summary;
        Side { runs, mean, se, mistakes, mistake_rate: Bracket { lower, upper }, undecided }
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &VariancesOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Variances, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let kept = Setting::of(options.threshold);
    let wanted = (SIZES.len() * kept.len() * 2) as u64 * options.runs;
    let crew = Crew {
        workers: Workers::new(options.jobs, interrupt)?,
        observer,
        settings: settings(options.threshold, options.seed),
    };
    observer.begin(wanted, Steps::Runs);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut lines = Vec::new();
    let mut totals = vec![Pairs::default(); kept.len()];
    for size in SIZES {
        let drafts: Vec<Draft> = (0..INSTANCES).map(|_| Draft::draw(&mut rng, size)).collect();
        for (&setting, total) in kept.iter().zip(&mut totals) {
            observer.message(&format!("{} arms, {} objectives, {}", size.0, size.1, setting.name()));
            let pairs = compare(&drafts, setting, options.runs, &crew);
            lines.push(Row::new(Some(size), setting, &pairs));
            total.known.extend(pairs.known);
            total.unknown.extend(pairs.unknown);
        }
    }
    observer.end();
    lines.extend(kept.iter().zip(&totals).map(|(&setting, total)| Row::new(None, setting, total)));

    let rule = crew.settings.rule.name();
    let finished = totals.iter().map(|total| (total.known.len() + total.unknown.len()) as u64).sum();
    let missing = Unfinished { rule: Some(rule), steps: Steps::Runs, finished, wanted, rest: None };
    Ok(Variances {
        experiment: "variances",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: crew.settings.stopping.name(),
        rule,
        t_star: T_STAR,
        rows: lines.iter().map(Row::findings).collect(),
        lines,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

impl Findings for Variances {
    fn text(&self, width: Width) -> String {
        format!("{}\n{}", table(&self.lines, width), notes(self.threshold, self.rule))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

/// A row's runs, shared among the instances.
fn compare(drafts: &[Draft], setting: Setting, runs: u64, crew: &Crew<'_>) -> Pairs {
    let mut pairs = Pairs::default();
    let first = |instance: usize| runs * instance as u64 / INSTANCES as u64;
    for (index, draft) in drafts.iter().enumerate() {
        let runs = first(index)..first(index + 1);
        if !runs.is_empty() {
            let instance = Instance::new(draft, setting);
            pairs.known.extend(instance.replicate(&instance.known, runs.clone(), crew));
            pairs.unknown.extend(instance.replicate(&instance.unknown, runs, crew));
        }
    }
    pairs
}

fn notes(threshold: &str, rule: &str) -> String {
    format!(
        "K arms, d objectives, {INSTANCES} random instances per row, scaled to T* = {T_STAR}; δ = {DELTA}, {threshold} threshold, rule {rule}.\n\
         Known: the study is given the variances. Unknown: it estimates them. Mistakes with a 95 % interval for their probability.\n\
         Heavy tails: Student's t with 5 degrees of freedom. Variances by arm: between 1/4 and 4, by arm and objective; otherwise 1.\n\
         Common variance: as Gaussian, and the study is told that all arms have the same.\n"
    )
}

fn table(rows: &[Row], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("noise", Align::Left),
        ("runs", Align::Right),
        ("known", Align::Right),
        ("unknown", Align::Right),
        ("ratio ± s.e.", Align::Right),
        ("mistakes, known", Align::Right),
        ("mistakes, unknown", Align::Right),
        ("undecided", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.known.runs > 0 && row.unknown.runs > 0) {
        let Row { size, setting, known, unknown } = row;
        let (ratio, ratio_se) = row.ratio();
        let (arms, objectives) =
            size.map_or(("all".to_owned(), "all".to_owned()), |(arms, d)| (arms.to_string(), d.to_string()));
        table.push(vec![
            arms,
            objectives,
            setting.name().to_owned(),
            grouped(unknown.runs),
            samples(known.mean),
            samples(unknown.mean),
            format!("{ratio:.2} ± {ratio_se:.2}"),
            mistakes(known),
            mistakes(unknown),
            grouped(known.undecided + unknown.undecided),
        ]);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_is_as_hard_as_the_others() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let draft = Draft::draw(&mut rng, (6, 2));
        for setting in Setting::ALL {
            let Instance { known, unknown, truth, .. } = Instance::new(&draft, setting);
            let t_star = bound(&known, &truth, 1e-3).unwrap().upper;
            assert!((t_star - T_STAR).abs() < 0.005 * T_STAR, "{setting:?}: {t_star}");
            assert_eq!(known.is_homoscedastic(), setting != Setting::ByArm);
            assert!(unknown.has_unknown_noise());
        }
    }
}
