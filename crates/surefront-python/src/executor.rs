//! Measurements by a Python function on any executor that has `submit`, as `concurrent.futures` has it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyBaseException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::types::PyString;
use surefront::ObservationError;
use surefront_study::run::{Crew, Mishap, Outcome, Reason, Role, Task, Urgency};
use thiserror::Error;

use crate::error::StudyError;
use crate::listener::Alarm;
use crate::values::{Objectives, ValuesError};

/// What became of a function elsewhere, worded to follow "the function".
#[derive(Debug, Error)]
enum Elsewhere {
    /// It did not return.
    #[error("raised {0}")]
    Raised(String),
    /// It returned something else than values.
    #[error("returned {0}")]
    Returned(ValuesError),
}

/// The names that a run needs at hand.
pub struct Names {
    /// The arms, as they are handed to the function.
    pub arms: Vec<Py<PyString>>,
    /// The objectives.
    pub objectives: Arc<Objectives>,
}

/// A crew whose members are Python's.
pub struct Executor {
    names: Names,
    /// `submit(arm, ticket)` gives a future.
    submit: Py<PyAny>,
    /// What the function is called.
    function: String,
    jobs: usize,
    timeout: Option<Duration>,
    alarm: Alarm,
    /// What is not handed out yet: with a timeout, nothing that would only wait for others.
    queue: VecDeque<Task>,
    under_way: HashMap<i64, UnderWay>,
    ready: VecDeque<Outcome>,
    sender: Sender<i64>,
    done: Receiver<i64>,
}

struct UnderWay {
    task: Task,
    future: Py<PyAny>,
    since: Instant,
}

/// Called when a future is done, in whatever thread.
#[pyclass(frozen)]
struct Done {
    ticket: i64,
    sender: Sender<i64>,
}

#[pymethods]
impl Done {
    fn __call__(&self, _future: &Bound<'_, PyAny>) {
        // Nobody listens any more after the run.
        let _ = self.sender.send(self.ticket);
    }
}

impl Executor {
    /// `submit` is called with an arm's name and a ticket's number, and gives a future; at most this many are measured side by side.
    pub fn new(
        names: Names,
        submit: Py<PyAny>,
        function: String,
        jobs: usize,
        timeout: Option<Duration>,
        alarm: Alarm,
    ) -> Self {
        let (sender, done) = channel();
        Executor {
            names,
            submit,
            function,
            jobs,
            timeout,
            alarm,
            queue: VecDeque::new(),
            under_way: HashMap::new(),
            ready: VecDeque::new(),
            sender,
            done,
        }
    }

    fn mishap(&self, py: Python<'_>, arm: usize, reason: Reason) -> Mishap {
        Mishap {
            arm: self.names.arms[arm].to_string_lossy(py).into_owned(),
            role: Role::Function,
            command: self.function.clone(),
            reason: Box::new(reason),
        }
    }

    /// Hands to the executor what it may have.
    fn hand_out(&mut self) {
        let room = if self.timeout.is_some() { self.jobs } else { usize::MAX };
        while self.under_way.len() < room
            && let Some(task) = self.queue.pop_front()
        {
            let handed = Python::attach(|py| {
                let future = self.submit.call1(py, (&self.names.arms[task.arm], task.ticket))?;
                // Known before it can be done.
                let kept = UnderWay { task, future: future.clone_ref(py), since: Instant::now() };
                self.under_way.insert(task.ticket, kept);
                let done = Done { ticket: task.ticket, sender: self.sender.clone() };
                future.call_method1(py, "add_done_callback", (done,)).map(drop)
            });
            if let Err(error) = handed {
                Python::attach(|py| {
                    self.alarm.raise(refusal(py, error));
                    self.under_way.remove(&task.ticket);
                    self.ready.push_back(Outcome { task, observed: Err(self.mishap(py, task.arm, Reason::GivenUp)) });
                });
            }
        }
    }

    /// What a future that is done came to.
    fn take_in(&self, py: Python<'_>, under_way: &UnderWay) -> Outcome {
        let task = under_way.task;
        let observed = match self.result(py, &under_way.future) {
            Ok(returned) => self.names.objectives.values(returned.bind(py)).map_err(Elsewhere::Returned),
            // Somebody who ends the run, or the executor, did not let it be measured: that says nothing of the arm.
            Err(_) if was_cancelled(py, &under_way.future) => {
                return Outcome { task, observed: Err(self.mishap(py, task.arm, Reason::GivenUp)) };
            }
            Err(error) => Err(Elsewhere::Raised(said(py, &error))),
        };
        let observed = observed.map_err(|why| self.mishap(py, task.arm, Reason::Elsewhere(Box::new(why))));
        Outcome { task, observed }
    }

