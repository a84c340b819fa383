//! Rows of a CSV stream, one at a time, in bounded memory, each with the line it begins on.
//!
//! Fields may be quoted, with line ends and doubled quotes inside. Rows without a quote, nearly all, are split where they lie in
//! the buffer. What separates the fields and ends the lines is seen from the beginning ([`Dialect`]).

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};

use super::dialect::{Dialect, Separator};

/// Longer rows are none that anybody wrote: a quote that is never closed, or no CSV at all.
pub const LONGEST_ROW: usize = 16 << 20;
const BUFFER: usize = 256 << 10;

/// Why there is no next row.
#[derive(Debug)]
pub enum RowError {
    /// The operating system's complaint.
    Read(io::Error),
    /// A quote that is opened on this line and never closed.
    OpenQuote {
        /// The line, from 1.
        line: usize,
    },
    /// A row that does not end.
    Endless {
        /// The line that it begins on, from 1.
        line: usize,
    },
    /// JSON that is none.
    Json {
        /// The line, from 1.
        line: usize,
        /// The parser's complaint.
        error: String,
    },
    /// A Parquet file that cannot be read.
    #[cfg(feature = "parquet")]
    Parquet(String),
}

/// Rows one after the other, the header first.
pub trait RowSource {
    /// The next row that is not blank; `None` at the end.
    fn next(&mut self) -> Result<Option<Row<'_>>, RowError>;

    /// Whether numbers are written as programs write them.
    fn is_typed(&self) -> bool {
        false
    }

    /// Whether rows may have a name before their first column, which the header does not count. Where commas separate, a decimal comma would look
    /// the same.
    fn may_name_rows(&self) -> bool {
        false
    }
}

/// A stream of rows.
pub struct RowReader<R> {
    input: R,
    exhausted: bool,
    /// What has been read and not yet handed out is `buffer[begin..end]`.
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
    /// The line, from 1, that `buffer[begin]` is on.
    line: usize,
    dialect: Dialect,
    /// The fields of a row with quotes, one after the other.
    unquoted: Vec<u8>,
    /// Where each field of the present row begins and ends.
    fields: Vec<(usize, usize)>,
}

/// The fields of a row, without white space around them.
pub struct Row<'a> {
    line: usize,
    bytes: &'a [u8],
    fields: &'a [(usize, usize)],
    beginning: Beginning,
}

/// How a row begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// As comments do.
    Hash,
    /// As rows do.
    Plain,
}

impl<'a> Row<'a> {
    /// A row that was put together elsewhere.
    pub fn new(line: usize, bytes: &'a [u8], fields: &'a [(usize, usize)]) -> Self {
        Row::kept(line, bytes, fields, Beginning::Plain)
    }

    /// A row that was read before.
    pub fn kept(line: usize, bytes: &'a [u8], fields: &'a [(usize, usize)], beginning: Beginning) -> Self {
        Row { line, bytes, fields, beginning }
    }

    /// The line that it begins on, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether it may be a comment.
    #[inline]
    pub fn beginning(&self) -> Beginning {
        self.beginning
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field.
    #[inline]
    pub fn field(&self, index: usize) -> &'a [u8] {
        let (begin, end) = self.fields[index];
        self.bytes[begin..end].trim_ascii()
    }

    /// All fields.
    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(|index| self.field(index))
    }
}

