//! What is claimed of every arm and how far that is from being proved, kept up to date: the ring between tally and a certified stop.
//!
//! An arm off the front is claimed to be dominated by one on it: any one will do, so each such arm keeps to one *rival*, and only
//! if it turns out to be the weakest of all is another one looked for. An arm on the front is claimed not to be dominated by
//! any other on it, so its rival is the one that comes closest, always. An observation of an arm changes only the claims it is part of.
//!
//! Which rivals are kept depends on the past, and what is answered does not: the fraction of a claim that is kept is no more than that
//! of the arm's best claim, so once the least of all is a best one, it is the least of the best. A study that is taken up again
//! decides as one that never was interrupted.

use crate::front::Front;
use crate::live_front::LiveFront;
use crate::model::Model;
use crate::problem::Problem;
use crate::seasons::Seasons;
use crate::stopping::{Bars, Care, Certified, Claim, Gauge, Outlook, Progress};
use crate::tally::Tally;

/// The claim that is furthest from being proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WeakestClaim {
    pub arm: usize,
    pub rival: usize,
    pub on_front: bool,
    pub claim: Claim,
    /// The part that there is of the cost it takes.
    pub fraction: f64,
    /// How that is known.
    pub by: By,
}

/// How it is known that a claim is the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// It seems so, as quickly as that can be said.
    Glance,
    /// All others are proved, or seem to be closer, and this one is not.
    Proof,
}

/// Not enough, whatever it seemed to be.
fn short_of(claim: Claim, threshold: f64) -> Progress {
    let evidence = claim.proof.clamp(0.0, threshold.next_down());
    Progress { evidence, threshold, fraction: claim.fraction(threshold).min(1.0f64.next_down()) }
}

/// The claims of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    certified: Certified,
    /// The proofs that it takes.
    bars: Bars,
    gauge: Gauge,
    live: LiveFront,
    /// By arm: what is claimed, and against or through whom; `usize::MAX` for an arm alone on the front.
    claims: Vec<Claim>,
    rivals: Vec<usize>,
    /// By arm: when all candidates for its rival were looked at last.
    looked: Vec<u64>,
    now: u64,
    weakest: Option<WeakestClaim>,
    /// The arm that the last test of the stop failed on, to be tested first the next time.
    obstacle: Option<usize>,
}

/// Where the cost is below this part of what it is thought to take, there is no need to compute the proof exactly.
const CLOSE: f64 = 0.9;

impl Claims {
    pub fn new(problem: &Problem, seasons: &Seasons, certified: Certified) -> Self {
        let arms = problem.arm_count();
        let (gauge, mut live) = (Gauge::new(problem, seasons), LiveFront::default());
        live.reset(seasons.all().means());
        let mut kept = Claims {
            certified,
            bars: certified.bars(problem, &gauge, live.front()),
            gauge,
            live,
            claims: vec![Claim::FALSE; arms],
            rivals: vec![usize::MAX; arms],
            looked: vec![0; arms],
            now: 1,
            weakest: None,
            obstacle: None,
        };
        kept.look_at_all(problem, seasons);
        kept
    }

    /// The front of the means.
    pub fn front(&self) -> &Front {
        self.live.front()
    }

    /// The claims as they are measured.
    pub fn gauge(&self) -> &Gauge {
        &self.gauge
    }

    /// The weakest claim as last asked for; `None` if nothing is in doubt.
    pub fn last(&self) -> Option<&WeakestClaim> {
        self.weakest.as_ref()
    }

    /// Looks at all claims anew: when every variance has changed.
    pub fn reconsider(&mut self, problem: &Problem, seasons: &Seasons) {
        self.gauge.reconsider(problem, seasons);
        self.look_at_all(problem, seasons);
    }

