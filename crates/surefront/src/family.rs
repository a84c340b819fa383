//! One-parameter exponential families in their means: what it costs to move one.
//!
//! w observations with mean m cost w · kl(m, x) when the true mean is x. With h(t) = t − ln(1 + t) ≥ 0 and x = m + δ,
//!
//! - Bernoulli: m h(δ/m) + (1−m) h(−δ/(1−m)),
//! - Poisson: m h(δ/m),
//! - exponential: h(−δ/x),
//! - Gaussian: ½ δ², in units of the variance.
//!
//! All terms are non-negative and take the difference δ as it is, so that nothing is lost to cancellation however close m and x
//! are. The derivative in x is δ / V(x), where V is the variance of one observation. At the edge of the domain (no success
//! yet, no event yet) kl(0, x) is finite, and kl(m, 0) is not.

/// A family of noise laws with one parameter, the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Gaussian; the variance is no part of the family.
    Gaussian,
    /// 1 with the probability that is the mean, otherwise 0.
    Bernoulli,
    /// Counts of events that do not depend on each other.
    Poisson,
    /// Times between such events: as likely to go on, however long they have lasted.
    Exponential,
}

/// Newton's method from the far side of a convex function ends long before; this is for what rounding may do.
const MOST_STEPS: usize = 60;

/// Relative steps that are no progress.
const SETTLED: f64 = 1e-15;

