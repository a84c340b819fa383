//! `surefront status`: what is known, and what is missing.

use std::fmt::Write;

use super::{ended, print, print_json, remote, verdicts};
use crate::args::StatusArgs;
use crate::failure::Failure;
use surefront_study::answer::{Answer, Rows};
use surefront_study::status::{ArmLeftOut, Status};
use surefront_study::store::Access;
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::there_are;

/// Open tickets shown unless all are asked for.
const FEW_TICKETS: usize = 10;

/// Reads everything that was told, and shows what it says.
pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    if let Some(server) = remote::server(&args.server)? {
        return remote::status(&server, args);
    }
    let mut session = args.session.open(Access::Read)?.wishing(args.settings.wishes());
    let status = Status::of(&mut session)?;
    if args.json {
        print_json(&status)?
    } else {
        print(&screen(&status, args))?
    }
    ended(status.answer.answered())
}

/// For people.
fn screen(status: &Status, args: &StatusArgs) -> String {
    let Answer { study, samples, .. } = &status.answer;
    let observations = if *samples == 1 { "observation" } else { "observations" };
    let mut text = format!("{}: {} {observations}\n{}", plain(study), grouped(*samples), status.answer.headline());
    text += "\n";
    text += &verdicts(&status.answer, if args.all { Rows::All } else { Rows::Few });
    text += &super::caveats(&status.answer);
    for ArmLeftOut { arm, reason, .. } in &status.left_out {
        let _ = writeln!(text, "\nLeft out: \"{}\" ({})", plain(&arm.name), plain(reason));
    }
    if !status.open_tickets.is_empty() {
        let shown = if args.all { status.open_tickets.len() } else { FEW_TICKETS };
        let tickets = status
            .open_tickets
            .iter()
            .take(shown)
            .map(|open| format!("{} (\"{}\")", open.ticket, plain(&open.arm.name)));
        let mut list = tickets.collect::<Vec<_>>().join(", ");
        if status.open_tickets.len() > shown {
            list += &format!(" and {} more", grouped((status.open_tickets.len() - shown) as u64));
        }
        let _ =
            writeln!(text, "\nThere {}: {list}", there_are(status.open_tickets.len(), "open ticket", "open tickets"));
    }
    text
}
