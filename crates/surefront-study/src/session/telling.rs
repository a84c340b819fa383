//! What was measured elsewhere, into the store.

use std::collections::HashSet;

use super::Session;
use crate::file::results::{Key, ResultRow};
use crate::store::{Batch, Ending, Moment, Refusal, StoreError, StoreFault, Told};
use crate::study_error::StudyError;

/// What became of a file of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldFile {
    /// Observations that count from now on.
    pub stored: usize,
    /// Tickets that had been told the same before.
    pub same: usize,
}

/// One result, and who tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldBy {
    /// Whose result it is.
    pub key: Key,
    /// One value for each objective.
    pub values: Vec<f64>,
    /// Who tells it.
    pub source: String,
}

impl Session {
    /// Tells one result. An arm that was left out is taken in again: whoever measured it can measure it.
    pub fn tell(&mut self, key: Key, values: &[f64], source: &str) -> Result<Told, StoreError> {
        self.change(|batch| Teller::new(batch)?.tell(key, values, source))
    }

    /// Tells each of these that the store takes, all of them together: one that is refused keeps no other away. What became of each, in
    /// their order; everything that was taken is on the disk by then.
    pub fn tell_each(&mut self, results: &[ToldBy]) -> Result<Vec<Result<Told, Refusal>>, StoreError> {
        self.change(|batch| {
            let mut teller = Teller::new(batch)?;
            let tell = |ToldBy { key, values, source }: &ToldBy| match teller.tell(*key, values, source) {
                Ok(told) => Ok(Ok(told)),
                Err(StoreFault::Refused(refusal)) => Ok(Err(refusal)),
                Err(fault) => Err(fault),
            };
            results.iter().map(tell).collect()
        })
    }

    /// Tells all rows of a file, or none of them.
    ///
    /// # Errors
    /// When the store cannot be used, or refuses a row, which is named then.
    pub fn tell_all(&mut self, rows: &[ResultRow], source: &str) -> Result<ToldFile, StudyError> {
        let mut done = ToldFile::default();
        let mut line = 0;
        let stored = self.change(|batch| {
            let mut teller = Teller::new(batch)?;
            for row in rows {
                line = row.line;
                match teller.tell(row.key, &row.values, source)? {
                    Told::New(_) => done.stored += 1,
                    Told::Same(_) => done.same += 1,
                }
            }
            Ok(())
        });
        match stored {
            Ok(()) => Ok(done),
            Err(StoreError { fault: StoreFault::Refused(refusal), .. }) => {
                Err(StudyError::RowRefused { file: source.into(), line, refusal: Box::new(refusal) })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Nothing will be told of a ticket: why.
    pub fn fail(&mut self, ticket: i64, why: &str) -> Result<(), StoreError> {
        self.change(|batch| batch.end(ticket, Ending::GivenUp, why))
    }

    /// Takes observations back; all of them, or none.
    pub fn retract(&mut self, observations: &[i64], reason: &str) -> Result<(), StoreError> {
        self.change(|batch| observations.iter().try_for_each(|&observation| batch.retract(observation, reason)))
    }

    /// Takes back what a ticket was told; the number of the observation.
    pub fn retract_ticket(&mut self, ticket: i64, reason: &str) -> Result<i64, StoreError> {
        self.change(|batch| batch.retract_ticket(ticket, reason))
    }

    /// Takes back all observations of an arm, or of every one, that were told before a moment, or ever; their numbers.
    pub fn retract_all(
        &mut self,
        arm: Option<usize>,
        before: Option<&Moment>,
        reason: &str,
    ) -> Result<Vec<i64>, StoreError> {
        self.change(|batch| batch.retract_all(arm, before, reason))
    }
}

/// Tells, and takes arms in again that were left out.
struct Teller<'a> {
    batch: &'a Batch<'a>,
    left_out: HashSet<usize>,
}

impl<'a> Teller<'a> {
    fn new(batch: &'a Batch<'a>) -> Result<Self, StoreFault> {
        let left_out = batch.dropped()?.into_iter().map(|dropped| dropped.arm).collect();
        Ok(Teller { batch, left_out })
    }

    fn tell(&mut self, key: Key, values: &[f64], source: &str) -> Result<Told, StoreFault> {
        let (ticket, arm) = match key {
            Key::Arm(arm) => (None, arm),
            Key::Ticket(ticket) => (Some(ticket), self.batch.arm_of_ticket(ticket)?),
            Key::TicketFor(ticket, said) => {
                let arm = self.batch.arm_of_ticket(ticket)?;
                if arm != said {
                    let name = |arm| self.batch.arm_name(arm).to_owned();
                    return Err(Refusal::OtherArm { ticket, asked: name(arm), said: name(said) }.into());
                }
                (Some(ticket), arm)
            }
        };
        let told = match ticket {
            Some(ticket) => self.batch.tell_ticket(ticket, values, source)?,
            None => self.batch.tell_arm(arm, values, source).map(Told::New)?,
        };
        // Only now: what is refused leaves nothing behind.
        if self.left_out.remove(&arm) {
            self.batch.restore_arm(arm)?;
        }
        Ok(told)
    }
}
