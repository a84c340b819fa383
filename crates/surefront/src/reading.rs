//! A value, or that it is more than something: as of a measurement that ran into a time limit.
//!
//! Values are plain numbers everywhere, of at most 1e75 in size. Numbers beyond that are free, and one of them stands for "more than
//! 200": so whatever keeps values can keep these too, and nothing that computes with values takes one for a value. Whoever reads numbers that people write refuses
//! those beyond.

use crate::problem::LARGEST;

/// What was read of an objective.
///
/// ```
/// use surefront::Reading;
///
/// let late = Reading::MoreThan(200.0).as_value();
/// assert_eq!(Reading::of(late), Reading::MoreThan(200.0));
/// assert_eq!(Reading::of(17.5), Reading::Value(17.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// This.
    Value(f64),
    /// More than this; at its largest, more than anything.
    MoreThan(f64),
}

/// 2^500: limits times this are beyond all values, and keep their digits.
const BEYOND: f64 = 3.273_390_607_896_142e150;
/// Limits of a smaller size count as zero, which is less or next to it; of a larger one, as this.
const SMALLEST: f64 = 1e-30;
const MOST: f64 = 1e30;
/// Stands for a limit of zero.
const ZERO: f64 = 1e230;

impl Reading {
    /// More than anything: what never ended.
    pub const ENDLESS: Reading = Reading::MoreThan(LARGEST);

    /// What a number stands for. Infinity is more than anything.
    pub fn of(value: f64) -> Self {
        // All that stand for something else are beyond this.
        if value.abs() < SMALLEST * BEYOND {
            Reading::Value(value)
        } else if value == f64::INFINITY || value == LARGEST * BEYOND {
            Reading::ENDLESS
        } else if value == ZERO {
            Reading::MoreThan(0.0)
        } else if value.abs() <= MOST * BEYOND {
            Reading::MoreThan(value / BEYOND)
        } else {
            Reading::Value(value)
        }
    }

    /// Whether a number stands for itself. Of those that people or programs give, one that does not is to be refused: it is beyond all values, and nobody meant a limit by it.
    pub fn is_plain(number: f64) -> bool {
        Reading::of(number) == Reading::Value(number)
    }

    /// The number that stands for it.
    pub fn as_value(self) -> f64 {
        match self {
            Reading::Value(value) => value,
            Reading::MoreThan(limit) if limit.abs() < SMALLEST => ZERO,
            reading if reading == Reading::ENDLESS => LARGEST * BEYOND,
            Reading::MoreThan(limit) => limit.min(MOST) * BEYOND,
        }
    }

    /// Reads what people write: "inf" or ">200"; `None` for anything else, plain numbers included.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(limit) = text.strip_prefix('>') {
            let limit: f64 = limit.trim_start().parse().ok()?;
            return Some(Reading::MoreThan(limit)).filter(|reading| reading.is_sound());
        }
        // NaN is no number, and less than everything is nothing.
        text.parse().is_ok_and(|value: f64| value == f64::INFINITY).then_some(Reading::ENDLESS)
    }

    /// The value, or what it is more than.
    pub fn number(self) -> f64 {
        match self {
            Reading::Value(number) | Reading::MoreThan(number) => number,
        }
    }

    /// Where it stands among other numbers: what is more than one, right behind it.
    pub(crate) fn place(self) -> f64 {
        match self {
            Reading::Value(value) => value,
            Reading::MoreThan(limit) => limit.next_up(),
        }
    }

    /// Whether it can be one: a number that is not too large, or more than one.
    pub fn is_sound(self) -> bool {
        match self {
            Reading::Value(value) => value.abs() <= LARGEST,
            Reading::MoreThan(limit) => (-MOST..=LARGEST).contains(&limit),
        }
    }
}

impl std::fmt::Display for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reading::Value(value) => write!(f, "{value}"),
            reading if *reading == Reading::ENDLESS => f.write_str("inf"),
            Reading::MoreThan(limit) => write!(f, ">{limit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_beyond_all_values_stand_for_limits() {
        assert_eq!(BEYOND, 2f64.powi(500));
        for limit in [200.0, 0.0, -3.5, 1e-30, 1e75, 1e30, -1e30, 0.1] {
            let value = Reading::MoreThan(limit).as_value();
            assert!(value.is_finite() && value.abs() > LARGEST, "{limit}");
            assert_eq!(Reading::of(value), Reading::MoreThan(limit));
            assert_eq!(Reading::parse(&Reading::of(value).to_string()), Some(Reading::MoreThan(limit)));
        }
        assert_eq!(Reading::of(f64::INFINITY), Reading::ENDLESS);
        assert_eq!(Reading::ENDLESS.to_string(), "inf");
    }

    #[test]
    fn what_people_write_is_read() {
        for (text, reading) in [
            ("inf", Some(Reading::ENDLESS)),
            ("Infinity", Some(Reading::ENDLESS)),
            ("> 200", Some(Reading::MoreThan(200.0))),
            (">-0.5", Some(Reading::MoreThan(-0.5))),
            ("200", None),
            ("-inf", None),
            (">", None),
            (">inf", None),
            (">nan", None),
            (">-1e31", None),
            ("nan", None),
            (">>2", None),
        ] {
            assert_eq!(Reading::parse(text), reading, "{text}");
        }
    }

    proptest! {
        #[test]
        fn values_stand_for_themselves(value in prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL) {
            if value.abs() <= LARGEST {
                prop_assert_eq!(Reading::of(value), Reading::Value(value));
                prop_assert_eq!(Reading::Value(value).as_value(), value);
            }
            // What is read back is sound or no number of either kind.
            prop_assert!(!Reading::of(value).is_sound() || Reading::of(value).as_value() == value);
        }
    }
}