    fn look_at_all(&mut self, problem: &Problem, seasons: &Seasons) {
        for arm in 0..problem.arm_count() {
            self.look(problem, seasons, arm);
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, seasons: &Seasons, arm: usize) {
        self.now += 1;
        self.gauge.follow(problem, seasons, arm);
        self.live.update(seasons.all().means(), arm);
        let changes: Vec<(usize, bool)> = self.live.changes().collect();
        if !changes.is_empty() {
            self.bars = self.certified.bars(problem, &self.gauge, self.live.front());
        }
        for &(changed, _) in changes.iter().filter(|change| change.0 != arm) {
            self.look(problem, seasons, changed);
        }
        self.look(problem, seasons, arm);
        for &(changed, joined) in &changes {
            if joined { self.joined(problem, seasons, changed) } else { self.left(problem, seasons, changed) }
        }
        self.moved(problem, seasons, arm);
    }

    /// The weakest claim now.
    pub fn weakest(&mut self, problem: &Problem, seasons: &Seasons) -> Option<&WeakestClaim> {
        self.weakest = loop {
            let mut least = (f64::INFINITY, usize::MAX);
            for (arm, claim) in self.claims.iter().enumerate() {
                let fraction = claim.fraction(self.bar(arm));
                debug_assert!(!fraction.is_nan(), "{claim:?}");
                if fraction < least.0 {
                    least = (fraction, arm);
                }
            }
            let (fraction, arm) = least;
            if arm == usize::MAX {
                break None;
            }
            let on_front = self.front().contains(arm);
            if !on_front && self.looked[arm] != self.now {
                // Perhaps another arm dominates it more surely.
                self.look(problem, seasons, arm);
                continue;
            }
            break Some(WeakestClaim {
                arm,
                rival: self.rivals[arm],
                on_front,
                claim: self.claims[arm],
                fraction,
                by: By::Glance,
            });
        };
        self.weakest.as_ref()
    }

    /// The proof that it takes to certify `arm` together with all others.
    #[inline]
    fn bar(&self, arm: usize) -> f64 {
        self.bars.of(&self.gauge, arm, self.front().contains(arm))
    }

    /// The proof of the weakest claim, about, and what it takes; whether it suffices, exactly.
    pub fn progress(&mut self, problem: &Problem, seasons: &Seasons) -> Progress {
        let Some(weakest) = self.weakest(problem, seasons).copied() else {
            return Progress { evidence: f64::INFINITY, threshold: self.bar(0), fraction: f64::INFINITY };
        };
        let (threshold, fraction) = (self.bar(weakest.arm), weakest.fraction);
        if fraction >= 1.0 {
            let Some(obstacle) = self.first_unproved(problem, seasons) else {
                let exact = self.exactly(problem, seasons, weakest);
                let fraction = exact.claim.fraction(threshold).max(1.0);
                return Progress { evidence: exact.claim.proof.max(threshold), threshold, fraction };
            };
            // All seems to be proved, and is not: what holds up the stop is to be measured.
            let held_up = self.held_up(problem, seasons, obstacle);
            self.weakest = Some(held_up);
            return short_of(held_up.claim, self.bar(obstacle));
        }
        if fraction >= CLOSE && self.is_proved(problem, seasons) {
            let exact = self.exactly(problem, seasons, weakest);
            let fraction = exact.claim.fraction(threshold).max(1.0);
            return Progress { evidence: exact.claim.proof.max(threshold), threshold, fraction };
        }
        short_of(weakest.claim, threshold)
    }

    /// A claim with its proof without approximation.
    fn exactly(&self, problem: &Problem, seasons: &Seasons, mut weakest: WeakestClaim) -> WeakestClaim {
        let WeakestClaim { arm, rival, on_front, .. } = weakest;
        let (gauge, shown) = (&self.gauge, self.gauge.shown(seasons.all().means()));
        weakest.claim.proof = if on_front {
            gauge.proof_undominated(problem, shown, arm, rival, Care::Full)
        } else {
            gauge.proof_dominated(problem, shown, arm, rival, Care::Full)
        };
        weakest
    }

    /// Whether every claim is proved.
    fn is_proved(&mut self, problem: &Problem, seasons: &Seasons) -> bool {
        if self.obstacle.is_some_and(|arm| !self.is_proved_of(problem, seasons, arm)) {
            return false;
        }
        self.obstacle = self.first_unproved(problem, seasons);
        self.obstacle.is_none()
    }

    /// Of the arms whose claims are not proved, the one that seemed to be furthest from it: most likely it is among the first that are looked at.
    fn first_unproved(&self, problem: &Problem, seasons: &Seasons) -> Option<usize> {
        let (front, outlook) = (self.front(), self.gauge.outlook(seasons.all().means()));
        // What is kept of an arm off the front depends on the past.
        let part = |arm: usize| {
            let claim = if front.contains(arm) || self.looked[arm] == self.now {
                self.claims[arm]
            } else {
                claim_about(&self.gauge, problem, outlook, front, arm, self.bar(arm)).0
            };
            claim.fraction(self.bar(arm))
        };
        let mut order: Vec<(f64, usize)> = (0..problem.arm_count()).map(|arm| (part(arm), arm)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, arm)| arm).find(|&arm| !self.is_proved_of(problem, seasons, arm))
    }

