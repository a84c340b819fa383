//! Hears how a run gets on, tells Python code, and hears of Ctrl-C.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use surefront::Study;
use surefront_study::answer::{Waiting, samples};
use surefront_study::run::{Interrupt, Note, Observer};

/// How often Python code hears of progress.
const PAUSE: Duration = Duration::from_millis(100);

/// What ends a run from Python: Ctrl-C, or something that went wrong there.
#[derive(Clone, Default)]
pub struct Alarm {
    /// Ends the run.
    pub interrupt: Interrupt,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Alarm {
    /// Something was raised: what is under way is finished, and kept. The second time it is not waited for.
    pub fn raise(&self, error: PyErr) {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_some() {
            self.interrupt.end_at_once();
        } else {
            self.interrupt.finish();
            *raised = Some(error);
        }
    }

    /// Looks whether somebody pressed Ctrl-C.
    pub fn look(&self, py: Python<'_>) {
        if let Err(error) = py.check_signals() {
            self.raise(error);
        }
    }

    /// What was raised first.
    pub fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Calls Python code.
pub struct Listener {
    /// Is called with samples, evidence, threshold, fraction, front and how many results wait.
    pub progress: Option<Py<PyAny>>,
    /// Is called with sentences.
    pub note: Option<Py<PyAny>>,
    pub alarm: Alarm,
    pub heard: Option<Instant>,
    pub waiting: u64,
}

impl Observer for Listener {
    fn waiting(&mut self, waiting: Option<Waiting>) {
        self.waiting = waiting.map_or(0, |waiting| waiting.results);
    }

    fn show(&mut self, study: &mut Study) {
        if self.heard.is_some_and(|heard| heard.elapsed() < PAUSE) {
            return;
        }
        self.heard = Some(Instant::now());
        Python::attach(|py| {
            self.alarm.look(py);
            let Some(progress) = &self.progress else { return };
            let verdict = study.verdict();
            let front: Vec<&str> = verdict.front.iter().map(|&arm| study.problem().arms()[arm].name.as_str()).collect();
            let seen = verdict.progress;
            let told = (samples(study), seen.evidence, seen.threshold, seen.fraction.min(1.0), front, self.waiting);
            if let Err(error) = progress.call1(py, told) {
                self.alarm.raise(error);
            }
        });
    }

    fn note(&mut self, note: &Note) {
        let Some(hear) = &self.note else { return };
        Python::attach(|py| {
            if let Err(error) = hear.call1(py, (note.to_string(),)) {
                self.alarm.raise(error);
            }
        });
    }
}
