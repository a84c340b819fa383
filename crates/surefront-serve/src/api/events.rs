//! What changes, as it does: server-sent events. All who follow a study share what is sent; whoever is slow gets the newest.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State as Extracted};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

use crate::problem::Problem;
use crate::state::State;

/// Something is sent at least so often: connections over which nothing goes are cut off by what lies between.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// `GET /api/studies/{id}/events`
pub async fn events(Extracted(state): Extracted<Arc<State>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let changes = state.studies.desk(&id)?.follow().await?;
    let events = WatchStream::new(changes).timeout_repeating(tokio::time::interval(SIGN_OF_LIFE)).map(|change| {
        let event = match change {
            Ok(Some(snapshot)) => snapshot.event.clone(),
            Ok(None) | Err(_) => Bytes::from_static(b": still here\n\n"),
        };
        Ok::<_, Infallible>(event)
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(events)).into_response())
}
