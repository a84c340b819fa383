//! Measuring by hand: tickets, a form for each, a file of results.

use std::fmt::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Multipart, Path, RawQuery, State as Extracted};
use axum::response::{Html, IntoResponse, Redirect, Response};
use surefront_study::plot::escaped;
use surefront_study::session::Asked;
use surefront_study::store::Told;
use surefront_study::words::number::grouped;

use super::SOURCE;
use super::forms::Fields;
use super::layout::Layout;
use super::unusual::unusual;
use crate::address::of_study;
use crate::api::ask::MOST_TICKETS;
use crate::api::tell::{Done, tell_file};
use crate::desk::{Asking, Snapshot, Telling, ToldValues, arm_named};
use crate::problem::Problem;
use crate::state::State;

/// Forms on one page; the rest comes when these are done.
const MOST_FORMS: usize = 30;
/// With more arms, the one that nobody asked for is typed, not chosen.
const MOST_CHOICES: usize = 2000;

/// `GET /studies/{id}/measure`
pub async fn page(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Html<String>, Problem> {
    let fields = Fields::of_query(query.as_deref())?;
    let number = |name: &str| fields.get(name).parse::<u64>().ok();
    let said = if let Some(observation) = number("stored") {
        format!("Stored as observation {observation}.")
    } else if let Some(observation) = number("same") {
        format!("The same was told before (observation {observation}): nothing has changed.")
    } else if let Some(ticket) = number("closed") {
        format!("Ticket {ticket} is closed without a result.")
    } else if let Some(rows) = number("rows") {
        let same = number("known").filter(|same| *same > 0);
        let known = same.map_or_else(String::new, |same| format!(", {} had been told before", grouped(same)));
        format!(
            "{} stored from the file{known}.",
            surefront_study::words::plural::counted(rows as usize, "observation", "observations")
        )
    } else if !fields.get("answered").is_empty() {
        "Nothing needs to be measured: there is an answer.".to_owned()
    } else {
        String::new()
    };
    let snapshot = state.studies.desk(&id)?.now().await?;
    let message = if said.is_empty() { said } else { format!("<p class=\"done\" role=\"status\">{said}</p>\n") };
    Ok(written(&id, &snapshot, &message, None))
}

/// `POST /studies/{id}/ask`
pub async fn ask(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Redirect, Problem> {
    let desk = state.studies.desk(&id)?;
    let number = Fields::read(&bytes)?.number("n")?;
    let number = u64::try_from(number).ok().filter(|number| (1..=MOST_TICKETS).contains(number));
    let number = number.ok_or_else(|| Problem::unfit(format!("ask for 1 to {MOST_TICKETS} measurements at once")))?;
    let asked = desk.ask(Asking { number, source: SOURCE }).await?;
    let end = if matches!(asked.asked, Asked::Answered { .. }) { "?answered=1" } else { "#tickets" };
    Ok(Redirect::to(&format!("{}/measure{end}", of_study(&id))))
}

/// A form as it was filled in, and what is to be said of it.
struct Refilled<'a> {
    fields: &'a Fields,
    message: String,
    /// Whether the values may be stored if somebody says so.
    may_confirm: bool,
}

/// `POST /studies/{id}/tell`
pub async fn tell(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let desk = state.studies.desk(&id)?;
    let fields = Fields::read(&bytes)?;
    let snapshot = desk.now().await?;
    let again = |problem: &Problem| {
        let message = format!("<p class=\"alert\" role=\"alert\">{}</p>\n", escaped(problem.detail()));
        let refilled = Refilled { fields: &fields, message, may_confirm: false };
        (problem.status(), written(&id, &snapshot, "", Some(&refilled))).into_response()
    };
    let telling = match telling(&fields, &snapshot) {
        Ok(telling) => telling,
        Err(problem) => return Ok(again(&problem)),
    };
    if fields.get("confirmed").is_empty() {
        let queries = queries(&telling, &snapshot);
        if !queries.is_empty() {
            let lines: String = queries.iter().map(|query| format!("<li>{}</li>", escaped(query))).collect();
            let message = format!(
                "<div class=\"alert\" role=\"alert\"><p>This is unusual, and nothing is stored yet:</p><ul>{lines}</ul></div>\n"
            );
            let refilled = Refilled { fields: &fields, message, may_confirm: true };
            return Ok(written(&id, &snapshot, "", Some(&refilled)).into_response());
        }
    }
    match desk.tell(telling).await {
        Ok(Told::New(observation)) => Ok(back(&id, &format!("?stored={observation}")).into_response()),
        Ok(Told::Same(observation)) => Ok(back(&id, &format!("?same={observation}")).into_response()),
        Err(problem) => Ok(again(&problem)),
    }
}

/// `POST /studies/{id}/fail`
pub async fn fail(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Redirect, Problem> {
    let fields = Fields::read(&bytes)?;
    let (ticket, why) = (fields.number("ticket")?, fields.get("why").to_owned());
    if why.is_empty() {
        return Err(Problem::unfit("say why there is no result, for whoever reads the log later"));
    }
    state.studies.desk(&id)?.change(move |session| Ok(session.fail(ticket, &why)?)).await?;
    Ok(back(&id, &format!("?closed={ticket}")))
}

/// `POST /studies/{id}/upload`
pub async fn upload(
    Extracted(state): Extracted<Arc<State>>,
    Path(id): Path<String>,
    mut form: Multipart,
) -> Result<Response, Problem> {
    let desk = state.studies.desk(&id)?;
    let unreadable = |error| Problem::unreadable(format!("the file did not arrive as browsers send it ({error})"));
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        if field.name() != Some("file") {
            continue;
        }
        let name = field.file_name().filter(|name| !name.is_empty()).unwrap_or("the file").to_owned();
        let bytes = field.bytes().await.map_err(unreadable)?.to_vec();
        return match desk.change(move |session| tell_file(session, &name, bytes)).await {
            Ok(Done { stored, same, .. }) => Ok(back(&id, &format!("?rows={stored}&known={same}")).into_response()),
            Err(problem) => {
                let message = format!("<p class=\"alert\" role=\"alert\">{}</p>\n", escaped(problem.detail()));
                Ok((problem.status(), written(&id, &*desk.now().await?, &message, None)).into_response())
            }
        };
    }
    Err(Problem::unreadable("choose a file"))
}

fn back(id: &str, end: &str) -> Redirect {
    Redirect::to(&format!("{}/measure{end}", of_study(id)))
}

/// What the form says was measured.
fn telling(fields: &Fields, snapshot: &Snapshot) -> Result<Telling, Problem> {
    let stated = &snapshot.stated;
    let ticket = if fields.get("ticket").is_empty() { None } else { Some(fields.number("ticket")?) };
    let arm = Some(fields.get("arm")).filter(|arm| !arm.is_empty()).map(str::to_owned);
    if let Some(name) = &arm {
        arm_named(stated, name)?;
    }
    let values = (0..snapshot.readings.names().len()).map(|j| fields.get(&format!("value{j}")).to_owned());
    let values = ToldValues::Ordered(values.collect());
    values.checked(&snapshot.readings)?;
    Ok(Telling { ticket, arm, values, source: SOURCE })
}

/// What to ask before these values are stored.
fn queries(telling: &Telling, snapshot: &Snapshot) -> Vec<String> {
    let asked = |ticket| snapshot.status.open_tickets.iter().find(|open| open.ticket == ticket);
    let arm = match (&telling.arm, telling.ticket.and_then(asked)) {
        (_, Some(open)) => Some(open.arm.index),
        (Some(name), None) => snapshot.stated.arm_named(name),
        (None, None) => None,
    };
    match (arm, telling.values.checked(&snapshot.readings)) {
        (Some(arm), Ok(values)) => unusual(&snapshot.status.answer, arm, &values),
        _ => Vec::new(),
    }
}

/// The page; perhaps with a form as it was filled in.
fn written(id: &str, snapshot: &Snapshot, message: &str, refilled: Option<&Refilled>) -> Html<String> {
    let (answer, address) = (&snapshot.status.answer, escaped(&of_study(id)));
    let name = &answer.study;
    let open = &snapshot.status.open_tickets;
    let mut body = format!("<header><h1>Measure for {}</h1></header>\n{message}", escaped(name));
    let _ = writeln!(
        body,
        "<form class=\"inline\" method=\"post\" action=\"{address}/ask\">\n<label for=\"n\">How many measurements?</label>\n\
         <input id=\"n\" name=\"n\" type=\"number\" inputmode=\"numeric\" min=\"1\" max=\"{MOST_TICKETS}\" value=\"1\" required>\n\
         <button>Measure next</button>\n</form>"
    );
    let is_of = |ticket: i64| refilled.filter(|refilled| refilled.fields.get("ticket") == ticket.to_string());
    let stale = refilled.filter(|refilled| {
        !open.iter().any(|open| is_of(open.ticket).is_some()) && refilled.fields.get("arm").is_empty()
    });
    if let Some(Refilled { message, .. }) = stale {
        body += message;
    }
    body += "<section id=\"tickets\">\n<h2>Open tickets</h2>\n";
    if open.is_empty() {
        body += "<p>No ticket is open.</p>\n";
    } else {
        let _ = writeln!(body, "<p><a href=\"{address}/worklist\">All of them on paper</a></p>");
    }
    body += "<ul class=\"cards tickets\">\n";
    for ticket in open.iter().take(MOST_FORMS) {
        let number = ticket.ticket;
        let _ = writeln!(
            body,
            "<li class=\"card\" id=\"ticket-{number}\"><h3>{} <small>ticket {number}</small></h3>\n{}\
             <details><summary>There is no result</summary><form method=\"post\" action=\"{address}/fail\">\
             <input type=\"hidden\" name=\"ticket\" value=\"{number}\"><p><label for=\"why-{number}\">Why?</label>\n\
             <input id=\"why-{number}\" name=\"why\" required maxlength=\"500\"></p><p><button>Close ticket {number}</button></p></form></details></li>",
            escaped(&ticket.arm.name),
            form(
                &address,
                snapshot,
                &format!("t{number}"),
                &format!("<input type=\"hidden\" name=\"ticket\" value=\"{number}\">"),
                is_of(number)
            )
        );
    }
    body += "</ul>\n";
    if let Some(more) = open.len().checked_sub(MOST_FORMS).filter(|more| *more > 0) {
        let _ = writeln!(
            body,
            "<p class=\"note\">And {} more, which follow when these are done.</p>",
            grouped(more as u64)
        );
    }
    body += "</section>\n";
    unasked(&mut body, &address, snapshot, refilled.filter(|refilled| refilled.fields.get("ticket").is_empty()));
    let _ = writeln!(
        body,
        "<section id=\"upload\">\n<h2>A file of results</h2>\n<form method=\"post\" action=\"{address}/upload\" enctype=\"multipart/form-data\">\n\
         <p><label for=\"file\">CSV with a column for each objective, and <code>ticket</code>, <code>arm</code> or both; \
         <a href=\"{address}/worklist.csv\">the open tickets</a> to be filled in</label>\n\
         <input id=\"file\" name=\"file\" type=\"file\" accept=\".csv,text/csv\" required></p>\n<p><button>Store all rows</button></p>\n</form>\n</section>"
    );
    Layout::new(format!("Measure for {name}"), "measure").about(id, name, snapshot.sequence).page(&body)
}

/// The form for what nobody asked for.
fn unasked(body: &mut String, address: &str, snapshot: &Snapshot, refilled: Option<&Refilled>) {
    let arms = &snapshot.stated.arms();
    let typed = refilled.map_or("", |refilled| refilled.fields.get("arm"));
    let field = if arms.len() > MOST_CHOICES {
        format!("<input id=\"arm\" name=\"arm\" value=\"{}\" required>", escaped(typed))
    } else {
        let option = |name: &str| {
            let selected = if name == typed { " selected" } else { "" };
            format!("<option{selected}>{}</option>", escaped(name))
        };
        let options: String = arms.iter().map(|arm| option(&arm.name)).collect();
        format!("<select id=\"arm\" name=\"arm\" required><option value=\"\">Choose</option>{options}</select>")
    };
    let open = if refilled.is_some() { " open" } else { "" };
    let _ = writeln!(
        body,
        "<section>\n<h2>Something that nobody asked for</h2>\n<details{open}><summary>Enter it</summary>\n\
         <p class=\"note\">It counts, but what was chosen by looking at results weakens the promise: better is what was asked for.</p>\n{}</details>\n</section>",
        form(address, snapshot, "u", &format!("<p><label for=\"arm\">Arm</label>\n{field}</p>\n"), refilled)
    );
}

/// A field for each reading; `key` makes their ids differ from those of other forms.
fn form(address: &str, snapshot: &Snapshot, key: &str, whose: &str, refilled: Option<&Refilled>) -> String {
    let mut html = format!("<form method=\"post\" action=\"{address}/tell\">\n");
    if let Some(Refilled { message, .. }) = refilled {
        html += message;
    }
    html += whose;
    html += "<div class=\"values\">\n";
    for (j, reading) in snapshot.readings.names().iter().enumerate() {
        let typed = refilled.map_or("", |refilled| refilled.fields.get(&format!("value{j}")));
        let _ = writeln!(
            html,
            "<p><label for=\"{key}-{j}\">{}</label>\n<input id=\"{key}-{j}\" name=\"value{j}\" inputmode=\"decimal\" autocomplete=\"off\" required value=\"{}\"></p>",
            escaped(reading),
            escaped(typed)
        );
    }
    html += "</div>\n";
    if refilled.is_some_and(|refilled| refilled.may_confirm) {
        html += "<p><label class=\"check\"><input type=\"checkbox\" name=\"confirmed\" value=\"yes\" required> It is right: I have looked again</label></p>\n";
    }
    html + "<p><button>Store</button></p>\n</form>\n"
}
