//! Claims about two arms where there are limits, and about an arm and its own.
//!
//! An arm is out if it breaks a limit, or if one that keeps them all dominates it; it is in if it keeps them all, and nobody that keeps them dominates it. Where the two
//! arms of a pair are the same, the claim is about the limits of that arm.

use super::Found;
use crate::model::Model;
use crate::problem::Problem;
use crate::stopping::{Care, Claim, Gauge, LimitGauge, Outlook};

/// What claims about two arms are measured by.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub gauge: &'a Gauge,
    pub limits: &'a LimitGauge,
    pub problem: &'a Problem,
    pub model: &'a Model,
}

impl Pair<'_> {
    /// What is claimed of `arm` because of `other`.
    pub fn claim(&self, arm: usize, other: usize, on_front: bool) -> Claim {
        let Pair { gauge, limits, problem, model } = *self;
        let outlook = Outlook::plain(model);
        match (on_front, arm == other) {
            (true, true) => limits.keeps(problem, model, arm),
            (false, true) => limits.breaks(problem, model, arm),
            (true, false) => {
                let claim = gauge.undominated(problem, outlook, arm, other);
                // Who breaks a limit dominates nobody; without margins, only arms that keep them are asked about.
                if !problem.has_margins() {
                    return claim;
                }
                let broken = limits.breaks(problem, model, other);
                if broken.rank() > claim.rank() { broken } else { claim }
            }
            (false, false) if self.are_equal(arm, other) => Claim::FALSE,
            (false, false) => {
                let (claim, kept) =
                    (gauge.dominated(problem, outlook, arm, other), limits.keeps(problem, model, other));
                if kept.rank() < claim.rank() { kept } else { claim }
            }
        }
    }

    /// The claim about `arm` that decides: on the front the weakest, off it the strongest. The first among equals.
    pub fn found(&self, arm: usize, others: impl Iterator<Item = usize>, on_front: bool) -> Found {
        let mut found = Found {
            claim: self.claim(arm, arm, on_front),
            rival: arm,
            runner_up: f64::NEG_INFINITY,
            second: usize::MAX,
        };
        for other in others {
            let claim = self.claim(arm, other, on_front);
            let (new, known) = (claim.rank(), found.claim.rank());
            found.runner_up = found.runner_up.max(new.min(known));
            let further = if on_front { new < known } else { new > known };
            if further || (new == known && other < found.rival) {
                (found.claim, found.rival) = (claim, other);
            }
        }
        found
    }

    /// The proof of that claim without approximation.
    pub fn proof(&self, arm: usize, other: usize, on_front: bool) -> f64 {
        let Pair { gauge, limits, problem, model } = *self;
        match (on_front, arm == other) {
            (true, true) => limits.proof_kept(problem, model, arm, Care::Full),
            (false, true) => limits.proof_broken(problem, model, arm, Care::Full),
            (true, false) => {
                let proof = gauge.proof_undominated(problem, model, arm, other, Care::Full);
                let broken = || limits.proof_broken(problem, model, other, Care::Full);
                if problem.has_margins() { proof.max(broken()) } else { proof }
            }
            (false, false) if self.are_equal(arm, other) => f64::NEG_INFINITY,
            (false, false) => {
                let proof = gauge.proof_dominated(problem, model, arm, other, Care::Full);
                proof.min(limits.proof_kept(problem, model, other, Care::Full))
            }
        }
    }

    /// Whether it is proved, at this bar, that `arm` keeps its limits, or is not dominated by `other`; at the bar for what is out, that `other` breaks one.
    pub fn is_undominated(&self, arm: usize, other: usize, bar: f64, out: f64) -> bool {
        let Pair { gauge, limits, problem, model } = *self;
        if arm == other {
            return limits.proves_kept(problem, model, arm, bar);
        }
        gauge.proves_undominated(problem, model, arm, other, bar)
            || problem.has_margins() && limits.proves_broken(problem, model, other, out)
    }

    /// Whether two arms are the same for certain: on the front together, or off it, unless one of them breaks a limit. Within margins, one will do.
    fn are_equal(&self, arm: usize, other: usize) -> bool {
        !self.problem.has_margins() && self.gauge.are_twins(self.problem, self.model, arm, other)
    }

    /// Whether it is proved, at this bar, that `arm` breaks a limit, or is dominated by `other`, which keeps them.
    pub fn is_out(&self, arm: usize, other: usize, bar: f64) -> bool {
        let Pair { gauge, limits, problem, model } = *self;
        if arm == other {
            return limits.proves_broken(problem, model, arm, bar);
        }
        !self.are_equal(arm, other)
            && gauge.proves_dominated(problem, model, arm, other, bar)
            && limits.proves_kept(problem, model, other, bar)
    }
}
