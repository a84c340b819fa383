//! Which address is whose.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use crate::http::{body, guard};
use crate::problem::Problem;
use crate::state::State;
use crate::{api, pages};

/// All routes, with those who look at every request before them.
pub fn router(state: Arc<State>) -> Router {
    api::routes()
        .merge(pages::routes())
        .fallback(async || Problem::missing("there is nothing at this address"))
        .method_not_allowed_fallback(async || {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this address takes other methods")
        })
        .layer(middleware::from_fn(body::whole))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard::guard))
        .layer(middleware::from_fn(in_words))
        .with_state(state)
}

/// Whoever looked for a page is told on a page what is wrong; a program gets a document. What the web library itself refuses becomes one.
async fn in_words(request: Request, next: Next) -> Response {
    let page = guard::wants_page(request.headers()) && !request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = match response.extensions().get::<Problem>() {
        Some(problem) => problem.clone(),
        None if has_body(&response) => return response,
        None => Problem::new(status, "this request cannot be answered"),
    };
    let (parts, _) = response.into_parts();
    let mut said = if page { pages::problem(&problem) } else { problem.into_response() };
    for (name, value) in &parts.headers {
        if ![header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name) {
            said.headers_mut().insert(name, value.clone());
        }
    }
    said
}

/// Whether it is a page that says already what is wrong.
fn has_body(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}
