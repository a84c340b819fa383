//! How numbers, names, counts and tables are said to people.

pub mod number;
pub mod plain;
pub mod plural;
pub mod room;
pub mod suggestion;
pub mod table;
pub mod time;
