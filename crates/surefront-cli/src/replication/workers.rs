//! The threads that run studies.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefront::{Run, Simulation};

use crate::failure::Failure;
use crate::interrupt;

/// A pool of threads that stops early when it is interrupted.
pub struct Workers {
    pool: ThreadPool,
    interrupted: &'static AtomicBool,
}

impl Workers {
    /// This many threads, or one per core.
    pub fn new(jobs: Option<usize>) -> Result<Self, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build().map_err(Failure::Threads)?;
        let interrupted = interrupt::runs();
        Ok(Workers { pool, interrupted })
    }

    /// The runs of these numbers that were finished, by ascending number; `done` is called after each.
    pub fn replicate(&self, simulation: &Simulation, runs: Range<u64>, done: impl Fn(&Run) + Sync) -> Vec<Run> {
        self.pool.install(|| simulation.replicate(runs, self.interrupted, &done))
    }

    /// Begins no further runs.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }
}
