//! What can be typed after `tell` and `retract`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};

use super::server::ServerArgs;
use super::session::SessionArgs;
use surefront_study::store::Moment;

pub const TELL_EXAMPLES: &str = "\
Values are one number for each objective, in the study file's order and units, or NAME=VALUE in any order. What was told is on the
disk before this command says so. Telling a ticket the same again does nothing; telling it something else is refused.

A CSV file has a column for each objective and a column `ticket`, or `arm`, or both; other columns are not looked at. Rows with a
ticket and no values are left open. A file is stored as a whole: if one row is wrong, nothing of it is.

Examples:
  surefront tell study.toml --ticket 7 0.93 12.5
  surefront tell study.toml --arm \"variant A\" 0.93 12.5    a measurement that nobody asked for
  surefront tell study.toml --ticket 7 latency=12.5 accuracy=0.93
  surefront tell study.toml --csv results.csv
  surefront tell study.toml --csv - < results.csv
  surefront tell study.toml --ticket 8 --failed \"sample spilt\"

Exit codes: 0 stored, 1 something failed, 2 wrong usage or input.";

pub const RETRACT_EXAMPLES: &str = "\
The observation stays in the store, with the reason, and no longer counts. If it belonged to a ticket, that ticket can be told again.
--arm takes back all observations of an arm, --before all that were told before a time (UTC), both together those of the arm before it.

Examples:
  surefront retract study.toml 12 --reason \"decimal point\"
  surefront retract study.toml --ticket 7
  surefront retract study.toml --arm \"variant A\" --reason \"another command\"
  surefront retract study.toml --arm \"variant A\" --before 2026-01-31T12:00

Exit codes: 0 done, 1 something failed, 2 wrong usage or input.";

/// Options of `tell`.
#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("what").args(["ticket", "arm", "csv"]).required(true))]
pub struct TellArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// What was measured: one number, or NAME=VALUE, for each objective
    #[arg(value_name = "VALUE", allow_negative_numbers = true, required_unless_present_any = ["csv", "failed"], conflicts_with = "csv")]
    pub values: Vec<String>,
    /// The ticket that asked for it
    #[arg(long, value_name = "T")]
    pub ticket: Option<i64>,
    /// The arm, if nobody asked for it
    #[arg(long, value_name = "NAME")]
    pub arm: Option<String>,
    /// A CSV file of results; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// The measurement failed, or will not be made: why
    #[arg(long, value_name = "WHY", requires = "ticket", conflicts_with_all = ["values", "arm", "csv"])]
    pub failed: Option<String>,
    #[command(flatten)]
    pub server: ServerArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `retract`.
#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("which").args(["observations", "ticket", "arm", "before"]).required(true).multiple(true))]
pub struct RetractArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// The numbers of the observations
    #[arg(value_name = "OBSERVATION")]
    pub observations: Vec<i64>,
    /// What this ticket was told
    #[arg(long, value_name = "T", conflicts_with = "observations")]
    pub ticket: Option<i64>,
    /// All observations of this arm
    #[arg(long, value_name = "NAME", conflicts_with_all = ["observations", "ticket"])]
    pub arm: Option<String>,
    /// Only what was told before this time, for example 2026-01-31 or 2026-01-31T12:34:56Z
    #[arg(long, value_name = "TIME", conflicts_with_all = ["observations", "ticket"])]
    pub before: Option<Moment>,
    /// Why, for whoever reads the store later
    #[arg(long, value_name = "WHY", default_value = "no reason given")]
    pub reason: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
