//! A discrete prior of tilts: how far the truth may be from the null, on the logarithmic scale of odds, rates or means, and to one side.
//!
//! Any prior is valid; it only matters that there is some of it near every tilt that may come up. The atoms are a geometric sequence, the same for every
//! prior, so that what is costly (a power of e for each atom) is computed once and mixed in several ways. A prior of some width gives each atom what the
//! half of N(0, width²) above zero has around it; an atom of no tilt at all keeps the mixture from vanishing, whatever the null.

use crate::normal::ln_cdf;

/// How many tilts there are, the one that is none included.
pub(super) const ATOMS: usize = 31;

/// The least of them that is one.
const LEAST: f64 = 1e-5;

/// From one to the next. At the square root of twice a proof's nats, 3 to 5, a posterior is a third to a fifth of the tilt wide; closer atoms gain a hundredth of a nat.
const RATIO: f64 = 1.6;

/// √1.6: atoms have what lies within this factor.
const REACH: f64 = 1.264_911_064_067_351_8;

/// The tilts, from none to 8.
pub(super) const TILTS: [f64; ATOMS] = {
    let (mut tilts, mut i, mut next) = ([0.0; ATOMS], 1, LEAST);
    while i < ATOMS {
        tilts[i] = next;
        next *= RATIO;
        i += 1;
    }
    tilts
};

/// The probability of each tilt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prior {
    weights: [f64; ATOMS],
}

impl Prior {
    /// As the half of N(0, width²) above zero has it.
    pub fn half_normal(width: f64) -> Self {
        // The probability of a tilt beyond this.
        let beyond = |tilt: f64| 2.0 * ln_cdf(-tilt / width).0.exp();
        let mut weights = [0.0; ATOMS];
        let mut left = 1.0;
        for (i, weight) in weights.iter_mut().enumerate().take(ATOMS - 1) {
            let rest = beyond(TILTS[i + 1] / REACH);
            *weight = left - rest;
            left = rest;
        }
        weights[ATOMS - 1] = left;
        Prior { weights }
    }

    /// The probabilities, in the order of [`TILTS`].
    #[inline]
    pub fn weights(&self) -> &[f64; ATOMS] {
        &self.weights
    }

    /// ln Σ π exp(a): the logarithm of the mixture of martingales with these logarithms.
    pub fn ln_mixture(&self, logarithms: &[f64; ATOMS]) -> f64 {
        let top = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let terms = self.weights.iter().zip(logarithms).map(|(weight, a)| weight * (a - top).exp());
        top + terms.sum::<f64>().ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_to_one_whatever_the_width() {
        for width in [1e-9, 1e-5, 0.02, 0.3, 1.5, 7.0, 1e6] {
            let prior = Prior::half_normal(width);
            assert!(prior.weights().iter().all(|&weight| weight >= 0.0), "{width}");
            assert!((prior.weights().iter().sum::<f64>() - 1.0).abs() < 1e-12, "{width}");
        }
        assert!(TILTS[ATOMS - 1] > 7.0 && TILTS.is_sorted());
    }

    /// ln m⁺ of the continuous half-normal prior, where a tilt θ at the information I and the score u √I has the logarithm θ u √I − I θ²/2.
    fn continuous(width: f64, information: f64, u: f64) -> f64 {
        let scale = width.powi(-2);
        let v = u * (information / (information + scale)).sqrt();
        0.5 * v * v + ln_cdf(v).0 + std::f64::consts::LN_2 - 0.5 * (information / scale).ln_1p()
    }

    /// Atoms in place of a density: next to nothing is lost where proofs are decided.
    #[test]
    fn atoms_do_what_a_density_does() {
        for width in [0.02, 0.1, 0.4, 1.4] {
            let prior = Prior::half_normal(width);
            let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0.0);
            for step in 0..60 {
                // From about as many observations as the width is for to a thousand times as many.
                let information = 1.12f64.powi(step) / (width * width);
                for u in [2.5, 3.0, 3.5, 4.0] {
                    let logarithms = TILTS.map(|tilt| tilt * u * information.sqrt() - 0.5 * information * tilt * tilt);
                    let lost = continuous(width, information, u) - prior.ln_mixture(&logarithms);
                    (worst, sum, count) = (worst.max(lost), sum + lost, count + 1.0);
                }
            }
            assert!(worst < 0.1 && sum / count < 0.02, "{width}: {worst} {}", sum / count);
        }
    }
}
