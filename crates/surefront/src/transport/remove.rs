//! *Remove*: an arm of the front comes to be covered by another (paper, Lemma 2).
//!
//! In every objective where the arm is ahead, both move to their weighted mean; elsewhere nothing moves.

use super::coupled::Meeting;
use super::toll::Tolls;
use crate::law::{Law, Laws, with_laws};
use crate::question::Question;
use crate::side::{Contrast, Side};

/// The least cost of a model in which the second arm covers the first, and of one in which the first covers the second; infinite
/// if there is none.
#[inline]
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

/// The least cost of a model in which the second arm covers the first; infinite if there is none.
#[inline]
pub(crate) fn cost(laws: impl Laws, one: Side, two: Side) -> f64 {
    let (mut there, mut movable) = (0.0, false);
    for (j, contrast) in one.against(two).enumerate() {
        movable |= contrast.is_movable();
        if contrast.gap > 0.0 {
            there += contrast.cost_by(laws.of_raised(j, one.mean[j]));
        }
    }
    if movable { there } else { f64::INFINITY }
}

/// The cost of the closest model in which `through` keeps its limits and covers `arm`, by more than the margins; infinite if there is none.
pub(crate) fn removal_cost(question: &Question<'_>, arm: usize, through: usize) -> f64 {
    if let Some(coupling) = question.problem().coupling() {
        return Meeting::default().cost(coupling, question.raised(arm), question.side(through));
    }
    with_laws!(question.problem(), laws => beyond_margins(laws, question, arm, through))
}

/// The same of readings that are not correlated, by the laws of their objectives.
#[inline]
pub(super) fn beyond_margins(laws: impl Laws, question: &Question<'_>, arm: usize, through: usize) -> f64 {
    match Tolls::new(question) {
        None => cost(laws, question.raised(arm), question.side(through)),
        Some(tolls) => removal(laws, question, tolls, arm, through),
    }
}

/// The same by the limits of the arms.
fn removal(laws: impl Laws, question: &Question<'_>, tolls: Tolls<'_>, arm: usize, through: usize) -> f64 {
    let (one, two) = (question.raised(arm), question.side(through));
    if tolls.is_kept(through) {
        return cost(laws, one, two);
    }
    let by = |j: usize| tolls.bounds(through).find(|bound| bound.0 == j).map_or(0.0, |bound| bound.1);
    entry(tolls, through) + uncovered(laws, one, two, by)
}

/// What it costs an arm to keep the limits of what is only limited.
pub(super) fn entry(tolls: Tolls<'_>, arm: usize) -> f64 {
    tolls.entries(arm).map(|toll| toll.cost).sum()
}

/// The least cost of what is optimised in a model in which the second arm covers the first, and is better by so much at least in each objective.
#[inline]
fn uncovered(laws: impl Laws, one: Side, two: Side, by: impl Fn(usize) -> f64) -> f64 {
    let objectives = one.against(two).enumerate().map(|(j, contrast)| {
        let Contrast { gap, one: ahead, two: behind } = contrast;
        let law = laws.law(j, two.mean);
        let by = by(j);
        let raised = laws.of_raised(j, one.mean[j]);
        if gap > 0.0 && raised.split(ahead, behind, gap).1 >= by {
            contrast.cost_by(raised)
        } else if by > 0.0 {
            law.price(behind, 0.0, by) + law.step(ahead, gap, (by - gap).min(0.0))
        } else {
            0.0
        }
    });
    objectives.sum()
}

/// What it takes an arm to keep its limits, kept for as long as it is not observed.
#[derive(Clone, Debug, Default)]
pub(super) struct Entrance {
    /// Whether it breaks any.
    breaks: bool,
    /// What it costs to keep those of what is only limited.
    cost: f64,
    /// By objective: how much better it has to be; empty if that is nowhere the case.
    by: Vec<f64>,
}

impl Entrance {
    /// Looks at the arm again.
    pub fn update(&mut self, question: &Question<'_>, arm: usize) {
        let tolls = Tolls::new(question);
        self.breaks = tolls.is_some_and(|tolls| !tolls.is_kept(arm));
        if let Some(tolls) = tolls.filter(|_| self.breaks) {
            self.cost = entry(tolls, arm);
            self.by.clear();
            for (j, by) in tolls.bounds(arm) {
                self.by.resize(question.model().objective_count(), 0.0);
                self.by[j] = by;
            }
        }
    }

    /// [`beyond_margins`] through the arm that it is of.
    #[inline]
    pub fn beyond_margins(&self, laws: impl Laws, question: &Question<'_>, arm: usize, through: usize) -> f64 {
        let (one, two) = (question.raised(arm), question.side(through));
        match &self.by[..] {
            _ if !self.breaks => cost(laws, one, two),
            [] => self.cost + uncovered(laws, one, two, |_| 0.0),
            by => self.cost + uncovered(laws, one, two, |j| by[j]),
        }
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
