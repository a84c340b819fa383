//! How likely a false alarm may be.

/// The chance that anything is said of a whole study whose observations are Gaussian, independent and as noisy as was said: all arms, objectives,
/// kinds and moments together. What is said of values that repeat has no part in it, since such observations do not.
pub const FALSE_ALARM: f64 = 0.01;

/// The tests of one arm and objective: `outliers` has two, `variance` one for either side, `skew`, `drift`, `dependence`, `repeats` and `copies` one each.
const TESTS: f64 = 9.0;

/// What the logarithm of a probability must stay below in one test: all arms together count as one more.
pub fn alarm(arms: usize, objectives: usize) -> f64 {
    (FALSE_ALARM / (TESTS * (arms + 1) as f64 * objectives as f64)).ln()
}

/// What one of many looks costs, as a logarithm: of all shares 1 / (l (l + 1)), the sum is one.
pub fn share(look: f64) -> f64 {
    (look * (look + 1.0)).ln()
}
