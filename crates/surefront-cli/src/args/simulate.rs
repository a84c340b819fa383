//! What can be typed after `simulate`.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::RangedU64ValueParser;
use clap::{Args as ClapArgs, ValueEnum};
use surefront::{Calibration, Ending, HedgeStep, Problem, Relaxation, Risk, RuleKind, StoppingKind, Tracking};
use surefront_lab::replication::{BudgetOptions, MOST_RUNS, SimulateOptions};
use surefront_study::file::input_error::InputError;
use surefront_study::file::study::StudyFile;
use surefront_study::output::rows::CsvTarget;

use super::{WeightsSource, between_zero_and_one, names};

pub const EXAMPLES: &str = "\
Defaults that depend on the rule:
  --check     25 for track-and-stop, as in the paper; 1 for all others
  --refresh   10, as in the paper; only track-and-stop has it

With --budget, what counts is what a rule would answer after so many samples, whatever a stop says: nothing is promised of it.

Interrupting (Ctrl-C) finishes the runs under way, prints what there is, and says how to go on.

Examples:
  surefront simulate study.toml
  surefront simulate study.toml --rule dual,track-and-stop,ape --runs 1000 --svg times.svg
  surefront simulate study.toml --threshold calibrated            the quick stop: not proved
  surefront simulate study.toml --rule fixed --allocation counts.csv --delta 0.01
  surefront simulate study.toml --runs 500 --first-run 500 --export-csv second-half.csv
  surefront simulate study.toml --rule track-and-stop --tracking c --refresh 1 --check 1 --json
  surefront simulate study.toml --rule ape,psips,auer --own-stop     as published
  surefront simulate limits.toml --rule e-cape,two-stage --own-stop   the same for limits
  surefront simulate study.toml --budget 100,300,1000 --rule dual,ege-sr,mocba --svg budget.svg

Exit codes: 0 done, 1 something failed or was interrupted, 2 wrong usage or input, 3 no run came to an answer.";

