//! Files that are written for people.

pub mod figure;
pub mod rows;
pub mod whole_file;
