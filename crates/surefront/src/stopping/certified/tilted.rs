//! The proof that one arm is ahead of another where the noise has one parameter, its mean (docs/certified.md, "One-parameter families").
//!
//! Under the null both arms have the mean x. The alternatives are tilts of it: the odds of a success rate, or the rate of events, times exp(θ) for the arm that is
//! said to have more, times exp(−θ) for the other. The logarithm of a likelihood ratio is θ s − n ln(1 + x (exp θ − 1)) for s successes in n trials, and
//! θ s − n x (exp θ − 1) for s events in the exposure n. Times between events are events in the exposure of their sum, with x one over their mean.
//!
//! Both are convex in x for every θ, hence so is the logarithm of a mixture, and so is the sum for both arms: its least value is found between tangents. Where one of the arms has a head start, the two have
//! different means under the null, which are functions of one parameter ([`Line`]), and x is that parameter.

mod heap;
mod line;
#[cfg(test)]
mod tests;
mod tilts;

use self::heap::{Heap, LEAST_TOLD, MOST, MOST_TOLD, Null, Point, Stand};
use self::line::Line;
pub(super) use self::tilts::{Tilts, information};
use super::about::{ln_at_least, ln_at_most, ln_two_cdf};
use super::mixture::Care;
use crate::family::Family;
use crate::law::Kind;
use crate::margin::Raise;
use crate::range::Range;

/// How far what is returned may be below the least value.
const TOLERANCE: f64 = 1e-5;

/// How far apart the ends of a bracket may be.
const ROUGHLY: f64 = 0.3;

/// What keeps the result below the least value in spite of rounding: as such, and in parts of the largest numbers that were added up.
const SAFETY: f64 = 1e-9;
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How far a mean may be off, in parts of it, by rounding.
const OFF: f64 = 1e-9;

/// How far from an end of a line a place is that is not at it.
const INNER: f64 = 1e-3;

/// As often an interval is halved until what is left of it is of no account.
const HALVINGS: usize = 60;

/// More steps than ever seen; what is left then is bounded all the same.
const MOST_STEPS: usize = 80;

/// One arm of a claim: its mean in the orientation of the problem, and what it is known from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contender {
    pub mean: f64,
    pub count: f64,
    /// `None` without noise.
    pub tilts: Option<Tilts>,
    /// Of values of which only the range is known: Σ (x − the mean of those before it)², in parts of the range.
    pub walk: f64,
}

/// Two arms in one objective, of which one is said to be ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel {
    null: Null,
    /// The one with more successes or events.
    upper: Stand,
    lower: Stand,
    /// The least cost of making them level, and whose part of it is which.
    costs: (f64, f64),
    /// The most that the other mixture can be, where only the range is known.
    walks: (f64, f64),
    /// Where that is.
    level: f64,
    line: Line,
}

/// Two numbers that the least value lies between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enclosure {
    pub low: f64,
    pub high: f64,
}

/// A place with its point.
#[derive(Clone, Copy, Debug)]
struct Touch {
    x: f64,
    point: Point,
}

impl Duel {
    /// `one` is ahead of `two`, or the other way round where that is what the means say; `one` has this head start, which is part of its mean.
    pub fn new(kind: Kind, raise: Raise, one: Contender, two: Contender) -> Self {
        let one = Contender { mean: raise.down(one.mean), ..one };
        let line = match kind.family {
            Family::Exponential => Line::of_rates(raise, kind.sign),
            Family::Bernoulli => Line::of_means(raise, kind.sign, 1.0),
            _ => Line::of_means(raise, kind.sign, f64::INFINITY),
        };
        let null = if kind.family == Family::Bernoulli { Null::Rate } else { Null::Events };
        let stand = |contender: Contender| {
            let mean = kind.sign * contender.mean;
            // A head start that was taken off again leaves a trace of rounding.
            let mean = if kind.family == Family::Bernoulli { mean.clamp(0.0, 1.0) } else { mean.max(0.0) };
            match (contender.tilts, kind.family) {
                (None, Family::Exponential) => Stand::Pinned(mean.recip()),
                (None, _) => Stand::Pinned(mean),
                (Some(tilts), Family::Exponential) => {
                    Stand::Noisy(Heap { trials: contender.count * mean, events: contender.count, walk: 0.0, tilts })
                }
                (Some(tilts), _) => {
                    Stand::Noisy(Heap { trials: contender.count, events: contender.count * mean, walk: 0.0, tilts })
                }
            }
        };
        // Longer times are fewer events.
        let first_has_more = (kind.sign > 0.0) != (kind.family == Family::Exponential);
        let (upper, lower) = if first_has_more { (stand(one), stand(two)) } else { (stand(two), stand(one)) };
        let start = if line.is_same() { level(upper, lower) } else { apart(null, line, upper, lower) };
        Duel::between(null, line, upper, lower, start)
    }

