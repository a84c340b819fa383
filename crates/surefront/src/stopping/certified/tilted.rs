//! The proof that one arm is ahead of another where the noise has one parameter, its mean (docs/certified.md, "One-parameter families").
//!
//! Under the null both arms have the mean x. The alternatives are tilts of it: the odds of a success rate, or the rate of events, times exp(θ) for the arm that is
//! said to have more, times exp(−θ) for the other. The logarithm of a likelihood ratio is θ s − n ln(1 + x (exp θ − 1)) for s successes in n trials, and
//! θ s − n x (exp θ − 1) for s events in the exposure n. Times between events are events in the exposure of their sum, with x one over their mean.
//!
//! Both are convex in x for every θ, hence so is the logarithm of a mixture, and so is the sum for both arms: its least value is found between tangents.

use std::sync::LazyLock;

use super::about::ln_two_cdf;
use super::bracket::Bracket;
use super::mixture::Care;
use super::tilt::{ATOMS, BELOW_ONE, Prior, TILTS};
use crate::family::Family;
use crate::law::Kind;
use crate::range::Range;

/// The inverse squares of the widths that are mixed where nothing is known of the tilts: each is for proofs that come at 3 to 30 times as much information.
const SCALES: [f64; 4] = [0.5, 8.0, 130.0, 2000.0];

/// The same for values of which only the range is known, in units of the sum of their squares around their mean.
const WALK_SCALES: [f64; 4] = [2.0, 16.0, 130.0, 1500.0];

/// So many mixtures there are at most: at each width, and for ranges twice.
const MOST: usize = 8;

/// Priors of one width, to choose from: from 12 down, each so much narrower than the last.
const NARROWER: f64 = 1.25;
const WIDEST: f64 = 12.0;
const WIDTHS: i32 = 64;

/// How far what is returned may be below the least value.
const TOLERANCE: f64 = 1e-5;

/// How far apart the ends of a bracket may be.
const ROUGHLY: f64 = 0.3;

/// What keeps the result below the least value in spite of rounding: as such, and in parts of the largest numbers that were added up.
const SAFETY: f64 = 1e-9;
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// More steps than ever seen; what is left then is bounded all the same.
const MOST_STEPS: usize = 80;

static LADDER: LazyLock<[Prior; 4]> = LazyLock::new(|| SCALES.map(|scale| Prior::half_normal(scale.sqrt().recip())));

static SINGLE: LazyLock<Vec<Prior>> =
    LazyLock::new(|| (0..WIDTHS).map(|i| Prior::half_normal(WIDEST * NARROWER.powi(-i))).collect());

static WALK_LADDER: LazyLock<[Prior; 4]> =
    LazyLock::new(|| WALK_SCALES.map(|scale| Prior::half_normal(scale.sqrt().recip()).below_one()));

static WALK_SINGLE: LazyLock<Vec<Prior>> = LazyLock::new(|| SINGLE.iter().map(|prior| prior.below_one()).collect());

/// −ln(1 − θ) − θ, for tilts below one.
static BRAKES: LazyLock<[f64; BELOW_ONE]> =
    LazyLock::new(|| std::array::from_fn(|i| if i == 0 { 0.0 } else { brake(TILTS[i]) }));

/// −ln(1 − θ) − θ.
fn brake(tilt: f64) -> f64 {
    if tilt > 0.1 {
        return -(-tilt).ln_1p() - tilt;
    }
    // θ²/2 + θ³/3 + …
    (2..14).rev().fold(0.0, |sum, n| tilt * (sum + 1.0 / f64::from(n))) * tilt
}

/// By tilt: exp θ − 1, and that less θ.
struct Powers {
    less_one: [f64; ATOMS],
    excess: [f64; ATOMS],
}

/// Upwards, and downwards.
static POWERS: LazyLock<[Powers; 2]> = LazyLock::new(|| {
    [1.0, -1.0].map(|sign| Powers {
        less_one: TILTS.map(|tilt| (sign * tilt).exp_m1()),
        excess: TILTS.map(|tilt| excess(sign * tilt)),
    })
});

/// exp v − 1 − v.
fn excess(v: f64) -> f64 {
    if v.abs() > 0.1 {
        return v.exp_m1() - v;
    }
    0.5 * v * v * (1.0 + v / 3.0 * (1.0 + v / 4.0 * (1.0 + v / 5.0 * (1.0 + v / 6.0 * (1.0 + v / 7.0)))))
}

