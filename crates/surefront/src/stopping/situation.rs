//! What a stopping rule sees when it is to judge every arm, and the pairs of arms it consists of.

use crate::front::{Front, covers};
use crate::problem::Problem;
use crate::question::Question;
use crate::seasons::Seasons;
use crate::tally::Tally;
use crate::transport::{Oracle, lead, removal_cost};

/// What a stopping rule sees when it is to judge every arm. Every arm has been measured.
pub(crate) struct Situation<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The observations so far, in their order.
    pub seasons: &'a Seasons,
    /// The front of the means so far.
    pub front: &'a Front,
    /// An oracle for questions of the rule's own.
    pub oracle: &'a mut Oracle,
}

impl<'a> Situation<'a> {
    /// All observations so far.
    pub fn tally(&self) -> &'a Tally {
        self.seasons.all()
    }

    /// The question about the means at the counts.
    pub fn question(&self) -> Question<'a> {
        Question::unchecked(self.problem, self.tally().means(), self.front, self.tally().counts())
    }

    /// The arm that comes closest to covering `arm`, and the cost of the closest model in which it does.
    pub fn closest_to_covering(&self, arm: usize) -> Option<(usize, f64)> {
        let question = self.question();
        (0..self.problem.arm_count())
            .filter(|&other| other != arm)
            .map(|other| (other, removal_cost(&question, arm, other)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The objectives in which `arm` is better than `other`.
    pub fn ahead(&self, arm: usize, other: usize) -> Vec<usize> {
        let question = self.question();
        let gaps = question.side(arm).gaps(question.side(other));
        gaps.enumerate().filter(|&(_, gap)| gap > 0.0).map(|(j, _)| j).collect()
    }

    /// Of the front arms that cover `arm`, which is off the front, the one whose narrowest lead is surest, and the objective of
    /// that lead.
    pub fn surest_dominator(&self, arm: usize) -> (usize, usize) {
        let (question, means) = (self.question(), self.tally().means());
        let mut best = (f64::NEG_INFINITY, usize::MAX, 0);
        for &other in self.front.members().iter().filter(|&&other| covers(means.raised(other), means.row(arm))) {
            let leads = (0..means.objective_count())
                .map(|j| (lead(&question, other, arm, j), j))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let (narrowest, objective) = leads.expect("there is an objective");
            if narrowest > best.0 {
                best = (narrowest, other, objective);
            }
        }
        debug_assert!(best.1 != usize::MAX, "an arm off the front is dominated by one on it");
        (best.1, best.2)
    }
}
