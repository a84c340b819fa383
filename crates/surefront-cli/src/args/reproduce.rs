//! What can be typed after `reproduce`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args as ClapArgs, Subcommand};
use surefront::{RuleKind, StoppingKind};
use surefront_lab::reproduce::TimingOptions;
use surefront_lab::reproduce::analyze::AnalyzeOptions;
use surefront_lab::reproduce::bound_time::BoundOptions;
use surefront_lab::reproduce::certificates::CertificatesOptions;
use surefront_lab::reproduce::field::FieldOptions;
use surefront_lab::reproduce::guarantees::GuaranteesOptions;
use surefront_lab::reproduce::medians::MediansOptions;
use surefront_lab::reproduce::random_suite::RandomSuiteOptions;
use surefront_lab::reproduce::rounds::RoundsOptions;
use surefront_lab::reproduce::scaling::ScalingOptions;
use surefront_lab::reproduce::speed::SpeedOptions;
use surefront_lab::reproduce::speedup::SpeedupOptions;
use surefront_lab::reproduce::store::StoreOptions;
use surefront_lab::reproduce::suite::SuiteOptions;
use surefront_lab::reproduce::vaccine::VaccineOptions;
use surefront_lab::reproduce::variances::VariancesOptions;

use super::names;
use super::simulate::{WorkArgs, run_count};

