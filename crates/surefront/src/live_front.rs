//! The front of a model of which one arm changes at a time.
//!
//! Every arm off the front remembers one arm of the front that dominates it. When an arm moves, only those that remember it, and
//! the arm itself, can change sides: O(p d) for the arm, and a look at K memories; never K².

use crate::front::{Front, dominates};
use crate::model::Model;

/// A front that follows its model.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveFront {
    front: Front,
    /// By arm off the front: an arm of the front that dominates it.
    dominator: Vec<usize>,
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
        for arm in 0..model.arm_count() {
            if !self.front.contains(arm) {
                self.dominator[arm] = self.find_dominator(model, arm).expect("an arm off the front is dominated");
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
        if !self.front.contains(arm) {
            if !dominates(model.row(self.dominator[arm]), model.row(arm)) {
                self.place(model, arm);
            }
            return;
        }
        self.orphans.clear();
        let orphans = (0..model.arm_count()).filter(|&other| {
            self.dominator[other] == arm && !self.front.contains(other) && !dominates(model.row(arm), model.row(other))
        });
        self.orphans.extend(orphans);
        let (members, row) = (self.front.members().iter(), model.row(arm));
        let rival = |&&other: &&usize| dominates(model.row(other), row) || dominates(row, model.row(other));
        if self.orphans.is_empty() && !members.clone().any(|other| rival(&other)) {
            return;
        }
        // Off and on again: the arm may be dominated now, or dominate others.
        self.leave(arm, usize::MAX);
        self.place(model, arm);
        let orphans = std::mem::take(&mut self.orphans);
        for &orphan in &orphans {
            self.place(model, orphan);
        }
        self.orphans = orphans;
        self.adopt(model, arm);
        debug_assert_eq!(self.front, Front::of(model));
    }

    /// Puts an arm on the front unless a member dominates it; members that it dominates leave.
    fn place(&mut self, model: &Model, arm: usize) {
        self.touch(arm);
        if let Some(dominator) = self.find_dominator(model, arm) {
            self.dominator[arm] = dominator;
            return;
        }
        for place in (0..self.front.members().len()).rev() {
            let member = self.front.members()[place];
            if dominates(model.row(arm), model.row(member)) {
                self.leave(member, arm);
            }
        }
        self.front.insert(arm);
        self.dominator[arm] = usize::MAX;
    }

    /// Takes a member off the front; whoever remembered it as the dominator is dominated by its dominator too.
    fn leave(&mut self, member: usize, dominator: usize) {
        self.touch(member);
        self.front.remove(member);
        self.dominator[member] = dominator;
        if dominator != usize::MAX {
            for known in &mut self.dominator {
                if *known == member {
                    *known = dominator;
                }
            }
        }
    }

    /// If the arm that moved has left the front, those it dominates are dominated by its dominator.
    fn adopt(&mut self, model: &Model, arm: usize) {
        if self.front.contains(arm) {
            return;
        }
        let dominator = self.dominator[arm];
        for other in 0..self.dominator.len() {
            if self.dominator[other] == arm && other != arm {
                debug_assert!(dominates(model.row(dominator), model.row(other)));
                self.dominator[other] = dominator;
            }
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
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
                model.row_mut(arm).copy_from_slice(&to);
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
                }
            }
        }
    }
}
