//! Takes back what was told wrongly.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State as Extracted};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use surefront_study::session::Session;
use surefront_study::store::Moment;

use super::{body, json};
use crate::desk::arm_named;
use crate::problem::Problem;
use crate::state::State;

/// What is to be taken back: observations, what a ticket was told, or all of an arm, or before a moment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    observation: Option<i64>,
    observations: Option<Vec<i64>>,
    ticket: Option<i64>,
    arm: Option<String>,
    before: Option<String>,
    #[serde(default = "no_reason")]
    reason: String,
}

fn no_reason() -> String {
    "no reason given".to_owned()
}

#[derive(Serialize)]
struct Retracted {
    retracted: Vec<i64>,
    reason: String,
}

/// `POST /api/studies/{id}/retract`
pub async fn retract(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let desk = state.studies.desk(&id)?;
    let which: Which = body(&headers, &bytes)?;
    Ok(json(&desk.change(move |session| which.retract(session)).await?))
}

impl Which {
    fn retract(self, session: &mut Session) -> Result<Retracted, Problem> {
        let Which { observation, observations, ticket, arm, before, reason } = self;
        let retracted = match (observation, observations, ticket, arm, before) {
            (Some(one), None, None, None, None) => {
                session.retract(&[one], &reason)?;
                vec![one]
            }
            (None, Some(list), None, None, None) => {
                session.retract(&list, &reason)?;
                list
            }
            (None, None, Some(ticket), None, None) => vec![session.retract_ticket(ticket, &reason)?],
            (None, None, None, arm, before) if arm.is_some() || before.is_some() => {
                let arm = arm.map(|name| arm_named(session.problem(), &name)).transpose()?;
                let before: Option<Moment> = before
                    .map(|text| text.parse())
                    .transpose()
                    .map_err(|error| Problem::unfit(format!("before: {error}")))?;
                session.retract_all(arm, before.as_ref(), &reason)?
            }
            _ => {
                let sentence =
                    "name one of \"observation\", \"observations\" and \"ticket\", or \"arm\", \"before\" or both";
                return Err(Problem::unfit(sentence));
            }
        };
        Ok(Retracted { retracted, reason })
    }
}
