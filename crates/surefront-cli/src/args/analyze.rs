//! What can be typed after `analyze`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use surefront::{Margin, MarginError, Noise, Range, Statistic, StatisticError, StoppingKind};
use surefront_study::file::samples::Decimal;
use thiserror::Error;

use super::names;
use super::simulate::delta;

pub const EXAMPLES: &str = "\
The file has a header and one row for each observation: a column that names the arm, and one for each objective. Other columns
are not looked at. Without --arm-column, the arm is the column `arm`, or else the only one with text. A row in which a value is missing
(empty, NA, nan, null, -) is left out and counted.

Also read: rows of one value (arm, metric, value), rows of means with standard deviations and counts (latency_mean, latency_sd, n), JSON lines
and arrays, gzip; commas, semicolons, tabs or pipes between columns; decimal commas. docs/data-files.md has all of it.

Variances are estimated from the data, by arm and objective, unless --variance, --exact, --noise or --range says otherwise; values that are all
0 or 1 are taken for successes and failures (--noise COLUMN=gaussian says that they are not). With --statistic, medians or other quantiles are
compared: nothing is assumed of the values then, and one that is only known to be more than something is written `>200`, or `inf`.

Examples:
  surefront analyze results.csv --max accuracy --min latency
  surefront analyze results.csv --max accuracy --min latency --min cost --arm-column variant --delta 0.05
  surefront analyze sizes.csv --min seconds --min bytes --exact bytes
  surefront analyze tests.csv --max passed --noise passed=bernoulli --max stars --range stars=1..5
  surefront analyze times.csv --min milliseconds --statistic milliseconds=median
  surefront analyze results.csv --max accuracy --min latency --report report.html
  surefront analyze long.csv.gz --max accuracy --min latency --unit latency=ms
  cat results.jsonl | surefront analyze - --max accuracy --min latency --json

Exit codes: 0 done: the front is proved, or not decided yet (`stopped` in the JSON), 1 something failed, 2 wrong usage or input,
4 the answer is likely, not proved.";

/// Options of `analyze`.
#[derive(Debug, ClapArgs)]
pub struct AnalyzeArgs {
    /// The samples (CSV, JSON lines, perhaps in gzip), one row per observation; `-` is standard input
    pub data: PathBuf,
    /// A column of which more is better; may be given several times
    #[arg(long, value_name = "COLUMN", required_unless_present = "min")]
    pub max: Vec<String>,
    /// A column of which less is better; may be given several times
    #[arg(long, value_name = "COLUMN")]
    pub min: Vec<String>,
    /// The column that names the arm [default: `arm`, or the only one with text]
    #[arg(long, value_name = "COLUMN")]
    pub arm_column: Option<String>,
    /// Where a row is one value: the column that names the objective [default: the one that holds their names]
    #[arg(long, value_name = "COLUMN")]
    pub metric_column: Option<String>,
    /// Where a row is one value: the column that it is in [default: `value`, or the only one with numbers]
    #[arg(long, value_name = "COLUMN")]
    pub value_column: Option<String>,
    /// What stands before decimals [default: what the numbers show]
    #[arg(long, value_name = "SIGN", value_parser = names::decimal())]
    pub decimal: Option<Decimal>,
    /// What an objective is measured in, for screens and figures; may be given several times
    #[arg(long, value_name = "COLUMN=UNIT")]
    pub unit: Vec<KnownUnit>,
    /// Also write a report: one page for a browser, or Markdown, JSON or SVG by the file's ending
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Also write the front as a figure
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// An objective that is measured without noise; may be given several times
    #[arg(long, value_name = "COLUMN")]
    pub exact: Vec<String>,
    /// The variance of one observation of an objective, if it is known; may be given several times
    #[arg(long, value_name = "COLUMN=V")]
    pub variance: Vec<KnownVariance>,
    /// What of an objective is compared, if not the mean: `median`, or a quantile such as `p95`; may be given several times
    #[arg(long, value_name = "COLUMN=WHAT")]
    pub statistic: Vec<KnownStatistic>,
    /// What the values of an objective are: `bernoulli` (0 and 1), `poisson` (counts), `exponential` (waiting times), `gaussian`; may be given several times
    #[arg(long, value_name = "COLUMN=KIND")]
    pub noise: Vec<KnownNoise>,
    /// The least and the greatest value that an objective can have; may be given several times
    #[arg(long, value_name = "COLUMN=LOW..HIGH")]
    pub range: Vec<KnownRange>,
    /// The largest difference in an objective that does not matter: in its units, or in percent of the mean; may be given several times
    #[arg(long, value_name = "COLUMN=M")]
    pub margin: Vec<KnownMargin>,
    /// A column that is not optimised, but has to keep its limits; may be given several times
    #[arg(long, value_name = "COLUMN")]
    pub constraint: Vec<String>,
    /// The least that a column must be for an arm to be wanted; may be given several times
    #[arg(long, value_name = "COLUMN=X")]
    pub at_least: Vec<KnownLimit>,
    /// The most that a column may be for an arm to be wanted; may be given several times
    #[arg(long, value_name = "COLUMN=X")]
    pub at_most: Vec<KnownLimit>,
    /// The accepted chance of a wrong answer
    #[arg(long, value_name = "DELTA", default_value = "0.1", value_parser = delta)]
    pub delta: f64,
    /// When it is enough [default: certified]
    #[arg(long, value_parser = names::threshold())]
    pub threshold: Option<StoppingKind>,
    /// Say how to spend the next N measurements
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = RangedU64ValueParser::<u64>::new().range(0..=1_000_000))]
    pub next: u64,
    /// Show all arms, however many there are
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `NAME=V`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownVariance {
    /// The objective.
    pub objective: String,
    /// Its variance, above zero.
    pub variance: f64,
}

