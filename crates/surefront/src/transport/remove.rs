//! *Remove*: an arm of the front comes to be covered by another (paper, Lemma 2).
//!
//! In every objective where the arm is ahead, both move to their weighted mean; elsewhere nothing moves.

use super::coupled::Meeting;
use super::crossings::Entrance;
use super::toll::Tolls;
use crate::law::{Law, Laws, with_laws};
use crate::question::Question;
use crate::side::{Contrast, Side};

/// The least cost of a model in which the second arm covers the first, and of one in which the first covers the second; infinite
/// if there is none.
#[inline(always)]
pub(crate) fn costs(laws: impl Laws, one: Side, two: Side) -> (f64, f64) {
    let (mut there, mut back) = (0.0, 0.0);
    let mut movable = false;
    for (j, contrast) in one.against(two).enumerate() {
        movable |= contrast.is_movable();
        if contrast.gap > 0.0 {
            there += contrast.cost_by(laws.of_raised(j, one.mean[j]));
        } else if contrast.gap < 0.0 {
            back += contrast.reversed().cost_by(laws.law(j, two.mean));
        }
    }
    // Two arms without any noise: whether one dominates the other is not in doubt.
    if movable { (there, back) } else { (f64::INFINITY, f64::INFINITY) }
}

/// No more than these, quickly.
#[inline]
pub(super) fn costs_at_least(laws: impl Laws, one: Side, two: Side) -> (f64, f64) {
    let (mut there, mut back) = (0.0, 0.0);
    for (j, contrast) in one.against(two).enumerate() {
        let weights = (contrast.one, contrast.two);
        if contrast.gap > 0.0 {
            there += laws.law(j, one.mean).level_at_least(weights, contrast.gap);
        } else if contrast.gap < 0.0 {
            back += laws.law(j, one.mean).level_at_least(weights, contrast.gap);
        }
    }
    (there, back)
}

/// The least cost of a model in which the second arm covers the first, infinite if there is none, if it is no more than `enough`; otherwise a bound of it that is more than `enough`.
#[inline]
fn cost_within(laws: impl Laws, one: Side, two: Side, enough: f64) -> Result<f64, f64> {
    let (mut there, mut is_ahead) = (0.0, false);
    for (j, gap) in one.gaps(two).enumerate() {
        if gap > 0.0 {
            is_ahead = true;
            there += one.contrast(two, j).cost_by(laws.of_raised(j, one.mean[j]));
            if there > enough {
                return Err(there);
            }
        }
    }
    // Two arms without any noise: whether one dominates the other is not in doubt. Where one is ahead then, the cost is infinite by itself.
    let movable = is_ahead || one.against(two).any(Contrast::is_movable);
    Ok(if movable { there } else { f64::INFINITY })
}

/// The cost of the closest model in which `through` keeps its limits and covers `arm`, by more than the margins; infinite if there is none.
pub(crate) fn removal_cost(question: &Question<'_>, arm: usize, through: usize) -> f64 {
    let (one, two) = (question.raised(arm), question.side(through));
    if let Some(coupling) = question.problem().coupling() {
        return Meeting::default().cost(coupling, one, two);
    }
    let entrance = Tolls::new(question).map(|tolls| Entrance::of(tolls, through)).filter(|entrance| entrance.breaks);
    with_laws!(question.problem(), laws => removal_cost_by(laws, one, two, entrance.as_ref()))
}

/// The cost of the closest model in which the second arm, which has to do this for its limits, covers the first; infinite if there is none.
pub(super) fn removal_cost_by(laws: impl Laws, one: Side, two: Side, entrance: Option<&Entrance>) -> f64 {
    removal_within(laws, one, two, entrance, f64::INFINITY).unwrap_or_else(|bound| bound)
}