impl Family {
    /// As it is written in a file, and shown.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Gaussian => "gaussian",
            Family::Bernoulli => "bernoulli",
            Family::Poisson => "poisson",
            Family::Exponential => "exponential",
        }
    }

    /// What its observations are, as part of a sentence.
    pub const fn values(self) -> &'static str {
        match self {
            Family::Gaussian => "a number",
            Family::Bernoulli => "0 or 1",
            Family::Poisson => "a whole number, 0 or more",
            Family::Exponential => "a number above 0",
        }
    }

    /// What its means are, as part of a sentence.
    pub const fn means(self) -> &'static str {
        match self {
            Family::Gaussian => "a number",
            Family::Bernoulli => "a number from 0 to 1",
            Family::Poisson => "a number, 0 or more",
            Family::Exponential => "a number above 0",
        }
    }

    /// Whether an observation can have this value.
    pub fn takes_value(self, value: f64) -> bool {
        match self {
            Family::Gaussian => true,
            Family::Bernoulli => value == 0.0 || value == 1.0,
            Family::Poisson => value >= 0.0 && value.fract() == 0.0,
            Family::Exponential => value > 0.0,
        }
    }

    /// Whether it has a law of this mean.
    pub fn takes_mean(self, mean: f64) -> bool {
        match self {
            Family::Gaussian => true,
            Family::Bernoulli => (0.0..=1.0).contains(&mean),
            Family::Poisson => mean >= 0.0,
            Family::Exponential => mean > 0.0,
        }
    }

    /// The variance of one observation at this mean; of a Gaussian, the unit.
    pub fn variance(self, mean: f64) -> f64 {
        match self {
            Family::Gaussian => 1.0,
            Family::Bernoulli => mean * (1.0 - mean),
            Family::Poisson => mean,
            Family::Exponential => mean * mean,
        }
    }

    /// The variance of one observation at `from + by`; near an edge of the domain it keeps its digits.
    #[inline]
    fn variance_beside(self, from: f64, by: f64) -> f64 {
        match self {
            Family::Bernoulli => (from + by) * ((1.0 - from) - by),
            _ => self.variance(from + by),
        }
    }

    /// The variance of one observation where this is the mean of `count` of them: at a mean that half an observation has pulled away from the
    /// edge of the domain, where there would be none.
    pub fn variance_seen(self, mean: f64, count: f64) -> f64 {
        match self {
            Family::Gaussian | Family::Exponential => self.variance(mean),
            Family::Bernoulli => self.variance((mean * count + 0.5) / (count + 1.0)),
            Family::Poisson => mean + 0.5 / count,
        }
    }

    /// kl(from, from + by).
    pub(crate) fn divergence(self, from: f64, by: f64) -> f64 {
        match self {
            _ if by == 0.0 => 0.0,
            Family::Gaussian => 0.5 * by * by,
            Family::Bernoulli => part(from, by) + part(1.0 - from, -by),
            Family::Poisson => part(from, by),
            Family::Exponential => {
                let (from, to) = (from.max(0.0), from + by);
                let t = -by / to;
                if !(to > 0.0) {
                    f64::INFINITY
                } else if t.abs() <= NEAR {
                    gentle(t)
                } else {
                    let ratio = from / to;
                    ratio - 1.0 - ratio.ln()
                }
            }
        }
    }

    /// No more than kl(from, from + by), without a logarithm. With V the variance of one observation, kl is δ²/2 times the mean of 1/V between the two, where a place counts in proportion to how far it is from the
    /// first. 1/V is convex, so this is no less than at the mean place, two thirds of the way.
    #[inline]
    pub(crate) fn divergence_at_least(self, from: f64, by: f64) -> f64 {
        let variance = self.variance_beside(from, 2.0 / 3.0 * by);
        if variance > 0.0 { 0.5 * (by * by) / variance } else { 0.0 }
    }

    /// No less than kl(from, from + by), without a logarithm: the mean of a convex function is no more than that of the chord, a third of 1/V at the first and two thirds of it at the other. From next to the edge of
    /// the domain δ²/V at the other is less; it bounds kl wherever V is concave.
    #[inline]
    pub(crate) fn divergence_at_most(self, from: f64, by: f64) -> f64 {
        let (here, there) = (self.variance_beside(from, 0.0), self.variance_beside(from, by));
        if !(there > 0.0) {
            return if by == 0.0 { 0.0 } else { f64::INFINITY };
        }
        // Of the exponential family V is convex, and it has no edge.
        let is_near = here > 0.0 && (4.0 * here > there || self == Family::Exponential);
        let mean = if is_near { (there + 2.0 * here) / (3.0 * here * there) } else { 2.0 / there };
        0.5 * (by * by) * mean
    }

    /// How far a mean has to go up, or down for a negative `sign`, until that costs `cost`, no less but for the last digits of a cost; to the edge
    /// of the domain where it never does.
    pub(crate) fn climb(self, from: f64, sign: f64, cost: f64) -> f64 {
        if !(cost > 0.0) {
            return 0.0;
        }
        let up = sign > 0.0;
        // Near the edge, the last digit of the way is worth many of the cost.
        const ROUNDING: f64 = 4.0 * f64::EPSILON;
        let room = match (self, up) {
            (Family::Bernoulli, true) => 1.0 - from,
            (Family::Gaussian, _) | (_, true) => f64::INFINITY,
            (_, false) => from,
        };
        let way = match self {
            Family::Gaussian => (2.0 * cost).sqrt(),
            Family::Bernoulli if up => bernoulli_up(from.max(0.0), (1.0 - from).max(0.0), cost),
            Family::Bernoulli => bernoulli_up((1.0 - from).max(0.0), from.max(0.0), cost),
            Family::Poisson if up => match cost / from.max(0.0) {
                relative if relative < f64::INFINITY => from * grows(relative).exp_m1(),
                _ => cost,
            },
            Family::Poisson => match cost / from.max(0.0) {
                relative if relative < f64::INFINITY => -from * (-shrinks(relative)).exp_m1(),
                // To the edge, which may be where it is.
                _ => from.max(0.0),
            },
            Family::Exponential if up => from * shrinks(cost).exp_m1(),
            Family::Exponential => -from * (-grows(cost)).exp_m1(),
        };
        (way * (1.0 + ROUNDING)).min(room.max(0.0))
    }
}

/// Up to here h(t) is summed up as a series; beyond, a logarithm is as fast and loses little more than a digit.
const NEAR: f64 = 0.1;

/// m h(δ/m), which for m = 0 is δ.
#[inline]
fn part(m: f64, by: f64) -> f64 {
    if !(m > 0.0) {
        return by.max(0.0);
    }
    let t = by / m;
    if t.abs() <= NEAR {
        m * gentle(t)
    } else if t <= -1.0 {
        f64::INFINITY
    } else if t < f64::INFINITY {
        by - m * ((m + by) / m).ln()
    } else {
        by
    }
}

/// h(t) = t − ln(1 + t) for |t| ≤ 0.1: with r = t / (2 + t), ln(1 + t) = 2 (r + r³/3 + r⁵/5 + …) and t − 2 r = r t.
#[inline]
fn gentle(t: f64) -> f64 {
    let r = t / (2.0 + t);
    let x = r * r;
    // x is at most 1/361: what is left out is below a unit in the last place. In pairs, which do not wait for each other.
    let (square, low) = (x * x, 1.0 / 3.0 + x * (1.0 / 5.0));
    let high = (1.0 / 11.0 + x * (1.0 / 13.0)) + square * (1.0 / 15.0 + x * (1.0 / 17.0));
    let sum = low + square * ((1.0 / 7.0 + x * (1.0 / 9.0)) + square * high);
    r * (t - 2.0 * x * sum)
}

