//! What can be typed after an experiment on time.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use surefront_lab::reproduce::TimingOptions;
use surefront_lab::reproduce::analyze::AnalyzeOptions;
use surefront_lab::reproduce::bound_time::BoundOptions;
use surefront_lab::reproduce::rounds::RoundsOptions;
use surefront_lab::reproduce::scaling::ScalingOptions;
use surefront_lab::reproduce::speed::SpeedOptions;
use surefront_lab::reproduce::speedup::SpeedupOptions;
use surefront_lab::reproduce::store::StoreOptions;

use crate::args::simulate::run_count;
use crate::args::tolerance;

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

/// Options of `reproduce bound`.
#[derive(Debug, ClapArgs)]
pub struct BoundTimeArgs {
    /// The largest number of arms
    #[arg(long, value_name = "K", default_value_t = BoundOptions::default().max_arms, value_parser = clap::value_parser!(u32).range(500..=10_000))]
    pub max_arms: u32,
    /// The relative gap
    #[arg(long, value_name = "TOL", default_value = "1e-3", value_parser = tolerance)]
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
