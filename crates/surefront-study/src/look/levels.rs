//! Values that repeat: a constant, 0 and 1, a few levels, coarse rounding.
//!
//! Gaussian values do not repeat; rounded ones do, and are as good as Gaussian while a standard deviation has two steps. There is no chance in it.

use serde::Serialize;
use surefront::{Goal, Problem, Tally};

use super::cell::Cell;
use super::seen::Seen;

/// Of fewer observations nothing is said.
const FEWEST: u64 = 5;

/// A value that was seen several times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// It.
    pub value: f64,
    /// How often.
    pub count: u64,
}

/// What the n values of an arm in an objective are, if they are coarse.
pub fn levels(problem: &Problem, tally: &Tally, arm: usize, objective: usize, cell: &Cell, n: u64) -> Option<Seen> {
    // Where variances are unknown, the tally has it, with larger values better.
    let (grain, sign) = match (cell.grain(), problem.objectives()[objective].goal) {
        (Some(grain), _) => (grain, 1.0),
        (None, Goal::Max) => (tally.grain(arm, objective)?, 1.0),
        (None, Goal::Min) => (tally.grain(arm, objective)?, -1.0),
    };
    let (low, high) = grain.range()?;
    if n < FEWEST || !grain.is_coarse(n as f64, cell.variance(n)) {
        return None;
    }
    let mut levels: Vec<Level> =
        grain.counted().map(|(value, count)| Level { value: sign * value + 0.0, count }).collect();
    levels.sort_by(|one, other| other.count.cmp(&one.count).then(one.value.total_cmp(&other.value)));
    let range = if sign > 0.0 { (low + 0.0, high + 0.0) } else { (0.0 - high, 0.0 - low) };
    Some(Seen::Levels { levels, complete: grain.levels().is_some(), range, given: cell.given(), observations: n })
}

/// Whether the variance given does for whatever values there are within their range: a quarter of its square is enough, and the promise holds.
pub fn are_provided_for(seen: &Seen) -> bool {
    let Seen::Levels { range: (low, high), given: Some(given), .. } = seen else { return false };
    let reach = high - low;
    reach > 0.0 && *given >= 0.25 * reach * reach * (1.0 - 1e-9)
}