/// A published experiment.
#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Time `analyze` on a file of ten million rows that it writes itself
    ///
    /// Random arms with standard normal means, unit noise, and every arm equally often, in a random order. The file goes to a
    /// temporary folder (TMPDIR) and is removed again.
    #[command(after_long_help = ANALYZE_EXAMPLES)]
    Analyze(AnalyzeSpeedArgs),
    /// Time `bound` on 500 to 10,000 random arms in 3 objectives
    ///
    /// Uniform in a cube, where few are on the front, with and without costs of a measurement from 1 to 20; and on a sphere, where all are.
    #[command(after_long_help = BOUND_EXAMPLES)]
    Bound(BoundTimeArgs),
    /// Whether any certificate is ever wrong: success rates and counts, near ties included
    ///
    /// 2, 5 and 20 arms, 1 to 3 objectives, at δ = 0.1, 0.01 and 0.001, with the kind of noise said and with nothing said. Nothing is stopped: every arm's certificate is looked at again and again.
    #[command(after_long_help = CERTIFICATES_EXAMPLES)]
    Certificates(CertificatesArgs),
    /// What knowing the correlation between readings is worth, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, correlations from −.9 to .9; the instances are always the same, scaled to T* = 1000. A study that is given the
    /// correlation, one that estimates it and one that ignores it face the same random numbers, at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = CORRELATION_EXAMPLES)]
    Correlation(RandomSuiteArgs),
    /// What heeding that measurements cost differently is worth, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, costs of a measurement from 1 to 20; the instances are always the same. A study that is told the costs and one that is not face the
    /// same random numbers, at δ = 0.1 with the stylized threshold; what they spend is compared with T*·β, the least cost.
    #[command(after_long_help = COSTS_EXAMPLES)]
    Costs(RandomSuiteArgs),
    /// Studies in which arms have to keep limits, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, one or two limits; the instances are always the same, scaled to T* = 1000. At δ = 0.1 with the stylized threshold, against deciding first who keeps the
    /// limits, and then who is on the front.
    #[command(after_long_help = CONSTRAINTS_EXAMPLES)]
    Constraints(RandomSuiteArgs),
    /// Every published method on one bench: samples to an answer, mistakes with a budget, time
    ///
    /// The vaccine instance and every fourth instance of the suite, at δ = 0.1: by the stylized threshold for all rules, by the stops that rules were
    /// published with, by a proof; and the chance of a wrong front with budgets. Published figures stand beside ours.
    #[command(after_long_help = FIELD_EXAMPLES)]
    Field(FieldArgs),
    /// Put the promise to the test: mistakes of every threshold under the conditions that people have
    ///
    /// Measurements side by side whose value is how long they take, coarse values, many objectives, many near ties, correlated objectives; and laws that
    /// nothing can promise the mean of. In each row mistakes, runs without a verdict, and runs in which the data show what is wrong.
    #[command(after_long_help = GUARANTEES_EXAMPLES)]
    Guarantees(GuaranteesArgs),
    /// Success rates alone, and mixed with counts, times and Gaussian values, on 24 random instances of each
    ///
    /// 3 to 10 arms, 2 and 3 objectives; the instances are always the same. For each, the mean stopping time τ is divided by T*·β(τ), at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = KINDS_EXAMPLES)]
    Kinds(RandomSuiteArgs),
    /// Studies in which some differences do not matter, on 24 random instances
    ///
    /// 3 to 10 arms, 2 and 3 objectives, each with a margin; the instances are always the same, scaled to T* = 1000. At δ = 0.1 with the stylized threshold.
    #[command(after_long_help = MARGINS_EXAMPLES)]
    Margins(RandomSuiteArgs),
    /// What it takes to compare medians, beside means, on noise of five laws
    ///
    /// Gaussian, Student's t, lognormal, with stalls, and rounded; 2 to 20 arms, 1 to 3 objectives, certified at δ = 0.1.
    #[command(after_long_help = MEDIANS_EXAMPLES)]
    Medians(MediansArgs),
    /// Time a sample of whole studies, by what is measured and when they stop
    ///
    /// Gaussian values with variances that are known, unknown and common, success rates, medians; 20 and 1,000 random arms in 3 objectives.
    #[command(after_long_help = ROUNDS_EXAMPLES)]
    Rounds(RoundsArgs),
    /// Time the methods on points of a sphere, in 2 to 8 objectives
    ///
    /// p random points on the positive orthant of the unit sphere, plus the origin, with random weights. All methods
    /// answer the same questions in one run, and must agree.
    #[command(after_long_help = SCALING_EXAMPLES)]
    Scaling(ScalingArgs),
    /// Time the learning loop, on the vaccine instance and on 20 to 10,000 random arms
    ///
    /// Standard normal means, unit variances, 2, 3 and 5 objectives; the rule `dual`, oracle and stop test after every
    /// sample. The lazy and the eager oracle decide alike; their times are compared over the same rounds.
    #[command(after_long_help = SPEED_EXAMPLES)]
    Speed(SpeedArgs),
    /// Time the methods in 2 objectives, on up to 4096 arms of the front
    ///
    /// p random points that form a front in a 10×10 square, plus the origin, with random weights. All methods answer
    /// the same questions in one run, and must agree.
    #[command(after_long_help = SPEEDUP_EXAMPLES)]
    Speedup(SpeedupArgs),
    /// Time the store: observations that reach the disk one at a time, from a file, and from several processes
    #[command(after_long_help = STORE_EXAMPLES)]
    Store(StoreArgs),
    /// Run rules on the suite: 24 random instances with 5 to 40 arms and 2 to 4 objectives
    ///
    /// The instances are always the same: standard normal means, unit variances, T* below 5000. For each, the mean
    /// stopping time τ is divided by T*·β(τ), at δ = 0.1 with the stylized threshold.
    #[command(after_long_help = SUITE_EXAMPLES)]
    Suite(SuiteArgs),
    /// Run rules on the vaccine instance, beside the published runs
    ///
    /// 20 combinations of vaccines, three immune responses, δ = 0.1, the stylized threshold. track-and-stop is set as
    /// published (D-tracking, the gradient refreshed every 10 samples, the stop tested every 25); the other rules test
    /// the stop after each sample.
    #[command(after_long_help = VACCINE_EXAMPLES)]
    Vaccine(VaccineArgs),
    /// Compare known with unknown variances: samples and mistakes, under noise of several kinds
    ///
    /// 5, 20 and 50 arms, 2 and 3 objectives; noise that is Gaussian, has heavier tails, or differs by arm. A study that has to
    /// estimate the variances and one that is given them face the same random numbers, at δ = 0.1, with the rule `dual`
    /// (`weakest` for the certified threshold).
    #[command(after_long_help = VARIANCES_EXAMPLES)]
    Variances(VariancesArgs),
}

const STORE_EXAMPLES: &str = "\
Examples:
  surefront reproduce store
  surefront reproduce store --tells 100 --processes 4    a quick look
  surefront reproduce store --folder /mnt/share          how fast is that disk?";

const ANALYZE_EXAMPLES: &str = "\
Examples:
  surefront reproduce analyze
  surefront reproduce analyze --rows 1000000 --arms 1000    a quick look";