/// e^v − 1 − v = −h(e^v − 1) + …, without cancellation.
#[inline]
fn excess(v: f64) -> f64 {
    if v.abs() > 0.3 {
        return v.exp_m1() - v;
    }
    // v²/2 (1 + v/3 (1 + v/4 (1 + …)))
    let mut sum = 1.0;
    for n in (3..=16).rev() {
        sum = 1.0 + sum * v / f64::from(n);
    }
    0.5 * v * v * sum
}

/// The v > 0 with e^v − 1 − v = cost.
fn grows(cost: f64) -> f64 {
    // Both bound v from above: e^v − 1 − v ≥ v²/2, and v = ln(1 + cost + v).
    let root = (2.0 * cost).sqrt();
    let start = root.min((cost + root).ln_1p());
    newton(start, |v| (excess(v) - cost, v.exp_m1()))
}

/// The v > 0 with e^(−v) − 1 + v = cost.
fn shrinks(cost: f64) -> f64 {
    // From above, since e^(−v) ≥ (2 − v) / (2 + v).
    let start = 0.5 * (cost + (cost * cost + 8.0 * cost).sqrt());
    newton(start, |v| (excess(-v) - cost, -(-v).exp_m1()))
}

/// How far a success rate p = 1 − q goes up at a cost.
fn bernoulli_up(p: f64, q: f64, cost: f64) -> f64 {
    if q == 0.0 {
        return 0.0;
    }
    if p == 0.0 {
        return -(-cost).exp_m1();
    }
    // All bound the way from above: the variance on it is at most ¼, at most p plus the way, and at most p q where it falls.
    let mut start = (0.5 * cost).sqrt().min(cost + (cost * cost + 2.0 * cost * p).sqrt());
    if p >= 0.5 {
        start = start.min((2.0 * cost * p * q).sqrt());
    }
    // At least p ln p + q ln(q / rest) for what is left to the edge.
    let rest = q * ((p * p.ln() - cost) / q).exp();
    start = start.min(q - rest);
    if !(start < q) {
        return q;
    }
    newton(start, |way| {
        let rest = q - way;
        (part(p, way) + part(q, -way) - cost, way / ((p + way) * rest))
    })
    .min(q)
}

