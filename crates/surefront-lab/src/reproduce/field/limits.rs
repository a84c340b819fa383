//! The rules for limits beside ours, on instances with limits.

use serde::Serialize;
use surefront::{RuleKind, StoppingKind, Summary};
use surefront_study::words::number::{grouped, significant};
use surefront_study::words::table::{Align, TextTable, Width};

use super::{Contender, DELTA, EVERY, hold};
use crate::findings::rendered;
use crate::lab_error::LabError;
use crate::replication::Workers;
use crate::reproduce::constraints::instance::Instance;
use crate::reproduce::random_suite::geometric_mean;

/// All rules that heed limits, and can go on until a stop says that it is enough.
pub(super) fn contenders() -> Vec<Contender> {
    use RuleKind::{Dual, ECape, TrackAndStop, TwoStage, Uniform, Weakest};
    vec![
        Contender::new("dual", Dual, ""),
        Contender::new("weakest", Weakest, ""),
        Contender::new("track-and-stop", TrackAndStop, ""),
        Contender::new("e-cape", ECape, ""),
        Contender::new("uniform", Uniform, ""),
        Contender::new("e-cape", ECape, "").by_own_stop(),
        Contender::new("two-stage", TwoStage, "").by_own_stop(),
        Contender { threshold: StoppingKind::Certified, ..Contender::new("weakest", Weakest, "") },
    ]
}

/// A rule on instances with limits.
#[derive(Clone, Debug, Serialize)]
pub struct LimitsRow {
    /// The rule.
    pub rule: &'static str,
    /// What ends it.
    pub stop: &'static str,
    /// The geometric mean, over the instances, of the mean number of samples over T*·β.
    pub ratio: f64,
    /// Its standard error.
    pub ratio_se: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
    /// Runs, on all instances.
    pub runs: u64,
    /// Of one core.
    pub micros_per_sample: f64,
}

/// Runs of one contender on instances with limits.
pub(super) fn row(
    contender: &Contender,
    instances: &[Instance],
    runs: u64,
    seed: u64,
    workers: &Workers<'_>,
) -> Result<LimitsRow, LabError> {
    let held = (instances.iter())
        .map(|Instance { problem, truth, yardstick, .. }| {
            let summary = hold(contender, problem, truth, yardstick, runs, seed, workers)?;
            Ok((yardstick.ratio(summary.mean), summary))
        })
        .collect::<Result<Vec<(f64, Summary)>, LabError>>()?;
    let (ratio, ratio_se) = geometric_mean(held.iter().map(|(ratio, of)| (*ratio, of.se / of.mean)));
    let of = |count: fn(&Summary) -> u64| held.iter().map(|(_, summary)| count(summary)).sum();
    let spent: f64 = held.iter().map(|(_, of)| of.mean * of.runs as f64).sum();
    Ok(LimitsRow {
        rule: contender.label,
        stop: contender.stop(),
        ratio,
        ratio_se,
        mistakes: of(|summary| summary.mistakes),
        undecided: of(|summary| summary.undecided),
        runs: of(|summary| summary.runs),
        micros_per_sample: 1e6 * held.iter().map(|(_, of)| of.seconds).sum::<f64>() / spent,
    })
}

/// All of them.
pub(super) fn table(rows: &[LimitsRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("rule", Align::Left),
        ("stop", Align::Left),
        ("samples/(T*·β)", Align::Right),
        ("mistakes", Align::Right),
        ("undecided", Align::Right),
        ("of runs", Align::Right),
        ("µs/sample", Align::Right),
    ]);
    for row in rows {
        table.push(vec![
            row.rule.to_owned(),
            row.stop.to_owned(),
            format!("{:.2} ± {:.2}", row.ratio, row.ratio_se),
            grouped(row.mistakes),
            grouped(row.undecided),
            grouped(row.runs),
            significant(row.micros_per_sample, 2),
        ]);
    }
    format!(
        "Where arms have to keep limits: samples to an answer at δ = {DELTA} on every {EVERY}th of the instances of `reproduce constraints`\n\n{}\n",
        rendered(&table, width)
    )
}
