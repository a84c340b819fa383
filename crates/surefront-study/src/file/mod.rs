//! Files that people write: the study file, arms, samples, results and weights.

mod csv_table;
mod fault;
pub mod input_error;
pub mod results;
pub mod samples;
mod source_text;
pub mod study;
pub mod weights;
