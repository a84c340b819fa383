//! Measurements that were made in different ways, and may be of different things.

use std::collections::HashMap;

use surefront::Problem;

use crate::answer::{ArmName, Change, ChangeOf};
use crate::file::study::StudyFile;
use crate::store::Measured;

/// Whether something is measured of the commands themselves: what runs beside them matters then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// Nothing: all values are printed.
    Nothing,
    /// Times or memory.
    Commands,
}

/// What is measured of the commands of a study.
pub fn has_measured_objective(file: &StudyFile, problem: &Problem) -> Timed {
    let any = (0..problem.objective_count()).any(|objective| file.measure(objective).is_some());
    if any { Timed::Commands } else { Timed::Nothing }
}

/// Where the observations that count were measured in one way first and in another later; by the order of their first observations.
pub fn changes(problem: &Problem, measured: &[Measured], timed: Timed) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut arms: Vec<usize> = measured.iter().map(|measured| measured.arm).collect();
    arms.sort_unstable();
    arms.dedup();
    for arm in arms {
        let ways =
            grouped(measured.iter().filter(|measured| measured.arm == arm), |measured| Some(measured.command.clone()));
        changes.extend(ways.windows(2).map(|pair| {
            change(
                Some(ArmName::of(problem, arm)),
                ChangeOf::Command,
                &pair[0],
                &pair[1].value,
                Some(pair[1].first_at.as_str()),
            )
        }));
    }
    if timed == Timed::Commands {
        let ways = grouped(measured, |measured| measured.jobs.map(|jobs| jobs.to_string()));
        let pairs = ways.windows(2);
        changes.extend(
            pairs.map(|pair| change(None, ChangeOf::Jobs, &pair[0], &pair[1].value, Some(pair[1].first_at.as_str()))),
        );
    }
    changes
}

/// How measurements that are made from now on differ from the last ones.
pub fn changes_ahead(
    file: &StudyFile,
    problem: &Problem,
    measured: &[Measured],
    jobs: u64,
    way: &dyn Fn(usize) -> Option<String>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut last: HashMap<usize, Vec<&Measured>> = HashMap::new();
    for measured in measured {
        last.entry(measured.arm).or_default().push(measured);
    }
    for arm in 0..problem.arm_count() {
        let (Some(ways), Some(command)) = (last.get(&arm), way(arm)) else { continue };
        let ways = grouped(ways.iter().copied(), |measured| Some(measured.command.clone()));
        if let Some(newest) = newest(&ways).filter(|newest| newest.value != command) {
            changes.push(change(Some(ArmName::of(problem, arm)), ChangeOf::Command, newest, &command, None));
        }
    }
    if has_measured_objective(file, problem) == Timed::Commands {
        let ways = grouped(measured, |measured| measured.jobs.map(|jobs| jobs.to_string()));
        let jobs = jobs.to_string();
        if let Some(newest) = newest(&ways).filter(|newest| newest.value != jobs) {
            changes.push(change(None, ChangeOf::Jobs, newest, &jobs, None));
        }
    }
    changes
}

/// Observations that have one way of measuring in common.
struct Way {
    value: String,
    count: u64,
    first_at: String,
    last_at: String,
}

/// The ways, in the order of their first observations; those of which nobody knows it are left aside.
fn grouped<'a>(
    measured: impl IntoIterator<Item = &'a Measured>,
    value: impl Fn(&Measured) -> Option<String>,
) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for measured in measured {
        let Some(value) = value(measured) else { continue };
        match ways.iter_mut().find(|way| way.value == value) {
            Some(way) => {
                way.count += measured.count;
                way.last_at = way.last_at.clone().max(measured.last_at.clone());
            }
            None => ways.push(Way {
                value,
                count: measured.count,
                first_at: measured.first_at.clone(),
                last_at: measured.last_at.clone(),
            }),
        }
    }
    ways
}

fn newest(ways: &[Way]) -> Option<&Way> {
    ways.iter().max_by(|one, other| one.last_at.cmp(&other.last_at))
}

fn change(arm: Option<ArmName>, of: ChangeOf, before: &Way, after: &str, at: Option<&str>) -> Change {
    Change {
        arm,
        of,
        before: before.value.clone(),
        after: after.to_owned(),
        observations_before: before.count,
        at: at.map(str::to_owned),
    }
}
