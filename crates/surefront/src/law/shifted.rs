//! The law of an objective where some means have a head start that takes them out of the family.
//!
//! With a head start T, which is a stretch and a shift, a mean m that is to be at the place x has to be moved to T⁻¹(x). Sums of such costs are still bowls as long as all
//! have the head start, Σ w_i kl(m_i, T⁻¹(x)) = floor + W kl(c, T⁻¹(x)), but the arm that has none, or has one alone, is no part of that. So a sum is kept as the bowl of
//! the *others*, in places, and the arm is added when its minimum is asked for: the least over x of own · kl(m, x) + W kl(c, T⁻¹(x)), a problem of one variable. Its derivative
//! is own x / (f² V) − W (c − x) / (f'² V') with the variances V at the two values and the stretches f, so the sign is that of a polynomial. Between the two means it changes once
//! (docs/oracle.md, section 12).

use super::{Bottom, Kind, Law, Placed};
use crate::bowl::Bowl;
use crate::family::Family;
use crate::margin::Raise;

/// More steps than it takes to halve an interval down to the last digit.
const MOST_STEPS: usize = 200;

/// The part of a way that is of no account: costs are flat where they are least.
const SETTLED: f64 = 1e-13;

/// How often the way to a level is halved: what is left is on the safe side.
const HALVINGS: usize = 24;

/// An objective with places relative to an arm, with the head starts of that arm and of all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shifted {
    /// Where no head start matters, or it is part of the means, this is all.
    placed: Placed,
    is_apart: bool,
    /// Which way places are counted: 1 where larger is better, otherwise −1.
    way: f64,
    /// The mean that places are relative to, larger being better.
    origin: f64,
    own: Raise,
    others: Raise,
    weight: f64,
}

/// What a cost is made of, as a function of the place: the weight, the mean and the head start.
#[derive(Clone, Copy, Debug)]
struct Part {
    weight: f64,
    at: f64,
    raise: Raise,
}

impl Shifted {
    /// `origin` is raised by `own`.
    #[inline]
    pub fn new(kind: Kind, origin: f64, own: Raise, others: Raise) -> Self {
        let is_apart = kind.family != Family::Gaussian && own != others;
        Shifted { placed: kind.around(origin), is_apart, way: 1.0, origin, own, others, weight: 0.0 }
    }

    /// The same with places counted the other way.
    pub fn reversed(self) -> Shifted {
        Shifted { placed: self.placed.reversed(), way: -self.way, ..self }
    }

    /// The distance of another mean with this 1 / variance at `at` from what is `gap` below it, by which objectives are compared; negative where that is above it.
    pub fn distance(self, precision: f64, at: f64, gap: f64) -> f64 {
        if gap > 0.0 && self.placed.kind.family != Family::Gaussian {
            (2.0 * self.step(precision, at, -gap)).sqrt()
        } else {
            gap * precision.sqrt()
        }
    }

    /// At the minimum `x` of a sum: what distances from it are multiplied by to give the derivatives of costs by unit of weight, of the arm and of the others; and the second derivative of
    /// the sum. `None` where the minimum does not move with the weights.
    pub fn slopes(self, sum: Bowl, x: f64) -> Option<(f64, f64, f64)> {
        let (own, other, bend) = if self.is_apart {
            let (own, other) = (self.second(self.part_of_own(), x), self.second(self.part_of(sum), x));
            (own.0, other.0, self.weight * own.1 + sum.weight * other.1)
        } else {
            let scale = self.placed.variance(x).recip();
            (scale, scale, sum.weight * scale)
        };
        let is_free = bend > 0.0 && bend < f64::INFINITY && own < f64::INFINITY && other < f64::INFINITY;
        is_free.then_some((own, other, bend))
    }

