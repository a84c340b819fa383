//! A study that is in memory only, and does not wait for its store: what is asked and told goes into the study at once, and into the store,
//! which is in memory too, when somebody looks there. A round costs what the study itself costs.
//!
//! Whatever it does it does as a [`Session`] would, to the last bit; a test tries both.

use std::collections::HashMap;

use surefront::{InOrder, Progress, Promise, Study};

use super::{Asked, Session};
use crate::answer;
use crate::file::results::Key;
use crate::store::{Ending, StoreError, Told};

/// A session on a store in memory that nobody else writes to.
#[derive(Debug)]
pub struct Swift {
    session: Session,
    /// What the store has not heard of yet; `None` while the session has to be asked.
    ahead: Option<Ahead>,
    source: String,
}

/// A study that is ahead of its store.
#[derive(Debug)]
struct Ahead {
    study: Study,
    promise: Promise,
    line: InOrder<(usize, Box<[f64]>)>,
    /// The first ticket of the line.
    first: i64,
    /// The arms of the open tickets.
    open: HashMap<i64, usize>,
    /// By arm: an observation of it, with which those of exact objectives must agree.
    known: Vec<Option<Box<[f64]>>>,
    /// How many samples there were when the evidence was last recorded.
    recorded: u64,
    log: Vec<Event>,
}

/// What the store is to hear.
#[derive(Debug)]
enum Event {
    Asked(usize),
    Told(i64, Box<[f64]>),
    Failed(i64, String),
    Progress(u64, Progress),
}

/// What was asked for: a ticket and its arm, or there is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This arm is to be measured, under this ticket.
    Measure {
        /// The ticket's number.
        ticket: i64,
        /// The arm.
        arm: usize,
    },
    /// Nothing needs to be measured.
    Nothing,
}

impl Swift {
    /// A session whose store is in memory and its own; `source` is who asks and tells.
    pub fn new(session: Session, source: &str) -> Self {
        Swift { session, ahead: None, source: source.to_owned() }
    }

    /// The next measurement.
    pub fn ask(&mut self) -> Result<Next, StoreError> {
        self.get_ahead()?;
        if let Some(ahead) = &mut self.ahead {
            return Ok(ahead.ask());
        }
        Ok(match self.session.ask(1, &self.source)? {
            Asked::Tickets(tickets) => Next::Measure { ticket: tickets[0].id, arm: tickets[0].arm },
            Asked::Answered { .. } => Next::Nothing,
        })
    }

    /// Tells what a ticket asked for.
    pub fn tell(&mut self, ticket: i64, values: &[f64]) -> Result<(), StoreError> {
        if let Some(ahead) = &mut self.ahead
            && ahead.tell(ticket, values)
        {
            if ahead.study.stopped() && !ahead.line.is_empty() {
                // Whether it is an answer with the results that waited, the session knows.
                self.session()?;
            }
            return Ok(());
        }
        let source = self.source.clone();
        self.session()?.tell(Key::Ticket(ticket), values, &source).map(|_: Told| ())
    }

    /// Nothing will be told of a ticket: why.
    pub fn fail(&mut self, ticket: i64, why: &str) -> Result<(), StoreError> {
        if let Some(ahead) = &mut self.ahead
            && ahead.fail(ticket, why)
        {
            return Ok(());
        }
        self.session()?.fail(ticket, why)
    }

    /// How strong the answer is, once there is one.
    pub fn answered(&mut self) -> Result<Option<Promise>, StoreError> {
        if let Some(ahead) = &self.ahead {
            return Ok(ahead.study.stopped().then_some(ahead.promise));
        }
        self.session.read(|_, followed| Ok(followed.answered()))
    }

    /// The front of the means so far; empty until every arm has been measured.
    pub fn front(&mut self) -> Result<Vec<usize>, StoreError> {
        if let Some(ahead) = &self.ahead {
            return Ok(ahead.study.verdict().front);
        }
        self.session.read(|_, followed| Ok(followed.study().verdict().front))
    }

