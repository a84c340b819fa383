//! A study on measurements: the study file, its store, and the study that the two make together.
//!
//! [`Session`] is the one way to take up a study and to follow it as others write to the same store.

mod chosen;
mod conditions;
mod followed;
mod setups;
mod swift;
mod telling;
#[cfg(test)]
mod tests;
mod times;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use surefront::{Problem, Promise};

pub use self::chosen::{Chosen, Wishes};
pub use self::followed::Followed;
pub use self::swift::{Next, Swift};
pub use self::telling::{ToldBy, ToldFile};
use crate::answer::{self, Answer, Change, Condition, FailureCount, Setting};
use crate::file::study::StudyFile;
use crate::store::{Access, Batch, Store, StoreError, StoreFault, Ticket, View};
use crate::study_error::StudyError;

/// A study file and its open store, and the study, as soon as it is needed.
#[derive(Debug)]
pub struct Session {
    file: Arc<StudyFile>,
    problem: Arc<Problem>,
    store: Store,
    wishes: Wishes,
    followed: Option<Followed>,
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// These are to be measured.
    Tickets(Vec<Ticket>),
    /// Nothing needs to be measured: these arms are the front.
    Answered {
        /// The arms, by number in the study file.
        front: Vec<usize>,
        /// How strong that answer is.
        promise: Promise,
        /// The accepted chance of a wrong answer.
        delta: f64,
        /// What that depends on, beyond the promise's assumptions.
        conditions: Vec<Condition>,
    },
}

impl Session {
    /// Reads the study file and opens the store: the one beside it, if no other is named.
    pub fn open(study: &Path, store: Option<&Path>, access: Access) -> Result<Self, StudyError> {
        let file = StudyFile::read(study)?;
        let problem = file.learning_problem()?;
        let path = store.map_or_else(|| file.path().with_extension("db"), Path::to_owned);
        let store = Store::open(&path, &file, &problem, access)?;
        Ok(Session::new(file, problem, store))
    }

    /// A study file, the problem it states, and the store that fits it.
    pub fn new(file: StudyFile, problem: Problem, store: Store) -> Self {
        Session { file: Arc::new(file), problem: Arc::new(problem), store, wishes: Wishes::default(), followed: None }
    }

    /// The same with wishes of how to go on.
    pub fn wishing(mut self, wishes: Wishes) -> Self {
        self.wish(wishes);
        self
    }

    /// From now on the study goes on like this.
    pub fn wish(&mut self, wishes: Wishes) {
        self.wishes = wishes;
        self.followed = None;
    }

    /// The study file.
    pub fn file(&self) -> &Arc<StudyFile> {
        &self.file
    }

    /// The problem that it states, with all arms; variances may be unknown.
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// The file that the store is, if it is one that is written to.
    pub fn store_file(&self) -> Option<&Path> {
        self.store.file()
    }

    /// Where the store is.
    pub fn store_path(&self) -> &Path {
        self.store.path()
    }

    /// Reads from the store as it is at this moment.
    pub fn look<T>(&mut self, work: impl FnOnce(&View) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        self.store.read(work)
    }

    /// Reads from the store and writes to it, alone; the study hears of it the next time that it is needed.
    pub fn change<T>(&mut self, work: impl FnOnce(&Batch) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let done = self.store.write(work);
        if let Some(followed) = &mut self.followed {
            followed.look_again();
        }
        done
    }

    /// Reads from the store, with the study as it is at this moment.
    pub fn read<T>(
        &mut self,
        work: impl FnOnce(&View, &mut Followed) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        let Session { file, problem, store, wishes, followed } = self;
        store.read(|view| {
            let followed = up_to_date(followed, wishes, file, problem, view)?;
            work(view, followed)
        })
    }

    /// The study as it was when it was last brought up to date.
    pub fn known(&mut self) -> Result<&mut Followed, StoreError> {
        if self.followed.is_none() {
            self.read(|_, _| Ok(()))?;
        }
        Ok(self.followed.as_mut().expect("it was taken up"))
    }

    /// Reads from the store and writes to it, alone, with the study as it is at this moment. What the store is told directly, and
    /// not by way of the study, is to be followed by [`Followed::look_again`].
    pub fn write<T>(
        &mut self,
        work: impl FnOnce(&Batch, &mut Followed) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        let Session { file, problem, store, wishes, followed } = self;
        let done = store.write(|batch| {
            let followed = up_to_date(followed, wishes, file, problem, batch)?;
            work(batch, followed)
        });
        if done.is_err() {
            // The study may know of something that was not stored after all.
            self.followed = None;
        }
        done
    }

