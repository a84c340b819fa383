//! Measuring until there is an answer: the study says what, the crew measures it, rounds of commits take it in.

use std::thread;
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::interrupt::Urgency;
use super::note::Note;
use super::observer::Observer;
use super::options::Jobs;
use super::round::{End, Pending, Rounds, Stop, give_up_lost, give_up_unused};
use super::runner::Runner;
use super::source::Simulated;
use super::spoken::Spoken;
use super::threads::with_threads;
use crate::session::Session;
use crate::study_error::StudyError;

/// How long to wait for an outcome before looking at the clock and at the interrupt again.
const TICK: Duration = Duration::from_millis(50);

/// Simulated observations are committed together after this time: a commit of its own would take each longer than all the rest.
const BATCH: Duration = Duration::from_millis(200);

/// A command that runs longer than this, and much longer than all before, is worth a word.
const LONG: Duration = Duration::from_secs(60);

/// Who measures.
pub enum Hands<'a> {
    /// This many threads, by commands; or nobody, where all arms are simulated.
    Runner(&'a Runner<'a>, Jobs),
    /// Somebody else.
    Crew(&'a mut dyn Crew),
}

/// A study under way.
pub struct Campaign<'a, 'o> {
    session: &'a mut Session,
    rounds: Rounds<'a>,
    observer: &'o mut dyn Observer,
    /// The ticket of others that measuring was last said to wait for.
    held_up_by: Option<i64>,
    spoken: Spoken,
    /// Whether it was said that something is passed over.
    passed_over: bool,
}

impl<'a, 'o> Campaign<'a, 'o> {
    /// Measures until the study has its answer, or something else ends it: how it ended.
    pub fn run(
        session: &'a mut Session,
        rounds: Rounds<'a>,
        hands: Hands,
        observer: &'o mut dyn Observer,
    ) -> Result<End, StudyError> {
        Campaign { session, rounds, observer, held_up_by: None, spoken: Spoken::default(), passed_over: false }
            .legs(hands)
    }

