//! Commands side by side.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use surefront::ObservationError;

use super::crew::{Crew, Outcome};
use super::mishap::Mishap;
use super::runner::{PassedOver, Runner};
use super::task::Task;

/// Threads that measure, each one thing at a time.
pub struct Threads<'a> {
    runner: &'a Runner<'a>,
    size: usize,
    tasks: Sender<Task>,
    outcomes: Receiver<Outcome>,
}

impl Crew for Threads<'_> {
    fn size(&self) -> usize {
        self.size
    }

    /// The next thread that is free takes it.
    fn assign(&mut self, task: Task) {
        self.tasks.send(task).expect("the threads wait for tasks as long as there is a crew");
    }

    fn outcome(&mut self, patience: Duration) -> Option<Outcome> {
        match self.outcomes.recv_timeout(patience) {
            Ok(outcome) => Some(outcome),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the threads live as long as the crew"),
        }
    }

    fn end_all(&mut self) {
        self.runner.commands().end_all();
    }

    fn way(&self, arm: usize) -> Option<String> {
        self.runner.command(arm)
    }

    fn passed_over(&mut self) -> Option<PassedOver> {
        self.runner.passed_over()
    }

    fn refused(&self, arm: usize, error: ObservationError) -> Mishap {
        self.runner.refused(arm, error)
    }
}

/// Does some work with `size` threads to measure; they are through with their tasks when this returns.
pub fn with_threads<'a, T>(runner: &'a Runner<'a>, size: usize, work: impl FnOnce(&mut Threads<'a>) -> T) -> T {
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
        work(&mut Threads { runner, size, tasks, outcomes })
    })
}

fn next(queue: &Mutex<Receiver<Task>>) -> Option<Task> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
