//! An arm as the oracle sees it, and two arms side by side.
//!
//! This is the one place where differences of means are taken, and where the cost of doing away with one is computed. Arms that are
//! named may have a head start ([`Margin`](crate::Margin)): those are *raised*. Another law of noise comes in by [`Law`].

use crate::bowl::share;
use crate::law::Law;
use crate::model::Model;
use crate::problem::Problem;

/// An arm: its means, 1 / variances and weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub mean: &'a [f64],
    pub precision: &'a [f64],
    pub weight: f64,
}

/// All arms of a model, at their weights. It holds plain slices, so that inner loops need not look them up again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roster<'a> {
    d: usize,
    means: &'a [f64],
    precisions: &'a [f64],
    weights: &'a [f64],
    raised_means: &'a [f64],
    raised_precisions: &'a [f64],
}

/// Two arms in one objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contrast {
    /// How far the first is ahead; negative where it is behind.
    pub gap: f64,
    /// The weight of the first arm's mean; infinite without noise.
    pub one: f64,
    /// The weight of the second arm's mean; infinite without noise.
    pub two: f64,
}

impl<'a> Roster<'a> {
    #[inline]
    pub fn new(problem: &'a Problem, model: &'a Model, weights: &'a [f64]) -> Self {
        Roster {
            d: model.objective_count(),
            means: model.rows(),
            precisions: problem.precisions(),
            weights,
            raised_means: model.raised_rows(),
            raised_precisions: problem.raised_precisions(),
        }
    }

    /// The means of an arm.
    #[inline]
    pub fn mean(self, arm: usize) -> &'a [f64] {
        &self.means[arm * self.d..(arm + 1) * self.d]
    }

    /// The means of an arm, raised by the margins.
    #[inline]
    pub fn raised_mean(self, arm: usize) -> &'a [f64] {
        &self.raised_means[arm * self.d..(arm + 1) * self.d]
    }

    /// An arm at its weight.
    #[inline]
    pub fn side(self, arm: usize) -> Side<'a> {
        let precision = &self.precisions[arm * self.d..(arm + 1) * self.d];
        Side { mean: self.mean(arm), precision, weight: self.weights[arm] }
    }

    /// An arm that is named, at its weight: with the head start that margins give it against others. The same arm where there are none.
    #[inline]
    pub fn raised(self, arm: usize) -> Side<'a> {
        let precision = &self.raised_precisions[arm * self.d..(arm + 1) * self.d];
        Side { mean: self.raised_mean(arm), precision, weight: self.weights[arm] }
    }
}

