//! Results that do not count yet, since an earlier one is missing.

use serde::Serialize;

use crate::words::number::grouped;

/// Results that wait for an earlier ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// How many.
    pub results: u64,
    /// The ticket that they wait for.
    pub ticket: i64,
}

impl Waiting {
    /// In a few words: "3 wait for ticket 17".
    pub fn phrase(&self) -> String {
        let wait = if self.results == 1 { "waits" } else { "wait" };
        format!("{} {wait} for ticket {}", grouped(self.results), self.ticket)
    }

    /// In a sentence.
    pub fn sentence(&self) -> String {
        let Waiting { results, ticket } = self;
        match results {
            1 => format!(
                "1 result waits for ticket {ticket}, which was asked for earlier, and counts once that is told or given up"
            ),
            _ => format!(
                "{} results wait for ticket {ticket}, which was asked for earlier, and count once that is told or given up",
                grouped(*results)
            ),
        }
    }
}
