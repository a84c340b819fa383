//! `surefront`: finds the Pareto-optimal set among noisy alternatives, with a chosen confidence.

mod advice;
mod args;
mod commands;
mod failure;
mod interrupt;
mod progress;
mod remark;
mod screen;
mod server;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match commands::run(args::Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
