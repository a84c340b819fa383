//! `surefront ask`: what to measure next.

use std::io::{self, Write};

use serde::Serialize;
use surefront::Promise;

use super::{ended, inputs, print, print_json, remote};
use crate::args::AskArgs;
use crate::failure::Failure;
use crate::remark::remark;
use crate::screen;
use surefront_study::answer::{Condition, assumptions, front_is, taken_for_granted};
use surefront_study::output::kind::OutputKind;
use surefront_study::output::rows::CsvTarget;
use surefront_study::output::rows::OutputFile;
use surefront_study::output::worklist;
use surefront_study::session::{Asked, Session};
use surefront_study::status::OpenTicket;
use surefront_study::store::{Access, Ticket};
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::{Align, TextTable};

/// Who asked, in the store.
const SOURCE: &str = "ask";

/// Makes tickets, and shows them.
pub fn run(args: &AskArgs) -> Result<(), Failure> {
    if let Some(server) = remote::server(&args.server)? {
        return remote::ask(&server, args);
    }
    let access = if args.open { Access::Read } else { Access::Create };
    let mut session = args.session.open(access)?.wishing(args.settings.wishes());
    // Made sure of before there are tickets that could not be shown.
    let worklist = match &args.csv {
        None => None,
        Some(target) => Some(OutputFile::create(target, OutputKind::Worklist, &inputs(&session))?),
    };
    if let Some(patience) = args.patience {
        session.be_patient(patience)?;
    }
    let asked = if args.open {
        Asked::Tickets(session.look(|view| view.outstanding())?)
    } else {
        session.ask(args.number, SOURCE)?
    };
    let answer = Handout { session: &session, asked, open: args.open };
    match worklist {
        _ if args.json => print_json(&answer.json())?,
        None => print(&answer.screen())?,
        Some(file) => {
            let note = answer.note(args);
            file.write(|output| answer.worklist(output))?;
            remark(&note);
        }
    }
    ended(answer.promise())
}

/// All that is shown.
struct Handout<'a> {
    session: &'a Session,
    asked: Asked,
    open: bool,
}

#[derive(Serialize)]
struct TicketsJson<'a> {
    study: &'a str,
    /// Whether there is an answer; not looked at where tickets are only listed.
    stopped: Option<bool>,
    /// How strong it is, if there is one.
    promise: Option<Promise>,
    /// What that takes for granted.
    assumptions: Vec<&'static str>,
    tickets: Vec<OpenTicket>,
    /// What an answer depends on, beyond the promise's assumptions.
    conditions: &'a [Condition],
}

impl Handout<'_> {
    fn tickets(&self) -> &[Ticket] {
        match &self.asked {
            Asked::Tickets(tickets) => tickets,
            Asked::Answered { .. } => &[],
        }
    }

    /// How strong the answer is, if there is one.
    fn promise(&self) -> Option<Promise> {
        match self.asked {
            Asked::Answered { promise, .. } => Some(promise),
            Asked::Tickets(_) => None,
        }
    }

    fn json(&self) -> TicketsJson<'_> {
        TicketsJson {
            study: &self.session.file().name,
            stopped: (!self.open).then_some(matches!(self.asked, Asked::Answered { .. })),
            promise: self.promise(),
            assumptions: self.promise().map_or_else(Vec::new, |_| assumptions(self.session.problem())),
            tickets: self.tickets().iter().map(|ticket| OpenTicket::of(self.session.problem(), ticket)).collect(),
            conditions: match &self.asked {
                Asked::Answered { conditions, .. } => conditions,
                Asked::Tickets(_) => &[],
            },
        }
    }

    fn screen(&self) -> String {
        if let Some(sentence) = self.nothing_to_do() {
            return sentence;
        }
        let arms = self.session.problem().arms();
        let mut table = TextTable::new(&[("ticket", Align::Right), ("arm", Align::Left)]);
        for ticket in self.tickets() {
            table.push(vec![ticket.id.to_string(), arms[ticket.arm].name.clone()]);
        }
        let readings = self.session.file().readings();
        format!(
            "{}\nThen: surefront tell {} --ticket N VALUE…, with {} in this order\n",
            table.render_within(screen::width()),
            self.session.file().path().display(),
            listed(readings.names().iter().map(String::as_str))
        )
    }

    /// Why there are no tickets, if there are none.
    fn nothing_to_do(&self) -> Option<String> {
        if let Asked::Answered { front, promise, delta, conditions } = &self.asked {
            let names = front.iter().map(|&arm| self.session.problem().arms()[arm].name.as_str());
            let further = match promise {
                Promise::Proved => "with a smaller --delta it goes on",
                Promise::Likely => "with --threshold certified it goes on to a proof",
            };
            return Some(format!(
                "{} {}\nNothing needs to be measured; {further}.\n{}",
                front_is(names, *promise, *delta),
                taken_for_granted(&assumptions(self.session.problem())),
                super::conditions(conditions)
            ));
        }
        self.tickets().is_empty().then(|| "No ticket is open.\n".to_owned())
    }

    /// What to say beside a worklist.
    fn note(&self, args: &AskArgs) -> String {
        match (self.nothing_to_do(), &args.csv) {
            (Some(sentence), _) => sentence,
            (None, Some(CsvTarget::File(path))) => {
                let (tickets, path) = (counted(self.tickets().len(), "ticket", "tickets"), path.display());
                let study = self.session.file().path().display();
                format!("{tickets} written to {path}. Fill it in, then: surefront tell {study} --csv {path}\n")
            }
            (None, _) => String::new(),
        }
    }

    fn worklist(&self, output: &mut dyn Write) -> io::Result<()> {
        let readings = self.session.file().readings();
        let tickets = self.tickets().iter().map(|ticket| (ticket.id, ticket.arm));
        worklist::write(self.session.problem(), &readings, tickets, output)
    }
}