    /// The same where only the range of the values is known; `sign` is −1 where less is better.
    pub fn within(range: Range, sign: f64, raise: Raise, one: Contender, two: Contender) -> Self {
        let one = Contender { mean: raise.down(one.mean), ..one };
        let line = if raise == Raise::NONE {
            Line::same(1.0)
        } else {
            let low = range.low / range.width();
            let shift = (low - sign * raise.by / range.width()) / raise.factor - low;
            Line::stretched(raise.factor.recip(), shift, 1.0, sign > 0.0)
        };
        let stand = |contender: Contender| {
            let mean = range.part(sign * contender.mean);
            match contender.tilts {
                None => Stand::Pinned(mean),
                Some(tilts) => {
                    let Contender { count, walk, .. } = contender;
                    Stand::Noisy(Heap { trials: count, events: count * mean, walk, tilts })
                }
            }
        };
        let (upper, lower) = if sign > 0.0 { (stand(one), stand(two)) } else { (stand(two), stand(one)) };
        Duel::between(Null::Part, line, upper, lower, middle(line, upper, lower))
    }

    fn between(null: Null, line: Line, upper: Stand, lower: Stand, level: f64) -> Self {
        let (x, y) = (line.upper.at(level), line.lower.at(level));
        let costs = (upper.cost(null, x), lower.cost(null, y));
        let walks = if null == Null::Part { (upper.most_walk(x, 1.0), lower.most_walk(y, -1.0)) } else { (0.0, 0.0) };
        // Where no two means are as the null has them, or an arm without noise is none of those, there is nothing to move.
        let is_pinned_elsewhere =
            |stand: Stand, at: f64| matches!(stand, Stand::Pinned(x) if (x - at).abs() > OFF * (x.abs() + at.abs()));
        if !line.is_same() && (line.end < 0.0 || is_pinned_elsewhere(upper, x) || is_pinned_elsewhere(lower, y)) {
            return Duel { null, upper, lower, costs: (f64::INFINITY, 0.0), walks, level, line };
        }
        Duel { null, upper, lower, costs, walks, level, line }
    }

    /// The nulls of both arms where it costs least to make them level.
    fn levels(&self) -> (f64, f64) {
        (self.line.upper.at(self.level), self.line.lower.at(self.level))
    }

    /// The least cost of making the arms level: no proof is more.
    pub fn cost(&self) -> f64 {
        (self.costs.0 + self.costs.1).max(self.walks.0 + self.walks.1)
    }

    /// Whether no two means are as the null has them, or none that what was observed can come from. (At a place where it would cost infinitely much there are others beside it, unless an arm is pinned.)
    fn is_certain(&self) -> bool {
        let is_pinned = matches!((self.upper, self.lower), (Stand::Pinned(_), _) | (_, Stand::Pinned(_)));
        self.cost() == f64::INFINITY && (is_pinned || self.line.is_same() || self.line.end <= 0.0)
    }

