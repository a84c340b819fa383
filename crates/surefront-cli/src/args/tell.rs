//! What can be typed after `tell` and `retract`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};

use super::session::SessionArgs;

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

Examples:
  surefront retract study.toml 12 --reason \"decimal point\"
  surefront retract study.toml --ticket 7

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
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `retract`.
#[derive(Debug, ClapArgs)]
pub struct RetractArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// The numbers of the observations
    #[arg(value_name = "OBSERVATION", required_unless_present = "ticket")]
    pub observations: Vec<i64>,
    /// What this ticket was told
    #[arg(long, value_name = "T", conflicts_with = "observations")]
    pub ticket: Option<i64>,
    /// Why, for whoever reads the store later
    #[arg(long, value_name = "WHY", default_value = "no reason given")]
    pub reason: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
