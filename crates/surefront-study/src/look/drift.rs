//! A mean that moves: the first half of the observations against the second.
//!
//! The difference of two means of independent Gaussian values of one variance, in its standard error, is Student's.

use super::moments::Moments;
use super::pace::Step;
use super::seen::Seen;
use super::tails;

/// Sums of the observations in blocks of equal size, in their order.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    sums: Vec<f64>,
}

impl Blocks {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, x: f64, step: &Step) {
        match self.sums.last_mut() {
            Some(sum) if !step.begins_block => *sum += x,
            _ => self.sums.push(x),
        }
        if step.merges {
            self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
    }

    /// The halves, at a moment when all blocks are full and their number is even.
    pub fn drift(&self, n: f64, moments: Moments, origin: f64) -> Option<(f64, Seen)> {
        let (first, second) = self.sums.split_at(self.sums.len() / 2);
        let mean = |sums: &[f64]| sums.iter().sum::<f64>() / (0.5 * n);
        let (first, second) = (mean(first), mean(second));
        let between = 0.25 * n * (second - first) * (second - first);
        let within = moments.spread - between;
        // Where nothing varies within the halves, values are too coarse for any test.
        if !(within > 1e-12 * moments.spread) {
            return None;
        }
        let seen = Seen::Drift {
            first: origin + first,
            second: origin + second,
            deviation: (within / (n - 2.0)).sqrt(),
            observations: n as u64,
        };
        Some((tails::student(n - 2.0, (n - 2.0) * between / within), seen))
    }
}
