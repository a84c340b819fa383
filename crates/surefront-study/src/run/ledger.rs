//! What happens in one commit: outcomes go into the store and the study, failures have their consequences, more is asked for.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use surefront::Problem;

use super::crew::{Outcome, Task};
use super::interrupt::{Interrupt, Urgency};
use super::mishap::Mishap;
use super::note::Note;
use super::runner::Runner;
use super::source::Simulated;
use crate::session::{Chosen, Learner};
use crate::store::{Batch, StoreFault};

/// Who asks and tells, in the store.
const SOURCE: &str = "run";

/// Measurements that take less are asked for ahead of the answers, so that no command waits for the disk.
const SHORT: Duration = Duration::from_millis(500);

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
    /// The answer is sure.
    Sure,
    /// The study has as many observations as it may.
    OutOfSamples,
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

/// When to stop, sure or not, and how to measure until then.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Observations in the study.
    pub samples: Option<u64>,
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

/// The study, and what is known of how its measuring goes.
#[derive(Debug)]
pub struct Ledger<'a> {
    /// The problem with all arms of the study file.
    pub problem: &'a Problem,
    chosen: Chosen,
    runner: &'a Runner<'a>,
    limits: Limits,
    /// The study.
    pub learner: Learner,
    /// The state of the store when the study was taken from it: another one means that others wrote.
    revision: i64,
    /// The observations when the evidence was recorded last.
    recorded: u64,
    /// Arms whose command has been warmed up.
    warm: HashSet<usize>,
    /// Failures in a row, by arm.
    failures: HashMap<usize, u32>,
    /// How long the longest measurement took.
    pub longest: Duration,
}

impl<'a> Ledger<'a> {
    /// Takes up the study where the store has it. Tickets that an earlier run left open are nobody's, since only one run works on a
    /// store at a time.
    pub fn open(
        problem: &'a Problem,
        chosen: Chosen,
        runner: &'a Runner<'a>,
        limits: Limits,
        batch: &Batch,
    ) -> Result<Self, StoreFault> {
        chosen.keep(batch)?;
        give_up_lost(batch)?;
        Ok(Ledger {
            learner: Learner::resume(problem, &chosen, batch)?,
            revision: batch.revision()?,
            problem,
            chosen,
            runner,
            limits,
            recorded: 0,
            warm: HashSet::new(),
            failures: HashMap::new(),
            longest: Duration::ZERO,
        })
    }

    /// Takes up the study again, without the arms left out meanwhile. Nothing may be under way.
    pub fn reopen(&mut self, batch: &Batch) -> Result<(), StoreFault> {
        give_up_lost(batch)?;
        self.learner = Learner::resume(self.problem, &self.chosen, batch)?;
        Ok(())
    }

    /// Why nothing more should be asked for, if this many measurements are under way.
    pub fn reason_to_end(&self, pending: usize) -> Option<End> {
        let Limits { samples, until, interrupt, .. } = &self.limits;
        let study = &self.learner.study;
        if study.stopped() {
            return Some(End::Sure);
        }
        if let Some(urgency) = interrupt.urgency() {
            return Some(End::Interrupted(urgency));
        }
        if samples.is_some_and(|most| study.tally().total() + pending as u64 >= most) {
            return Some(End::OutOfSamples);
        }
        until.is_some_and(|until| Instant::now() >= until).then_some(End::OutOfTime)
    }

    /// How many measurements more may be asked for, if this many are under way.
    pub fn room(&self, pending: usize) -> usize {
        let short = self.longest > Duration::ZERO && self.longest < SHORT;
        let most = if short { 2 * self.limits.jobs } else { self.limits.jobs };
        if self.reason_to_end(pending).is_some() { 0 } else { most.saturating_sub(pending) }
    }

    /// Asks, draws and tells, one after the other, until the time is up or there is a reason to end.
    pub fn simulate(&mut self, batch: &Batch, arms: &[&Simulated], until: Instant) -> Result<(), StoreFault> {
        self.catch_up(batch)?;
        while self.reason_to_end(0).is_none() && Instant::now() < until {
            let arm = self.learner.ask();
            let ticket = batch.ask(arm, SOURCE)?.id;
            let values = arms[arm].observe(self.chosen.seed, ticket);
            batch.tell_ticket(ticket, &values, SOURCE)?;
            let place = self.learner.study_arm(arm).expect("it was asked for");
            self.learner.study.tell(place, &values)?;
            self.record(batch)?;
        }
        batch.remember(&self.learner.study.memory())
    }