/// The zero of a convex increasing function, given with its derivative, from a place above it.
fn newton(start: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut at = start;
    for _ in 0..MOST_STEPS {
        let (value, slope) = function(at);
        let next = at - value / slope;
        // Written so that NaN ends it. Below the zero, or no nearer: rounding is all that is left.
        if !(next < at * (1.0 - SETTLED)) || !(next > 0.0) {
            break;
        }
        at = next;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FAMILIES: [Family; 3] = [Family::Bernoulli, Family::Poisson, Family::Exponential];

    /// A number as an unevaluated sum of two: about 32 digits.
    #[derive(Clone, Copy)]
    struct Twofold(f64, f64);

    impl Twofold {
        fn new(x: f64) -> Self {
            Twofold(x, 0.0)
        }

        fn sum(a: f64, b: f64) -> Self {
            let sum = a + b;
            let part = sum - a;
            Twofold(sum, (a - (sum - part)) + (b - part))
        }

        fn plus(self, other: Twofold) -> Self {
            let high = Twofold::sum(self.0, other.0);
            Twofold::sum(high.0, high.1 + self.1 + other.1)
        }

        fn minus(self, other: Twofold) -> Self {
            self.plus(Twofold(-other.0, -other.1))
        }

        fn times(self, other: Twofold) -> Self {
            let high = self.0 * other.0;
            let low = self.0.mul_add(other.0, -high) + self.0 * other.1 + self.1 * other.0;
            Twofold::sum(high, low)
        }

        fn over(self, other: Twofold) -> Self {
            let first = self.0 / other.0;
            let rest = self.minus(other.times(Twofold::new(first)));
            let second = rest.0 / other.0;
            let rest = rest.minus(other.times(Twofold::new(second)));
            Twofold::sum(first, second).plus(Twofold::new(rest.0 / other.0))
        }

        /// ln(1 + t): near zero as a series, so that its digits are those of t, and else by Newton's method on exp.
        fn ln_1p(self) -> Self {
            if self.0.abs() < 0.1 {
                let (mut term, mut sum) = (self, self);
                for n in 2..36 {
                    term = term.times(Twofold(-self.0, -self.1));
                    sum = sum.plus(term.over(Twofold::new(f64::from(n))));
                }
                return sum;
            }
            let whole = self.plus(Twofold::new(1.0));
            let mut y = Twofold::new(whole.0.ln());
            for _ in 0..2 {
                y = y.plus(whole.over(y.exp())).minus(Twofold::new(1.0));
            }
            y
        }

        fn exp(self) -> Self {
            let halved = Twofold(self.0 / 1024.0, self.1 / 1024.0);
            let (mut term, mut sum) = (Twofold::new(1.0), Twofold::new(1.0));
            for n in 1..30 {
                term = term.times(halved).over(Twofold::new(f64::from(n)));
                sum = sum.plus(term);
            }
            (0..10).fold(sum, |power, _| power.times(power))
        }
    }

    /// kl(m, m + δ) as it stands in books, with twice the digits.
    fn by_the_book(family: Family, m: f64, by: f64) -> f64 {
        let (from, by) = (Twofold::new(m), Twofold::new(by));
        let (one, less) = (Twofold::new(1.0), Twofold::new(0.0).minus(by));
        // m ln(m / x)
        let term = |from: Twofold, by: Twofold| Twofold::new(0.0).minus(from.times(by.over(from).ln_1p()));
        match family {
            Family::Gaussian => 0.5 * by.0 * by.0,
            Family::Bernoulli => term(from, by).plus(term(one.minus(from), less)).0,
            Family::Poisson => term(from, by).plus(by).0,
            Family::Exponential => by.over(from).ln_1p().minus(by.over(from.plus(by))).0,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn the_divergence_has_all_its_digits(
            which in 0usize..3, base in -9.0..9.0f64, edge in any::<bool>(), step in -7.0..0.0f64, up in any::<bool>(),
        ) {
            let family = FAMILIES[which];
            let (m, room) = if family == Family::Bernoulli {
                let m = 10f64.powf(-base.abs()).min(0.5);
                let m = if edge { 1.0 - m } else { m };
                (m, if up { 1.0 - m } else { m })
            } else {
                let m = 10f64.powf(base);
                (m, if up { 1e3 * m } else { m })
            };
            // By a part of the way to the edge, or of the mean, down to a ten-millionth.
            let by = room * 10f64.powf(step) * 0.999 * if up { 1.0 } else { -1.0 };
            let (fast, slow) = (family.divergence(m, by), by_the_book(family, m, by));
            prop_assert!((fast - slow).abs() <= 1e-13 * slow, "{family:?}: kl({m}, {m} + {by}) = {slow}, not {fast}");
        }

        /// Bounds without a logarithm, from the edge of the domain as well, and not far off where the means are near each other.
        #[test]
        fn quick_bounds_hold(
            which in 0usize..4, base in -9.0..9.0f64, edge in any::<bool>(), step in -7.0..0.0f64, up in any::<bool>(), at_edge in any::<bool>(),
        ) {
            let family = [Family::Bernoulli, Family::Poisson, Family::Exponential, Family::Gaussian][which];
            let (m, room) = match family {
                Family::Bernoulli => {
                    let m = if at_edge && base > 0.0 { 0.0 } else { 10f64.powf(-base.abs()).min(0.5) };
                    let m = if edge { 1.0 - m } else { m };
                    (m, if up { 1.0 - m } else { m })
                }
                Family::Poisson if at_edge && up => (0.0, 10f64.powf(base)),
                _ => (10f64.powf(base), if up { 1e3 } else { 1.0 } * 10f64.powf(base)),
            };
            let by = room * 10f64.powf(step) * 0.999 * if up { 1.0 } else { -1.0 };
            let exact = family.divergence(m, by);
            let (low, high) = (family.divergence_at_least(m, by), family.divergence_at_most(m, by));
            let off = 1e-12 * exact;
            prop_assert!(low <= exact + off && exact <= high + off, "{family:?} {m} {by}: {low} {exact} {high}");
            if by.abs() < 0.1 * family.variance(m).sqrt().min(family.variance(m)) {
                prop_assert!(low > 0.95 * exact && high < 1.1 * exact, "{family:?} {m} {by}: {low} {exact} {high}");
            }
        }

        /// How far a cost goes is where it costs that, up to what the last digit of the place can say.
        #[test]
        fn climbing_ends_where_it_costs_as_much(
            which in 0usize..3, base in -9.0..9.0f64, edge in any::<bool>(), cost in -14.0..2.0f64, up in any::<bool>(),
        ) {
            let family = FAMILIES[which];
            let m = match family {
                Family::Bernoulli if edge => 1.0 - 10f64.powf(-base.abs()).min(0.5),
                Family::Bernoulli => 10f64.powf(-base.abs()).min(0.5),
                _ => 10f64.powf(base),
            };
            let (sign, cost) = (if up { 1.0 } else { -1.0 }, 10f64.powf(cost));
            let way = family.climb(m, sign, cost);
            prop_assert!(way > 0.0 && way < f64::INFINITY, "{family:?} {m} {cost}: {way}");
            // Never short of it, but for rounding.
            let (near, far) = (way * (1.0 - 1e-12), way * (1.0 + 1e-12));
            prop_assert!(family.divergence(m, sign * near) <= cost * (1.0 + 1e-12), "{family:?} {m} {cost}: {way} is too far");
            prop_assert!(
                !(family.divergence(m, sign * far) < cost * (1.0 - 1e-12)) || !family.takes_mean(m + sign * far),
                "{family:?} {m} {cost}: {way} is too near"
            );
        }
    }

    #[test]
    fn at_the_edge_it_is_finite_one_way_only() {
        assert!((Family::Bernoulli.divergence(0.0, 0.25) + 0.75f64.ln()).abs() < 1e-16);
        assert!((Family::Bernoulli.divergence(1.0, -0.25) + 0.75f64.ln()).abs() < 1e-16);
        assert_eq!(Family::Bernoulli.divergence(0.25, -0.25), f64::INFINITY);
        assert_eq!(Family::Bernoulli.divergence(0.25, 0.75), f64::INFINITY);
        assert_eq!(Family::Poisson.divergence(0.0, 3.0), 3.0);
        assert_eq!(Family::Poisson.divergence(3.0, -3.0), f64::INFINITY);
        assert_eq!(Family::Exponential.divergence(3.0, -3.0), f64::INFINITY);
        for family in FAMILIES {
            assert_eq!(family.divergence(0.5, 0.0), 0.0);
            assert_eq!(family.climb(0.5, 1.0, 0.0), 0.0);
        }
        assert_eq!(Family::Bernoulli.climb(1.0, 1.0, 2.0), 0.0);
        assert_eq!(Family::Bernoulli.climb(0.5, 1.0, f64::INFINITY), 0.5);
        assert!((Family::Bernoulli.climb(0.0, 1.0, 2f64.ln()) - 0.5).abs() < 1e-15);
        assert!((Family::Poisson.climb(0.0, 1.0, 2.5) - 2.5).abs() < 1e-14);
        assert_eq!(Family::Poisson.climb(0.0, -1.0, 2.5), 0.0);
        // However much it may cost, there is an end one way only.
        for family in [Family::Poisson, Family::Exponential] {
            assert_eq!(family.climb(3.0, -1.0, f64::INFINITY), 3.0, "{family:?}");
            assert_eq!(family.climb(3.0, 1.0, f64::INFINITY), f64::INFINITY, "{family:?}");
        }
        // Tiny and huge.
        assert_eq!(Family::Poisson.divergence(1e-310, 1.0), 1.0);
        assert!((Family::Exponential.divergence(1e70, 1e70) - (2f64.ln() - 0.5)).abs() < 1e-15);
    }

    #[test]
    fn values_and_means_are_told_apart() {
        for (family, good, bad) in [
            (Family::Bernoulli, vec![0.0, 1.0], vec![0.5, 2.0, -1.0, f64::NAN]),
            (Family::Poisson, vec![0.0, 7.0], vec![0.5, -1.0, f64::NAN]),
            (Family::Exponential, vec![1e-9, 7.5], vec![0.0, -1.0, f64::NAN]),
        ] {
            assert!(good.iter().all(|&value| family.takes_value(value)), "{family:?}");
            assert!(bad.iter().all(|&value| !family.takes_value(value)), "{family:?}");
        }
        assert!(Family::Bernoulli.takes_mean(0.5) && !Family::Bernoulli.takes_mean(1.5));
        assert!(Family::Poisson.takes_mean(0.0) && !Family::Exponential.takes_mean(0.0));
    }
}
