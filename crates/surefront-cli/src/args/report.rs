//! What can be typed after `report`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use surefront_study::report::Format;

use super::names;
use super::session::SessionArgs;

pub const EXAMPLES: &str = "\
The page needs nothing but a browser: no network, no scripts, no other files. It can be printed, mailed and kept.

Examples:
  surefront report study.toml                      writes study.html beside the study file
  surefront report study.toml -o front.svg         the front as a figure
  surefront report study.toml --format md -o -     Markdown on standard output";

/// Options of `report`.
#[derive(Debug, ClapArgs)]
pub struct ReportArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// The file to write; `-` is standard output [default: beside the study file, with the format's ending]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write [default: what the file's ending says, or html]
    #[arg(long, value_parser = names::format())]
    pub format: Option<Format>,
}