    /// About the proof: at the best of the widths, by the costs.
    pub fn about(&self) -> f64 {
        if self.is_certain() {
            return f64::INFINITY;
        }
        let (x, y) = self.levels();
        let (one, two) =
            (self.upper.information(self.null, x, self.costs.0), self.lower.information(self.null, y, self.costs.1));
        let ((one_scales, count), (two_scales, other)) = (self.upper.scales(), self.lower.scales());
        let count = count.max(other);
        // What it costs not to know the tilts takes a logarithm: most often a bound on it tells which width is the best.
        let (mut rises, mut prices, mut bounds, mut top) = ([0.0; 4], [1.0; 4], [0.0; 4], 0);
        for i in 0..count {
            let (s, t) = (one_scales[i], two_scales[i]);
            let (a, b) = (self.costs.0 * one / (one + s), self.costs.1 * two / (two + t));
            let gains = ln_two_cdf((2.0 * a).sqrt()) + ln_two_cdf((2.0 * b).sqrt());
            rises[i] = a + b + gains;
            prices[i] = (1.0 + one / s) * (1.0 + two / t);
            bounds[i] = rises[i] - 0.5 * ln_at_least(prices[i]);
            if bounds[i] > bounds[top] {
                top = i;
            }
        }
        let at = |i: usize| rises[i] - 0.5 * prices[i].ln();
        let mut best = f64::NEG_INFINITY.max(at(top));
        for i in (0..count).filter(|&i| i != top) {
            if !(bounds[i] + SAFETY * (1.0 + rises[i]) < best) {
                best = best.max(at(i));
            }
        }
        if self.null == Null::Part {
            return best.max(self.about_walks()) - (2.0 * count as f64).ln();
        }
        best - (count as f64).ln()
    }

    /// The same for the other mixture, where only the range is known: θ D − ψ V is at least (V + c) h(D / (V + c)) with h(u) = 1 + u − √(1 + 2u), a prior of the scale c included.
    fn about_walks(&self) -> f64 {
        let ((one_scales, count), (two_scales, other)) = (self.upper.walk_scales(), self.lower.walk_scales());
        let (x, y) = self.levels();
        let mut best = f64::NEG_INFINITY;
        for (s, t) in one_scales.into_iter().zip(two_scales).take(count.max(other)) {
            best = best.max(self.upper.about_walk(x, 1.0, s) + self.lower.about_walk(y, -1.0, t));
        }
        best
    }

    /// About the proof where the means are level: what it costs not to know the tilts.
    pub fn price(&self) -> f64 {
        Duel { costs: (0.0, 0.0), ..*self }.about()
    }

    /// The proof: never more than the least over all nulls of the logarithm of the mixture; at a glance no less than that.
    pub fn proof(&self, care: Care) -> f64 {
        if self.is_certain() {
            return f64::INFINITY;
        }
        match care {
            _ if self.is_idle() => 0.0,
            Care::Glance => self.at(self.level).value,
            Care::Full => self.least(TOLERANCE).low,
        }
    }

    /// Between which numbers that is.
    pub fn bracket(&self) -> Enclosure {
        let proof = |proof: f64| Enclosure { low: proof, high: proof };
        if self.is_certain() {
            proof(f64::INFINITY)
        } else if self.is_idle() {
            proof(0.0)
        } else {
            let Enclosure { low, high } = self.least(ROUGHLY);
            // The exact one is less than the least by as much as it may be.
            Enclosure { low: low - TOLERANCE, high }
        }
    }

    /// Whether an arm has not been observed: then there is nothing to move.
    fn is_idle(&self) -> bool {
        let idle = |stand: Stand| matches!(stand, Stand::Noisy(heap) if heap.trials == 0.0);
        idle(self.upper) || idle(self.lower)
    }

    /// A step that is not large.
    fn unit(&self) -> f64 {
        let trials = |stand: Stand| if let Stand::Noisy(heap) = stand { heap.trials } else { 0.0 };
        (trials(self.upper) + trials(self.lower)).recip()
    }

    /// Both arms at a null, mixed over the widths.
    fn at(&self, x: f64) -> Point {
        let line = self.line;
        let ((one, first), (two, second)) =
            (self.upper.at(self.null, line.upper.at(x), 0), self.lower.at(self.null, line.lower.at(x), 1));
        let count = first.max(second);
        let sums: [Point; MOST] =
            std::array::from_fn(|i| line.upper.seen(x, one.0[i]).plus(line.lower.seen(x, two.0[i])));
        if count == 1 {
            return sums[0];
        }
        let top = sums[..count].iter().map(|point| point.value).fold(f64::NEG_INFINITY, f64::max);
        let (mut mass, mut slope, mut curve, mut pull) = (0.0, 0.0, 0.0, 0.0);
        for point in &sums[..count] {
            let weight = (point.value - top).exp();
            mass += weight;
            slope += weight * point.slope;
            curve += weight * (point.curve + point.slope * point.slope);
            pull += weight * point.pull;
        }
        let slope = slope / mass;
        let value = top + mass.ln() - (count as f64).ln();
        Point { value, slope, curve: (curve / mass - slope * slope).max(0.0), pull: pull / mass }
    }