impl FromStr for KnownVariance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write an objective and its variance, for example latency=0.25";
        // From the right: a column's name may have the sign in it.
        let (objective, variance) = text.rsplit_once('=').ok_or(advice)?;
        match variance.trim().parse::<f64>() {
            Ok(variance) if variance > 0.0 && variance.is_finite() => {
                Ok(KnownVariance { objective: objective.to_owned(), variance })
            }
            Ok(0.0) => Err(format!("for an objective without noise write --exact {objective}")),
            _ => Err(format!("{advice}; a variance is above zero")),
        }
    }
}

/// `NAME=STATISTIC`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownStatistic {
    /// The objective.
    pub objective: String,
    /// What of it is compared.
    pub statistic: Statistic,
}

impl FromStr for KnownStatistic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write an objective and what of it is compared, for example latency=median";
        // From the right: a column's name may have the sign in it.
        let (objective, statistic) = text.rsplit_once('=').ok_or(advice)?;
        let statistic = statistic.trim().parse().map_err(|error: StatisticError| error.to_string())?;
        Ok(KnownStatistic { objective: objective.to_owned(), statistic })
    }
}

/// `NAME=KIND`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownNoise {
    /// The objective.
    pub objective: String,
    /// Its noise; unknown where it is Gaussian.
    pub noise: Noise,
}

impl FromStr for KnownNoise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write an objective and its kind of noise (gaussian, bernoulli, poisson or exponential), for example passed=bernoulli";
        // From the right: a column's name may have the sign in it.
        let (objective, kind) = text.rsplit_once('=').ok_or(advice)?;
        let noise = match kind.trim() {
            "gaussian" => Noise::Unknown,
            "bernoulli" => Noise::Bernoulli,
            "poisson" => Noise::Poisson,
            "exponential" => Noise::Exponential,
            "exact" => return Err(format!("for an objective without noise write --exact {objective}")),
            "bounded" => return Err(format!("for values within a range write --range {objective}=0..1")),
            _ => return Err(advice.to_owned()),
        };
        Ok(KnownNoise { objective: objective.to_owned(), noise })
    }
}

/// `NAME=LOW..HIGH`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRange {
    /// The objective.
    pub objective: String,
    /// Its least value.
    pub low: f64,
    /// Its greatest.
    pub high: f64,
}

impl FromStr for KnownRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write an objective, its least value and its greatest, for example stars=1..5";
        let (objective, range) = text.rsplit_once('=').ok_or(advice)?;
        let (low, high) = range.split_once("..").ok_or(advice)?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        match (number(low), number(high)) {
            (Some(low), Some(high)) if (Range { low, high }).is_valid() => {
                Ok(KnownRange { objective: objective.to_owned(), low, high })
            }
            _ => Err(format!("{advice}; the least is below the greatest")),
        }
    }
}

/// `NAME=UNIT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownUnit {
    /// The objective.
    pub objective: String,
    /// Its unit.
    pub unit: String,
}

impl FromStr for KnownUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write an objective and its unit, for example latency=ms";
        // From the right: a column's name may have the sign in it.
        let (objective, unit) = text.rsplit_once('=').ok_or(advice)?;
        match unit.trim() {
            "" => Err(advice.to_owned()),
            unit => Ok(KnownUnit { objective: objective.to_owned(), unit: unit.to_owned() }),
        }
    }
}

