//! Values that are far out mostly on one side.
//!
//! Of independent Gaussian values, the distances from the mean of those before, in their standard deviations, have independent fair signs, whatever their sizes. So
//! a sum of signs is a fair game: far ones count 2, near ones −1, so that a mean that moves changes it little (far begins at √(2 ln 3) standard deviations).

use super::seen::{Seen, Side};
use super::tails;

/// What is far, in squared standard deviations: 2 ln 3.
const FAR: f64 = 2.197_224_577_336_219_4;
/// What far and near ones count.
const WEIGHTS: [f64; 2] = [2.0, 1.0];
/// Of the sum of squares at which the test is at its best, a twentieth.
const GUESS: f64 = 16.0;
/// Less skew than this, as a part of the greatest sum there could be, does no harm: some 0.4 in the usual measure.
const LEAST: f64 = 0.1;

/// Values by where they lie.
#[derive(Clone, Debug, Default)]
pub struct Signs {
    far_above: u64,
    far_below: u64,
    near_above: u64,
    near_below: u64,
}

impl Signs {
    /// Takes in a value: on which side it is, and its squared distance in variances, times the spread.
    #[inline]
    pub fn add(&mut self, above: bool, distance: f64, spread: f64) {
        let counter = match (distance > FAR * spread, above) {
            (true, true) => &mut self.far_above,
            (true, false) => &mut self.far_below,
            (false, true) => &mut self.near_above,
            (false, false) => &mut self.near_below,
        };
        *counter += 1;
    }

    /// Whether far ones are too often on one side, after n values.
    pub fn skew(&self, n: f64) -> Option<(f64, Seen)> {
        let Signs { far_above, far_below, near_above, near_below } = *self;
        let [far, near] = WEIGHTS;
        let sum = far * (far_above as f64 - far_below as f64) - near * (near_above as f64 - near_below as f64);
        let squares = far * far * (far_above + far_below) as f64 + near * near * (near_above + near_below) as f64;
        if !(sum.abs() >= LEAST * (n * squares).sqrt()) {
            return None;
        }
        let side = if sum > 0.0 { Side::Above } else { Side::Below };
        let seen = Seen::Skew { side, far_above, far_below, observations: n as u64 };
        Some((tails::fair_signs(sum, squares, GUESS), seen))
    }
}