const BOUND_EXAMPLES: &str = "\
Examples:
  surefront reproduce bound
  surefront reproduce bound --max-arms 2000    a quick look
  surefront reproduce bound --json > bound.json";

const CORRELATION_EXAMPLES: &str = "\
Examples:
  surefront reproduce correlation
  surefront reproduce correlation --runs 20    a quick look
  surefront reproduce correlation --json > correlation.json";

const CONSTRAINTS_EXAMPLES: &str = "\
Examples:
  surefront reproduce constraints
  surefront reproduce constraints --runs 20    a quick look
  surefront reproduce constraints --json > constraints.json";

const COSTS_EXAMPLES: &str = "\
Examples:
  surefront reproduce costs
  surefront reproduce costs --runs 20    a quick look
  surefront reproduce costs --threshold certified --json > costs.json";

const KINDS_EXAMPLES: &str = "\
Examples:
  surefront reproduce kinds
  surefront reproduce kinds --runs 20    a quick look
  surefront reproduce kinds --threshold certified --json > kinds.json";

const CERTIFICATES_EXAMPLES: &str = "\
Examples:
  surefront reproduce certificates
  surefront reproduce certificates --runs 10000 --only \"2 arms\"
  surefront reproduce certificates --only \"nothing said\" --json > certificates.json";

const MEDIANS_EXAMPLES: &str = "\
Examples:
  surefront reproduce medians
  surefront reproduce medians --runs 5    a quick look
  surefront reproduce medians --json > medians.json";

const ROUNDS_EXAMPLES: &str = "\
Examples:
  surefront reproduce rounds
  surefront reproduce rounds --studies 1 --max-arms 20    a quick look
  surefront reproduce rounds --json > rounds.json";

const MARGINS_EXAMPLES: &str = "\
Examples:
  surefront reproduce margins
  surefront reproduce margins --runs 20    a quick look
  surefront reproduce margins --threshold certified --json > margins.json";

const GUARANTEES_EXAMPLES: &str = "\
Examples:
  surefront reproduce guarantees
  surefront reproduce guarantees --runs 40 --thresholds certified    a quick look
  surefront reproduce guarantees --runs 1000 --only durations        some conditions, more closely
  surefront reproduce guarantees --json > guarantees.json";

const SUITE_EXAMPLES: &str = "\
Examples:
  surefront reproduce suite
  surefront reproduce suite --runs 20 --rules dual,ape    a quick comparison
  surefront reproduce suite --json > suite.json";

const FIELD_EXAMPLES: &str = "\
Examples:
  surefront reproduce field
  surefront reproduce field --runs 4    a quick look
  surefront reproduce field --json > field.json";

const VACCINE_EXAMPLES: &str = "\
Examples:
  surefront reproduce vaccine
  surefront reproduce vaccine --runs 100 --rules dual    a quick look
  surefront reproduce vaccine --rules dual,fixed,uniform --json > vaccine.json";

const VARIANCES_EXAMPLES: &str = "\
Examples:
  surefront reproduce variances
  surefront reproduce variances --runs 20    a quick look
  surefront reproduce variances --threshold certified --json > variances.json";

const SCALING_EXAMPLES: &str = "\
Examples:
  surefront reproduce scaling
  surefront reproduce scaling --repeats 3 --cells-seconds 0.1    a quick look
  surefront reproduce scaling --json > scaling.json";

const SPEED_EXAMPLES: &str = "\
Examples:
  surefront reproduce speed
  surefront reproduce speed --rounds 10000 --max-arms 1000    a quick look
  surefront reproduce speed --json > speed.json";

const SPEEDUP_EXAMPLES: &str = "\
Examples:
  surefront reproduce speedup
  surefront reproduce speedup --repeats 100 --seed 7";

