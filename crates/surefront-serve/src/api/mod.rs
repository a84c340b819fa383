//! What programs are given: the JSON types of every other door, over HTTP.

pub mod ask;
mod events;
mod export;
mod report;
mod retract;
mod studies;
pub mod tell;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::open_api;
use crate::problem::Problem;
use crate::state::State;

/// Who asked or told over this door, in the store.
const SOURCE: &str = "api";

/// The addresses below `/api`; [`open_api`] describes each, which a test makes sure of.
pub fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/api/openapi.json", get(open_api::document))
        .route("/api/studies", get(studies::list))
        .route("/api/studies/{id}", get(studies::status))
        .route("/api/studies/{id}/ask", post(ask::ask))
        .route("/api/studies/{id}/tell", post(tell::tell))
        .route("/api/studies/{id}/retract", post(retract::retract))
        .route("/api/studies/{id}/events", get(events::events))
        .route("/api/studies/{id}/report", get(report::report))
        .route("/api/studies/{id}/export", get(export::export))
}

/// An answer as JSON.
fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => json_bytes(bytes.into()),
        Err(error) => Problem::ours(format!("the answer cannot be written ({error})")).into_response(),
    }
}

fn json_bytes(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

/// What kind of document the body is, without parameters.
fn kind(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The body as JSON of this type; nothing is an empty object.
fn body<T: DeserializeOwned>(headers: &HeaderMap, bytes: &[u8]) -> Result<T, Problem> {
    let kind = kind(headers);
    if kind != "application/json" && !(kind.is_empty() && bytes.is_empty()) {
        let sentence = "send JSON, and say so: Content-Type: application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    serde_json::from_slice(bytes)
        .map_err(|error| Problem::unreadable(format!("the body is not as it should be: {error}")))
}

/// Looks up a parameter of the address, of which only these are known.
fn parameters<'q>(query: Option<&'q str>, known: &[&str]) -> Result<Vec<(&'q str, &'q str)>, Problem> {
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    let pairs: Vec<(&str, &str)> = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).collect();
    match pairs.iter().find(|(name, _)| !known.contains(name)) {
        Some((name, _)) => {
            Err(Problem::unreadable(format!("there is no parameter \"{name}\" here: {}", known.join(", "))))
        }
        None => Ok(pairs),
    }
}