/// What the tilts of an arm are thought to be, before the observations that are proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tilts {
    /// Nothing is known: several widths are mixed, both arms of a claim having the same.
    Any,
    /// One width was chosen.
    Width(u8),
    /// One width was chosen for each of the two mixtures for values of which only the range is known.
    Widths(u8, u8),
}

impl Tilts {
    /// For proofs that come at about six times so much information.
    pub fn for_scale(scale: f64) -> Self {
        Tilts::Width(place_for(scale))
    }

    /// The same for either of the mixtures of values of which only the range is known.
    pub fn for_scales(rate: f64, walk: f64) -> Self {
        Tilts::Widths(place_for(rate), place_for(walk))
    }

    fn priors(self) -> &'static [Prior] {
        match self {
            Tilts::Any => &*LADDER,
            Tilts::Width(place) | Tilts::Widths(place, _) => std::slice::from_ref(&SINGLE[usize::from(place)]),
        }
    }

    fn walk_priors(self) -> &'static [Prior] {
        match self {
            Tilts::Any => &*WALK_LADDER,
            Tilts::Width(place) | Tilts::Widths(_, place) => std::slice::from_ref(&WALK_SINGLE[usize::from(place)]),
        }
    }

    /// The inverse squares of the widths.
    fn scales(self) -> ([f64; 4], usize) {
        match self {
            Tilts::Any => (SCALES, 4),
            Tilts::Width(place) | Tilts::Widths(place, _) => ([scale_at(place); 4], 1),
        }
    }

    fn walk_scales(self) -> ([f64; 4], usize) {
        match self {
            Tilts::Any => (WALK_SCALES, 4),
            Tilts::Width(place) | Tilts::Widths(_, place) => ([scale_at(place); 4], 1),
        }
    }
}

fn place_for(scale: f64) -> u8 {
    let width = scale.max(1e-9).sqrt().recip();
    (WIDEST / width).log(NARROWER).round().clamp(0.0, f64::from(WIDTHS - 1)) as u8
}

fn scale_at(place: u8) -> f64 {
    (WIDEST * NARROWER.powi(-i32::from(place))).powi(-2)
}

/// What one observation tells of a tilt, where this is the mean of `count` of them.
pub(super) fn information(kind: Kind, mean: f64, count: f64) -> f64 {
    match kind.family {
        Family::Exponential => 1.0,
        family => family.variance_seen(kind.sign * mean, count),
    }
}

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

/// What the null is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Null {
    /// A success rate, from 0 to 1.
    Rate,
    /// A rate of events, 0 or more.
    Events,
    /// The mean of values of which only the range is known, as a part of it.
    Part,
}

/// One arm: its events in so many trials, or in such an exposure.
#[derive(Clone, Copy, Debug)]
struct Heap {
    trials: f64,
    events: f64,
    walk: f64,
    tilts: Tilts,
}

/// An arm as it is under the null.
#[derive(Clone, Copy, Debug)]
enum Stand {
    /// Without noise: the null is this.
    Pinned(f64),
    Noisy(Heap),
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
}

/// The logarithm of a martingale as a function of the null, at one place.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    value: f64,
    slope: f64,
    curve: f64,
    /// The sum of the arms' slopes in size.
    pull: f64,
}

/// The same of one arm at each width.
#[derive(Clone, Copy, Debug, Default)]
struct Points([Point; MOST]);

/// A place with its point.
#[derive(Clone, Copy, Debug)]
struct Touch {
    x: f64,
    point: Point,
}

