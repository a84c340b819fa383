//! Whether a claim that compares quantiles may matter, by a few looks at the values: most pairs of arms are far from being the one that decides, and that is quick to see.
//!
//! A claim is ranked by its cost and by about its proof, which grows with the cost. So a cost that is certainly much, or certainly little, bounds the rank. What is said here is right
//! to the last bit: a claim that is passed over would not have been chosen.

use super::about::{cost_for, cost_on_the_way};
use super::claim::Claim;
use super::gauge::{Gauge, Outlook};
use super::quantile::{Of, Quantiles};
use crate::problem::Problem;

/// How much more than a cost about a proof can be: ln 2 for each side.
const MORE: f64 = 2.0 * std::f64::consts::LN_2;

impl Gauge {
    /// Whether "`arm` is dominated by `by`" may have a rank of `least` or more, where some objective compares quantiles.
    pub(super) fn may_dominate_by_quantiles(
        &self,
        quantiles: &Quantiles,
        problem: &Problem,
        outlook: Outlook<'_>,
        (arm, by): (usize, usize),
        least: f64,
    ) -> bool {
        let (ahead, behind) = (self.raised(problem, outlook.likely, by), self.side(problem, outlook.likely, arm));
        if ahead.against(behind).any(|contrast| !(contrast.gap > 0.0) && (contrast.gap < 0.0 || contrast.is_movable()))
        {
            return false;
        }
        let counts = (self.counts[by], self.counts[arm]);
        let shown = (outlook.shown.raised(by), outlook.shown.row(arm));
        // The objective with the least decides; any one bounds that.
        let is_little = |(j, gap): (usize, f64)| {
            let below = |of: Of, gap: f64, much: f64| quantiles.cost_below(of, (by, arm), j, gap, counts, much);
            if self.learned.is_none() {
                return below(Of::All, gap, Claim::cost_of_rank(least));
            }
            let much = Claim::cost_of_rank_beside(least, MORE);
            below(Of::All, gap, much) && below(Of::Fresh, shown.0[j] - shown.1[j], much)
        };
        let mut compared = ahead.gaps(behind).enumerate().filter(|&(j, gap)| quantiles.compares(j) && gap > 0.0);
        !compared.any(is_little)
    }

    /// Whether "`arm` is not dominated by `by`" may have a rank of `most` or less, where some objective compares quantiles.
    pub(super) fn may_be_undominated_by_quantiles(
        &self,
        quantiles: &Quantiles,
        problem: &Problem,
        outlook: Outlook<'_>,
        (arm, by): (usize, usize),
        most: f64,
    ) -> bool {
        let (ahead, behind) = (self.raised(problem, outlook.likely, arm), self.side(problem, outlook.likely, by));
        let leads = || ahead.gaps(behind).enumerate().filter(|lead| lead.1 > 0.0);
        // Where all that may decide are quantiles, costs are known to count as well as proofs.
        let alone = leads().all(|(j, _)| quantiles.compares(j));
        let lesson = self.learned.as_ref().map(|learned| &learned.lesson);
        let by_cost = alone && lesson.is_none_or(|lesson| lesson.direction(arm, by).is_none());
        let counts = (self.counts[arm], self.counts[by]);
        let (one, two) = (quantiles.terms(arm), quantiles.terms(by));
        // The cost that it takes in an objective whose proof is worth so much less, and the proof that goes with it.
        let enough = |less: f64| {
            let proof = Claim::proof_beyond(most);
            let certain = (cost_for(proof + less, one, two).max(proof + less), proof + less);
            let on_its_way = cost_on_the_way(most, less, one, two).filter(|_| by_cost);
            on_its_way.filter(|way| way.0 < certain.0).unwrap_or(certain)
        };
        let reaches =
            |of: Of, j: usize, gap: f64, cost: f64| quantiles.cost_at_least(of, (arm, by), j, gap, counts, cost);
        let edge = |j: usize| quantiles.edge_at_least(arm, by, j);
        let is_beyond = match lesson {
            // The widest lead counts, whichever it is.
            None => {
                let (cost, proof) = enough(self.evenly);
                let compared = || leads().filter(|&(j, _)| quantiles.compares(j));
                compared().all(|(j, _)| edge(j) > proof) && compared().any(|(j, gap)| reaches(Of::All, j, gap, cost))
            }
            // The lead that is nearest to a proof.
            Some(lesson) => {
                let (first, second) = (outlook.shown.raised(arm), outlook.shown.row(by));
                let weights = lesson.ln_objectives(arm, by);
                leads().any(|(j, _)| {
                    let (cost, proof) = enough(-weights[j]);
                    let by_proof =
                        quantiles.compares(j) && edge(j) > proof && reaches(Of::Fresh, j, first[j] - second[j], cost);
                    by_proof && (!by_cost || leads().all(|(j, gap)| reaches(Of::All, j, gap, cost)))
                })
            }
        };
        !is_beyond
    }
}
