//! Why an experiment could not be made.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;

pub use rayon::ThreadPoolBuildError as ThreadsError;
use surefront::{BoundError, DeltaError, NoOracle, Problem, QuestionError, SimulationError};
use surefront_study::StudyError;
use surefront_study::file::input_error::InputError;
use surefront_study::store::StoreError;
use thiserror::Error;

use crate::findings::Unfinished;

/// The condition that does not hold.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// A study, its file or its store.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// An option that cannot be.
    #[error("{option} is {value}, but must be {allowed}")]
    Option {
        /// The option.
        option: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// A chance of a wrong answer that is none.
    #[error(transparent)]
    Delta(#[from] DeltaError),
    /// Means, or an allocation, of other arms than the problem's.
    #[error("the {what} are of {found}, but the problem has {expected}")]
    OtherSize {
        /// What does not fit.
        what: &'static str,
        /// Its size in words.
        found: String,
        /// The problem's size in words.
        expected: String,
    },
    /// Noise that only data can tell cannot be simulated.
    #[error("the variance of \"{objective}\" is not known for every arm, and noise cannot be simulated without it")]
    UnknownVariance {
        /// The objective.
        objective: String,
    },
    /// Two arms of the front have the same means.
    #[error("\"{one}\" and \"{other}\" have the same means, and no number of samples can tell which dominates")]
    Twins {
        /// An arm.
        one: String,
        /// The arm like it.
        other: String,
    },
    /// An arm off the front ties with the one that dominates it.
    #[error(
        "\"{below}\" is dominated by \"{above}\" with an exact tie in \"{objective}\", and no number of samples can tell on which side it is"
    )]
    Tie {
        /// The arm off the front.
        below: String,
        /// The arm that dominates it.
        above: String,
        /// Where they tie.
        objective: String,
    },
    /// Rule or threshold are not for such a problem.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// There is no bound for limits together with a correlation.
    #[error(
        "there are limits and a correlation between readings, and T*, how many samples the answer must take, is not known then: leave out the correlation or the limits"
    )]
    NoBoundWithCorrelation,
    /// There is no bound for a limit on the better side of an objective.
    #[error(
        "\"{objective}\" has a limit on its better side, and T*, how many samples the answer must take, is not known then: leave that limit out, or make it one on a reading of its own"
    )]
    NoBoundWithLimit {
        /// The objective.
        objective: String,
    },
    /// The bound cannot be computed as closely as asked.
    #[error(transparent)]
    Bound(BoundError),
    /// The threads asked for cannot be had.
    #[error("cannot start the threads ({0})")]
    Threads(ThreadsError),
    /// A rule that spends a budget, and none was given.
    #[error("the rule \"{rule}\" spends a budget, which it has to know in advance: it has no stop")]
    NeedsBudget {
        /// The rule's name.
        rule: &'static str,
    },
    /// A file of the experiment cannot be written.
    #[error("cannot write {} ({error})", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The program that tells observations cannot be started.
    #[error("cannot start {} ({error})", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// It was interrupted before there was anything to show.
    #[error("interrupted before there was anything to show")]
    Interrupted(Vec<Unfinished>),
    /// Something told is not in the store, or more than was told.
    #[error("the store has {found} observations of {expected} that were told")]
    ObservationsLost {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// A process that should have told something did not.
    #[error("a process that told an observation failed: {said}")]
    TellFailed {
        /// Its last words.
        said: String,
    },
    /// Two exact methods found different costs.
    #[error("the methods disagree on {instance}: {one} finds the cost {one_cost:e}, {other} finds {other_cost:e}")]
    Disagreement {
        /// The instance, with all that is needed to make it again.
        instance: String,
        /// A method.
        one: &'static str,
        /// What it found.
        one_cost: f64,
        /// Another method.
        other: &'static str,
        /// What that found.
        other_cost: f64,
    },
}

impl LabError {
    /// Whether something else was handed in than an experiment takes; otherwise the experiment itself failed.
    pub fn is_wrong_input(&self) -> bool {
        match self {
            LabError::Study(StudyError::Store(error)) => error.is_wrong_input(),
            LabError::Study(StudyError::Input(_))
            | LabError::Option { .. }
            | LabError::Delta(_)
            | LabError::Simulation(_)
            | LabError::NeedsBudget { .. }
            | LabError::OtherSize { .. }
            | LabError::UnknownVariance { .. }
            | LabError::Twins { .. }
            | LabError::Tie { .. }
            | LabError::NoBoundWithCorrelation
            | LabError::NoBoundWithLimit { .. } => true,
            _ => false,
        }
    }

    /// The library knows arms and objectives by number, people by name.
    pub fn of_bound(error: BoundError, problem: &Problem) -> Self {
        let name = |arm: usize| problem.arms()[arm].name.clone();
        match error {
            BoundError::Twins { arms: [one, other] } => LabError::Twins { one: name(one), other: name(other) },
            BoundError::Tie { arms: [below, above], objective } => LabError::Tie {
                below: name(below),
                above: name(above),
                objective: problem.objectives()[objective].name.clone(),
            },
            // What would help a study does not help here.
            BoundError::OtherModel(QuestionError::NoOracle(NoOracle::LimitsWithCorrelation)) => {
                LabError::NoBoundWithCorrelation
            }
            BoundError::OtherModel(QuestionError::NoOracle(NoOracle::LimitOnBetterSide { objective })) => {
                LabError::NoBoundWithLimit { objective: problem.objectives()[objective].name.clone() }
            }
            other => LabError::Bound(other),
        }
    }
}

impl From<InputError> for LabError {
    fn from(error: InputError) -> Self {
        LabError::Study(error.into())
    }
}

impl From<StoreError> for LabError {
    fn from(error: StoreError) -> Self {
        LabError::Study(error.into())
    }
}

/// An option of an experiment that has to be in a range.
pub(crate) fn within<T: PartialOrd + Display>(
    option: &'static str,
    value: T,
    allowed: RangeInclusive<T>,
) -> Result<(), LabError> {
    if allowed.contains(&value) {
        return Ok(());
    }
    let allowed = format!("between {} and {}", allowed.start(), allowed.end());
    Err(LabError::Option { option, value: value.to_string(), allowed })
}
