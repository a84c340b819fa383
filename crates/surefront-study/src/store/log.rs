//! What happened lately: observations, those taken back as well, and tickets that came to nothing.

use super::ending::Ending;
use super::observation::Observation;
use super::store_error::StoreFault;
use super::view::View;

/// A ticket that was closed without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedTicket {
    /// Its number.
    pub ticket: i64,
    /// The name of its arm.
    pub arm: String,
    /// Why there is no result.
    pub ending: Ending,
    /// What was said of it.
    pub note: String,
    /// When it was closed.
    pub at: String,
}

impl View<'_> {
    /// The newest observations before observation number `before`, newest first.
    pub fn latest_observations(&self, before: i64, most: u32) -> Result<Vec<Observation>, StoreFault> {
        let sql = format!(
            "SELECT {}, observation.id, arm.name, ticket, source, told_at, retracted_at, retracted_reason, arm.id
             FROM observation JOIN arm ON arm.id = observation.arm WHERE observation.id < ?1
             ORDER BY observation.id DESC LIMIT ?2",
            self.definition.columns
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map((before, most), |row| self.observation(row))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The tickets that were closed last without a result, newest first. Those whose observation was taken back are not among them.
    pub fn latest_endings(&self, most: u32) -> Result<Vec<EndedTicket>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT ticket.id, arm.name, ending, status, coalesce(note, ''), coalesce(closed_at, asked_at) FROM ticket
             JOIN arm ON arm.id = ticket.arm
             WHERE status IN ('failed', 'expired') AND ticket.id NOT IN
               (SELECT ticket FROM observation WHERE retracted_at IS NOT NULL AND ticket IS NOT NULL)
             ORDER BY closed_at DESC, ticket.id DESC LIMIT ?1",
        )?;
        let rows = statement.query_map([most], |row| {
            let (name, status): (Option<String>, String) = (row.get(2)?, row.get(3)?);
            let ending = Ending::of(name.as_deref(), &status);
            Ok(EndedTicket { ticket: row.get(0)?, arm: row.get(1)?, ending, note: row.get(4)?, at: row.get(5)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
