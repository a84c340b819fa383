//! Whom an arm is compared with: to prove where it stands, and to choose what is measured.

use crate::front::Front;
use crate::problem::Problem;
use crate::stopping::Gauge;

/// Whoever `arm` is proved against, or through: the others of the front and, of an arm of it, with margins everybody else, after a lesson everybody that is not settled as out.
pub(super) fn rivals<'a>(
    problem: &Problem,
    gauge: &'a Gauge,
    front: &'a Front,
    arm: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    let (beyond, margins) = (gauge.compares_beyond(problem) && front.contains(arm), problem.has_margins());
    let is_compared = move |other: usize| margins || front.contains(other) || !gauge.has_settled(other, false);
    others(problem, front, arm, beyond).filter(move |&other| !beyond || is_compared(other))
}

/// Whether `other` is one of those.
pub(super) fn is_rival(problem: &Problem, gauge: &Gauge, front: &Front, arm: usize, other: usize) -> bool {
    let is_other = other != arm && other < problem.arm_count();
    let is_unsettled = || gauge.has_learned() && front.contains(arm) && !gauge.has_settled(other, false);
    is_challenger(problem, front, arm, other) || is_other && is_unsettled()
}

/// Whom to look at to choose what is measured. After a lesson an arm of the front is proved against those off it as well, but what proves that these are dominated most often does that too: they are looked at once all seems to be proved
/// (docs/certified.md, "Sampling").
pub(super) fn challengers<'a>(
    problem: &Problem,
    front: &'a Front,
    arm: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    others(problem, front, arm, problem.has_margins() && front.contains(arm))
}

/// Whether `other` is one of those.
pub(super) fn is_challenger(problem: &Problem, front: &Front, arm: usize, other: usize) -> bool {
    let is_beyond = || problem.has_margins() && front.contains(arm);
    other != arm && other < problem.arm_count() && (front.contains(other) || is_beyond())
}

/// The others of the front, or everybody else.
fn others<'a>(problem: &Problem, front: &'a Front, arm: usize, all: bool) -> impl Iterator<Item = usize> + use<'a> {
    let members = if all { &[] } else { front.members() };
    let beyond = if all { 0..problem.arm_count() } else { 0..0 };
    members.iter().copied().chain(beyond).filter(move |&other| other != arm)
}
