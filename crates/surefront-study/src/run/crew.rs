//! Those who measure, whoever they are.

use std::time::Duration;

use surefront::ObservationError;

use super::mishap::Mishap;
use super::runner::PassedOver;
use super::task::Task;

/// A measurement that was made, or came to nothing.
#[derive(Debug)]
pub struct Outcome {
    /// What was to be done.
    pub task: Task,
    /// What came of it.
    pub observed: Result<Vec<f64>, Mishap>,
}

/// Measures what it is assigned, several things side by side.
pub trait Crew {
    /// How many it measures side by side.
    fn size(&self) -> usize;

    /// Hands out a task; its outcome comes in time, once.
    fn assign(&mut self, task: Task);

    /// The next outcome; `None` if there is none in time.
    fn outcome(&mut self, patience: Duration) -> Option<Outcome>;

    /// Nobody needs what is under way any more. Its outcomes are still to come: as given up, unless they are there already.
    fn end_all(&mut self);

    /// How it measures an arm, in words that stay the same as long as that does; `None` where that is not worth a word.
    fn way(&self, arm: usize) -> Option<String>;

    /// What was measured beside the objectives and passed over, since this was asked last.
    fn passed_over(&mut self) -> Option<PassedOver> {
        None
    }

    /// A measurement that is none, since its values cannot be.
    fn refused(&self, arm: usize, error: ObservationError) -> Mishap;
}