    /// The least value over all nulls lies within; the ends are at most `apart`, unless it takes more steps than ever seen.
    fn least(&self, apart: f64) -> Enclosure {
        let rounding = |x: f64, point: Point| rounding(self.line.upper.at(x).max(self.line.lower.at(x)), point);
        if let (Stand::Pinned(_), _) | (_, Stand::Pinned(_)) = (self.upper, self.lower) {
            let point = self.at(self.level);
            return Enclosure { low: point.value - rounding(self.level, point), high: point.value };
        }
        let end = self.line.end;
        // From the very start of the line there is no stretching.
        let unit = if self.level > 0.0 { 0.0 } else { self.unit() };
        let (mut left, mut right): (Option<Touch>, Option<Touch>) = (None, None);
        let (mut x, mut best) = (self.level, f64::INFINITY);
        let (mut floor, mut slack) = (f64::NEG_INFINITY, 0.0);
        for _ in 0..MOST_STEPS {
            let point = self.at(x);
            best = best.min(point.value);
            slack = rounding(x, point);
            let is_end = (x == 0.0 && point.slope >= 0.0) || (x == end && point.slope <= 0.0);
            if is_end || point.slope == 0.0 {
                floor = point.value;
                break;
            }
            *(if point.slope > 0.0 { &mut right } else { &mut left }) = Some(Touch { x, point });
            let (meeting, height) = meet(left, right, end);
            floor = floor.max(height);
            if best - floor <= apart {
                break;
            }
            let step = -point.slope / point.curve;
            // Where the other side is not known yet, and near: on to it.
            let is_near = (point.slope * step).abs() <= 2.0 * apart;
            let next = if is_near && (left.is_none() || right.is_none()) { x + 2.0 * step } else { x + step };
            let (low, high) = (left.map_or(0.0, |touch| touch.x), right.map_or(end, |touch| touch.x));
            x = match (left, right) {
                _ if next > low && next < high && next < (20.0 * x).max(unit) => next,
                (Some(_), Some(_)) if meeting > low && meeting < high => meeting,
                (Some(_), Some(_)) => 0.5 * (low + high),
                (None, _) => {
                    if next > 0.05 * x {
                        next
                    } else if x > 1e-6 * self.level {
                        0.05 * x
                    } else {
                        0.0
                    }
                }
                (_, None) if end < f64::INFINITY => end - if end - x > 1e-6 { 0.05 * (end - x) } else { 0.0 },
                (_, None) => (20.0 * x).max(unit),
            };
        }
        Enclosure { low: floor - slack, high: best }
    }
}

/// No more than [`Duel::about`] of two arms, where making them level costs no less than this, and each knows so much of its tilt next to the null: what it is taken to know is between a fifth of that and five times as much.
#[inline]
pub(super) fn about_at_least((first, second): (f64, f64), (one, two): (f64, f64), tilts: (Tilts, Tilts)) -> f64 {
    let ((one_scales, count), (two_scales, other)) = (tilts.0.scales(), tilts.1.scales());
    let count = count.max(other);
    let mut best = f64::NEG_INFINITY;
    for i in 0..count {
        let (s, t) = (one_scales[i], two_scales[i]);
        let (a, b) =
            (first * (LEAST_TOLD * one) / (LEAST_TOLD * one + s), second * (LEAST_TOLD * two) / (LEAST_TOLD * two + t));
        let price = 0.5 * ln_at_most((1.0 + MOST_TOLD * one / s) * (1.0 + MOST_TOLD * two / t));
        best = best.max(a + b - price);
    }
    let least = best - (count as f64).ln();
    least - SAFETY * (1.0 + least.abs())
}

