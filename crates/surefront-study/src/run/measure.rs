//! The way in: a session is measured until it has its answer.

use std::sync::Arc;

use surefront::Problem;

use super::campaign::Campaign;
use super::claim::Claim;
use super::interrupt::Interrupt;
use super::note::Note;
use super::observer::Observer;
use super::options::{LeftOut, RunOptions};
use super::round::{End, Rounds};
use super::runner::Runner;
use super::source::Source;
use crate::file::input_error::InputError;
use crate::file::study::StudyFile;
use crate::session::Session;
use crate::study_error::StudyError;

/// Measures the arms of a study until it has its answer, or something else ends it: why it
/// ended. What is known then, the session knows. Every observation is in the store before it
/// counts, and the next call goes on from there.
///
/// # Errors
/// When an arm can be neither measured nor simulated, somebody else measures for the same store, or the store cannot be used.
/// Everything told before is kept.
pub fn measure(
    session: &mut Session,
    options: &RunOptions,
    observer: &mut dyn Observer,
    interrupt: &Interrupt,
) -> Result<End, StudyError> {
    let (file, problem) = (Arc::clone(session.file()), Arc::clone(session.problem()));
    session.wish(options.wishes);
    let runner = Runner::new(&file, &problem, options.runner(&file))?;
    interrupt.reaches(runner.commands());
    let _claim = Claim::of(session.store_path())?;
    let runner = runner.seeded(session.keep_choice()?.seed);
    if options.left_out == LeftOut::TakeIn {
        session.change(|batch| (0..problem.arm_count()).try_for_each(|arm| batch.restore_arm(arm).map(drop)))?;
    }
    if let Some(patience) = options.patience {
        session.be_patient(patience)?;
    }
    let changes = session.changes_ahead(options.jobs.get() as u64)?;
    observer.begin(session.known()?.study());
    changes.into_iter().for_each(|change| observer.note(&Note::Changed(change)));
    let rounds = Rounds::new(&file, &problem, &runner, options.limits(interrupt));
    Campaign::run(session, rounds, &runner, options.jobs, observer)
}

/// Whether all arms of a study file can be measured or simulated: worth knowing before there is a store for it.
///
/// # Errors
/// When one can be neither.
pub fn check(file: &StudyFile, problem: &Problem) -> Result<(), InputError> {
    (0..problem.arm_count()).try_for_each(|arm| Source::of(file, problem, arm).map(drop))
}
