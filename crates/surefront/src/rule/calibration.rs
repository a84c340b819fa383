//! How far means may be off, all the time and all at once: the constant in the confidence bonus of `ape` and of the rules that are made of it.
//!
//! With probability 1 − e^(−x), Σ over a set S of arms of N_a (μ̂_a − μ_a)² / 2σ² stays below |S| C(x/|S|) + 2 Σ ln(4 + ln N_a) at all times (Kaufmann and Koolen, "Mixture
//! Martingales Revisited", 2021), with C = C^g.

use serde::{Deserialize, Serialize};

/// Which C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Calibration {
    /// C^g, as the papers have it.
    #[default]
    Proved,
    /// x + ln x, which the authors' public code has in its place: smaller where x is below 6, larger beyond, and not proved.
    Approximate,
}

impl Calibration {
    pub(super) fn is_usual(&self) -> bool {
        *self == Calibration::default()
    }

    /// C(x).
    pub(super) fn at(self, x: f64) -> f64 {
        match self {
            Calibration::Proved => gaussian(x),
            Calibration::Approximate => x + x.ln(),
        }
    }
}

/// C where it was last asked for: it takes milliseconds. Not part of a rule's state.
#[derive(Clone, Debug, Default)]
pub(super) struct LastCalibrated(Option<(Calibration, f64, f64)>);

impl PartialEq for LastCalibrated {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl LastCalibrated {
    /// C(x).
    pub fn at(&mut self, calibration: Calibration, x: f64) -> f64 {
        match self.0 {
            Some((of, at, value)) if (of, at) == (calibration, x) => value,
            _ => {
                let value = calibration.at(x);
                self.0 = Some((calibration, x, value));
                value
            }
        }
    }
}

/// C^g(x) = min over ½ < λ ≤ 1 of (g(λ) + x) / λ, g(λ) = 2λ − 2λ ln(4λ) + ln ζ(2λ) − ½ ln(1 − λ).
fn gaussian(x: f64) -> f64 {
    let value = |lambda: f64| {
        let g = 2.0 * lambda - 2.0 * lambda * (4.0 * lambda).ln() + zeta(2.0 * lambda).ln() - 0.5 * (1.0 - lambda).ln();
        (g + x) / lambda
    };
    (1..10_000).map(|i| value(0.5 + 0.5 * f64::from(i) / 10_000.0)).fold(f64::INFINITY, f64::min)
}

/// The Riemann zeta function for s > 1, by the Euler–Maclaurin formula.
fn zeta(s: f64) -> f64 {
    let n = 20.0f64;
    let head: f64 = (1..20).map(|i| f64::from(i).powf(-s)).sum();
    head + n.powf(1.0 - s) / (s - 1.0) + 0.5 * n.powf(-s) + s * n.powf(-s - 1.0) / 12.0
        - s * (s + 1.0) * (s + 2.0) * n.powf(-s - 3.0) / 720.0
}

/// What one arm adds to the bonus: ln(4 + ln n).
pub(super) fn level(n: f64) -> f64 {
    (4.0 + n.ln()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_at_known_places() {
        assert!((zeta(2.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-10);
        assert!((zeta(1.5) - 2.612_375_348_685_488).abs() < 1e-10);
    }

    #[test]
    fn the_calibration_is_about_x_plus_ln_x() {
        for x in [2.0, 5.0, 20.0f64] {
            let [proved, approximate] = [Calibration::Proved, Calibration::Approximate].map(|which| which.at(x));
            assert!(proved > x && approximate > x && (proved - approximate).abs() < 2.0, "C({x}) = {proved}");
        }
    }
}