    /// 1 / (f² V) at a place, and the second derivative of the cost of a part by unit of weight.
    fn second(self, part: Part, x: f64) -> (f64, f64) {
        let family = self.placed.kind.family;
        let value = self.value(part.raise, x);
        let (variance, stretch) = (family.variance(value), part.raise.factor * part.raise.factor);
        // The variance falls or grows with the value.
        let turn = match family {
            Family::Gaussian => 0.0,
            Family::Bernoulli => 1.0 - 2.0 * value,
            Family::Poisson => 1.0,
            Family::Exponential => 2.0 * value,
        };
        let off = self.placed.kind.sign * (x - part.at) / part.raise.factor;
        ((stretch * variance).recip(), (1.0 - off * turn / variance) / (stretch * variance))
    }

    #[inline]
    fn part_of_own(self) -> Part {
        Part { weight: self.weight, at: 0.0, raise: self.own }
    }

    #[inline]
    fn part_of(self, others: Bowl) -> Part {
        Part { weight: others.weight, at: others.centre, raise: self.others }
    }

    /// The value, in the family's own units, of a mean that is at a place with its head start; within the domain in spite of rounding.
    #[inline]
    fn value(self, raise: Raise, at: f64) -> f64 {
        let turned = self.placed.kind.sign * self.way;
        let value = turned * raise.down(self.origin + self.way * at);
        if self.placed.kind.family == Family::Bernoulli { value.clamp(0.0, 1.0) } else { value.max(0.0) }
    }

    /// How far a mean at a place can go up, or down for a negative `way`, within the domain.
    fn room(self, part: Part, way: f64) -> f64 {
        let value = self.value(part.raise, part.at);
        let room = match (self.placed.kind.family, self.placed.kind.sign * way > 0.0) {
            (Family::Bernoulli, true) => 1.0 - value,
            (_, true) | (Family::Gaussian, _) => f64::INFINITY,
            (_, false) => value,
        };
        part.raise.factor * room
    }

    /// What it costs to move a part by so much.
    #[inline]
    fn cost(self, part: Part, by: f64) -> f64 {
        if by == 0.0 || part.weight == 0.0 {
            return 0.0;
        }
        // What has no noise does not move, a way that is closed is at infinity, and beyond the edge there is nothing.
        if part.weight == f64::INFINITY || by.abs() == f64::INFINITY {
            return f64::INFINITY;
        }
        let (value, by) = (self.value(part.raise, part.at), self.placed.kind.sign * by / part.raise.factor);
        let is_beyond = match self.placed.kind.family {
            Family::Gaussian => false,
            Family::Bernoulli => value + by < 0.0 || value + by > 1.0,
            Family::Poisson => value + by < 0.0,
            Family::Exponential => value + by <= 0.0,
        };
        if is_beyond { f64::INFINITY } else { part.weight * self.placed.kind.family.divergence(value, by) }
    }

    /// Where the arm and all others meet at the least cost.
    fn meet(self, others: Bowl) -> Bottom {
        let (own, other) = (self.part_of_own(), self.part_of(others));
        let blocked = Bottom { centre: 0.0, floor: f64::INFINITY };
        let (way, length) = (other.at.signum(), other.at.abs());
        if other.at == 0.0 || other.weight == 0.0 {
            return Bottom { centre: 0.0, floor: others.floor };
        }
        let (low, high) = ((length - self.room(other, -way)).max(0.0), self.room(own, way).min(length));
        if low > high {
            return blocked;
        }
        let far = match (own.weight == f64::INFINITY, other.weight == f64::INFINITY) {
            (true, true) => return blocked,
            (true, false) if low > 0.0 => return blocked,
            (false, true) if high < length => return blocked,
            (true, false) => 0.0,
            (false, true) => length,
            (false, false) => self.root(own, other, way, (low, high)),
        };
        let centre = way * far;
        let costs = self.cost(own, centre) + self.cost(other, centre - other.at);
        Bottom { centre, floor: others.floor + costs }
    }

