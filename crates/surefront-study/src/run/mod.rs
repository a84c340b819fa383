//! Measures the arms of a study until it has its answer: [`measure`] is the way in.

mod campaign;
mod claim;
mod crew;
mod interrupt;
mod measure;
mod mishap;
mod note;
mod observer;
mod options;
mod process;
mod process_groups;
mod round;
mod runner;
mod source;
mod spoken;
mod tail;
mod task;
#[cfg(test)]
mod tests;
mod threads;
mod values;

pub use self::crew::{Crew, Outcome};
pub use self::interrupt::{Interrupt, Urgency};
pub use self::measure::{check, measure, measure_by};
pub use self::mishap::{Mishap, Reason, Role};
pub use self::note::Note;
pub use self::observer::Observer;
pub use self::options::{Jobs, JobsError, LeftOut, RunOptions};
pub use self::round::{End, OnFailure};
pub use self::runner::PassedOver;
pub use self::task::Task;
pub use self::values::ValuesError;
