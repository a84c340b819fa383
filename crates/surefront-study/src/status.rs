//! A study as it stands: the answer, what is under way, what was left out, where it is kept.

use serde::Serialize;
use surefront::Problem;

use crate::answer::{Answer, ArmName};
use crate::session::Session;
use crate::store::{Dropped, StoreError, Ticket};

/// All that is known of a study.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// What is known.
    #[serde(flatten)]
    pub answer: Answer,
    /// What was asked for and is not told yet.
    pub open_tickets: Vec<OpenTicket>,
    /// Arms that could not be measured.
    pub left_out: Vec<ArmLeftOut>,
    /// Where it is kept.
    pub store: String,
}

/// A measurement that was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct OpenTicket {
    /// Its number.
    pub ticket: i64,
    /// What to measure.
    pub arm: ArmName,
    /// When it was asked for.
    pub asked_at: String,
    /// Who asked.
    pub source: String,
}

/// An arm that could not be measured and was left out.
#[derive(Clone, Debug, Serialize)]
pub struct ArmLeftOut {
    /// The arm.
    #[serde(flatten)]
    pub arm: ArmName,
    /// Why.
    pub reason: String,
    /// Since when.
    pub at: String,
}

impl Status {
    /// Of a study at this moment.
    pub fn of(session: &mut Session) -> Result<Self, StoreError> {
        let mut answer = session.answer()?;
        answer.try_settings(|objective, setting| session.answer_with(objective, setting))?;
        let (tickets, dropped) =
            session.read(|view, followed| Ok((view.outstanding()?, followed.dropped().to_vec())))?;
        let problem = session.problem();
        Ok(Status {
            answer,
            open_tickets: tickets.iter().map(|ticket| OpenTicket::of(problem, ticket)).collect(),
            left_out: ArmLeftOut::list(problem, &dropped),
            store: session.store_path().display().to_string(),
        })
    }
}

impl OpenTicket {
    /// A ticket of this problem.
    pub fn of(problem: &Problem, ticket: &Ticket) -> Self {
        let Ticket { id, arm, source, asked_at } = ticket.clone();
        OpenTicket { ticket: id, arm: ArmName::of(problem, arm), asked_at, source }
    }
}

impl ArmLeftOut {
    /// Arms of this problem.
    pub fn list(problem: &Problem, dropped: &[Dropped]) -> Vec<Self> {
        let entry = |Dropped { arm, reason, at }: &Dropped| ArmLeftOut {
            arm: ArmName::of(problem, *arm),
            reason: reason.clone(),
            at: at.clone(),
        };
        dropped.iter().map(entry).collect()
    }
}