    /// One leg after the other, each with the arms that are left.
    fn legs(&mut self, mut hands: Hands) -> Result<End, StudyError> {
        loop {
            give_up_lost(self.session)?;
            let stop = match &mut hands {
                Hands::Crew(crew) => self.measure(*crew)?,
                Hands::Runner(runner, jobs) => match runner.simulated() {
                    Some(arms) => Stop::For(self.simulate(&arms)?),
                    None => with_threads(runner, jobs.get(), |crew| self.measure(crew))?,
                },
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
            let followed = self.session.known()?;
            if let Some(end) = self.rounds.reason_to_end(followed, 0) {
                return Ok(end);
            }
            if self.rounds.room(followed, 0) == 0 {
                self.wait_for_others()?;
                thread::sleep(TICK);
            }
            self.show(&[])?;
            let until = Instant::now() + BATCH;
            self.session.write(|batch, followed| self.rounds.simulate(batch, followed, arms, until))?;
            self.mention_remarks()?;
        }
    }

    fn show(&mut self, pending: &[Pending]) -> Result<(), StudyError> {
        let under_way = pending.iter().filter(|waiting| waiting.since.is_some());
        self.observer.measuring(&under_way.map(|waiting| waiting.task.arm).collect::<Vec<_>>());
        let followed = self.session.known()?;
        self.observer.waiting(followed.waiting());
        self.observer.show(followed.study_mut());
        Ok(())
    }

    /// Nothing of ours is under way, and what we measured waits for somebody else: takes in what they told, and says what they are
    /// waited for. Whether a ticket of theirs is overdue.
    fn wait_for_others(&mut self) -> Result<bool, StudyError> {
        let problem = self.rounds.problem;
        let (note, overdue) = self.session.read(|view, followed| {
            let Some(waiting) = followed.waiting() else { return Ok((None, false)) };
            let ticket = view.outstanding()?.into_iter().find(|ticket| ticket.id == waiting.ticket);
            let note = ticket.map(|ticket| Note::HeldUp {
                waiting,
                arm: problem.arms()[ticket.arm].name.clone(),
                source: ticket.source,
                asked_at: ticket.asked_at,
            });
            Ok((note, view.overdue(waiting.ticket)?.is_some()))
        })?;
        if let Some(note @ Note::HeldUp { waiting, .. }) = note
            && self.held_up_by != Some(waiting.ticket)
        {
            self.held_up_by = Some(waiting.ticket);
            self.observer.note(&note);
        }
        Ok(overdue)
    }

    /// Keeps the crew busy until there is a reason to stop, and finishes what is under way then.
    fn measure(&mut self, crew: &mut dyn Crew) -> Result<Stop, StudyError> {
        let stop = self.keep_measuring(crew);
        if stop.is_err() {
            // Nothing can be kept any more: nobody should wait for it.
            crew.end_all();
        }
        stop
    }

    fn keep_measuring(&mut self, crew: &mut dyn Crew) -> Result<Stop, StudyError> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut outcomes = Vec::new();
        let (mut stop, mut answered) = (None, false);
        loop {
            let mut overdue = false;
            if stop.is_none() && pending.is_empty() && self.rounds.room(self.session.known()?, 0) == 0 {
                overdue = self.wait_for_others()?;
            }
            let followed = self.session.known()?;
            stop = match (stop, self.rounds.reason_to_end(followed, 0)) {
                // Whatever it was that the measurements under way were to be finished for.
                (_, Some(end @ End::Interrupted(Urgency::AtOnce))) => Some(Stop::For(end)),
                (None, reason) => reason.map(Stop::For),
                (stop, _) => stop,
            };
            let asking = stop.is_none();
            // Before commands are ended, their tickets are laid aside.
            let just_answered = followed.study().stopped() && !answered;
            let asks = asking && (overdue || self.rounds.room(followed, pending.len()) > 0);
            if !outcomes.is_empty() || just_answered || asks {
                let told = std::mem::take(&mut outcomes);
                let news = self
                    .session
                    .write(|batch, followed| self.rounds.round(batch, followed, crew, &mut pending, told, asking))?;
                news.notes.iter().for_each(|note| self.observer.note(note));
                stop = news.stop.or(stop);
                self.mention_remarks()?;
            }
            // As it is in the store: what others told may count now that something was laid aside.
            if !answered && self.session.known()?.study().stopped() {
                answered = self.session.read(|_, followed| Ok(followed.study().stopped()))?;
                if answered {
                    stop = Some(Stop::For(End::Answered));
                    // What is still under way cannot change the answer.
                    crew.end_all();
                } else if matches!(stop, Some(Stop::For(End::Answered))) {
                    stop = None;
                }
            }
            if stop.is_none() {
                hand_out(&mut pending, crew);
            }
            if let Some(stop) = stop.take_if(|_| pending.iter().all(|waiting| waiting.since.is_none())) {
                let left: Vec<i64> = pending.iter().map(|waiting| waiting.task.ticket).collect();
                give_up_unused(self.session, &left)?;
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
            if let Some(passed) = crew.passed_over().filter(|_| !self.passed_over) {
                self.passed_over = true;
                self.observer.note(&Note::PassedOver(passed));
            }
            if self.rounds.reason_to_end(self.session.known()?, 0).is_none() {
                self.show(&pending)?;
            }
        }
    }

    /// Says what can be seen of the observations for the first time.
    fn mention_remarks(&mut self) -> Result<(), StudyError> {
        let (study, look) = self.session.known()?.study_and_look();
        let remarks = self.spoken.news(study, look);
        remarks.into_iter().for_each(|remark| self.observer.note(&Note::Remark(remark)));
        Ok(())
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
fn hand_out(pending: &mut [Pending], crew: &mut dyn Crew) {
    let now = Instant::now();
    for waiting in pending.iter_mut().filter(|waiting| waiting.since.is_none() && waiting.due <= now) {
        waiting.since = Some(now);
        crew.assign(waiting.task);
    }
}
