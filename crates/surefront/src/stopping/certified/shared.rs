//! Two arms that share a variance with others, which all of them tell of.

use super::few::Few;
use super::least::descend;
use super::student::lean::{Lean, other_side, sag};
use super::student::{Rise, Width, shift_price};
use super::term::Unknown;

/// How much more an arm's own deviation beyond its mean has to be worth than nothing before all but the other side of its shift is given away.
const SWITCH: f64 = 5.5;

/// What all arms that share a variance say of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pool {
    /// How many there are.
    pub arms: usize,
    /// Σ (n − 1).
    pub freedom: f64,
    /// About that, rounded down.
    pub about: f64,
    /// The sum of squares around the arms' own means.
    pub squares: f64,
    /// The width of the prior of the variance, where a lesson chose it.
    pub spread: Option<f64>,
    /// How a proof grows with a shift, at each width, but for the shifts' prices; nothing before there are observations.
    pub unknowns: Option<Few<Unknown>>,
}

impl Pool {
    /// A width for two arms of the pool.
    pub fn width(&self, width: Width) -> Width {
        match self.spread {
            None => width.shared(self.arms),
            Some(spread) => Width { spread, ..width },
        }
    }
}

/// Two arms that share a variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub pool: Pool,
    pub counts: (f64, f64),
    pub gap: f64,
    /// Each arm's; the spread is the same.
    pub widths: Few<(Width, Width)>,
}

impl Shared {
    /// At each width.
    pub fn proofs(&self) -> Few<f64> {
        self.widths.map(|widths| self.proof(widths))
    }

    /// At each width: no less than the proof.
    pub fn glances(&self) -> Few<f64> {
        self.widths.map(|widths| self.pair(widths).glance())
    }

    /// At each width: no more than the proof.
    pub fn floors(&self) -> Few<f64> {
        self.widths.map(|widths| self.pair(widths).floor())
    }

    /// The least over the common mean and the variance of the logarithm of the mixture: never more than it.
    fn proof(&self, widths: (Width, Width)) -> f64 {
        self.pair(widths).least()
    }

    fn pair(&self, (one, two): (Width, Width)) -> Pair {
        let (n, m) = self.counts;
        let rise = Rise::new(shift_price(n, one) + shift_price(m, two), self.pool.freedom + 2.0, one);
        // In units of the sum of squares. Less of a gap is less of a proof, so nothing need overflow.
        let gap = (self.gap / self.pool.squares.sqrt()).min(1e15);
        Pair { one: Pull::new(n, one), two: Pull::new(m, two), gap, rise, lean: rise.lean() }
    }
}

/// One of two arms that share a variance: its deviation v adds α v² to A − A′ and β v² to A′.
#[derive(Clone, Copy, Debug)]
struct Pull {
    /// α = n²/(n+c).
    shift: f64,
    /// β = nc/(n+c).
    noise: f64,
}

impl Pull {
    fn new(count: f64, width: Width) -> Self {
        let shift = count * count / (count + width.shift);
        Pull { shift, noise: count - shift }
    }
}

/// Two arms that share a variance, at one width; the sum of squares of all arms around their own means is one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    one: Pull,
    two: Pull,
    gap: f64,
    rise: Rise,
    lean: Lean<2>,
}

impl Pair {
    /// The arms' parts of r − 1 if their means are off by so much.
    #[inline]
    fn parts(&self, one: f64, two: f64) -> [f64; 2] {
        let (v, u) = (one * one, two * two);
        let squares = 1.0 + self.one.noise * v + self.two.noise * u;
        [self.one.shift * v / squares, self.two.shift * u / squares]
    }

    /// The least λ that r − 1 takes is where the least over x of Σ (α_k − λ β_k)(x − x̄_k)² − λ is zero: the lesser root of a quadratic equation. And the x.
    fn root(&self) -> (f64, f64) {
        let (one, two, gap) = (self.one, self.two, self.gap * self.gap);
        let constant = one.shift * two.shift * gap;
        let linear = (one.shift * two.noise + two.shift * one.noise) * gap + one.shift + two.shift;
        let square = one.noise * two.noise * gap + one.noise + two.noise;
        let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
        let least = (2.0 * constant / (linear + root)).min(one.shift / one.noise).min(two.shift / two.noise);
        let (q, p) = (one.shift - least * one.noise, two.shift - least * two.noise);
        (least, if q + p > 0.0 { self.gap * p / (q + p) } else { 0.5 * self.gap })
    }

