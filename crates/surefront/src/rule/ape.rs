//! Adaptive Pareto Exploration (Kone, Kaufmann and Richert, "Adaptive Algorithms for Relaxed Pareto Set Identification",
//! NeurIPS 2023): ε₁-APE-k. As published, but without their shrinkage of the means.
//!
//! With M(i, j) = max over objectives of μ_i − μ_j (positive if j does not dominate i) and its confidence bounds M⁻ ≤ M ≤ M⁺:
//! b is the arm, among those not yet certainly optimal, that is most optimistically optimal; c is the arm that may yet dominate
//! it; the less measured of the two is next.
//!
//! Its own stop: every arm of the front of the means is certainly within ε of optimal, and every other arm is certainly dominated or certainly within
//! ε; or k arms are certainly within ε. As published, ε = 0 and no k: the front itself.

use serde::{Deserialize, Serialize};

use super::spread_of_means::SpreadOfMeans;
use super::{Conclusion, Round, SamplingRule, Sought};
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};
use crate::side::Roster;

/// Measures the most ambiguous arm or its most dangerous opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ape {
    /// δ; version 0.1 did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delta: Option<Risk>,
    /// The part of the confidence bonus that depends on δ.
    exploration: f64,
    #[serde(default, skip_serializing_if = "Relaxation::is_none")]
    relaxation: Relaxation,
    #[serde(skip)]
    room: Room,
}

/// What will do instead of the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Relaxation {
    /// ε: arms that no arm beats by more than this in every objective, in the objectives' own units, will do.
    pub within: f64,
    /// k: so many arms will do.
    pub count: Option<usize>,
}

impl Relaxation {
    fn is_none(&self) -> bool {
        *self == Relaxation::default()
    }
}

/// Per-arm terms of the bonus; not part of the rule's state.
#[derive(Clone, Debug, Default)]
struct Room {
    /// ln(4 + ln n), by arm.
    levels: Vec<f64>,
    spread: SpreadOfMeans,
}

impl PartialEq for Room {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Ape {
    /// With the confidence bonus of the paper for this δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(arm_count: usize, objective_count: usize, delta: f64) -> Result<Self, DeltaError> {
        Ok(Ape::at(arm_count, objective_count, Risk::new(delta)?))
    }

    /// The same, where less will do than the front. An ε that is no number of zero or more is taken for zero.
    #[must_use]
    pub fn relaxed(self, relaxation: Relaxation) -> Self {
        let within = if relaxation.within > 0.0 { relaxation.within } else { 0.0 };
        Ape { relaxation: Relaxation { within, ..relaxation }, ..self }
    }

    fn at(arm_count: usize, objective_count: usize, delta: Risk) -> Self {
        let comparisons = (arm_count * (arm_count.max(2) - 1) * objective_count) as f64 / 2.0;
        let exploration = gaussian_calibration(0.5 * (comparisons / delta.get()).ln());
        Ape { delta: Some(delta), exploration, relaxation: Relaxation::default(), room: Room::default() }
    }

    /// For another number of arms; with the study's δ where its own was not kept.
    pub(super) fn afresh(&self, problem: &Problem, delta: f64) -> Self {
        match self.delta.or_else(|| Risk::new(delta).ok()) {
            Some(delta) => Ape::at(problem.arm_count(), problem.objective_count(), delta).relaxed(self.relaxation),
            None => self.clone(),
        }
    }

    fn prepare(&mut self, round: &Round<'_>) {
        let Room { levels, spread } = &mut self.room;
        levels.clear();
        levels.extend(round.tally.counts().iter().map(|n| (4.0 + n.ln()).ln()));
        spread.refresh(round);
    }

    /// The confidence bounds of M(i, j).
    fn bounds(&self, roster: Roster<'_>, i: usize, j: usize) -> (f64, f64) {
        let Room { levels, spread } = &self.room;
        let level = self.exploration + levels[i] + levels[j];
        let spreads = spread.row(i).iter().zip(spread.row(j));
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (gap, (one, two)) in roster.side(i).gaps(roster.side(j)).zip(spreads) {
            let bonus = 2.0 * (level * (one + two)).sqrt();
            lower = f64::max(lower, gap - bonus);
            upper = f64::max(upper, gap + bonus);
        }
        (lower, upper)
    }
}

impl SamplingRule for Ape {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let k = round.problem.arm_count();
        if k == 1 {
            return 0;
        }
        self.prepare(round);
        let roster = round.question().roster();
        let others = |i: usize| (0..k).filter(move |&j| j != i);
        let mut best = (f64::NEG_INFINITY, round.least_allocated());
        for i in 0..k {
            let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
            for j in others(i) {
                let (low, up) = self.bounds(roster, i, j);
                lower = lower.min(low);
                upper = upper.min(up);
            }
            let certainly_optimal = lower + self.relaxation.within > 0.0;
            if !certainly_optimal && upper > best.0 {
                best = (upper, i);
            }
        }
        let b = best.1;
        let danger = |&j: &usize| self.bounds(roster, b, j).0;
        let c = others(b).min_by(|x, y| danger(x).total_cmp(&danger(y))).expect("there is another arm");
        if round.allocated[b] <= round.allocated[c] { b } else { c }
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        let k = round.problem.arm_count();
        self.prepare(round);
        let roster = round.question().roster();
        let Relaxation { within, count } = self.relaxation;
        let others = |i: usize| (0..k).filter(move |&j| j != i);
        // h_i: nobody dominates it. g_i: somebody does, by the least of their leads, m⁻(i, j) = −M⁺(i, j).
        let certainly_optimal = |i: usize| others(i).all(|j| self.bounds(roster, i, j).0 + within > 0.0);
        let certainly_dominated = |i: usize| others(i).any(|j| self.bounds(roster, i, j).1 < 0.0);
        if let Some(count) = count {
            let optimal: Vec<usize> = (0..k).filter(|&i| certainly_optimal(i)).collect();
            if optimal.len() >= count {
                let sought = Sought::Some { count, within };
                return Some(Conclusion { arms: optimal.into_iter().take(count).collect(), sought });
            }
        }
        let is_settled = |i: usize| {
            let on_front = round.front.contains(i);
            (!on_front && certainly_dominated(i)) || certainly_optimal(i)
        };
        if !(0..k).all(is_settled) {
            return None;
        }
        let arms = (0..k).filter(|&i| round.front.contains(i) || !certainly_dominated(i)).collect();
        let sought = match count {
            Some(count) => Sought::Some { count, within },
            None if within > 0.0 => Sought::Within(within),
            None => Sought::Front,
        };
        Some(Conclusion { arms, sought })
    }
}

/// C^g(x) = min over ½ < λ ≤ 1 of (g(λ) + x) / λ, g(λ) = 2λ − 2λ ln(4λ) + ln ζ(2λ) − ½ ln(1 − λ) (Kaufmann and Koolen, "Mixture
/// Martingales Revisited", 2021).
fn gaussian_calibration(x: f64) -> f64 {
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
            let value = gaussian_calibration(x);
            assert!(value > x && value < x + 3.0 + x.ln(), "C({x}) = {value}");
        }
    }
}
