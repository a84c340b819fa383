//! What happens in one commit: outcomes go into the store and the study, failures have their consequences, more is asked for.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use surefront::{Problem, SideBySide, Study};

use super::crew::{Crew, Outcome};
use super::interrupt::{Interrupt, Urgency};
use super::mishap::{Mishap, Reason};
use super::note::Note;
use super::source::Simulated;
use super::task::Task;
use crate::answer;
use crate::session::{Followed, Session};
use crate::store::{Batch, Ending, Origin, Refusal, SetupId, StoreError, StoreFault, in_words};

/// Who asks and tells, in the store.
const SOURCE: &str = "run";

/// Measurements that take less are asked for ahead of the answers, so that no command waits for the disk.
const SHORT: Duration = Duration::from_millis(500);

/// Tickets from the first open one on, for each command side by side. Where a slow measurement holds up so many, the others wait for
/// it: what is asked for later is chosen by older results, and comes too late if those suffice. Measured by `SideBySide`.
const AHEAD: usize = SideBySide::AHEAD.get();

/// Failures of an arm in a row that are tried again, and the pause before the first of these trials; each further one is twice as
/// long.
const RETRIES: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// What to do when an arm cannot be measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// Stop and say why; what was measured is kept.
    #[default]
    Stop,
    /// Try again a few times, after a pause, then stop.
    Retry,
    /// Leave the arm out; the answer is about the others.
    Drop,
}

/// Why measuring ended.
#[derive(Debug)]
pub enum End {
    /// The evidence suffices: the study has its answer, as strong as its threshold promises.
    Answered,
    /// The study has as many observations as it may.
    OutOfSamples,
    /// The study has cost as much as it may.
    OutOfCost,
    /// The time is up.
    OutOfTime,
    /// Somebody asked for it.
    Interrupted(Urgency),
    /// An arm could not be measured.
    Failed(Mishap),
}

/// Why nothing more is asked for at present.
#[derive(Debug)]
pub enum Stop {
    /// Measuring ends.
    For(End),
    /// An arm was left out: the study goes on without it.
    Dropped,
}

/// When to stop, answered or not, and how to measure until then.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Observations in the study.
    pub samples: Option<u64>,
    /// What they may cost.
    pub cost: Option<f64>,
    /// The end of the time.
    pub until: Option<Instant>,
    /// Used when somebody wants it to end.
    pub interrupt: Interrupt,
    /// What to do about failures.
    pub on_failure: OnFailure,
    /// Commands side by side.
    pub jobs: usize,
    /// Runs of a command before its arm's first measurement.
    pub warm_ups: u64,
}

/// A measurement that was asked for.
#[derive(Debug)]
pub struct Pending {
    /// What is to be done.
    pub task: Task,
    /// When it may be handed out.
    pub due: Instant,
    /// When it was handed out.
    pub since: Option<Instant>,
    /// Whether it was said that it takes long.
    pub noted: bool,
}

impl Pending {
    fn new(task: Task, pause: Duration) -> Self {
        Pending { task, due: Instant::now() + pause, since: None, noted: false }
    }
}

/// What came of a commit besides what is in the store.
#[derive(Debug, Default)]
pub struct News {
    /// Why to stop.
    pub stop: Option<Stop>,
    /// What people should know.
    pub notes: Vec<Note>,
}

/// One commit after the other, and what is known of how measuring goes.
#[derive(Debug)]
pub struct Rounds<'a> {
    /// The problem with all arms of the study file.
    pub problem: &'a Problem,
    limits: Limits,
    /// The observations when the evidence was recorded last.
    recorded: u64,
    /// By arm: how the store calls the crew's way of measuring it.
    setups: HashMap<usize, SetupId>,
    /// Arms whose command has been warmed up.
    warm: HashSet<usize>,
    /// Failures in a row, by arm.
    failures: HashMap<usize, u32>,
    /// How long the longest measurement took.
    pub longest: Duration,
}

impl<'a> Rounds<'a> {
    /// None so far, of this problem.
    pub fn new(problem: &'a Problem, limits: Limits) -> Self {
        Rounds {
            problem,
            limits,
            recorded: 0,
            setups: HashMap::new(),
            warm: HashSet::new(),
            failures: HashMap::new(),
            longest: Duration::ZERO,
        }
    }

    /// Why nothing more should be asked for, if this many measurements are under way.
    pub fn reason_to_end(&self, followed: &Followed, pending: usize) -> Option<End> {
        let Limits { samples, cost, until, interrupt, .. } = &self.limits;
        if followed.study().stopped() {
            return Some(End::Answered);
        }
        if let Some(urgency) = interrupt.urgency() {
            return Some(End::Interrupted(urgency));
        }
        let to_come = pending as u64 + waiting(followed);
        if samples.is_some_and(|most| answer::samples(followed.study()) + to_come >= most) {
            return Some(End::OutOfSamples);
        }
        if cost.is_some_and(|most| spent(followed) >= most) {
            return Some(End::OutOfCost);
        }
        until.is_some_and(|until| Instant::now() >= until).then_some(End::OutOfTime)
    }

