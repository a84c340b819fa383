//! Numbers as people read them.

/// Six significant digits, without zeros at the end; very large and very small ones with an exponent.
pub fn short(value: f64) -> String {
    significant(value, 6)
}

/// `digits` significant digits, without zeros at the end; very large and very small ones with an exponent.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        // Negative zero is zero.
        return (value + 0.0).to_string();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is an integer");
    if (-4..digits.max(7) as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        without_zeros(&format!("{value:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", without_zeros(mantissa))
    }
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A time with its unit, three significant digits.
pub fn duration(micros: f64) -> String {
    let (value, unit) = match micros {
        m if m < 999.5 => (m, "µs"),
        m if m < 999.5e3 => (m / 1e3, "ms"),
        m => (m / 1e6, "s"),
    };
    format!("{} {unit}", three(value))
}

/// A time that is only guessed: two significant digits, in the unit that people would say.
pub fn rough_duration(micros: f64) -> String {
    let seconds = micros / 1e6;
    let (value, unit) = match seconds {
        s if s < 120.0 => (s, "s"),
        s if s < 7200.0 => (s / 60.0, "min"),
        s => (s / 3600.0, "h"),
    };
    format!("≈ {} {unit}", if value < 10.0 { significant(value, 2) } else { grouped(value.round() as u64) })
}

/// A ratio, three significant digits.
pub fn ratio(value: f64) -> String {
    format!("{} ×", if value >= 1000.0 { grouped(value.round() as u64) } else { three(value) })
}

/// Three significant digits, zeros kept: what was measured is no more exact than that.
fn three(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// A number of samples that need not be whole: thousands apart, one decimal if it is small, a dash if there is none.
pub fn samples(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if value < 99.95 => format!("{value:.1}"),
        value => grouped(value.round() as u64),
    }
}

/// A mean with its standard error: two digits of the error, and as many decimals of the mean. Without an error, the mean alone.
pub fn with_error(mean: f64, error: Option<f64>) -> String {
    const MOST_DECIMALS: i32 = 9;
    match error {
        Some(error) if error > 0.0 && error.is_finite() => {
            let decimals = 1 - error.log10().floor() as i32;
            if decimals > MOST_DECIMALS || mean.abs().max(error) >= 1e9 {
                return format!("{} ± {}", short(mean), significant(error, 2));
            }
            let decimals = decimals.max(0) as usize;
            // Adding zero turns negative zero into zero.
            format!("{} ± {}", apart(&format!("{:.decimals$}", mean + 0.0)), apart(&format!("{error:.decimals$}")))
        }
        _ => apart(&short(mean)),
    }
}

/// A number with its thousands apart, where there are so many digits that it helps.
fn apart(number: &str) -> String {
    let (sign, size) = number.strip_prefix('-').map_or(("", number), |size| ("-", size));
    let (whole, rest) = size.split_at(size.find(['.', 'e']).unwrap_or(size.len()));
    match whole.parse::<u64>() {
        Ok(value) if whole.len() > 4 && !rest.starts_with('e') => format!("{sign}{}{rest}", grouped(value)),
        _ => number.to_owned(),
    }
}

/// A whole number with its thousands apart.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (10.43, "10.43"),
            (1234567.0, "1234567"),
            (-0.000123456789, "-0.000123457"),
            (1e-5, "1e-5"),
            (123456789.0, "1.23457e8"),
            (2.0 / 3.0, "0.666667"),
            (0.9999999, "1"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), text, "{value:e}");
        }
    }

    #[test]
    fn durations_and_ratios() {
        assert_eq!(duration(0.0421), "0.042 µs");
        assert_eq!(duration(12.345), "12.3 µs");
        assert_eq!(duration(999.6), "1.00 ms");
        assert_eq!(duration(8.5e6), "8.50 s");
        assert_eq!(rough_duration(75_300.0), "≈ 0.075 s");
        assert_eq!(rough_duration(1.7e9), "≈ 28 min");
        assert_eq!(rough_duration(1.74e11), "≈ 48 h");
        assert_eq!(ratio(87.31), "87.3 ×");
        assert_eq!(ratio(1234567.0), "1,234,567 ×");
    }

    #[test]
    fn means_have_the_digits_of_their_errors() {
        for (mean, error, text) in [
            (0.91234, Some(0.0132), "0.912 ± 0.013"),
            (1234.5, Some(123.0), "1234 ± 123"),
            (-0.0, Some(0.5), "0.00 ± 0.50"),
            (30.0, Some(0.0), "30"),
            (30.25, None, "30.25"),
            (1.5e12, Some(2.5e10), "1.5e12 ± 2.5e10"),
            (1.0, Some(1.25e-12), "1 ± 1.2e-12"),
        ] {
            assert_eq!(with_error(mean, error), text);
        }
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!(grouped(1), "1");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_329_890_705), "1,329,890,705");
    }
}
