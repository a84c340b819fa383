//! What the last test of the stop failed on: as long as it stands in the way, there is no need to look at anything else.

use super::pair::Pair;
use super::rivals::{is_rival, rivals};
use super::{CLOSE, Claims, claim_about};
use crate::problem::Problem;
use crate::seasons::Seasons;
use crate::stopping::Care;

/// An arm whose standing was not proved, or seemed to be far from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hurdle {
    arm: usize,
    /// The rival that it is not proved against, if it is one.
    rival: Option<usize>,
    /// How that was seen.
    seen: Seen,
    doubt: Doubt,
}

/// How it was seen that an arm is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Its claim is far from being proved, or some proof falls short.
    Somehow,
    /// It is off the front, and a glance at each rival told that it is not dominated by that one, for all that is proved.
    ByEach,
}

/// What has been observed of what a hurdle rests on since it was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// Nothing: it stands.
    Nothing,
    /// One arm, and not the one in the way.
    Rival(usize),
    /// More.
    Much,
}

impl Hurdle {
    /// One that stands.
    pub fn new(arm: usize, rival: Option<usize>) -> Self {
        Hurdle { arm, rival, seen: Seen::Somehow, doubt: Doubt::Nothing }
    }
}

impl Claims {
    /// Everything may have changed.
    pub(super) fn doubt_hurdle(&mut self) {
        if let Some(hurdle) = &mut self.hurdle {
            hurdle.doubt = Doubt::Much;
        }
    }

    /// An observation of `other`, after which the front is as before, may say something about what is in the way.
    pub(super) fn doubt_hurdle_by(&mut self, problem: &Problem, other: usize) {
        let Some(hurdle) = self.hurdle else { return };
        let may_be_rival = || is_rival(problem, &self.gauge, self.front(), hurdle.arm, other);
        let is_about = other == hurdle.arm || hurdle.rival.map_or_else(may_be_rival, |rival| rival == other);
        let doubt = match hurdle.doubt {
            kept if !is_about => kept,
            Doubt::Nothing if other != hurdle.arm => Doubt::Rival(other),
            Doubt::Rival(known) if known == other => Doubt::Rival(other),
            _ => Doubt::Much,
        };
        self.hurdle = Some(Hurdle { doubt, ..hurdle });
    }

    /// Whether [`Claims::progress`] may suffice: not, while what stood in the way still does. Quickly, and without a look at other arms.
    pub fn may_suffice(&mut self, problem: &Problem, seasons: &Seasons) -> bool {
        let Some(Hurdle { arm, rival, seen, doubt }) = self.hurdle else { return true };
        self.hurdle = match (seen, doubt) {
            (_, Doubt::Nothing) => self.hurdle,
            (Seen::ByEach, Doubt::Rival(other)) if !self.may_be_out_through(problem, seasons, arm, other) => {
                Some(Hurdle { arm, rival, seen, doubt: Doubt::Nothing })
            }
            _ => self.still_there(problem, seasons, arm, rival.unwrap_or(self.rivals[arm])),
        };
        self.hurdle.is_none()
    }

    /// What stands in the way of `arm`, on the front against `rival`, if it does.
    fn still_there(&self, problem: &Problem, seasons: &Seasons, arm: usize, rival: usize) -> Option<Hurdle> {
        let on_front = self.front().contains(arm);
        let hurdle = Hurdle::new(arm, on_front.then_some(rival));
        // Most often a glance at the proof tells; of one on the front, against one rival.
        if self.is_refuted(problem, seasons, arm, rival) {
            return Some(Hurdle { seen: if on_front { Seen::Somehow } else { Seen::ByEach }, ..hurdle });
        }
        if self.seems_far(problem, seasons, arm, rival) {
            return Some(Hurdle::new(arm, None));
        }
        self.is_unproved(problem, seasons, arm, rival).then_some(hurdle)
    }

    /// Whether an arm off the front may be proved to be dominated by this one, by a glance.
    fn may_be_out_through(&self, problem: &Problem, seasons: &Seasons, arm: usize, other: usize) -> bool {
        let shown = self.gauge.shown(seasons.all().means());
        self.gauge.may_prove_dominated(problem, shown, arm, other, self.bar(arm))
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
            return is_rival(problem, gauge, front, arm, rival)
                && (gauge.is_undominated_for_less(problem, shown, arm, rival, bar)
                    || !(gauge.proof_undominated(problem, shown, arm, rival, Care::Glance) >= bar));
        }
        !rivals(problem, gauge, front, arm).any(|other| self.may_be_out_through(problem, seasons, arm, other))
    }

    /// Whether the standing of `arm` is certainly not proved: on the front, against `rival`.
    fn is_unproved(&self, problem: &Problem, seasons: &Seasons, arm: usize, rival: usize) -> bool {
        let (gauge, front, on_front) = (&self.gauge, self.front(), self.front().contains(arm));
        if gauge.has_settled(arm, on_front) {
            return false;
        }
        let bar = self.bar(arm);
        let own = self.limits.as_ref().map(|_| arm);
        let known = rivals(problem, gauge, front, arm).chain(own).find(|&other| other == rival);
        let model = gauge.shown(seasons.all().means());
        if let Some(limits) = &self.limits {
            let pair = Pair { gauge, limits, problem, model };
            let out = self.bars.of(gauge, arm, false);
            return match on_front {
                true => known.is_some_and(|rival| !pair.is_undominated(arm, rival, bar, out)),
                false => !rivals(problem, gauge, front, arm).chain(own).any(|other| pair.is_out(arm, other, bar)),
            };
        }
        if on_front {
            return known.is_some_and(|rival| !gauge.proves_undominated(problem, model, arm, rival, bar));
        }
        let through = |other: usize| gauge.proves_dominated(problem, model, arm, other, bar);
        !known.is_some_and(through) && !rivals(problem, gauge, front, arm).any(through)
    }

    /// Whether the standing of `arm` seems to be so far from a proof that nobody looks closer; on the front most likely against `rival`.
    fn seems_far(&self, problem: &Problem, seasons: &Seasons, arm: usize, rival: usize) -> bool {
        let (gauge, limits, front) = (&self.gauge, self.limits.as_deref(), self.front());
        let (outlook, bar) = (gauge.outlook(seasons.all().means()), self.bar(arm));
        let is_against = front.contains(arm) && limits.is_none() && is_rival(problem, gauge, front, arm, rival);
        // Where glances take long, this one most often tells: whoever comes closest to dominating it comes no less close than any.
        if is_against && problem.kinds().is_some() && !gauge.has_settled(arm, true) {
            let claim = gauge.undominated(problem, outlook, arm, rival);
            if claim.is_short_of(CLOSE, bar) {
                return true;
            }
        }
        let found = claim_about(gauge, limits, problem, outlook, front, arm, self.search(arm));
        found.claim.fraction(bar) < CLOSE
    }
}