    /// How many measurements more may be asked for, if this many are under way.
    pub fn room(&self, followed: &Followed, pending: usize) -> usize {
        if self.reason_to_end(followed, pending).is_some() {
            return 0;
        }
        let short = self.longest > Duration::ZERO && self.longest < SHORT;
        let most = if short { 2 * self.limits.jobs } else { self.limits.jobs };
        let held_up = usize::try_from(waiting(followed)).unwrap_or(usize::MAX);
        let ahead = (AHEAD * self.limits.jobs).saturating_sub(held_up);
        most.min(ahead).saturating_sub(pending)
    }

    /// Asks, draws and tells, one after the other, until the time is up or there is a reason to end.
    pub fn simulate(
        &mut self,
        batch: &Batch,
        followed: &mut Followed,
        arms: &[&Simulated],
        until: Instant,
    ) -> Result<(), StoreFault> {
        followed.give_up_overdue(batch)?;
        while self.room(followed, 0) > 0 && Instant::now() < until {
            let ticket = followed.ask(batch, SOURCE)?;
            let values = arms[ticket.arm].observe(followed.chosen().seed, ticket.id);
            followed.tell_ticket(batch, ticket.id, &values, SOURCE.into())?;
            self.record(batch, followed.study())?;
        }
        followed.keep_memory(batch)
    }

    /// Takes in what was measured and, while `asking`, asks for more.
    pub fn round(
        &mut self,
        batch: &Batch,
        followed: &mut Followed,
        crew: &dyn Crew,
        pending: &mut Vec<Pending>,
        outcomes: Vec<Outcome>,
        asking: bool,
    ) -> Result<News, StoreFault> {
        let mut news = News::default();
        followed.give_up_overdue(batch)?;
        self.lay_aside_if_answered(batch, followed)?;
        for outcome in outcomes {
            let at = pending.iter().position(|waiting| waiting.task.ticket == outcome.task.ticket);
            let Pending { task, since, .. } = pending.swap_remove(at.expect("it was asked for"));
            let took = since.map(|since| since.elapsed());
            match self.take_in(batch, followed, crew, outcome, took, &mut news)? {
                Ok(()) => self.longest = self.longest.max(took.unwrap_or_default()),
                Err(mishap) => pending.extend(self.respond(batch, followed, task, mishap, &mut news)?),
            }
            self.lay_aside_if_answered(batch, followed)?;
        }
        let room = if asking && news.stop.is_none() { self.room(followed, pending.len()) } else { 0 };
        for _ in 0..room {
            let ticket = followed.ask(batch, SOURCE)?;
            let warm_ups = if self.warm.insert(ticket.arm) { self.limits.warm_ups } else { 0 };
            let task = Task { ticket: ticket.id, arm: ticket.arm, warm_ups };
            pending.push(Pending::new(task, Duration::ZERO));
            if self.reason_to_end(followed, pending.len()).is_some() {
                break;
            }
        }
        followed.keep_memory(batch)?;
        self.record(batch, followed.study())?;
        Ok(news)
    }

    /// Once the results without a gap suffice, what was asked for after them is not needed, and what of it has arrived already is no
    /// fair sample: it is laid aside together, in the same commit.
    fn lay_aside_if_answered(&self, batch: &Batch, followed: &mut Followed) -> Result<(), StoreFault> {
        if followed.study().stopped() { followed.lay_aside(batch, SOURCE) } else { Ok(()) }
    }

    /// An observation into the study and the store; or why it is none.
    fn take_in(
        &mut self,
        batch: &Batch,
        followed: &mut Followed,
        crew: &dyn Crew,
        outcome: Outcome,
        took: Option<Duration>,
        news: &mut News,
    ) -> Result<Result<(), Mishap>, StoreFault> {
        let Outcome { task: Task { ticket, arm, .. }, observed } = outcome;
        if let Some((_, told)) = batch.told_of(ticket)? {
            // Whoever tells first is right; what came second is noted, with the ticket.
            let here = match &observed {
                Ok(values) => format!("measuring it gave {}, which does not count", in_words(values)),
                Err(mishap) => format!("measuring it failed: {mishap}"),
            };
            batch.note(ticket, &here)?;
            let arm = self.problem.arms()[arm].name.clone();
            news.notes.push(Note::ToldMeanwhile { ticket, arm, told, here });
            return Ok(Ok(()));
        }
        if batch.is_unused(ticket)? {
            // There was an answer without it. Commands still under way were ended.
            if let Ok(values) = observed {
                batch.note(ticket, &format!("it was not needed when it ended; it gave {}", in_words(&values)))?;
            }
            return Ok(Ok(()));
        }
        let values = match observed {
            Ok(values) => values,
            Err(mishap) => return Ok(Err(mishap)),
        };
        let origin = Origin { source: SOURCE, setup: self.setup(batch, crew, arm)?, took };
        match followed.tell_ticket(batch, ticket, &values, origin) {
            Ok(_) => {
                self.failures.remove(&arm);
                Ok(Ok(()))
            }
            Err(StoreFault::Refused(Refusal::Observation(error))) => Ok(Err(crew.refused(arm, error))),
            Err(fault) => Err(fault),
        }
    }

