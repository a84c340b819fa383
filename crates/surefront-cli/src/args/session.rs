//! What every command on a study with a store has in common.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use surefront::{RuleKind, StoppingKind};
use surefront_study::StudyError;
use surefront_study::session::{Session, Wishes};
use surefront_study::store::Access;

use super::names;
use super::simulate::delta;

/// A study and its store.
#[derive(Clone, Debug, ClapArgs)]
pub struct SessionArgs {
    /// The study file (TOML)
    pub study: PathBuf,
    /// The SQLite file that keeps tickets and observations [default: beside the study file, with the ending .db]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

/// How a study goes on. What is not said is as it was last, and at first as by default.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct SettingsArgs {
    /// Which arm next [default: as before; at first the one that goes with the threshold: dual for stylized, else weakest]
    #[arg(long, value_parser = names::study_rule())]
    pub rule: Option<RuleKind>,
    /// When to stop [default: as before; at first certified]
    #[arg(long, value_parser = names::threshold())]
    pub threshold: Option<StoppingKind>,
    /// The accepted chance of a wrong answer [default: as before; at first the study file's, or 0.1]
    #[arg(long, value_name = "DELTA", value_parser = delta)]
    pub delta: Option<f64>,
    /// Start of the random numbers; another one than before begins afresh from it [default: as before; at first 1]
    #[arg(long)]
    pub seed: Option<u64>,
}

impl SessionArgs {
    /// Reads the study file and opens its store.
    pub fn open(&self, access: Access) -> Result<Session, StudyError> {
        Session::open(&self.study, self.store.as_deref(), access)
    }
}

impl SettingsArgs {
    /// What was typed.
    pub fn wishes(&self) -> Wishes {
        let SettingsArgs { rule, threshold, delta, seed } = *self;
        Wishes { rule, threshold, delta, seed }
    }
}
