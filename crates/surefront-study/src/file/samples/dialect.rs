//! What separates the columns of a file and ends its lines, seen from its beginning.

use memchr::{memchr, memchr_iter};

use super::names::is_like;

/// How a text is made up of lines and fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What separates the fields.
    pub separator: Separator,
    /// The byte that ends a line; a carriage return before a line feed is white space.
    pub line_end: u8,
}

/// What separates fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// This byte.
    Byte(u8),
    /// White space, however much.
    Blanks,
}

/// The likeliest first.
const BYTES: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Default for Dialect {
    fn default() -> Self {
        Dialect { separator: Separator::Byte(b','), line_end: b'\n' }
    }
}

impl Dialect {
    /// With the line ends of a text that begins like this.
    pub fn of_lines(beginning: &[u8]) -> Self {
        let old = memchr(b'\n', beginning).is_none() && memchr(b'\r', beginning).is_some();
        Dialect { line_end: if old { b'\r' } else { b'\n' }, ..Dialect::default() }
    }
}

impl Separator {
    /// What a first line such as `sep=;` says, as spreadsheets write it.
    pub fn declared(line: &[u8]) -> Option<Self> {
        match line.trim_ascii_end() {
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] => Some(Separator::Byte(*separator)),
            // White space at the end is gone.
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'='] => Some(Separator::Byte(b'\t')),
            _ => None,
        }
    }

    /// The one by which most of the wanted names are columns of this header, and how many are; among equals the one that the header has most of.
    pub fn of_header(header: &[u8], wanted: &[&str]) -> (Self, usize) {
        let known = |separator: Separator| {
            let names = separator.names(header);
            wanted.iter().filter(|wanted| names.iter().any(|name| is_like(name, wanted))).count()
        };
        let count = |byte: u8| outside_quotes(header, byte);
        let blanks = BYTES.iter().all(|&byte| count(byte) == 0);
        let choices = BYTES.map(|byte| (Separator::Byte(byte), count(byte)));
        let choices = choices.into_iter().chain([(Separator::Blanks, usize::from(blanks && count(b' ') > 0))]);
        let rated = choices.filter(|&(separator, count)| count > 0 || separator == Separator::Byte(b','));
        let rated = rated.map(|(separator, count)| (known(separator), count, separator));
        // The last of equals is taken: the likeliest.
        let all: Vec<_> = rated.collect();
        let best = all.iter().rev().max_by_key(|(known, count, _)| (*known, *count));
        best.map_or((Separator::Byte(b','), 0), |&(known, _, separator)| (separator, known))
    }

    /// Whether a byte separates fields.
    #[inline]
    pub fn is(self, byte: u8) -> bool {
        match self {
            Separator::Byte(separator) => byte == separator,
            Separator::Blanks => byte == b' ' || byte == b'\t',
        }
    }

    /// Where the fields of a line without quotes begin and end.
    #[inline]
    pub fn split(self, line: &[u8], fields: &mut Vec<(usize, usize)>) {
        let Separator::Byte(byte) = self else { return split_blanks(line, fields) };
        let mut from = 0;
        for at in memchr_iter(byte, line) {
            fields.push((from, at));
            from = at + 1;
        }
        fields.push((from, line.len()));
    }

    /// The names in a header, roughly: quotes are taken off, and separators between them stay.
    fn names(self, header: &[u8]) -> Vec<String> {
        let (mut names, mut quoted) = (vec![Vec::new()], false);
        for &byte in header {
            match byte {
                b'"' => quoted = !quoted,
                byte if self.is(byte) && !quoted => names.push(Vec::new()),
                byte => names.last_mut().expect("there is one").push(byte),
            }
        }
        names.into_iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect()
    }
}

fn split_blanks(line: &[u8], fields: &mut Vec<(usize, usize)>) {
    let mut from = None;
    for (at, byte) in line.iter().enumerate() {
        match (byte.is_ascii_whitespace(), from) {
            (true, Some(begin)) => {
                fields.push((begin, at));
                from = None;
            }
            (false, None) => from = Some(at),
            _ => {}
        }
    }
    fields.extend(from.map(|begin| (begin, line.len())));
}

/// How often a byte occurs in a line where it is not quoted.
fn outside_quotes(line: &[u8], byte: u8) -> usize {
    let mut quoted = false;
    let counted = line.iter().filter(|&&at| {
        quoted ^= at == b'"';
        at == byte && !quoted
    });
    counted.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_that_are_wanted_tell_the_separator() {
        let of = |header: &str, wanted: &[&str]| Separator::of_header(header.as_bytes(), wanted);
        assert_eq!(of("arm,x,y", &["x"]), (Separator::Byte(b','), 1));
        assert_eq!(of("a, b, c, d;x", &["x"]), (Separator::Byte(b';'), 1));
        assert_eq!(of("\"x;y\",arm", &["x;y"]), (Separator::Byte(b','), 1));
        assert_eq!(of("arm  x  y", &[]), (Separator::Blanks, 0));
        assert_eq!(of("x", &[]), (Separator::Byte(b','), 0));
        assert_eq!(of("my arm|the x", &["the x"]), (Separator::Byte(b'|'), 1));
    }
}
