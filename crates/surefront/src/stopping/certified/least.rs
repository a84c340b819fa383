//! The least of the sum of two arms' logarithms over the mean that both have in common under the null: from below, whatever their shape.
//!
//! Each grows with the distance from its arm's own mean, so the least is between the two means. There each is convex near its arm and may be
//! concave further out, so that there may be two local minima. On an interval where neither changes its kind, a convex one is above its tangents
//! and a concave one above its chord: that bounds the sum from below, and the interval is split until the bound meets the best value found.

use super::student::Curve;

/// How far the result may be below the least.
const TOLERANCE: f64 = 1e-9;

/// More splits than ever seen; what is left then is bounded all the same.
const DEPTH: u32 = 60;

/// The logarithm of one arm's martingale as a function of how far off its mean is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// Without noise: it cannot be off.
    Pinned,
    /// The variance is known.
    Square {
        /// Of distance²/2.
        weight: f64,
        /// At distance zero.
        price: f64,
    },
    /// It is not.
    Student {
        curve: Curve,
        /// Of distance², to make z of it.
        unit: f64,
    },
}

/// Value and slope at a point.
#[derive(Clone, Copy, Debug)]
struct Point {
    value: f64,
    slope: f64,
}

impl Term {
    #[inline]
    pub fn value(&self, distance: f64) -> f64 {
        match self {
            Term::Pinned => 0.0,
            Term::Square { weight, price } => price + 0.5 * weight * distance * distance,
            Term::Student { curve, unit } => curve.value(unit * distance * distance),
        }
    }

    /// The value at distance zero.
    #[inline]
    fn price(&self) -> f64 {
        match self {
            Term::Pinned => 0.0,
            Term::Square { price, .. } => *price,
            Term::Student { curve, .. } => curve.rise.price,
        }
    }

    #[inline]
    fn point(&self, distance: f64) -> Point {
        let slope = match self {
            Term::Pinned => 0.0,
            Term::Square { weight, .. } => weight * distance,
            Term::Student { curve, unit } => curve.slope(unit * distance * distance) * 2.0 * unit * distance,
        };
        Point { value: self.value(distance), slope }
    }

    /// The second derivative, where it is convex.
    #[inline]
    fn curvature(&self, distance: f64) -> f64 {
        match self {
            Term::Pinned => 0.0,
            Term::Square { weight, .. } => *weight,
            Term::Student { curve, unit } => {
                let z = unit * distance * distance;
                curve.slope(z) * 2.0 * unit * curve.turn(z)
            }
        }
    }

    /// Up to which distance it is convex.
    fn bend(&self) -> f64 {
        match self {
            Term::Pinned | Term::Square { .. } => f64::INFINITY,
            Term::Student { curve, unit } => (curve.bend() / unit).sqrt(),
        }
    }

    /// How fast it grows near its mean, in comparison.
    #[inline]
    fn stiffness(&self) -> f64 {
        match self {
            Term::Pinned => f64::INFINITY,
            Term::Square { weight, .. } => *weight,
            Term::Student { curve, unit } => 2.0 * unit * curve.slope(0.0),
        }
    }
}

/// Two arms whose means are a gap apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tug {
    pub one: Term,
    pub two: Term,
    pub gap: f64,
}

/// Where a sum was looked at, and what it was there: no less than the least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glance {
    pub value: f64,
    /// How far the first arm's mean is off there.
    pub distance: f64,
}

impl Tug {
    #[inline]
    fn at(&self, x: f64) -> f64 {
        self.one.value(x) + self.two.value(self.gap - x)
    }

    /// The least of what it is at either mean and where two parabolas would have their least.
    #[inline]
    pub fn glance(&self) -> Glance {
        let look = |x: f64| Glance { value: self.at(x), distance: x };
        match (self.one, self.two) {
            (Term::Pinned, _) => look(0.0),
            (_, Term::Pinned) => look(self.gap),
            _ => {
                let (one, two) = (self.one.stiffness(), self.two.stiffness());
                let balance = if one + two > 0.0 { two / (one + two) } else { 0.5 };
                let less = |best: Glance, next: Glance| if next.value < best.value { next } else { best };
                let at_one = Glance { value: self.one.price() + self.two.value(self.gap), distance: 0.0 };
                let at_two = Glance { value: self.one.value(self.gap) + self.two.price(), distance: self.gap };
                less(less(look(self.gap * balance), at_one), at_two)
            }
        }
    }

    /// Of an observation of either arm, the part that goes to the first: its part of what the sum has above the prices.
    pub fn share(&self) -> f64 {
        let distance = self.glance().distance;
        let risen = |term: Term, distance: f64| match term {
            Term::Pinned => 0.0,
            _ => (term.value(distance) - term.price()).max(0.0),
        };
        let (one, two) = (risen(self.one, distance), risen(self.two, self.gap - distance));
        if one + two > 0.0 { one / (one + two) } else { 0.5 }
    }

