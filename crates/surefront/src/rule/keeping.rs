//! How surely arms keep their limits, or break them, for rules that go by confidence bounds.
//!
//! Every limit is a half-space across one reading, and the arms that keep all of them are in a box: the polyhedron of the papers on feasible arms (Katz-Samuels and Scott, "Feasible Arm
//! Identification", ICML 2018; Kone, Kaufmann and Richert, ICML 2025). Its faces are across single readings, so each is told from the mean by a bonus of one dimension.

use super::Round;
use super::calibration::level;
use crate::limit::{POST, behind_post};

/// By arm: how far it is from its limits. Kept for the room it takes; not part of a rule's state.
#[derive(Clone, Debug, Default)]
pub(super) struct Keeping {
    arms: Vec<Kept>,
}

/// How an arm stands to its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    /// Above zero if it surely keeps all limits.
    keeps: f64,
    /// Above zero if it surely breaks one.
    breaks: f64,
    /// By how many standard errors it keeps the limit that is in most doubt, or below zero, breaks the one that is in least.
    errors: f64,
}

impl PartialEq for Keeping {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Keeping {
    /// Of all arms, as they are now. `exploration` is the part of the bonus that depends on δ. Without limits every arm keeps them.
    pub fn refresh(&mut self, round: &Round<'_>, exploration: f64) {
        let kept = |(arm, &n): (usize, &f64)| {
            let mut kept = Kept { keeps: f64::INFINITY, breaks: f64::NEG_INFINITY, errors: f64::INFINITY };
            let limits = round.problem.gate().zip(round.tally.means().limited());
            let Some((gate, readings)) = limits else { return kept };
            let (gate, place) = (gate.problem(), behind_post(arm));
            for (limit, (mean, at)) in readings.row(place).iter().zip(readings.row(POST)).enumerate() {
                let (kind, slack) = (gate.kind(limit), mean - at);
                let variance = kind.family.variance_seen(kind.sign * mean, n) / (n * gate.precision(place)[limit]);
                let bonus = (2.0 * (exploration + 2.0 * level(n)) * variance).sqrt();
                // Without noise there is no doubt, and a mean at a limit keeps it.
                let exact = if slack >= 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
                let [keeps, breaks, errors] = match variance > 0.0 {
                    true => [slack - bonus, -slack - bonus, slack / variance.sqrt()],
                    false => [exact, -exact, exact],
                };
                kept.keeps = kept.keeps.min(keeps);
                kept.breaks = kept.breaks.max(breaks);
                kept.errors = kept.errors.min(errors);
            }
            kept
        };
        self.arms.clear();
        self.arms.extend(round.tally.counts().iter().enumerate().map(kept));
    }

    /// Whether it surely keeps all limits.
    pub fn surely_keeps(&self, arm: usize) -> bool {
        self.arms[arm].keeps > 0.0
    }

    /// Whether it surely breaks one.
    pub fn surely_breaks(&self, arm: usize) -> bool {
        self.arms[arm].breaks > 0.0
    }

    /// Whether either is sure.
    pub fn is_settled(&self, arm: usize) -> bool {
        self.surely_keeps(arm) || self.surely_breaks(arm)
    }

    /// How many standard errors it is from the other side.
    pub fn distance(&self, arm: usize) -> f64 {
        self.arms[arm].errors.abs()
    }
}
