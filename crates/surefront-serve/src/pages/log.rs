//! What was measured, what came to nothing and what was taken back; and the form that takes something back.

use std::fmt::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State as Extracted};
use axum::response::{Html, Redirect};
use surefront_study::plot::escaped;
use surefront_study::store::{EndedTicket, Observation, in_words};

use super::forms::Fields;
use super::layout::Layout;
use crate::address::of_study;
use crate::desk::Snapshot;
use crate::problem::Problem;
use crate::state::State;

/// Measurements on a page of the log.
const ON_PAGE: u32 = 200;

/// `GET /studies/{id}/log?before=OBSERVATION`
pub async fn page(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Html<String>, Problem> {
    let fields = Fields::of_query(query.as_deref())?;
    let before = if fields.get("before").is_empty() { i64::MAX } else { fields.number("before")? };
    let desk = state.studies.desk(&id)?;
    let (observations, endings) = desk
        .look(move |session| {
            Ok(session.look(|view| Ok((view.latest_observations(before, ON_PAGE)?, view.latest_endings(ON_PAGE)?)))?)
        })
        .await?;
    let snapshot = desk.now().await?;
    let endings = if before == i64::MAX { endings } else { Vec::new() };
    let address = escaped(&of_study(&id));
    let older = match observations.last() {
        Some(last) if observations.len() == ON_PAGE as usize => {
            format!("<p><a href=\"{address}/log?before={}\">Older ones</a></p>\n", last.id)
        }
        _ => String::new(),
    };
    let name = &snapshot.status.answer.study;
    let body = format!(
        "<header><h1>Log of {}</h1></header>\n<div id=\"part-log\" data-live>\n{}{older}</div>\n\
         <p><a href=\"/api{address}/export?all=true\">All of it as CSV</a></p>\n",
        escaped(name),
        table(&id, &snapshot, &observations, &endings)
    );
    Ok(Layout::new(format!("Log of {name}"), "log").about(&id, name, snapshot.sequence).page(&body))
}

/// `POST /studies/{id}/retract`
pub async fn retract(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Redirect, Problem> {
    let fields = Fields::read(&bytes)?;
    let (observation, reason) = (fields.number("observation")?, fields.get("reason").to_owned());
    if reason.is_empty() {
        return Err(Problem::unfit("say why it is taken back, for whoever reads the log later"));
    }
    state.studies.desk(&id)?.change(move |session| Ok(session.retract(&[observation], &reason)?)).await?;
    Ok(Redirect::to(&format!("{}/log", of_study(&id))))
}

/// Something that happened.
enum Entry<'a> {
    Told(&'a Observation),
    Ended(&'a EndedTicket),
}

/// The entries of both lists, newest first.
pub fn table(id: &str, snapshot: &Snapshot, observations: &[Observation], endings: &[EndedTicket]) -> String {
    let mut entries: Vec<Entry> =
        observations.iter().map(Entry::Told).chain(endings.iter().map(Entry::Ended)).collect();
    if entries.is_empty() {
        return "<p>Nothing has been measured yet.</p>\n".to_owned();
    }
    entries.sort_by(|a, b| b.at().cmp(a.at()));
    let names = snapshot.status.answer.objectives.iter().map(|objective| objective.name.clone());
    let values = escaped(&names.collect::<Vec<_>>().join(", "));
    let mut html = format!(
        "<div class=\"table\" tabindex=\"0\">\n<table class=\"log\">\n<thead><tr><th scope=\"col\">when (UTC)</th><th scope=\"col\">arm</th>\
         <th scope=\"col\">{values}</th><th scope=\"col\">ticket</th><th scope=\"col\">from</th><th scope=\"col\">taken back</th></tr></thead>\n<tbody>\n"
    );
    for entry in &entries {
        entry.row(&mut html, &escaped(&of_study(id)));
    }
    html + "</tbody>\n</table>\n</div>\n"
}

impl Entry<'_> {
    fn at(&self) -> &str {
        match self {
            Entry::Told(observation) => &observation.told_at,
            Entry::Ended(ended) => &ended.at,
        }
    }

    fn row(&self, html: &mut String, address: &str) {
        // To the second.
        let at = escaped(&self.at().get(..19).unwrap_or(self.at()).replace('T', " "));
        let _ = match self {
            Entry::Ended(ended) => writeln!(
                html,
                "<tr class=\"failed\"><td>{at}</td><th scope=\"row\">{}</th><td>{}: {}</td><td>{}</td><td></td><td></td></tr>",
                escaped(&ended.arm),
                ended.ending.name(),
                escaped(&ended.note),
                ended.ticket
            ),
            Entry::Told(observation) => {
                let Observation { id, arm, ticket, source, retracted, values, .. } = observation;
                let ticket = ticket.map(|ticket| ticket.to_string()).unwrap_or_default();
                let (class, cell) = match retracted {
                    Some((at, reason)) => {
                        let day = at.get(..10).unwrap_or(at);
                        ("retracted", format!("{}: {}", escaped(day), escaped(reason)))
                    }
                    None => (
                        "told",
                        format!(
                            "<details><summary>Take back</summary><form method=\"post\" action=\"{address}/retract\">\
                             <input type=\"hidden\" name=\"observation\" value=\"{id}\"><label>Why? \
                             <input name=\"reason\" required maxlength=\"500\"></label> <button>Take back observation {id}</button></form></details>"
                        ),
                    ),
                };
                writeln!(
                    html,
                    "<tr class=\"{class}\"><td>{at}</td><th scope=\"row\">{}</th><td class=\"values\">{}</td><td>{ticket}</td><td>{}</td><td>{cell}</td></tr>",
                    escaped(arm),
                    escaped(&in_words(values)),
                    escaped(source)
                )
            }
        };
    }
}
