//! A study that follows its store: whatever others write, it is what a study freshly taken up from the store would be.
//!
//! Results count in the order of their tickets, without a gap: one that arrives before an earlier ticket is closed waits in the store
//! until it is. What nobody asked for has no place in that order, and counts at once.
//!
//! It remembers how far it has read and reads on from there. What comes to count is taken in one by one; what others asked for changes
//! nothing that was observed, and costs a look at all arms; observations taken back and arms left out or taken in again are the
//! exceptions that cost a new beginning, with all observations read again.

use surefront::{Memory, ObservationError, Problem, Promise, Record, Study, StudyError};

use super::chosen::Chosen;
use super::times::Times;
use crate::answer::Waiting;
use crate::look::Look;
use crate::store::{Batch, Dropped, Ending, Origin, StoreFault, Ticket, Told, View};

/// A study that knows what its store knows; arms that were left out take no part in it.
#[derive(Debug)]
pub struct Followed {
    chosen: Chosen,
    study: Study,
    /// What the observations look like that the study was told.
    look: Look,
    dropped: Vec<Dropped>,
    /// By arm: how many results are still to count, as the study has it.
    asked: Vec<u64>,
    /// Results that wait for an earlier ticket.
    waiting: u64,
    /// Where the rule and its random numbers were when they were last kept.
    memory: Option<Memory>,
    /// Where a measurement costs the time that it takes: how long they took.
    times: Option<Times>,
    read: Position,
}

/// How far a store has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    /// The store's revision; `None` if something was written since that the study was not told of.
    revision: Option<i64>,
    /// The last observation.
    observation: i64,
    /// The first ticket whose result does not count yet.
    frontier: i64,
    /// How many observations had been taken back.
    retractions: u64,
}

impl Followed {
    /// Takes up the study where the store has it.
    pub(super) fn take_up(problem: &Problem, chosen: Chosen, view: &View) -> Result<Self, StoreFault> {
        let frontier = view.frontier(0)?;
        let dropped = view.dropped()?;
        let left_out: Vec<usize> = dropped.iter().map(|dropped| dropped.arm).collect();
        let record = Record::new(problem, &chosen.settings(problem).stopping).leaving_out(&left_out);
        let (mut record, mut look) = (record, Look::new(problem));
        let mut add = |arm: usize, values: &[f64]| {
            record.add(problem, arm, values)?;
            look.add(arm, values);
            Ok(())
        };
        let observation = view.observed_since(0, 0, &mut add)?;
        view.results_of(0..frontier, &mut add)?;
        let read =
            Position { revision: Some(view.revision()?), observation, frontier, retractions: view.retractions()? };
        let (asked, waiting) = (view.asked(frontier)?, view.waiting(frontier)?);
        let memory = view.memory()?;
        let study = study_with(problem, &chosen, record, &asked, &dropped, &memory)?;
        let times = if problem.measures_costs() { Some(Times::new(view.times()?)) } else { None };
        let mut followed = Followed { chosen, study, look, dropped, asked, waiting, memory, times, read };
        followed.price();
        Ok(followed)
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
        let Position { observation: before, frontier: gap, .. } = self.read;
        let frontier = view.frontier(gap)?;
        let counted = self.study.tally().total();
        let mut out_of_order = false;
        let Followed { study, look, asked, .. } = self;
        // What has no place in the order, or one that was given up before; then what the gap held up.
        let observation = view.observed_since(before, gap, |arm, values| {
            out_of_order = true;
            count(study, look, asked, arm, values)
        })?;
        if out_of_order && gap > 1 {
            // A newcomer counts it first, and what is learned depends on the order.
            *self = Followed::take_up(problem, self.chosen, view)?;
            return Ok(());
        }
        let Followed { study, look, asked, .. } = self;
        view.results_of(gap..frontier, |arm, values| count(study, look, asked, arm, values))?;
        let (asked, memory) = (view.asked(frontier)?, view.memory()?);
        let others_asked = asked != self.asked || memory != self.memory;
        (self.asked, self.memory, self.waiting) = (asked, memory, view.waiting(frontier)?);
        self.read = Position { revision: Some(revision), observation, frontier, ..self.read };
        if let Some(times) = &mut self.times {
            *times = Times::new(view.times()?);
        }
        self.price();
        // A stop holds for the observations it was seen at, and there are others now.
        if others_asked || (self.study.tally().total() != counted && self.study.stopped()) {
            self.rebuild(problem)?;
        }
        Ok(())
    }

    /// The study again from what it knows: as a newcomer would have it.
    fn rebuild(&mut self, problem: &Problem) -> Result<(), StoreFault> {
        let record = self.study.record().clone();
        self.study = study_with(problem, &self.chosen, record, &self.asked, &self.dropped, &self.memory)?;
        self.price();
        Ok(())
    }

    /// Where a measurement costs the time that it takes, the study hears how long they took. Which arm is next may depend on it as on anything of the past.
    fn price(&mut self) {
        if let Some(times) = &self.times {
            self.study.set_costs(&times.costs()).expect("the rule was checked, and so are times");
        }
    }

