//! What can be typed. What it means is up to each command.

mod analyze;
mod ask;
mod export;
mod init;
mod manual;
mod names;
mod plan;
mod report;
mod reproduce;
mod run;
mod serve;
mod server;
mod session;
mod simulate;
mod status;
mod tell;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use surefront::{Problem, Weights};
use surefront_study::file::input_error::InputError;
use surefront_study::file::weights;

pub use self::analyze::{AnalyzeArgs, KnownLimit, KnownRange, ObjectivesError};
pub use self::ask::AskArgs;
pub use self::export::{ExportArgs, ExportFormat};
pub use self::init::{CheckArgs, InitArgs};
pub use self::manual::{CompletionsArgs, ManArgs};
pub use self::plan::PlanArgs;
pub use self::report::ReportArgs;
pub use self::reproduce::Experiment;
pub use self::run::RunArgs;
pub use self::serve::ServeArgs;
pub use self::server::{ServerArgs, id as server_id};
pub use self::session::{SessionArgs, SettingsArgs};
pub use self::simulate::{AllocationSource, SimulateArgs};
pub use self::status::StatusArgs;
pub use self::tell::{RetractArgs, TellArgs};

/// Know the Pareto front for sure.
#[derive(Debug, Parser)]
#[command(name = "surefront", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  surefront init                                   write a study file to begin with
  surefront check study.toml                       what is wrong with it, or what would be run
  surefront run study.toml                         measure until the front is known
  surefront analyze results.csv --max a --min b    what samples that exist already tell
  surefront ask study.toml -n 5                    what to measure next, by hand
  surefront tell study.toml --ticket 7 0.93 12.5   what was measured
  surefront status study.toml                      what is known, how sure, what is missing
  surefront report study.toml                      one page for a browser
  surefront serve                                  all studies of this folder in a browser, live
  surefront plan study.toml                        how many samples it will take

Tables are as wide as the terminal, or as COLUMNS says; in a file or a pipe, a row is a line.
Exit codes: 0 done, and an answer is proved; 1 something failed or was interrupted; 2 wrong usage or input; 3 no answer within
the budget; 4 the answer is likely, not proved.";

/// One thing to do. What people use most stands first, experiments last.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure until sure: run the arms' commands, keep every result, stop when the front is known
    ///
    /// Each arm's `command` in the study file measures it; an arm with a `mean` and no command is simulated. What to measure next
    /// is decided by what was measured so far. Every observation is kept in a store beside the study file; running the same command
    /// again goes on from there.
    #[command(after_long_help = run::EXAMPLES)]
    Run(RunArgs),
    /// Write a commented study file to begin with: asks on a terminal, or goes by its options
    #[command(after_long_help = init::INIT_EXAMPLES)]
    Init(InitArgs),
    /// Say what is wrong with a study file, or what would be run
    #[command(after_long_help = init::CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Say what samples that exist already tell: which arms are in, out, undecided, and what to measure next
    ///
    /// The samples are a CSV file with one row per observation. Each arm is on the front, off it, or undecided, with the reason,
    /// and whether that is proved or likely only; as long as the front is not decided, the next measurements are spread over the arms that matter. Files
    /// are read as a stream, however long they are.
    #[command(after_long_help = analyze::EXAMPLES)]
    Analyze(Box<AnalyzeArgs>),
    /// Say what to measure next
    ///
    /// For measurements that are made by hand or by other programs: each ticket is one measurement to make. The study's store keeps
    /// the tickets, so that any number of people or programs may ask and tell at the same time.
    #[command(after_long_help = ask::EXAMPLES)]
    Ask(AskArgs),
    /// Tell what was measured
    #[command(after_long_help = tell::TELL_EXAMPLES)]
    Tell(TellArgs),
    /// Show what is known of each arm, how sure it is, and what is missing
    #[command(after_long_help = status::EXAMPLES)]
    Status(StatusArgs),
    /// Serve studies to browsers and programs: watch them, feed them, share them
    ///
    /// Pages show the answer of every study of a folder as it changes, hand out what to measure next and take in results; other
    /// machines do the same over HTTP. `run`, `ask` and `tell` may go on working beside it.
    #[command(after_long_help = serve::EXAMPLES)]
    Serve(ServeArgs),
    /// Write a report of a study: the answer, how sure it is, and why
    ///
    /// One page for a browser, with the front as figures, the samples and the evidence, every verdict with its reason, the
    /// settings and the assumptions; or Markdown, JSON, or the front alone as a figure.
    #[command(after_long_help = report::EXAMPLES)]
    Report(ReportArgs),
    /// Plan an experiment: how many samples it will take, of which arms, and what makes it expensive
    ///
    /// From guessed means and variances: T*, the samples expected at each δ and how they are spread over the arms, how much
    /// the number varies (by simulation), and which differences take the most samples.
    #[command(after_long_help = plan::EXAMPLES)]
    Plan(PlanArgs),
    /// Take back an observation that was entered wrongly
    #[command(after_long_help = tell::RETRACT_EXAMPLES)]
    Retract(RetractArgs),
    /// Write every observation as CSV or JSON lines
    #[command(after_long_help = export::EXAMPLES)]
    Export(ExportArgs),
    /// Simulate rules on arms with known means: samples taken, mistakes made
    ///
    /// Each run is a study from its first sample to its stop, with Gaussian noise around the means of the study file.
    /// The seed and a run's number determine the run, whatever the number of threads and whichever other runs there
    /// are. The stopping times stand beside T*·β, the samples that the best allocation is expected to take.
    #[command(after_long_help = simulate::EXAMPLES)]
    Simulate(SimulateArgs),
    /// Compute how many samples the best allocation needs, and that allocation
    ///
    /// T* is the least number of samples, in units of ln(1/δ), in which any procedure can identify the front of these
    /// means; w* is the allocation of samples to arms that reaches it. T* is given as a certified bracket.
    #[command(after_long_help = BOUND_EXAMPLES)]
    Bound(BoundArgs),
    /// Find the closest model with another front
    ///
    /// Given the means of a study and how measurements are spread over its arms (the weights), find the model that is
    /// cheapest to confuse with it among all those with another Pareto front: its cost, its means, and the gradient of
    /// the cost in the weights.
    #[command(after_long_help = TRANSPORT_EXAMPLES)]
    Transport(TransportArgs),
    /// Repeat published experiments, beside the published figures
    #[command(subcommand)]
    Reproduce(Experiment),
    /// Print a script that completes commands and options in a shell
    #[command(after_long_help = manual::COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    #[command(after_long_help = manual::MAN_EXAMPLES)]
    Man(ManArgs),
}

