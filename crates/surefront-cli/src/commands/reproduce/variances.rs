//! `surefront reproduce variances`: what it costs not to know the variances, and whether mistakes stay below δ.

use std::ops::Range;

use indicatif::ProgressBar;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{
    Arm, Dual, Goal, Model, Noise, NoiseLaw, Objective, Problem, Rule, Run, Settings, Simulation, Summary, Weakest,
    bound,
};

use crate::args::VariancesArgs;
use crate::commands::{print, print_json};
use crate::failure::{Failure, Unfinished};
use crate::progress;
use crate::replication::{Bracket, Workers, mistakes};
use surefront_study::session::ThresholdName;
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable};

/// Arms and objectives of each row's instances.
const SIZES: [(usize, usize); 6] = [(5, 2), (5, 3), (20, 2), (20, 3), (50, 2), (50, 3)];
/// The runs of a row are shared among this many instances.
const INSTANCES: usize = 10;
/// Every instance is scaled to it: some 800 samples with known variances.
const T_STAR: f64 = 200.0;
const DELTA: f64 = 0.1;
const MAX_SAMPLES: u64 = 1_000_000;

/// What the noise is in truth.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    Gaussian,
    HeavyTails,
    ByArm,
}

impl Setting {
    const ALL: [Setting; 3] = [Setting::Gaussian, Setting::HeavyTails, Setting::ByArm];

    fn name(self) -> &'static str {
        match self {
            Setting::Gaussian => "gaussian",
            Setting::HeavyTails => "heavy tails",
            Setting::ByArm => "variances by arm",
        }
    }

    fn law(self) -> NoiseLaw {
        match self {
            Setting::Gaussian | Setting::ByArm => NoiseLaw::Gaussian,
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
            Setting::Gaussian | Setting::HeavyTails => Noise::Variance(1.0),
            Setting::ByArm => Noise::Variance(draft.variances[arm][objective]),
        });
        let unknown = draft.problem(|_, _| Noise::Unknown);
        let model = |means: &[Vec<f64>]| Model::new(&known, means).expect("random means are finite");
        let bound = bound(&known, &model(&draft.means), 1e-3).expect("random means do not tie");
        // T* is inversely proportional to the square of all gaps.
        let scale = (bound.upper / T_STAR).sqrt();
        let scaled: Vec<Vec<f64>> =
            draft.means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect();
        Instance { truth: model(&scaled), known, unknown, setting }
    }

    /// Runs of a study that has these variances to go by.
    fn replicate(&self, problem: &Problem, runs: Range<u64>, crew: &Crew) -> Vec<Run> {
        let simulation = Simulation::new(problem.clone(), self.truth.clone(), crew.settings.clone(), MAX_SAMPLES)
            .and_then(|simulation| simulation.with_noise(self.setting.law(), self.known.clone()))
            .expect("all are of one problem, and the noise is known");
        crew.workers.replicate(&simulation, runs, |_| crew.bar.inc(1))
    }
}

/// What all runs share.
struct Crew {
    workers: Workers,
    bar: ProgressBar,
    settings: Settings,
}

/// The threshold, with the rule that goes with it.
fn settings(threshold: ThresholdName, seed: u64) -> Settings {
    let rule = match threshold {
        ThresholdName::Stylized => Rule::Dual(Dual::default()),
        ThresholdName::Certified => Rule::Weakest(Weakest::default()),
    };
    Settings::new(rule, threshold.stopping(DELTA)).seed(seed)
}

/// Runs under the same noise, with and without the variances.
#[derive(Clone, Debug, Default)]
struct Pairs {
    known: Vec<Run>,
    unknown: Vec<Run>,
}

/// A line of the table.
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

    fn json(&self) -> RowJson {
        let (ratio, ratio_se) = self.ratio();
        RowJson {
            arms: self.size.map(|size| size.0),
            objectives: self.size.map(|size| size.1),
            noise: self.setting.name(),
            known: SideJson::new(&self.known),
            unknown: SideJson::new(&self.unknown),
            ratio,
            ratio_se,
        }
    }
}

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    seed: u64,
    runs: u64,
    delta: f64,
    threshold: &'static str,
    rule: &'static str,
    t_star: f64,
    rows: Vec<RowJson>,
}

#[derive(Serialize)]
struct RowJson {
    arms: Option<usize>,
    objectives: Option<usize>,
    noise: &'static str,
    known: SideJson,
    unknown: SideJson,
    ratio: f64,
    ratio_se: f64,
}

#[derive(Serialize)]
struct SideJson {
    runs: u64,
    mean: f64,
    se: f64,
    mistakes: u64,
    mistake_rate: Bracket,
    undecided: u64,
}

impl SideJson {
    fn new(summary: &Summary) -> Self {
        let Summary { runs, mean, se, mistakes, mistake_rate: (lower, upper), undecided, .. } = *summary;
        SideJson { runs, mean, se, mistakes, mistake_rate: Bracket { lower, upper }, undecided }
    }
}

/// Runs the experiment and prints the table.
pub fn run(args: &VariancesArgs) -> Result<(), Failure> {
    let wanted = (SIZES.len() * Setting::ALL.len() * 2) as u64 * args.runs;
    let crew = Crew {
        workers: Workers::new(args.work.jobs)?,
        bar: progress::runs(wanted),
        settings: settings(args.threshold, args.work.seed),
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.work.seed);
    let mut rows = Vec::new();
    let mut totals = Setting::ALL.map(|_| Pairs::default());
    for size in SIZES {
        let drafts: Vec<Draft> = (0..INSTANCES).map(|_| Draft::draw(&mut rng, size)).collect();
        for (setting, total) in Setting::ALL.into_iter().zip(&mut totals) {
            crew.bar.set_message(format!("{} arms, {} objectives, {}", size.0, size.1, setting.name()));
            let pairs = compare(&drafts, setting, args.runs, &crew);
            rows.push(Row::new(Some(size), setting, &pairs));
            total.known.extend(pairs.known);
            total.unknown.extend(pairs.unknown);
        }
    }
    crew.bar.finish_and_clear();
    let finished = totals.iter().map(|total| (total.known.len() + total.unknown.len()) as u64).sum();
    rows.extend(Setting::ALL.into_iter().zip(&totals).map(|(setting, total)| Row::new(None, setting, total)));

    let (threshold, rule) = (crew.settings.stopping.name(), crew.settings.rule.name());
    if args.work.json {
        print_json(&Report {
            experiment: "variances",
            seed: args.work.seed,
            runs: args.runs,
            delta: DELTA,
            threshold,
            rule,
            t_star: T_STAR,
            rows: rows.iter().map(Row::json).collect(),
        })?;
    } else {
        print(&format!("{}\n{}", table(&rows), notes(threshold, rule)))?;
    }
    if finished == wanted {
        return Ok(());
    }
    Err(Failure::Interrupted(vec![Unfinished { rule, finished, runs: wanted, rest: None }]))
}

/// A row's runs, shared among the instances.
fn compare(drafts: &[Draft], setting: Setting, runs: u64, crew: &Crew) -> Pairs {
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
         Heavy tails: Student's t with 5 degrees of freedom. Variances by arm: between 1/4 and 4, by arm and objective; otherwise 1.\n"
    )
}

fn table(rows: &[Row]) -> String {
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
    table.render()
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
