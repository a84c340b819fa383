//! The front of a model of which one arm changes at a time.
//!
//! Every arm off the front remembers one arm of the front that dominates it, and that one knows who does. When an arm moves, only
//! those that remember it, and the arm itself, can change sides: O(p d) for the arm and O(d) for each that remembers it; never K².
//! A member knows how high those that remember it reach, and while it is above that in every objective, it need not look at them.

use crate::front::{Front, dominates};
use crate::model::Model;

/// A front that follows its model.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveFront {
    front: Front,
    /// By arm off the front: an arm of the front that dominates it.
    dominator: Vec<usize>,
    /// By arm: the arms that remember it, and perhaps some that have forgotten it since.
    dependents: Vec<Vec<usize>>,
    /// By arm, and in it by objective: none of those that remember it is higher.
    ceiling: Vec<f64>,
    /// Arms that may have changed sides in the last update, and the side they were on.
    touched: Vec<(usize, bool)>,
    orphans: Vec<usize>,
}

impl LiveFront {
    /// Begins anew with all of `model`.
    pub fn reset(&mut self, model: &Model) {
        self.front.recompute(model);
        self.dominator.clear();
        self.dominator.resize(model.arm_count(), usize::MAX);
        self.dependents.clear();
        self.dependents.resize(model.arm_count(), Vec::new());
        self.ceiling.clear();
        self.ceiling.resize(model.arm_count() * model.objective_count(), f64::NEG_INFINITY);
        for arm in 0..model.arm_count() {
            if !self.front.contains(arm) && model.is_feasible(arm) {
                let dominator = self.find_dominator(model, arm).expect("an arm off the front is dominated");
                self.remember(model, arm, dominator);
            }
        }
    }

    /// The front.
    pub fn front(&self) -> &Front {
        &self.front
    }

    /// The arms that changed sides in the last update, and whether they are on the front now.
    pub fn changes(&self) -> impl Iterator<Item = (usize, bool)> {
        self.touched
            .iter()
            .map(|&(arm, was)| (arm, was, self.front.contains(arm)))
            .filter(|c| c.1 != c.2)
            .map(|c| (c.0, c.2))
    }

    /// Follows a change of the means of `arm`.
    pub fn update(&mut self, model: &Model, arm: usize) {
        self.touched.clear();
        if model.has_limits() && self.comes_or_goes(model, arm) {
            return;
        }
        if !self.front.contains(arm) {
            let dominator = self.dominator[arm];
            if dominates(model.row(dominator), model.row(arm)) {
                raise(ceiling(&mut self.ceiling, model, dominator), model.row(arm));
            } else {
                self.place(model, arm);
            }
            return;
        }
        self.find_orphans(model, arm);
        let (members, row) = (self.front.members().iter(), model.row(arm));
        let rival = |&&other: &&usize| dominates(model.row(other), row) || dominates(row, model.row(other));
        if self.orphans.is_empty() && !members.clone().any(|other| rival(&other)) {
            return;
        }
        // Off and on again: the arm may be dominated now, or dominate others.
        self.leave(model, arm, usize::MAX);
        self.place(model, arm);
        let orphans = std::mem::take(&mut self.orphans);
        for &orphan in &orphans {
            self.place(model, orphan);
        }
        self.orphans = orphans;
        self.adopt(model, arm);
        debug_assert_eq!(self.front, Front::of(model));
    }

    /// Follows a change of `arm` that has to do with its limits: whether that is all there is to follow. Arms that do not keep them take no part: no member remembers them.
    fn comes_or_goes(&mut self, model: &Model, arm: usize) -> bool {
        let took_part = self.front.contains(arm) || self.dominator[arm] != usize::MAX;
        match (took_part, model.is_feasible(arm)) {
            (true, true) => return false,
            (false, false) => {}
            (false, true) => self.place(model, arm),
            (true, false) if !self.front.contains(arm) => self.dominator[arm] = usize::MAX,
            (true, false) => {
                let dependents = std::mem::take(&mut self.dependents[arm]);
                self.leave(model, arm, usize::MAX);
                ceiling(&mut self.ceiling, model, arm).fill(f64::NEG_INFINITY);
                for other in dependents {
                    if self.dominator[other] == arm {
                        self.dominator[other] = usize::MAX;
                        self.place(model, other);
                    }
                }
            }
        }
        debug_assert_eq!(self.front, Front::of(model));
        true
    }

    /// Puts an arm on the front unless a member dominates it; members that it dominates leave.
    fn place(&mut self, model: &Model, arm: usize) {
        self.touch(arm);
        if let Some(dominator) = self.find_dominator(model, arm) {
            self.remember(model, arm, dominator);
            return;
        }
        for place in (0..self.front.members().len()).rev() {
            let member = self.front.members()[place];
            if dominates(model.row(arm), model.row(member)) {
                self.leave(model, member, arm);
            }
        }
        self.front.insert(arm);
        self.dominator[arm] = usize::MAX;
    }

