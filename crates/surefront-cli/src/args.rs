//! What can be typed. What it means is up to each command.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// Know the Pareto front for sure.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  surefront bound examples/vaccine.toml              how many samples, on which arms
  surefront transport examples/vaccine.toml --json   the closest change of the front

Exit codes: 0 done, 1 something failed, 2 wrong usage or input.";

/// One thing to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the closest model with another front
    ///
    /// Given the means of a study and how measurements are spread over its arms (the weights), find the model that is
    /// cheapest to confuse with it among all those with another Pareto front: its cost, its means, and the gradient of
    /// the cost in the weights.
    #[command(after_long_help = TRANSPORT_EXAMPLES)]
    Transport(TransportArgs),
    /// Compute how many samples the best allocation needs, and that allocation
    ///
    /// T* is the least number of samples, in units of ln(1/δ), in which any procedure can identify the front of these
    /// means; w* is the allocation of samples to arms that reaches it. T* is given as a certified bracket.
    #[command(after_long_help = BOUND_EXAMPLES)]
    Bound(BoundArgs),
    /// Repeat published experiments, beside the published figures
    #[command(subcommand)]
    Reproduce(Experiment),
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

/// A published experiment.
#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Time the methods on points of a sphere, in 2 to 8 objectives
    ///
    /// p random points on the positive orthant of the unit sphere, plus the origin, with random weights. All methods
    /// answer the same questions in one run, and must agree.
    #[command(after_long_help = SCALING_EXAMPLES)]
    Scaling(ScalingArgs),
    /// Time the methods in 2 objectives, on up to 4096 arms of the front
    ///
    /// p random points that form a front in a 10×10 square, plus the origin, with random weights. All methods answer
    /// the same questions in one run, and must agree.
    #[command(after_long_help = SPEEDUP_EXAMPLES)]
    Speedup(SpeedupArgs),
}

const SCALING_EXAMPLES: &str = "\
Examples:
  surefront reproduce scaling
  surefront reproduce scaling --repeats 3 --cells-seconds 0.1    a quick look
  surefront reproduce scaling --json > scaling.json";

const SPEEDUP_EXAMPLES: &str = "\
Examples:
  surefront reproduce speedup
  surefront reproduce speedup --repeats 100 --seed 7";

/// Options of `reproduce scaling`.
#[derive(Debug, ClapArgs)]
pub struct ScalingArgs {
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "scaling.svg")]
    pub svg: PathBuf,
    /// The largest number of objectives
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=8))]
    pub max_objectives: u32,
    /// The largest number of arms on the front
    #[arg(long, value_name = "P", default_value_t = 128, value_parser = clap::value_parser!(u32).range(4..=128))]
    pub max_arms: u32,
    #[command(flatten)]
    pub timing: TimingArgs,
}

/// Options of `reproduce speedup`.
#[derive(Debug, ClapArgs)]
pub struct SpeedupArgs {
    /// The plot to write
    #[arg(long, value_name = "FILE", default_value = "speedup.svg")]
    pub svg: PathBuf,
    /// The largest number of arms on the front
    #[arg(long, value_name = "P", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub max_arms: u32,
    #[command(flatten)]
    pub timing: TimingArgs,
}

/// Options of every experiment on run time.
#[derive(Debug, ClapArgs)]
pub struct TimingArgs {
    /// Random instances per row
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeats: u32,
    /// Skip `cells` where one enumeration is predicted to take longer than this
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    pub cells_seconds: f64,
    /// Start of the random numbers: the same seed gives the same instances
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("write a number above 0 and below 1, for example 1e-6".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("write a number of seconds, 0 or more".to_owned()),
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
