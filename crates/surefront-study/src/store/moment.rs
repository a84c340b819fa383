//! A moment, as people write it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A moment as the store writes times, so that texts compare as the moments do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(String);

/// Something else than a moment.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "\"{text}\" is no time: write a date, or a date and a time in UTC, for example 2026-01-31 or 2026-01-31T12:34:56Z"
)]
pub struct MomentError {
    text: String,
}

impl Moment {
    /// As in the store: `2026-01-31T12:34:56.789Z`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Moment {
    type Err = MomentError;

    /// A date, or a date and a time: hours and minutes, perhaps with seconds and their parts, in UTC.
    fn from_str(text: &str) -> Result<Self, MomentError> {
        parsed(text.trim()).map(Moment).ok_or_else(|| MomentError { text: text.to_owned() })
    }
}

fn parsed(text: &str) -> Option<String> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let date: Vec<&str> = date.split('-').collect();
    let [year, month, day] = date[..] else { return None };
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let time: Vec<&str> = time.strip_suffix('Z').unwrap_or(time).split(':').collect();
    let (hour, minute, second) = match time[..] {
        [hour, minute] => (hour, minute, "00"),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let (second, parts) = second.split_once('.').unwrap_or((second, "0"));
    let (hour, minute, second) = (digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?);
    // The store knows thousandths; finer parts are cut off.
    let thousandths = digits(&format!("{:0<3}", parts.get(..parts.len().min(3))?), 3)?;
    digits(parts, parts.len())?;
    ((1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60)
        .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z"))
}

/// A number of exactly this many digits; only the first nine count.
fn digits(text: &str, count: usize) -> Option<u32> {
    let all = !text.is_empty() && text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if all { text.get(..count.min(9))?.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for (text, moment) in [
            ("2026-01-31", "2026-01-31T00:00:00.000Z"),
            ("2024-02-29 23:59", "2024-02-29T23:59:00.000Z"),
            ("2026-01-31T12:34:56Z", "2026-01-31T12:34:56.000Z"),
            (" 2026-01-31T12:34:56.7 ", "2026-01-31T12:34:56.700Z"),
            ("2026-01-31T12:34:56.123456789123Z", "2026-01-31T12:34:56.123Z"),
        ] {
            assert_eq!(text.parse::<Moment>().map(|moment| moment.to_string()), Ok(moment.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "now",
            "yesterday",
            "12",
            "2026-13-01",
            "2026-02-29",
            "2026-1-1",
            "2026-01-31T",
            "2026-01-31T24:00",
            "2026-01-31T12",
            "2026-01-31T12:34:5é",
            "2026-01-31T12:34:56.",
            "2026-01-31T12:34:56.1ü",
            "+026-01-31",
        ] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }
}
