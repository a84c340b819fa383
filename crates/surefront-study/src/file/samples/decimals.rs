//! Numbers as people write them: with a decimal point or a decimal comma, thousands apart or not, or not at all.

use crate::file::input_error::Fault;

/// What stands before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimal {
    /// A point; commas keep thousands apart.
    Point,
    /// A comma; points keep thousands apart.
    Comma,
}

/// How numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// What stands before the decimals.
    pub decimal: Decimal,
    /// Whether somebody said so, or some number showed it; otherwise it is what is usual.
    known: bool,
}

/// What a cell tells about the numbers of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Nothing.
    None,
    /// A point stands before decimals.
    Point,
    /// A comma does.
    Comma,
    /// A comma that may stand before decimals or keep thousands apart.
    Either,
}

impl Numbers {
    /// As in programs.
    pub const PLAIN: Numbers = Numbers { decimal: Decimal::Point, known: true };

    /// As somebody said, or else as these cells show.
    ///
    /// # Errors
    /// When they show both, or may mean either.
    pub fn seen<'a>(cells: impl Iterator<Item = &'a [u8]>, said: Option<Decimal>) -> Result<Self, Fault> {
        if let Some(decimal) = said {
            return Ok(Numbers { decimal, known: true });
        }
        let (mut point, mut comma, mut either) = (None, None, None);
        for cell in cells {
            match evidence(cell) {
                Evidence::None => continue,
                Evidence::Point => &mut point,
                Evidence::Comma => &mut comma,
                Evidence::Either => &mut either,
            }
            .get_or_insert(cell);
        }
        let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
        match (point, comma, either) {
            (Some(point), Some(comma), _) => Err(Fault::BothDecimals { point: text(point), comma: text(comma) }),
            (Some(_), None, _) => Ok(Numbers { decimal: Decimal::Point, known: true }),
            (None, Some(_), _) => Ok(Numbers { decimal: Decimal::Comma, known: true }),
            (None, None, Some(cell)) => Err(Fault::WhichDecimal { text: text(cell) }),
            (None, None, None) => Ok(Numbers { decimal: Decimal::Point, known: false }),
        }
    }

    /// The number in a cell that a program would not read as one.
    ///
    /// # Errors
    /// When it may be two numbers, or does not go with the others.
    pub fn read(self, cell: &[u8]) -> Result<Option<f64>, Fault> {
        let text = || String::from_utf8_lossy(cell).into_owned();
        match (self.decimal, evidence(cell)) {
            (Decimal::Point, Evidence::Either) if !self.known => Err(Fault::WhichDecimal { text: text() }),
            (Decimal::Point, Evidence::Comma) | (Decimal::Comma, Evidence::Point) => {
                Err(Fault::OtherDecimal { text: text() })
            }
            _ => Ok(parse(cell, self.decimal)),
        }
    }
}

/// Signs that keep thousands apart whatever the decimal sign is.
const BETWEEN_THOUSANDS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '_'];

/// The mantissa without its sign, and the rest.
fn mantissa(text: &str) -> (bool, &str, &str) {
    let (negative, size) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(size) => (true, size),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = size.find(['e', 'E']).unwrap_or(size.len());
    (negative, &size[..end], &size[end..])
}

fn evidence(cell: &[u8]) -> Evidence {
    let Ok(text) = std::str::from_utf8(cell) else { return Evidence::None };
    let (_, size, _) = mantissa(text);
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',') || BETWEEN_THOUSANDS.contains(&c);
    if !size.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')) || !size.chars().all(is_part) {
        return Evidence::None;
    }
    let count = |sign: char| size.matches(sign).count();
    match (count('.'), count(',')) {
        (0, 0) => Evidence::None,
        (1, 0) if could_be_thousands(size, '.') => Evidence::None,
        (0, 1) if could_be_thousands(size, ',') => Evidence::Either,
        (1, 0) | (0, 2..) => Evidence::Point,
        (0, 1) | (2.., 0) => Evidence::Comma,
        (_, _) if size.rfind('.') > size.rfind(',') => Evidence::Point,
        (_, _) => Evidence::Comma,
    }
}

/// Whether the one sign in a number may keep thousands apart: three digits follow, and one to three that do not begin with zero go before.
fn could_be_thousands(size: &str, sign: char) -> bool {
    let Some((before, after)) = size.split_once(sign) else { return false };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    after.len() == 3 && digits(after) && (1..=3).contains(&before.len()) && digits(before) && !before.starts_with('0')
}

