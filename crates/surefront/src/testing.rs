//! Problems for the unit tests of other modules, and how much those do.

#[path = "../tests/library/effort.rs"]
pub(crate) mod effort;

use crate::problem::{Arm, Goal, Noise, Objective, Problem};

/// `k` arms, `d` objectives to maximise, unit variances.
pub(crate) fn unit_problem(k: usize, d: usize) -> Problem {
    let objective = |j| Objective::new(format!("objective {j}"), Goal::Max, Noise::Variance(1.0));
    Problem::new((0..d).map(objective).collect(), (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect())
        .expect("k and d are positive")
}
