//! What can be typed after `plan`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use surefront::StoppingKind;
use surefront_lab::replication::PlanOptions;
use surefront_study::file::study::StudyFile;

use super::names;
use super::simulate::{WorkArgs, delta, positive};

pub const EXAMPLES: &str = "\
The means and variances of the study file are guesses here: what you expect, or what you would like to be able to tell apart.

Examples:
  surefront plan study.toml
  surefront plan study.toml --delta 0.1,0.05,0.01 --svg spread.svg
  surefront plan study.toml --runs 0            the bound alone, at once
  surefront plan study.toml --threshold calibrated    the quick stop: not proved
  surefront plan study.toml --budget 1000,5000  what a budget will settle
  surefront plan study.toml --json > plan.json

Exit codes: 0 done, 1 something failed or was interrupted, 2 wrong usage or input, 3 no simulated study came to an answer.";

/// Options of `plan`.
#[derive(Debug, ClapArgs)]
pub struct PlanArgs {
    /// The study file (TOML), with a guess of every mean and variance
    pub study: PathBuf,
    /// Accepted chances of a wrong answer, with commas between them [default: the study file's, or 0.1,0.05,0.01]
    #[arg(long, value_name = "DELTA,…", value_delimiter = ',', value_parser = delta)]
    pub delta: Vec<f64>,
    /// Simulated studies at each δ, for the spread; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = PlanOptions::default().runs, value_parser = RangedU64ValueParser::<u64>::new().range(..=1_000_000))]
    pub runs: u64,
    /// When to stop [default: certified, as `run` would]
    #[arg(long, value_parser = names::threshold())]
    pub threshold: Option<StoppingKind>,
    /// A simulated study without an answer after this many samples is given up as undecided
    #[arg(long, value_name = "N", default_value_t = PlanOptions::default().max_samples, value_parser = positive())]
    pub max_samples: u64,
    /// Say what so many samples will settle, at the first δ; several with commas between them
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = positive())]
    pub budget: Vec<u64>,
    /// Write a histogram of the simulated samples
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
}

impl PlanArgs {
    /// What is to be planned for in this study: the δ's that were typed, or the study's, or the usual ones.
    pub fn options(&self, study: &StudyFile) -> PlanOptions {
        let usual = || study.delta.map_or_else(|| PlanOptions::default().deltas, |delta| vec![delta]);
        PlanOptions {
            study: study.name.clone(),
            deltas: if self.delta.is_empty() { usual() } else { self.delta.clone() },
            runs: self.runs,
            threshold: self.threshold,
            max_samples: self.max_samples,
            budgets: self.budget.clone(),
            seed: self.work.seed,
            jobs: self.work.jobs,
        }
    }
}