fn parse(cell: &[u8], decimal: Decimal) -> Option<f64> {
    let (point, thousands) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    let (negative, size, exponent) = mantissa(std::str::from_utf8(cell).ok()?);
    let (whole, decimals) = size.split_once(point).map_or((size, None), |(whole, after)| (whole, Some(after)));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut plain = if negative { "-".to_owned() } else { String::new() };
    let between = |c: char| c == thousands || BETWEEN_THOUSANDS.contains(&c);
    match whole.chars().find(|&c| between(c)) {
        None => plain += whole,
        Some(sign) => {
            let groups: Vec<&str> = whole.split(sign).collect();
            let (first, others) = groups.split_first()?;
            if !(1..=3).contains(&first.len()) || others.iter().any(|group| group.len() != 3) {
                return None;
            }
            plain += &groups.concat();
        }
    }
    let nothing = whole.is_empty() && decimals.is_none_or(str::is_empty);
    if nothing || !digits(plain.trim_start_matches('-')) || !decimals.is_none_or(digits) {
        return None;
    }
    plain.push('.');
    plain += decimals.unwrap_or("0");
    plain += exponent;
    plain.parse().ok()
}

/// Whether a cell says that there is no value.
pub fn is_missing(cell: &[u8]) -> bool {
    const WORDS: [&[u8]; 13] =
        [b"na", b"n/a", b"n.a.", b"nan", b"null", b"none", b"nil", b"missing", b"-", b"--", b".", b"?", b"#n/a"];
    let dash = |cell: &[u8]| matches!(std::str::from_utf8(cell), Ok("\u{2013}" | "\u{2014}" | "<NA>"));
    cell.is_empty() || WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word)) || dash(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seen(cells: &[&str]) -> Result<Numbers, Fault> {
        Numbers::seen(cells.iter().map(|cell| cell.as_bytes()), None)
    }

    #[test]
    fn cells_show_how_numbers_are_written() {
        for (cells, decimal) in [
            (&["1", "2.5"][..], Decimal::Point),
            (&["1", "2,5"], Decimal::Comma),
            (&["1.234", "0,5"], Decimal::Comma),
            (&["1,234", "0.5"], Decimal::Point),
            (&["1.234.567"], Decimal::Comma),
            (&["1,234,567"], Decimal::Point),
            (&["1.234,5"], Decimal::Comma),
            (&["1,234.5"], Decimal::Point),
            (&["1.234"], Decimal::Point),
            (&["0,125"], Decimal::Comma),
            (&["1234,567"], Decimal::Comma),
            (&["fast, cheap", "12"], Decimal::Point),
        ] {
            assert_eq!(seen(cells).unwrap().decimal, decimal, "{cells:?}");
        }
        assert!(matches!(seen(&["1,234"]), Err(Fault::WhichDecimal { .. })));
        assert!(matches!(seen(&["1,5", "1.5"]), Err(Fault::BothDecimals { .. })));
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let read = |text: &str, decimal| Numbers { decimal, known: true }.read(text.as_bytes());
        for (text, decimal, value) in [
            ("0,5", Decimal::Comma, 0.5),
            ("-1.234,5", Decimal::Comma, -1234.5),
            ("1.234", Decimal::Comma, 1234.0),
            ("1\u{a0}234,5e3", Decimal::Comma, 1_234_500.0),
            ("1'234.5", Decimal::Point, 1234.5),
            ("\u{2212}1,234,567.25", Decimal::Point, -1_234_567.25),
            ("12", Decimal::Comma, 12.0),
        ] {
            assert_eq!(read(text, decimal).unwrap(), Some(value), "{text}");
        }
        for text in ["1,23,456.5", "12 34.5", "fast", "1e", "", "-", "12 ms", "1.5.x"] {
            assert!(!matches!(read(text, Decimal::Point), Ok(Some(_))), "{text}");
        }
        assert!(matches!(read("0,5", Decimal::Point), Err(Fault::OtherDecimal { .. })));
        assert!(matches!(read("0.5", Decimal::Comma), Err(Fault::OtherDecimal { .. })));
    }

    proptest! {
        #[test]
        fn a_decimal_comma_is_a_point_in_another_country(value in -1e9f64..1e9, decimals in 0usize..6) {
            let text = format!("{value:.decimals$}");
            let read = Numbers { decimal: Decimal::Comma, known: true }.read(text.replace('.', ",").as_bytes());
            prop_assert_eq!(read.unwrap(), text.parse().ok());
        }
    }
}