    /// Keeps how the study goes on, for the next time. To be done before asking.
    pub fn keep_choice(&mut self) -> Result<Chosen, StoreError> {
        let Session { file, store, wishes, .. } = self;
        let (chosen, last) = store.read(|view| Ok((Chosen::of(wishes, file, view)?, view.last_settings()?)))?;
        if last != chosen.as_last() {
            self.change(|batch| chosen.keep(batch))?;
        }
        Ok(chosen)
    }

    /// From now on results wait this long for an earlier ticket before it is given up; in whole seconds.
    pub fn be_patient(&mut self, patience: Duration) -> Result<(), StoreError> {
        self.change(|batch| batch.keep_patience(patience))
    }

    /// Asks for the next measurements, on behalf of `source`. Tickets that results have waited for too long are given up before.
    pub fn ask(&mut self, number: u64, source: &str) -> Result<Asked, StoreError> {
        self.keep_choice()?;
        let problem = Arc::clone(&self.problem);
        self.write(|batch, followed| {
            followed.give_up_overdue(batch)?;
            let verdict = followed.study().verdict();
            batch.record_progress(answer::samples(followed.study()), verdict.progress)?;
            if verdict.stopped {
                let conditions = conditions::conditions(&problem, followed, batch)?;
                let Chosen { threshold, delta, .. } = *followed.chosen();
                return Ok(Asked::Answered { front: verdict.front, promise: threshold.promise(), delta, conditions });
            }
            let tickets = (0..number).map(|_| followed.ask(batch, source)).collect::<Result<_, _>>()?;
            followed.keep_memory(batch)?;
            Ok(Asked::Tickets(tickets))
        })
    }

    /// What is known.
    pub fn answer(&mut self) -> Result<Answer, StoreError> {
        let (name, timed) = (self.file.name.clone(), setups::has_measured_objective(&self.file, &self.problem));
        let (file, problem) = (Arc::clone(&self.file), Arc::clone(&self.problem));
        self.read(|view, followed| {
            let (study, look) = followed.study_and_look();
            let mut answer = Answer::of(&name, study, look);
            answer.set_units(file.units());
            for failures in view.failures()? {
                if let Some(arm) = answer.arms.iter_mut().find(|arm| arm.index == failures.arm) {
                    arm.failures =
                        FailureCount { count: failures.count, last: Some(failures.last), at: Some(failures.at) };
                }
            }
            answer.changes = setups::changes(&problem, &view.measured()?, timed);
            answer.waiting = followed.waiting();
            answer.conditions = conditions::conditions(&problem, followed, view)?;
            Ok(answer)
        })
    }

    /// What would be known, with this said of an objective in the study file; `None` if it cannot be said of it.
    pub fn answer_with(&mut self, objective: usize, setting: &Setting) -> Result<Option<Answer>, StoreError> {
        let Some(problem) = setting.said_of(&self.problem, objective) else { return Ok(None) };
        let name = self.file.name.clone();
        self.read(|view, followed| {
            // What cannot be replayed, such as a value that the kind does not have, is no answer.
            let Ok(mut other) = Followed::take_up(&problem, *followed.chosen(), view) else { return Ok(None) };
            let (study, look) = other.study_and_look();
            Ok(Some(Answer::of(&name, study, look)))
        })
    }

    /// How measurements that are made now, this many side by side and each arm's in its way, differ from those that were made before.
    pub fn changes_ahead(
        &mut self,
        jobs: u64,
        way: &dyn Fn(usize) -> Option<String>,
    ) -> Result<Vec<Change>, StoreError> {
        let Session { file, problem, store, .. } = self;
        store.read(|view| Ok(setups::changes_ahead(file, problem, &view.measured()?, jobs, way)))
    }
}

/// The study, taken up or brought up to date.
fn up_to_date<'f>(
    followed: &'f mut Option<Followed>,
    wishes: &mut Wishes,
    file: &StudyFile,
    problem: &Problem,
    view: &View,
) -> Result<&'f mut Followed, StoreFault> {
    match followed {
        Some(followed) => followed.catch_up(problem, view)?,
        None => {
            let chosen = Chosen::of(wishes, file, view)?;
            // Whatever others choose meanwhile, this session goes on as it began.
            let Chosen { rule, threshold, delta, seed } = chosen;
            *wishes = Wishes { rule: Some(rule), threshold: Some(threshold), delta: Some(delta), seed: Some(seed) };
            *followed = Some(Followed::take_up(problem, chosen, view)?);
        }
    }
    Ok(followed.as_mut().expect("it is there by now"))
}
