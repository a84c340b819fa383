//! The report of a study, as it is written to a file elsewhere.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State as Extracted};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use surefront_study::report::{self, Format};

use super::parameters;
use crate::http::guard::OwnStyle;
use crate::problem::Problem;
use crate::state::State;

/// `GET /api/studies/{id}/report?format=html|md|json|svg`
pub async fn report(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let (format, kind) = match parameters(query.as_deref(), &["format"])?.first() {
        None | Some((_, "html")) => (Format::Html, "text/html; charset=utf-8"),
        Some((_, "md")) => (Format::Md, "text/markdown; charset=utf-8"),
        Some((_, "json")) => (Format::Json, "application/json"),
        Some((_, "svg")) => (Format::Svg, "image/svg+xml"),
        Some(_) => return Err(Problem::unreadable("format is one of html, md, json and svg")),
    };
    let snapshot = state.studies.desk(&id)?.now().await?;
    let text = tokio::task::spawn_blocking(move || report::render(&snapshot.report, format)).await;
    let text = text.map_err(|_| Problem::ours("the report cannot be written"))?;
    let mut response = ([(header::CONTENT_TYPE, kind)], text).into_response();
    response.extensions_mut().insert(OwnStyle);
    Ok(response)
}
