//! `surefront retract`: takes back what was entered wrongly.

use serde::Serialize;

use super::tell::arm_named;
use super::{print, print_json};
use crate::args::RetractArgs;
use crate::failure::Failure;
use surefront_study::store::Access;
use surefront_study::words::plural::counted;

/// Takes back all that was named, or nothing.
pub fn run(args: &RetractArgs) -> Result<(), Failure> {
    let mut session = args.session.open(Access::Change)?;
    let retracted = if let Some(ticket) = args.ticket {
        vec![session.retract_ticket(ticket, &args.reason)?]
    } else if args.arm.is_some() || args.before.is_some() {
        let arm = args.arm.as_ref().map(|name| arm_named(&session, name)).transpose()?;
        session.retract_all(arm, args.before.as_ref(), &args.reason)?
    } else {
        session.retract(&args.observations, &args.reason)?;
        args.observations.clone()
    };
    if args.json {
        return print_json(&Answer { retracted: &retracted, reason: &args.reason });
    }
    let mut text = match retracted[..] {
        [] => "There is no such observation that counts: nothing was taken back\n".to_owned(),
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