    /// Of two parts of the way, each is bounded by its ends: no more than the least.
    pub fn floor(&self) -> f64 {
        match (self.one, self.two) {
            (Term::Pinned, _) | (_, Term::Pinned) => self.glance().value,
            _ => {
                let (one, two) = (self.one.stiffness(), self.two.stiffness());
                let balance = self.gap * if one + two > 0.0 { two / (one + two) } else { 0.5 };
                let parts = [0.0, 0.5 * balance, balance, 0.5 * (balance + self.gap), self.gap];
                let bound = |ends: &[f64]| self.one.value(ends[0]) + self.two.value(self.gap - ends[1]);
                parts.windows(2).map(bound).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// The least over the common mean: no more than it, and less by 1e-9 at most.
    pub fn least(&self) -> f64 {
        let mut best = self.glance().value;
        if matches!(self.one, Term::Pinned) || matches!(self.two, Term::Pinned) {
            return best;
        }
        let bends = (self.one.bend(), self.two.bend());
        let (from, to) = ((self.gap - bends.1).clamp(0.0, self.gap), bends.0.clamp(0.0, self.gap));
        let mut cuts = [0.0, from, to, to, self.gap];
        if from < to {
            // Both are convex between the bends: this is where the least is most often.
            cuts[2] = self.balance(from, to);
        } else {
            cuts = [0.0, to, to, from, self.gap];
        }
        for &cut in &cuts[1..4] {
            best = best.min(self.at(cut));
        }
        let mut floor = f64::INFINITY;
        for ends in cuts.windows(2).filter(|ends| ends[0] < ends[1]) {
            floor = floor.min(self.search(bends, (ends[0], ends[1]), &mut best, DEPTH));
        }
        floor.min(best)
    }

    /// Where the slope of a sum of convex functions vanishes, nearly.
    fn balance(&self, from: f64, to: f64) -> f64 {
        let (mut low, mut high) = (from, to);
        let mut x = self.glance().distance.clamp(from, to);
        for _ in 0..50 {
            let slope = self.one.point(x).slope - self.two.point(self.gap - x).slope;
            if slope > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let step = slope / (self.one.curvature(x) + self.two.curvature(self.gap - x));
            let next = if x - step > low && x - step < high { x - step } else { 0.5 * (low + high) };
            if (slope * (next - x)).abs() <= 0.1 * TOLERANCE {
                break;
            }
            x = next;
        }
        x
    }

    /// A lower bound on an interval within which neither term changes its kind; no more than the tolerance below `best`, or than the least.
    fn search(&self, bends: (f64, f64), (low, high): (f64, f64), best: &mut f64, depth: u32) -> f64 {
        let ends = [
            (low, self.one.point(low), self.two.point(self.gap - low)),
            (high, self.one.point(high), self.two.point(self.gap - high)),
        ];
        let width = high - low;
        let middle = 0.5 * (low + high);
        // A chord for what is concave, tangents at both ends for what is convex: two lines above each other in turn.
        let (mut rise, mut left, mut right) = (0.0, (0.0, 0.0), (0.0, 0.0));
        let one_convex = middle <= bends.0;
        let two_convex = self.gap - middle <= bends.1;
        for (convex, at_low, at_high, sign) in
            [(one_convex, ends[0].1, ends[1].1, 1.0), (two_convex, ends[0].2, ends[1].2, -1.0)]
        {
            if convex {
                left = (left.0 + at_low.value, left.1 + sign * at_low.slope);
                right = (right.0 + at_high.value, right.1 + sign * at_high.slope);
            } else {
                rise += (at_high.value - at_low.value) / width;
                left.0 += at_low.value;
                right.0 += at_high.value;
            }
        }
        let (left, right) = ((left.0, left.1 + rise), (right.0, right.1 + rise));
        *best = best.min(left.0).min(right.0);
        // left.0 + left.1 s from the low end; right.0 − right.1 (width − s) towards the high end.
        let apart = left.1 - right.1;
        let crossing =
            if apart < 0.0 { ((right.0 - right.1 * width - left.0) / apart).clamp(0.0, width) } else { 0.5 * width };
        let bound = if one_convex || two_convex {
            let there = (left.0 + left.1 * crossing).min(right.0 - right.1 * (width - crossing));
            there.min(left.0).min(right.0)
        } else {
            left.0.min(right.0)
        };
        if bound >= *best - TOLERANCE || depth == 0 || !(low < middle && middle < high) {
            return bound;
        }
        let one = self.search(bends, (low, middle), best, depth - 1);
        one.min(self.search(bends, (middle, high), best, depth - 1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stopping::certified::student::WIDTHS;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// Known and unknown variances, few observations and many, gaps from next to nothing to far beyond the bends: the least of a fine grid.
        #[test]
        fn the_least_is_that_of_a_grid(
            counts in (2u32..12, 2u32..12), units in (-6i32..6, -6i32..6), place in 0..WIDTHS.len(), gap in -6.0f64..5.0,
            known in any::<bool>(),
        ) {
            let width = WIDTHS[place];
            let term = |count: u32, unit: i32| {
                let n = f64::from(1 << count);
                Term::Student { curve: Curve::new(n, n, width), unit: f64::from(unit).exp2() }
            };
            let one = term(counts.0, units.0);
            let two = if known { Term::Square { weight: 3.0, price: -1.0 } } else { term(counts.1, units.1) };
            let tug = Tug { one, two, gap: gap.exp2() };
            let steps = 20_000;
            let slow = (0..=steps).map(|i| tug.at(tug.gap * f64::from(i) / f64::from(steps))).fold(f64::INFINITY, f64::min);
            let least = tug.least();
            prop_assert!(least <= slow + 1e-12 * slow.abs(), "{least} {slow}");
            // The grid is as fine as it is: what it misses is bounded by the slope there.
            prop_assert!(least >= slow - 1e-4 * slow.abs().max(1.0), "{least} {slow}");
            prop_assert!(tug.floor() <= least + 1e-9 && least <= tug.glance().value);
            prop_assert!((0.0..=1.0).contains(&tug.share()));
        }
    }
}