    /// The claim about `arm`, which is not proved, by the proofs themselves: of one on the front against whom it is furthest from a proof, of one off it
    /// through whom it is nearest to one.
    fn held_up(&self, problem: &Problem, seasons: &Seasons, arm: usize) -> WeakestClaim {
        let (on_front, bar) = (self.front().contains(arm), self.bar(arm));
        let others = self.front().members().iter().copied().filter(|&other| other != arm);
        let claims = others.map(|rival| {
            let claim = self.claim(problem, seasons, arm, rival);
            self.exactly(problem, seasons, WeakestClaim { arm, rival, on_front, claim, fraction: 0.0, by: By::Proof })
        });
        let further = |a: &WeakestClaim, b: &WeakestClaim| (a.claim.proof < b.claim.proof) == on_front;
        let mut held_up = claims.reduce(|a, b| if further(&b, &a) { b } else { a }).expect("it has a rival");
        held_up.fraction = held_up.claim.fraction(bar).min(1.0f64.next_down());
        held_up
    }

    /// Whether the claim about `arm` is proved: on the front against every other arm of it; off the front through one, most likely its
    /// rival.
    fn is_proved_of(&self, problem: &Problem, seasons: &Seasons, arm: usize) -> bool {
        let (gauge, front, bar) = (&self.gauge, self.live.front(), self.bar(arm));
        if gauge.has_settled(arm, front.contains(arm)) {
            return true;
        }
        let shown = gauge.shown(seasons.all().means());
        let others = || front.members().iter().copied().filter(|&other| other != arm);
        if front.contains(arm) {
            let against = |other: usize| gauge.proves_undominated(problem, shown, arm, other, bar);
            // The rival is most likely the one that it fails against.
            let rival = self.rivals[arm];
            return rival == usize::MAX || (against(rival) && others().filter(|&other| other != rival).all(against));
        }
        let through = |other: usize| gauge.proves_dominated(problem, shown, arm, other, bar);
        through(self.rivals[arm]) || others().any(through)
    }

    /// The weakest claim about another model at the same counts, of which `front` is the front. Looks at all pairs.
    pub fn weakest_in(&self, problem: &Problem, model: &Model, front: &Front) -> Option<WeakestClaim> {
        let bars = self.certified.bars(problem, &self.gauge, front);
        let mut weakest: Option<WeakestClaim> = None;
        for arm in 0..problem.arm_count() {
            let on_front = front.contains(arm);
            let bar = bars.of(&self.gauge, arm, on_front);
            let (claim, rival) = claim_about(&self.gauge, problem, Outlook::plain(model), front, arm, bar);
            let fraction = claim.fraction(bar);
            if fraction < weakest.map_or(f64::INFINITY, |known| known.fraction) {
                weakest = Some(WeakestClaim { arm, rival, on_front, claim, fraction, by: By::Glance });
            }
        }
        weakest
    }

    /// Finds the rival of `arm` among all candidates.
    fn look(&mut self, problem: &Problem, seasons: &Seasons, arm: usize) {
        let outlook = self.gauge.outlook(seasons.all().means());
        let bar = self.bar(arm);
        (self.claims[arm], self.rivals[arm]) = claim_about(&self.gauge, problem, outlook, self.live.front(), arm, bar);
        self.looked[arm] = self.now;
    }

    /// The claim between `arm` and `other`, which is on the front.
    fn claim(&self, problem: &Problem, seasons: &Seasons, arm: usize, other: usize) -> Claim {
        let outlook = self.gauge.outlook(seasons.all().means());
        if self.front().contains(arm) {
            self.gauge.undominated(problem, outlook, arm, other)
        } else {
            self.gauge.dominated(problem, outlook, arm, other)
        }
    }

    /// Whether nothing need be claimed of `arm`.
    fn has_settled(&self, arm: usize) -> bool {
        self.gauge.has_settled(arm, self.front().contains(arm))
    }

