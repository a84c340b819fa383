//! One more reading to compare two arms by, where the correlation is given: a sum of objectives in which the noise of one makes up for that of another
//! (docs/certified.md, "Correlated readings").
//!
//! If an arm is dominated, it is no better in any sum of objectives with weights of zero or more. The sum that tells most is that of the forces at which it would be cheapest to confuse the two; it is
//! fixed by a lesson, and not changed after it.

use std::collections::HashMap;

use crate::correlation::Correlation;
use crate::model::Model;
use crate::problem::Problem;
use crate::side::Contrast;
use crate::transport::Basin;

/// So many pairs of arms have a sum of their own at most.
const ROOM: usize = 1 << 14;

/// A sum of objectives for one pair of arms.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    /// By objective; none is negative.
    along: Vec<f64>,
    /// Of one observation of the sum, of each arm.
    variances: [f64; 2],
    /// What it costs to confuse the two, by the early means.
    pub cost: f64,
    /// The objective that has the largest part in it.
    pub objective: usize,
}

/// The sums for the pairs of arms that were on the front.
#[derive(Clone, Debug, Default)]
pub(super) struct Directions(HashMap<(usize, usize), Direction>);

impl Directions {
    /// By early means and counts.
    pub fn new(problem: &Problem, means: &Model, counts: &[f64], members: &[usize]) -> Self {
        let given = matches!(problem.correlation(), Some(Correlation::Given(_)));
        if !given || members.len() * members.len() > ROOM {
            return Directions::default();
        }
        let pairs = members.iter().flat_map(|&arm| members.iter().map(move |&by| (arm, by)));
        let of =
            |(arm, by): (usize, usize)| Direction::new(problem, means, counts, arm, by).map(|sum| ((arm, by), sum));
        Directions(pairs.filter(|(arm, by)| arm != by).filter_map(of).collect())
    }

    /// That for "`arm` is not dominated by `by`".
    #[inline]
    pub fn get(&self, arm: usize, by: usize) -> Option<&Direction> {
        // Most studies have none.
        if self.0.is_empty() { None } else { self.0.get(&(arm, by)) }
    }
}

impl Direction {
    /// `None` where one objective alone tells as much, or a variance that it takes is unknown.
    fn new(problem: &Problem, means: &Model, counts: &[f64], arm: usize, by: usize) -> Option<Self> {
        let d = problem.objective_count();
        let mut basin = Basin::default();
        let total = basin.reset(d);
        // That of the arm with its head start.
        let covariance = |k: usize, i: usize, j: usize| {
            let factor = |j: usize| problem.raises().filter(|_| k == arm).map_or(1.0, |raises| raises[j].factor);
            factor(i) * factor(j) * problem.covariance(k, i, j)
        };
        for (i, j) in (0..d * d).map(|cell| (cell / d, cell % d)) {
            total[i * d + j] = covariance(arm, i, j) / counts[arm] + problem.covariance(by, i, j) / counts[by];
        }
        let known = |j: &usize| [arm, by].iter().all(|&k| !problem.noise(k, *j).is_estimated());
        for j in (0..d).filter(known) {
            basin.build(j, j, means.raised(arm)[j] - means.row(by)[j], f64::INFINITY);
        }
        let cost = basin.solve();
        let force = basin.force();
        let parts = |j: usize| force[j] * (means.raised(arm)[j] - means.row(by)[j]);
        let objective = (0..d).max_by(|&i, &j| parts(i).total_cmp(&parts(j)))?;
        if !(cost < f64::INFINITY && force.iter().filter(|&&force| force > 0.0).count() > 1) {
            return None;
        }
        // To any scale.
        let largest = force.iter().fold(0.0f64, |largest, force| largest.max(*force));
        let along: Vec<f64> = force.iter().map(|force| force / largest).collect();
        let variance = |k: usize| -> f64 {
            let cells = (0..d * d).map(|cell| (cell / d, cell % d));
            cells.map(|(i, j)| along[i] * along[j] * covariance(k, i, j)).sum::<f64>().max(0.0)
        };
        Some(Direction { variances: [arm, by].map(variance), along, cost, objective })
    }

