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

    /// By arm: how many tickets are open.
    pub fn asked(&self) -> Result<Vec<u64>, StoreFault> {
        let mut asked = vec![0; self.definition.arm_ids.len()];
        let sql = "SELECT arm, count(*) FROM ticket WHERE status = 'asked' GROUP BY arm";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) {
                asked[arm] = row.get::<_, i64>(1)?.unsigned_abs();
            }
        }
        Ok(asked)
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

    /// The measurement was tried, or will not be tried: `note` says why there is nothing to tell.
    pub fn fail(&self, ticket: i64, note: &str) -> Result<(), StoreFault> {
        self.arm_of_ticket(ticket)?;
        if let Some((observation, _)) = self.told_of(ticket)? {
            return Err(Refusal::ToldAlready { ticket, observation }.into());
        }
        self.close(ticket, "failed", Some(note))
    }

    /// Nobody is measuring these any more.
    pub fn expire(&self, tickets: &[i64], note: &str) -> Result<(), StoreFault> {
        tickets.iter().try_for_each(|&ticket| self.close(ticket, "expired", Some(note)))
    }

    /// Notes something about a ticket, whatever has become of it.
    pub fn note(&self, ticket: i64, note: &str) -> Result<(), StoreFault> {
        self.connection.prepare_cached("UPDATE ticket SET note = ?2 WHERE id = ?1")?.execute((ticket, note))?;
        Ok(())
    }

    pub(super) fn close(&self, ticket: i64, status: &str, note: Option<&str>) -> Result<(), StoreFault> {
        let sql = format!("UPDATE ticket SET status = ?2, note = ?3, closed_at = {NOW} WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.execute((ticket, status, note))?;
        Ok(())
    }
}