    /// A new arm on the front may come closest to dominating others.
    fn joined(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        for place in 0..self.front().members().len() {
            let arm = self.front().members()[place];
            if arm != other && !self.has_settled(arm) {
                let claim = self.claim(problem, seasons, arm, other);
                if self.rivals[arm] == usize::MAX || (claim.rank(), other) < (self.claims[arm].rank(), self.rivals[arm])
                {
                    (self.claims[arm], self.rivals[arm]) = (claim, other);
                }
            }
        }
    }

    /// Whoever had this arm for a rival needs another.
    fn left(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        for arm in 0..self.rivals.len() {
            if self.rivals[arm] == other {
                self.look(problem, seasons, arm);
            }
        }
    }

    /// The claims through an arm on the front that has been observed.
    fn moved(&mut self, problem: &Problem, seasons: &Seasons, other: usize) {
        if !self.front().contains(other) {
            return;
        }
        for arm in 0..self.rivals.len() {
            let is_rival = self.rivals[arm] == other;
            if arm == other || !(is_rival || self.front().contains(arm)) || self.has_settled(arm) {
                continue;
            }
            let claim = self.claim(problem, seasons, arm, other);
            if !self.front().contains(arm) {
                self.claims[arm] = claim;
            } else if (claim.rank(), other) <= (self.claims[arm].rank(), self.rivals[arm]) {
                (self.claims[arm], self.rivals[arm]) = (claim, other);
            } else if is_rival {
                self.look(problem, seasons, arm);
            }
        }
    }
}

/// The claim about `arm` and its rival: off the front the arm through which it is furthest on the way to `bar`, so that no rival from the past is further; on
/// the front the one that comes closest to dominating it. The first among equals; `usize::MAX` for an arm alone on the front, or settled.
fn claim_about(
    gauge: &Gauge,
    problem: &Problem,
    outlook: Outlook<'_>,
    front: &Front,
    arm: usize,
    bar: f64,
) -> (Claim, usize) {
    if gauge.has_settled(arm, front.contains(arm)) {
        return (Claim::CERTAIN, usize::MAX);
    }
    let others = front.members().iter().filter(|&&other| other != arm);
    if front.contains(arm) {
        let claims = others.map(|&other| (gauge.undominated(problem, outlook, arm, other), other));
        let claims = claims.map(|(claim, other)| (claim.rank(), claim, other));
        claims.reduce(|best, next| if next.0 < best.0 { next } else { best })
    } else {
        let claims = others.map(|&other| (gauge.dominated(problem, outlook, arm, other), other));
        let claims = claims.map(|(claim, other)| (claim.way_to(bar), claim, other));
        claims.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }
    .map_or((Claim::CERTAIN, usize::MAX), |(_, claim, rival)| (claim, rival))
}

