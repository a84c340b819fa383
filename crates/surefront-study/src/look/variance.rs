//! Variances unlike those given: the spread of n Gaussian values, in their variance, is χ² with n − 1 degrees of freedom.

use super::moments::Moments;
use super::seen::Seen;
use super::tails;

/// A variance that is larger than was said by less than a tenth does little harm.
const TOO_SMALL: f64 = 1.1;
/// A variance that is smaller than was said costs measurements, in proportion; half of them are worth a word.
const TOO_LARGE: f64 = 0.5;

/// Whether the variance given is too small.
pub fn too_small(n: f64, moments: Moments, given: f64) -> Option<(f64, Seen)> {
    let seen = moments.spread / (n - 1.0);
    let ratio = seen / (TOO_SMALL * given);
    (ratio > 1.0)
        .then(|| (tails::chi_square(n - 1.0, ratio), Seen::VarianceTooSmall { given, seen, observations: n as u64 }))
}

/// Whether it is much too large.
pub fn too_large(n: f64, moments: Moments, given: f64) -> Option<(f64, Seen)> {
    let seen = moments.spread / (n - 1.0);
    let ratio = seen / (TOO_LARGE * given);
    (ratio < 1.0)
        .then(|| (tails::chi_square(n - 1.0, ratio), Seen::VarianceTooLarge { given, seen, observations: n as u64 }))
}
