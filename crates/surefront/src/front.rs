//! Dominance, and the Pareto set of a model.
//!
//! An arm is *dominated* by another that is at least as good in every objective and better in one. The front is the set
//! of arms that no other dominates. So arms with equal means are on the front together or off it together; a single arm
//! is on the front; with one objective the front is the best arm, or all those tied for best. Where there are limits, only the arms that keep
//! them count, and there may be none.

use std::cmp::Ordering;

use crate::model::Model;

/// Whether `a` is at least as good as `b` in every objective (equal rows cover each other). Rows of unequal length do not compare.
#[inline]
pub fn covers(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x >= y)
}

/// Whether `a` dominates `b`: it covers `b` and is better in at least one objective.
#[inline]
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    covers(a, b) && a != b
}

/// Whether to name these arms is right: none of them is beaten by more than the margins in every objective, and every other arm is no better than one of them by more than the
/// margins. Without margins there is one right answer, the front. Where there are limits, only arms that keep them count, and only those are named.
///
/// # Panics
/// When there is no such arm.
pub fn is_right(model: &Model, named: &[usize]) -> bool {
    if !model.has_margins() {
        let mut named = named.to_vec();
        named.sort_unstable();
        return named == Front::of(model).members();
    }
    let arms = || 0..model.arm_count();
    let feasible = |arm: usize| model.is_feasible(arm);
    let is_beaten = |arm: usize, by: usize| {
        let mut rows = model.row(by).iter().zip(model.raised(arm)).enumerate();
        rows.all(|(j, (one, two))| one > two || model.is_idle(j))
    };
    let is_covered = |arm: usize| named.iter().any(|&by| covers(model.raised(by), model.row(arm)));
    let none_is_beaten =
        named.iter().all(|&arm| feasible(arm) && !arms().any(|by| by != arm && feasible(by) && is_beaten(arm, by)));
    none_is_beaten && arms().all(|arm| named.contains(&arm) || !feasible(arm) || is_covered(arm))
}

/// Whether neither of two arms is better than the other by more than the margins in any objective. Without margins, no arms are.
///
/// # Panics
/// When there is no such arm.
pub fn are_tied(model: &Model, one: usize, two: usize) -> bool {
    model.has_margins() && covers(model.raised(one), model.row(two)) && covers(model.raised(two), model.row(one))
}

/// The Pareto set of a model, with the room to compute the next one without allocating.
///
/// ```
/// # use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem};
/// # let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(
/// #     vec![objective("x"), objective("y")],
/// #     vec![Arm::named("a"), Arm::named("b"), Arm::named("c")],
/// # )?;
/// let model = Model::new(&problem, &[[1.0, 3.0], [2.0, 2.0], [1.0, 2.0]])?;
/// let front = Front::of(&model);
/// assert_eq!(front.members(), [0, 1]);
/// assert!(!front.contains(2));
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Front {
    members: Vec<usize>,
    is_member: Vec<bool>,
    order: Vec<usize>,
    stairs: Vec<(f64, f64)>,
}

impl PartialEq for Front {
    fn eq(&self, other: &Self) -> bool {
        self.is_member == other.is_member
    }
}

impl Front {
    /// The front of `model`.
    pub fn of(model: &Model) -> Self {
        let mut front = Front::default();
        front.recompute(model);
        front
    }

    /// The arms on the front, by ascending index.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// Whether `arm` is on the front; an arm that there is not is not.
    #[inline]
    pub fn contains(&self, arm: usize) -> bool {
        self.is_member.get(arm).is_some_and(|&member| member)
    }

    /// Puts an arm on the front: the caller knows that it belongs there.
    pub(crate) fn insert(&mut self, arm: usize) {
        self.is_member[arm] = true;
        if let Err(place) = self.members.binary_search(&arm) {
            self.members.insert(place, arm);
        }
    }

    /// Takes an arm off the front.
    pub(crate) fn remove(&mut self, arm: usize) {
        self.is_member[arm] = false;
        if let Ok(place) = self.members.binary_search(&arm) {
            self.members.remove(place);
        }
    }

    /// Makes this the front of `model`.
    ///
    /// The arms are visited in an order in which nobody is dominated by a later one. Up to three objectives the visited
    /// ones are summed up by a staircase, O(K log K) in all but adversarial orders; above that by the front found so far,
    /// O(K p).
    pub fn recompute(&mut self, model: &Model) {
        let d = model.objective_count();
        self.is_member.clear();
        self.is_member.resize(model.arm_count(), false);
        self.members.clear();
        if model.has_limits() {
            self.order.clear();
            self.order.extend((0..model.arm_count()).filter(|&arm| model.is_feasible(arm)));
        } else if self.order.len() != model.arm_count() {
            // The order of the last time is nearly the order of this time: keep it.
            self.order.clear();
            self.order.extend(0..model.arm_count());
        }
        if d <= 3 {
            self.order.sort_unstable_by(|&a, &b| lexicographic(model.row(b), model.row(a)).then(a.cmp(&b)));
            self.climb(model);
        } else {
            // Arms with a large sum dominate many others, and rounding keeps sums in the order of dominance.
            let sum = |arm: usize| model.row(arm).iter().sum::<f64>();
            self.order.sort_unstable_by(|&a, &b| {
                (sum(b).total_cmp(&sum(a))).then_with(|| lexicographic(model.row(b), model.row(a))).then(a.cmp(&b))
            });
            self.filter(model);
        }
        self.members.clear();
        self.members.extend((0..model.arm_count()).filter(|&arm| self.is_member[arm]));
        debug_assert!(!self.members.is_empty() || model.has_limits());
    }