    /// Where the cost of both stops falling, on the way from the arm to the others: Newton's method would do most of the time, and a secant within a bracket always does.
    fn root(self, own: Part, other: Part, way: f64, (mut low, mut high): (f64, f64)) -> f64 {
        let family = self.placed.kind.family;
        let length = other.at.abs();
        // A mean at the edge of the domain has no variance there: both sides are divided by the way that it has gone.
        let at_edge = |part: Part| family.variance(self.value(part.raise, part.at)) == 0.0;
        let (own_at_edge, other_at_edge) = (at_edge(own), at_edge(other));
        let stretched = |part: Part, far: f64, gone: f64, is_at_edge: bool| {
            let factor = part.raise.factor;
            match family {
                Family::Bernoulli if is_at_edge => factor - gone,
                _ if is_at_edge => factor,
                _ => factor * factor * family.variance(self.value(part.raise, way * far)),
            }
        };
        let slope = |far: f64| {
            let left = length - far;
            let (pulled, pulling) = (
                if own_at_edge { own.weight } else { own.weight * far },
                if other_at_edge { other.weight } else { other.weight * left },
            );
            pulled * stretched(other, far, left, other_at_edge) - pulling * stretched(own, far, far, own_at_edge)
        };
        let (mut below, mut above) = (slope(low), slope(high));
        if below >= 0.0 {
            return low;
        }
        if above <= 0.0 {
            return high;
        }
        for step in 0..MOST_STEPS {
            let middle = 0.5 * (low + high);
            let secant = low + (high - low) * (below / (below - above));
            // Every third time, so that no end stays where it is for long.
            let at = if step % 3 == 2 || !(secant > low && secant < high) { middle } else { secant };
            if !(at > low && at < high) || high - low <= SETTLED * high {
                return at;
            }
            // An end that stays counts for less each time, so that the next place is beyond the root.
            let there = slope(at);
            if there > 0.0 {
                (high, above) = (at, there);
                below *= 0.5;
            } else {
                (low, below) = (at, there);
                above *= 0.5;
            }
        }
        0.5 * (low + high)
    }
}

impl Law for Shifted {
    #[inline]
    fn price(self, weight: f64, at: f64, by: f64) -> f64 {
        if self.is_apart {
            self.cost(Part { weight, at, raise: self.own }, by)
        } else {
            self.placed.price(weight, at, by)
        }
    }

    #[inline]
    fn step(self, weight: f64, at: f64, by: f64) -> f64 {
        if self.is_apart {
            self.cost(Part { weight, at, raise: self.others }, by)
        } else {
            self.placed.price(weight, at, by)
        }
    }

    #[inline]
    fn of_weight(self, weight: f64) -> Self {
        Shifted { weight, ..self }
    }

    #[inline]
    fn alone(self, own: f64) -> Bowl {
        debug_assert!(self.weight.to_bits() == own.to_bits(), "the arm has this weight");
        if self.is_apart { Bowl::at_origin(0.0) } else { self.placed.alone(own) }
    }

    fn plus(self, sum: Bowl, weight: f64, at: f64) -> Bowl {
        if !self.is_apart {
            return self.placed.plus(sum, weight, at);
        }
        if sum.weight == 0.0 {
            return Bowl { weight, centre: at, floor: sum.floor };
        }
        let gap = at - sum.centre;
        let (there, back) = match (sum.weight < f64::INFINITY, weight < f64::INFINITY) {
            (true, true) => (weight / (sum.weight + weight), sum.weight / (sum.weight + weight)),
            (true, false) => (1.0, 0.0),
            (false, true) => (0.0, 1.0),
            (false, false) if gap == 0.0 => return sum,
            (false, false) => return Bowl { floor: f64::INFINITY, ..sum },
        };
        let costs = self.step(sum.weight, sum.centre, there * gap) + self.step(weight, at, -back * gap);
        Bowl { weight: sum.weight + weight, centre: sum.centre + there * gap, floor: sum.floor + costs }
    }

