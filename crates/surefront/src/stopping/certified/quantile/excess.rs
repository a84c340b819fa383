//! Whether something happened more often than it should: supermartingales of counts.

use super::super::few::Few;
use super::super::tilt::{ATOMS, Prior, TILTS};

/// Less than e to minus this is nothing beside one; nor beside a mixture of more than this.
const NEGLIGIBLE: f64 = 60.0;
const RARE: f64 = 1e-16;

/// The weight of no tilt at all: whatever x is, an arm takes no more from the proof than the logarithm of this. That matters where two arms are so far apart that one
/// of them cannot say more than it does, and x may be far out among the values of the other.
pub(super) const STILL: f64 = 0.1;

/// Supermartingales of how often something happened that has at most a given chance: Σ π exp(θ k − n ln(1 + q(e^θ − 1))) over tilts θ ≥ 0, with k of n. Each
/// observation multiplies each term by a number of mean at most one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    chance: f64,
    /// ln(1 + q(e^θ − 1)) for each tilt.
    prices: [f64; ATOMS],
    priors: Few<Prior>,
}

impl Excess {
    /// For a chance of at most this, at scales in observations: a prior is as wide as so many can tell.
    pub fn new(chance: f64, scales: Few<f64>) -> Self {
        let variance = chance * (1.0 - chance);
        Excess {
            chance,
            prices: TILTS.map(|tilt| (chance * tilt.exp_m1()).ln_1p()),
            priors: scales.map(|scale| Prior::half_normal((scale * variance).sqrt().recip())),
        }
    }

    /// The chance that it has at most.
    #[inline]
    pub fn chance(&self) -> f64 {
        self.chance
    }

    /// The logarithms of the mixtures, if it happened `k` times of `n`. They grow with k.
    #[inline]
    pub fn ln(&self, n: usize, k: usize) -> Few<f64> {
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
        self.priors.map(ln)
    }
}
