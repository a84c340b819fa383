//! What there is, and how far it is.

use std::sync::Arc;

use axum::extract::{Path, State as Extracted};
use axum::response::Response;
use serde::Serialize;

use super::{json, json_bytes};
use crate::desk::Summary;
use crate::problem::Problem;
use crate::state::State;

#[derive(Serialize)]
struct Studies {
    studies: Vec<Entry>,
}

/// A study, or why it cannot be shown.
#[derive(Serialize)]
struct Entry {
    id: String,
    #[serde(flatten)]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// `GET /api/studies`
pub async fn list(Extracted(state): Extracted<Arc<State>>) -> Result<Response, Problem> {
    let mut studies = Vec::new();
    for id in state.studies.ids() {
        let summary = match state.studies.desk(&id) {
            Ok(desk) => desk.now().await.map(|snapshot| snapshot.summary()),
            Err(problem) => Err(problem),
        };
        let (summary, error) = match summary {
            Ok(summary) => (Some(summary), None),
            Err(problem) => (None, Some(problem.detail().to_owned())),
        };
        studies.push(Entry { id, summary, error });
    }
    Ok(json(&Studies { studies }))
}

/// `GET /api/studies/{id}`
pub async fn status(Extracted(state): Extracted<Arc<State>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let snapshot = state.studies.desk(&id)?.now().await?;
    let bytes = tokio::task::spawn_blocking(move || snapshot.json()).await;
    Ok(json_bytes(bytes.map_err(|_| Problem::ours("the status cannot be written"))?))
}
