//! The solvers of *add* pieces to choose from.

use thiserror::Error;

/// Which solver finds the cost of an *add* piece. All are exact; they differ in speed and in what they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest that fits: closed forms for one or two arms in the way, `Sweep` where it applies, otherwise `Branch`.
    #[default]
    Auto,
    /// Branch and bound, for any number of objectives and any noise.
    Branch,
    /// The paper's enumeration of all valid maps; every objective must have one variance, the same for all arms.
    Cells,
    /// The paper's appendix for two objectives, O(p) per arm; each must have one variance, the same for all arms.
    Sweep,
}

/// A solver that does not fit the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MethodError {
    /// `Sweep` is for two objectives.
    #[error("the method `sweep` is for 2 objectives, not {found}: use `auto` or `branch`")]
    NotTwoObjectives {
        /// How many there are.
        found: usize,
    },
    /// `Cells` and `Sweep` are for one noisy variance per objective.
    #[error(
        "the methods `cells` and `sweep` need every objective to be noisy, with the same variance for all arms: use `auto` or `branch`"
    )]
    NotHomoscedastic,
}
