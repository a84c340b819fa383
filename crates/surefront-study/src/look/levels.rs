//! Values that repeat: a constant, 0 and 1, a few levels, coarse rounding.
//!
//! Gaussian values do not repeat; rounded ones do, and are as good as Gaussian while a standard deviation has two steps. There is no chance in it.

use surefront::{Goal, Problem, Tally};

use super::cell::Cell;
use super::seen::{Level, Seen};

/// Of fewer observations nothing is said.
const FEWEST: u64 = 5;

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
