//! Tickets: measurements that were asked for.

use rusqlite::OptionalExtension;

use super::batch::Batch;
use super::schema::NOW;
use super::store_error::{Refusal, StoreFault};
use super::view::View;

/// A measurement that was asked for and is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its number.
    pub id: i64,
    /// What to measure.
    pub arm: usize,
    /// Who asked: `ask` or `run`.
    pub source: String,
    /// When.
    pub asked_at: String,
}

impl View<'_> {
    /// The open tickets, oldest first.
    pub fn outstanding(&self) -> Result<Vec<Ticket>, StoreFault> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id, arm, source, asked_at FROM ticket WHERE status = 'asked' ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            // An arm that left the study file took its open tickets along.
            let arm = self.definition.arm_of.get(&row.get(1)?).copied();
            let (id, source, asked_at) = (row.get(0)?, row.get(2)?, row.get(3)?);
            Ok(arm.map(|arm| Ticket { id, arm, source, asked_at }))
        })?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }

    /// The ticket of this number, if it is open.
    pub(super) fn ticket(&self, id: i64) -> Result<Option<Ticket>, StoreFault> {
        let sql = "SELECT arm, source, asked_at FROM ticket WHERE id = ?1 AND status = 'asked'";
        let found = self.connection.prepare_cached(sql)?.query_row([id], |row| {
            let arm = self.definition.arm_of.get(&row.get(0)?).copied();
            let (source, asked_at) = (row.get(1)?, row.get(2)?);
            Ok(arm.map(|arm| Ticket { id, arm, source, asked_at }))
        });
        Ok(found.optional()?.flatten())
    }

    /// Whether a ticket waits to be told.
    pub fn is_open(&self, ticket: i64) -> Result<bool, StoreFault> {
        let mut statement = self.connection.prepare_cached("SELECT status = 'asked' FROM ticket WHERE id = ?1")?;
        Ok(statement.query_row([ticket], |row| row.get(0)).optional()?.unwrap_or(false))
    }

    /// The arm that a ticket is for.
    pub fn arm_of_ticket(&self, ticket: i64) -> Result<usize, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT ticket.arm, arm.name FROM ticket JOIN arm ON arm.id = ticket.arm WHERE ticket.id = ?1",
        )?;
        let found = statement.query_row([ticket], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (id, arm): (i64, String) = found.ok_or(Refusal::UnknownTicket(ticket))?;
        let known = self.definition.arm_of.get(&id).copied();
        Ok(known.ok_or(Refusal::ArmGone { ticket, arm })?)
    }
}

impl Batch<'_> {
    /// A new ticket for an arm.
    pub fn ask(&self, arm: usize, source: &str) -> Result<Ticket, StoreFault> {
        let mut statement = self
            .connection
            .prepare_cached("INSERT INTO ticket (arm, source) VALUES (?1, ?2) RETURNING id, asked_at")?;
        let (id, asked_at) =
            statement.query_row((self.definition.arm_ids[arm], source), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Ticket { id, arm, source: source.to_owned(), asked_at })
    }

    /// Notes something about a ticket, whatever has become of it.
    pub fn note(&self, ticket: i64, note: &str) -> Result<(), StoreFault> {
        self.connection.prepare_cached("UPDATE ticket SET note = ?2 WHERE id = ?1")?.execute((ticket, note))?;
        Ok(())
    }

    pub(super) fn close(
        &self,
        ticket: i64,
        status: &str,
        ending: Option<&str>,
        note: Option<&str>,
    ) -> Result<(), StoreFault> {
        let sql = format!("UPDATE ticket SET status = ?2, ending = ?3, note = ?4, closed_at = {NOW} WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.execute((ticket, status, ending, note))?;
        Ok(())
    }
}
