//! `surefront`: finds the Pareto-optimal set among noisy alternatives, with a chosen confidence.

mod answer;
mod args;
mod commands;
mod csv_table;
mod failure;
mod figure;
mod input_error;
mod interrupt;
mod memory;
mod number;
mod output_file;
mod plot;
mod progress;
mod remark;
mod replication;
mod report;
mod results_csv;
mod runner;
mod samples_csv;
mod session;
mod source_text;
mod store;
mod study_file;
mod suggestion;
mod table;
mod weights_file;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match commands::run(args::Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
