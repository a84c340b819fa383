//! What the last test of the stop failed on: as long as it stands in the way, there is no need to look at anything else.

use super::pair::Pair;
use super::{CLOSE, Claims, claim_about, rivals};
use crate::problem::Problem;
use crate::seasons::Seasons;
use crate::stopping::Care;

/// An arm whose standing was not proved, or seemed to be far from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hurdle {
    pub arm: usize,
    /// The rival that it is not proved against, if it is one.
    pub rival: Option<usize>,
    /// Whether nothing that it rests on has been observed since it was seen.
    pub stands: bool,
}

impl Claims {
    /// Whether an observation of `other`, after which the front is as before, says nothing about what is in the way.
    pub(super) fn is_beside(&self, hurdle: Hurdle, problem: &Problem, other: usize) -> bool {
        let may_be_rival = || self.front().contains(other) || problem.has_margins();
        other != hurdle.arm && !hurdle.rival.map_or_else(may_be_rival, |rival| rival == other)
    }

    /// Whether [`Claims::progress`] may suffice: not, while what stood in the way still does. Quickly, and without a look at other arms.
    pub fn may_suffice(&mut self, problem: &Problem, seasons: &Seasons) -> bool {
        let Some(Hurdle { arm, rival, stands }) = self.hurdle else { return true };
        if stands {
            return false;
        }
        let rival = rival.unwrap_or(self.rivals[arm]);
        // Most often a glance at the proof tells; of one on the front, against one rival.
        self.hurdle = if self.is_refuted(problem, seasons, arm, rival) {
            Some(Hurdle { arm, rival: self.front().contains(arm).then_some(rival), stands: true })
        } else if self.seems_far(problem, seasons, arm) {
            Some(Hurdle { arm, rival: None, stands: true })
        } else if self.is_unproved(problem, seasons, arm, rival) {
            Some(Hurdle { arm, rival: self.front().contains(arm).then_some(rival), stands: true })
        } else {
            None
        };
        self.hurdle.is_none()
    }

    /// Whether a glance tells that the standing of `arm` is not proved: on the front, against `rival`. Where glances take long, none is taken.
    fn is_refuted(&self, problem: &Problem, seasons: &Seasons, arm: usize, rival: usize) -> bool {
        let (gauge, front, on_front) = (&self.gauge, self.front(), self.front().contains(arm));
        let is_slow = self.limits.is_some() || problem.kinds().is_some() || gauge.compares_quantiles();
        if is_slow || gauge.has_settled(arm, on_front) {
            return false;
        }
        let (bar, shown) = (self.bar(arm), gauge.shown(seasons.all().means()));
        if on_front {
            let is_named = front.contains(rival) || problem.has_margins();
            return rival < problem.arm_count()
                && rival != arm
                && is_named
                && (gauge.proves_undominated_less(problem, shown, arm, rival, bar)
                    || !(gauge.proof_undominated(problem, shown, arm, rival, Care::Glance) >= bar));
        }
        !rivals(problem, front, arm).any(|other| gauge.may_prove_dominated(problem, shown, arm, other, bar))
    }

    /// Whether the standing of `arm` is certainly not proved: on the front, against `rival`.
    fn is_unproved(&self, problem: &Problem, seasons: &Seasons, arm: usize, rival: usize) -> bool {
        let (gauge, front, on_front) = (&self.gauge, self.front(), self.front().contains(arm));
        if gauge.has_settled(arm, on_front) {
            return false;
        }
        let bar = self.bar(arm);
        let own = self.limits.as_ref().map(|_| arm);
        let known = rivals(problem, front, arm).chain(own).find(|&other| other == rival);
        let model = gauge.shown(seasons.all().means());
        if let Some(limits) = &self.limits {
            let pair = Pair { gauge, limits, problem, model };
            let out = self.bars.of(gauge, arm, false);
            return match on_front {
                true => known.is_some_and(|rival| !pair.is_undominated(arm, rival, bar, out)),
                false => !rivals(problem, front, arm).chain(own).any(|other| pair.is_out(arm, other, bar)),
            };
        }
        if on_front {
            return known.is_some_and(|rival| !gauge.proves_undominated(problem, model, arm, rival, bar));
        }
        let through = |other: usize| gauge.proves_dominated(problem, model, arm, other, bar);
        !known.is_some_and(through) && !rivals(problem, front, arm).any(through)
    }

    /// Whether the standing of `arm` seems to be so far from a proof that nobody looks closer.
    fn seems_far(&self, problem: &Problem, seasons: &Seasons, arm: usize) -> bool {
        let (gauge, limits) = (&self.gauge, self.limits.as_deref());
        let outlook = gauge.outlook(seasons.all().means());
        let found = claim_about(gauge, limits, problem, outlook, self.front(), arm, self.search(arm));
        found.claim.fraction(self.bar(arm)) < CLOSE
    }
}
