//! Why a command did not do what it was asked, and the exit code that says so.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use surefront::{BoundError, MethodError};
use thiserror::Error;

use crate::input_error::InputError;

/// The reason a command ended early.
#[derive(Debug, Error)]
pub enum Failure {
    /// A file that was handed in is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The chosen method does not fit the study.
    #[error("--method: {0}")]
    Method(#[from] MethodError),
    /// Two arms of the front have the same means.
    #[error(
        "{}: \"{one}\" and \"{other}\" have the same means, and no number of samples can tell which dominates: leave one out, or change its mean",
        file.display()
    )]
    Twins {
        /// The study file.
        file: PathBuf,
        /// An arm.
        one: String,
        /// The arm like it.
        other: String,
    },
    /// An arm off the front ties with the one that dominates it.
    #[error(
        "{}: \"{below}\" is dominated by \"{above}\" with an exact tie in \"{objective}\", and no number of samples can tell on which side it is: change one of the two means",
        file.display()
    )]
    Tie {
        /// The study file.
        file: PathBuf,
        /// The arm off the front.
        below: String,
        /// The arm that dominates it.
        above: String,
        /// Where they tie.
        objective: String,
    },
    /// The bound cannot be computed as closely as asked.
    #[error("--tol: {0}")]
    Bound(BoundError),
    /// Standard output cannot be written to.
    #[error("cannot write the result ({0})")]
    Print(#[from] io::Error),
    /// A file cannot be written.
    #[error("cannot write {} ({error}): give another path", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// Two exact methods found different costs.
    #[error(
        "the methods disagree on {instance}: {one} finds the cost {one_cost:e}, {other} finds {other_cost:e}; please report this"
    )]
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

impl Failure {
    /// Says what happened on standard error, and gives the exit code: 1 if something failed, 2 for wrong usage or input
    /// (as the argument parser does).
    pub fn report(&self) -> ExitCode {
        match self {
            // Whoever reads our output has read enough: `surefront … | head` is no failure.
            Failure::Print(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            _ => eprintln!("error: {self}"),
        }
        match self {
            Failure::Input(_) | Failure::Method(_) | Failure::Twins { .. } | Failure::Tie { .. } => ExitCode::from(2),
            Failure::Bound(_) | Failure::Print(_) | Failure::Write { .. } | Failure::Disagreement { .. } => {
                ExitCode::FAILURE
            }
        }
    }
}
