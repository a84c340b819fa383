//! Measurements side by side.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::mishap::Mishap;
use super::runner::Runner;
use super::task::Task;

/// A measurement that was made, or came to nothing.
#[derive(Debug)]
pub struct Outcome {
    /// What was to be done.
    pub task: Task,
    /// What came of it.
    pub observed: Result<Vec<f64>, Mishap>,
}

/// Threads that measure, each one thing at a time.
pub struct Crew {
    size: usize,
    tasks: Sender<Task>,
    outcomes: Receiver<Outcome>,
}

impl Crew {
    /// How many there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Hands out a task; the next thread that is free takes it.
    pub fn assign(&self, task: Task) {
        self.tasks.send(task).expect("the threads wait for tasks as long as there is a crew");
    }

    /// The next outcome; `None` if there is none in time.
    pub fn outcome(&self, patience: Duration) -> Option<Outcome> {
        match self.outcomes.recv_timeout(patience) {
            Ok(outcome) => Some(outcome),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the threads live as long as the crew"),
        }
    }
}

/// Does some work with `size` threads to measure; they are through with their tasks when this returns.
pub fn with_crew<T>(runner: &Runner, size: usize, work: impl FnOnce(&Crew) -> T) -> T {
    let (tasks, queue) = channel();
    let (results, outcomes) = channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        for _ in 0..size {
            let (queue, results) = (&queue, results.clone());
            scope.spawn(move || {
                while let Some(task) = next(queue) {
                    let observed = runner.observe(task);
                    if results.send(Outcome { task, observed }).is_err() {
                        break;
                    }
                }
            });
        }
        work(&Crew { size, tasks, outcomes })
    })
}

fn next(queue: &Mutex<Receiver<Task>>) -> Option<Task> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
