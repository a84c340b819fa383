//! What can be typed after `init` and `check`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::simulate::delta;

pub const INIT_EXAMPLES: &str = "\
On a terminal, what no option says is asked for. A file that is there already is never replaced.

Examples:
  surefront init                                         asks, and writes study.toml
  surefront init codecs.toml --min seconds --min megabytes --arm gzip --arm zstd --command './measure.sh {name}'
  surefront init trial.toml --max response --arm 'dose 10' --arm 'dose 20'     measured by hand, with ask and tell
  surefront init - --max accuracy --arm a --arm b        prints it

Exit codes: 0 written, 1 something failed, 2 wrong usage or input, or the file is there already.";

pub const CHECK_EXAMPLES: &str = "\
Nothing is run and nothing is written.

Examples:
  surefront check study.toml
  surefront check study.toml --all          every arm with its command
  surefront check study.toml --json

Exit codes: 0 nothing is wrong, 1 something failed, 2 something is wrong with the study file.";

/// Options of `init`.
#[derive(Debug, ClapArgs)]
pub struct InitArgs {
    /// The study file to write; `-` is standard output
    #[arg(default_value = "study.toml")]
    pub study: PathBuf,
    /// The study's name [default: the file's]
    #[arg(long)]
    pub name: Option<String>,
    /// Something that is measured, of which more is better; may be given several times
    #[arg(long, value_name = "NAME")]
    pub max: Vec<String>,
    /// Something that is measured, of which less is better; may be given several times
    #[arg(long, value_name = "NAME")]
    pub min: Vec<String>,
    /// One of the alternatives; may be given several times
    #[arg(long, value_name = "NAME")]
    pub arm: Vec<String>,
    /// What measures an arm, by the shell; {name} stands for the arm's name
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<String>,
    /// The accepted chance of a wrong answer
    #[arg(long, value_name = "DELTA", default_value = "0.1", value_parser = delta)]
    pub delta: f64,
}

/// Options of `check`.
#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The study file (TOML)
    pub study: PathBuf,
    /// Show all arms, however many there are
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
