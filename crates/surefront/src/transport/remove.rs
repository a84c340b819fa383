//! *Remove*: an arm of the front comes to be covered by another (paper, Lemma 2).
//!
//! In every objective where the arm is ahead, both move to their weighted mean; elsewhere nothing moves.

use super::parabola::{Parabola, half_square};
use crate::model::Model;
use crate::problem::Problem;
use crate::weights::Weights;

/// One of the two arms: its means, 1 / variances and weight.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub mean: &'a [f64],
    pub precision: &'a [f64],
    pub weight: f64,
}

/// An arm of a model, at its weight.
pub(crate) fn side<'a>(problem: &'a Problem, model: &'a Model, weights: &Weights, arm: usize) -> Side<'a> {
    Side { mean: model.row(arm), precision: problem.precision(arm), weight: weights[arm] }
}

/// The weight of one coordinate: infinite where there is no noise, even for an arm of weight zero.
#[inline]
pub(crate) fn coordinate_weight(weight: f64, precision: f64) -> f64 {
    if precision == f64::INFINITY { precision } else { weight * precision }
}

/// The least cost of a model in which the second arm covers the first, and of one in which the first covers the second; infinite
/// if there is none.
#[inline]
pub(crate) fn costs(one: Side, two: Side) -> (f64, f64) {
    let (mut there, mut back) = (0.0, 0.0);
    let mut movable = false;
    let means = one.mean.iter().zip(two.mean);
    for ((x, y), (&p, &q)) in means.zip(one.precision.iter().zip(two.precision)) {
        let (a, b) = (coordinate_weight(one.weight, p), coordinate_weight(two.weight, q));
        movable |= a < f64::INFINITY || b < f64::INFINITY;
        let gap = x - y;
        if gap > 0.0 {
            there += Parabola::at_origin(a).plus(b, gap).floor;
        } else if gap < 0.0 {
            back += Parabola::at_origin(b).plus(a, -gap).floor;
        }
    }
    // Two arms without any noise: whether one dominates the other is not in doubt.
    if movable { (there, back) } else { (f64::INFINITY, f64::INFINITY) }
}

/// The cost of the closest model in which `through` covers `arm`; infinite if there is none.
pub(crate) fn removal_cost(problem: &Problem, model: &Model, weights: &Weights, arm: usize, through: usize) -> f64 {
    costs(side(problem, model, weights, arm), side(problem, model, weights, through)).0
}

/// The cost of the closest model in which `ahead` is no longer ahead of `behind` in one objective; zero where it is not.
pub(crate) fn lead(
    problem: &Problem,
    model: &Model,
    weights: &Weights,
    ahead: usize,
    behind: usize,
    objective: usize,
) -> f64 {
    let coordinate = |arm: usize| {
        let Side { mean, precision, weight } = side(problem, model, weights, arm);
        (mean[objective], coordinate_weight(weight, precision[objective]))
    };
    let ((high, one), (low, two)) = (coordinate(ahead), coordinate(behind));
    if one == f64::INFINITY && two == f64::INFINITY {
        return if high >= low { f64::INFINITY } else { 0.0 };
    }
    if high > low { Parabola::at_origin(one).plus(two, high - low).floor } else { 0.0 }
}

/// Where the two meet: writes the arms' means in the closest such model and returns their gradients.
pub(crate) fn closest(arm: Side, through: Side, arm_to: &mut [f64], through_to: &mut [f64]) -> (f64, f64) {
    let (mut arm_gradient, mut through_gradient) = (0.0, 0.0);
    for j in 0..arm.mean.len() {
        let (from, to) = (arm.mean[j], through.mean[j]);
        if from <= to {
            arm_to[j] = from;
            through_to[j] = to;
            continue;
        }
        let (a, b) =
            (coordinate_weight(arm.weight, arm.precision[j]), coordinate_weight(through.weight, through.precision[j]));
        // The share of the way that `arm` goes; two arms of weight zero meet half-way.
        let share = match (a < f64::INFINITY, b < f64::INFINITY) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) if a + b == 0.0 => 0.5,
            (true, true) => b / (a + b),
        };
        let gap = from - to;
        let meeting = if share == 0.0 { from } else { to + (1.0 - share) * gap };
        arm_to[j] = meeting;
        through_to[j] = meeting;
        arm_gradient += half_square(arm.precision[j], share * gap);
        through_gradient += half_square(through.precision[j], (1.0 - share) * gap);
    }
    (arm_gradient, through_gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: f64 = f64::INFINITY;

    fn cost(arm: Side, through: Side) -> f64 {
        let (there, back) = costs(arm, through);
        assert_eq!((back, there), costs(through, arm));
        there
    }

    fn side<'a>(mean: &'a [f64], precision: &'a [f64], weight: f64) -> Side<'a> {
        Side { mean, precision, weight }
    }

    #[test]
    fn the_papers_formula() {
        let (a, b) = (side(&[3.0, 1.0], &[1.0, 1.0], 0.25), side(&[1.0, 2.0], &[1.0, 1.0], 0.75));
        let expected = 0.5 * (0.25 * 0.75) * 4.0;
        assert!((cost(a, b) - expected).abs() < 1e-15);
        let (mut to_a, mut to_b) = ([0.0; 2], [0.0; 2]);
        let (ga, gb) = closest(a, b, &mut to_a, &mut to_b);
        assert!((ga - 0.5 * (0.75f64).powi(2) * 4.0).abs() < 1e-15);
        assert!((gb - 0.5 * (0.25f64).powi(2) * 4.0).abs() < 1e-15);
        assert_eq!((to_a, to_b), ([1.5, 1.0], [1.5, 2.0]));
        assert!((0.25 * ga + 0.75 * gb - expected).abs() < 1e-15);
    }

    #[test]
    fn without_noise_there_is_no_moving() {
        let noisy_first = [1.0, EXACT];
        let ahead = side(&[0.0, 2.0], &noisy_first, 1.0);
        let behind = side(&[1.0, 1.0], &noisy_first, 1.0);
        assert_eq!(cost(ahead, behind), f64::INFINITY);
        assert_eq!(cost(behind, ahead), 0.25);
        let certain = side(&[1.0, 1.0], &[EXACT, EXACT], 1.0);
        assert_eq!(cost(certain, certain), f64::INFINITY);
        let (mut to_a, mut to_b) = ([0.0; 2], [0.0; 2]);
        let fixed = side(&[2.0, 1.0], &[EXACT, 1.0], 0.0);
        let moved = side(&[1.0, 1.0], &[1.0, 1.0], 4.0);
        assert_eq!(cost(fixed, moved), 2.0);
        assert_eq!(closest(fixed, moved, &mut to_a, &mut to_b), (0.0, 0.5));
        assert_eq!((to_a[0], to_b[0]), (2.0, 2.0));
    }

    #[test]
    fn ties_and_twins_cost_nothing() {
        let twin = side(&[1.0, 2.0], &[1.0, 1.0], 1.0);
        assert_eq!(cost(twin, twin), 0.0);
        let free = side(&[3.0, 2.0], &[1.0, 1.0], 0.0);
        assert_eq!(cost(free, twin), 0.0);
        let (mut to_a, mut to_b) = ([0.0; 2], [0.0; 2]);
        assert_eq!(closest(free, twin, &mut to_a, &mut to_b), (2.0, 0.0));
    }
}
