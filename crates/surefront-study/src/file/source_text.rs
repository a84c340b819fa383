//! The text of a file that was handed in, and on which line each byte of it is.

use std::path::{Path, PathBuf};

use crate::file::input_error::{Fault, InputError};

/// UTF-8 text with its origin, so that a fault can be placed.
#[derive(Debug)]
pub struct SourceText {
    path: PathBuf,
    text: String,
    /// The position of every line feed.
    line_ends: Vec<usize>,
}

impl SourceText {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let bytes = std::fs::read(path).map_err(|error| InputError::of_file(path, Fault::unreadable(error)))?;
        SourceText::new(path, bytes)
    }

    /// Takes the content of a file, without the byte order mark that some editors put at its head.
    pub fn new(path: &Path, bytes: Vec<u8>) -> Result<Self, InputError> {
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
            InputError::at_line(path, line, Fault::NotUtf8)
        })?;
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Ok(SourceText { path: path.to_owned(), text, line_ends })
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, of the byte `at`.
    pub fn line(&self, at: usize) -> usize {
        1 + self.line_ends.partition_point(|&end| end < at)
    }

    /// A fault of the file as a whole.
    pub fn fault(&self, fault: Fault) -> InputError {
        InputError::of_file(&self.path, fault)
    }

    /// A fault at the byte `at`.
    pub fn fault_at(&self, at: usize, fault: Fault) -> InputError {
        self.fault_on_line(self.line(at), fault)
    }

    /// A fault on a line, counted from 1.
    pub fn fault_on_line(&self, line: usize, fault: Fault) -> InputError {
        InputError::at_line(&self.path, line, fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Result<SourceText, InputError> {
        SourceText::new(Path::new("file"), bytes.to_vec())
    }

    #[test]
    fn lines_are_counted_from_one() {
        let source = source(b"ab\ncd\r\n\ne").unwrap();
        let lines: Vec<usize> = (0..=source.text().len()).map(|at| source.line(at)).collect();
        assert_eq!(lines, [1, 1, 1, 2, 2, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(source(b"\xef\xbb\xbfname").unwrap().text(), "name");
    }

    #[test]
    fn bytes_that_are_no_text_are_placed() {
        assert_eq!(
            source(b"a\nb\xff").unwrap_err().to_string(),
            "file, line 2: this is not UTF-8 text: save the file as UTF-8"
        );
    }
}
