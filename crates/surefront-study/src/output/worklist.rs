//! A worklist: tickets with an empty column for each reading, to be filled in by whoever measures.

use std::io::{self, Write};

use csv::Writer;
use surefront::Problem;

use super::kind::WORKLIST_COLUMNS;
use super::rows::io_error;
use crate::file::study::Readings;

/// Writes a row for each ticket, given as its number and its arm.
pub fn write(
    problem: &Problem,
    readings: &Readings,
    tickets: impl IntoIterator<Item = (i64, usize)>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = Writer::from_writer(output);
    let names = readings.names().iter().map(String::as_str);
    writer.write_record(WORKLIST_COLUMNS.into_iter().chain(names)).map_err(io_error)?;
    for (ticket, arm) in tickets {
        let empty = std::iter::repeat_n("", readings.names().len());
        let id = ticket.to_string();
        writer.write_record([&id, problem.arms()[arm].name.as_str()].into_iter().chain(empty)).map_err(io_error)?;
    }
    writer.flush()
}
