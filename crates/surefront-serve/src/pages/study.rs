//! The page of a study: the answer, the front, the evidence, every verdict, what was measured last, and what it rests on.

use std::sync::Arc;

use axum::extract::{Path, State as Extracted};
use axum::response::Html;
use surefront_study::plot::escaped;
use surefront_study::report::Sections;
use surefront_study::words::number::grouped;

use super::layout::Layout;
use super::log;
use crate::address::of_study;
use crate::desk::Snapshot;
use crate::problem::Problem;
use crate::state::State;

/// `GET /studies/{id}`
pub async fn page(Extracted(state): Extracted<Arc<State>>, Path(id): Path<String>) -> Result<Html<String>, Problem> {
    let snapshot = state.studies.desk(&id)?.now().await?;
    let write = move || {
        let name = &snapshot.status.answer.study;
        Layout::new(name, "study").about(&id, name, snapshot.sequence).page(&body(&id, &snapshot))
    };
    tokio::task::spawn_blocking(write).await.map_err(|_| Problem::ours("the page cannot be written"))
}

/// The parts that change are exchanged by the script, each by its id.
fn body(id: &str, snapshot: &Snapshot) -> String {
    let Sections { head, front, evidence, samples, verdicts, means, further, small_print } = snapshot.sections();
    let address = escaped(&of_study(id));
    let api = format!("/api{address}");
    let open = match snapshot.status.open_tickets.len() {
        0 => String::new(),
        open => format!(" ({} open)", grouped(open as u64)),
    };
    let live = |id: &str, class: &str, content: &str| {
        format!("<div id=\"{id}\" class=\"{class}\" data-live>\n{content}</div>\n")
    };
    let log = format!(
        "<section>\n<h2>What was measured last</h2>\n{}<p><a href=\"{address}/log\">The whole log</a></p>\n</section>\n",
        log::table(id, snapshot, &snapshot.latest, &snapshot.endings)
    );
    [
        live("part-head", "", head),
        format!(
            "<p class=\"actions\"><a class=\"button\" href=\"{address}/measure\">Measure next</a>\
             <span id=\"part-open\" data-live>{open}</span> <a href=\"{api}/report\">Report</a> \
             <a href=\"{api}/export\">Measurements as CSV</a> <a href=\"{api}\">JSON</a></p>\n"
        ),
        "<section id=\"pinned\" class=\"pinned\" aria-live=\"polite\" aria-label=\"The arm that is pinned\" hidden></section>\n".to_owned(),
        live("part-front", "", front),
        live("part-evidence", "columns", &format!("{evidence}{samples}")),
        live("part-verdicts", "", verdicts),
        live("part-log", "", &log),
        live("part-means", "", means),
        live("part-further", "", further),
        live("part-small-print", "", small_print),
    ]
    .concat()
}
