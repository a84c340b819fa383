//! Rows that are read more than once: which column is what shows in the first ones.

use super::row_reader::{Beginning, Row};

/// A row that is kept for a while.
pub struct KeptRow {
    /// Where it stands.
    pub line: usize,
    bytes: Vec<u8>,
    fields: Vec<(usize, usize)>,
    beginning: Beginning,
}

impl KeptRow {
    /// A copy of a row.
    pub fn of(row: &Row<'_>) -> Self {
        let (mut bytes, mut fields) = (Vec::new(), Vec::new());
        for field in row.fields() {
            let begin = bytes.len();
            bytes.extend_from_slice(field);
            fields.push((begin, bytes.len()));
        }
        KeptRow { line: row.line(), bytes, fields, beginning: row.beginning() }
    }

    /// The row.
    pub fn row(&self) -> Row<'_> {
        Row::kept(self.line, &self.bytes, &self.fields, self.beginning)
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field, if there is one and it is text.
    pub fn cell(&self, column: usize) -> Option<&str> {
        let &(begin, end) = self.fields.get(column)?;
        std::str::from_utf8(&self.bytes[begin..end]).ok()
    }
}
