//! The open tickets on paper: a table with room to write, and the same as CSV.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::{Path, State as Extracted};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use surefront_study::output::worklist;
use surefront_study::plot::escaped;

use super::layout::Layout;
use crate::address::of_study;
use crate::problem::Problem;
use crate::state::State;

/// `GET /studies/{id}/worklist`
pub async fn page(Extracted(state): Extracted<Arc<State>>, Path(id): Path<String>) -> Result<Html<String>, Problem> {
    let snapshot = state.studies.desk(&id)?.now().await?;
    let answer = &snapshot.status.answer;
    let (name, address) = (&answer.study, escaped(&of_study(&id)));
    let mut body = format!("<header><h1>Worklist of {}</h1></header>\n", escaped(name));
    let tickets = &snapshot.status.open_tickets;
    if tickets.is_empty() {
        let _ = writeln!(body, "<p>No ticket is open. <a href=\"{address}/measure\">Ask for some</a></p>");
    } else {
        let _ = writeln!(
            body,
            "<p class=\"screen-only\">Print this page, or fill in <a href=\"{address}/worklist.csv\">the same as CSV</a> and \
             <a href=\"{address}/measure#upload\">hand it back</a>.</p>"
        );
        body += "<div class=\"table\" tabindex=\"0\">\n<table class=\"worklist\">\n<thead><tr><th scope=\"col\">ticket</th><th scope=\"col\">arm</th>";
        for reading in snapshot.readings.names() {
            let _ = write!(body, "<th scope=\"col\">{}</th>", escaped(reading));
        }
        body += "<th scope=\"col\">by, when</th></tr></thead>\n<tbody>\n";
        for ticket in tickets {
            let room = "<td></td>".repeat(snapshot.readings.names().len() + 1);
            let _ = writeln!(
                body,
                "<tr><td>{}</td><th scope=\"row\">{}</th>{room}</tr>",
                ticket.ticket,
                escaped(&ticket.arm.name)
            );
        }
        body += "</tbody>\n</table>\n</div>\n";
    }
    Ok(Layout::new(format!("Worklist of {name}"), "worklist").about(&id, name, snapshot.sequence).page(&body))
}

/// `GET /studies/{id}/worklist.csv`
pub async fn csv(Extracted(state): Extracted<Arc<State>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let snapshot = state.studies.desk(&id)?.now().await?;
    let tickets = snapshot.status.open_tickets.iter().map(|ticket| (ticket.ticket, ticket.arm.index));
    let mut bytes = Vec::new();
    worklist::write(&snapshot.stated, &snapshot.readings, tickets, &mut bytes)
        .map_err(|error| Problem::ours(format!("the worklist cannot be written ({error})")))?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"worklist.csv\""),
    ];
    Ok((headers, bytes).into_response())
}
