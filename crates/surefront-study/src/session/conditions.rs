//! What a study's promise depends on, from what its store remembers.

use std::collections::HashSet;

use surefront::Problem;

use super::followed::Followed;
use crate::answer::Condition;
use crate::store::{EditOf, Ended, Ending, StoreFault, View};

/// What happened to the arms that take part, and to the study as a whole.
pub fn conditions(problem: &Problem, followed: &Followed, view: &View) -> Result<Vec<Condition>, StoreFault> {
    let left_out: HashSet<usize> = followed.dropped().iter().map(|dropped| dropped.arm).collect();
    let mut conditions = tickets(view, &left_out)?;
    let of_others = |counts: Vec<u64>| -> u64 {
        counts.iter().enumerate().filter(|(arm, _)| !left_out.contains(arm)).map(|(_, count)| count).sum()
    };
    match of_others(view.unasked()?) {
        0 => {}
        count => conditions.push(Condition::Unasked { count }),
    }
    match of_others(view.taken_back()?) {
        0 => {}
        count => conditions.push(Condition::TakenBack { count }),
    }
    if !left_out.is_empty() {
        let arms = followed.dropped().iter().map(|dropped| problem.arms()[dropped.arm].name.clone()).collect();
        conditions.push(Condition::LeftOut { arms });
    }
    conditions.extend(edits(problem, followed, view, &left_out)?);
    Ok(conditions)
}

/// Tickets without a result. What was laid aside whatever it showed is no condition.
fn tickets(view: &View, left_out: &HashSet<usize>) -> Result<Vec<Condition>, StoreFault> {
    let ended: Vec<Ended> = view.ended()?.into_iter().filter(|ended| !left_out.contains(&ended.arm)).collect();
    let count =
        |ending: Ending| ended.iter().filter(|ended| ended.ending == ending).map(|ended| ended.count).sum::<u64>();
    let conditions = [
        (Ending::Failed, (|count| Condition::Failed { count }) as fn(u64) -> Condition),
        (Ending::TimedOut, |count| Condition::TimedOut { count }),
        (Ending::GivenUp, |count| Condition::GivenUp { count }),
        (Ending::Lost, |count| Condition::Lost { count }),
        (Ending::Overdue, |count| Condition::Overdue { count }),
    ];
    let counted = conditions.into_iter().map(|(ending, condition)| (count(ending), condition));
    Ok(counted.filter(|(count, _)| *count > 0).map(|(count, condition)| condition(count)).collect())
}

/// What was changed while there were results, and is still otherwise than it was.
fn edits(
    problem: &Problem,
    followed: &Followed,
    view: &View,
    left_out: &HashSet<usize>,
) -> Result<Vec<Condition>, StoreFault> {
    let (mut added, mut removed, mut objectives, mut noisy) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut correlation, mut margins, mut limits) = (None, None, None);
    let now = followed.chosen().delta;
    let mut largest = match view.last_settings()?.delta {
        Some(kept) if followed.study().tally().total() > 0 => kept.max(now),
        _ => now,
    };
    let edits = view.edits()?;
    // What came late and went again leaves the arms that there were in the beginning.
    let late: HashSet<&str> =
        edits.iter().filter(|edit| edit.of == EditOf::ArmAdded).map(|edit| edit.name.as_str()).collect();
    for edit in &edits {
        let takes_part = problem.arm_named(&edit.name).filter(|arm| !left_out.contains(arm));
        let list = match edit.of {
            EditOf::ArmAdded if takes_part.is_some() => &mut added,
            EditOf::ArmRemoved if problem.arm_named(&edit.name).is_none() && !late.contains(edit.name.as_str()) => {
                &mut removed
            }
            EditOf::Noise => &mut objectives,
            EditOf::ArmNoise if takes_part.is_some() => &mut noisy,
            EditOf::Correlation => {
                correlation.get_or_insert(edit.before.clone());
                continue;
            }
            EditOf::Limits => {
                limits.get_or_insert(edit.before.clone());
                continue;
            }
            EditOf::Margins => {
                margins.get_or_insert(edit.before.clone());
                continue;
            }
            EditOf::Delta => {
                largest = edit.before.parse().map_or(largest, |before: f64| before.max(largest));
                continue;
            }
            _ => continue,
        };
        if !list.iter().any(|(name, _)| *name == edit.name) {
            // The first change is the one from how it was in the beginning.
            list.push((edit.name.clone(), edit.before.clone()));
        }
    }
    objectives.retain(|(name, before)| view.noise_of(name).is_some_and(|now| now != *before));
    noisy.retain(|(name, before)| problem.arm_named(name).is_some_and(|arm| view.noise_of_arm(arm) != *before));
    let names = |list: Vec<(String, String)>| list.into_iter().map(|(name, _)| name).collect::<Vec<String>>();
    let (added, removed, objectives, arms) = (names(added), names(removed), names(objectives), names(noisy));
    let mut conditions = Vec::new();
    if !added.is_empty() {
        conditions.push(Condition::Added { arms: added });
    }
    if !removed.is_empty() {
        conditions.push(Condition::Removed { arms: removed });
    }
    if !(objectives.is_empty() && arms.is_empty()) {
        conditions.push(Condition::Noise { objectives, arms });
    }
    if correlation.is_some_and(|before| before != view.correlation()) {
        conditions.push(Condition::Correlation);
    }
    if margins.is_some_and(|before| before != view.margins()) {
        conditions.push(Condition::Margins);
    }
    if limits.is_some_and(|before| before != view.limits()) {
        conditions.push(Condition::Limits);
    }
    if largest > now {
        conditions.push(Condition::Delta { before: largest, now });
    }
    Ok(conditions)
}
