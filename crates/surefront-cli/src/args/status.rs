//! What can be typed after `status`.

use clap::Args as ClapArgs;

use super::server::ServerArgs;
use super::session::{SessionArgs, SettingsArgs};

pub const EXAMPLES: &str = "\
Examples:
  surefront status study.toml
  surefront status study.toml --delta 0.01     how far is it to more certainty?
  surefront status study.toml --json

Exit codes: 0 done: the front is proved, or not decided yet (`stopped` in the JSON), 1 something failed, 2 wrong usage or input,
4 the answer is likely, not proved.";

/// Options of `status`.
#[derive(Debug, ClapArgs)]
pub struct StatusArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Show all arms and tickets, however many there are
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub server: ServerArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
