//! Measuring until sure: the study says what, the crew measures it, rounds of commits take it in.

use std::time::{Duration, Instant};

use super::crew::{Crew, with_crew};
use super::interrupt::Urgency;
use super::note::Note;
use super::observer::Observer;
use super::options::Jobs;
use super::process_groups::ProcessGroups;
use super::round::{End, Pending, Rounds, Stop, give_up_lost};
use super::runner::Runner;
use super::source::Simulated;
use crate::session::Session;
use crate::study_error::StudyError;

/// How long to wait for an outcome before looking at the clock and at the interrupt again.
const TICK: Duration = Duration::from_millis(50);

/// Simulated observations are committed together after this time: a commit of its own would take each longer than all the rest.
const BATCH: Duration = Duration::from_millis(200);

/// A command that runs longer than this, and much longer than all before, is worth a word.
const LONG: Duration = Duration::from_secs(60);

/// A study under way.
pub struct Campaign<'a, 'o> {
    session: &'a mut Session,
    rounds: Rounds<'a>,
    observer: &'o mut dyn Observer,
}

impl<'a, 'o> Campaign<'a, 'o> {
    /// Measures until the answer is sure, or something else ends it: how it ended.
    pub fn run(
        session: &'a mut Session,
        rounds: Rounds<'a>,
        runner: &Runner,
        jobs: Jobs,
        observer: &'o mut dyn Observer,
    ) -> Result<End, StudyError> {
        Campaign { session, rounds, observer }.legs(runner, jobs)
    }

    /// One leg after the other, each with the arms that are left.
    fn legs(&mut self, runner: &Runner, jobs: Jobs) -> Result<End, StudyError> {
        loop {
            give_up_lost(self.session)?;
            let stop = match runner.simulated() {
                Some(arms) => Stop::For(self.simulate(&arms)?),
                None => with_crew(runner, jobs.get(), |crew| self.measure(crew, runner.commands()))?,
            };
            if let Stop::For(end) = stop {
                return Ok(end);
            }
        }
    }

    /// All arms are simulated: no crew is needed, and no disk for each.
    fn simulate(&mut self, arms: &[&Simulated]) -> Result<End, StudyError> {
        loop {
            // Before it is shown: with many arms that takes time, and there may be none left.
            let study = self.session.known()?.study_mut();
            if let Some(end) = self.rounds.reason_to_end(study, 0) {
                return Ok(end);
            }
            self.observer.show(study);
            let until = Instant::now() + BATCH;
            self.session.write(|batch, followed| self.rounds.simulate(batch, followed, arms, until))?;
        }
    }

    /// Keeps the crew busy until there is a reason to stop, and finishes what is under way then.
    fn measure(&mut self, crew: &Crew, commands: &ProcessGroups) -> Result<Stop, StudyError> {
        let stop = self.keep_measuring(crew, commands);
        if stop.is_err() {
            // Nothing can be kept any more: nobody should wait for it.
            commands.end_all();
        }
        stop
    }

    fn keep_measuring(&mut self, crew: &Crew, commands: &ProcessGroups) -> Result<Stop, StudyError> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut outcomes = Vec::new();
        let mut stop = None;
        loop {
            let study = self.session.known()?.study();
            stop = match (stop, self.rounds.reason_to_end(study, 0)) {
                // Whatever it was that the measurements under way were to be finished for.
                (_, Some(end @ End::Interrupted(Urgency::AtOnce))) => Some(Stop::For(end)),
                (None, reason) => reason.map(Stop::For),
                (stop, _) => stop,
            };
            let asking = stop.is_none();
            if !outcomes.is_empty() || (asking && self.rounds.room(study, pending.len()) > 0) {
                let told = std::mem::take(&mut outcomes);
                let news = self
                    .session
                    .write(|batch, followed| self.rounds.round(batch, followed, &mut pending, told, asking))?;
                news.notes.iter().for_each(|note| self.observer.note(note));
                stop = news.stop.or(stop);
            }
            if self.session.known()?.study().stopped() {
                stop = Some(Stop::For(End::Sure));
                // What is still under way cannot change the answer.
                commands.end_all();
            }
            if stop.is_none() {
                hand_out(&mut pending, crew);
            }
            if let Some(stop) = stop.take_if(|_| pending.iter().all(|waiting| waiting.since.is_none())) {
                let left: Vec<i64> = pending.iter().map(|waiting| waiting.task.ticket).collect();
                self.session.change(|batch| batch.expire(&left, "the run ended before it was measured"))?;
                return Ok(stop);
            }
            outcomes.extend(crew.outcome(TICK));
            // Several side by side go into one commit; one after the other, each has its own, so that what is asked for next
            // never depends on how fast the disk is.
            while crew.size() > 1
                && let Some(outcome) = crew.outcome(Duration::ZERO)
            {
                outcomes.push(outcome);
            }
            self.mention_slow_ones(&mut pending);
            let study = self.session.known()?.study_mut();
            if self.rounds.reason_to_end(study, 0).is_none() {
                self.observer.show(study);
            }
        }
    }

    fn mention_slow_ones(&mut self, pending: &mut [Pending]) {
        for waiting in pending {
            let Some(took) = waiting.since.map(|since| since.elapsed()) else { continue };
            if !waiting.noted && took > LONG && took > 10 * self.rounds.longest {
                waiting.noted = true;
                let arm = self.rounds.problem.arms()[waiting.task.arm].name.clone();
                self.observer.note(&Note::Slow { arm, took });
            }
        }
    }
}

/// Gives the crew all that need not wait any more.
fn hand_out(pending: &mut [Pending], crew: &Crew) {
    let now = Instant::now();
    for waiting in pending.iter_mut().filter(|waiting| waiting.since.is_none() && waiting.due <= now) {
        waiting.since = Some(now);
        crew.assign(waiting.task);
    }
}
