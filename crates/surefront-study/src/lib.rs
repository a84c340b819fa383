//! A study as people keep it: its file, its durable store, its answer, the measurements, the report.
//!
//! A program opens a [`session::Session`], asks it what to measure and tells it the results, or has [`run::measure`] do that; what is
//! known is an [`answer::Answer`], and [`report`] writes it down. Several programs may do so on one store at the same time. Nothing here
//! knows a terminal, an option or a command line, and nothing is shared by a whole process.
//!
//! `examples/second_program.rs` shows all of it in fifty lines.

pub mod analysis;
pub mod answer;
pub mod file;
pub mod look;
pub mod output;
pub mod plot;
pub mod report;
pub mod review;
pub mod run;
pub mod session;
pub mod status;
pub mod store;
mod study_error;
mod system;
pub mod words;

pub use self::study_error::StudyError;
