//! Values that are far out mostly on one side.
//!
//! Of independent Gaussian values, the distances from the mean of those before, in their standard deviations, have independent fair signs, whatever their sizes. So
//! a sum of signs is a fair game: far ones count 2, near ones −1, so that a mean that moves changes it little (far begins at √(2 ln 3) standard deviations).
//!
//! What is skewed is mostly so in all arms, and each may have few observations. The least probability that an arm ever comes to is no smaller than it may be,
//! whenever it is measured, and the arms do not know of each other: so the logarithms may be added up (Fisher).

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
    /// The logarithm of the least probability at any look.
    least: f64,
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

    /// Whether far ones are too often on one side, after n values: the one test that may be made as often as one likes.
    pub fn skew(&mut self, n: f64) -> Option<(f64, Seen)> {
        let (sum, squares) = self.walk();
        let probability = tails::fair_signs(sum, squares, GUESS);
        self.least = self.least.min(probability);
        self.seen(n as u64).map(|seen| (probability, seen))
    }

    /// Whether this is so in several arms together.
    pub fn together<'a>(arms: impl Iterator<Item = (&'a Signs, u64)>) -> Option<(f64, Seen)> {
        let (mut count, mut evidence, mut observations, mut all) = (0.0, 0.0, 0, Signs::default());
        for (signs, n) in arms {
            count += 1.0;
            evidence -= signs.least;
            observations += n;
            all.far_above += signs.far_above;
            all.far_below += signs.far_below;
            all.near_above += signs.near_above;
            all.near_below += signs.near_below;
        }
        // Twice the evidence is at most χ² with two degrees of freedom for each arm.
        let ratio = evidence / count;
        all.seen(observations).filter(|_| ratio > 1.0).map(|seen| (tails::chi_square(2.0 * count, ratio), seen))
    }

    /// The sum of the signs, and of their squares.
    fn walk(&self) -> (f64, f64) {
        let Signs { far_above, far_below, near_above, near_below, .. } = *self;
        let [far, near] = WEIGHTS;
        let sum = far * (far_above as f64 - far_below as f64) - near * (near_above as f64 - near_below as f64);
        let squares = far * far * (far_above + far_below) as f64 + near * near * (near_above + near_below) as f64;
        (sum, squares)
    }

    /// What there is to see in n values, if it is enough to matter.
    fn seen(&self, n: u64) -> Option<Seen> {
        let (sum, squares) = self.walk();
        let side = if sum > 0.0 { Side::Above } else { Side::Below };
        let Signs { far_above, far_below, .. } = *self;
        (sum.abs() >= LEAST * (n as f64 * squares).sqrt()).then_some(Seen::Skew {
            side,
            far_above,
            far_below,
            observations: n,
        })
    }
}
