//! The step of adaptive Pareto exploration, among arms of which some may be out of the question: who is settled, and who is next.
//!
//! b is the arm, among those not settled as optimal, that is most optimistically optimal; c is the arm that may yet dominate it; the less measured of the two is next. `ape` is
//! this step with all arms; the rules for limits differ in who counts.

use super::Round;
use super::leads::Leads;

/// The arms that may be on the front, and what is known of them. Two questions about an arm are left to the rule: whether it still counts (`counts`: nobody
/// that does not can dominate another), and whether it is settled that it does (`stays`: only then may it be named).
pub(super) struct Contenders<'a, Counts, Stays> {
    pub leads: &'a Leads,
    pub counts: Counts,
    pub stays: Stays,
    /// An arm that none beats by more than this in every objective is as good as optimal.
    pub within: f64,
}

impl<Counts: Fn(usize) -> bool, Stays: Fn(usize) -> bool> Contenders<'_, Counts, Stays> {
    fn all(&self) -> impl Iterator<Item = usize> {
        (0..self.leads.arm_count()).filter(|&arm| (self.counts)(arm))
    }

    fn rivals(&self, arm: usize) -> impl Iterator<Item = usize> {
        self.all().filter(move |&other| other != arm)
    }

    /// Whether no arm that counts can dominate it, and it counts itself.
    pub fn is_surely_optimal(&self, arm: usize) -> bool {
        let lead = |rival: usize| self.leads.least(arm, rival) + self.within > 0.0;
        (self.counts)(arm) && (self.stays)(arm) && self.rivals(arm).all(lead)
    }

    /// Whether an arm that counts dominates it, whatever else.
    pub fn is_surely_dominated(&self, arm: usize) -> bool {
        self.rivals(arm).any(|rival| self.leads.most(arm, rival) < 0.0)
    }

    /// The arm to measure next.
    pub fn next(&self, round: &Round<'_>) -> usize {
        let mut best = (f64::NEG_INFINITY, round.least_allocated());
        for arm in self.all().filter(|&arm| !self.is_surely_optimal(arm)) {
            let most = self.rivals(arm).map(|rival| self.leads.most(arm, rival)).fold(f64::INFINITY, f64::min);
            if most > best.0 {
                best = (most, arm);
            }
        }
        let b = best.1;
        let danger = |rival: &usize| self.leads.least(b, *rival);
        let Some(c) = self.rivals(b).min_by(|x, y| danger(x).total_cmp(&danger(y))) else { return b };
        // Where nobody can dominate b, only whether it counts is in doubt.
        if danger(&c) + self.within > 0.0 || round.allocated[b] <= round.allocated[c] { b } else { c }
    }

    /// The arms that are surely optimal, once every other one is out of the question or surely dominated. One that is dominated by an arm which is itself dominated is
    /// dominated by an optimal one.
    pub fn settled(&self) -> Option<Vec<usize>> {
        let (optimal, others): (Vec<usize>, Vec<usize>) = self.all().partition(|&arm| self.is_surely_optimal(arm));
        others.into_iter().all(|arm| self.is_surely_dominated(arm)).then_some(optimal)
    }
}