/// Options of `reproduce analyze`.
#[derive(Debug, ClapArgs)]
pub struct AnalyzeSpeedArgs {
    /// Rows of the file
    #[arg(long, value_name = "N", default_value_t = AnalyzeOptions::default().rows, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    /// Arms
    #[arg(long, value_name = "K", default_value_t = AnalyzeOptions::default().arms, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub arms: u32,
    /// Objectives
    #[arg(long, value_name = "D", default_value_t = AnalyzeOptions::default().objectives, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub objectives: u32,
    /// Start of the random numbers: the same seed gives the same file
    #[arg(long, default_value_t = AnalyzeOptions::default().seed)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl AnalyzeSpeedArgs {
    /// What is written and read.
    pub fn options(&self) -> AnalyzeOptions {
        let AnalyzeSpeedArgs { rows, arms, objectives, seed, .. } = *self;
        AnalyzeOptions { rows, arms, objectives, seed, ..AnalyzeOptions::default() }
    }
}

/// Options of `reproduce scaling`.
#[derive(Debug, ClapArgs)]
pub struct ScalingArgs {
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "scaling.svg")]
    pub svg: PathBuf,
    /// The largest number of objectives
    #[arg(long, value_name = "D", default_value_t = ScalingOptions::default().max_objectives, value_parser = clap::value_parser!(u32).range(2..=8))]
    pub max_objectives: u32,
    /// The largest number of arms on the front
    #[arg(long, value_name = "P", default_value_t = ScalingOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(4..=128))]
    pub max_arms: u32,
    #[command(flatten)]
    pub timing: TimingArgs,
}

impl ScalingArgs {
    /// What is timed.
    pub fn options(&self) -> ScalingOptions {
        let ScalingArgs { max_objectives, max_arms, .. } = *self;
        ScalingOptions { max_objectives, max_arms, timing: self.timing.options() }
    }
}

/// Options of `reproduce speed`.
#[derive(Debug, ClapArgs)]
pub struct SpeedArgs {
    /// Rounds with the lazy oracle
    #[arg(long, value_name = "N", default_value_t = SpeedOptions::default().rounds, value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: u64,
    /// The most rounds with the eager oracle [default: as many as the lazy one]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..))]
    pub eager_rounds: Option<u64>,
    /// Time for the eager oracle on each instance; it is skipped where 10 rounds are predicted to take longer
    #[arg(long, value_name = "SECONDS", default_value_t = SpeedOptions::default().eager_seconds, value_parser = seconds)]
    pub eager_seconds: f64,
    /// The largest number of arms
    #[arg(long, value_name = "K", default_value_t = SpeedOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(20..=10_000))]
    pub max_arms: u32,
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "speed.svg")]
    pub svg: PathBuf,
    /// Start of the random numbers: the same seed gives the same arms and decisions
    #[arg(long, default_value_t = SpeedOptions::default().seed)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl SpeedArgs {
    /// What is timed.
    pub fn options(&self) -> SpeedOptions {
        let SpeedArgs { rounds, eager_rounds, eager_seconds, max_arms, seed, .. } = *self;
        SpeedOptions { rounds, eager_rounds, eager_seconds, max_arms, seed }
    }
}

/// Options of `reproduce speedup`.
#[derive(Debug, ClapArgs)]
pub struct SpeedupArgs {
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "speedup.svg")]
    pub svg: PathBuf,
    /// The largest number of arms on the front
    #[arg(long, value_name = "P", default_value_t = SpeedupOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub max_arms: u32,
    #[command(flatten)]
    pub timing: TimingArgs,
}

impl SpeedupArgs {
    /// What is timed.
    pub fn options(&self) -> SpeedupOptions {
        SpeedupOptions { max_arms: self.max_arms, timing: self.timing.options() }
    }
}

/// Options of `reproduce suite`.
#[derive(Debug, ClapArgs)]
pub struct SuiteArgs {
    /// Runs of each rule on each instance
    #[arg(long, value_name = "N", default_value_t = SuiteOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// Rules, with commas between them [default: dual; for a certified stop weakest]
    #[arg(long, value_name = "RULE,…", value_parser = names::rule(), value_delimiter = ',')]
    pub rules: Vec<RuleKind>,
    /// When to stop
    #[arg(long, value_parser = names::threshold(), default_value = "stylized")]
    pub threshold: StoppingKind,
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "suite.svg")]
    pub svg: PathBuf,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl SuiteArgs {
    /// What is run.
    pub fn options(&self) -> SuiteOptions {
        let SuiteArgs { runs, threshold, work: WorkArgs { seed, jobs, .. }, .. } = *self;
        SuiteOptions { runs, rules: self.rules.clone(), threshold, seed, jobs }
    }
}