/// The part of the way that seems to be done at these observations, of which no lesson was taken: `None` if that is less than `part`.
pub(crate) fn done(problem: &Problem, tally: &Tally, certified: &Certified, front: &Front, part: f64) -> Option<f64> {
    let gauge = Gauge::plain(problem, tally);
    let bars = certified.bars(problem, &gauge, front);
    let mut least = f64::INFINITY;
    for arm in 0..problem.arm_count() {
        let bar = bars.of(&gauge, arm, front.contains(arm));
        let (claim, _) = claim_about(&gauge, problem, Outlook::plain(tally.means()), front, arm, bar);
        least = least.min(claim.fraction(bar));
        if !(least >= part) {
            return None;
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::statistic::Statistic;

    /// The weakest claim, by looking at all pairs of arms and remembering nothing: the arm that is least far, where an arm off the front
    /// is as far as through its best dominator, and one on the front as against the arm that comes closest to dominating it.
    fn weakest_of_all_pairs(
        problem: &Problem,
        seasons: &Seasons,
        certified: &Certified,
    ) -> Option<(usize, usize, f64)> {
        let (gauge, means) = (Gauge::new(problem, seasons), seasons.all().means());
        let front = Front::of(means);
        let bars = certified.bars(problem, &gauge, &front);
        let outlook = gauge.outlook(means);
        let mut weakest: Option<(usize, usize, f64)> = None;
        for arm in (0..problem.arm_count()).filter(|&arm| !gauge.has_settled(arm, front.contains(arm))) {
            let mut rival: Option<(usize, Claim)> = None;
            let bar = bars.of(&gauge, arm, front.contains(arm));
            for other in (0..problem.arm_count()).filter(|&other| other != arm && front.contains(other)) {
                let (claim, better) = if front.contains(arm) {
                    let claim = gauge.undominated(problem, outlook, arm, other);
                    (claim, rival.is_none_or(|(_, known)| claim.rank() < known.rank()))
                } else {
                    let claim = gauge.dominated(problem, outlook, arm, other);
                    (claim, rival.is_none_or(|(_, known)| claim.way_to(bar) > known.way_to(bar)))
                };
                if better {
                    rival = Some((other, claim));
                }
            }
            if let Some((other, claim)) = rival {
                let fraction = claim.fraction(bar);
                if fraction < weakest.map_or(f64::INFINITY, |known| known.2) {
                    weakest = Some((arm, other, fraction));
                }
            }
        }
        weakest
    }

    /// Whether every claim is proved, by looking at all pairs.
    fn all_proved(problem: &Problem, seasons: &Seasons, certified: &Certified) -> bool {
        let (gauge, means) = (Gauge::new(problem, seasons), seasons.all().means());
        let front = Front::of(means);
        let bars = certified.bars(problem, &gauge, &front);
        let shown = gauge.shown(means);
        (0..problem.arm_count()).all(|arm| {
            let bar = bars.of(&gauge, arm, front.contains(arm));
            let mut others = front.members().iter().filter(|&&other| other != arm);
            gauge.has_settled(arm, front.contains(arm))
                || if front.contains(arm) {
                    others.all(|&other| gauge.proof_undominated(problem, shown, arm, other, Care::Full) >= bar)
                } else {
                    others.any(|&other| gauge.proof_dominated(problem, shown, arm, other, Care::Full) >= bar)
                }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// The weakest claim and the stop are functions of the observations before and after the lesson alone, through changes of the front and
        /// ties, with noise and without: they are those that looking at all pairs finds, whatever rivals were kept on the way.
        #[test]
        fn the_weakest_claim_is_that_of_all_pairs(
            k in 2usize..9, d in 1usize..4, exact in any::<bool>(), median in any::<bool>(),
            lesson in prop::option::of(0usize..60), settled in prop::collection::vec(any::<bool>(), 9),
            steps in prop::collection::vec((0usize..9, 1usize..12, prop::collection::vec(-4i32..5, 3)), 1..120),
        ) {
            let law = |j: usize| if exact && j == 0 { Noise::Exact } else { Noise::Variance(1.0) };
            let statistic = |j: usize| if median && j == 1 { Statistic::MEDIAN } else { Statistic::Mean };
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, law(j)).with_statistic(statistic(j));
            let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
            let problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
            let certified = Certified::new(0.1).unwrap();
            let mut seasons = Seasons::from(Tally::new(&problem));
            let add = |seasons: &mut Seasons, arm: usize, values: &[i32]| {
                let first = if exact { (arm % 2) as f64 } else { f64::from(values[0]) / 2.0 };
                let values: Vec<f64> = (0..d).map(|j| if j == 0 { first } else { f64::from(values[j]) / 2.0 }).collect();
                seasons.add(&problem, arm, &values).unwrap();
            };
            for arm in 0..k {
                add(&mut seasons, arm, &[arm as i32 % 3, (arm as i32 * 5) % 4, 1]);
            }
            let mut claims = Claims::new(&problem, &seasons, certified);
            for (step, (arm, times, values)) in steps.into_iter().enumerate() {
                if lesson == Some(step) {
                    seasons.learn(&problem, 0.2, settled[..k].to_vec());
                    claims = Claims::new(&problem, &seasons, certified);
                }
                let arm = arm % k;
                for _ in 0..times {
                    add(&mut seasons, arm, &values);
                    claims.follow(&problem, &seasons, arm);
                }
                prop_assert_eq!(claims.front(), &Front::of(seasons.all().means()));
                let weakest = claims.weakest(&problem, &seasons).map(|weakest| (weakest.arm, weakest.rival, weakest.fraction));
                prop_assert_eq!(weakest, weakest_of_all_pairs(&problem, &seasons, &certified));
                let progress = claims.progress(&problem, &seasons);
                let mut afresh = Claims::new(&problem, &seasons, certified);
                prop_assert_eq!(progress, afresh.progress(&problem, &seasons));
                prop_assert_eq!(claims.last(), afresh.last());
                prop_assert_eq!(progress.suffices(), progress.fraction >= 1.0);
                if progress.fraction >= CLOSE {
                    prop_assert_eq!(progress.suffices(), all_proved(&problem, &seasons, &certified));
                }
            }
        }
    }
}
