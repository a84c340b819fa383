//! Why a ticket was closed without a result. What the promise is worth without it depends on that.

use super::batch::Batch;
use super::store_error::{Refusal, StoreFault};
use super::view::View;

/// Why there is no result of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// Measuring failed by itself.
    Failed,
    /// It took longer than it was allowed to.
    TimedOut,
    /// Somebody said that there is nothing to tell.
    GivenUp,
    /// It was begun, and nobody knows what would have come of it.
    Lost,
    /// Later results had waited for it too long.
    Overdue,
    /// It was not begun, or was laid aside with all others of its time, whatever they showed.
    Unused,
}

impl Ending {
    const ALL: [Ending; 6] =
        [Ending::Failed, Ending::TimedOut, Ending::GivenUp, Ending::Lost, Ending::Overdue, Ending::Unused];

    /// As the store has it.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Failed => "failed",
            Ending::TimedOut => "timed out",
            Ending::GivenUp => "given up",
            Ending::Lost => "lost",
            Ending::Overdue => "overdue",
            Ending::Unused => "unused",
        }
    }

    /// The ticket's status.
    fn status(self) -> &'static str {
        match self {
            Ending::Failed | Ending::TimedOut | Ending::GivenUp => "failed",
            Ending::Lost | Ending::Overdue | Ending::Unused => "expired",
        }
    }

    /// Earlier layouts had the status only.
    pub(super) fn of(name: Option<&str>, status: &str) -> Self {
        let known = Ending::ALL.into_iter().find(|ending| Some(ending.name()) == name);
        known.unwrap_or(if status == "failed" { Ending::Failed } else { Ending::Lost })
    }
}

/// Tickets of an arm that were closed without a result, for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The arm.
    pub arm: usize,
    /// Why.
    pub ending: Ending,
    /// How many.
    pub count: u64,
}

impl View<'_> {
    /// Whether a ticket is none that a result is to be told of: not begun, or laid aside.
    pub fn is_unused(&self, ticket: i64) -> Result<bool, StoreFault> {
        let sql = "SELECT count(*) FROM ticket WHERE id = ?1 AND ending = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row((ticket, Ending::Unused.name()), |row| row.get::<_, i64>(0))? > 0)
    }

    /// The tickets without a result, by arm and reason. Those whose observation was taken back are not among them.
    pub fn ended(&self) -> Result<Vec<Ended>, StoreFault> {
        let mut statement = self.connection.prepare_cached(
            "SELECT arm, ending, status, count(*) FROM ticket
             WHERE status IN ('failed', 'expired') AND id NOT IN
               (SELECT ticket FROM observation WHERE retracted_at IS NOT NULL AND ticket IS NOT NULL)
             GROUP BY arm, ending, status ORDER BY arm, ending, status",
        )?;
        let rows = statement.query_map([], |row| {
            let Some(&arm) = self.definition.arm_of.get(&row.get(0)?) else { return Ok(None) };
            let (name, status): (Option<String>, String) = (row.get(1)?, row.get(2)?);
            let ending = Ending::of(name.as_deref(), &status);
            Ok(Some(Ended { arm, ending, count: row.get::<_, i64>(3)?.unsigned_abs() }))
        })?;
        Ok(rows.filter_map(Result::transpose).collect::<Result<_, _>>()?)
    }
}

impl Batch<'_> {
    /// There will be no result of a ticket: why, and in words for people.
    pub fn end(&self, ticket: i64, ending: Ending, note: &str) -> Result<(), StoreFault> {
        self.arm_of_ticket(ticket)?;
        if let Some((observation, _)) = self.told_of(ticket)? {
            return Err(Refusal::ToldAlready { ticket, observation }.into());
        }
        self.close_as(ticket, ending, note)
    }

    pub(super) fn close_as(&self, ticket: i64, ending: Ending, note: &str) -> Result<(), StoreFault> {
        self.close(ticket, ending.status(), Some(ending.name()), Some(note))
    }
}
