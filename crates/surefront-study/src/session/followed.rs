//! A study that follows its store: whatever others write, it is what a study freshly taken up from the store would be.
//!
//! It remembers how far it has read and reads on from there. What is told is taken in one by one; what others asked for changes
//! nothing that was observed, and costs a look at all arms; observations taken back and arms left out or taken in again are the
//! exceptions that cost a new beginning, with all observations read again.

use surefront::{Memory, Problem, Study, StudyError, Tally};

use super::chosen::Chosen;
use crate::store::{Batch, Dropped, Origin, StoreFault, Ticket, Told, View};

/// A study that knows what its store knows; arms that were left out take no part in it.
#[derive(Debug)]
pub struct Followed {
    chosen: Chosen,
    study: Study,
    dropped: Vec<Dropped>,
    /// By arm: how many tickets are open, as the study counts them.
    asked: Vec<u64>,
    /// Where the rule and its random numbers were when they were last kept.
    memory: Option<Memory>,
    read: Position,
}

/// How far a store has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    /// The store's revision; `None` if something was written since that the study was not told of.
    revision: Option<i64>,
    /// The last observation.
    observation: i64,
    /// How many observations had been taken back.
    retractions: u64,
}

impl Followed {
    /// Takes up the study where the store has it.
    pub(super) fn take_up(problem: &Problem, chosen: Chosen, view: &View) -> Result<Self, StoreFault> {
        let mut tally = Tally::new(problem);
        let last = view.observed_since(0, |arm, values| tally.add(problem, arm, values))?;
        let read = Position { revision: Some(view.revision()?), observation: last, retractions: view.retractions()? };
        let (dropped, asked, memory) = (view.dropped()?, view.asked()?, view.memory()?);
        let study = study_with(problem, &chosen, tally, &asked, &dropped, &memory)?;
        Ok(Followed { chosen, study, dropped, asked, memory, read })
    }

    /// Takes in what has been written since the last time. In a [`Batch`], nobody else can write at the same time.
    pub(super) fn catch_up(&mut self, problem: &Problem, view: &View) -> Result<(), StoreFault> {
        let revision = view.revision()?;
        if self.read.revision == Some(revision) {
            return Ok(());
        }
        if view.retractions()? != self.read.retractions || view.dropped()? != self.dropped {
            *self = Followed::take_up(problem, self.chosen, view)?;
            return Ok(());
        }
        let before = self.read.observation;
        let Followed { study, asked, .. } = self;
        let last = view.observed_since(before, |arm, values| {
            asked[arm] = asked[arm].saturating_sub(1);
            study.tell(arm, values)
        })?;
        let (asked, memory) = (view.asked()?, view.memory()?);
        let others_asked = asked != self.asked || memory != self.memory;
        (self.asked, self.memory) = (asked, memory);
        self.read = Position { revision: Some(revision), observation: last, ..self.read };
        // A stop holds for the observations it was seen at, and there are others now.
        if others_asked || (last != before && self.study.stopped()) {
            let tally = self.study.tally().clone();
            self.study = study_with(problem, &self.chosen, tally, &self.asked, &self.dropped, &self.memory)?;
        }
        Ok(())
    }

    /// Something is written to the store that the study is not told of: it looks again the next time.
    pub fn look_again(&mut self) {
        self.read.revision = None;
    }

    /// How it goes on.
    pub fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The same, for what it works out when it is asked.
    pub fn study_mut(&mut self) -> &mut Study {
        &mut self.study
    }

    /// The arms left out.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// By arm: how many tickets are open.
    pub fn asked(&self) -> &[u64] {
        &self.asked
    }

    /// Makes a ticket for the arm that the study wants to have measured next. [`Followed::keep_memory`] is to follow.
    pub fn ask(&mut self, batch: &Batch, source: &str) -> Result<Ticket, StoreFault> {
        let arm = self.study.ask();
        self.asked[arm] += 1;
        batch.ask(arm, source)
    }

    /// Keeps where the rule and its random numbers are.
    pub fn keep_memory(&mut self, batch: &Batch) -> Result<(), StoreFault> {
        let memory = self.study.memory();
        if self.memory.as_ref() != Some(&memory) {
            batch.remember(&memory)?;
            self.memory = Some(memory);
        }
        Ok(())
    }

    /// Tells what a ticket asked for, to the store and the study.
    pub fn tell_ticket(
        &mut self,
        batch: &Batch,
        ticket: i64,
        values: &[f64],
        origin: Origin,
    ) -> Result<Told, StoreFault> {
        let arm = batch.arm_of_ticket(ticket)?;
        let was_open = batch.is_open(ticket)?;
        let told = batch.tell_ticket(ticket, values, origin)?;
        if let Told::New(observation) = told {
            self.read.observation = observation;
            self.study.tell(arm, values)?;
            self.asked[arm] = self.asked[arm].saturating_sub(1);
            if !was_open {
                // The study has taken it for another one that is still open.
                self.look_again();
            }
        }
        Ok(told)
    }

    /// A ticket failed, and the same is asked for again.
    pub fn ask_again(&mut self, batch: &Batch, ticket: i64, note: &str, source: &str) -> Result<Ticket, StoreFault> {
        if !batch.is_open(ticket)? {
            self.look_again();
        }
        batch.fail(ticket, note)?;
        batch.ask(batch.arm_of_ticket(ticket)?, source)
    }

    /// Nobody is measuring for a ticket any more.
    pub fn expire(&mut self, batch: &Batch, ticket: i64, note: &str) -> Result<(), StoreFault> {
        self.closing(batch, ticket)?;
        batch.expire(&[ticket], note)
    }

    /// A ticket failed: nothing will be told.
    pub fn fail(&mut self, batch: &Batch, ticket: i64, note: &str) -> Result<(), StoreFault> {
        self.closing(batch, ticket)?;
        batch.fail(ticket, note)
    }

    /// A ticket, if it is open, will not be told.
    fn closing(&mut self, batch: &Batch, ticket: i64) -> Result<(), StoreFault> {
        let arm = batch.arm_of_ticket(ticket)?;
        if batch.is_open(ticket)? {
            self.asked[arm] -= 1;
            self.study.cancel(arm).expect("it is an arm of the study");
        }
        Ok(())
    }
}

/// The study with these observations, and all else as it is known. The problem is the study file's: in a study, unknown variances
/// are replaced by estimates.
fn study_with(
    problem: &Problem,
    chosen: &Chosen,
    tally: Tally,
    asked: &[u64],
    dropped: &[Dropped],
    memory: &Option<Memory>,
) -> Result<Study, StoreFault> {
    let left_out: Vec<usize> = dropped.iter().map(|dropped| dropped.arm).collect();
    let settings = chosen.settings(problem);
    match Study::with_observations(problem.clone(), settings, tally, asked.to_vec(), &left_out, memory.clone()) {
        Err(StudyError::LastArm { .. }) => Err(StoreFault::NoArmLeft),
        study => Ok(study.expect("all of it is of this problem")),
    }
}