impl<R: Read> RowReader<R> {
    /// Begins to read: what comes before the header is skipped, and what separates the columns is seen from it, best of all by the names
    /// of some of them.
    pub fn new(input: R, wanted: &[&str]) -> Result<Self, RowError> {
        let mut reader = RowReader {
            input,
            exhausted: false,
            buffer: vec![0; BUFFER],
            begin: 0,
            end: 0,
            line: 1,
            dialect: Dialect::default(),
            unquoted: Vec::new(),
            fields: Vec::new(),
        };
        while reader.end < BUFFER && reader.refill()? {}
        let start = reader.buffer[..reader.end].starts_with(b"\xef\xbb\xbf");
        reader.begin = if start { 3 } else { 0 };
        reader.dialect = Dialect::of_lines(&reader.buffer[..reader.end]);
        loop {
            reader.skip_blank_lines()?;
            let Some(end) = reader.line_end()? else { return Ok(reader) };
            let line = &reader.buffer[reader.begin..end];
            if let Some(separator) = Separator::declared(line) {
                reader.dialect.separator = separator;
                reader.skip_to(end);
                return Ok(reader);
            }
            let comment = line.trim_ascii_start().strip_prefix(b"#");
            let (separator, known) = Separator::of_header(comment.unwrap_or(line), wanted);
            if comment.is_some() && known == 0 {
                reader.skip_to(end);
                continue;
            }
            reader.dialect.separator = separator;
            if comment.is_some() {
                // The header, as some programs write it.
                reader.begin = end - comment.map_or(0, <[u8]>::len);
            }
            return Ok(reader);
        }
    }

    /// Where the line that begins at `begin` ends: at a line end, or at the end of the input. `None` if nothing is left.
    #[inline]
    fn line_end(&mut self) -> Result<Option<usize>, RowError> {
        let mut searched = 0;
        loop {
            if let Some(at) = memchr(self.dialect.line_end, &self.buffer[self.begin + searched..self.end]) {
                return Ok(Some(self.begin + searched + at));
            }
            searched = self.end - self.begin;
            if !self.refill()? {
                return Ok((self.begin < self.end).then_some(self.end));
            }
        }
    }

    /// Goes on after the line that ends here.
    fn skip_to(&mut self, end: usize) {
        self.begin = (end + 1).min(self.end);
        self.line += 1;
    }

    fn skip_blank_lines(&mut self) -> Result<(), RowError> {
        loop {
            match self.buffer[self.begin..self.end] {
                [first, ..] if first == self.dialect.line_end => self.begin += 1,
                [b'\r', b'\n', ..] => self.begin += 2,
                [] | [b'\r'] => match self.refill()? {
                    true => continue,
                    false => return Ok(()),
                },
                _ => return Ok(()),
            }
            self.line += 1;
        }
    }

    /// Reads on; false at the end of the input.
    fn refill(&mut self) -> Result<bool, RowError> {
        if self.exhausted {
            return Ok(false);
        }
        if self.begin > 0 {
            self.buffer.copy_within(self.begin..self.end, 0);
            self.end -= self.begin;
            self.begin = 0;
        }
        if self.end == self.buffer.len() {
            if self.end >= LONGEST_ROW {
                return Err(RowError::Endless { line: self.line });
            }
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    self.exhausted = count == 0;
                    return Ok(!self.exhausted);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RowError::Read(error)),
            }
        }
    }

    /// The byte `ahead` of `begin`.
    fn peek(&mut self, ahead: usize) -> Result<Option<u8>, RowError> {
        while self.begin + ahead >= self.end {
            if !self.refill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.buffer[self.begin + ahead]))
    }

    /// Takes a row in which there are quotes, into `unquoted`.
    fn take_quoted(&mut self) -> Result<(), RowError> {
        self.unquoted.clear();
        self.fields.clear();
        // Bytes of the row taken so far: the row stays in the buffer until it is complete, which bounds its length.
        let mut taken = 0;
        loop {
            let begin = self.unquoted.len();
            while matches!(self.peek(taken)?, Some(b' ')) {
                taken += 1;
            }
            if self.peek(taken)? == Some(b'"') {
                taken = self.take_quotation(taken + 1)?;
            }
            // What follows, up to the separator, belongs to the field as it stands.
            let ended = loop {
                match self.peek(taken)? {
                    Some(byte) if self.dialect.separator.is(byte) => break false,
                    Some(byte) if byte == self.dialect.line_end => break true,
                    None => break true,
                    Some(byte) => self.unquoted.push(byte),
                }
                taken += 1;
            };
            self.fields.push((begin, self.unquoted.len()));
            if ended {
                self.end_quoted(taken);
                return Ok(());
            }
            taken += 1;
            if self.dialect.separator == Separator::Blanks {
                while matches!(self.peek(taken)?, Some(b' ' | b'\t' | b'\r')) {
                    taken += 1;
                }
                if self.peek(taken)?.is_none_or(|byte| byte == self.dialect.line_end) {
                    self.end_quoted(taken);
                    return Ok(());
                }
            }
        }
    }

    /// The row with quotes ends so many bytes on.
    fn end_quoted(&mut self, taken: usize) {
        let row_end = self.begin + taken;
        self.line += 1 + memchr_iter(self.dialect.line_end, &self.buffer[self.begin..row_end]).count();
        self.begin = (row_end + 1).min(self.end);
    }

    /// Takes what is between quotes, from the byte after the first; gives the place after the second.
    fn take_quotation(&mut self, first: usize) -> Result<usize, RowError> {
        let mut taken = first;
        loop {
            match self.peek(taken)? {
                Some(b'"') if self.peek(taken + 1)? == Some(b'"') => {
                    self.unquoted.push(b'"');
                    taken += 2;
                }
                Some(b'"') => return Ok(taken + 1),
                Some(byte) => {
                    self.unquoted.push(byte);
                    taken += 1;
                }
                None => {
                    let before = &self.buffer[self.begin..self.begin + first];
                    let lines = memchr_iter(self.dialect.line_end, before).count();
                    return Err(RowError::OpenQuote { line: self.line + lines });
                }
            }
        }
    }
}

