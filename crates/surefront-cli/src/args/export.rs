//! What can be typed after `export`.

use clap::{Args as ClapArgs, ValueEnum};
use surefront_study::output::rows::CsvTarget;

use super::session::SessionArgs;

pub const EXAMPLES: &str = "\
One row for each observation that counts; --all adds those that were taken back, with the time and the reason.

Examples:
  surefront export study.toml > observations.csv
  surefront export study.toml --format jsonl -o observations.jsonl
  surefront export study.toml --all -o log.csv

Exit codes: 0 done, 1 something failed, 2 wrong usage or input.";

/// Options of `export`.
#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// How to write an observation
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    pub format: ExportFormat,
    /// Where to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: CsvTarget,
    /// Observations that were taken back as well
    #[arg(long)]
    pub all: bool,
}

/// A format by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A header, and one row for each observation
    Csv,
    /// One JSON object on each line
    Jsonl,
}
