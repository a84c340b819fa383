//! The description of the addresses below `/api`, for programs that make programs (OpenAPI 3.1).

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Written by hand, beside [`crate::api`]; a test holds it against the routes.
const DESCRIPTION: &str = include_str!("assets/openapi.json");

/// `GET /api/openapi.json`
pub async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.replace("{VERSION}", env!("CARGO_PKG_VERSION")))
        .into_response()
}
