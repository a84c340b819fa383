//! The least of the sum of two arms' logarithms over the mean that both have in common under the null: from below, whatever their shape.
//!
//! Each arm's mixture leans to the side of the other arm. Between the two means a term is that of the even mixture, which grows with the distance from
//! the arm's own mean, is convex near it and may be concave further out, and what leaning adds. On an interval where neither even term changes its kind, a
//! convex one is above its tangents and a concave one above its chord; what leaning adds is no less than at one of the ends. Where both gaps are not too
//! wide there is a closer bound: a whole term is a concave function of r, above its chord, and r is a convex function of the distance, above its
//! tangents. Beyond an arm's own mean its term may fall a little below its price while the other's grows. Intervals are split until what bounds them from
//! below meets the best value found.

use super::student::Curve;
use super::student::lean::{BOTTOM, DEEPEST, gain, sag, sag_and_slope};

/// How far the result may be below the least of what is computed.
const SLACK: f64 = 4e-3;

/// How closely the least of two even terms is looked for, to split there.
const TOLERANCE: f64 = 1e-9;

/// What rounding may add to a bound, or take from one.
const ROUNDING: f64 = 1e-9;

/// More splits than ever seen; what is left then is bounded all the same.
const DEPTH: u32 = 40;

/// The least of a function over an interval, of which `bound` bounds the least over any part: no more than it, and no less than the bound or `best`
/// less the slack. `best` is the least of all values seen.
pub(super) fn descend(
    (low, high): (f64, f64),
    best: &mut f64,
    at: &impl Fn(f64) -> f64,
    bound: &impl Fn(f64, f64) -> f64,
) -> f64 {
    deeper((low, high), best, at, bound, DEPTH)
}

fn deeper(
    (low, high): (f64, f64),
    best: &mut f64,
    at: &impl Fn(f64) -> f64,
    bound: &impl Fn(f64, f64) -> f64,
    depth: u32,
) -> f64 {
    let floor = bound(low, high);
    let middle = 0.5 * (low + high);
    if floor >= *best - SLACK || depth == 0 || !(low < middle && middle < high) {
        return floor;
    }
    *best = best.min(at(middle));
    let one = deeper((low, middle), best, at, bound, depth - 1);
    one.min(deeper((middle, high), best, at, bound, depth - 1))
}

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
    /// It is not, and the arm was foretold: half · ln(1 + z) above the price, on either side.
    Foretold { half: f64, unit: f64, price: f64 },
}

