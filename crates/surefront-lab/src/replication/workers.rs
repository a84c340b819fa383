//! The threads that run studies.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefront::{Run, Simulation, in_parallel};

use crate::lab_error::LabError;

/// A pool of threads that begins no further runs once it is interrupted.
#[derive(Debug)]
pub struct Workers<'a> {
    pool: ThreadPool,
    /// The caller's, which is only looked at.
    interrupt: &'a AtomicBool,
    /// Set with the caller's, and when whoever is told of the runs wants no more.
    stopped: AtomicBool,
}

impl<'a> Workers<'a> {
    /// This many threads, or one per core.
    ///
    /// # Errors
    /// When the system does not give them.
    pub fn new(jobs: Option<usize>, interrupt: &'a AtomicBool) -> Result<Self, LabError> {
        let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build().map_err(LabError::Threads)?;
        Ok(Workers { pool, interrupt, stopped: AtomicBool::new(false) })
    }

    /// The runs of these numbers that were finished, by ascending number; `done` is called after each.
    pub fn replicate(
        &self,
        simulation: &Simulation,
        runs: Range<u64>,
        done: impl Fn(&Run) -> ControlFlow<()> + Sync,
    ) -> Vec<Run> {
        self.each(runs, |index| simulation.run(index), done)
    }

    /// What `one` made of these numbers, as far as it was finished, by ascending number; `done` is called after each.
    pub fn each<T: Send>(
        &self,
        numbers: Range<u64>,
        one: impl Fn(u64) -> T + Sync,
        done: impl Fn(&T) -> ControlFlow<()> + Sync,
    ) -> Vec<T> {
        self.look();
        self.pool.install(|| {
            in_parallel(numbers, &self.stopped, &one, |made| {
                if done(made).is_break() {
                    self.stopped.store(true, Ordering::Relaxed);
                }
                self.look();
            })
        })
    }

    fn look(&self) {
        if self.interrupt.load(Ordering::Relaxed) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
}
