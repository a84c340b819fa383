//! `surefront status`: what is known, and what is missing.

use std::fmt::Write;

use serde::Serialize;

use super::ask::TicketJson;
use super::{LeftOutJson, ended, print, print_json, verdicts};
use crate::args::StatusArgs;
use crate::failure::Failure;
use surefront_study::answer::{Answer, Rows};
use surefront_study::session::Session;
use surefront_study::store::{Access, Dropped, Ticket};
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::there_are;

/// Open tickets shown unless all are asked for.
const FEW_TICKETS: usize = 10;

/// Reads everything that was told, and shows what it says.
pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let mut session = args.session.open(Access::Read)?.wishing(args.settings.wishes());
    let answer = session.answer()?;
    let (tickets, dropped) = session.read(|view, followed| Ok((view.outstanding()?, followed.dropped().to_vec())))?;
    let status = Status { session: &session, answer, tickets, dropped };
    if args.json {
        print_json(&status.json())?
    } else {
        print(&status.screen(args))?
    }
    ended(status.answer.answered())
}

/// All that is shown.
struct Status<'a> {
    session: &'a Session,
    answer: Answer,
    tickets: Vec<Ticket>,
    dropped: Vec<Dropped>,
}

#[derive(Serialize)]
struct StatusJson<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    open_tickets: Vec<TicketJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    store: String,
}

impl Status<'_> {
    fn json(&self) -> StatusJson<'_> {
        StatusJson {
            answer: &self.answer,
            open_tickets: self.tickets.iter().map(|ticket| TicketJson::of(self.session, ticket)).collect(),
            left_out: LeftOutJson::list(self.session.problem(), &self.dropped),
            store: self.session.store_path().display().to_string(),
        }
    }

    fn screen(&self, args: &StatusArgs) -> String {
        let Answer { study, samples, .. } = &self.answer;
        let observations = if *samples == 1 { "observation" } else { "observations" };
        let mut text = format!("{}: {} {observations}\n{}", plain(study), grouped(*samples), self.answer.headline());
        text += "\n";
        text += &verdicts(&self.answer, if args.all { Rows::All } else { Rows::Few });
        text += &super::caveats(&self.answer);
        let name = |arm: usize| plain(&self.session.problem().arms()[arm].name);
        for Dropped { arm, reason, .. } in &self.dropped {
            let _ = writeln!(text, "\nLeft out: \"{}\" ({})", name(*arm), plain(reason));
        }
        if !self.tickets.is_empty() {
            let shown = if args.all { self.tickets.len() } else { FEW_TICKETS };
            let tickets =
                self.tickets.iter().take(shown).map(|ticket| format!("{} (\"{}\")", ticket.id, name(ticket.arm)));
            let mut list = tickets.collect::<Vec<_>>().join(", ");
            if self.tickets.len() > shown {
                list += &format!(" and {} more", grouped((self.tickets.len() - shown) as u64));
            }
            let _ = writeln!(text, "\nThere {}: {list}", there_are(self.tickets.len(), "open ticket", "open tickets"));
        }
        text
    }
}