    /// Between the means.
    #[inline]
    fn at(&self, x: f64) -> f64 {
        let parts = self.parts(x, self.gap - x);
        self.rise.value(parts[0] + parts[1]) + self.lean.lift(parts[0] + parts[1], parts)
    }

    /// Where the even mixture has its least.
    fn glance(&self) -> f64 {
        self.at(self.root().1)
    }

    /// The least of the even mixture between the means, and the first bounds beyond them.
    fn floor(&self) -> f64 {
        let inside = self.rise.value(self.root().0);
        let beyond = |pair: &Pair| {
            let switch = pair.switch();
            pair.near(0.0, switch).min(pair.far(switch))
        };
        inside.min(beyond(self)).min(beyond(&self.turned()))
    }

    /// The second arm first.
    fn turned(&self) -> Pair {
        Pair { one: self.two, two: self.one, ..*self }
    }

    fn least(&self) -> f64 {
        let (excess, x) = self.root();
        let at = |x: f64| self.at(x);
        // r falls towards x; the first arm's part of r − 1 grows on the way from its mean, and so does the second's from its own.
        let bound = |low: f64, high: f64| {
            let (left, right) = (self.parts(low, self.gap - low), self.parts(high, self.gap - high));
            let (from, to) = (left[0] + left[1], right[0] + right[1]);
            let least = if low < x && x < high { excess } else { from.min(to) };
            self.rise.value(least) + self.lean.lift(from.max(to), [left[0], right[1]])
        };
        let mut best = at(x);
        // How far it is from x until the logarithm is one more, about: cuts there save many others.
        let bow = (self.one.shift + self.two.shift) * self.rise.slope(excess);
        let step = bow.recip().sqrt();
        let mut cuts = [0.0, x - 1.3 * step, x - 0.5 * step, x, x + 0.5 * step, x + 1.3 * step, self.gap];
        cuts.iter_mut().for_each(|cut| *cut = cut.clamp(0.0, self.gap));
        let parts = cuts.windows(2).filter(|ends| ends[0] < ends[1]);
        let inside =
            parts.fold(f64::INFINITY, |least, ends| least.min(descend((ends[0], ends[1]), &mut best, &at, &bound)));
        let beyond = self.beyond(&mut best);
        inside.min(beyond).min(self.turned().beyond(&mut best))
    }

    /// Beyond the first arm's mean, by v: either its squares count as noise, or all but the other side of its shift is given away.
    fn beyond(&self, best: &mut f64) -> f64 {
        let switch = self.switch();
        let near = |low: f64, high: f64| self.near(low, high);
        self.far(switch).min(descend((0.0, switch), best, &|v| near(v, v), &near))
    }

    /// No more than the least for v from `low` to `high`, if its squares count as noise.
    fn near(&self, low: f64, high: f64) -> f64 {
        let (one, two) = (self.one, self.two);
        let other = self.gap + low;
        let noise = (one.shift + one.noise) * high * high;
        let excess = two.shift * other * other / (1.0 + two.noise * other * other + noise);
        let own = one.shift * high * high / (1.0 + one.noise * high * high + two.noise * other * other);
        let seen = self.rise.seen(own);
        self.rise.value(excess) + sag(seen) + self.lean.lift_beside(excess, seen)
    }

    /// No more than the least from `low` on, if all but the other side of its shift is given away.
    fn far(&self, low: f64) -> f64 {
        let (one, two) = (self.one, self.two);
        let parts = self.parts(low, self.gap + low);
        let limit = ((one.shift + two.shift) / (one.noise + two.noise)).min(two.shift / two.noise);
        self.rise.value((parts[0] + parts[1]).min(limit)) + other_side()
    }