/// Options of `reproduce field`.
#[derive(Debug, ClapArgs)]
pub struct FieldArgs {
    /// Runs of each rule on the vaccine instance; a quarter of that on the others, ten times as many with budgets
    #[arg(long, value_name = "N", default_value_t = FieldOptions::default().runs, value_parser = RangedU64ValueParser::<u64>::new().range(1..=1_000_000))]
    pub runs: u64,
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "field.svg")]
    pub svg: PathBuf,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl FieldArgs {
    /// What is run.
    pub fn options(&self) -> FieldOptions {
        let FieldArgs { runs, work: WorkArgs { seed, jobs, .. }, .. } = *self;
        FieldOptions { runs, seed, jobs }
    }
}

/// Options of `reproduce vaccine`.
#[derive(Debug, ClapArgs)]
pub struct VaccineArgs {
    /// Runs of each rule
    #[arg(long, value_name = "N", default_value_t = VaccineOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// Rules, with commas between them [default: track-and-stop,dual,ape; for a certified stop weakest]
    #[arg(long, value_name = "RULE,…", value_parser = names::rule(), value_delimiter = ',')]
    pub rules: Vec<RuleKind>,
    /// When to stop
    #[arg(long, value_parser = names::threshold(), default_value = "stylized")]
    pub threshold: StoppingKind,
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "vaccine.svg")]
    pub svg: PathBuf,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl VaccineArgs {
    /// What is run.
    pub fn options(&self) -> VaccineOptions {
        let VaccineArgs { runs, threshold, work: WorkArgs { seed, jobs, .. }, .. } = *self;
        VaccineOptions { runs, rules: self.rules.clone(), threshold, seed, jobs }
    }
}

