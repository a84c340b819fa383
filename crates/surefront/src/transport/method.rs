//! The solvers of *add* pieces to choose from.

use thiserror::Error;

use crate::problem::{NoOracle, Problem};

/// Which solver finds the cost of an *add* piece. All are exact; they differ in speed and in what they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest that fits: closed forms for one or two arms in the way, `Sweep` where it applies, otherwise `Branch`.
    #[default]
    Auto,
    /// Branch and bound, for any number of objectives and any noise.
    Branch,
    /// The paper's enumeration of all valid maps, for Gaussian noise; every objective must have one variance, the same for all arms.
    Cells,
    /// The paper's appendix for two objectives, O(p) per arm; each must have one variance, the same for all arms.
    Sweep,
}

impl Method {
    /// The solver for a problem: never `Auto`.
    pub(super) fn solver(self, problem: &Problem) -> Result<Method, MethodError> {
        let two = problem.objective_count() == 2;
        if problem.coupling().is_some() {
            return match self {
                Method::Auto | Method::Branch => Ok(Method::Branch),
                Method::Cells | Method::Sweep => Err(MethodError::Correlated),
            };
        }
        if problem.has_limits() {
            return match self {
                Method::Auto | Method::Branch => Ok(Method::Branch),
                Method::Cells | Method::Sweep => Err(MethodError::Limits),
            };
        }
        // An arm at the edge of its domain cannot step aside further: to pass it is not to be rid of it.
        let has_walls = problem.kinds().is_some() && problem.has_margins();
        match self {
            Method::Auto if two && problem.is_homoscedastic() && !has_walls => Ok(Method::Sweep),
            Method::Auto => Ok(Method::Branch),
            Method::Sweep if !two => Err(MethodError::NotTwoObjectives { found: problem.objective_count() }),
            Method::Sweep if has_walls => Err(MethodError::MarginsOfKinds),
            Method::Cells if problem.kinds().is_some() => Err(MethodError::NotGaussian),
            Method::Cells if problem.has_margins() => Err(MethodError::Margins),
            Method::Sweep | Method::Cells if !problem.is_homoscedastic() => Err(MethodError::NotHomoscedastic),
            other => Ok(other),
        }
    }
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
    /// `Cells` is for Gaussian noise.
    #[error("the method `cells` is for Gaussian noise: use `auto` or `branch`")]
    NotGaussian,
    /// `Cells` is for differences that all matter.
    #[error("the method `cells` is for objectives without margins: use `auto` or `branch`")]
    Margins,
    /// `Sweep` is for Gaussian noise where there are margins.
    #[error(
        "the method `sweep` is not for margins together with success rates, counts or times: use `auto` or `branch`"
    )]
    MarginsOfKinds,
    /// `Cells` and `Sweep` are for objectives without limits.
    #[error("the methods `cells` and `sweep` are for studies without limits: use `auto` or `branch`")]
    Limits,
    /// `Cells` and `Sweep` are for independent readings.
    #[error("the methods `cells` and `sweep` are for readings that are not correlated: use `auto` or `branch`")]
    Correlated,
    /// There is no oracle for the problem, whatever the method.
    #[error(transparent)]
    NoOracle(#[from] NoOracle),
}
