//! Measures the arms of a study until the answer is sure.

mod campaign;
mod claim;
mod crew;
mod mishap;
mod observer;
mod process;
mod round;
mod runner;
mod source;
mod tail;
mod values;

pub use self::campaign::Campaign;
pub use self::claim::Claim;
pub use self::crew::{Crew, Outcome, Task, with_crew};
pub use self::mishap::Mishap;
pub use self::observer::Observer;
pub use self::process::end_all;
pub use self::round::{End, Limits, OnFailure, Rounds};
pub use self::runner::{Runner, RunnerOptions};
pub use self::source::Simulated;
