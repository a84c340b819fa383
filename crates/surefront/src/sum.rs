//! Sums whose terms leave no trace of their order, and products with what rounding took from them.

use serde::{Deserialize, Serialize};

/// A sum of numbers, kept as an unevaluated sum of two: the order of the terms leaves no trace in the leading part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sum {
    pub high: f64,
    pub low: f64,
}

impl Sum {
    /// Takes in one more.
    #[inline]
    pub fn add(&mut self, x: f64) {
        let (sum, error) = two_sum(self.high, x);
        let (high, low) = two_sum(sum, error + self.low);
        *self = Sum { high, low };
    }

    /// The mean of n observations; without noise it is each of them, to the last digit.
    pub fn mean(self, precision: f64, n: f64) -> f64 {
        let mean = self.high / n;
        if precision < f64::INFINITY {
            return mean;
        }
        let (product, error) = two_product(mean, n);
        mean + (((self.high - product) - error) + self.low) / n
    }
}

/// a + b, and what rounding took from it.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// a · b, and what rounding took from it (Dekker's, for want of a fused multiply-add everywhere).
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let c = 134_217_729.0 * x;
        let high = c - (c - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}