    /// For at most three objectives: those visited before are at least as good in the first, so the staircase of the
    /// best second and third values decides.
    fn climb(&mut self, model: &Model) {
        let step = |row: &[f64]| match *row {
            [_] => (0.0, 0.0),
            [_, y] => (y, 0.0),
            [_, y, z] => (y, z),
            _ => unreachable!("at most three objectives"),
        };
        // Ascending in the first entry, strictly descending in the second.
        self.stairs.clear();
        for i in 0..self.order.len() {
            let arm = self.order[i];
            if i > 0 && model.row(self.order[i - 1]) == model.row(arm) {
                self.is_member[arm] = self.is_member[self.order[i - 1]];
                continue;
            }
            let (y, z) = step(model.row(arm));
            let at = self.stairs.partition_point(|s| s.0 < y);
            if self.stairs.get(at).is_some_and(|s| s.1 >= z) {
                continue;
            }
            self.is_member[arm] = true;
            let upto = at + usize::from(self.stairs.get(at).is_some_and(|s| s.0 == y));
            let from = self.stairs[..at].partition_point(|s| s.1 > z);
            self.stairs.splice(from..upto, [(y, z)]);
        }
    }

    /// For more objectives: compare with the front so far.
    fn filter(&mut self, model: &Model) {
        for i in 0..self.order.len() {
            let arm = self.order[i];
            let row = model.row(arm);
            match self.members.iter().position(|&other| dominates(model.row(other), row)) {
                // A good dominator is likely to dominate the next arm too: move it towards the head.
                Some(at) => self.members.swap(at, at / 2),
                None => {
                    self.is_member[arm] = true;
                    self.members.push(arm);
                }
            }
        }
    }
}

fn lexicographic(a: &[f64], b: &[f64]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(x, y)| x.partial_cmp(y).expect("means are never NaN"))
        .find(|&o| o != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::unit_problem;

    fn front(rows: &[Vec<f64>]) -> Vec<usize> {
        let problem = unit_problem(rows.len(), rows[0].len());
        Front::of(&Model::new(&problem, rows).unwrap()).members().to_vec()
    }

    /// The definition, in K².
    fn slow(rows: &[Vec<f64>]) -> Vec<usize> {
        (0..rows.len()).filter(|&k| !rows.iter().any(|other| dominates(other, &rows[k]))).collect()
    }

    #[test]
    fn one_arm_is_the_front() {
        assert_eq!(front(&[vec![-5.0, 2.0]]), [0]);
    }

    #[test]
    fn one_objective_is_best_arm_identification() {
        assert_eq!(front(&[vec![1.0], vec![3.0], vec![2.0]]), [1]);
        assert_eq!(front(&[vec![3.0], vec![1.0], vec![3.0]]), [0, 2]);
    }

    #[test]
    fn duplicates_share_their_fate() {
        let twins = [vec![1.0, 2.0], vec![2.0, 1.0], vec![1.0, 2.0], vec![0.0, 0.0], vec![0.0, 0.0]];
        assert_eq!(front(&twins), [0, 1, 2]);
    }

    #[test]
    fn a_tie_in_one_objective_dominates() {
        assert_eq!(front(&[vec![1.0, 2.0], vec![1.0, 3.0]]), [1]);
    }

    #[test]
    fn what_cannot_be_compared_is_not_comparable() {
        for (a, b) in [(&[1.0][..], &[1.0, 2.0][..]), (&[3.0, 3.0], &[1.0]), (&[], &[1.0])] {
            assert!(!covers(a, b) && !covers(b, a) && !dominates(a, b) && !dominates(b, a), "{a:?} {b:?}");
        }
        assert!(!Front::default().contains(3));
    }

    #[test]
    fn negative_zero_equals_zero() {
        assert_eq!(front(&[vec![0.0, 1.0, 0.0], vec![-0.0, 1.0, -0.0]]), [0, 1]);
        assert_eq!(front(&[vec![-0.0, 1.0, 0.0, 1.0], vec![0.0, 1.0, 0.0, 1.0]]), [0, 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Small integers make ties and duplicates common.
        #[test]
        fn the_fast_front_is_the_slow_front(
            rows in (1usize..=6).prop_flat_map(|d| prop::collection::vec(
                prop::collection::vec((-3i32..=3).prop_map(f64::from), d), 1..40)),
        ) {
            prop_assert_eq!(front(&rows), slow(&rows));
        }

        #[test]
        fn also_without_ties(
            rows in (1usize..=6).prop_flat_map(|d| prop::collection::vec(
                prop::collection::vec(-1.0f64..1.0, d), 1..60)),
        ) {
            prop_assert_eq!(front(&rows), slow(&rows));
        }
    }
}
