//! `surefront status`: what is known, and what is missing.

use std::fmt::Write;

use clap::ValueEnum;
use serde::Serialize;
use surefront::{Problem, Progress, Verdict};

use super::ask::TicketJson;
use super::{LeftOutJson, print, print_json};
use crate::answer::{Answer, Rows};
use crate::args::{StatusArgs, ThresholdName};
use crate::failure::Failure;
use crate::input_error::there_are;
use crate::number::{grouped, significant};
use crate::session::{Chosen, Learner, Session};
use crate::store::{Dropped, IfMissing, StoreFault, Ticket, View};

/// Open tickets shown unless all are asked for.
const FEW_TICKETS: usize = 10;

/// Reads everything that was told, and shows what it says.
pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let mut session = Session::open(&args.session, IfMissing::Refuse)?;
    let chosen = session.choose(&args.settings)?;
    let problem = &session.problem;
    let (mut learner, others, tickets) = session.store.read(|view| {
        let others = ThresholdName::value_variants().iter().filter(|&&threshold| threshold != chosen.threshold);
        let others = others.map(|&threshold| OtherThreshold::of(problem, &Chosen { threshold, ..chosen }, view));
        let others = others.collect::<Result<_, _>>()?;
        Ok((Learner::resume(problem, &chosen, view)?, others, view.outstanding()?))
    })?;
    let answer = learner.answer(&session.file.name);
    let status = Status { session: &session, answer, others, tickets, dropped: learner.dropped };
    if args.json { print_json(&status.json()) } else { print(&status.screen(args)) }
}

/// All that is shown.
struct Status<'a> {
    session: &'a Session,
    answer: Answer,
    others: Vec<OtherThreshold>,
    tickets: Vec<Ticket>,
    dropped: Vec<Dropped>,
}

/// How far the same observations are from a decision by another threshold.
#[derive(Serialize)]
struct OtherThreshold {
    threshold_name: &'static str,
    evidence: f64,
    threshold: f64,
    stopped: bool,
}

impl OtherThreshold {
    fn of(problem: &Problem, chosen: &Chosen, view: &View) -> Result<Self, StoreFault> {
        let Learner { study, .. } = Learner::resume(problem, chosen, view)?;
        let Verdict { progress: Progress { evidence, threshold }, stopped, .. } = study.verdict();
        Ok(OtherThreshold { threshold_name: study.settings().stopping.name(), evidence, threshold, stopped })
    }

    /// Nothing as long as there is no threshold: some arm has not been measured.
    fn line(&self) -> Option<String> {
        let OtherThreshold { threshold_name, evidence, threshold, stopped } = self;
        let sure = if *stopped { "sure" } else { "not sure yet" };
        let progress = format!("evidence {} of {}", significant(*evidence, 3), significant(*threshold, 3));
        threshold.is_finite().then(|| format!("By the {threshold_name} threshold: {sure} ({progress}).\n"))
    }
}

#[derive(Serialize)]
struct StatusJson<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    other_thresholds: &'a [OtherThreshold],
    open_tickets: Vec<TicketJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    store: String,
}

impl Status<'_> {
    fn json(&self) -> StatusJson<'_> {
        StatusJson {
            answer: &self.answer,
            other_thresholds: &self.others,
            open_tickets: self.tickets.iter().map(|ticket| TicketJson::of(self.session, ticket)).collect(),
            left_out: LeftOutJson::list(&self.session.problem, &self.dropped),
            store: self.session.store.path().display().to_string(),
        }
    }

    fn screen(&self, args: &StatusArgs) -> String {
        let Answer { study, samples, .. } = &self.answer;
        let observations = if *samples == 1 { "observation" } else { "observations" };
        let mut text = format!("{study}: {} {observations}\n{}", grouped(*samples), self.answer.headline());
        text.extend(self.others.iter().filter_map(OtherThreshold::line));
        text += "\n";
        text += &self.answer.table(if args.all { Rows::All } else { Rows::Few });
        let name = |arm: usize| &self.session.problem.arms()[arm].name;
        for Dropped { arm, reason, .. } in &self.dropped {
            let _ = writeln!(text, "\nLeft out: \"{}\" ({reason})", name(*arm));
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
