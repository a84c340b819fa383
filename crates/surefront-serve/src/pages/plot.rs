//! A part of the front, drawn larger.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State as Extracted};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use surefront_study::plot::Window;
use surefront_study::report;

use super::forms::Fields;
use crate::problem::Problem;
use crate::state::State;

/// `GET /studies/{id}/plot?pair=X Y&x=LOW HIGH&y=LOW HIGH`
pub async fn plot(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let fields = Fields::of_query(query.as_deref())?;
    let snapshot = state.studies.desk(&id)?.now().await?;
    let unreadable = || Problem::unreadable("pair is two objectives, x and y are two numbers each");
    let [x, y]: [usize; 2] = two(fields.get("pair")).ok_or_else(unreadable)?;
    let count = snapshot.status.answer.objectives.len();
    if x >= y || y >= count {
        return Err(unreadable());
    }
    let [x0, x1]: [f64; 2] = two(fields.get("x")).ok_or_else(unreadable)?;
    let [y0, y1]: [f64; 2] = two(fields.get("y")).ok_or_else(unreadable)?;
    let window =
        Window::new((x0, x1), (y0, y1)).ok_or_else(|| Problem::unfit("there is nothing to be seen so close"))?;
    let draw = move || report::pair(&snapshot.report, x, y, Some(window)).inline();
    let svg = tokio::task::spawn_blocking(draw).await.map_err(|_| Problem::ours("the figure cannot be drawn"))?;
    // A part of a page, not a page.
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], svg).into_response())
}

fn two<T: std::str::FromStr>(text: &str) -> Option<[T; 2]> {
    let (one, other) = text.split_once(' ')?;
    Some([one.parse().ok()?, other.parse().ok()?])
}
