//! Lengths of time as people write them.

use std::time::Duration;

/// A time: seconds, or a number with its unit.
///
/// ```
/// use surefront_study::words::time::time;
/// assert_eq!(time("90").unwrap().as_secs(), 90);
/// assert_eq!(time("10m").unwrap().as_secs(), 600);
/// assert_eq!(time("soon"), None);
/// ```
pub fn time(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let unit = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let number = number.trim().parse::<f64>().ok().filter(|number| *number > 0.0)?;
    Duration::try_from_secs_f64(unit * number).ok()
}