impl<R: Read> RowSource for RowReader<R> {
    #[inline]
    fn next(&mut self) -> Result<Option<Row<'_>>, RowError> {
        self.skip_blank_lines()?;
        let Some(end) = self.line_end()? else { return Ok(None) };
        let line = self.line;
        let bytes = &self.buffer[self.begin..end];
        // A comment may have any quotes.
        let beginning = if bytes.first() == Some(&b'#') { Beginning::Hash } else { Beginning::Plain };
        if beginning == Beginning::Plain && memchr(b'"', bytes).is_some() {
            self.take_quoted()?;
            return Ok(Some(Row { line, bytes: &self.unquoted, fields: &self.fields, beginning }));
        }
        self.fields.clear();
        self.dialect.separator.split(bytes, &mut self.fields);
        let begin = self.begin;
        self.begin = (end + 1).min(self.end);
        self.line += 1;
        Ok(Some(Row { line, bytes: &self.buffer[begin..end], fields: &self.fields, beginning }))
    }

    fn may_name_rows(&self) -> bool {
        self.dialect.separator != Separator::Byte(b',')
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Hands out a few bytes at a time, so that every row is cut somewhere.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn rows(text: &[u8], drip: usize) -> Result<Vec<(usize, Vec<String>)>, RowError> {
        let mut reader = RowReader::new(Drip(text, drip), &[])?;
        let mut rows = Vec::new();
        while let Some(row) = reader.next()? {
            rows.push((row.line(), row.fields().map(|field| String::from_utf8_lossy(field).into_owned()).collect()));
        }
        Ok(rows)
    }

    fn assert_rows(text: &str, expected: &[(usize, &[&str])]) {
        for drip in [1, 2, 3, 7, 1000] {
            let found = rows(text.as_bytes(), drip).unwrap();
            let found: Vec<(usize, Vec<&str>)> =
                found.iter().map(|(line, row)| (*line, row.iter().map(String::as_str).collect())).collect();
            let expected: Vec<(usize, Vec<&str>)> = expected.iter().map(|(line, row)| (*line, row.to_vec())).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn rows_know_their_lines() {
        assert_rows("a,b\n1,2\n3,4\n", &[(1, &["a", "b"]), (2, &["1", "2"]), (3, &["3", "4"])]);
        assert_rows("\u{feff}a,b\r\n1,2\r\n\r\n3,4", &[(1, &["a", "b"]), (2, &["1", "2"]), (4, &["3", "4"])]);
        assert_rows("\n\na,b\n\n1,\"x\ny\"\n3,4", &[(3, &["a", "b"]), (5, &["1", "x\ny"]), (7, &["3", "4"])]);
        assert_rows("", &[]);
        assert_rows("\n\r\n", &[]);
    }

    #[test]
    fn quotes_are_taken_off() {
        assert_rows("a\n\"x, y\"", &[(1, &["a"]), (2, &["x, y"])]);
        assert_rows("a,b\n\"say \"\"no\"\"\", \"2\" \r\n", &[(1, &["a", "b"]), (2, &["say \"no\"", "2"])]);
        // In the middle of a field a quote is a quote.
        assert_rows("a,b\n5\" pipe,2\n", &[(1, &["a", "b"]), (2, &["5\" pipe", "2"])]);
    }

    #[test]
    fn the_separator_is_that_of_the_header() {
        assert_rows("a;b\n0,5;2\n", &[(1, &["a", "b"]), (2, &["0,5", "2"])]);
        assert_rows("a\tb\n x \t2\n", &[(1, &["a", "b"]), (2, &["x", "2"])]);
        assert_rows("a|b\n0,5|2\n", &[(1, &["a", "b"]), (2, &["0,5", "2"])]);
        assert_rows("sep=;\na;b,c\n1;2\n", &[(2, &["a", "b,c"]), (3, &["1", "2"])]);
        assert_rows("a   bc\n\"x y\"  2  \n z 3\n", &[(1, &["a", "bc"]), (2, &["x y", "2"]), (3, &["z", "3"])]);
    }

    #[test]
    fn lines_end_as_they_did_on_old_machines() {
        assert_rows(
            "a,b\r1,2\r\r3,\"x\ry\"\r5,6",
            &[(1, &["a", "b"]), (2, &["1", "2"]), (4, &["3", "x\ry"]), (6, &["5", "6"])],
        );
    }

    #[test]
    fn what_stands_above_the_header_is_skipped() {
        assert_rows("# a, b\n\n# \"c\na,b\n1,2\n", &[(4, &["a", "b"]), (5, &["1", "2"])]);
        let mut reader = RowReader::new(&b"# of: today\n# arm;x,y\na;2\n"[..], &["x,y"]).unwrap();
        let header: Vec<_> = reader.next().unwrap().unwrap().fields().map(<[u8]>::to_vec).collect();
        assert_eq!(header, [b"arm".to_vec(), b"x,y".to_vec()]);
    }

    #[test]
    fn an_open_quote_has_a_line() {
        for drip in [1, 1000] {
            let found = rows(b"a,b\n1,2\n\"x\ny\",\"2\n3,4\n", drip);
            assert!(matches!(found, Err(RowError::OpenQuote { line: 4 })), "{found:?}");
        }
    }

    #[test]
    fn an_endless_row_is_given_up() {
        let found = RowReader::new(io::repeat(b'x'), &[]).map(|_| ());
        assert!(matches!(found, Err(RowError::Endless { line: 1 })), "{found:?}");
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_csv_crate(
            cells in prop::collection::vec(prop::collection::vec("[a-c\",\n ]{0,4}", 3), 1..8),
            drip in 1usize..20,
        ) {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(["x", "y", "z"]).unwrap();
            for row in &cells {
                writer.write_record(row).unwrap();
            }
            let text = writer.into_inner().unwrap();
            let found = rows(&text, drip).unwrap();
            let found: Vec<Vec<String>> = found.into_iter().skip(1).map(|(_, row)| row).collect();
            let trimmed: Vec<Vec<String>> =
                cells.iter().map(|row| row.iter().map(|cell| cell.trim_ascii().to_owned()).collect()).collect();
            prop_assert_eq!(found, trimmed);
        }
    }
}
