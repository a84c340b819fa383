//! What can be typed after `run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use surefront_study::run::{Jobs, OnFailure};

use super::{SessionArgs, SettingsArgs, names};

pub const EXAMPLES: &str = "\
A command prints the values of the objectives as its last line, as JSON or as words:
  {\"accuracy\": 0.91, \"bytes\": 1200}
  accuracy=0.91 bytes=1200
Objectives with `measure = \"wall_seconds\"`, \"user_seconds\" or \"max_rss_bytes\" in the study file are measured while it runs
and need not be printed. Commands run in the study file's folder, with nothing to read, and know what they are run for:
  SUREFRONT_ARM      the name of the arm
  SUREFRONT_TICKET   a number that no other measurement of the study has

Every observation is in the store, on the disk, before it counts. Side by side, observations count in the order in which they were
asked for: one that is ready early waits for those before it. Counted as they finish, the quick ones would count too much.

Interrupting (Ctrl-C) finishes the measurements under way; a
second Ctrl-C, SIGTERM or SIGHUP ends the commands at once, with all that they started. The same command goes on from there,
also after a crash. Only one `run` works on a store at a time; `ask` and `tell` may be used meanwhile.

Examples:
  surefront run study.toml
  surefront run study.toml --jobs 4 --timeout 30 --on-failure retry
  surefront run study.toml --warmup 3 --prepare 'sync' --max-time 10m
  surefront run study.toml --delta 0.01 --report answer.html

Exit codes: 0 the answer is sure: proved, 1 something failed or was interrupted, 2 wrong usage or input, 3 the budget was spent
before there was an answer, 4 the answer is likely, not proved, 130 a second Ctrl-C, 143 SIGTERM, 129 SIGHUP.";

/// Options of `run`.
#[derive(Debug, ClapArgs)]
pub struct RunArgs {
    #[command(flatten)]
    pub session: SessionArgs,
    /// Commands to run side by side; more than one may disturb measurements of time
    #[arg(long, value_name = "N", default_value = "1", value_parser = jobs())]
    pub jobs: Jobs,
    /// End a command that takes longer: seconds, or a number with ms, s, m, h or d [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Run each arm's command N times before its first measurement
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub warmup: u64,
    /// Run this (by the shell) before each measurement [default: the study file's `prepare`]
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,
    /// Stop when the study has N observations, those of earlier runs included
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub max_samples: Option<u64>,
    /// Begin no more measurements once those of the study, earlier runs included, have cost this: the sum of the arms' `cost`, or
    /// seconds where the costs are measured
    #[arg(long, value_name = "COST", value_parser = cost)]
    pub max_cost: Option<f64>,
    /// Begin no more measurements after this time: seconds, or a number with ms, s, m, h or d
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub max_time: Option<Duration>,
    /// How long results wait for an earlier ticket of others before it is given up: seconds, or a number with ms, s, m, h or d
    /// [default: as before; at first 7d]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub patience: Option<Duration>,
    /// What to do when an arm cannot be measured
    #[arg(long, value_parser = names::on_failure(), default_value = "stop")]
    pub on_failure: OnFailure,
    /// Take arms in again that an earlier run left out
    #[arg(long)]
    pub restore: bool,
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Write the report here; .html, .md, .json or .svg says what it is [default: beside the study file, as .html]
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write no report
    #[arg(long, conflicts_with = "report")]
    pub no_report: bool,
    /// Show all arms, however many
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn jobs() -> impl TypedValueParser<Value = Jobs> {
    let most = Jobs::MOST as u64;
    RangedU64ValueParser::<usize>::new().range(1..=most).try_map(Jobs::try_from)
}

/// A cost: a number above zero.
fn cost(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    // Written so that NaN fails.
    number
        .filter(|cost| *cost > 0.0 && cost.is_finite())
        .ok_or_else(|| "write a number above 0, such as 500".to_owned())
}

/// A time: seconds, or a number with its unit.
pub fn time(text: &str) -> Result<Duration, String> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let unit = match unit {
        "ms" => Some(1e-3),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        "d" => Some(86_400.0),
        _ => None,
    };
    unit.zip(number.trim().parse::<f64>().ok())
        .filter(|(_, number)| *number > 0.0)
        .and_then(|(unit, number)| Duration::try_from_secs_f64(unit * number).ok())
        .ok_or_else(|| "write seconds, or a number with its unit, for example 90, 500ms, 10m, 2h or 7d".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| time(text).map(|time| time.as_secs_f64()).ok();
        assert_eq!(seconds("90"), Some(90.0));
        assert_eq!(seconds("0.5"), Some(0.5));
        assert_eq!(seconds("1e2"), Some(100.0));
        assert_eq!(seconds("500ms"), Some(0.5));
        assert_eq!(seconds("10 m"), Some(600.0));
        assert_eq!(seconds("2h"), Some(7200.0));
        assert_eq!(seconds("7d"), Some(604_800.0));
        for wrong in ["", "0", "-1", "nan", "inf", "1e300", "5 days", "s", "ten"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
