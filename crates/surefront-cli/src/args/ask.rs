//! What can be typed after `ask`.

use std::time::Duration;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use surefront_study::output::rows::CsvTarget;

use super::run::time;
use super::server::ServerArgs;
use super::session::{SessionArgs, SettingsArgs};

pub const EXAMPLES: &str = "\
Every ticket is one measurement to make. It stays open until its result is told, or until it is told to have failed:
  surefront tell study.toml --ticket 7 0.93 12.5
  surefront tell study.toml --ticket 8 --failed \"sample spilt\"

Results may be told in any order, and count in the order of their tickets: one that is told early waits until all earlier tickets are
told or given up. Counted as they finish, the quick ones would count too much. A ticket that others have waited for longer than
--patience is given up when the next is asked for; told later, it still counts.

A worklist is a CSV with the columns ticket and arm and an empty one for each objective. Fill it in, all at once or bit by bit, and
hand it back with `surefront tell study.toml --csv worklist.csv`.

Examples:
  surefront ask study.toml
  surefront ask study.toml -n 20 --csv=worklist.csv
  surefront ask study.toml -n 4 --json
  surefront ask study.toml --open               which tickets are open, without new ones
  surefront ask study --server http://lab-pc:8080 --token-file token     of a study that another machine keeps

Exit codes: 0 done (without tickets if the front is sure already), 1 something failed, 2 wrong usage or input, 4 no tickets: the
answer is likely already, though not proved.";

/// Options of `ask`.
#[derive(Debug, ClapArgs)]
pub struct AskArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// How many measurements to ask for
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<u64>::new().range(1..=1_000_000))]
    pub number: u64,
    /// Show the open tickets, and make no new ones
    #[arg(long, conflicts_with = "number")]
    pub open: bool,
    /// Print a worklist as CSV, or write it to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", conflicts_with_all = ["json", "server"])]
    pub csv: Option<CsvTarget>,
    /// How long results wait for an earlier ticket before it is given up: seconds, or a number with ms, s, m, h or d [default: as
    /// before; at first 7d]
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with_all = ["open", "server"])]
    pub patience: Option<Duration>,
    #[command(flatten)]
    pub settings: SettingsArgs,
    #[command(flatten)]
    pub server: ServerArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