/// A line above which a term is.
#[derive(Clone, Copy, Debug)]
struct Chord {
    /// At the measure `from`.
    base: f64,
    from: f64,
    /// By the measure.
    rise: f64,
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
            Term::Foretold { half, unit, price } => price + half * (1.0 + unit * distance * distance).ln(),
        }
    }

    /// No more than the value, without a logarithm.
    #[inline]
    fn low(&self, distance: f64) -> f64 {
        match self {
            Term::Student { curve, unit } => curve.low(unit * distance * distance),
            Term::Foretold { half, unit, price } => {
                let excess = unit * distance * distance;
                // 2e/(2+e), however large e is.
                price + half * 2.0 / (2.0 / excess + 1.0)
            }
            _ => self.value(distance),
        }
    }

    /// No less than the term as it leans, without a logarithm.
    #[inline]
    fn high(&self, distance: f64) -> f64 {
        std::f64::consts::LN_2
            + match self {
                Term::Student { curve, unit } => curve.high(unit * distance * distance),
                Term::Foretold { half, unit, price } => price + half * unit * distance * distance,
                _ => self.value(distance),
            }
    }

    /// What leaning to the other arm's side adds: nothing at distance zero, and no less at any distance between two than at one of them.
    #[inline]
    fn lift(&self, distance: f64) -> f64 {
        match self {
            Term::Pinned | Term::Foretold { .. } => 0.0,
            Term::Square { weight, .. } => gain(weight.sqrt() * distance),
            Term::Student { curve, unit } => curve.lift(unit * distance * distance),
        }
    }

    /// Both: the term as it leans. What it stands for grows with the distance.
    #[inline]
    fn leaning(&self, distance: f64) -> f64 {
        match self {
            Term::Student { curve, unit } => curve.leaning(unit * distance * distance),
            _ => self.value(distance) + self.lift(distance),
        }
    }

    /// What is added to the price, at least, if it is off to the other side: falls with the distance.
    fn sag(&self, distance: f64) -> f64 {
        match self {
            Term::Pinned | Term::Foretold { .. } => 0.0,
            Term::Square { weight, .. } => sag(weight.sqrt() * distance),
            Term::Student { curve, unit } => curve.sag(unit * distance * distance),
        }
    }

    /// The same and its slope; it is convex.
    #[inline]
    fn sag_point(&self, distance: f64) -> Point {
        let (value, slope) = match self {
            Term::Pinned | Term::Foretold { .. } => (0.0, 0.0),
            Term::Square { weight, .. } => {
                let (value, slope) = sag_and_slope(weight.sqrt() * distance);
                (value, slope * weight.sqrt())
            }
            Term::Student { curve, unit } => curve.sag_and_slope(*unit, distance),
        };
        Point { value, slope }
    }

    /// From which distance on that falls no more.
    fn bottom(&self) -> f64 {
        match self {
            Term::Pinned | Term::Foretold { .. } => 0.0,
            Term::Square { weight, .. } => BOTTOM / weight.sqrt(),
            Term::Student { curve, unit } => (curve.bottom() / unit).sqrt(),
        }
    }

    /// The value at distance zero.
    #[inline]
    fn price(&self) -> f64 {
        match self {
            Term::Pinned => 0.0,
            Term::Square { price, .. } | Term::Foretold { price, .. } => *price,
            Term::Student { curve, .. } => curve.rise.price,
        }
    }

    #[inline]
    fn point(&self, distance: f64) -> Point {
        let slope = match self {
            Term::Pinned => 0.0,
            Term::Square { weight, .. } => weight * distance,
            Term::Student { curve, unit } => curve.slope(unit * distance * distance) * 2.0 * unit * distance,
            Term::Foretold { half, unit, .. } => 2.0 * half * unit * distance / (1.0 + unit * distance * distance),
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
            Term::Foretold { half, unit, .. } => {
                let z = unit * distance * distance;
                2.0 * half * unit * (1.0 - z) / ((1.0 + z) * (1.0 + z))
            }
        }
    }

    /// Whether [`Term::chord`] holds up to this distance.
    #[inline]
    fn is_tame(&self, distance: f64) -> bool {
        match self {
            Term::Pinned | Term::Square { .. } | Term::Foretold { .. } => true,
            Term::Student { curve, unit } => curve.is_tame(unit * distance * distance),
        }
    }

    /// What the term as it leans is a concave function of, which is convex in the distance; and its slope.
    #[inline]
    fn measure(&self, distance: f64) -> Point {
        match self {
            Term::Pinned => Point { value: 0.0, slope: 0.0 },
            Term::Square { .. } => Point { value: distance * distance, slope: 2.0 * distance },
            Term::Foretold { unit, .. } => Point { value: unit * distance * distance, slope: 2.0 * unit * distance },
            Term::Student { curve, unit } => {
                let z = unit * distance * distance;
                Point { value: curve.excess(z), slope: curve.growth(z) * 2.0 * unit * distance }
            }
        }
    }

    /// No more than the term as it leans, between two distances: its chord by the measure.
    #[inline]
    fn chord(&self, near: f64, far: f64) -> Chord {
        let (from, to) = (self.measure(near).value, self.measure(far).value);
        let (low, high) = (self.leaning(near), self.leaning(far));
        let rise = if to > from { (high - low) / (to - from) } else { 0.0 };
        // Between two equal measures the term may be either.
        Chord { base: if to > from { low } else { low.min(high) }, from, rise }
    }

    /// Up to which distance it is convex.
    fn bend(&self) -> f64 {
        match self {
            Term::Pinned | Term::Square { .. } => f64::INFINITY,
            Term::Student { curve, unit } => (curve.bend() / unit).sqrt(),
            Term::Foretold { unit, .. } => unit.sqrt().recip(),
        }
    }

    /// How fast it grows near its mean, in comparison.
    #[inline]
    fn stiffness(&self) -> f64 {
        match self {
            Term::Pinned => f64::INFINITY,
            Term::Square { weight, .. } => *weight,
            Term::Student { curve, unit } => 2.0 * unit * curve.slope(0.0),
            Term::Foretold { half, unit, .. } => 2.0 * half * unit,
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
        self.one.leaning(x) + self.two.leaning(self.gap - x)
    }

    /// Where two parabolas would have their least.
    #[inline]
    fn middle(&self) -> f64 {
        let (one, two) = (self.one.stiffness(), self.two.stiffness());
        self.gap * if one + two > 0.0 { two / (one + two) } else { 0.5 }
    }

    /// The least of what it is where two parabolas would have their least and, about, at either mean or beyond.
    #[inline]
    pub fn glance(&self) -> Glance {
        let look = |x: f64| Glance { value: self.at(x), distance: x };
        match (&self.one, &self.two) {
            (Term::Pinned, _) => look(0.0),
            (_, Term::Pinned) => look(self.gap),
            (one, two) => {
                let best = look(self.middle());
                let best = self.look_beyond(one, two, 0.0, best);
                self.look_beyond(two, one, self.gap, best)
            }
        }
    }

    /// At the mean of `own`, or beyond where it sags as fast as the `other` rises, if that is less than the best.
    #[inline]
    fn look_beyond(&self, own: &Term, other: &Term, distance: f64, best: Glance) -> Glance {
        let even = own.price() + other.value(self.gap);
        if even + DEEPEST >= best.value {
            return best;
        }
        if matches!(own, Term::Foretold { .. }) {
            let value = even + other.lift(self.gap);
            return if value < best.value { Glance { value, distance } } else { best };
        }
        // In units of the own standard deviation the sag is about −0.78 w + 0.39 w²/2.
        let (own_stiff, other_stiff) = (own.stiffness(), other.stiffness());
        let slope = 0.78 - other.point(self.gap).slope / own_stiff.sqrt();
        let sag = if slope > 0.0 { 0.5 * slope * slope / (0.39 + other_stiff / own_stiff) } else { 0.0 };
        if even - sag >= best.value {
            return best;
        }
        let value = even - sag + other.lift(self.gap);
        if value < best.value { Glance { value, distance } } else { best }
    }

    /// Of two parts of the way and of what is beyond, each is bounded by its ends: no more than the least.
    pub fn floor(&self) -> f64 {
        match (self.one, self.two) {
            (Term::Pinned, _) | (_, Term::Pinned) => self.glance().value,
            _ => {
                let middle = self.middle();
                let parts = [0.0, 0.5 * middle, middle, 0.5 * (middle + self.gap), self.gap];
                let bound = |ends: &[f64]| self.one.value(ends[0]) + self.two.value(self.gap - ends[1]);
                let beyond = |own: &Term, other: &Term| own.price() + DEEPEST + other.value(self.gap);
                let beyond = beyond(&self.one, &self.two).min(beyond(&self.two, &self.one));
                parts.windows(2).map(bound).fold(beyond, f64::min)
            }
        }
    }

    /// No less than the least, without a logarithm: where two parabolas would have their least.
    pub fn high(&self) -> f64 {
        let middle = self.middle();
        let value = match (&self.one, &self.two) {
            (Term::Pinned, _) | (_, Term::Pinned) => f64::INFINITY,
            (one, two) => one.high(middle) + two.high(self.gap - middle),
        };
        value + ROUNDING * (1.0 + value.abs())
    }

    /// No more than [`Tug::floor`] in two parts, and without a logarithm.
    pub fn low(&self) -> f64 {
        match (&self.one, &self.two) {
            (Term::Pinned, _) | (_, Term::Pinned) => f64::NEG_INFINITY,
            _ => {
                let middle = self.middle();
                let off = |term: &Term, distance: f64| term.low(distance);
                // Up to the middle the second arm is off by the rest at least, and from there the first.
                let inside = (self.one.price() + off(&self.two, self.gap - middle))
                    .min(off(&self.one, middle) + self.two.price());
                let beyond = |own: &Term, other: &Term| own.price() + DEEPEST + other.low(self.gap);
                inside.min(beyond(&self.one, &self.two)).min(beyond(&self.two, &self.one)) - ROUNDING
            }
        }
    }

    /// The least over the common mean: never more than it.
    pub fn least(&self) -> f64 {
        let glance = self.glance().value;
        if matches!(self.one, Term::Pinned) || matches!(self.two, Term::Pinned) {
            return glance;
        }
        let mut best = glance;
        let inside = self.inside(&mut best);
        let beyond = self.beyond(&self.one, &self.two, &mut best).min(self.beyond(&self.two, &self.one, &mut best));
        inside.min(beyond).max(self.floor()).min(glance)
    }

    /// Between the means.
    fn inside(&self, best: &mut f64) -> f64 {
        if !(self.one.is_tame(self.gap) && self.two.is_tame(self.gap)) {
            return self.inside_by_bends(best);
        }
        let middle = self.balance(0.0, self.gap);
        *best = best.min(self.at(middle));
        let parts = [(0.0, middle), (middle, self.gap)].into_iter().filter(|ends| ends.0 < ends.1);
        parts.fold(f64::INFINITY, |least, ends| {
            least.min(descend(ends, best, &|x| self.at(x), &|low, high| self.bound_by_chords(low, high)))
        })
    }

    /// A lower bound on an interval, where both terms are tame: the sum of their chords, of which that of a rising one is convex and above its tangent; that
    /// of a falling one is no less than at one of the ends.
    fn bound_by_chords(&self, low: f64, high: f64) -> f64 {
        let (one, two) = (self.one.chord(low, high), self.two.chord(self.gap - high, self.gap - low));
        let middle = 0.5 * (low + high);
        let sum = |x: f64| {
            let (mine, other) = (self.one.measure(x), self.two.measure(self.gap - x));
            let value = one.rise.max(0.0) * (mine.value - one.from) + two.rise.max(0.0) * (other.value - two.from);
            Point { value, slope: one.rise.max(0.0) * mine.slope - two.rise.max(0.0) * other.slope }
        };
        // The nearer the tangent touches to where the sum is least, the closer the bound.
        let (ends, centre) = ((sum(low).slope, sum(high).slope), sum(middle));
        let bow = (ends.1 - ends.0) / (high - low);
        let touch = if bow > 0.0 { (middle - centre.slope / bow).clamp(low, high) } else { middle };
        let there = sum(touch);
        let rising = there.value + (there.slope * (low - touch)).min(there.slope * (high - touch));
        let falling = |chord: Chord, term: &Term, near: f64, far: f64| {
            chord.rise.min(0.0) * (term.measure(far).value - term.measure(near).value)
        };
        one.base
            + two.base
            + rising
            + falling(one, &self.one, low, high)
            + falling(two, &self.two, self.gap - high, self.gap - low)
    }

    /// Between the means, wherever the terms are convex or concave.
    fn inside_by_bends(&self, best: &mut f64) -> f64 {
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
            *best = best.min(self.at(cut));
        }
        let bound = |low: f64, high: f64| {
            let one = self.one.lift(low).min(self.one.lift(high));
            let two = self.two.lift(self.gap - low).min(self.two.lift(self.gap - high));
            self.even_bound(bends, (low, high)) + one + two
        };
        let parts = cuts.windows(2).filter(|ends| ends[0] < ends[1]);
        parts.fold(f64::INFINITY, |least, ends| least.min(descend((ends[0], ends[1]), best, &|x| self.at(x), &bound)))
    }

    /// Beyond the mean of `own`, away from the `other`.
    fn beyond(&self, own: &Term, other: &Term, best: &mut f64) -> f64 {
        let all = own.price() + DEEPEST + other.leaning(self.gap);
        if all >= *best - SLACK {
            return all;
        }
        // What the other's term stands for grows, though its lift need not.
        let at_mean = other.leaning(self.gap);
        let bound = |low: f64, high: f64| own.price() + own.sag(high) + other.leaning(self.gap + low).max(at_mean);
        let bottom = own.bottom();
        let far = bound(bottom, f64::INFINITY);
        let at = |v: f64| bound(v, v);
        if !other.is_tame(self.gap + bottom) {
            return far.min(descend((0.0, bottom), best, &at, &bound));
        }
        // The sag is above its tangent, and the other's term above its chord, whose measure is above its tangent.
        let closer = |low: f64, high: f64| {
            let Chord { base, rise, .. } = other.chord(self.gap + low, self.gap + high);
            if !(rise >= 0.0) {
                return bound(low, high);
            }
            let sag = own.sag_point(0.5 * (low + high));
            let slope = sag.slope + rise * other.measure(self.gap + low).slope;
            let half = 0.5 * (high - low);
            let at_low = own.price() + base + sag.value - sag.slope * half;
            at_low.min(at_low + 2.0 * half * slope)
        };
        far.min(descend((0.0, bottom), best, &at, &closer))
    }

    /// Where the slope of a sum of convex functions vanishes, nearly.
    fn balance(&self, from: f64, to: f64) -> f64 {
        let (mut low, mut high) = (from, to);
        let mut x = self.middle().clamp(from, to);
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

    /// A lower bound of the even mixtures on an interval within which neither term changes its kind.
    fn even_bound(&self, bends: (f64, f64), (low, high): (f64, f64)) -> f64 {
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
        // left.0 + left.1 s from the low end; right.0 − right.1 (width − s) towards the high end.
        let apart = left.1 - right.1;
        let crossing =
            if apart < 0.0 { ((right.0 - right.1 * width - left.0) / apart).clamp(0.0, width) } else { 0.5 * width };
        if one_convex || two_convex {
            let there = (left.0 + left.1 * crossing).min(right.0 - right.1 * (width - crossing));
            there.min(left.0).min(right.0)
        } else {
            left.0.min(right.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::normal::ln_cdf;
    use crate::stopping::certified::student::lean::{ln_weight, student_cdf};
    use crate::stopping::certified::student::{Rise, WIDTHS, Width, shift_price};
    use crate::testing::effort;

    /// An arm by its numbers: its true term is looked for on a grid of variances.
    #[derive(Clone, Copy, Debug)]
    struct Arm {
        n: f64,
        width: Width,
        unit: f64,
    }

    impl Arm {
        fn term(&self) -> Term {
            Term::Student { curve: Curve::new(self.n, self.n, self.width), unit: self.unit }
        }

        /// The least over the variance of the leaning mixture by its closed form, at a distance with its sign, from above.
        fn slow(&self, distance: f64) -> f64 {
            let (c, a) = (self.width.shift, self.width.spread);
            let (nu, z) = (self.n + a, self.unit * distance * distance);
            // In units of the sum of squares around the mean over n.
            let (all, kept) = (self.n * (1.0 + z), self.n * (1.0 + z * c / (self.n + c)));
            let price = Rise::new(shift_price(self.n, self.width), self.n, self.width).price;
            let log = |t: f64| {
                let u = distance.signum() * (nu * t * (all - kept) / (a + t * kept)).sqrt();
                let even = 0.5 * (t * all - self.n) - 0.5 * nu * ((a + t * kept) / nu).ln();
                price + even + ln_weight(student_cdf(nu, u))
            };
            let around = (nu / all - a / kept).max(self.n / all).max(1e-12);
            let even = (0..20).map(|i| log(around * (f64::from(i) / 3.0 - 5.0).exp()));
            let close = (0..=20).map(|i| log((nu / all - a / kept).max(0.0) * (0.8 + f64::from(i) / 50.0)));
            even.chain(close).fold(log(0.0), f64::min)
        }
    }

    /// Either an arm's slow term or that of a known variance.
    fn slow_square(weight: f64, price: f64, distance: f64) -> f64 {
        price + 0.5 * weight * distance * distance + ln_weight(ln_cdf(weight.sqrt() * distance).0.exp())
    }

    /// The least over the common mean, between the means and beyond.
    fn slow_least(one: &dyn Fn(f64) -> f64, two: &dyn Fn(f64) -> f64, gap: f64) -> f64 {
        let at = |x: f64| one(x) + two(gap - x);
        let (mut low, mut high) = (-2.0 * gap, 3.0 * gap);
        let mut least = f64::INFINITY;
        for _ in 0..3 {
            let step = (high - low) / 30.0;
            let points = (0..=30).map(|i| low + step * f64::from(i));
            let best = points.map(|x| (at(x), x)).reduce(|a, b| if b.0 < a.0 { b } else { a }).unwrap();
            least = least.min(best.0);
            (low, high) = (best.1 - 1.5 * step, best.1 + 1.5 * step);
        }
        least
    }

    fn ordered(tug: &Tug, least: f64) -> bool {
        least <= tug.high() && tug.low() <= least && tug.floor() <= least + 1e-9 && least <= tug.glance().value
    }

    /// Counts and gaps as studies have them when claims are decided: hardly anything of the least is lost.
    #[test]
    fn little_is_lost_where_it_matters() {
        let mut worst = 0.0f64;
        for width in WIDTHS.into_iter().step_by(effort::either(3, 1)) {
            for (n, m) in
                [(8.0, 8.0), (8.0, 40.0), (30.0, 30.0), (30.0, 400.0), (200.0, 90.0), (3000.0, 300.0), (3000.0, 3000.0)]
            {
                for nats in [3.0f64, 7.0, 12.0, 18.0] {
                    let (one, two) = (Arm { n, width, unit: 1.0 }, Arm { n: m, width, unit: 0.5 });
                    let gap = (2.0 * nats * (1.0 / n + 2.0 / m)).sqrt();
                    let tug = Tug { one: one.term(), two: two.term(), gap };
                    let slow = slow_least(&|x| one.slow(x), &|x| two.slow(x), gap);
                    let least = tug.least();
                    assert!(least <= slow + 1e-6, "{width:?} {n} {m} {nats}: {least} {slow}");
                    assert!(
                        ordered(&tug, least),
                        "{width:?} {n} {m} {nats}: {} {least} {:?}",
                        tug.floor(),
                        tug.glance()
                    );
                    // Not where it is so far out that its least favourable variances are next to infinite: other widths serve there.
                    if slow > 2.0 && width.spread < 2.0 * n.min(m) {
                        worst = worst.max(slow - least);
                    }
                }
            }
        }
        assert!(worst < 0.05, "{worst}");
    }

    proptest! {
        #![proptest_config(effort::cases(40, 200))]

        /// An arm that was foretold beside any other: never more than the least of a grid of means, and hardly less.
        #[test]
        fn the_least_beside_an_arm_that_was_foretold(
            counts in (1u32..6, 2u32..12), units in (-6i32..6, -6i32..6), place in 0..WIDTHS.len(), gap in -6.0f64..7.0,
            prices in (-30.0f64..0.0, -30.0f64..0.0), other in 0usize..3,
        ) {
            let arm = Arm { n: f64::from(1 << counts.1), width: WIDTHS[place], unit: f64::from(units.1).exp2() };
            let foretold = |half: f64, unit: i32, price: f64| Term::Foretold { half, unit: f64::from(unit).exp2(), price };
            let one = foretold(0.5 * f64::from(1 << counts.0), units.0, prices.0);
            let (weight, price) = (3.0, -1.0);
            let two = match other {
                0 => arm.term(),
                1 => Term::Square { weight, price },
                _ => foretold(4.0, units.1, prices.1),
            };
            for tug in [Tug { one, two, gap: gap.exp2() }, Tug { one: two, two: one, gap: gap.exp2() }] {
                let value = |term: &Term, x: f64| match *term {
                    Term::Foretold { half, unit, price } => price + half * (unit * x * x).ln_1p(),
                    Term::Square { .. } => slow_square(weight, price, x),
                    _ => arm.slow(x),
                };
                let slow = slow_least(&|x| value(&tug.one, x), &|x| value(&tug.two, x), tug.gap);
                let least = tug.least();
                prop_assert!(least <= slow + 1e-6, "{least} {slow}");
                prop_assert!(ordered(&tug, least), "{} {} {least} {:?} {}", tug.low(), tug.floor(), tug.glance(), tug.high());
                if other == 2 {
                    prop_assert!(least >= slow - SLACK - 1e-3 * slow.abs().max(1.0), "{least} {slow}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(effort::cases(15, 40))]

        /// Known and unknown variances, few observations and many, gaps from next to nothing to far beyond the bends: never more than the least of a
        /// grid of means and variances, and not much less than that of the terms without their lift.
        #[test]
        fn the_least_is_no_more_than_that_of_a_grid(
            counts in (2u32..12, 2u32..12), units in (-6i32..6, -6i32..6), place in 0..WIDTHS.len(), gap in -6.0f64..5.0,
            known in any::<bool>(),
        ) {
            let width = WIDTHS[place];
            let arm = |count: u32, unit: i32| Arm { n: f64::from(1 << count), width, unit: f64::from(unit).exp2() };
            let (first, second) = (arm(counts.0, units.0), arm(counts.1, units.1));
            let (weight, price) = (3.0, -1.0);
            let two = if known { Term::Square { weight, price } } else { second.term() };
            let tug = Tug { one: first.term(), two, gap: gap.exp2() };
            let other = |x: f64| if known { slow_square(weight, price, x) } else { second.slow(x) };
            let slow = slow_least(&|x| first.slow(x), &other, tug.gap);
            let least = tug.least();
            prop_assert!(least <= slow + 1e-6, "{least} {slow}");
            prop_assert!(ordered(&tug, least), "{} {least} {:?}", tug.floor(), tug.glance());
            let even = |x: f64| tug.one.value(x) + tug.two.value(tug.gap - x);
            let steps = 20_000;
            let even = (0..=steps).map(|i| even(tug.gap * f64::from(i) / f64::from(steps))).fold(f64::INFINITY, f64::min);
            prop_assert!(least >= even + DEEPEST - SLACK - 1e-4 * even.abs().max(1.0), "{least} {even}");
        }
    }
}