/// The same if it is no more than `enough`; otherwise a bound of it that is more than `enough`. Most arms are so far from covering another that one objective tells.
#[inline]
pub(super) fn removal_within(
    laws: impl Laws,
    one: Side,
    two: Side,
    entrance: Option<&Entrance>,
    enough: f64,
) -> Result<f64, f64> {
    let Some(entrance) = entrance else { return cost_within(laws, one, two, enough) };
    let mut sum = 0.0;
    for (j, contrast) in one.against(two).enumerate() {
        if entrance.cost + sum > enough {
            break;
        }
        sum += uncovered(laws, one, two, (j, contrast), entrance.by(j));
    }
    // Sums of what is not negative only grow.
    let cost = entrance.cost + sum;
    if cost > enough { Err(cost) } else { Ok(cost) }
}

/// The least cost of one objective, in a model in which the second arm is level with the first there or ahead of it, and better than it is by so much at least.
#[inline]
fn uncovered(laws: impl Laws, one: Side, two: Side, (j, contrast): (usize, Contrast), by: f64) -> f64 {
    let Contrast { gap, one: ahead, two: behind } = contrast;
    let raised = laws.of_raised(j, one.mean[j]);
    if gap > 0.0 && (by == 0.0 || raised.split(ahead, behind, gap).1 >= by) {
        contrast.cost_by(raised)
    } else if by > 0.0 {
        let law = laws.law(j, two.mean);
        law.price(behind, 0.0, by) + law.step(ahead, gap, (by - gap).min(0.0))
    } else {
        0.0
    }
}

/// The cost of the closest model in which `ahead`, which is named, is no longer ahead of `behind` in one objective; zero where it is not.
pub(crate) fn lead(question: &Question<'_>, ahead: usize, behind: usize, objective: usize) -> f64 {
    let side = question.raised(ahead);
    let contrast = side.contrast(question.side(behind), objective);
    if !contrast.is_movable() {
        return if contrast.gap >= 0.0 { f64::INFINITY } else { 0.0 };
    }
    if contrast.gap > 0.0 {
        with_laws!(question.problem(), laws => contrast.cost_by(laws.of_raised(objective, side.mean[objective])))
    } else {
        0.0
    }
}

/// Where the two meet: writes the arms' means in the closest such model and returns their gradients.
#[inline]
pub(crate) fn closest(
    laws: impl Laws,
    arm: Side,
    through: Side,
    arm_to: &mut [f64],
    through_to: &mut [f64],
) -> (f64, f64) {
    let (mut arm_gradient, mut through_gradient) = (0.0, 0.0);
    for (j, contrast) in arm.against(through).enumerate() {
        let (from, to, gap) = (arm.mean[j], through.mean[j], contrast.gap);
        if gap <= 0.0 {
            arm_to[j] = from;
            through_to[j] = to;
            continue;
        }
        debug_assert!(contrast.is_movable(), "two arms that cannot meet make the cost infinite");
        // The arm comes down, and the other up.
        let law = laws.of_raised(j, from);
        let (down, up) = law.split(contrast.one, contrast.two, gap);
        let meeting = if down == 0.0 { from } else { to + up };
        arm_to[j] = meeting;
        through_to[j] = meeting;
        arm_gradient += law.price(arm.precision[j], 0.0, -down);
        through_gradient += law.step(through.precision[j], -gap, up);
    }
    (arm_gradient, through_gradient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Gaussian;

    const EXACT: f64 = f64::INFINITY;

    fn cost(arm: Side, through: Side) -> f64 {
        let (there, back) = costs(Gaussian, arm, through);
        assert_eq!((back, there), costs(Gaussian, through, arm));
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
        let (ga, gb) = closest(Gaussian, a, b, &mut to_a, &mut to_b);
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
        assert_eq!(closest(Gaussian, fixed, moved, &mut to_a, &mut to_b), (0.0, 0.5));
        assert_eq!((to_a[0], to_b[0]), (2.0, 2.0));
    }

    #[test]
    fn ties_and_twins_cost_nothing() {
        let twin = side(&[1.0, 2.0], &[1.0, 1.0], 1.0);
        assert_eq!(cost(twin, twin), 0.0);
        let free = side(&[3.0, 2.0], &[1.0, 1.0], 0.0);
        assert_eq!(cost(free, twin), 0.0);
        let (mut to_a, mut to_b) = ([0.0; 2], [0.0; 2]);
        assert_eq!(closest(Gaussian, free, twin, &mut to_a, &mut to_b), (2.0, 0.0));
    }
}
