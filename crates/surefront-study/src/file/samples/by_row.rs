//! Rows that are observations: the quick way, for millions of them.

use super::Samples;
use super::cells::{Cells, Taker};
use super::form::Form;
use super::layout::RowColumns;
use super::row_reader::Row;
use crate::file::input_error::Fault;

/// Rows into observations.
pub struct ByRow {
    cells: Cells,
    columns: RowColumns,
    values: Vec<f64>,
}

impl ByRow {
    /// None so far.
    pub fn new(cells: Cells, columns: RowColumns) -> Self {
        ByRow { cells, columns, values: Vec::new() }
    }
}

impl Taker for ByRow {
    #[inline]
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        if self.cells.was_retracted(row) {
            return Ok(());
        }
        self.values.clear();
        for &column in &self.columns.objectives {
            self.values.extend(self.cells.value(row, column)?);
        }
        if self.values.len() < self.columns.objectives.len() {
            // A row without a name and without a value is one that a spreadsheet has left behind.
            if !row.fields().all(<[u8]>::is_empty) {
                self.cells.leave_out(row);
            }
            return Ok(());
        }
        let arm = self.cells.arm(row)?;
        self.cells.gathered.add(arm, &self.values)
    }

    fn finish(self) -> Result<Samples, Fault> {
        let units = self.columns.objectives.iter().map(|&column| self.cells.unit(column)).collect();
        self.cells.finish(Form::Observations, units)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }
}
