//! What to measure next.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State as Extracted};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use surefront::Promise;
use surefront_study::answer::{Condition, assumptions};
use surefront_study::session::Asked;

use super::{SOURCE, body, json};
use crate::desk::{AskedOf, Asking};
use crate::problem::Problem;
use crate::state::State;

/// More are asked for in several requests.
pub const MOST_TICKETS: u64 = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    #[serde(default = "one")]
    n: u64,
}

fn one() -> u64 {
    1
}

/// What came of asking.
#[derive(Serialize)]
struct Tickets {
    study: String,
    /// Whether there is an answer, and nothing more to measure.
    stopped: bool,
    /// How strong it is, if there is one.
    promise: Option<Promise>,
    /// What that takes for granted.
    assumptions: Vec<&'static str>,
    tickets: Vec<Ticket>,
    /// What an answer depends on, beyond the promise's assumptions.
    conditions: Vec<Condition>,
}

#[derive(Serialize)]
struct Ticket {
    ticket: i64,
    /// The arm's name.
    arm: String,
    /// Its place in the study, from 0.
    index: usize,
    asked_at: String,
    source: String,
}

/// `POST /api/studies/{id}/ask`
pub async fn ask(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let desk = state.studies.desk(&id)?;
    let Wish { n } = body(&headers, &bytes)?;
    if !(1..=MOST_TICKETS).contains(&n) {
        return Err(Problem::unfit(format!("n is {n}: ask for 1 to {MOST_TICKETS} measurements at once")));
    }
    let AskedOf { asked, study, problem } = desk.ask(Asking { number: n, source: SOURCE }).await?;
    let stopped = matches!(asked, Asked::Answered { .. });
    let (promise, conditions, tickets) = match asked {
        Asked::Answered { promise, conditions, .. } => (Some(promise), conditions, Vec::new()),
        Asked::Tickets(tickets) => (None, Vec::new(), tickets),
    };
    let ticket = |ticket: surefront_study::store::Ticket| Ticket {
        ticket: ticket.id,
        arm: problem.arms()[ticket.arm].name.clone(),
        index: ticket.arm,
        asked_at: ticket.asked_at,
        source: ticket.source,
    };
    Ok(json(&Tickets {
        study,
        stopped,
        promise,
        assumptions: promise.map_or_else(Vec::new, |_| assumptions(&problem)),
        tickets: tickets.into_iter().map(ticket).collect(),
        conditions,
    }))
}
