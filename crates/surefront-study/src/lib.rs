//! A study as people keep it: its file, its durable store, its answer, the measurements, the report.

pub mod analysis;
pub mod answer;
pub mod file;
pub mod output;
pub mod plot;
pub mod report;
pub mod run;
pub mod session;
pub mod store;
mod study_error;
pub mod words;

pub use self::study_error::StudyError;
