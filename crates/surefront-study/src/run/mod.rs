//! Measures the arms of a study until the answer is sure.

mod campaign;
mod claim;
mod crew;
mod ledger;
mod mishap;
mod observer;
mod process;
mod runner;
mod source;
mod tail;
mod values;

pub use self::campaign::Campaign;
pub use self::claim::Claim;
pub use self::crew::{Crew, Outcome, Task, with_crew};
pub use self::ledger::{End, Ledger, Limits, OnFailure};
pub use self::mishap::{Mishap, Reason};
pub use self::observer::Observer;
pub use self::process::end_all;
pub use self::runner::{Runner, RunnerOptions};
pub use self::source::Simulated;
