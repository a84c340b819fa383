//! How numbers, names, counts and tables are said to people.

pub mod number;
pub mod plural;
pub mod suggestion;
pub mod table;
