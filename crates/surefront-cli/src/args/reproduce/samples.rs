//! What can be typed after an experiment on samples and mistakes.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use surefront::{RuleKind, StoppingKind};
use surefront_lab::reproduce::certificates::CertificatesOptions;
use surefront_lab::reproduce::field::FieldOptions;
use surefront_lab::reproduce::guarantees::GuaranteesOptions;
use surefront_lab::reproduce::medians::MediansOptions;
use surefront_lab::reproduce::random_suite::RandomSuiteOptions;
use surefront_lab::reproduce::suite::SuiteOptions;
use surefront_lab::reproduce::ties::TiesOptions;
use surefront_lab::reproduce::vaccine::VaccineOptions;
use surefront_lab::reproduce::variances::VariancesOptions;

use crate::args::names;
use crate::args::simulate::{WorkArgs, run_count};

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
    /// Only rows in whose name this occurs: "gaussian, 20 arms, d = 1"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl MediansArgs {
    /// What is run.
    pub fn options(&self) -> MediansOptions {
        let MediansArgs { runs, only, work: WorkArgs { seed, jobs, .. } } = self;
        MediansOptions { runs: *runs, only: only.clone(), seed: *seed, jobs: *jobs }
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

/// Options of `reproduce ties`.
#[derive(Debug, ClapArgs)]
pub struct TiesArgs {
    /// Runs of each rule on each random instance; ten times as many on the known one, 25 times with the margin
    #[arg(long, value_name = "N", default_value_t = TiesOptions::default().runs, value_parser = RangedU64ValueParser::<u64>::new().range(1..=1_000_000))]
    pub runs: u64,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl TiesArgs {
    /// What is run.
    pub fn options(&self) -> TiesOptions {
        let TiesArgs { runs, work: WorkArgs { seed, jobs, .. } } = *self;
        TiesOptions { runs, seed, jobs }
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
