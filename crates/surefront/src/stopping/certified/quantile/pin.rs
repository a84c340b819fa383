//! A quantile against a number, for which an arm without noise stands: at that one x there is one test, and nothing is minimised.
//!
//! Were the quantile of an arm not above τ, then P(y ≤ τ) ≥ q, and more than a part 1 − q of its values above τ speaks against it; were it not below τ, then P(y < τ) ≤ q. Who is to *keep* a limit may be at it:
//! were the quantile below τ, then P(y < τ) ≥ q, and values at τ or above count; were it above, then P(y ≤ τ) < q (docs/certified.md, "Limits").

use super::entropy::Entropy;
use super::excess::Excess;
use crate::ranks::Ranks;

/// The values of an arm, and a number that its quantile is to be above, or below.
pub(super) struct Pin<'a> {
    pub ranks: &'a Ranks,
    pub at: f64,
    /// Whether the quantile is said to be above the number.
    pub is_above: bool,
    /// Whether it may be at it.
    pub may_be_at: bool,
    /// The mixtures for as many on that side.
    pub excess: &'a Excess,
}

impl Pin<'_> {
    /// How many values are certainly on the side that it is said to be on.
    fn count(&self) -> usize {
        let (values, limits) = (self.ranks.values(), self.ranks.limits());
        match (self.is_above, self.may_be_at) {
            (false, false) => values.below(self.at),
            (false, true) => values.up_to(self.at),
            // What is more than something at the number, or above it, is above it.
            (true, false) => values.len() - values.up_to(self.at) + limits.len() - limits.below(self.at),
            (true, true) => values.len() - values.below(self.at) + limits.len() - limits.below(self.at),
        }
    }

    /// The logarithm of the supermartingale.
    pub fn proof(&self) -> f64 {
        self.ln(self.count())
    }

    /// What there is at most, with all values on that side.
    pub fn most(&self) -> f64 {
        self.ln(if self.is_above { self.ranks.len() } else { self.ranks.values().len() })
    }

    fn ln(&self, count: usize) -> f64 {
        self.excess.shown(self.ranks.len(), count).ln()
    }

    /// n kl(k/n, q), at a weight instead of n; and what the arm says alone.
    pub fn cost(&self, weight: f64, entropy: &Entropy, q: f64, [one, two]: [f64; 2]) -> (f64, f64) {
        let (n, k) = (self.ranks.len(), self.count());
        let excess =
            if self.is_above { entropy.excess(n, k, 1.0 - q, [two, one]) } else { entropy.excess(n, k, q, [one, two]) };
        let n = n.max(1) as f64;
        (weight / n * excess, self.excess.alone(weight, k as f64 / n))
    }
}
