//! A CSV text with a header: columns by name, rows with their lines.

use csv::{ReaderBuilder, StringRecord, Trim};

use surefront::Reading;

use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::plural::counted;
use crate::words::suggestion::listed;

/// The header and the rows, all as long as the header.
pub struct CsvTable<'a> {
    source: &'a SourceText,
    header: StringRecord,
    header_line: usize,
    rows: Vec<(usize, StringRecord)>,
}

impl<'a> CsvTable<'a> {
    /// Reads all rows. A text without a header is refused as empty; `expected` says what it should hold.
    pub fn parse(source: &'a SourceText, expected: &'static str) -> Result<Self, InputError> {
        let mut reader = ReaderBuilder::new()
            .trim(Trim::All)
            .has_headers(false)
            .flexible(true)
            .from_reader(source.text().as_bytes());
        let mut records = reader.records().map(|record| {
            let record = record.map_err(|error| source.fault(Fault::Csv(error.to_string())))?;
            Ok((line_of(source, &record), record))
        });
        let (header_line, header) = records.next().unwrap_or_else(|| Err(source.fault(Fault::Empty { expected })))?;
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = header.iter().find(|column| !seen.insert(column.to_owned())) {
            return Err(source.fault_on_line(header_line, Fault::DuplicateColumn { column: twice.to_owned() }));
        }
        let rows = records.collect::<Result<Vec<_>, InputError>>()?;
        for (line, row) in &rows {
            if row.len() != header.len() {
                let fault = Fault::RaggedRow {
                    found: counted(row.len(), "value", "values"),
                    expected: counted(header.len(), "column", "columns"),
                };
                return Err(source.fault_on_line(*line, fault));
            }
        }
        Ok(CsvTable { source, header, header_line, rows })
    }

    /// The columns' names.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.iter()
    }

    /// The place of a column, if there is one of that name.
    pub fn find(&self, column: &str) -> Option<usize> {
        self.header.iter().position(|name| name == column)
    }

    /// The place of a column that must be there.
    pub fn column(&self, column: &str) -> Result<usize, InputError> {
        self.find(column).ok_or_else(|| {
            self.header_fault(Fault::MissingColumn { column: column.to_owned(), found: listed(self.header.iter()) })
        })
    }

    /// The rows, each with its line.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &StringRecord)> {
        self.rows.iter().map(|(line, row)| (*line, row))
    }

    /// A fault of the header.
    pub fn header_fault(&self, fault: Fault) -> InputError {
        self.source.fault_on_line(self.header_line, fault)
    }
}

/// The reader's own position may still be before the line end, or the empty lines, that precede a record.
fn line_of(source: &SourceText, record: &StringRecord) -> usize {
    let from = record.position().map_or(0, |position| position.byte() as usize);
    let skipped = source.text().as_bytes()[from..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    source.line(from + skipped)
}

/// A finite number in a cell; `key` of `place` names it in a sentence.
pub fn number(text: &str, key: &str, place: &str) -> Result<f64, Fault> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(Fault::NotFinite { place: place.to_owned(), key: key.to_owned(), value: text.to_owned() }),
        Err(_) => Err(Fault::NotANumber { place: place.to_owned(), key: key.to_owned(), text: text.to_owned() }),
    }
}

/// The same, or that a value is more than something, as the number that stands for it: whether that can be borne is for the study to say.
pub fn reading(text: &str, key: &str, place: &str) -> Result<f64, Fault> {
    if let Some(reading) = Reading::parse(text) {
        return Ok(reading.as_value());
    }
    let value = number(text, key, place)?;
    // Larger numbers stand for something else.
    if Reading::is_plain(value) {
        return Ok(value);
    }
    Err(Fault::NotFinite { place: place.to_owned(), key: key.to_owned(), value: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let source = SourceText::new(Path::new("file"), text.into()).unwrap();
        CsvTable::parse(&source, "rows").unwrap().rows().map(|(line, _)| line).collect()
    }

    #[test]
    fn rows_know_their_lines() {
        assert_eq!(lines("a,b\n1,2\n3,4\n"), [2, 3]);
        assert_eq!(lines("a,b\r\n1,2\r\n\r\n3,4"), [2, 4]);
        assert_eq!(lines("\n\na,b\n\n1,\"x\ny\"\n3,4"), [5, 7]);
    }
}
