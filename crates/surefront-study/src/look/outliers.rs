//! Observations that are too far from the others.
//!
//! Two tests. An observation is held against those before it, as soon as it is there: its distance from their mean, in their standard deviations times
//! √(1 + 1/(n − 1)), is Student's with n − 2 degrees of freedom. And at each look, so that an outlier among the first is found as well, the one
//! that is farthest out is held against all others (Grubbs): each of n has Student's law with n − 2 degrees of freedom, the farthest at most n times its tail.

use super::moments::Moments;
use super::seen::Seen;
use super::tails;

/// Nearer than this many standard deviations, squared, nothing is an outlier.
const NEAR: f64 = 20.0;

/// The least and the greatest value, and which observations they are.
#[derive(Clone, Debug, Default)]
pub struct Extremes {
    low: (f64, f64),
    high: (f64, f64),
}

/// Whether it is worth a closer look: `distance` is the squared distance in variances, times the spread.
#[inline]
pub fn is_suspect(distance: f64, spread: f64) -> bool {
    distance > NEAR * spread
}

/// The n-th observation against those before, with the logarithm of its probability. The n-th has the share 1 / ((n − 1)(n − 2)) of all.
#[cold]
pub fn unforeseen(n: f64, value: f64, off: f64, distance: f64, spread: f64) -> (f64, Seen) {
    let probability = tails::student(n - 2.0, distance / spread) + ((n - 1.0) * (n - 2.0)).ln();
    let deviations = off.abs() / (spread / (n - 2.0)).sqrt();
    (probability, Seen::Outlier { value, observation: n as u64, deviations, observations: n as u64 })
}

impl Extremes {
    /// Takes in the n-th value.
    #[inline]
    pub fn add(&mut self, x: f64, n: f64) {
        if x < self.low.0 {
            self.low = (x, n);
        }
        if x > self.high.0 {
            self.high = (x, n);
        }
    }

    /// The farthest of n against the others.
    pub fn farthest(&self, n: f64, moments: Moments, origin: f64) -> Option<(f64, Seen)> {
        let (below, above) = (moments.mean - self.low.0, self.high.0 - moments.mean);
        let ((x, place), off) = if above >= below { (self.high, above) } else { (self.low, below) };
        let own = n / (n - 1.0) * off * off;
        let others = moments.spread - own;
        let distance = (n - 2.0) * own;
        // Where all others are the same, there is nothing to measure a distance in.
        if !(is_suspect(distance, others) && others > 1e-12 * moments.spread) {
            return None;
        }
        let probability = tails::student(n - 2.0, distance / others) + n.ln();
        let deviations = off * n / (n - 1.0) / (others / (n - 2.0)).sqrt();
        // The first value is the origin itself: neither above nor below it.
        let observation = place.max(1.0) as u64;
        Some((probability, Seen::Outlier { value: origin + x, observation, deviations, observations: n as u64 }))
    }
}