/// Options of `simulate`.
#[derive(Debug, ClapArgs)]
pub struct SimulateArgs {
    /// The study file (TOML), with the mean of every arm
    pub study: PathBuf,
    /// Rules, with commas between them [default: the one that goes with the threshold: dual for stylized, else weakest]
    #[arg(long, value_name = "RULE,…", value_parser = names::rule(), value_delimiter = ',')]
    pub rule: Vec<RuleKind>,
    /// When to stop; the published experiments use the stylized threshold
    #[arg(long, value_parser = names::threshold(), default_value = StoppingKind::default().name())]
    pub threshold: StoppingKind,
    /// The accepted chance of a wrong answer [default: the study file's, or 0.1]
    #[arg(long, value_name = "DELTA", value_parser = delta)]
    pub delta: Option<f64>,
    /// Let rules that were published with a stop of their own (ape, psips, auer, e-cape, two-stage) end by it: on their authors' word
    #[arg(long, conflicts_with = "budget")]
    pub own_stop: bool,
    /// Instead of samples until a stop: the chance of naming the right front after so many samples, with commas between them
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = positive())]
    pub budget: Vec<u64>,
    /// Runs of each rule [default: 100, with --budget 1000]
    #[arg(long, value_name = "N", value_parser = run_count())]
    pub runs: Option<u64>,
    /// The number of the first run: compute a part of the runs here and the others elsewhere
    #[arg(long, value_name = "I", default_value_t = 0, value_parser = RangedU64ValueParser::<u64>::new().range(..=MOST_RUNS))]
    pub first_run: u64,
    /// A run without an answer after this many samples is given up as undecided
    #[arg(long, value_name = "N", default_value_t = SimulateOptions::default().max_samples, value_parser = positive())]
    pub max_samples: u64,
    /// How track-and-stop turns the allocation that it learns into samples
    #[arg(long, value_enum, default_value_t = TrackingName::D)]
    pub tracking: TrackingName,
    /// track-and-stop asks for a new gradient every N samples
    #[arg(long, value_name = "N", default_value_t = SimulateOptions::default().refresh, value_parser = positive())]
    pub refresh: u64,
    /// How a gradient changes the allocation of track-and-stop
    #[arg(long, value_parser = names::step(), default_value = "summed")]
    pub step: HedgeStep,
    /// ape ends, by its own stop, once it has N arms of the front
    #[arg(long, value_name = "N", requires = "own_stop", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub ape_k: Option<usize>,
    /// ape takes arms that no arm beats by more than this in every objective, in the objectives' own units
    #[arg(long, value_name = "E", requires = "own_stop", value_parser = epsilon)]
    pub ape_epsilon: Option<f64>,
    /// The constant in the confidence bonus of ape, e-cape and two-stage
    #[arg(long, value_parser = names::calibration(), default_value = "proved")]
    pub calibration: Calibration,
    /// Test the stop every N samples [default: 25 for track-and-stop, 1 for all others]
    #[arg(long, value_name = "N", value_parser = positive())]
    pub check: Option<u64>,
    /// The allocation that the rule `fixed` follows: a file as for `transport --weights`, `uniform`, or `optimal` (w*)
    #[arg(long, value_name = "FILE|optimal|uniform", default_value = "optimal")]
    pub allocation: AllocationSource,
    /// Write one row per run as soon as it is finished; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "budget")]
    pub export_csv: Option<CsvTarget>,
    /// Write a figure: a histogram of the stopping times, or the chances of a wrong front with each budget
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl SimulateArgs {
    /// What is to be simulated of this study.
    pub fn options(&self, study: &StudyFile, problem: &Problem) -> Result<SimulateOptions, InputError> {
        let usual = SimulateOptions::default();
        Ok(SimulateOptions {
            study: study.name.clone(),
            rules: self.rule.clone(),
            threshold: self.threshold,
            delta: self.delta.or(study.delta).unwrap_or(usual.delta),
            runs: self.numbers(usual.runs.end),
            max_samples: self.max_samples,
            tracking: match self.tracking {
                TrackingName::C => Tracking::Cumulative,
                TrackingName::D => Tracking::Direct,
            },
            refresh: self.refresh,
            step: self.step,
            relaxation: Relaxation { within: self.ape_epsilon.unwrap_or_default(), count: self.ape_k },
            calibration: self.calibration,
            ending: if self.own_stop { Ending::OwnStop } else { Ending::Threshold },
            check: self.check,
            allocation: match &self.allocation {
                AllocationSource::Optimal => None,
                AllocationSource::Given(source) => Some(source.obtain(problem)?),
            },
            seed: self.work.seed,
            jobs: self.work.jobs,
        })
    }

    /// Which budgets are to be spent on this study.
    pub fn budget_options(&self, study: &StudyFile, problem: &Problem) -> Result<BudgetOptions, InputError> {
        let usual = BudgetOptions::default();
        Ok(BudgetOptions {
            study: study.name.clone(),
            rules: self.rule.clone(),
            budgets: self.budget.clone(),
            delta: self.delta.or(study.delta).unwrap_or(usual.delta),
            runs: self.numbers(usual.runs.end),
            allocation: match &self.allocation {
                AllocationSource::Optimal => None,
                AllocationSource::Given(source) => Some(source.obtain(problem)?),
            },
            seed: self.work.seed,
            jobs: self.work.jobs,
        })
    }

    fn numbers(&self, usual: u64) -> Range<u64> {
        self.first_run..self.first_run + self.runs.unwrap_or(usual)
    }
}

/// How far from optimal an arm may be.
fn epsilon(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    // Written so that NaN fails.
    number.filter(|value| *value >= 0.0 && value.is_finite()).ok_or_else(|| "write a number, 0 or more".to_owned())
}

/// Options of everything that runs studies.
#[derive(Debug, ClapArgs)]
pub struct WorkArgs {
    /// Start of the random numbers: the same seed gives the same runs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads to work on [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub jobs: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A way of tracking by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TrackingName {
    /// The sum of all allocations so far
    C,
    /// The present allocation
    D,
}

/// Where the allocation of `fixed` comes from.
#[derive(Clone, Debug)]
pub enum AllocationSource {
    /// The optimal one for the means of the study.
    Optimal,
    /// A given one.
    Given(WeightsSource),
}

impl FromStr for AllocationSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "optimal" => AllocationSource::Optimal,
            other => AllocationSource::Given(other.parse()?),
        })
    }
}

/// A number of runs.
pub fn run_count() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=MOST_RUNS)
}

/// A whole number that is not zero.
pub fn positive() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..)
}

/// A chance of a wrong answer.
pub fn delta(text: &str) -> Result<f64, String> {
    let delta = between_zero_and_one(text, "0.05")?;
    Risk::new(delta).map(f64::from).map_err(|error| error.to_string())
}
