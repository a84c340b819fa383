//! Files that are written for people.

pub mod destination;
pub mod figure;
pub mod format;
pub mod kind;
pub mod observations;
pub mod output_error;
pub mod rows;
mod whole_file;
pub mod worklist;