impl Duel {
    /// `one` is ahead of `two`, or the other way round where that is what the means say.
    pub fn new(kind: Kind, one: Contender, two: Contender) -> Self {
        let null = if kind.family == Family::Bernoulli { Null::Rate } else { Null::Events };
        let stand = |contender: Contender| {
            let mean = kind.sign * contender.mean;
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
        Duel::between(null, upper, lower, level(upper, lower))
    }

    /// The same where only the range of the values is known; `sign` is −1 where less is better.
    pub fn within(range: Range, sign: f64, one: Contender, two: Contender) -> Self {
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
        Duel::between(Null::Part, upper, lower, middle(upper, lower))
    }

    fn between(null: Null, upper: Stand, lower: Stand, level: f64) -> Self {
        let costs = (upper.cost(null, level), lower.cost(null, level));
        let walks =
            if null == Null::Part { (upper.most_walk(level, 1.0), lower.most_walk(level, -1.0)) } else { (0.0, 0.0) };
        Duel { null, upper, lower, costs, walks, level }
    }

    /// The least cost of making the arms level: no proof is more.
    pub fn cost(&self) -> f64 {
        (self.costs.0 + self.costs.1).max(self.walks.0 + self.walks.1)
    }

    /// About the proof: at the best of the widths, by the costs.
    pub fn about(&self) -> f64 {
        if self.cost() == f64::INFINITY {
            return f64::INFINITY;
        }
        let (one, two) = (
            self.upper.information(self.null, self.level, self.costs.0),
            self.lower.information(self.null, self.level, self.costs.1),
        );
        let ((one_scales, count), (two_scales, other)) = (self.upper.scales(), self.lower.scales());
        let count = count.max(other);
        let mut best = f64::NEG_INFINITY;
        for (s, t) in one_scales.into_iter().zip(two_scales).take(count) {
            let (a, b) = (self.costs.0 * one / (one + s), self.costs.1 * two / (two + t));
            let gains = ln_two_cdf((2.0 * a).sqrt()) + ln_two_cdf((2.0 * b).sqrt());
            best = best.max(a + b + gains - 0.5 * ((1.0 + one / s) * (1.0 + two / t)).ln());
        }
        if self.null == Null::Part {
            return best.max(self.about_walks()) - (2.0 * count as f64).ln();
        }
        best - (count as f64).ln()
    }

    /// The same for the other mixture, where only the range is known: θ D − ψ V is at least (V + c) h(D / (V + c)) with h(u) = 1 + u − √(1 + 2u), a prior of the scale c included.
    fn about_walks(&self) -> f64 {
        let ((one_scales, count), (two_scales, other)) = (self.upper.walk_scales(), self.lower.walk_scales());
        let mut best = f64::NEG_INFINITY;
        for (s, t) in one_scales.into_iter().zip(two_scales).take(count.max(other)) {
            best = best.max(self.upper.about_walk(self.level, 1.0, s) + self.lower.about_walk(self.level, -1.0, t));
        }
        best
    }

    /// About the proof where the means are level: what it costs not to know the tilts.
    pub fn price(&self) -> f64 {
        Duel { costs: (0.0, 0.0), ..*self }.about()
    }

    /// The proof: never more than the least over all nulls of the logarithm of the mixture; at a glance no less than that.
    pub fn proof(&self, care: Care) -> f64 {
        if self.cost() == f64::INFINITY {
            return f64::INFINITY;
        }
        match care {
            _ if self.is_idle() => 0.0,
            Care::Glance => self.at(self.level).value,
            Care::Full => self.least(TOLERANCE).low,
        }
    }

    /// Between which numbers that is.
    pub fn bracket(&self) -> Bracket {
        let proof = |proof: f64| Bracket { low: proof, high: proof };
        if self.cost() == f64::INFINITY {
            proof(f64::INFINITY)
        } else if self.is_idle() {
            proof(0.0)
        } else {
            let Bracket { low, high } = self.least(ROUGHLY);
            // The exact one is less than the least by as much as it may be.
            Bracket { low: low - TOLERANCE, high }
        }
    }

    /// Whether an arm has not been observed: then there is nothing to move.
    fn is_idle(&self) -> bool {
        let idle = |stand: Stand| matches!(stand, Stand::Noisy(heap) if heap.trials == 0.0);
        idle(self.upper) || idle(self.lower)
    }

    /// Both arms at a null, mixed over the widths.
    fn at(&self, x: f64) -> Point {
        let ((one, first), (two, second)) = (self.upper.at(self.null, x, 0), self.lower.at(self.null, x, 1));
        let count = first.max(second);
        let sums: [Point; MOST] = std::array::from_fn(|i| one.0[i].plus(two.0[i]));
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
    fn least(&self, apart: f64) -> Bracket {
        if let (Stand::Pinned(x), _) | (_, Stand::Pinned(x)) = (self.upper, self.lower) {
            let point = self.at(x);
            return Bracket { low: point.value - rounding(x, point), high: point.value };
        }
        let end = if self.null == Null::Events { f64::INFINITY } else { 1.0 };
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
                _ if next > low && next < high && next < 20.0 * x => next,
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
                (_, None) => 20.0 * x,
            };
        }
        Bracket { low: floor - slack, high: best }
    }
}