    /// The session, with all that was asked and told, to look at.
    pub fn look(&mut self) -> Result<&mut Session, StoreError> {
        if let Some(ahead) = &mut self.ahead {
            let (log, source) = (std::mem::take(&mut ahead.log), &self.source);
            self.session.change(|batch| {
                for event in &log {
                    match event {
                        Event::Asked(arm) => drop(batch.ask(*arm, source)?),
                        Event::Told(ticket, values) => drop(batch.tell_ticket(*ticket, values, source.as_str())?),
                        Event::Failed(ticket, why) => batch.end(*ticket, Ending::GivenUp, why)?,
                        Event::Progress(samples, progress) => batch.record_progress(*samples, *progress)?,
                    }
                }
                batch.remember(&ahead.study.memory())
            })?;
        }
        Ok(&mut self.session)
    }

    /// The same, to be changed: what is done there is taken up the next time.
    pub fn session(&mut self) -> Result<&mut Session, StoreError> {
        self.look()?;
        self.ahead = None;
        Ok(&mut self.session)
    }

    /// Gets ahead of the store where nothing is under way, so that all that is asked for from now on is known here.
    fn get_ahead(&mut self) -> Result<(), StoreError> {
        if self.ahead.is_some() {
            return Ok(());
        }
        self.session.keep_choice()?;
        let problem = self.session.problem().clone();
        self.ahead = self.session.read(|view, followed| {
            let first = view.frontier(0)?;
            if followed.study().stopped() || followed.waiting().is_some() || !view.outstanding()?.is_empty() {
                return Ok(None);
            }
            let study = followed.study().clone();
            let tally = study.tally();
            let known = (0..problem.arm_count())
                .map(|arm| (tally.count(arm) > 0).then(|| tally.means().in_units(&problem, arm).into_boxed_slice()));
            Ok(Some(Ahead {
                known: known.collect(),
                promise: followed.chosen().threshold.promise(),
                line: InOrder::new(),
                first,
                open: HashMap::new(),
                recorded: answer::samples(&study),
                log: Vec::new(),
                study,
            }))
        })?;
        Ok(())
    }
}

impl Ahead {
    fn ask(&mut self) -> Next {
        if self.study.stopped() {
            return Next::Nothing;
        }
        let arm = self.study.ask();
        let ticket = self.first + self.line.ask().cast_signed();
        self.open.insert(ticket, arm);
        self.log.push(Event::Asked(arm));
        Next::Measure { ticket, arm }
    }

    /// Whether that could be done here.
    fn tell(&mut self, ticket: i64, values: &[f64]) -> bool {
        let Some(&arm) = self.open.get(&ticket).filter(|_| !self.study.stopped()) else { return false };
        let known = |objective: usize| self.known[arm].as_ref().map(|known| known[objective]);
        if self.study.problem().check_observation(arm, values, known).is_err() {
            return false;
        }
        self.open.remove(&ticket);
        self.known[arm].get_or_insert_with(|| values.into());
        self.log.push(Event::Told(ticket, values.into()));
        self.line.tell(self.place(ticket), (arm, values.into())).expect("it is open");
        self.advance();
        true
    }

    fn fail(&mut self, ticket: i64, why: &str) -> bool {
        if self.study.stopped() {
            return false;
        }
        let Some(arm) = self.open.remove(&ticket) else { return false };
        self.study.cancel(arm).expect("it is an arm of the study");
        self.log.push(Event::Failed(ticket, why.to_owned()));
        self.line.give_up(self.place(ticket)).expect("it is open");
        self.advance();
        true
    }

    fn place(&self, ticket: i64) -> u64 {
        (ticket - self.first).unsigned_abs()
    }

    /// What no open ticket is before counts.
    fn advance(&mut self) {
        while !self.study.stopped()
            && let Some((arm, values)) = self.line.next()
        {
            self.study.tell(arm, &values).expect("it was checked");
            let samples = answer::samples(&self.study);
            if self.study.stopped() || samples > self.recorded + self.recorded / 100 {
                self.recorded = samples;
                self.log.push(Event::Progress(samples, self.study.verdict().progress));
            }
        }
    }
}
