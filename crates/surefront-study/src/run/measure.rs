//! The way in: a session is measured until it has its answer.

use std::sync::Arc;

use surefront::Problem;

use super::campaign::{Campaign, Hands};
use super::claim::Claim;
use super::crew::Crew;
use super::interrupt::Interrupt;
use super::note::Note;
use super::observer::Observer;
use super::options::{LeftOut, RunOptions};
use super::round::{End, Limits, Rounds};
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
    let _claim = claim(session)?;
    let runner = runner.seeded(session.keep_choice()?.seed);
    let jobs = options.jobs(&file);
    begin(session, options, observer, jobs.get(), &|arm| runner.command(arm))?;
    let rounds = Rounds::new(&problem, options.limits(&file, interrupt));
    Campaign::run(session, rounds, Hands::Runner(&runner, jobs), observer)
}

/// The same, where somebody else measures: as many side by side as the crew does, by its own ways, with its own timeout.
///
/// # Errors
/// When somebody else measures for the same store, or the store cannot be used. Everything told before is kept.
pub fn measure_by(
    session: &mut Session,
    options: &RunOptions,
    crew: &mut dyn Crew,
    observer: &mut dyn Observer,
    interrupt: &Interrupt,
) -> Result<End, StudyError> {
    let (file, problem) = (Arc::clone(session.file()), Arc::clone(session.problem()));
    session.wish(options.wishes);
    let _claim = claim(session)?;
    session.keep_choice()?;
    begin(session, options, observer, crew.size(), &|arm| crew.way(arm))?;
    let limits = Limits { jobs: crew.size(), ..options.limits(&file, interrupt) };
    Campaign::run(session, Rounds::new(&problem, limits), Hands::Crew(crew), observer)
}

/// The right to measure; where nobody else can come to the store, nobody needs it.
fn claim(session: &Session) -> Result<Option<Claim>, StudyError> {
    session.store_file().map(Claim::of).transpose()
}

/// What is to be done and said before the first measurement.
fn begin(
    session: &mut Session,
    options: &RunOptions,
    observer: &mut dyn Observer,
    jobs: usize,
    way: &dyn Fn(usize) -> Option<String>,
) -> Result<(), StudyError> {
    let arms = session.problem().arm_count();
    if options.left_out == LeftOut::TakeIn {
        session.change(|batch| (0..arms).try_for_each(|arm| batch.restore_arm(arm).map(drop)))?;
    }
    if let Some(patience) = options.patience {
        session.be_patient(patience)?;
    }
    let changes = session.changes_ahead(jobs as u64, way)?;
    observer.begin(session.known()?.study());
    changes.into_iter().for_each(|change| observer.note(&Note::Changed(change)));
    Ok(())
}

/// Whether all arms of a study file can be measured or simulated: worth knowing before there is a store for it.
///
/// # Errors
/// When one can be neither.
pub fn check(file: &StudyFile, problem: &Problem) -> Result<(), InputError> {
    (0..problem.arm_count()).try_for_each(|arm| Source::of(file, problem, arm).map(drop))
}
