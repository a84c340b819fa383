//! The bodies of requests: read as a whole before anything is done, within a size and a time.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::problem::Problem;

/// What is told, asked or typed.
const SMALL: usize = 256 * 1024;
/// A file of results.
const LARGE: usize = 16 * 1024 * 1024;
/// A body must be there by then.
const TIME: Duration = Duration::from_secs(30);

/// Reads the body, and goes on with it.
pub async fn whole(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if parts.method == Method::GET || parts.method == Method::HEAD {
        return next.run(Request::from_parts(parts, Body::empty())).await;
    }
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_file = kind.starts_with("text/csv") || kind.starts_with("multipart/form-data");
    match read(body, if is_file { LARGE } else { SMALL }).await {
        Ok(bytes) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(problem) => problem.into_response(),
    }
}

async fn read(body: Body, limit: usize) -> Result<Bytes, Problem> {
    match tokio::time::timeout(TIME, Limited::new(body, limit).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("send at most {} kB at once", limit / 1024)))
        }
        Ok(Err(_)) => Err(Problem::unreadable("the request ended before its body did")),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time")),
    }
}
