//! The way in: a session is measured until its answer is sure.

use surefront::Problem;

use super::campaign::Campaign;
use super::claim::Claim;
use super::interrupt::Interrupt;
use super::ledger::{End, Ledger};
use super::observer::Observer;
use super::options::{LeftOut, RunOptions};
use super::runner::Runner;
use super::source::Source;
use crate::file::input_error::InputError;
use crate::file::study::StudyFile;
use crate::session::{Learner, Session};
use crate::store::ProgressRecord;
use crate::study_error::StudyError;

/// A study whose measuring has ended.
#[derive(Debug)]
pub struct Ended {
    /// Why.
    pub end: End,
    /// What is known.
    pub learner: Learner,
    /// The evidence over time.
    pub history: Vec<ProgressRecord>,
}

/// Measures the arms of a study until the answer is sure, or something else ends it. Every observation is in the store before it
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
) -> Result<Ended, StudyError> {
    let chosen = session.choose(&options.wishes)?;
    let Session { file, problem, store } = session;
    let runner = Runner::new(file, problem, options.runner(file))?.seeded(chosen.seed);
    interrupt.reaches(runner.commands());
    let _claim = Claim::of(store.path())?;
    let ledger = store.write(|batch| {
        if options.left_out == LeftOut::TakeIn {
            (0..problem.arm_count()).try_for_each(|arm| batch.restore_arm(arm).map(drop))?;
        }
        Ledger::open(problem, chosen, &runner, options.limits(interrupt), batch)
    })?;
    observer.begin(&ledger.learner.study);
    let (end, learner) = Campaign::run(store, ledger, &runner, options.jobs, observer)?;
    let history = store.read(|view| view.progress())?;
    Ok(Ended { end, learner, history })
}

/// Whether all arms of a study file can be measured or simulated: worth knowing before there is a store for it.
///
/// # Errors
/// When one can be neither.
pub fn check(file: &StudyFile, problem: &Problem) -> Result<(), InputError> {
    (0..problem.arm_count()).try_for_each(|arm| Source::of(file, problem, arm).map(drop))
}
