//! `ask`, `tell` and `status` of a study that a server keeps.

use std::io::{self, Read};

use serde_json::{Map, Value, json};
use surefront::Promise;
use surefront_study::session::Wishes;
use surefront_study::words::number::grouped;
use surefront_study::words::table::{Align, TextTable};

use super::serve::tokens_in;
use super::{ended, print, print_json, print_json_text};
use crate::args::{AskArgs, ServerArgs, SettingsArgs, StatusArgs, TellArgs, server_id};
use crate::failure::Failure;
use crate::screen;
use crate::server::{RemoteServer, ServerError};

const JSON: &str = "application/json";

/// The server that was named, if one was.
pub fn server(args: &ServerArgs) -> Result<Option<RemoteServer>, Failure> {
    let Some(url) = &args.server else { return Ok(None) };
    let token = match (&args.token, &args.token_file) {
        (Some(token), _) => Some(token.clone()),
        (None, Some(path)) => {
            let tokens = tokens_in(path)?;
            tokens.write().or(tokens.read()).map(str::to_owned)
        }
        (None, None) => None,
    };
    Ok(Some(RemoteServer::at(url, token)?))
}

fn without_settings(settings: &SettingsArgs) -> Result<(), ServerError> {
    if settings.wishes() == Wishes::default() { Ok(()) } else { Err(ServerError::Settings) }
}

/// What to measure next.
pub fn ask(server: &RemoteServer, args: &AskArgs) -> Result<(), Failure> {
    without_settings(&args.settings)?;
    let id = server_id(&args.session.study);
    let mut asked = if args.open {
        let status = parsed(server, &server.get(&id, "")?)?;
        json!({ "study": status["study"], "stopped": null, "promise": null, "assumptions": [], "tickets": status["open_tickets"], "conditions": [] })
    } else {
        parsed(server, &server.post(&id, "/ask", JSON, json!({ "n": args.number }).to_string().as_bytes())?)?
    };
    // As `ask` shows them everywhere: an arm is its name and its place.
    for ticket in asked["tickets"].as_array_mut().into_iter().flatten() {
        let index = ticket.as_object_mut().and_then(|ticket| ticket.remove("index"));
        if let Some(index) = index {
            ticket["arm"] = json!({ "name": ticket["arm"], "index": index });
        }
    }
    let promise = promise(&asked["promise"]).filter(|_| asked["stopped"] == true);
    if args.json {
        print_json(&asked)?;
    } else if asked["stopped"] == true {
        print(&format!(
            "Nothing needs to be measured: there is an answer, which `surefront status {id} --server {}` shows\n",
            server.url()
        ))?;
    } else {
        let mut table = TextTable::new(&[("ticket", Align::Right), ("arm", Align::Left)]);
        for ticket in asked["tickets"].as_array().into_iter().flatten() {
            table.push(vec![ticket["ticket"].to_string(), text(&ticket["arm"]["name"])]);
        }
        print(&format!(
            "{}\nThen: surefront tell {id} --server {} --ticket N VALUE…\n",
            table.render_within(screen::width()),
            server.url()
        ))?;
    }
    ended(promise)
}

/// What was measured.
pub fn tell(server: &RemoteServer, args: &TellArgs) -> Result<(), Failure> {
    let id = server_id(&args.session.study);
    let (kind, body) = match &args.csv {
        Some(path) => ("text/csv", content(path)?),
        None => (JSON, result(args).to_string().into_bytes()),
    };
    let told = server.post(&id, "/tell", kind, &body)?;
    let done = parsed(server, &told)?;
    if args.json {
        return print_json(&done);
    }
    let count = |name: &str| grouped(done[name].as_u64().unwrap_or(0));
    print(&match (&done["observation"], args.ticket, &args.failed) {
        (Value::Null, Some(ticket), Some(why)) => format!("Ticket {ticket} is closed: {why}\n"),
        (Value::Null, ..) => format!(
            "{} stored, {} had been told before, {} left open\n",
            count("stored"),
            count("same"),
            count("left_open")
        ),
        (number, ..) if done["same"] == 1 => {
            format!("The same was told before (observation {number}): nothing has changed\n")
        }
        (number, ..) => format!("Stored as observation {number}\n"),
    })
}

fn result(args: &TellArgs) -> Value {
    let mut result = Map::new();
    if let Some(ticket) = args.ticket {
        result.insert("ticket".to_owned(), ticket.into());
    }
    if let Some(arm) = &args.arm {
        result.insert("arm".to_owned(), arm.as_str().into());
    }
    if let Some(why) = &args.failed {
        result.insert("failed".to_owned(), why.as_str().into());
    } else if args.values.iter().any(|value| value.contains('=')) {
        let pairs = args.values.iter().map(|value| value.rsplit_once('=').unwrap_or((value.as_str(), "")));
        let named: Map<String, Value> = pairs.map(|(name, value)| (name.to_owned(), value.into())).collect();
        result.insert("values".to_owned(), named.into());
    } else {
        result.insert("values".to_owned(), args.values.clone().into());
    }
    result.into()
}

fn content(path: &std::path::Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == std::path::Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    match read {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Failure::TokenFile { file: path.to_owned(), sentence: format!("cannot be read ({error})") }),
    }
}

/// What is known.
pub fn status(server: &RemoteServer, args: &StatusArgs) -> Result<(), Failure> {
    without_settings(&args.settings)?;
    let text_of_all = server.get(&server_id(&args.session.study), "")?;
    let status = parsed(server, &text_of_all)?;
    if args.json {
        print_json_text(text_of_all + "\n")?;
    } else {
        print(&shown(&status))?;
    }
    ended(promise(&status["promise"]).filter(|_| status["stopped"] == true))
}

/// For people: the front, and every arm.
fn shown(status: &Value) -> String {
    let samples = grouped(status["samples"].as_u64().unwrap_or(0));
    let front: Vec<String> = status["front"].as_array().into_iter().flatten().map(|arm| text(&arm["name"])).collect();
    let so_far = match (status["stopped"] == true, promise(&status["promise"])) {
        (true, Some(Promise::Likely)) => "The front is likely",
        (true, _) => "Sure: the front is",
        (false, _) => "Not sure yet. So far the front is",
    };
    let front = if front.is_empty() { "not known".to_owned() } else { front.join(", ") };
    let mut table =
        TextTable::new(&[("arm", Align::Left), ("verdict", Align::Left), ("n", Align::Right), ("why", Align::Left)]);
    for arm in status["arms"].as_array().into_iter().flatten() {
        table.push(vec![text(&arm["name"]), text(&arm["verdict"]), arm["n"].to_string(), text(&arm["reason"])]);
    }
    let open = status["open_tickets"].as_array().map_or(0, Vec::len);
    format!(
        "{}: {samples} observations, {open} open tickets\n{so_far} {front}.\n\n{}",
        text(&status["study"]),
        table.render_within(screen::width())
    )
}

fn parsed(server: &RemoteServer, text: &str) -> Result<Value, Failure> {
    Ok(serde_json::from_str(text).map_err(|_| ServerError::Foreign(server.url().to_owned()))?)
}

fn promise(value: &Value) -> Option<Promise> {
    match value.as_str()? {
        "proved" => Some(Promise::Proved),
        "likely" => Some(Promise::Likely),
        _ => None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
