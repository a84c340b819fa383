//! A Parquet file as rows.

use std::io::Read;

use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;

use super::row_reader::{Row, RowError, RowSource};

/// The rows, of which the first names the columns.
pub struct ParquetRows {
    rows: RowIter<'static>,
    columns: Vec<String>,
    header: bool,
    read: usize,
    bytes: Vec<u8>,
    fields: Vec<(usize, usize)>,
}

impl ParquetRows {
    /// Reads the whole file: what says where its columns are stands at its end.
    pub fn new(mut input: impl Read) -> Result<Self, RowError> {
        let mut content = Vec::new();
        input.read_to_end(&mut content).map_err(RowError::Read)?;
        Self::of(parquet::data_type::Bytes::from(content))
    }

    fn of(content: impl ChunkReader + 'static) -> Result<Self, RowError> {
        let broken = |error: parquet::errors::ParquetError| RowError::Parquet(error.to_string());
        let file = SerializedFileReader::new(content).map_err(broken)?;
        let fields = file.metadata().file_metadata().schema().get_fields();
        let columns = fields.iter().map(|field| field.name().to_owned()).collect();
        let rows = RowIter::from_file_into(Box::new(file));
        Ok(ParquetRows { rows, columns, header: true, read: 0, bytes: Vec::new(), fields: Vec::new() })
    }

    fn push(&mut self, cell: &str) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(cell.as_bytes());
        self.fields.push((begin, self.bytes.len()));
    }
}

impl RowSource for ParquetRows {
    fn next(&mut self) -> Result<Option<Row<'_>>, RowError> {
        self.bytes.clear();
        self.fields.clear();
        if std::mem::take(&mut self.header) {
            self.columns.clone().iter().for_each(|name| self.push(name));
            return Ok(Some(Row::new(1, &self.bytes, &self.fields)));
        }
        let Some(row) = self.rows.next() else { return Ok(None) };
        let row = row.map_err(|error| RowError::Parquet(error.to_string()))?;
        for (_, field) in row.get_column_iter() {
            match field {
                Field::Null => self.push(""),
                Field::Str(text) => self.push(text),
                // Their own way to be shown gives up digits.
                Field::Double(value) => self.push(&value.to_string()),
                Field::Float(value) => self.push(&value.to_string()),
                Field::Float16(value) => self.push(&value.to_f32().to_string()),
                other => self.push(&other.to_string()),
            }
        }
        self.read += 1;
        // Rows are counted from 1, as lines are.
        Ok(Some(Row::new(self.read, &self.bytes, &self.fields)))
    }

    fn is_typed(&self) -> bool {
        true
    }
}