impl Stand {
    /// What it costs to move the arm to the null.
    fn cost(self, null: Null, x: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, .. }) = self else { return 0.0 };
        if trials == 0.0 {
            return 0.0;
        }
        let mean = events / trials;
        let family = if null == Null::Events { Family::Poisson } else { Family::Bernoulli };
        trials * family.divergence(mean, x - mean)
    }

    /// What its observations tell of its tilt, about, if it costs so much to move it to the null: the cost is half of it times the square of the tilt. Half an observation keeps
    /// the tilt finite at the edge of the domain.
    fn information(self, null: Null, x: f64, cost: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, .. }) = self else { return 0.0 };
        let (tilt, local) = match null {
            Null::Rate | Null::Part => {
                let odds = (events + 0.5) / ((trials - events).max(0.0) + 0.5);
                ((odds * (1.0 - x) / x).ln(), trials * x * (1.0 - x))
            }
            Null::Events => (((events + 0.5) / (trials * x + 0.5)).ln(), trials * x),
        };
        let told = 2.0 * cost / (tilt * tilt);
        // Next to the null it is the variance.
        if told > 0.2 * local && told < 5.0 * local { told } else { local }
    }

    fn scales(self) -> ([f64; 4], usize) {
        match self {
            Stand::Pinned(_) => ([1.0; 4], 1),
            Stand::Noisy(heap) => heap.tilts.scales(),
        }
    }

    fn walk_scales(self) -> ([f64; 4], usize) {
        match self {
            Stand::Pinned(_) => ([1.0; 4], 1),
            Stand::Noisy(heap) => heap.tilts.walk_scales(),
        }
    }

    /// The most of θ D − ψ(θ) V: V (u − ln(1 + u)) at u = D/V, D being how far the sum is off to the side of the claim.
    fn most_walk(self, x: f64, sign: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, walk, .. }) = self else { return 0.0 };
        let off = (sign * (events - trials * x)).max(0.0);
        if walk > 0.0 { off - walk * (off / walk).ln_1p() } else { off }
    }

    /// About the logarithm of its mixture at one scale.
    fn about_walk(self, x: f64, sign: f64, scale: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, walk, .. }) = self else { return 0.0 };
        let (off, known) = ((sign * (events - trials * x)).max(0.0), walk + scale);
        let u = off / known;
        let value = known * (1.0 + u - (1.0 + 2.0 * u).sqrt());
        value + ln_two_cdf((2.0 * value).sqrt()) - 0.5 * (1.0 + walk / scale).ln()
    }

    /// The logarithm of its martingale at each of the widths, of which there are so many; `side` is 1 for the arm with less.
    fn at(self, null: Null, x: f64, side: usize) -> (Points, usize) {
        match self {
            Stand::Pinned(_) => (Points::default(), 1),
            Stand::Noisy(heap) => heap.at(null, x, side),
        }
    }
}

impl Heap {
    fn at(&self, null: Null, x: f64, side: usize) -> (Points, usize) {
        let mut points = Points::default();
        let priors = self.tilts.priors();
        self.tilted(null, x, side, &mut points.0, priors);
        if null != Null::Part {
            return (points, priors.len());
        }
        let others = self.tilts.walk_priors();
        self.walked(x, side, &mut points.0[priors.len()..], others);
        (points, priors.len() + others.len())
    }

    /// Tilts of a success rate, or of a rate of events.
    fn tilted(&self, null: Null, x: f64, side: usize, points: &mut [Point], priors: &[Prior]) {
        let &Heap { trials, events, .. } = self;
        let (powers, sign) = (&POWERS[side], if side == 0 { 1.0 } else { -1.0 });
        let (mut values, mut slopes) = ([0.0; ATOMS], [0.0; ATOMS]);
        if null == Null::Events {
            let off = events - trials * x;
            for i in 0..ATOMS {
                values[i] = sign * TILTS[i] * off - trials * x * powers.excess[i];
                slopes[i] = -trials * powers.less_one[i];
            }
            return mix(&mut values, &slopes, 1.0, points, priors);
        }
        for i in 0..ATOMS {
            let by = powers.less_one[i];
            values[i] = sign * TILTS[i] * events - trials * (x * by).ln_1p();
            slopes[i] = -trials * by / (1.0 + x * by);
        }
        // The second derivative is the square of the first over the number of trials.
        mix(&mut values, &slopes, 1.0 + trials.recip(), points, priors);
    }

