//! Objects of JSON as rows: one to a line, in an array, or one after the other.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use super::row_reader::{LONGEST_ROW, Row, RowError, RowSource};

/// So many objects are looked at for the names of the columns.
const LOOKED_AT: usize = 1000;

/// The line that an object begins on, and its cells by name.
type Object = (usize, Vec<(String, String)>);

/// Objects as rows, of which the first names the columns.
pub struct JsonRows<R> {
    objects: Objects<R>,
    columns: Vec<String>,
    places: HashMap<String, usize>,
    /// Objects that were read and not yet handed out, the last one first.
    waiting: Vec<Object>,
    header: bool,
    bytes: Vec<u8>,
    fields: Vec<(usize, usize)>,
}

impl<R: Read> JsonRows<R> {
    /// Begins to read.
    pub fn new(input: R) -> Result<Self, RowError> {
        let mut rows = JsonRows {
            objects: Objects { input: BufReader::new(input), line: 1, text: Vec::new() },
            columns: Vec::new(),
            places: HashMap::new(),
            waiting: Vec::new(),
            header: true,
            bytes: Vec::new(),
            fields: Vec::new(),
        };
        while rows.waiting.len() < LOOKED_AT
            && let Some((line, object)) = rows.objects.next()?
        {
            for (name, _) in &object {
                if !rows.places.contains_key(name) {
                    rows.places.insert(name.clone(), rows.columns.len());
                    rows.columns.push(name.clone());
                }
            }
            rows.waiting.push((line, object));
        }
        rows.waiting.reverse();
        Ok(rows)
    }

    fn fill(&mut self, cells: &[String]) {
        self.bytes.clear();
        self.fields.clear();
        for cell in cells {
            let begin = self.bytes.len();
            self.bytes.extend_from_slice(cell.as_bytes());
            self.fields.push((begin, self.bytes.len()));
        }
    }
}

impl<R: Read> RowSource for JsonRows<R> {
    fn next(&mut self) -> Result<Option<Row<'_>>, RowError> {
        let line = if std::mem::take(&mut self.header) {
            if self.waiting.is_empty() {
                return Ok(None);
            }
            self.fill(&self.columns.clone());
            1
        } else {
            let object = self.waiting.pop();
            let Some((line, object)) = object.map_or_else(|| self.objects.next(), |object| Ok(Some(object)))? else {
                return Ok(None);
            };
            let mut cells = vec![String::new(); self.columns.len()];
            for (name, cell) in object {
                if let Some(&place) = self.places.get(&name) {
                    cells[place] = cell;
                }
            }
            self.fill(&cells);
            line
        };
        Ok(Some(Row::new(line, &self.bytes, &self.fields)))
    }

    fn is_typed(&self) -> bool {
        true
    }
}

/// Objects one after the other, with whatever stands between them.
struct Objects<R> {
    input: BufReader<R>,
    line: usize,
    text: Vec<u8>,
}

impl<R: Read> Objects<R> {
    /// The next object, flat, and the line it begins on.
    fn next(&mut self) -> Result<Option<Object>, RowError> {
        let Some(line) = self.take()? else { return Ok(None) };
        let broken = |error: serde_json::Error| RowError::Json {
            line: line + error.line().saturating_sub(1),
            error: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        };
        let value: Value = serde_json::from_slice(&self.text).map_err(broken)?;
        let mut cells = Vec::new();
        flatten(&value, None, &mut cells);
        Ok(Some((line, cells)))
    }

    /// The text of the next object into `text`; the line it begins on.
    fn take(&mut self) -> Result<Option<usize>, RowError> {
        self.text.clear();
        let (mut depth, mut quoted, mut escaped, mut begin) = (0usize, false, false, self.line);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(RowError::Read(error)),
            };
            if chunk.is_empty() {
                let error = "an object is not closed".to_owned();
                return if depth == 0 { Ok(None) } else { Err(RowError::Json { line: begin, error }) };
            }
            let mut used = chunk.len();
            let mut done = false;
            for (at, &byte) in chunk.iter().enumerate() {
                self.line += usize::from(byte == b'\n');
                if depth == 0 {
                    match byte {
                        b'{' => begin = self.line,
                        b'[' | b']' | b',' => continue,
                        byte if byte.is_ascii_whitespace() => continue,
                        _ => {
                            let error = "there is something other than objects".to_owned();
                            return Err(RowError::Json { line: self.line, error });
                        }
                    }
                }
                self.text.push(byte);
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if quoted => escaped = true,
                    b'"' => quoted = !quoted,
                    b'{' | b'[' if !quoted => depth += 1,
                    b'}' | b']' if !quoted => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    (used, done) = (at + 1, true);
                    break;
                }
            }
            self.input.consume(used);
            if done {
                return Ok(Some(begin));
            }
            if self.text.len() > LONGEST_ROW {
                return Err(RowError::Endless { line: begin });
            }
        }
    }
}

/// The cells of an object by name; those of an object in it by their own names, as in exported observations, or with its name before them where that is
/// taken.
fn flatten(value: &Value, within: Option<&str>, cells: &mut Vec<(String, String)>) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let taken = within.filter(|_| cells.iter().any(|(known, _)| known == name));
        let full = taken.map_or_else(|| name.clone(), |within| format!("{within}.{name}"));
        match value {
            Value::Object(_) => flatten(value, Some(name), cells),
            Value::Null => cells.push((full, String::new())),
            Value::String(text) => cells.push((full, text.clone())),
            other => cells.push((full, other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, RowError> {
        let mut source = JsonRows::new(text.as_bytes())?;
        let mut rows = Vec::new();
        while let Some(row) = source.next()? {
            rows.push((row.line(), row.fields().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()));
        }
        Ok(rows)
    }

    #[test]
    fn objects_are_rows_however_they_are_written() {
        let expected = [(1, ["arm", "x"]), (1, ["a", "0.5"]), (2, ["b}", ""]), (3, ["c\"", "3"])];
        let expected: Vec<_> = expected.map(|(line, row)| (line, row.map(str::to_owned).to_vec())).into();
        let lines = "{\"arm\":\"a\",\"x\":0.5}\n{\"arm\":\"b}\",\"x\":null}\n{\"x\":3,\"arm\":\"c\\\"\"}\n";
        assert_eq!(rows(lines).unwrap(), expected);
        let array = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
        assert_eq!(rows(&array).unwrap(), expected);
        let nested = lines.replace("\"x\":0.5", "\"values\":{\"x\":0.5}");
        assert_eq!(rows(&nested).unwrap(), expected);
        assert!(rows("").unwrap().is_empty());
    }

    #[test]
    fn what_is_broken_has_a_line() {
        for (text, expected) in
            [("{\"a\":1}\n{\"a\":}\n", 2), ("{\"a\":1}\nx", 2), ("[{\"a\":1},\n{\"a\":1", 2), ("[1, 2]", 1)]
        {
            let found = rows(text);
            assert!(matches!(found, Err(RowError::Json { line, .. }) if line == expected), "{text}: {found:?}");
        }
    }
}
