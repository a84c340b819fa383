//! One arm: the logarithm of its martingale as a function of the null, with its slope and curvature.

use std::sync::LazyLock;

use super::tilts::Tilts;
use crate::family::Family;
use crate::stopping::certified::about::ln_two_cdf;
use crate::stopping::certified::tilt::{ATOMS, BELOW_ONE, Prior, TILTS};

/// So many mixtures there are at most: at each width, and for ranges twice.
pub(super) const MOST: usize = 8;

/// What observations tell of a tilt is thought to be between so many times what they tell next to the null.
pub(super) const LEAST_TOLD: f64 = 0.2;
pub(super) const MOST_TOLD: f64 = 5.0;

/// What the null is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Null {
    /// A success rate, from 0 to 1.
    Rate,
    /// A rate of events, 0 or more.
    Events,
    /// The mean of values of which only the range is known, as a part of it.
    Part,
}

/// One arm: its events in so many trials, or in such an exposure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heap {
    pub trials: f64,
    pub events: f64,
    pub walk: f64,
    pub tilts: Tilts,
}

/// An arm as it is under the null.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stand {
    /// Without noise: the null is this.
    Pinned(f64),
    Noisy(Heap),
}

/// The logarithm of a martingale as a function of the null, at one place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub value: f64,
    pub slope: f64,
    pub curve: f64,
    /// The sum of the arms' slopes in size.
    pub pull: f64,
}

/// The same of one arm at each width.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Points(pub [Point; MOST]);

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

impl Stand {
    /// What it costs to move the arm to the null.
    pub fn cost(self, null: Null, x: f64) -> f64 {
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
    pub fn information(self, null: Null, x: f64, cost: f64) -> f64 {
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
        if told > LEAST_TOLD * local && told < MOST_TOLD * local { told } else { local }
    }

    pub fn scales(self) -> ([f64; 4], usize) {
        match self {
            Stand::Pinned(_) => ([1.0; 4], 1),
            Stand::Noisy(heap) => heap.tilts.scales(),
        }
    }

    pub fn walk_scales(self) -> ([f64; 4], usize) {
        match self {
            Stand::Pinned(_) => ([1.0; 4], 1),
            Stand::Noisy(heap) => heap.tilts.walk_scales(),
        }
    }

    /// The most of θ D − ψ(θ) V: V (u − ln(1 + u)) at u = D/V, D being how far the sum is off to the side of the claim.
    pub fn most_walk(self, x: f64, sign: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, walk, .. }) = self else { return 0.0 };
        let off = (sign * (events - trials * x)).max(0.0);
        if walk > 0.0 { off - walk * (off / walk).ln_1p() } else { off }
    }

    /// About the logarithm of its mixture at one scale.
    pub fn about_walk(self, x: f64, sign: f64, scale: f64) -> f64 {
        let Stand::Noisy(Heap { trials, events, walk, .. }) = self else { return 0.0 };
        let (off, known) = ((sign * (events - trials * x)).max(0.0), walk + scale);
        let u = off / known;
        let value = known * (1.0 + u - (1.0 + 2.0 * u).sqrt());
        value + ln_two_cdf((2.0 * value).sqrt()) - 0.5 * (1.0 + walk / scale).ln()
    }

    /// The logarithm of its martingale at each of the widths, of which there are so many; `side` is 1 for the arm with less.
    pub fn at(self, null: Null, x: f64, side: usize) -> (Points, usize) {
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
    pub fn plus(self, other: Point) -> Point {
        Point {
            value: self.value + other.value,
            slope: self.slope + other.slope,
            curve: self.curve + other.curve,
            pull: self.pull + other.pull,
        }
    }
}
