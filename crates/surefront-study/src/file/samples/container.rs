//! What a file is before it is text: packed, in another alphabet, a table of another kind.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::utf16::{Order, Utf16};
use crate::file::input_error::Fault;

/// What there is to read.
pub enum Content<'a> {
    /// Lines of fields.
    Csv(Box<dyn Read + 'a>),
    /// Objects.
    Json(Box<dyn Read + 'a>),
    /// A table in the format of that name.
    Parquet(Box<dyn Read + 'a>),
}

/// So many bytes tell.
const TELLING: u64 = 4096;

/// Looks at the beginning of a file, and unpacks it where that is enough.
pub fn open<'a>(mut input: Box<dyn Read + 'a>) -> Result<Content<'a>, Fault> {
    loop {
        let beginning = beginning(&mut input).map_err(Fault::unreadable)?;
        let whole: Box<dyn Read + 'a> = Box::new(Cursor::new(beginning.clone()).chain(input));
        input = match &beginning[..] {
            [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(whole)),
            [b'P', b'A', b'R', b'1', ..] => return Ok(Content::Parquet(whole)),
            [0xff, 0xfe, ..] => Box::new(Utf16::new(whole, Order::Little)),
            [0xfe, 0xff, ..] => Box::new(Utf16::new(whole, Order::Big)),
            [first, 0, ..] if *first != 0 => Box::new(Utf16::new(whole, Order::Little)),
            [0, second, ..] if *second != 0 => Box::new(Utf16::new(whole, Order::Big)),
            other => {
                return match foreign(other) {
                    Some(what) => Err(Fault::Foreign { what }),
                    None if other.contains(&0) => Err(Fault::Foreign { what: "no text" }),
                    None if is_json(other) => Ok(Content::Json(whole)),
                    None => Ok(Content::Csv(whole)),
                };
            }
        };
    }
}

fn beginning(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(TELLING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Files that people take for tables.
fn foreign(beginning: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"PK\x03\x04", "a ZIP archive or a spreadsheet (XLSX, ODS)"),
        (b"\xd0\xcf\x11\xe0", "a spreadsheet (XLS)"),
        (b"\x28\xb5\x2f\xfd", "packed with zstd"),
        (b"BZh", "packed with bzip2"),
        (b"\xfd7zXZ", "packed with xz"),
        (b"7z\xbc\xaf", "a 7-Zip archive"),
        (b"SQLite format 3", "an SQLite database"),
        (b"ARROW1", "an Arrow or Feather file"),
        (b"%PDF", "a PDF"),
    ];
    KNOWN.iter().find(|(magic, _)| beginning.starts_with(magic)).map(|(_, what)| *what)
}

fn is_json(beginning: &[u8]) -> bool {
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start();
    match text {
        [b'{', ..] => true,
        // A header may begin with a bracket, but no object follows it.
        [b'[', rest @ ..] => matches!(rest.trim_ascii_start(), [] | [b'{' | b']' | b'[', ..]),
        _ => false,
    }
}