impl<'a> Side<'a> {
    /// By objective: the weight of the mean.
    #[inline]
    pub fn weights(self) -> impl Iterator<Item = f64> + 'a {
        self.precision.iter().map(move |&precision| coordinate_weight(self.weight, precision))
    }

    /// By objective: how far this arm is ahead of the other.
    #[inline]
    pub fn gaps(self, other: Side<'a>) -> impl Iterator<Item = f64> + 'a {
        self.mean.iter().zip(other.mean).map(|(&one, &two)| gap(one, two))
    }

    /// By objective: this arm and the other.
    #[inline]
    pub fn against(self, other: Side<'a>) -> impl Iterator<Item = Contrast> + 'a {
        // Cut to one length, so that it is looked at once.
        let d = self.mean.len();
        let (one, own) = (&self.mean[..d], &self.precision[..d]);
        let (two, others) = (&other.mean[..d], &other.precision[..d]);
        (0..d).map(move |j| Contrast {
            gap: gap(one[j], two[j]),
            one: coordinate_weight(self.weight, own[j]),
            two: coordinate_weight(other.weight, others[j]),
        })
    }

    /// This arm and the other in one objective.
    #[inline]
    pub fn contrast(self, other: Side<'_>, objective: usize) -> Contrast {
        Contrast {
            gap: self.gap(other, objective),
            one: coordinate_weight(self.weight, self.precision[objective]),
            two: coordinate_weight(other.weight, other.precision[objective]),
        }
    }

    /// How far this arm is ahead of the other in one objective.
    #[inline]
    pub fn gap(self, other: Side<'_>, objective: usize) -> f64 {
        gap(self.mean[objective], other.mean[objective])
    }
}

impl Contrast {
    /// The same, seen from the second arm.
    #[inline]
    pub fn reversed(self) -> Contrast {
        Contrast { gap: -self.gap, one: self.two, two: self.one }
    }

    /// Whether either arm has noise; if not, their order is not in doubt.
    #[inline]
    pub fn is_movable(self) -> bool {
        self.one < f64::INFINITY || self.two < f64::INFINITY
    }

    /// The least cost of moving both arms until they are level, by the law of the objective, around the first arm.
    #[inline]
    pub fn cost_by(self, law: impl Law) -> f64 {
        let law = law.of_weight(self.one);
        law.bottom(law.plus(law.alone(self.one), self.two, -self.gap)).floor
    }

    /// The first arm's part of the cost of moving both until they are level, by the law of the objective, around it; half where that costs nothing.
    pub fn share_by(self, law: impl Law) -> f64 {
        let law = law.of_weight(self.one);
        let level = law.bottom(law.plus(law.alone(self.one), self.two, -self.gap));
        // What has no noise does not move.
        match (self.one < f64::INFINITY, self.two < f64::INFINITY) {
            (true, true) if level.floor > 0.0 && level.floor < f64::INFINITY => {
                law.price(self.one, 0.0, level.centre) / level.floor
            }
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => 0.5,
        }
    }

    /// The part of the gap that the first arm goes when both move until they are level.
    #[inline]
    pub fn share(self) -> f64 {
        share(self.one, self.two)
    }
}

/// How far a mean is ahead of another; larger is better.
#[inline]
fn gap(one: f64, two: f64) -> f64 {
    one - two
}

/// The weight of one coordinate: infinite where there is no noise, even for an arm of weight zero.
#[inline]
pub(crate) fn coordinate_weight(weight: f64, precision: f64) -> f64 {
    if precision == f64::INFINITY { precision } else { weight * precision }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Gaussian;

    #[test]
    fn level_is_where_the_weights_balance() {
        let (one, two) = (
            Side { mean: &[3.0, 1.0], precision: &[1.0, f64::INFINITY], weight: 0.25 },
            Side { mean: &[1.0, 2.0], precision: &[1.0, 1.0], weight: 0.75 },
        );
        let contrasts: Vec<Contrast> = one.against(two).collect();
        assert_eq!((contrasts[0].gap, contrasts[0].share()), (2.0, 0.75));
        assert_eq!(contrasts[0].cost_by(Gaussian), 0.5 * 0.25 * 0.75 * 4.0);
        assert_eq!(contrasts[0].reversed().share(), 0.25);
        // Whoever has no noise stays.
        assert_eq!((contrasts[1].gap, contrasts[1].share()), (-1.0, 0.0));
        assert_eq!(contrasts[1].cost_by(Gaussian), 0.5 * 0.75);
        assert!(contrasts[1].is_movable());
        let certain = Contrast { gap: 1.0, one: f64::INFINITY, two: f64::INFINITY };
        assert!(!certain.is_movable() && certain.cost_by(Gaussian) == f64::INFINITY);
    }

    #[test]
    fn one_objective_is_as_in_the_row() {
        let one = Side { mean: &[3.0, 1.0], precision: &[2.0, f64::INFINITY], weight: 0.0 };
        let two = Side { mean: &[1.0, 2.5], precision: &[1.0, 3.0], weight: 2.0 };
        for (j, there) in one.against(two).enumerate() {
            let here = one.contrast(two, j);
            assert_eq!((here.gap, here.one, here.two), (there.gap, there.one, there.two));
            assert_eq!(one.gap(two, j), there.gap);
        }
    }
}
