//! What of a proof depends on one arm's count alone.

use super::mixture::price;
use super::student::lean::Lean;
use super::student::{Curve, Rise};

/// What of a mixture depends on an arm's count alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// c.
    pub scale: f64,
    /// n/(n+c).
    pub kept: f64,
    /// What it costs not to know the shift, nor the variance where that is unknown.
    pub price: f64,
    /// Where the variance is unknown.
    pub unknown: Option<Unknown>,
}

/// How a proof grows with a shift under an unknown variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    pub rise: Rise,
    /// How many observations tell of the variance.
    pub freedom: f64,
    /// What of a shift is taken for noise.
    pub leak: f64,
    /// What it gains to know its side.
    pub lean: Lean<1>,
    /// What u²/2 is multiplied by at most; knowing the side adds no more than ln 2.
    pub steepest: f64,
}

impl Unknown {
    /// Where so many observations tell of the variance.
    pub fn new(rise: Rise, freedom: f64, leak: f64) -> Self {
        Unknown { rise, freedom, leak, lean: rise.lean(), steepest: steepest(&rise, freedom) }
    }

    /// The same of one arm, whose own observations tell.
    pub fn of(curve: &Curve, count: f64, leak: f64) -> Self {
        let Curve { rise, lean, .. } = *curve;
        Unknown { rise, freedom: count, leak, lean, steepest: steepest(&rise, count) }
    }

    /// The same, where the mixture leans to neither side and takes nothing of a shift for noise.
    pub fn leaning_nowhere(rise: Rise, freedom: f64) -> Self {
        Unknown { rise, freedom, leak: 0.0, lean: Lean::NONE, steepest: 1.0 }
    }

    /// What a shift of u adds to the price: of u²/2, and of knowing its side.
    #[inline]
    pub fn grown(&self, u: f64) -> f64 {
        let excess = self.excess(u * u);
        self.rise.value(excess) - self.rise.price + self.lean.lift(excess, [excess])
    }

    /// No more than that, quickly, for a shift of this square.
    #[inline]
    pub fn at_least(&self, square: f64) -> f64 {
        self.rise.at_least(self.excess(square)) - self.rise.price
    }

    #[inline]
    fn excess(&self, square: f64) -> f64 {
        square / (self.freedom * (1.0 + self.leak * square))
    }
}

fn steepest(rise: &Rise, freedom: f64) -> f64 {
    (2.0 * rise.steepest() / freedom).max(1.0)
}

impl Term {
    pub fn new(count: f64, scale: f64) -> Self {
        Term { scale, kept: count / (count + scale), price: price(count, scale), unknown: None }
    }
}