    /// From which v on that is the better bound.
    fn switch(&self) -> f64 {
        let switch = self.rise.rises_by(SWITCH);
        let rest = self.one.shift - self.one.noise * switch;
        if rest > 0.0 { (switch / rest).min(1e6).sqrt() } else { 1e3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::ln_cdf;
    use crate::stopping::certified::student::WIDTHS;
    use crate::stopping::certified::student::lean::ln_weight;

    /// ln of the leaning mixture by its definition, with the deviations of the two arms' means towards each other, from the null's, at the variance 1/t: the
    /// shifts are integrated out given ρ, and ρ on a grid.
    fn slow_mixture(pool: Pool, counts: (f64, f64), width: Width, off: (f64, f64), t: f64) -> f64 {
        let (c, a, freedom) = (width.shift, width.spread, pool.freedom + 2.0);
        let q = t * (pool.squares + counts.0 * off.0 * off.0 + counts.1 * off.1 * off.1);
        let shift = |n: f64, v: f64| v.signum() * (t * n * n * v * v / (n + c)).sqrt();
        let (u, v) = (shift(counts.0, off.0), shift(counts.1, off.1));
        let (steps, reach) = (30, 5.0);
        let nu = freedom + a;
        let rest = 0.5 * (a + q - u * u - v * v);
        // Around the mode of ln ρ, in its standard deviations; relative to the integral of the gamma density, which `Rise` knows.
        let log = |y: f64| 0.5 * nu * y - rest * y.exp();
        let mode = (0.5 * nu / rest).ln();
        let (mut sum, mut all) = (0.0, 0.0);
        for i in -steps..=steps {
            let y = mode + reach * f64::from(i) / f64::from(steps) / (0.5 * nu).sqrt();
            let weight = (log(y) - log(mode)).exp();
            let side = |u: f64| ln_weight(ln_cdf(u * (0.5 * y).exp()).0.exp());
            all += weight;
            sum += weight * (side(u) + side(v)).exp();
        }
        let price = Rise::new(shift_price(counts.0, width) + shift_price(counts.1, width), freedom, width).price;
        price + 0.5 * (q - freedom) - 0.5 * nu * (2.0 * rest / nu).ln() + (sum / all).ln()
    }

    /// Against a grid of common means, between the arms' and beyond, and variances.
    #[test]
    fn a_shared_variance_is_minimised_out() {
        for width in WIDTHS {
            for (counts, gap) in [
                ((5.0, 9.0), 1.7),
                ((40.0, 15.0), 1.1),
                ((60.0, 60.0), 0.8),
                ((300.0, 30.0), 0.7),
                ((8.0, 1000.0), 1.9),
                ((8.0, 1000.0), 30.0),
                ((6.0, 6.0), 30.0),
            ] {
                let (arms, freedom) = (7, 150.0 + counts.0 + counts.1);
                let pool = Pool { arms, freedom, about: freedom, squares: 0.9 * freedom, spread: None, unknowns: None };
                let wide = pool.width(width);
                let fast = Shared { pool, counts, gap, widths: Few::one((wide, wide)) }.proof((wide, wide));
                let at = |x: f64| {
                    let off = (x, gap - x);
                    let all = pool.squares + counts.0 * off.0 * off.0 + counts.1 * off.1 * off.1;
                    let kept = |n: f64, v: f64| n * v * v * wide.shift / (n + wide.shift);
                    let within = pool.squares + kept(counts.0, off.0) + kept(counts.1, off.1);
                    let even = ((freedom + 2.0 + wide.spread) / all - wide.spread / within).max(0.0);
                    let far = (0..20).map(|i| (freedom + 2.0) / all * (f64::from(i) / 3.0 - 5.0).exp());
                    let near = (0..=20).map(|i| even * (0.8 + f64::from(i) / 50.0));
                    let log = |t: f64| slow_mixture(pool, counts, wide, off, t);
                    far.chain(near).map(log).fold(log(0.0), f64::min)
                };
                let (mut low, mut high, mut slow) = (-3.0 * gap, 4.0 * gap, f64::INFINITY);
                for _ in 0..3 {
                    let step = (high - low) / 30.0;
                    let points = (0..=30).map(|i| low + step * f64::from(i));
                    let best = points.map(|x| (at(x), x)).reduce(|a, b| if b.0 < a.0 { b } else { a }).unwrap();
                    slow = slow.min(best.0);
                    (low, high) = (best.1 - 1.5 * step, best.1 + 1.5 * step);
                }
                assert!(fast <= slow + 1e-6, "{width:?} {counts:?}: {fast} {slow}");
                // Where the spread is not far beyond what there is to be known.
                if slow > 2.0 && slow < 14.0 && wide.spread < 2.0 * freedom {
                    assert!(fast >= slow - 0.06, "{width:?} {counts:?}: {fast} {slow}");
                }
            }
        }
    }
}
