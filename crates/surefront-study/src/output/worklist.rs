//! A worklist: tickets with empty columns, to be filled in by whoever measures.

use std::io::{self, Write};

use csv::Writer;
use surefront::Problem;

use super::kind::WORKLIST_COLUMNS;
use super::rows::io_error;

/// Writes a row for each ticket, given as its number and its arm.
pub fn write(
    problem: &Problem,
    tickets: impl IntoIterator<Item = (i64, usize)>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = Writer::from_writer(output);
    let objectives = problem.objectives().iter().map(|objective| objective.name.as_str());
    writer.write_record(WORKLIST_COLUMNS.into_iter().chain(objectives)).map_err(io_error)?;
    for (ticket, arm) in tickets {
        let empty = std::iter::repeat_n("", problem.objective_count());
        let id = ticket.to_string();
        writer.write_record([&id, problem.arms()[arm].name.as_str()].into_iter().chain(empty)).map_err(io_error)?;
    }
    writer.flush()
}
