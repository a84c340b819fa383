//! Files that are written for people.

pub mod destination;
pub mod figure;
pub mod kind;
pub mod rows;
mod whole_file;
