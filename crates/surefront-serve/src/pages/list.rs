//! All studies, with their progress.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State as Extracted;
use axum::response::Html;
use surefront::Promise;
use surefront_study::plot::escaped;
use surefront_study::words::number::grouped;
use surefront_study::words::plural::counted;

use super::layout::Layout;
use crate::address::of_study;
use crate::desk::Summary;
use crate::problem::Problem;
use crate::state::State;

/// `GET /`
pub async fn page(Extracted(state): Extracted<Arc<State>>) -> Html<String> {
    let mut cards = String::new();
    let ids = state.studies.ids();
    for id in &ids {
        let summary = match state.studies.desk(id) {
            Ok(desk) => desk.now().await.map(|snapshot| snapshot.summary()),
            Err(problem) => Err(problem),
        };
        card(&mut cards, id, summary);
    }
    let make = match state.studies.folder() {
        Some(_) => "<p><a class=\"button\" href=\"/new\">Make a study</a></p>\n",
        None => "",
    };
    let none = if ids.is_empty() { "<p>There is no study here yet.</p>\n" } else { "" };
    let leave = match state.tokens {
        Some(_) => "<form method=\"post\" action=\"/logout\"><button class=\"quiet\">Log out</button></form>\n",
        None => "",
    };
    let body = format!(
        "<header><h1>Studies</h1></header>\n<div id=\"studies\" data-live>\n{none}<ul class=\"cards\">\n{cards}</ul>\n</div>\n{make}{leave}"
    );
    Layout::new("Studies", "list").page(&body)
}

fn card(html: &mut String, id: &str, summary: Result<Summary, Problem>) {
    let address = escaped(&of_study(id));
    match summary {
        Err(problem) => {
            let _ = writeln!(
                html,
                "<li class=\"card\"><h2>{}</h2><p class=\"alert\">{}</p></li>",
                escaped(id),
                escaped(problem.detail())
            );
        }
        Ok(summary) => {
            let (class, badge) = badge(&summary);
            let percent = (100.0 * summary.fraction).floor();
            let _ = writeln!(
                html,
                "<li class=\"card {class}\"><h2><a href=\"{address}\">{}</a></h2>\n<p class=\"badge\">{badge}</p>\n<p>{}</p>\n\
                 <p class=\"progress\"><progress max=\"100\" value=\"{percent}\" aria-label=\"Progress of {}\"></progress> about {percent} %</p>\n\
                 <p class=\"note\">{} of {} decided, {}, {}</p></li>",
                escaped(&summary.study),
                escaped(&summary.answer),
                escaped(&summary.study),
                grouped(summary.decided as u64),
                counted(summary.arms, "arm", "arms"),
                counted(summary.samples as usize, "sample", "samples"),
                counted(summary.open_tickets, "open ticket", "open tickets"),
            );
        }
    }
}

/// How far it is, as a class and in words.
fn badge(summary: &Summary) -> (&'static str, &'static str) {
    match (summary.stopped, summary.promise) {
        (true, Promise::Proved) => ("sure", "✓ certain"),
        (true, Promise::Likely) => ("likely", "~ likely, not proved"),
        (false, Promise::Proved) => ("open", "… not certain yet"),
        (false, Promise::Likely) => ("open", "… not decided yet"),
    }
}