const TRANSPORT_EXAMPLES: &str = "\
A file of weights is one of:
  - a CSV with the header `arm,weight`: one line for each arm, in any order
  - one number per line, in the study's order
  - JSON: a list of numbers, or an object with such a list as \"weights\"
Weights need not add up to one; costs are proportional to them.

Examples:
  surefront transport study.toml
  surefront transport study.toml --weights counts.csv --method cells
  surefront bound study.toml --json > best.json
  surefront transport study.toml --weights best.json --json";

const BOUND_EXAMPLES: &str = "\
Examples:
  surefront bound study.toml
  surefront bound study.toml --tol 1e-9 --json";

/// Options of `transport`.
#[derive(Debug, ClapArgs)]
pub struct TransportArgs {
    /// The study file (TOML)
    pub study: PathBuf,
    /// How measurements are spread over the arms: a file, or `uniform`
    #[arg(long, value_name = "FILE|uniform", default_value = "uniform")]
    pub weights: WeightsSource,
    /// How to solve for an arm that comes onto the front; all methods are exact
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    pub method: MethodName,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `bound`.
#[derive(Debug, ClapArgs)]
pub struct BoundArgs {
    /// The study file (TOML)
    pub study: PathBuf,
    /// The relative width of the bracket around T*
    #[arg(long, value_name = "TOL", default_value = "1e-6", value_parser = tolerance)]
    pub tol: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Where weights come from.
#[derive(Clone, Debug)]
pub enum WeightsSource {
    /// The same for every arm.
    Uniform,
    /// A file.
    File(PathBuf),
}

impl WeightsSource {
    /// One weight for each arm of a problem.
    pub fn obtain(&self, problem: &Problem) -> Result<Weights, InputError> {
        match self {
            WeightsSource::Uniform => Ok(Weights::uniform(problem)),
            WeightsSource::File(path) => weights::read(path, problem),
        }
    }
}

impl FromStr for WeightsSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "uniform" => WeightsSource::Uniform,
            path => WeightsSource::File(path.into()),
        })
    }
}

/// A method by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// The fastest that fits the study
    Auto,
    /// Branch and bound, for any study
    Branch,
    /// The published enumeration of cells; the same variance for all arms, no exact objective
    Cells,
    /// The published sweep for two objectives; the same variance for all arms, no exact objective
    Sweep,
}

fn tolerance(text: &str) -> Result<f64, String> {
    between_zero_and_one(text, "1e-6")
}

fn between_zero_and_one(text: &str, example: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err(format!("write a number above 0 and below 1, for example {example}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}
