//! Times on an axis.

/// A power of ten microseconds.
pub fn time_tick(micros: f64) -> String {
    let (value, unit) = match micros {
        m if m < 0.99 => (m * 1e3, "ns"),
        m if m < 990.0 => (m, "µs"),
        m if m < 990e3 => (m / 1e3, "ms"),
        m => (m / 1e6, "s"),
    };
    format!("{} {unit}", value.round())
}