    /// The result of a future. Ctrl-C while it is asked for is not what the function raised.
    fn result(&self, py: Python<'_>, future: &Py<PyAny>) -> PyResult<Py<PyAny>> {
        self.alarm.look(py);
        loop {
            match future.call_method1(py, "result", (0,)) {
                Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    let raised = future.call_method1(py, "exception", (0,));
                    if raised.is_ok_and(|raised| raised.bind(py).is(error.value(py))) {
                        return Err(error);
                    }
                    self.alarm.raise(error);
                }
                result => return result,
            }
        }
    }

    /// Gives up measurements, whether the executor can still take them back or not.
    fn give_up(&mut self, py: Python<'_>, tickets: Vec<i64>, reason: impl Fn() -> Reason) {
        for ticket in tickets {
            let Some(UnderWay { task, future, .. }) = self.under_way.remove(&ticket) else { continue };
            // What cannot be cancelled goes on by itself, and nobody hears of it.
            let _ = future.call_method0(py, "cancel");
            self.ready.push_back(Outcome { task, observed: Err(self.mishap(py, task.arm, reason())) });
        }
    }

    fn give_up_late_ones(&mut self) {
        let Some(timeout) = self.timeout else { return };
        let late = self.under_way.iter().filter(|(_, under_way)| under_way.since.elapsed() >= timeout);
        let mut late: Vec<i64> = late.map(|(&ticket, _)| ticket).collect();
        if !late.is_empty() {
            late.sort_unstable();
            Python::attach(|py| self.give_up(py, late, || Reason::Late { timeout }));
            self.hand_out();
        }
    }
}

impl Crew for Executor {
    fn size(&self) -> usize {
        self.jobs
    }

    fn assign(&mut self, task: Task) {
        self.queue.push_back(task);
        self.hand_out();
    }

    fn outcome(&mut self, patience: Duration) -> Option<Outcome> {
        if let Some(outcome) = self.ready.pop_front() {
            return Some(outcome);
        }
        if let Ok(ticket) = self.done.recv_timeout(patience)
            && let Some(under_way) = self.under_way.remove(&ticket)
        {
            let outcome = Python::attach(|py| self.take_in(py, &under_way));
            self.hand_out();
            return Some(outcome);
        }
        if !patience.is_zero() {
            Python::attach(|py| self.alarm.look(py));
            self.give_up_late_ones();
            if self.alarm.interrupt.urgency() == Some(Urgency::AtOnce) {
                self.end_all();
            }
        }
        self.ready.pop_front()
    }

    fn end_all(&mut self) {
        Python::attach(|py| {
            let mut tickets: Vec<i64> = self.under_way.keys().copied().collect();
            tickets.sort_unstable();
            self.give_up(py, tickets, || Reason::GivenUp);
            for task in std::mem::take(&mut self.queue) {
                self.ready.push_back(Outcome { task, observed: Err(self.mishap(py, task.arm, Reason::GivenUp)) });
            }
        });
    }

    fn way(&self, _arm: usize) -> Option<String> {
        Some(self.function.clone())
    }

    fn refused(&self, arm: usize, error: ObservationError) -> Mishap {
        Python::attach(|py| self.mishap(py, arm, error.into()))
    }
}

fn was_cancelled(py: Python<'_>, future: &Py<PyAny>) -> bool {
    future.call_method0(py, "cancelled").and_then(|said| said.is_truthy(py)).unwrap_or(false)
}

/// Why an executor took nothing: Ctrl-C, or it is no longer there.
fn refusal(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        return error;
    }
    let stop = StudyError::new_err(format!(
        "the executor takes no more measurements ({}): give another executor; everything told before is kept",
        said(py, &error)
    ));
    stop.set_cause(py, Some(error));
    stop
}

/// An exception in a few words: its kind and its message.
fn said(py: Python<'_>, error: &PyErr) -> String {
    let kind = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let message = error.value(py).cast::<PyBaseException>().map_or_else(|_| String::new(), |value| value.to_string());
    let message = message.lines().next().unwrap_or_default().trim().to_owned();
    if message.is_empty() { kind } else { format!("{kind}: {message}") }
}