    /// Takes in what was measured and, while `asking`, asks for more.
    pub fn round(
        &mut self,
        batch: &Batch,
        pending: &mut Vec<Pending>,
        outcomes: Vec<Outcome>,
        asking: bool,
    ) -> Result<News, StoreFault> {
        self.catch_up(batch)?;
        let mut news = News::default();
        for outcome in outcomes {
            let at = pending.iter().position(|waiting| waiting.task.ticket == outcome.task.ticket);
            let Pending { task, since, .. } = pending.swap_remove(at.expect("it was asked for"));
            match self.take_in(batch, outcome)? {
                Ok(()) => self.longest = self.longest.max(since.map_or(Duration::ZERO, |since| since.elapsed())),
                Err(mishap) => pending.extend(self.respond(batch, task, mishap, &mut news)?),
            }
        }
        let room = if asking && news.stop.is_none() { self.room(pending.len()) } else { 0 };
        for _ in 0..room {
            let arm = self.learner.ask();
            let ticket = batch.ask(arm, SOURCE)?.id;
            let warm_ups = if self.warm.insert(arm) { self.limits.warm_ups } else { 0 };
            pending.push(Pending::new(Task { ticket, arm, warm_ups }, Duration::ZERO));
            if self.reason_to_end(pending.len()).is_some() {
                break;
            }
        }
        batch.remember(&self.learner.study.memory())?;
        self.record(batch)?;
        Ok(news)
    }

    /// Others may have asked, told or retracted since the last commit.
    fn catch_up(&mut self, batch: &Batch) -> Result<(), StoreFault> {
        let revision = batch.revision()?;
        if revision != self.revision {
            self.learner = Learner::resume(self.problem, &self.chosen, batch)?;
            self.revision = revision;
        }
        Ok(())
    }

    /// An observation into the study and the store; or why it is none.
    fn take_in(&mut self, batch: &Batch, outcome: Outcome) -> Result<Result<(), Mishap>, StoreFault> {
        let Outcome { task: Task { ticket, arm, .. }, observed } = outcome;
        if self.learner.study.stopped() {
            // It could not make the answer surer, but less sure. Commands still under way were ended.
            let note = match observed {
                Ok(values) => format!("the answer was sure before it ended; it gave {values:?}"),
                Err(_) => "the answer was sure before it ended".to_owned(),
            };
            return batch.expire(&[ticket], &note).map(Ok);
        }
        let values = match observed {
            Ok(values) => values,
            Err(mishap) => return Ok(Err(mishap)),
        };
        // An arm that was left out meanwhile is in the store only.
        if let Some(place) = self.learner.study_arm(arm)
            && let Err(error) = self.learner.study.tell(place, &values)
        {
            return Ok(Err(self.runner.refused(arm, error)));
        }
        batch.tell_ticket(ticket, &values, SOURCE)?;
        self.failures.remove(&arm);
        Ok(Ok(()))
    }

    /// What a failure leads to; the measurement to be tried again, if it is.
    fn respond(
        &mut self,
        batch: &Batch,
        task: Task,
        mishap: Mishap,
        news: &mut News,
    ) -> Result<Option<Pending>, StoreFault> {
        let Task { ticket, arm, .. } = task;
        if mishap.is_given_up() {
            batch.expire(&[ticket], "the run ended before it was measured")?;
            if let Some(place) = self.learner.study_arm(arm) {
                self.learner.study.cancel(place).expect("it takes part");
            }
            return Ok(None);
        }
        batch.fail(ticket, &mishap.to_string())?;
        let failures = *self.failures.entry(arm).and_modify(|failures| *failures += 1).or_insert(1);
        match self.limits.on_failure {
            OnFailure::Retry if failures <= RETRIES => {
                let pause = FIRST_PAUSE * 2_u32.pow(failures - 1);
                news.notes.push(Note::Retry { mishap, trial: failures, trials: RETRIES, pause });
                let task = Task { ticket: batch.ask(arm, SOURCE)?.id, ..task };
                return Ok(Some(Pending::new(task, pause)));
            }
            OnFailure::Stop | OnFailure::Retry => news.stop = Some(Stop::For(End::Failed(mishap))),
            OnFailure::Drop => {
                batch.drop_arm(arm, &mishap.to_string())?;
                news.notes.push(Note::LeftOut(mishap));
                news.stop = Some(Stop::Dropped);
            }
        }
        if let Some(place) = self.learner.study_arm(arm) {
            self.learner.study.cancel(place).expect("it takes part");
        }
        Ok(None)
    }

    /// Records the evidence once in a while.
    fn record(&mut self, batch: &Batch) -> Result<(), StoreFault> {
        let study = &self.learner.study;
        let samples = study.tally().total();
        if study.stopped() || samples > self.recorded + self.recorded / 100 {
            batch.record_progress(samples, study.verdict().progress)?;
            self.recorded = samples;
        }
        Ok(())
    }
}

/// Gives up the tickets of runs that are no more.
fn give_up_lost(batch: &Batch) -> Result<(), StoreFault> {
    let tickets = batch.outstanding()?.into_iter().filter(|ticket| ticket.source == SOURCE);
    batch.expire(&tickets.map(|ticket| ticket.id).collect::<Vec<_>>(), "the run ended before it was measured")
}