    /// Takes in what comes to count now that tickets were closed, until it suffices: what follows then is looked at the next time, unless it
    /// has been laid aside by then.
    fn advance(&mut self, view: &View) -> Result<(), StoreFault> {
        let frontier = view.frontier(self.read.frontier)?;
        let Followed { study, look, asked, waiting, read, .. } = self;
        while read.frontier < frontier && !study.stopped() {
            let ticket = read.frontier;
            let counted = view.results_of(ticket..ticket + 1, |arm, values| count(study, look, asked, arm, values))?;
            *waiting = waiting.saturating_sub(counted);
            read.frontier += 1;
        }
        if self.read.frontier < frontier {
            self.look_again();
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

    /// How strong the answer is, once there is one.
    pub fn answered(&self) -> Option<Promise> {
        self.study.stopped().then(|| self.chosen.threshold.promise())
    }

    /// The same, for what it works out when it is asked.
    pub fn study_mut(&mut self) -> &mut Study {
        &mut self.study
    }

    /// The study, and what its observations look like.
    pub fn study_and_look(&mut self) -> (&mut Study, &mut Look) {
        (&mut self.study, &mut self.look)
    }

    /// The arms left out.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// By arm: how many results are still to count, since their tickets are open or an earlier one is.
    pub fn asked(&self) -> &[u64] {
        &self.asked
    }

    /// The results that wait for an earlier ticket, if there are any.
    pub fn waiting(&self) -> Option<Waiting> {
        (self.waiting > 0).then_some(Waiting { results: self.waiting, ticket: self.read.frontier })
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
            if !was_open {
                // It was given up, and the study no longer counts with it.
                self.look_again();
            }
            if let (Some(times), Some(took)) = (&mut self.times, origin.took) {
                times.add(arm, took);
                self.price();
            }
            if ticket < self.read.frontier {
                count(&mut self.study, &mut self.look, &mut self.asked, arm, values)?;
            } else {
                self.waiting += 1;
                self.advance(batch)?;
            }
        }
        Ok(told)
    }

    /// A ticket failed, and the same is asked for again: at the end of the line.
    pub fn ask_again(
        &mut self,
        batch: &Batch,
        ticket: i64,
        ending: Ending,
        note: &str,
        source: &str,
    ) -> Result<Ticket, StoreFault> {
        if !batch.is_open(ticket)? {
            self.look_again();
        }
        batch.end(ticket, ending, note)?;
        let again = batch.ask(batch.arm_of_ticket(ticket)?, source)?;
        self.advance(batch)?;
        Ok(again)
    }

    /// There will be no result of a ticket: later ones need not wait for it.
    pub fn end(&mut self, batch: &Batch, ticket: i64, ending: Ending, note: &str) -> Result<(), StoreFault> {
        let arm = batch.arm_of_ticket(ticket)?;
        let was_open = batch.is_open(ticket)?;
        batch.end(ticket, ending, note)?;
        if was_open {
            self.asked[arm] = self.asked[arm].saturating_sub(1);
            self.study.cancel(arm).expect("it is an arm of the study");
        }
        self.advance(batch)
    }

    /// Gives up the tickets that results have waited for too long.
    pub fn give_up_overdue(&mut self, batch: &Batch) -> Result<(), StoreFault> {
        while self.waiting > 0
            && let Some(ticket) = batch.overdue(self.read.frontier)?
        {
            let note = format!("{} later results had waited for it too long", self.waiting);
            self.end(batch, ticket.id, Ending::Overdue, &note)?;
        }
        Ok(())
    }

    /// The answer is known without the results of `source` that do not count yet: they are laid aside, all of them, whatever they
    /// show. If only those that have not arrived were, the quick ones would be left.
    pub fn lay_aside(&mut self, batch: &Batch, source: &str) -> Result<(), StoreFault> {
        if batch.lay_aside(self.read.frontier, source, "there was an answer without it")? {
            self.look_again();
        }
        Ok(())
    }
}

/// One result comes to count.
fn count(
    study: &mut Study,
    look: &mut Look,
    asked: &mut [u64],
    arm: usize,
    values: &[f64],
) -> Result<(), ObservationError> {
    asked[arm] = asked[arm].saturating_sub(1);
    study.tell(arm, values)?;
    look.add(arm, values);
    Ok(())
}

/// The study with these observations, and all else as it is known. The problem is the study file's: in a study, unknown variances
/// are replaced by estimates.
fn study_with(
    problem: &Problem,
    chosen: &Chosen,
    record: Record,
    asked: &[u64],
    dropped: &[Dropped],
    memory: &Option<Memory>,
) -> Result<Study, StoreFault> {
    let left_out: Vec<usize> = dropped.iter().map(|dropped| dropped.arm).collect();
    let settings = chosen.settings(problem);
    match Study::with_observations(problem.clone(), settings, record, asked.to_vec(), &left_out, memory.clone()) {
        Err(StudyError::LastArm { .. }) => Err(StoreFault::NoArmLeft),
        Err(error @ (StudyError::OtherNoise { .. } | StudyError::OtherRange { .. })) => {
            Err(StoreFault::OtherKind(error))
        }
        study => Ok(study.expect("all of it is of this problem")),
    }
}
