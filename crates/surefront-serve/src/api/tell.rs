//! What was measured.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State as Extracted};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number};
use surefront_study::file::results::{self, Results};
use surefront_study::session::{Session, ToldFile};
use surefront_study::store::Told;

use super::{SOURCE, body, json, kind};
use crate::desk::{Telling, ToldValues};
use crate::problem::Problem;
use crate::state::State;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    ticket: Option<i64>,
    arm: Option<String>,
    values: Option<Values>,
    /// Why there is no result.
    failed: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Values {
    Named(Map<String, serde_json::Value>),
    Ordered(Vec<Value>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Number(Number),
    Text(String),
}

/// What became of it.
#[derive(Default, Serialize)]
pub struct Done {
    /// Observations that count from now on.
    pub stored: usize,
    /// Tickets that had been told the same before.
    pub same: usize,
    /// Rows of a file without values.
    pub left_open: usize,
    /// The number of the observation, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation: Option<i64>,
}

/// `POST /api/studies/{id}/tell`
pub async fn tell(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let desk = state.studies.desk(&id)?;
    if kind(&headers) == "text/csv" {
        let done = desk.change(move |session| tell_file(session, "the body", bytes.to_vec())).await?;
        return Ok(json(&done));
    }
    let Sent { ticket, arm, values, failed } = body(&headers, &bytes)?;
    let done = match (failed, values, ticket) {
        (Some(why), None, Some(ticket)) if arm.is_none() => {
            desk.change(move |session| Ok(session.fail(ticket, &why)?)).await?;
            Done::default()
        }
        (Some(_), ..) => return Err(Problem::unfit("\"failed\" goes with a \"ticket\" and nothing else")),
        (None, None, _) => return Err(Problem::unfit("\"values\" is missing: one number for each objective, by name")),
        (None, Some(values), ticket) => {
            Done::of(desk.tell(Telling { ticket, arm, values: values.sent()?, source: SOURCE }).await?)
        }
    };
    Ok(json(&done))
}

impl Done {
    /// Of one result.
    pub fn of(told: Told) -> Self {
        match told {
            Told::New(observation) => Done { stored: 1, observation: Some(observation), ..Done::default() },
            Told::Same(observation) => Done { same: 1, observation: Some(observation), ..Done::default() },
        }
    }
}

impl Values {
    fn sent(self) -> Result<ToldValues, Problem> {
        let text = |value: Value| match value {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text,
        };
        Ok(match self {
            Values::Ordered(values) => ToldValues::Ordered(values.into_iter().map(text).collect()),
            Values::Named(values) => {
                let pair = |(name, value): (String, serde_json::Value)| match value {
                    serde_json::Value::Number(number) => Ok((name, number.to_string())),
                    serde_json::Value::String(text) => Ok((name, text)),
                    _ => Err(Problem::unfit(format!("the value of \"{name}\" is no number"))),
                };
                ToldValues::Named(values.into_iter().map(pair).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// Tells a whole file or nothing of it.
pub fn tell_file(session: &mut Session, name: &str, bytes: Vec<u8>) -> Result<Done, Problem> {
    let nothing = |problem: Problem| {
        Problem::new(problem.status(), format!("{} (nothing of this file was stored)", problem.detail()))
    };
    let results = results::of_bytes(FilePath::new(name), bytes, session.problem(), &session.file().readings());
    let results = results.map_err(|error| nothing(error.into()))?;
    let Results { rows, open, .. } = results;
    let ToldFile { stored, same } = session.tell_all(&rows, name).map_err(|error| nothing(error.into()))?;
    Ok(Done { stored, same, left_open: open, observation: None })
}
