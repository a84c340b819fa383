//! `surefront tell`: what was measured.

use std::path::Path;

use serde::Serialize;

use super::{print, print_json, remote};
use crate::args::TellArgs;
use crate::failure::Failure;
use surefront::Reading;
use surefront_study::StudyError;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::results::{self, Key, Results};
use surefront_study::session::{Session, ToldFile};
use surefront_study::store::{Access, Told};
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::{advice, listed};

/// Who told it, in the store, unless a file did.
const SOURCE: &str = "tell";

/// Stores what was measured, and then says so.
pub fn run(args: &TellArgs) -> Result<(), Failure> {
    if let Some(server) = remote::server(&args.server)? {
        return remote::tell(&server, args);
    }
    let mut session = args.session.open(Access::Create)?;
    let done = match (&args.csv, args.ticket, &args.arm) {
        (Some(path), ..) => tell_file(&mut session, path)?,
        (None, Some(ticket), _) => match &args.failed {
            Some(why) => {
                session.fail(ticket, why)?;
                Done { said: format!("Ticket {ticket} is closed: {}\n", plain(why)), ..Done::default() }
            }
            None => tell_one(&mut session, Key::Ticket(ticket), &args.values)?,
        },
        (None, None, Some(name)) => {
            let key = Key::Arm(arm_named(&session, name)?);
            tell_one(&mut session, key, &args.values)?
        }
        (None, None, None) => unreachable!("the arguments name a ticket, an arm or a file"),
    };
    if args.json { print_json(&done) } else { print(&done.said) }
}

/// What became of it.
#[derive(Default, Serialize)]
struct Done {
    /// Observations that count from now on.
    stored: usize,
    /// Tickets that had been told the same before.
    same: usize,
    /// Rows of a file without values.
    left_open: usize,
    /// The number of the observation, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<i64>,
    #[serde(skip)]
    said: String,
}

/// The arm of this name.
pub fn arm_named(session: &Session, name: &str) -> Result<usize, InputError> {
    session.problem().arm_named(name).ok_or_else(|| {
        let advice = advice(name, session.problem().arms().iter().map(|arm| arm.name.as_str()));
        InputError::of_file(session.file().path(), Fault::UnknownArm { arm: name.to_owned(), advice })
    })
}

fn tell_one(session: &mut Session, key: Key, texts: &[String]) -> Result<Done, Failure> {
    let values = values(session, texts)?;
    let told = session.tell(key, &values, SOURCE)?;
    let (Told::New(observation) | Told::Same(observation)) = told;
    let whose = match key {
        Key::Ticket(ticket) | Key::TicketFor(ticket, _) => format!("ticket {ticket}"),
        Key::Arm(arm) => format!("arm \"{}\"", plain(&session.problem().arms()[arm].name)),
    };
    Ok(match told {
        Told::New(_) => Done {
            stored: 1,
            observation: Some(observation),
            said: format!("Stored as observation {observation} of {whose}\n"),
            ..Done::default()
        },
        Told::Same(_) => Done {
            same: 1,
            observation: Some(observation),
            said: format!("The same was told before (observation {observation} of {whose}): nothing has changed\n"),
            ..Done::default()
        },
    })
}

/// The numbers that were typed: in the order of the readings, or each with its name; or those of the objectives that are made of them.
fn values(session: &Session, texts: &[String]) -> Result<Vec<f64>, Failure> {
    let readings = session.file().readings();
    let named: Vec<&str> = texts.iter().filter_map(|text| Some(text.rsplit_once('=')?.0)).collect();
    let given =
        if named.is_empty() { readings.in_order(texts.len()) } else { readings.among(|name| named.contains(&name)) };
    let known = readings.names_of(given);
    let names = || known.iter().copied();
    let mut values = vec![None; known.len()];
    for (place, text) in texts.iter().enumerate() {
        let (place, text) = match text.rsplit_once('=') {
            None => (place, text.as_str()),
            Some((name, text)) => match names().position(|known| known == name) {
                Some(place) => (place, text),
                None => {
                    return Err(Failure::UnknownObjective { name: name.to_owned(), advice: advice(name, names()) });
                }
            },
        };
        // Whether it can be borne that a value is more than something is for the study to say.
        let more = Reading::parse(text).map(Reading::as_value);
        let number =
            more.or_else(|| text.parse().ok().filter(|&value: &f64| value.is_finite() && Reading::is_plain(value)));
        let Some(name) = known.get(place) else { continue };
        if number.is_none() {
            return Err(Failure::NotAValue { objective: (*name).to_owned(), text: text.to_owned() });
        }
        values[place] = number;
    }
    let complete: Option<Vec<f64>> = values.into_iter().collect();
    match complete {
        Some(values) if texts.len() == values.len() => {
            let made = readings.made_of(given, &values);
            Ok(made.map_err(|error| InputError::of_file(session.file().path(), error.into()))?)
        }
        _ => Err(Failure::ValueCount { found: counted(texts.len(), "value", "values"), expected: listed(names()) }),
    }
}

/// Tells a whole file or nothing of it.
fn tell_file(session: &mut Session, path: &Path) -> Result<Done, Failure> {
    let source = results::read(path)?;
    let results = results::parse(&source, session.problem(), &session.file().readings())
        .map_err(|error| Failure::NothingStored(error.into()))?;
    let Results { rows, open, ignored } = &results;
    let name = source.path().display().to_string();
    let ToldFile { stored, same } = session.tell_all(rows, &name).map_err(|error| match error {
        StudyError::RowRefused { .. } => Failure::NothingStored(error),
        other => other.into(),
    })?;
    let mut done = Done { stored, same, left_open: *open, ..Done::default() };
    done.said = sentence(&done, &name, ignored);
    Ok(done)
}

fn sentence(done: &Done, name: &str, ignored: &[String]) -> String {
    let Done { stored, same, left_open, .. } = done;
    let observations = if *stored == 1 { "observation" } else { "observations" };
    let mut text = format!("{} {observations} stored from {name}", grouped(*stored as u64));
    if *same > 0 {
        text += &format!(", {} had been told before", grouped(*same as u64));
    }
    if *left_open > 0 {
        text += &format!(", {} left open", counted(*left_open, "row", "rows"));
    }
    if !ignored.is_empty() {
        text += &format!("; not looked at: {}", listed(ignored.iter().map(String::as_str)));
    }
    text + "\n"
}
