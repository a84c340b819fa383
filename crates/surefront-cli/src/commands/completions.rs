//! `surefront completions`: a script that completes our commands and options, for a shell.

use clap::CommandFactory;

use super::print_document;
use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    // The generator panics where it cannot write: it writes to memory, which always can.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "surefront", &mut script);
    print_document(&String::from_utf8_lossy(&script))
}
