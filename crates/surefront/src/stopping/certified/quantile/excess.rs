//! Whether something happened more often than it should: supermartingales of counts.

use super::super::few::Few;
use super::super::mixture::SAFETY;
use super::super::tilt::{ATOMS, Prior, TILTS};

/// Less than e to minus this is nothing beside one; nor beside a mixture of more than this.
const NEGLIGIBLE: f64 = 60.0;
const RARE: f64 = 1e-16;

/// The weight of no tilt at all: whatever x is, an arm takes no more from the proof than the logarithm of this.
pub(super) const STILL: f64 = 0.05;

/// The weight of each arm's word alone: of a tilt that takes as good as all of its values to be on one side, while the other arm says nothing. That matters where two arms are so far apart that x may be
/// far out among the values of the one, and the other says all that it can. The more arms there are, the more of them are far: this is for many, and for two it is a fifth of it.
pub(super) fn alone(arms: usize) -> f64 {
    0.1 * (1.0 - 1.6 / arms.max(2) as f64)
}

/// The same after a lesson, of an arm that is to have so few observations that it must be far away, and of one that is not.
const LEARNED: Learned = Learned { scale: 4.0, far: 0.46, near: 0.04 };

struct Learned {
    /// Up to this scale an arm is far.
    scale: f64,
    far: f64,
    near: f64,
}

/// The tilt that is: odds of 1 to 55, where they were even.
pub(super) const FAR: f64 = 4.0;

/// What an arm shows at some x: logarithms of supermartingales.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// Of the mixtures, by scale.
    pub scales: Few<f64>,
    /// Of the one that stands alone, and its weight.
    pub alone: f64,
    pub weight: f64,
}

impl Shown {
    /// An arm that is not there.
    const SILENT: Shown = Shown { scales: Few::ZERO, alone: f64::NEG_INFINITY, weight: 0.0 };

    pub const NOTHING: Shown = Shown { scales: Few::ZERO, alone: 0.0, weight: 0.0 };

    /// The logarithm of the mixture of all that an arm shows.
    pub fn ln(&self) -> f64 {
        mixed(self.scales, [self, &Shown::SILENT])
    }

    /// That of two arms at the same x: the average over the scales of the product of their mixtures, and each arm's word alone.
    #[inline]
    pub fn join(self, other: Shown) -> f64 {
        mixed(self.together(other), [&self, &other])
    }

    /// No more than that, quickly: the largest part.
    #[inline]
    pub fn join_at_least(self, other: Shown) -> f64 {
        let products = self.together(other);
        let mixed = products.top_weighed() + (1.0 - self.weight - other.weight).ln();
        mixed.max(self.alone + self.weight.ln()).max(other.alone + other.weight.ln()) - 2.0 * SAFETY
    }

    #[inline]
    fn together(self, other: Shown) -> Few<f64> {
        self.scales.zip(other.scales).map(|(one, two)| one + two)
    }
}

/// The logarithm of the average over the scales, and of what stands alone, each at its weight.
#[inline]
fn mixed(scales: Few<f64>, alone: [&Shown; 2]) -> f64 {
    let list = scales.list();
    let top = list.iter().copied().fold(alone[0].alone.max(alone[1].alone), f64::max);
    let sum: f64 = list.iter().map(|log| (log - top).exp()).sum();
    let weight = 1.0 - alone[0].weight - alone[1].weight;
    let alone = alone.map(|shown| shown.weight * (shown.alone - top).exp());
    top + (weight / list.len() as f64 * sum + alone[0] + alone[1]).ln() - SAFETY
}

/// Supermartingales of how often something happened that has at most a given chance: Σ π exp(θ k − n ln(1 + q(e^θ − 1))) over tilts θ ≥ 0, with k of n. Each
/// observation multiplies each term by a number of mean at most one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    chance: f64,
    /// ln(1 + q(e^θ − 1)) for each tilt.
    prices: [f64; ATOMS],
    priors: Few<Prior>,
    /// The weight of what it says alone, and the price of its tilt.
    weight: f64,
    far: f64,
}

impl Excess {
    /// For a chance of at most this, at scales in observations: a prior is as wide as so many can tell. `weight`: of what it says alone, where no lesson chose the scale.
    pub fn new(chance: f64, scales: Few<f64>, weight: f64) -> Self {
        let variance = chance * (1.0 - chance);
        Excess {
            chance,
            prices: TILTS.map(|tilt| price(chance, tilt)),
            priors: scales.map(|scale| Prior::half_normal((scale * variance).sqrt().recip())),
            far: price(chance, FAR),
            weight: match *scales.list() {
                [learned] if learned <= LEARNED.scale => LEARNED.far,
                [_] => LEARNED.near,
                _ => weight,
            },
        }
    }

    /// The chance that it has at most.
    #[inline]
    pub fn chance(&self) -> f64 {
        self.chance
    }

    /// What it shows, if it happened `k` times of `n`. It grows with k.
    #[inline]
    pub fn shown(&self, n: usize, k: usize) -> Shown {
        let (n, k) = (n as f64, k as f64);
        let mut terms = [0.0; ATOMS];
        let mut top = 0.0f64;
        for ((term, tilt), price) in terms.iter_mut().zip(&TILTS).zip(&self.prices) {
            *term = tilt * k - n * price;
            top = top.max(*term);
        }
        // What is far below the largest adds nothing that a number would show.
        let mut parts = [0.0; ATOMS];
        for (part, term) in parts.iter_mut().zip(&terms) {
            *part = if top - *term < NEGLIGIBLE { (*term - top).exp() } else { 0.0 };
        }
        let ln = |prior: Prior| {
            let mixture: f64 = prior.weights().iter().zip(&parts).map(|(weight, part)| weight * part).sum();
            if mixture > RARE {
                return top + (STILL * parts[0] + (1.0 - STILL) * mixture).ln();
            }
            // The tilts that it takes have no weight: what there is, is far below the largest.
            let logs =
                |(weight, term): (&f64, &f64)| if *weight > 0.0 { weight.ln() + term } else { f64::NEG_INFINITY };
            let logs = || prior.weights().iter().zip(&terms).map(logs);
            let top = logs().fold(STILL.ln(), f64::max);
            let mixture: f64 = logs().map(|log| (log - top).exp()).sum();
            top + (STILL * (-top).exp() + (1.0 - STILL) * mixture).ln()
        };
        Shown { scales: self.priors.map(ln), alone: FAR * k - n * self.far, weight: self.weight }
    }

    /// What it says alone, at its weight, if it happened this part of so many times.
    #[inline]
    pub fn alone(&self, times: f64, part: f64) -> f64 {
        times * (FAR * part - self.far) + self.weight.ln()
    }
}

/// ln(1 + q(e^θ − 1)).
fn price(chance: f64, tilt: f64) -> f64 {
    (chance * tilt.exp_m1()).ln_1p()
}
