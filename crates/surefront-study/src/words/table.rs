//! Tables for people.

use comfy_table::{CellAlignment, ContentLineStyle, LineStyle, Table, TableStyle};

/// How a column's cells are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells under a header, set in columns.
pub struct TextTable(Table);

impl TextTable {
    /// A table without rows.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        const STYLE: TableStyle = TableStyle::new()
            .header_lines(ContentLineStyle::new(' ', ' ', ' '))
            .header_separator(LineStyle::new('─', '─', '─', '─'))
            .content_lines(ContentLineStyle::new(' ', ' ', ' '));
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_header(columns.iter().map(|(name, _)| *name));
        for (column, (_, align)) in table.column_iter_mut().zip(columns) {
            column.set_cell_alignment(match align {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
        }
        TextTable(table)
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<String>) {
        self.0.add_row(cells);
    }

    /// The lines, without white space at their ends.
    pub fn render(&self) -> String {
        self.0.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}
