//! What every command on a study with a store has in common.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::simulate::{ThresholdName, delta};

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
    /// Which arm next [default: as before; at first dual, or weakest for a certified stop]
    #[arg(long, value_enum)]
    pub rule: Option<StudyRuleName>,
    /// When to stop [default: as before; at first certified if all variances are known, stylized if not]
    #[arg(long, value_enum)]
    pub threshold: Option<ThresholdName>,
    /// The accepted chance of a wrong answer [default: as before; at first the study file's, or 0.1]
    #[arg(long, value_name = "DELTA", value_parser = delta)]
    pub delta: Option<f64>,
    /// Start of the random numbers [default: as before; at first 1]
    #[arg(long)]
    pub seed: Option<u64>,
}

/// A rule by name, for studies on measurements: those that need nothing but the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StudyRuleName {
    /// Follow the evidence
    Dual,
    /// Learn the optimal allocation by gradient ascent and track it, as published
    TrackAndStop,
    /// All arms in turn
    Uniform,
    /// Adaptive Pareto exploration (Kone, Kaufmann and Richert 2023)
    Ape,
    /// Serve the claim of a certified stop that is furthest from being proved
    Weakest,
}