    /// How an arm is measured, if there is a word for it.
    fn setup(&mut self, batch: &Batch, crew: &dyn Crew, arm: usize) -> Result<Option<SetupId>, StoreFault> {
        if let Some(&known) = self.setups.get(&arm) {
            return Ok(Some(known));
        }
        let Some(way) = crew.way(arm) else { return Ok(None) };
        let setup = batch.setup(&way, self.limits.jobs as u64)?;
        self.setups.insert(arm, setup);
        Ok(Some(setup))
    }

    /// What a failure leads to; the measurement to be tried again, if it is.
    fn respond(
        &mut self,
        batch: &Batch,
        followed: &mut Followed,
        task: Task,
        mishap: Mishap,
        news: &mut News,
    ) -> Result<Option<Pending>, StoreFault> {
        let Task { ticket, arm, .. } = task;
        if mishap.is_given_up() {
            followed.end(batch, ticket, Ending::Lost, "the run ended before it was measured")?;
            return Ok(None);
        }
        let failures = *self.failures.entry(arm).and_modify(|failures| *failures += 1).or_insert(1);
        if self.limits.on_failure == OnFailure::Retry && failures <= RETRIES {
            let again = followed.ask_again(batch, ticket, ending(&mishap), &mishap.to_string(), SOURCE)?;
            let pause = FIRST_PAUSE * 2_u32.pow(failures - 1);
            news.notes.push(Note::Retry { mishap, trial: failures, trials: RETRIES, pause });
            return Ok(Some(Pending::new(Task { ticket: again.id, ..task }, pause)));
        }
        followed.end(batch, ticket, ending(&mishap), &mishap.to_string())?;
        if self.limits.on_failure == OnFailure::Drop {
            batch.drop_arm(arm, &mishap.to_string())?;
            followed.look_again();
            news.notes.push(Note::LeftOut(mishap));
            news.stop = Some(Stop::Dropped);
        } else {
            news.stop = Some(Stop::For(End::Failed(mishap)));
        }
        Ok(None)
    }

    /// Records the evidence once in a while.
    fn record(&mut self, batch: &Batch, study: &Study) -> Result<(), StoreFault> {
        let samples = answer::samples(study);
        if study.stopped() || samples > self.recorded + self.recorded / 100 {
            batch.record_progress(samples, study.verdict().progress)?;
            self.recorded = samples;
        }
        Ok(())
    }
}

/// What the study has cost, with what was asked for and does not count yet.
fn spent(followed: &Followed) -> f64 {
    let study = followed.study();
    let asked: Vec<f64> = followed.asked().iter().map(|&asked| asked as f64).collect();
    study.cost() + study.problem().total_cost(&asked)
}

/// How many results wait for an earlier ticket.
fn waiting(followed: &Followed) -> u64 {
    followed.waiting().map_or(0, |waiting| waiting.results)
}

/// What a failure is to the promise.
fn ending(mishap: &Mishap) -> Ending {
    match *mishap.reason {
        Reason::TimedOut { .. } | Reason::Late { .. } => Ending::TimedOut,
        _ => Ending::Failed,
    }
}

/// Gives up the tickets of runs that are no more: only one works on a store at a time.
pub fn give_up_lost(session: &mut Session) -> Result<(), StoreError> {
    let note = "the run ended before it was measured";
    session.change(|batch| {
        let mut lost = batch.outstanding()?.into_iter().filter(|ticket| ticket.source == SOURCE);
        lost.try_for_each(|ticket| batch.end(ticket.id, Ending::Lost, note))
    })
}

/// Gives up tickets that nobody has begun to measure, if nobody else has closed them.
pub fn give_up_unused(session: &mut Session, tickets: &[i64]) -> Result<(), StoreError> {
    session.change(|batch| {
        for &ticket in tickets {
            if batch.is_open(ticket)? {
                batch.end(ticket, Ending::Unused, "the run ended before it was begun")?;
            }
        }
        Ok(())
    })
}
