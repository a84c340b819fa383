//! Whole numbers that vary as counts of events do. Nothing is wrong with them, but more could be said of them.

use super::seen::Seen;

/// Of fewer degrees of freedom nothing is said.
const FEWEST: f64 = 20.0;

/// How far the dispersion may be from that of counts, in its standard errors.
const ERRORS: f64 = 4.0;

/// Whether the values of one arm and objective are whole and not negative.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    so_far: bool,
    /// Some are neither 0 nor 1.
    many: bool,
}

/// Nothing speaks against it yet.
impl Default for Whole {
    fn default() -> Self {
        Whole { so_far: true, many: false }
    }
}

impl Whole {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        // Most values are not whole, and after the first there is nothing to do.
        if self.so_far {
            self.so_far = value >= 0.0 && value.fract() == 0.0;
            self.many |= value > 1.0;
        }
    }
}

/// What the values of one arm are: whether they are whole, how many, their mean and their variance.
pub struct Values {
    pub whole: Whole,
    pub n: u64,
    pub mean: f64,
    pub variance: f64,
}

/// That the values of all arms look like counts, if they do.
pub fn counts(arms: impl Iterator<Item = Values>) -> Option<Seen> {
    let (mut degrees, mut dispersion, mut sum, mut observations, mut many) = (0.0, 0.0, 0.0, 0, false);
    for Values { whole, n, mean, variance } in arms.filter(|values| values.n > 0) {
        if !whole.so_far {
            return None;
        }
        many |= whole.many;
        observations += n;
        sum += n as f64 * mean;
        if mean > 0.0 {
            degrees += n as f64 - 1.0;
            dispersion += (n as f64 - 1.0) * variance / mean;
        }
    }
    let dispersion = dispersion / degrees;
    let looks = many && degrees >= FEWEST && (dispersion - 1.0).abs() <= ERRORS * (2.0 / degrees).sqrt();
    looks.then(|| Seen::Counts { mean: sum / observations as f64, dispersion, observations })
}