    #[inline]
    fn bottom(self, sum: Bowl) -> Bottom {
        if self.is_apart { self.meet(sum) } else { self.placed.bottom(sum) }
    }

    fn reach(self, sum: Bowl, level: f64) -> f64 {
        if !self.is_apart {
            return self.placed.reach(sum, level);
        }
        let Bottom { centre, floor } = self.meet(sum);
        if !(level > floor) {
            return centre;
        }
        let (own, other) = (self.part_of_own(), self.part_of(sum));
        let left = level - sum.floor;
        let climb = |part: Part| {
            if part.weight == 0.0 {
                return f64::INFINITY;
            }
            let sign = self.placed.kind.sign;
            let value = self.value(part.raise, part.at);
            part.at + part.raise.factor * self.placed.kind.family.climb(value, sign, left / part.weight)
        };
        // Neither alone costs more than both.
        let mut beyond = climb(own).min(climb(other));
        let mut within = centre;
        if !(beyond > within && beyond < f64::INFINITY) {
            return beyond.max(within);
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (within + beyond);
            if self.cost(own, middle) + self.cost(other, middle - other.at) > left {
                beyond = middle;
            } else {
                within = middle;
            }
        }
        beyond
    }

    fn rise(self, bottom: Bottom, beyond: Bowl, reach: f64, weight: f64, at: f64) -> f64 {
        if !self.is_apart {
            return self.placed.rise(bottom, beyond, reach, weight, at);
        }
        // Up to there the cost is no less than that of what is still ahead; and the arm itself goes down to there at least.
        let together = self.meet(self.plus(beyond, weight, at)).floor - bottom.floor;
        let alone = if reach < at { self.step(weight, at, reach - at) } else { 0.0 };
        together.max(alone).max(0.0)
    }

    /// With a head start nobody asks for it, and nothing is no more than any cost.
    fn parts_at_least(self, weights: (f64, f64), gap: f64) -> (f64, f64) {
        if self.is_apart { (0.0, 0.0) } else { self.placed.parts_at_least(weights, gap) }
    }

    /// The same, and everything is no more than infinity.
    fn level_at_most(self, weights: (f64, f64), gap: f64) -> (f64, f64) {
        if self.is_apart { (f64::INFINITY, f64::INFINITY) } else { self.placed.level_at_most(weights, gap) }
    }

