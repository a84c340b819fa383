//! Values that come twice in a row although they are fine: results that were kept and handed out again.

use super::seen::Seen;
use super::tails;

/// Two values that are rounded to half a standard deviation are the same with a chance of 1 / (4 √π) = 0.141. Coarser ones are no matter of this test.
const CHANCE: f64 = 0.15;

/// The first with the second, the third with the fourth, and so on.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    first: Option<f64>,
    repeated: u64,
    pairs: u64,
}

impl Repeats {
    /// Takes in a value.
    #[inline]
    pub fn add(&mut self, x: f64) {
        match self.first.take() {
            None => self.first = Some(x),
            Some(first) => {
                self.pairs += 1;
                self.repeated += u64::from(first == x);
            }
        }
    }

    /// Whether the second is the first again more often than it should be, be it by chance.
    pub fn are_frequent(&self) -> bool {
        self.repeated as f64 > CHANCE * self.pairs as f64
    }

    /// Whether the second is the first again too often.
    pub fn repeats(&self) -> Option<(f64, Seen)> {
        let Repeats { repeated, pairs, .. } = *self;
        (repeated > 0)
            .then(|| (tails::binomial(pairs as f64, repeated as f64, CHANCE), Seen::Repeats { repeated, pairs }))
    }
}
