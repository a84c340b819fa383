//! A table from its first row to its last, whatever its rows are.

use std::path::Path;

use surefront::Objective;

use super::by_row::ByRow;
use super::cells::{Cells, Taker};
use super::columns::Header;
use super::decimals::Numbers;
use super::kept_row::KeptRow;
use super::layout::Layout;
use super::long::Long;
use super::row_reader::{Beginning, Row, RowSource};
use super::summed::Summed;
use super::{Gathered, Naming, Samples, row_error};
use crate::file::input_error::{Fault, InputError};
use crate::words::plural::counted;

/// So many rows tell which column is what, and how numbers are written.
const TELLING: usize = 2000;

/// What reads a table.
pub struct Reader<'a> {
    /// Where it comes from.
    pub origin: &'a Path,
    /// What is wanted of it.
    pub objectives: Vec<Objective>,
    /// What somebody said of its columns.
    pub naming: &'a Naming,
}

impl Reader<'_> {
    /// Reads all rows.
    pub fn read(self, mut source: impl RowSource) -> Result<Samples, InputError> {
        let origin = self.origin;
        let broken = |error| row_error(origin, error);
        let expected = "a header with the columns' names, and a row for each observation";
        let first =
            source.next().map_err(broken)?.ok_or_else(|| InputError::of_file(origin, Fault::Empty { expected }))?;
        let line = first.line();
        let at_header = |fault| InputError::at_line(origin, line, fault);
        let mut header = Header::new(&first).map_err(at_header)?;
        let mut sample = Vec::new();
        while sample.len() < TELLING
            && let Some(row) = source.next().map_err(broken)?
        {
            sample.push(KeptRow::of(&row));
        }
        if source.may_name_rows() && !sample.is_empty() && sample.iter().all(|row| row.len() == header.len() + 1) {
            header = header.with_row_names();
        }
        let layout = Layout::of(&header, &self.objectives, self.naming, &sample).map_err(at_header)?;
        let numbers = match source.is_typed() {
            true => Numbers::PLAIN,
            false => {
                let columns = layout.number_columns();
                let rows = sample.iter().filter(|row| row.len() == header.len());
                let cells = rows.flat_map(|row| columns.iter().filter_map(|&column| row.cell(column)));
                Numbers::seen(cells.map(str::as_bytes), self.naming.decimal)
                    .map_err(|fault| InputError::of_file(origin, fault))?
            }
        };
        let gathered = Gathered::new(self.objectives.clone()).map_err(|fault| InputError::of_file(origin, fault))?;
        let cells = Cells::new(header, &layout, numbers, gathered);
        match layout {
            Layout::Rows(columns) => drive(source, &sample, origin, ByRow::new(cells, columns)),
            Layout::Long(columns) => drive(source, &sample, origin, Long::new(cells, columns, &self.objectives)),
            Layout::Sums { objectives, .. } => {
                drive(source, &sample, origin, Summed::new(cells, None, objectives, &self.objectives))
            }
            Layout::LongSums { metric, columns, .. } => {
                drive(source, &sample, origin, Summed::new(cells, Some(metric), vec![columns], &self.objectives))
            }
        }
    }
}

/// Hands all rows to whoever takes them.
fn drive<S: RowSource, T: Taker>(
    mut source: S,
    sample: &[KeptRow],
    origin: &Path,
    mut taker: T,
) -> Result<Samples, InputError> {
    for row in sample {
        take(&mut taker, &row.row()).map_err(|fault| InputError::at_line(origin, row.line, fault))?;
    }
    while let Some(row) = source.next().map_err(|error| row_error(origin, error))? {
        take(&mut taker, &row).map_err(|fault| InputError::at_line(origin, row.line(), fault))?;
    }
    taker.finish().map_err(|fault| InputError::of_file(origin, fault))
}

#[inline]
fn take(taker: &mut impl Taker, row: &Row<'_>) -> Result<(), Fault> {
    if row.len() != taker.cells().header.len() || row.beginning() == Beginning::Hash {
        return take_odd(taker, row);
    }
    taker.take(row)
}

/// A row that is shorter or longer than the others, or may be a comment.
#[cold]
fn take_odd(taker: &mut impl Taker, row: &Row<'_>) -> Result<(), Fault> {
    let cells = taker.cells();
    let columns = cells.header.len();
    if row.beginning() == Beginning::Hash {
        let is_number = |&column: &usize| cells.value(row, column).is_ok_and(|value| value.is_some());
        let is_row = row.len() == columns && cells.number_columns.iter().all(is_number);
        return if is_row { Err(Fault::CommentOrRow) } else { Ok(()) };
    }
    if row.fields().all(|field| field.is_empty()) {
        return Ok(());
    }
    // A separator at the end of each row makes no column.
    if row.len() > columns && (columns..row.len()).all(|field| row.field(field).is_empty()) {
        return taker.take(row);
    }
    let (found, expected) = (counted(row.len(), "value", "values"), counted(columns, "column", "columns"));
    Err(match row.len() > columns {
        true => Fault::LongRow { found, expected },
        false => Fault::RaggedRow { found, expected },
    })
}
