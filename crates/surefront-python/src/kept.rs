//! Where a study is kept: in a store, or in memory.

use surefront::Promise;
use surefront_study::answer;
use surefront_study::file::results::Key;
use surefront_study::session::{Asked, Next, Session, Swift};

use crate::error::Failure;

/// Who asks and tells, in the store.
pub const SOURCE: &str = "python";

/// Where a study is kept.
pub enum Kept {
    /// In a file, with every observation on the disk before it counts.
    Stored(Box<Session>),
    /// In memory.
    Memory(Box<Swift>),
}

impl Kept {
    /// The session, to look at.
    pub fn look(&mut self) -> Result<&mut Session, Failure> {
        match self {
            Kept::Stored(session) => Ok(session),
            Kept::Memory(swift) => Ok(swift.look()?),
        }
    }

    /// The session, to be changed.
    pub fn session(&mut self) -> Result<&mut Session, Failure> {
        match self {
            Kept::Stored(session) => Ok(session),
            Kept::Memory(swift) => Ok(swift.session()?),
        }
    }

    /// Tickets, or the sentence that there is an answer.
    pub fn ask(&mut self, number: u64) -> Result<Result<Vec<(i64, usize)>, String>, Failure> {
        if let Kept::Memory(swift) = self {
            let mut tickets = Vec::new();
            while (tickets.len() as u64) < number
                && let Next::Measure { ticket, arm } = swift.ask()?
            {
                tickets.push((ticket, arm));
            }
            if !tickets.is_empty() || number == 0 {
                return Ok(Ok(tickets));
            }
        }
        let session = self.session()?;
        Ok(match session.ask(number, SOURCE)? {
            Asked::Tickets(tickets) => Ok(tickets.iter().map(|ticket| (ticket.id, ticket.arm)).collect()),
            Asked::Answered { front, promise, delta, .. } => {
                let names = front.iter().map(|&arm| session.problem().arms()[arm].name.as_str());
                Err(format!("nothing needs to be measured: {}", answer::front_is(names, promise, delta)))
            }
        })
    }

    pub fn tell(&mut self, key: Key, values: &[f64]) -> Result<(), Failure> {
        match (self, key) {
            (Kept::Memory(swift), Key::Ticket(ticket)) => swift.tell(ticket, values)?,
            (kept, key) => drop(kept.session()?.tell(key, values, SOURCE)?),
        }
        Ok(())
    }

    pub fn answered(&mut self) -> Result<Option<Promise>, Failure> {
        match self {
            Kept::Stored(session) => Ok(session.read(|_, followed| Ok(followed.answered()))?),
            Kept::Memory(swift) => Ok(swift.answered()?),
        }
    }

    pub fn front(&mut self) -> Result<Vec<usize>, Failure> {
        match self {
            Kept::Stored(session) => Ok(session.read(|_, followed| Ok(followed.study().verdict().front))?),
            Kept::Memory(swift) => Ok(swift.front()?),
        }
    }
}