/// The null at which it costs least to make two arms level: that of all their observations.
fn level(upper: Stand, lower: Stand) -> f64 {
    match (upper, lower) {
        (Stand::Pinned(x), _) | (_, Stand::Pinned(x)) => x,
        (Stand::Noisy(one), Stand::Noisy(two)) => {
            let trials = one.trials + two.trials;
            if trials > 0.0 { (one.events + two.events) / trials } else { 0.0 }
        }
    }
}

/// The same along a line: between where each of them would not have to move.
fn apart(null: Null, line: Line, upper: Stand, lower: Stand) -> f64 {
    let (one, two) = match (upper, lower) {
        (Stand::Pinned(x), _) => return line.within(line.upper.back(x)),
        (_, Stand::Pinned(x)) => return line.within(line.lower.back(x)),
        (Stand::Noisy(one), Stand::Noisy(two)) if one.trials > 0.0 && two.trials > 0.0 => (one, two),
        _ => return 0.0,
    };
    let means = (one.events / one.trials, two.events / two.trials);
    let variance = |x: f64| if null == Null::Events { x } else { x * (1.0 - x) };
    // The sign of the derivative of the costs, without a division by what may be zero.
    let rises = |p: f64| {
        let (x, y) = (line.upper.at(p), line.lower.at(p));
        let (first, second) = (one.trials * line.upper.pace(p).0, two.trials * line.lower.pace(p).0);
        first * (x - means.0) * variance(y) + second * (y - means.1) * variance(x) > 0.0
    };
    let ends = (line.within(line.upper.back(means.0)), line.within(line.lower.back(means.1)));
    let (mut low, mut high) = (ends.0.min(ends.1), ends.0.max(ends.1));
    if !(high < f64::INFINITY) {
        high = 2.0 * low + 1.0;
        while !rises(high) && high < 1e75 {
            high *= 4.0;
        }
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if rises(middle) { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// About where it costs least to make two arms level of whose values only the range is known.
fn middle(line: Line, upper: Stand, lower: Stand) -> f64 {
    match (upper, lower) {
        (Stand::Pinned(x), _) if line.is_same() => x,
        (_, Stand::Pinned(x)) if line.is_same() => x,
        (Stand::Pinned(x), _) => line.within(line.upper.back(x)),
        (_, Stand::Pinned(x)) => line.within(line.lower.back(x)),
        (Stand::Noisy(one), Stand::Noisy(two)) => {
            let weight = |heap: Heap, pace: f64| heap.trials * heap.trials / (heap.walk + 1.0) * pace * pace;
            let (a, b) = (weight(one, line.upper.pace(0.0).0), weight(two, line.lower.pace(0.0).0));
            let place = |heap: Heap| heap.events / heap.trials.max(1.0);
            let sum = a * line.upper.back(place(one)) + b * line.lower.back(place(two));
            let middle = if a + b > 0.0 { sum / (a + b) } else { 0.5 };
            // Not at an end, which an arm may be unable to get to.
            if line.is_same() { middle } else { middle.max(INNER * line.end).min((1.0 - INNER) * line.end) }
        }
    }
}

/// What rounding may have added.
fn rounding(x: f64, point: Point) -> f64 {
    SAFETY + ROUNDING * (x * point.pull + point.value.abs())
}

/// Where the tangents of a convex function on [0, end] meet, and how high: it is nowhere lower.
fn meet(left: Option<Touch>, right: Option<Touch>, end: f64) -> (f64, f64) {
    match (left, right) {
        (Some(one), Some(two)) => {
            let (wide, fall) = (two.x - one.x, one.point.value - two.point.value);
            let along = ((fall + two.point.slope * wide) / (two.point.slope - one.point.slope)).clamp(0.0, wide);
            (one.x + along, one.point.value + one.point.slope * along)
        }
        (Some(one), None) => (end, one.point.value + one.point.slope * (end - one.x)),
        (None, Some(two)) => (0.0, two.point.value - two.point.slope * two.x),
        (None, None) => (0.0, f64::NEG_INFINITY),
    }
}
