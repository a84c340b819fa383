//! Every observation, for other programs.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State as Extracted};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use surefront_study::output::observations::{self as written, ObservationFormat, Which};

use super::parameters;
use crate::problem::Problem;
use crate::state::State;

/// `GET /api/studies/{id}/export?format=csv|jsonl&all=true`
pub async fn export(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let (mut format, mut which) = (ObservationFormat::Csv, Which::Counting);
    for (name, value) in parameters(query.as_deref(), &["format", "all"])? {
        match (name, value) {
            ("format", "csv") => format = ObservationFormat::Csv,
            ("format", "jsonl") => format = ObservationFormat::JsonLines,
            ("all", "true" | "1" | "") => which = Which::All,
            ("all", "false" | "0") => which = Which::Counting,
            _ => return Err(Problem::unreadable("format is csv or jsonl, and all is true or false")),
        }
    }
    let desk = state.studies.desk(&id)?;
    let bytes = desk
        .look(move |session| {
            let mut bytes = Vec::new();
            let write = |view: &surefront_study::store::View| Ok(written::write(view, which, format, &mut bytes));
            session
                .look(write)?
                .map_err(|error| Problem::ours(format!("the observations cannot be read ({error})")))?;
            Ok(bytes)
        })
        .await?;
    let kind = match format {
        ObservationFormat::Csv => "text/csv; charset=utf-8",
        ObservationFormat::JsonLines => "application/jsonl",
    };
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}