    /// Where only the range is known: by how far the values were off before.
    fn walked(&self, x: f64, side: usize, points: &mut [Point], priors: &[Prior]) {
        let &Heap { trials, events, walk, .. } = self;
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let (mut values, mut slopes) = ([f64::NEG_INFINITY; ATOMS], [0.0; ATOMS]);
        let off = sign * (events - trials * x);
        for i in 0..BELOW_ONE {
            values[i] = TILTS[i] * off - walk * BRAKES[i];
            slopes[i] = -sign * TILTS[i] * trials;
        }
        mix(&mut values, &slopes, 1.0, points, priors);
    }
}

/// Mixes martingales with these logarithms, which are lost, and slopes, at each of the priors; their second derivatives are `bent` − 1 times the squares of the slopes.
fn mix(values: &mut [f64; ATOMS], slopes: &[f64; ATOMS], bent: f64, points: &mut [Point], priors: &[Prior]) {
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter_mut().for_each(|value| *value = (*value - top).exp());
    for (point, prior) in points.iter_mut().zip(priors) {
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for ((&weight, &value), &slope) in prior.weights().iter().zip(values.iter()).zip(slopes) {
            let part = weight * value;
            mass += part;
            first += part * slope;
            second += part * slope * slope;
        }
        let slope = first / mass;
        let curve = (bent * second / mass - slope * slope).max(0.0);
        *point = Point { value: top + mass.ln(), slope, curve, pull: slope.abs() };
    }
}

impl Point {
    #[inline]
    fn plus(self, other: Point) -> Point {
        Point {
            value: self.value + other.value,
            slope: self.slope + other.slope,
            curve: self.curve + other.curve,
            pull: self.pull + other.pull,
        }
    }
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

/// About where it costs least to make two arms level of whose values only the range is known.
fn middle(upper: Stand, lower: Stand) -> f64 {
    match (upper, lower) {
        (Stand::Pinned(x), _) | (_, Stand::Pinned(x)) => x,
        (Stand::Noisy(one), Stand::Noisy(two)) => {
            let weight = |heap: Heap| heap.trials * heap.trials / (heap.walk + 1.0);
            let (a, b) = (weight(one), weight(two));
            let sum = a * one.events / one.trials.max(1.0) + b * two.events / two.trials.max(1.0);
            if a + b > 0.0 { sum / (a + b) } else { 0.5 }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    const FAMILIES: [Family; 3] = [Family::Bernoulli, Family::Poisson, Family::Exponential];

    /// ln of the likelihood ratio of n observations with this sum, of a law tilted by θ to the law of mean x, as it stands in books.
    fn ln_ratio(family: Family, n: f64, sum: f64, tilt: f64, x: f64) -> f64 {
        match family {
            Family::Bernoulli => tilt * sum - n * (1.0 - x + x * tilt.exp()).ln(),
            Family::Poisson => tilt * sum - n * x * (tilt.exp() - 1.0),
            Family::Exponential => -tilt * n + (1.0 - (-tilt).exp()) * sum / x,
            Family::Gaussian => unreachable!("it has a proof of its own"),
        }
    }

    /// The logarithm of the mixture at a null, by its definition; `up` is the arm that is said to have the larger mean.
    fn slow_at(family: Family, up: (f64, f64, Tilts), down: (f64, f64, Tilts), x: f64) -> f64 {
        let mixture = |(n, sum, _): (f64, f64, Tilts), prior: &Prior, sign: f64| {
            prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(family, n, sum, sign * tilt, x)))
        };
        let (one, two) = (up.2.priors(), down.2.priors());
        let terms: Vec<f64> =
            one.iter().zip(two).map(|(first, second)| mixture(up, first, 1.0) + mixture(down, second, -1.0)).collect();
        let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / terms.len() as f64).ln()
    }

