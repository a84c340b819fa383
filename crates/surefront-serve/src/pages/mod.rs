//! Pages for people: complete as the server writes them; the script only makes them livelier.

mod assets;
mod create;
mod forms;
mod layout;
mod list;
mod log;
mod login;
mod measure;
mod plot;
mod study;
mod unusual;
mod worklist;

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use surefront_study::plot::escaped;

use self::layout::Layout;
use crate::problem::Problem;
use crate::state::State;

/// Who asked or told over this door, in the store.
const SOURCE: &str = "browser";

/// The addresses of all pages, and of what their forms do.
pub fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/", get(list::page))
        .route("/login", get(login::page).post(login::log_in))
        .route("/logout", post(login::log_out))
        .route("/new", get(create::page).post(create::create))
        .route("/studies/{id}", get(study::page))
        .route("/studies/{id}/plot", get(plot::plot))
        .route("/studies/{id}/log", get(log::page))
        .route("/studies/{id}/retract", post(log::retract))
        .route("/studies/{id}/measure", get(measure::page))
        .route("/studies/{id}/ask", post(measure::ask))
        .route("/studies/{id}/tell", post(measure::tell))
        .route("/studies/{id}/fail", post(measure::fail))
        .route("/studies/{id}/upload", post(measure::upload))
        .route("/studies/{id}/worklist", get(worklist::page))
        .route("/studies/{id}/worklist.csv", get(worklist::csv))
        .route("/assets/{name}", get(assets::asset))
}

/// What is wrong, for a person.
pub fn problem(problem: &Problem) -> Response {
    let status = problem.status();
    let title = status.canonical_reason().unwrap_or("Problem");
    let body = format!(
        "<header><h1>{title}</h1></header>\n<p class=\"alert\" role=\"alert\">{}</p>\n<p><a href=\"/\">All studies</a></p>\n",
        escaped(problem.detail())
    );
    (status, Layout::new(title, "problem").page(&body)).into_response()
}