    fn split(self, one: f64, two: f64, gap: f64) -> (f64, f64) {
        if !self.is_apart {
            return self.placed.split(one, two, gap);
        }
        let law = self.of_weight(one);
        let down = -law.meet(law.plus(law.alone(one), two, -gap)).centre;
        (down, gap - down)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FAMILIES: [Family; 3] = [Family::Bernoulli, Family::Poisson, Family::Exponential];

    /// The least over a fine grid, and finer around the best of it, of what it costs two arms to be level, by nothing but the definition.
    fn slowly(family: Family, (own, m): (f64, f64), (weight, c): (f64, f64), place: impl Fn(f64) -> f64) -> f64 {
        let cost = |x: f64| {
            let to = place(x);
            let inside = |v: f64| if family == Family::Bernoulli { (0.0..=1.0).contains(&v) } else { v >= 0.0 };
            if !inside(x) || !inside(to) {
                return f64::INFINITY;
            }
            own * family.divergence(m, x - m) + weight * family.divergence(c, to - c)
        };
        let (mut low, mut high) = (0.0, if family == Family::Bernoulli { 1.0 } else { 8.0 });
        let mut best = f64::INFINITY;
        for _ in 0..12 {
            let step = (high - low) / 200.0;
            let points = (0..=200).map(|i| low + step * f64::from(i)).map(|x| (cost(x), x));
            let (least, at) = points.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            best = best.min(least);
            (low, high) = ((at - step).max(low), (at + step).min(high));
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Two arms of which one has a head start meet where it costs least, whichever of them places are relative to.
        #[test]
        fn arms_meet_where_it_costs_least(
            which in 0usize..3, up in any::<bool>(), m in 0.02..0.98f64, c in 0.02..0.98f64, size in 0.0..0.3f64, relative in any::<bool>(),
            one in -3.0..3.0f64, two in -3.0..3.0f64,
        ) {
            let (family, sign) = (FAMILIES[which], if up { 1.0 } else { -1.0 });
            let (one, two) = (10f64.powf(one), 10f64.powf(two));
            let raise = if relative { Raise { factor: 1.0 + sign * size, by: 0.0 } } else { Raise { factor: 1.0, by: size } };
            let kind = Kind { family, sign };
            // c is raised.
            let (plain, raised) = (sign * m, raise.up(sign * c));
            let from_plain = Shifted::new(kind, plain, Raise::NONE, raise).of_weight(one);
            let fast = from_plain.bottom(from_plain.plus(from_plain.alone(one), two, raised - plain));
            let from_raised = Shifted::new(kind, raised, raise, Raise::NONE).of_weight(two);
            let back = from_raised.bottom(from_raised.plus(from_raised.alone(two), one, plain - raised));
            let turned = from_plain.reversed();
            let turned = turned.bottom(turned.plus(turned.alone(one), two, plain - raised));
            let slow = slowly(family, (one, m), (two, c), |x| sign * raise.down(sign * x));
            if slow == f64::INFINITY {
                prop_assert!(fast.floor > 1e3 || fast.floor == f64::INFINITY, "{fast:?}");
                return Ok(());
            }
            for other in [fast.floor, back.floor, turned.floor] {
                prop_assert!(other <= slow * (1.0 + 1e-12) + 1e-15, "{other} {slow}");
                prop_assert!(other >= slow * (1.0 - 1e-6) - 1e-13, "{other} {slow}");
            }
            let apart = from_plain.price(one, 0.0, fast.centre) + from_plain.step(two, raised - plain, fast.centre - (raised - plain));
            prop_assert!((apart - fast.floor).abs() <= 1e-12 * apart + 1e-300);
            // What is within reach of a level costs no more than it.
            if raised > plain {
                let sum = from_plain.plus(from_plain.alone(one), two, raised - plain);
                let reach = from_plain.reach(sum, fast.floor + 0.3 * one);
                let there = from_plain.price(one, 0.0, reach) + from_plain.step(two, raised - plain, reach - (raised - plain));
                prop_assert!(there >= (fast.floor + 0.3 * one) * (1.0 - 1e-12), "{reach} {there}");
            }
        }

        /// A sum of several is what it is a sum of, in whatever order.
        #[test]
        fn sums_hold(which in 0usize..3, up in any::<bool>(), means in prop::collection::vec(0.05..0.95f64, 4), size in 0.0..0.2f64) {
            let (family, sign) = (FAMILIES[which], if up { 1.0 } else { -1.0 });
            let raise = Raise { factor: 1.0, by: size };
            let law = Shifted::new(Kind { family, sign }, sign * means[0], Raise::NONE, raise).of_weight(2.0);
            let at = |i: usize| raise.up(sign * means[i]) - sign * means[0];
            let sum = |order: [usize; 3]| order.iter().fold(law.alone(2.0), |sum, &i| law.plus(sum, i as f64, at(i)));
            let (one, two) = (sum([1, 2, 3]), sum([3, 1, 2]));
            prop_assert!((one.floor - two.floor).abs() <= 1e-10 * one.floor + 1e-15);
            let bottom = law.bottom(one);
            if bottom.floor < f64::INFINITY {
                let apart = law.price(2.0, 0.0, bottom.centre)
                    + (1..4).map(|i| law.step(i as f64, at(i), bottom.centre - at(i))).sum::<f64>();
                prop_assert!((apart - bottom.floor).abs() <= 1e-9 * apart, "{apart} {bottom:?}");
            }
        }
    }
}