    /// The two arms in this sum, with the means of a model and these counts.
    pub fn contrast(&self, model: &Model, arm: usize, by: usize, counts: (f64, f64)) -> Contrast {
        let gaps = model.raised(arm).iter().zip(model.row(by)).map(|(one, two)| one - two);
        let weight = |count: f64, variance: f64| if variance == 0.0 { f64::INFINITY } else { count / variance };
        Contrast {
            gap: gaps.zip(&self.along).map(|(gap, along)| gap * along).sum(),
            one: weight(counts.0, self.variances[0]),
            two: weight(counts.1, self.variances[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::law::Gaussian;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::seasons::Seasons;
    use crate::stopping::certified::{Care, Gauge, Outlook};
    use crate::tally::Tally;

    proptest! {
        /// The weights add up to one, the direction is the one in which the early means are furthest apart, and brackets hold.
        #[test]
        fn a_direction_is_one_more_objective(
            rho in -0.9..0.9f64,
            means in prop::collection::vec(-2.0..2.0f64, 9),
            drift in prop::collection::vec(-0.5..0.5f64, 9),
            counts in prop::collection::vec(4usize..60, 3),
            exact in prop::collection::vec(any::<bool>(), 3),
        ) {
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, Noise::Variance(1.0));
            let arm = |k: usize| {
                let noise = if exact[k] && k == 0 { Noise::Exact } else { Noise::Variance(1.0 + k as f64) };
                Arm::named(format!("{k}")).with_noise(vec![Noise::Variance(0.5), noise, Noise::Variance(2.0)])
            };
            let rows = vec![vec![1.0, rho, 0.0], vec![rho, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
            let problem = Problem::new((0..3).map(objective).collect(), (0..3).map(arm).collect()).unwrap();
            let problem = problem.with_correlation(Correlation::Given(rows)).unwrap();
            let mut seasons = Seasons::from(Tally::new(&problem));
            let row = |k: usize, later: f64| -> Vec<f64> {
                let shift = |j: usize| if exact[k] && k == 0 && j == 1 { 0.0 } else { later * drift[3 * k + j] };
                (0..3).map(|j| means[3 * k + j] + shift(j)).collect()
            };
            for k in 0..3 {
                (0..counts[k]).for_each(|_| seasons.add(&problem, k, &row(k, 0.0)).unwrap());
            }
            seasons.learn(&problem, 0.2, vec![false; 3]);
            for k in 0..3 {
                (0..2 * counts[k]).for_each(|_| seasons.add(&problem, k, &row(k, 1.0)).unwrap());
            }
            let gauge = Gauge::new(&problem, &seasons);
            let lesson = gauge.lesson().unwrap();
            let shown = gauge.shown(seasons.all().means());
            let early = seasons.split().unwrap().early.clone();
            for (arm, by) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                let objectives: f64 = lesson.ln_objectives(arm, by).iter().map(|weight| weight.exp()).sum();
                let along = lesson.direction(arm, by);
                // All of it, or what a surprise about the arm weighs.
                let whole = if lesson.expects(arm, true) { 1.0 } else { lesson.surprise(arm) };
                prop_assert!((objectives + along.map_or(0.0, |along| along.1.exp()) - whole).abs() < 1e-9);
                if let Some((direction, _)) = along {
                    let counts = (early.counts()[arm], early.counts()[by]);
                    let contrast = direction.contrast(early.means(), arm, by, counts);
                    prop_assert!((contrast.cost_by(Gaussian) - direction.cost).abs() <= 1e-9 * direction.cost);
                    prop_assert!(direction.along.iter().all(|&part| part >= 0.0));
                }
                let proof = gauge.proof_undominated(&problem, shown, arm, by, Care::Full);
                let bracket = gauge.bracket_undominated(&problem, shown, arm, by);
                prop_assert!(bracket.low <= proof && proof <= bracket.high, "{bracket:?} {proof}");
                prop_assert!(proof <= gauge.most_undominated(&problem, shown, arm, by));
                let claim = gauge.undominated(&problem, Outlook { likely: seasons.all().means(), shown }, arm, by);
                prop_assert!(claim.objective < 3);
            }
        }
    }
}