/// Options of `reproduce guarantees`.
#[derive(Debug, ClapArgs)]
pub struct GuaranteesArgs {
    /// Runs in each row (fewer where they take long)
    #[arg(long, value_name = "N", default_value_t = GuaranteesOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// When to stop: a row for each, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = names::threshold(), default_values = ["certified", "calibrated", "stylized"])]
    pub thresholds: Vec<StoppingKind>,
    /// Only conditions in whose name this occurs
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl GuaranteesArgs {
    /// What is run.
    pub fn options(&self) -> GuaranteesOptions {
        let GuaranteesArgs { runs, thresholds, only, work: WorkArgs { seed, jobs, .. } } = self;
        let (thresholds, only) = (thresholds.clone(), only.clone());
        GuaranteesOptions { runs: *runs, thresholds, only, seed: *seed, jobs: *jobs }
    }
}

/// Options of `reproduce bound`.
#[derive(Debug, ClapArgs)]
pub struct BoundTimeArgs {
    /// The largest number of arms
    #[arg(long, value_name = "K", default_value_t = BoundOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(500..=10_000))]
    pub max_arms: u32,
    /// The relative gap
    #[arg(long, value_name = "TOL", default_value = "1e-3", value_parser = super::tolerance)]
    pub tol: f64,
    /// Start of the random numbers
    #[arg(long, value_name = "SEED", default_value_t = BoundOptions::default().seed)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl BoundTimeArgs {
    /// What is timed.
    pub fn options(&self) -> BoundOptions {
        let BoundTimeArgs { max_arms, tol: tolerance, seed, .. } = *self;
        BoundOptions { max_arms, tolerance, seed }
    }
}

/// Options of `reproduce certificates`.
#[derive(Debug, ClapArgs)]
pub struct CertificatesArgs {
    /// Runs in each row
    #[arg(long, value_name = "N", default_value_t = CertificatesOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// Only conditions in whose name this occurs
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl CertificatesArgs {
    /// What is run.
    pub fn options(&self) -> CertificatesOptions {
        let CertificatesArgs { runs, only, work: WorkArgs { seed, jobs, .. } } = self;
        CertificatesOptions { runs: *runs, only: only.clone(), seed: *seed, jobs: *jobs }
    }
}

/// Options of `reproduce medians`.
#[derive(Debug, ClapArgs)]
pub struct MediansArgs {
    /// Runs of each kind in each row
    #[arg(long, value_name = "N", default_value_t = MediansOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl MediansArgs {
    /// What is run.
    pub fn options(&self) -> MediansOptions {
        let MediansArgs { runs, work: WorkArgs { seed, jobs, .. } } = *self;
        MediansOptions { runs, seed, jobs }
    }
}

/// Options of `reproduce rounds`.
#[derive(Debug, ClapArgs)]
pub struct RoundsArgs {
    /// Studies of 20 arms in each row
    #[arg(long, value_name = "N", default_value_t = RoundsOptions::default().studies, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub studies: u64,
    /// The largest number of arms
    #[arg(long, value_name = "K", default_value_t = RoundsOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(20..=1000))]
    pub max_arms: u32,
    /// Start of the random numbers
    #[arg(long, value_name = "SEED", default_value_t = RoundsOptions::default().seed)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl RoundsArgs {
    /// What is timed.
    pub fn options(&self) -> RoundsOptions {
        let RoundsArgs { studies, max_arms, seed, .. } = *self;
        RoundsOptions { studies, max_arms, seed }
    }
}

/// Options of what is run on 24 random instances.
#[derive(Debug, ClapArgs)]
pub struct RandomSuiteArgs {
    /// Runs of each kind on each instance
    #[arg(long, value_name = "N", default_value_t = RandomSuiteOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// When to stop
    #[arg(long, value_parser = names::threshold(), default_value = "stylized")]
    pub threshold: StoppingKind,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl RandomSuiteArgs {
    /// What is run.
    pub fn options(&self) -> RandomSuiteOptions {
        let RandomSuiteArgs { runs, threshold, work: WorkArgs { seed, jobs, .. } } = *self;
        RandomSuiteOptions { runs, threshold, seed, jobs }
    }
}

/// Options of `reproduce variances`.
#[derive(Debug, ClapArgs)]
pub struct VariancesArgs {
    /// Runs in each row, shared among its 10 instances
    #[arg(long, value_name = "N", default_value_t = VariancesOptions::default().runs, value_parser = run_count())]
    pub runs: u64,
    /// When to stop
    #[arg(long, value_parser = names::threshold(), default_value = "stylized")]
    pub threshold: StoppingKind,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl VariancesArgs {
    /// What is run.
    pub fn options(&self) -> VariancesOptions {
        let VariancesArgs { runs, threshold, work: WorkArgs { seed, jobs, .. } } = *self;
        VariancesOptions { runs, threshold, seed, jobs }
    }
}

/// Options of every experiment on run time.
#[derive(Debug, ClapArgs)]
pub struct TimingArgs {
    /// Random instances per row
    #[arg(long, value_name = "N", default_value_t = TimingOptions::default().repeats, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeats: u32,
    /// Skip `cells` where one enumeration is predicted to take longer than this
    #[arg(long, value_name = "SECONDS", default_value_t = TimingOptions::default().cells_seconds, value_parser = seconds)]
    pub cells_seconds: f64,
    /// Start of the random numbers: the same seed gives the same instances
    #[arg(long, default_value_t = TimingOptions::default().seed)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl TimingArgs {
    fn options(&self) -> TimingOptions {
        let TimingArgs { repeats, cells_seconds, seed, .. } = *self;
        TimingOptions { repeats, cells_seconds, seed }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("write a number of seconds, 0 or more".to_owned()),
    }
}

/// Options of `reproduce store`.
#[derive(Debug, ClapArgs)]
pub struct StoreArgs {
    /// Observations told one at a time, by each process
    #[arg(long, value_name = "N", default_value_t = StoreOptions::default().tells, value_parser = run_count())]
    pub tells: u64,
    /// Rows of the CSV file
    #[arg(long, value_name = "N", default_value_t = StoreOptions::default().rows, value_parser = run_count())]
    pub rows: u64,
    /// Processes at once
    #[arg(long, value_name = "N", default_value_t = StoreOptions::default().processes, value_parser = RangedU64ValueParser::<u64>::new().range(1..=256))]
    pub processes: u64,
    /// Where to put the store, which is removed in the end
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl StoreArgs {
    /// What is told, by processes of this program.
    pub fn options(&self, program: PathBuf) -> StoreOptions {
        let StoreArgs { tells, rows, processes, ref folder, .. } = *self;
        StoreOptions { tells, rows, processes, folder: folder.clone(), program }
    }
}