    /// Golden-section search over the null, or over one over it, where the mixture is convex.
    fn slow_least(family: Family, up: (f64, f64, Tilts), down: (f64, f64, Tilts)) -> f64 {
        let means = [up.1 / up.0, down.1 / down.0];
        let (mut low, mut high) = match family {
            Family::Bernoulli => (0.0, 1.0),
            Family::Poisson => (0.0, 1000.0 * (means[0].max(means[1]) + 1.0 / up.0 + 1.0 / down.0)),
            _ => (0.0, 1000.0 / means[0].min(means[1])),
        };
        let at = |place: f64| {
            let x = if family == Family::Exponential { place.recip() } else { place };
            slow_at(family, up, down, x)
        };
        for _ in 0..120 {
            let (one, two) = (low + 0.381_966 * (high - low), low + 0.618_034 * (high - low));
            if at(one) < at(two) { high = two } else { low = one }
        }
        at(0.5 * (low + high))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Means at the edge, counts far apart, and means that contradict the claim included.
        #[test]
        fn the_least_is_that_of_the_definition(
            which in 0usize..3, max in any::<bool>(), widths in prop::option::of((0u8..40, 0u8..40)),
            counts in (0u32..18, 0u32..18), parts in (0u32..9, 0u32..9), unit in -3i32..4,
        ) {
            let family = FAMILIES[which];
            let kind = Kind { family, sign: if max { 1.0 } else { -1.0 } };
            let (n, m) = (2f64.powi(counts.0 as i32), 2f64.powi(counts.1 as i32));
            let mean = |part: u32, n: f64| match family {
                Family::Bernoulli => (n * f64::from(part) / 8.0).round() / n,
                Family::Poisson => (n * f64::from(part) * 10f64.powi(unit)).round() / n,
                _ => f64::from(part + 1) * 10f64.powi(unit),
            };
            let (one, two) = (mean(parts.0, n), mean(parts.1, m));
            prop_assume!(family != Family::Poisson || one + two > 0.0);
            let tilts = widths.map_or((Tilts::Any, Tilts::Any), |(one, two)| (Tilts::Width(one), Tilts::Width(two)));
            let contender = |mean, count, tilts| Contender { mean: kind.sign * mean, count, tilts: Some(tilts), walk: 0.0 };
            let duel = Duel::new(kind, contender(one, n, tilts.0), contender(two, m, tilts.1));
            let (first, second) = ((n, n * one, tilts.0), (m, m * two, tilts.1));
            let slow = if max { slow_least(family, first, second) } else { slow_least(family, second, first) };
            let fast = duel.proof(Care::Full);
            prop_assert!(fast <= slow + 1e-9 * (1.0 + slow.abs()) && fast >= slow - 1e-4 * (1.0 + slow.abs()), "{fast} {slow}");
            let bracket = duel.bracket();
            prop_assert!(bracket.low <= fast && fast <= bracket.high, "{bracket:?} {fast}");
            prop_assert!(bracket.high - bracket.low <= 2.0 * ROUGHLY + 1e-6 * fast.abs(), "{bracket:?}");
            prop_assert!(duel.proof(Care::Glance) >= fast);
            if kind.sign * (one - two) > 0.0 {
                prop_assert!(fast <= duel.cost());
            }
        }

        /// Where only the range is known: the average of the mixture of a success rate and of the one by how far the values were off before.
        #[test]
        fn the_least_within_a_range_is_that_of_the_definition(
            max in any::<bool>(), widths in prop::option::of((0u8..40, 0u8..40)), counts in (0u32..14, 0u32..14),
            parts in (0u32..9, 0u32..9), walks in (0.0..1.0f64, 0.0..1.0f64),
        ) {
            let (n, m) = (2f64.powi(counts.0 as i32), 2f64.powi(counts.1 as i32));
            let (one, two) = (f64::from(parts.0) / 8.0, f64::from(parts.1) / 8.0);
            let tilts = widths.map_or(Tilts::Any, |(one, two)| Tilts::Widths(one, two));
            let sign = if max { 1.0 } else { -1.0 };
            let (first, second) = ((n, one, n * walks.0), (m, two, m * walks.1));
            let contender = |(count, mean, walk): (f64, f64, f64)| Contender { mean: sign * (4.0 * mean - 1.0), count, tilts: Some(tilts), walk };
            let duel = Duel::within(Range { low: -1.0, high: 3.0 }, sign, contender(first), contender(second));
            let (up, down) = if max { (first, second) } else { (second, first) };
            let at = |x: f64| {
                let rate = |(n, mean, _): (f64, f64, f64), prior: &Prior, sign: f64| {
                    prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(Family::Bernoulli, n, n * mean, sign * tilt, x)))
                };
                let walk = |(n, mean, walk): (f64, f64, f64), prior: &Prior, sign: f64| {
                    prior.ln_mixture(&TILTS.map(|tilt| {
                        if tilt < 1.0 { sign * tilt * n * (mean - x) + walk * ((1.0 - tilt).ln() + tilt) } else { -1e300 }
                    }))
                };
                let rates = tilts.priors().iter().map(|prior| rate(up, prior, 1.0) + rate(down, prior, -1.0));
                let walks = tilts.walk_priors().iter().map(|prior| walk(up, prior, 1.0) + walk(down, prior, -1.0));
                let terms: Vec<f64> = rates.chain(walks).collect();
                let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / terms.len() as f64).ln()
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..120 {
                let (one, two) = (low + 0.381_966 * (high - low), low + 0.618_034 * (high - low));
                if at(one) < at(two) { high = two } else { low = one }
            }
            let (fast, slow) = (duel.proof(Care::Full), at(0.5 * (low + high)));
            prop_assert!(fast <= slow + 1e-9 * (1.0 + slow.abs()) && fast >= slow - 1e-4 * (1.0 + slow.abs()), "{fast} {slow}");
            let bracket = duel.bracket();
            prop_assert!(bracket.low <= fast && fast <= bracket.high, "{bracket:?} {fast}");
            prop_assert!(duel.proof(Care::Glance) >= fast && fast <= duel.cost());
        }

        /// Where an arm has no noise, the null is its value; beyond the edge of the domain nothing is in doubt.
        #[test]
        fn an_arm_without_noise_is_the_null(which in 0usize..3, max in any::<bool>(), n in 1.0..1e4f64, one in 1u32..9, two in 0u32..9) {
            let family = FAMILIES[which];
            let kind = Kind { family, sign: if max { 1.0 } else { -1.0 } };
            let (one, two) = (f64::from(one) / 9.0, if family == Family::Exponential { f64::from(two + 1) } else { f64::from(two) / 8.0 });
            let noisy = Contender { mean: kind.sign * one, count: n, tilts: Some(Tilts::Any), walk: 0.0 };
            let exact = Contender { mean: kind.sign * two, count: 3.0, tilts: None, walk: 0.0 };
            let proof = Duel::new(kind, noisy, exact).proof(Care::Full);
            let sign = if max { 1.0 } else { -1.0 };
            let mixture = |prior: &Prior| prior.ln_mixture(&TILTS.map(|tilt| ln_ratio(family, n, n * one, sign * tilt, two)));
            let terms: Vec<f64> = Tilts::Any.priors().iter().map(mixture).collect();
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let slow = top + (terms.iter().map(|term| (term - top).exp()).sum::<f64>() / 4.0).ln();
            if proof < f64::INFINITY {
                prop_assert!((proof - slow).abs() < 1e-6 * (1.0 + slow.abs()), "{proof} {slow}");
            } else {
                prop_assert!(two == 0.0 || two == 1.0);
            }
        }

        /// About is about right where proofs are decided.
        #[test]
        fn the_quick_measure_is_near_the_proof(
            which in 0usize..3, base in -2.0..0.0f64, tilt in 0.02..2.0f64, ratio in -2.0..2.0f64, nats in 5.0..25.0f64, width in any::<bool>(),
        ) {
            let family = FAMILIES[which];
            let (low, high) = match family {
                Family::Bernoulli => { let p = 10f64.powf(base).min(0.9); let odds = p / (1.0 - p) * tilt.exp(); (p, odds / (1.0 + odds)) }
                _ => (10f64.powf(3.0 * base + 3.0), 10f64.powf(3.0 * base + 3.0) * tilt.exp()),
            };
            let kind = Kind { family, sign: 1.0 };
            // As many observations as make the cost this much.
            let duel = |n: f64| {
                let (first, second) = (n, n * ratio.exp());
                let tilts = |mean: f64, count: f64| if width { Tilts::for_scale(count / 6.0 * information(kind, mean, count)) } else { Tilts::Any };
                let contender = |mean, count| Contender { mean, count, tilts: Some(tilts(mean, count)), walk: 0.0 };
                Duel::new(kind, contender(high, first), contender(low, second))
            };
            let duel = duel(nats / duel(1.0).cost());
            let (about, exact) = (duel.about(), duel.proof(Care::Full));
            prop_assert!((about - exact).abs() < 1.0 + 0.08 * exact.abs(), "{about} {exact} of {}", duel.cost());
        }
    }

    /// Values within a range: evenly spread, two of them, or one nearly always. At 4 standard errors per check, 12 checks: a false alarm in about 1 of 2,000 seeds.
    #[test]
    fn mixtures_within_a_range_have_mean_one_at_stopping_times() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let range = Range { low: 0.0, high: 1.0 };
        for (which, null) in [(0, 0.6), (1, 0.3), (2, 0.0595)] {
            for (sign, bar) in [(1.0, 0.5), (1.0, 1.5), (-1.0, 0.5), (-1.0, 1.5)] {
                let runs = 2_000;
                let values: Vec<f64> = (0..runs)
                    .map(|_| {
                        let (mut n, mut sum, mut walk, mut log) = (0.0, 0.0, 0.0, 0.0);
                        while n < 300.0 && log < bar {
                            n += 1.0;
                            let x = match which {
                                0 => rng.random_range(0.2..1.0),
                                1 => f64::from(u8::from(rng.random_bool(0.3))),
                                _ if rng.random_bool(0.01) => 1.0,
                                _ => 0.05,
                            };
                            walk += f64::powi(x - (0.5 + sum) / n, 2);
                            sum += x;
                            let arm = Contender { mean: sign * sum / n, count: n, tilts: Some(Tilts::Any), walk };
                            let exact = Contender { mean: sign * null, count: 1.0, tilts: None, walk: 0.0 };
                            let duel = Duel::within(range, sign, arm, exact);
                            log = duel.at(duel.level).value;
                        }
                        log.exp()
                    })
                    .collect();
                let mean = values.iter().sum::<f64>() / f64::from(runs);
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
                let error = (spread / f64::from(runs)).sqrt();
                assert!(mean <= 1.0 + 4.0 * error, "{which} {sign} bar={bar}: {mean} ± {error}");
            }
        }
    }

    /// Mean at most 1 under the null, or beyond it, whatever decides when to stop: here once the mixture looks high, or at 300 observations. Success rates also of
    /// values that are merely between 0 and 1. At 4 standard errors per check, 32 checks: a false alarm in about 1 of 1,000 seeds.
    #[test]
    fn mixtures_have_mean_one_at_stopping_times() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for (family, mean, null, between) in [
            (Family::Bernoulli, 0.3, 0.3, false),
            (Family::Bernoulli, 0.02, 0.02, false),
            (Family::Bernoulli, 0.6, 0.6, true),
            (Family::Bernoulli, 0.25, 0.3, false),
            (Family::Poisson, 0.2, 0.2, false),
            (Family::Poisson, 40.0, 40.0, false),
            (Family::Exponential, 3.0, 3.0, false),
            (Family::Exponential, 2.9, 3.0, false),
        ] {
            for (tilts, bar) in [(Tilts::Any, 0.5), (Tilts::Any, 1.5), (Tilts::Width(12), 0.5), (Tilts::Width(12), 1.5)]
            {
                let runs = 2_000;
                let values: Vec<f64> = (0..runs)
                    .map(|_| {
                        let (mut n, mut sum, mut log) = (0.0, 0.0, 0.0);
                        while n < 300.0 && log < bar {
                            n += 1.0;
                            sum += if between { 1.0 - rng.random::<f64>() * 0.8 } else { family.draw(mean, &mut rng) };
                            let kind = Kind { family, sign: 1.0 };
                            let arm = Contender { mean: sum / n, count: n, tilts: Some(tilts), walk: 0.0 };
                            let duel =
                                Duel::new(kind, arm, Contender { mean: null, count: 1.0, tilts: None, walk: 0.0 });
                            log = duel.at(duel.level).value;
                        }
                        log.exp()
                    })
                    .collect();
                let mean = values.iter().sum::<f64>() / f64::from(runs);
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
                let error = (spread / f64::from(runs)).sqrt();
                assert!(mean <= 1.0 + 4.0 * error, "{family:?} {null} {tilts:?} bar={bar}: {mean} ± {error}");
            }
        }
    }
}
