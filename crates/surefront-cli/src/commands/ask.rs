//! `surefront ask`: what to measure next.

use std::io::{self, Write};

use csv::Writer;
use serde::Serialize;

use super::{ArmJson, inputs, print, print_json};
use crate::args::AskArgs;
use crate::failure::Failure;
use crate::remark::remark;
use crate::screen;
use surefront_study::output::kind::{OutputKind, WORKLIST_COLUMNS};
use surefront_study::output::rows::CsvTarget;
use surefront_study::output::rows::OutputFile;
use surefront_study::session::{Learner, Session};
use surefront_study::store::{IfMissing, StoreFault, Ticket};
use surefront_study::words::number::short;
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::{Align, TextTable};

/// Who asked, in the store.
const SOURCE: &str = "ask";

/// Makes tickets, and shows them.
pub fn run(args: &AskArgs) -> Result<(), Failure> {
    let if_missing = if args.open { IfMissing::Refuse } else { IfMissing::Create };
    let mut session = args.session.open(if_missing)?;
    // Made sure of before there are tickets that could not be shown.
    let worklist = match &args.csv {
        None => None,
        Some(target) => Some(OutputFile::create(target, OutputKind::Worklist, &inputs(&session))?),
    };
    let (tickets, sure) =
        if args.open { (session.store.read(|view| view.outstanding())?, None) } else { ask(&mut session, args)? };
    let answer = Answer { session: &session, tickets, sure, open: args.open };
    match worklist {
        _ if args.json => print_json(&answer.json()),
        None => print(&answer.screen()),
        Some(file) => {
            let note = answer.note(args);
            file.write(|output| answer.worklist(output))?;
            remark(&note);
            Ok(())
        }
    }
}

/// New tickets; or the front, if it is sure already.
fn ask(session: &mut Session, args: &AskArgs) -> Result<(Vec<Ticket>, Option<Sure>), Failure> {
    let chosen = session.choose(&args.settings.wishes())?;
    let problem = &session.problem;
    let asked = session.store.write(|batch| {
        let mut learner = Learner::resume(problem, &chosen, batch)?;
        chosen.keep(batch)?;
        let verdict = learner.study.verdict();
        batch.record_progress(learner.study.tally().total(), verdict.progress)?;
        if verdict.stopped {
            let front = verdict.front.iter().map(|&arm| learner.file_arm(arm)).collect();
            return Ok((Vec::new(), Some(Sure { front, delta: chosen.delta })));
        }
        let tickets = (0..args.number).map(|_| batch.ask(learner.ask(), SOURCE)).collect::<Result<_, StoreFault>>()?;
        batch.remember(&learner.study.memory())?;
        Ok((tickets, None))
    })?;
    Ok(asked)
}

/// The front, which needs no more measurements.
struct Sure {
    front: Vec<usize>,
    delta: f64,
}

/// All that is shown.
struct Answer<'a> {
    session: &'a Session,
    tickets: Vec<Ticket>,
    sure: Option<Sure>,
    open: bool,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    study: &'a str,
    /// Whether the front is sure; not looked at where tickets are only listed.
    stopped: Option<bool>,
    tickets: Vec<TicketJson<'a>>,
}

/// An open ticket in JSON.
#[derive(Serialize)]
pub struct TicketJson<'a> {
    ticket: i64,
    arm: ArmJson<'a>,
    asked_at: &'a str,
    source: &'a str,
}

impl<'a> TicketJson<'a> {
    pub fn of(session: &'a Session, ticket: &'a Ticket) -> Self {
        TicketJson {
            ticket: ticket.id,
            arm: ArmJson { name: &session.problem.arms()[ticket.arm].name, index: ticket.arm },
            asked_at: &ticket.asked_at,
            source: &ticket.source,
        }
    }
}

impl Answer<'_> {
    fn json(&self) -> AnswerJson<'_> {
        AnswerJson {
            study: &self.session.file.name,
            stopped: (!self.open).then_some(self.sure.is_some()),
            tickets: self.tickets.iter().map(|ticket| TicketJson::of(self.session, ticket)).collect(),
        }
    }

    fn screen(&self) -> String {
        if let Some(sentence) = self.nothing_to_do() {
            return sentence;
        }
        let arms = self.session.problem.arms();
        let mut table = TextTable::new(&[("ticket", Align::Right), ("arm", Align::Left)]);
        for ticket in &self.tickets {
            table.push(vec![ticket.id.to_string(), arms[ticket.arm].name.clone()]);
        }
        let objectives = self.session.problem.objectives().iter().map(|objective| objective.name.as_str());
        format!(
            "{}\nThen: surefront tell {} --ticket N VALUE…, with {} in this order\n",
            table.render_within(screen::width()),
            self.session.file.path().display(),
            listed(objectives)
        )
    }

    /// Why there are no tickets, if there are none.
    fn nothing_to_do(&self) -> Option<String> {
        if let Some(Sure { front, delta }) = &self.sure {
            let names = front.iter().map(|&arm| self.session.problem.arms()[arm].name.as_str());
            return Some(format!(
                "The front is {}: sure, at δ = {}. Nothing needs to be measured; with a smaller --delta it goes on.\n",
                listed(names),
                short(*delta)
            ));
        }
        self.tickets.is_empty().then(|| "No ticket is open.\n".to_owned())
    }

    /// What to say beside a worklist.
    fn note(&self, args: &AskArgs) -> String {
        match (self.nothing_to_do(), &args.csv) {
            (Some(sentence), _) => sentence,
            (None, Some(CsvTarget::File(path))) => {
                let (tickets, path) = (counted(self.tickets.len(), "ticket", "tickets"), path.display());
                let study = self.session.file.path().display();
                format!("{tickets} written to {path}. Fill it in, then: surefront tell {study} --csv {path}\n")
            }
            (None, _) => String::new(),
        }
    }

    fn worklist(&self, output: &mut dyn Write) -> io::Result<()> {
        let problem = &self.session.problem;
        let mut writer = Writer::from_writer(output);
        let objectives = problem.objectives().iter().map(|objective| objective.name.as_str());
        writer.write_record(WORKLIST_COLUMNS.into_iter().chain(objectives))?;
        for ticket in &self.tickets {
            let empty = std::iter::repeat_n("", problem.objective_count());
            let id = ticket.id.to_string();
            writer.write_record([&id, problem.arms()[ticket.arm].name.as_str()].into_iter().chain(empty))?;
        }
        writer.flush()
    }
}