    /// Takes a member off the front because another one, or nobody yet, dominates it; whoever remembered it is dominated by that one
    /// too.
    fn leave(&mut self, model: &Model, member: usize, dominator: usize) {
        self.touch(member);
        self.front.remove(member);
        self.dominator[member] = usize::MAX;
        if dominator != usize::MAX {
            self.remember(model, member, dominator);
            self.hand_over(model, member, dominator);
        }
    }

    /// If the arm that moved has left the front, those it dominates are dominated by its dominator.
    fn adopt(&mut self, model: &Model, arm: usize) {
        if !self.front.contains(arm) {
            self.hand_over(model, arm, self.dominator[arm]);
        }
    }

    /// Makes those that remember `from` remember `to`.
    fn hand_over(&mut self, model: &Model, from: usize, to: usize) {
        let mut dependents = std::mem::take(&mut self.dependents[from]);
        for other in dependents.drain(..) {
            if self.dominator[other] == from {
                self.remember(model, other, to);
            }
        }
        self.dependents[from] = dependents;
        ceiling(&mut self.ceiling, model, from).fill(f64::NEG_INFINITY);
    }

    fn remember(&mut self, model: &Model, arm: usize, dominator: usize) {
        if self.dominator[arm] != dominator {
            self.dominator[arm] = dominator;
            self.dependents[dominator].push(arm);
        }
        raise(ceiling(&mut self.ceiling, model, dominator), model.row(arm));
    }

    /// Lists those that remember `arm`, a member, though it does not dominate them any more. If it is above all that remember it,
    /// there are none, and they need not be gone through.
    fn find_orphans(&mut self, model: &Model, arm: usize) {
        self.orphans.clear();
        let (row, ceiling) = (model.row(arm), ceiling(&mut self.ceiling, model, arm));
        if row.iter().zip(&*ceiling).all(|(mean, highest)| mean > highest) {
            return;
        }
        ceiling.fill(f64::NEG_INFINITY);
        let (dominator, orphans) = (&self.dominator, &mut self.orphans);
        self.dependents[arm].retain(|&other| {
            let remembers = dominator[other] == arm;
            let dominated = remembers && dominates(row, model.row(other));
            if dominated {
                raise(ceiling, model.row(other));
            } else if remembers {
                orphans.push(other);
            }
            dominated
        });
    }

    fn find_dominator(&self, model: &Model, arm: usize) -> Option<usize> {
        self.front.members().iter().copied().find(|&member| dominates(model.row(member), model.row(arm)))
    }

    fn touch(&mut self, arm: usize) {
        if !self.touched.iter().any(|touched| touched.0 == arm) {
            self.touched.push((arm, self.front.contains(arm)));
        }
    }
}

fn ceiling<'a>(ceilings: &'a mut [f64], model: &Model, arm: usize) -> &'a mut [f64] {
    let d = model.objective_count();
    &mut ceilings[arm * d..(arm + 1) * d]
}

fn raise(ceiling: &mut [f64], row: &[f64]) {
    for (highest, &mean) in ceiling.iter_mut().zip(row) {
        if mean > *highest {
            *highest = mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front::covers;
    use crate::testing::unit_problem;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Small integers make ties, duplicates and changes of the front common.
        #[test]
        fn follows_every_change(
            d in 1usize..=4,
            k in 1usize..15,
            moves in prop::collection::vec((0usize..15, prop::collection::vec(-3i32..=3, 4)), 1..80),
        ) {
            let problem = unit_problem(k, d);
            let mut model = Model::new(&problem, &vec![vec![0.0; d]; k]).unwrap();
            let mut live = LiveFront::default();
            live.reset(&model);
            for (arm, values) in moves {
                let arm = arm % k;
                let before = live.front().clone();
                let to: Vec<f64> = values[..d].iter().map(|&x| f64::from(x)).collect();
                model.set(arm, &to);
                live.update(&model, arm);
                prop_assert_eq!(live.front(), &Front::of(&model));
                let changed: Vec<usize> =
                    (0..k).filter(|&arm| before.contains(arm) != live.front().contains(arm)).collect();
                let mut told: Vec<usize> = live.changes().map(|change| change.0).collect();
                told.sort_unstable();
                prop_assert_eq!(told, changed);
                for arm in (0..k).filter(|&arm| !live.front.contains(arm)) {
                    let dominator = live.dominator[arm];
                    prop_assert!(live.front.contains(dominator) && dominates(model.row(dominator), model.row(arm)));
                    prop_assert!(covers(&live.ceiling[dominator * d..(dominator + 1) * d], model.row(arm)));
                }
            }
        }
    }
}