/// `NAME=MARGIN`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMargin {
    /// The objective.
    pub objective: String,
    /// Differences up to this do not matter.
    pub margin: Margin,
}

impl FromStr for KnownMargin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice =
            "write an objective and the largest difference that does not matter, for example latency=0.5 or latency=2%";
        // From the right: a column's name may have the sign in it.
        let (objective, margin) = text.rsplit_once('=').ok_or(advice)?;
        let margin = margin.parse().map_err(|error: MarginError| error.to_string())?;
        Ok(KnownMargin { objective: objective.to_owned(), margin })
    }
}

/// `NAME=LIMIT`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLimit {
    /// The objective or constraint.
    pub objective: String,
    /// What it must at least, or at most, be.
    pub value: f64,
}

impl FromStr for KnownLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let advice = "write a column and a number, for example milliseconds=200";
        // From the right: a column's name may have the sign in it.
        let (objective, value) = text.rsplit_once('=').ok_or(advice)?;
        let value = value.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or(advice)?;
        Ok(KnownLimit { objective: objective.to_owned(), value })
    }
}

/// Options that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObjectivesError {
    /// More and less are better.
    #[error("\"{0}\" stands in --max and in --min: keep the one that says what is better")]
    BothGoals(String),
    /// Optimised, and only limited.
    #[error(
        "\"{0}\" stands in --constraint and in --max or --min: keep one; an objective has limits by --at-least and --at-most alone"
    )]
    ConstraintAndGoal(String),
    /// Named twice.
    #[error("{option} names \"{name}\" twice: keep one")]
    Twice {
        /// The option.
        option: &'static str,
        /// The objective.
        name: String,
    },
    /// Something is said of an objective that there is not.
    #[error("{option} speaks of \"{name}\", which is none of the columns of --max, --min and --constraint: {advice}")]
    NotAnObjective {
        /// The option.
        option: &'static str,
        /// What was written.
        name: String,
        /// The nearest objective, or all of them.
        advice: String,
    },
    /// A quantile of what has no noise.
    #[error(
        "\"{0}\" stands in --exact and in --statistic: what has no noise has no other quantile than its value, so keep one"
    )]
    ExactWithStatistic(String),
    /// A quantile of values whose law is given.
    #[error(
        "\"{0}\" has a quantile in --statistic and a kind in --noise or --range: a quantile needs no law, so keep one of the two"
    )]
    LawWithStatistic(String),
    /// Its noise is said in two ways.
    #[error("\"{name}\" stands in {one} and in {other}: keep the one that is true")]
    NoiseTwice {
        /// The objective.
        name: String,
        /// One option.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// Noise and none.
    #[error("\"{0}\" stands in --exact and in --variance: keep the one that is true")]
    ExactWithVariance(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_named() {
        let known: KnownStatistic = "a=b=p95".parse().unwrap();
        assert_eq!((known.objective.as_str(), known.statistic.to_string()), ("a=b", "p95".to_owned()));
        for bad in ["latency", "latency=p0", "latency=p100", "latency=", "latency=fast"] {
            assert!(bad.parse::<KnownStatistic>().is_err(), "{bad}");
        }
    }

    #[test]
    fn kinds_and_ranges_are_named() {
        let known: KnownNoise = "a=b=poisson".parse().unwrap();
        assert_eq!((known.objective.as_str(), known.noise), ("a=b", Noise::Poisson));
        for bad in ["passed", "passed=", "passed=coin"] {
            assert!(bad.parse::<KnownNoise>().unwrap_err().contains("passed=bernoulli"), "{bad}");
        }
        assert!("x=bounded".parse::<KnownNoise>().unwrap_err().contains("--range x"));
        let known: KnownRange = "a=b=-1.5..2".parse().unwrap();
        assert_eq!((known.objective.as_str(), known.low, known.high), ("a=b", -1.5, 2.0));
        for bad in ["stars", "stars=5", "stars=5..1", "stars=1..1", "stars=..", "stars=nan..1"] {
            assert!(bad.parse::<KnownRange>().unwrap_err().contains("stars=1..5"), "{bad}");
        }
    }

    #[test]
    fn variances_are_named() {
        let known = |objective: &str, variance| KnownVariance { objective: objective.into(), variance };
        assert_eq!("a=b=0.5".parse(), Ok(known("a=b", 0.5)));
        for bad in ["latency", "latency=", "latency=-1", "latency=nan", "latency=inf"] {
            assert!(bad.parse::<KnownVariance>().unwrap_err().contains("latency=0.25"), "{bad}");
        }
        assert!("size=0".parse::<KnownVariance>().unwrap_err().contains("--exact size"));
    }
}
