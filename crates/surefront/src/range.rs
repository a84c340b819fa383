//! The interval that the values of an objective never leave.

/// All that is known of noise that is called bounded.
///
/// ```
/// use surefront::Range;
///
/// let range = Range { low: 0.0, high: 4.0 };
/// assert!(range.is_valid() && range.holds(4.0) && !range.holds(4.5));
/// assert_eq!(range.most_variance(1.0), 3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

/// The largest magnitude of an end, so that squares of values can be computed with.
const LARGEST: f64 = 1e75;

impl Range {
    /// Whether it has a low end and a high end that can be computed with.
    pub fn is_valid(self) -> bool {
        // Written so that NaN fails.
        self.low < self.high && self.low >= -LARGEST && self.high <= LARGEST && self.width() >= 1.0 / LARGEST
    }

    /// Whether a value is within.
    pub fn holds(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// How far the ends are apart.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn middle(self) -> f64 {
        0.5 * self.low + 0.5 * self.high
    }

    /// A value on a scale from 0 to 1; what is beyond counts as the end.
    pub(crate) fn part(self, value: f64) -> f64 {
        ((value - self.low) / self.width()).clamp(0.0, 1.0)
    }

    /// The largest variance that values of this mean can have (Bhatia and Davis 2000).
    pub fn most_variance(self, mean: f64) -> f64 {
        (mean - self.low) * (self.high - mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_two_numbers_in_order() {
        for (low, high) in
            [(1.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN), (0.0, f64::INFINITY), (-1e80, 0.0)]
        {
            assert!(!Range { low, high }.is_valid(), "{low} {high}");
        }
        let range = Range { low: -2.0, high: 6.0 };
        assert!(range.is_valid());
        assert_eq!((range.part(0.0), range.part(9.0), range.middle()), (0.25, 1.0, 2.0));
    }
}
