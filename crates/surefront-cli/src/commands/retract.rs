//! `surefront retract`: takes back what was entered wrongly.

use serde::Serialize;

use super::{print, print_json};
use crate::args::RetractArgs;
use crate::failure::Failure;
use surefront_study::store::IfMissing;
use surefront_study::words::plural::counted;

/// Takes back all that was named, or nothing.
pub fn run(args: &RetractArgs) -> Result<(), Failure> {
    let mut session = args.session.open(IfMissing::Refuse)?;
    let retracted = session.store.write(|batch| match args.ticket {
        Some(ticket) => Ok(vec![batch.retract_ticket(ticket, &args.reason)?]),
        None => {
            args.observations.iter().try_for_each(|&observation| batch.retract(observation, &args.reason))?;
            Ok(args.observations.clone())
        }
    })?;
    if args.json {
        return print_json(&Answer { retracted: &retracted, reason: &args.reason });
    }
    let mut text = match retracted[..] {
        [one] => format!("Observation {one} no longer counts; it stays in the store with the reason\n"),
        _ => format!(
            "{} no longer count; they stay in the store with the reason\n",
            counted(retracted.len(), "observation", "observations")
        ),
    };
    if let Some(ticket) = args.ticket {
        text += &format!("Ticket {ticket} can be told again\n");
    }
    print(&text)
}

#[derive(Serialize)]
struct Answer<'a> {
    retracted: &'a [i64],
    reason: &'a str,
}
