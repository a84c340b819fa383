//! What a rule says once its own stop, the one it was published with, is satisfied.

use crate::front::{Front, is_right};
use crate::model::Model;

/// What a rule was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sought {
    /// The front.
    Front,
    /// All arms of the front, and perhaps others that no arm beats by more than this in every objective, in the objectives' own units.
    Within(f64),
    /// So many arms that no arm beats by more than `within` in every objective; or all there are.
    Some {
        /// How many.
        count: usize,
        /// Zero for arms of the front.
        within: f64,
    },
}

/// The answer of a rule that has a stop of its own. How sure it is, is as its authors say: nothing here proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The arms it names, ascending.
    pub arms: Vec<usize>,
    /// What they were to be.
    pub sought: Sought,
}

impl Conclusion {
    /// These arms are the front.
    pub fn front(mut arms: Vec<usize>) -> Self {
        arms.sort_unstable();
        Conclusion { arms, sought: Sought::Front }
    }

    /// Whether the arms are what they were to be.
    ///
    /// # Panics
    /// When there is no such arm.
    pub fn is_right(&self, truth: &Model) -> bool {
        let near = |within: f64| self.arms.iter().all(|&arm| !is_beaten(truth, arm, within));
        let all = || Front::of(truth).members().iter().all(|arm| self.arms.contains(arm));
        match self.sought {
            Sought::Front => is_right(truth, &self.arms),
            Sought::Within(within) => near(within) && all(),
            Sought::Some { count, within } => near(within) && (self.arms.len() >= count || all()),
        }
    }
}

/// Whether some arm is better by more than `within` in every objective; without it, whether some arm dominates.
fn is_beaten(truth: &Model, arm: usize, within: f64) -> bool {
    if within == 0.0 {
        return !Front::of(truth).contains(arm);
    }
    let beats = |by: usize| truth.row(by).iter().zip(truth.row(arm)).all(|(one, two)| *one > two + within);
    (0..truth.arm_count()).any(|by| by != arm && beats(by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::unit_problem;

    #[test]
    fn what_is_right_depends_on_what_was_sought() {
        let problem = unit_problem(4, 2);
        let truth = Model::new(&problem, &[[3.0, 0.0], [0.0, 3.0], [2.9, -0.1], [-5.0, -5.0]]).unwrap();
        let right = |arms: &[usize], sought| Conclusion { arms: arms.to_vec(), sought }.is_right(&truth);
        assert!(right(&[0, 1], Sought::Front) && !right(&[0, 1, 2], Sought::Front) && !right(&[0], Sought::Front));
        assert!(right(&[0, 1, 2], Sought::Within(0.2)) && !right(&[0, 1, 2], Sought::Within(0.05)));
        assert!(!right(&[0, 2], Sought::Within(0.2)), "an arm of the front is missing");
        let some = |count, within| Sought::Some { count, within };
        assert!(right(&[0], some(1, 0.0)) && right(&[2], some(1, 0.2)) && !right(&[2], some(1, 0.0)));
        assert!(!right(&[0], some(2, 0.0)) && right(&[0, 1], some(3, 0.0)) && !right(&[0, 3], some(2, 0.2)));
    }
}
