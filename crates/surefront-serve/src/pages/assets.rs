//! What pages look like, and the one script. Both are part of the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use surefront_study::report::sections_style;

use crate::problem::Problem;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/script.js");
const ICON: &str = include_str!("../assets/icon.svg");

/// `GET /assets/{name}`
pub async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    let (kind, content) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", sections_style() + STYLE),
        "script.js" => ("text/javascript; charset=utf-8", SCRIPT.to_owned()),
        "icon.svg" => ("image/svg+xml", ICON.to_owned()),
        _ => return Err(Problem::missing("there is nothing at this address")),
    };
    // Asked for again after a minute, so that another release is not mixed with this one for long.
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "private, max-age=60")], content).into_response())
}
