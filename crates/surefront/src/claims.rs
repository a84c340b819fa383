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
use crate::stopping::{Care, Certified, Claim, Gauge, Progress};
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
}

/// The claims of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    certified: Certified,
    /// The proofs that it takes for an arm off the front, and for one on it.
    thresholds: (f64, f64),
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
    pub fn new(problem: &Problem, tally: &Tally, certified: Certified) -> Self {
        let arms = problem.arm_count();
        let mut kept = Claims {
            certified,
            thresholds: (f64::INFINITY, f64::INFINITY),
            gauge: Gauge::new(problem, tally),
            live: LiveFront::default(),
            claims: vec![Claim::FALSE; arms],
            rivals: vec![usize::MAX; arms],
            looked: vec![0; arms],
            now: 1,
            weakest: None,
            obstacle: None,
        };
        kept.live.reset(tally.means());
        kept.thresholds = thresholds(&certified, problem, kept.live.front());
        kept.reconsider(problem, tally);
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
    pub fn reconsider(&mut self, problem: &Problem, tally: &Tally) {
        self.gauge = Gauge::new(problem, tally);
        for arm in 0..problem.arm_count() {
            self.look(problem, tally, arm);
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        self.now += 1;
        self.gauge.follow(problem, tally, arm);
        self.live.update(tally.means(), arm);
        let changes: Vec<(usize, bool)> = self.live.changes().collect();
        if !changes.is_empty() {
            self.thresholds = thresholds(&self.certified, problem, self.live.front());
        }
        for &(changed, _) in changes.iter().filter(|change| change.0 != arm) {
            self.look(problem, tally, changed);
        }
        self.look(problem, tally, arm);
        for &(changed, joined) in &changes {
            if joined { self.joined(problem, tally, changed) } else { self.left(problem, tally, changed) }
        }
        self.moved(problem, tally, arm);
    }

    /// The weakest claim now.
    pub fn weakest(&mut self, problem: &Problem, tally: &Tally) -> Option<&WeakestClaim> {
        let (out, within) = self.thresholds;
        self.weakest = loop {
            let mut least = (f64::INFINITY, usize::MAX);
            for (arm, claim) in self.claims.iter().enumerate() {
                let threshold = if self.front().contains(arm) { within } else { out };
                let fraction = claim.fraction(threshold);
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
                self.look(problem, tally, arm);
                continue;
            }
            break Some(WeakestClaim { arm, rival: self.rivals[arm], on_front, claim: self.claims[arm], fraction });
        };
        self.weakest.as_ref()
    }

    /// The proof of the weakest claim, and what it takes; exactly, once they are close.
    pub fn progress(&mut self, problem: &Problem, tally: &Tally) -> Progress {
        let (out, within) = self.thresholds;
        let Some(weakest) = self.weakest(problem, tally).copied() else {
            return Progress { evidence: f64::INFINITY, threshold: out, fraction: f64::INFINITY };
        };
        let WeakestClaim { arm, rival, on_front, mut claim, fraction } = weakest;
        let threshold = if on_front { within } else { out };
        if fraction >= CLOSE {
            let (gauge, means) = (&self.gauge, tally.means());
            claim.proof = if on_front {
                gauge.proof_undominated(problem, means, arm, rival, Care::Full)
            } else {
                gauge.proof_dominated(problem, means, arm, rival, Care::Full)
            };
            if self.is_proved(problem, means) {
                let proof = claim.proof.max(threshold);
                return Progress { evidence: proof, threshold, fraction: claim.fraction(threshold).max(1.0) };
            }
        }
        // The claim that holds up the stop need not be the one that seemed the weakest.
        let evidence = claim.proof.clamp(0.0, threshold.next_down());
        Progress { evidence, threshold, fraction: claim.fraction(threshold).min(1.0f64.next_down()) }
    }

    /// Whether every claim is proved.
    fn is_proved(&mut self, problem: &Problem, means: &Model) -> bool {
        if self.obstacle.is_some_and(|arm| !self.is_proved_of(problem, means, arm)) {
            return false;
        }
        self.obstacle = (0..problem.arm_count()).find(|&arm| !self.is_proved_of(problem, means, arm));
        self.obstacle.is_none()
    }

    /// Whether the claim about `arm` is proved: on the front against every other arm of it; off the front through one, most likely its
    /// rival.
    fn is_proved_of(&self, problem: &Problem, means: &Model, arm: usize) -> bool {
        let (gauge, front, (out, within)) = (&self.gauge, self.live.front(), self.thresholds);
        let others = || front.members().iter().copied().filter(|&other| other != arm);
        // Most often a glance tells that it is too little. NaN is no proof.
        let cares = [Care::Glance, Care::Full];
        if front.contains(arm) {
            return others().all(|other| {
                cares.iter().all(|&care| gauge.proof_undominated(problem, means, arm, other, care) >= within)
            });
        }
        let through =
            |other: usize| cares.iter().all(|&care| gauge.proof_dominated(problem, means, arm, other, care) >= out);
        through(self.rivals[arm]) || others().any(through)
    }

    /// The weakest claim about another model at the same counts, of which `front` is the front. Looks at all pairs.
    pub fn weakest_in(&self, problem: &Problem, model: &Model, front: &Front) -> Option<WeakestClaim> {
        let (out, within) = thresholds(&self.certified, problem, front);
        let mut weakest: Option<WeakestClaim> = None;
        for arm in 0..problem.arm_count() {
            let (claim, rival) = claim_about(&self.gauge, problem, model, front, arm, out);
            let on_front = front.contains(arm);
            let fraction = claim.fraction(if on_front { within } else { out });
            if fraction < weakest.map_or(f64::INFINITY, |known| known.fraction) {
                weakest = Some(WeakestClaim { arm, rival, on_front, claim, fraction });
            }
        }
        weakest
    }

    /// Finds the rival of `arm` among all candidates.
    fn look(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let (out, _) = self.thresholds;
        (self.claims[arm], self.rivals[arm]) =
            claim_about(&self.gauge, problem, tally.means(), self.live.front(), arm, out);
        self.looked[arm] = self.now;
    }

    /// The claim between `arm` and `other`, which is on the front.
    fn claim(&self, problem: &Problem, tally: &Tally, arm: usize, other: usize) -> Claim {
        if self.front().contains(arm) {
            self.gauge.undominated(problem, tally.means(), arm, other)
        } else {
            self.gauge.dominated(problem, tally.means(), arm, other)
        }
    }

    /// A new arm on the front may come closest to dominating others.
    fn joined(&mut self, problem: &Problem, tally: &Tally, other: usize) {
        for place in 0..self.front().members().len() {
            let arm = self.front().members()[place];
            if arm != other {
                let claim = self.claim(problem, tally, arm, other);
                if self.rivals[arm] == usize::MAX || (claim.proof, other) < (self.claims[arm].proof, self.rivals[arm]) {
                    (self.claims[arm], self.rivals[arm]) = (claim, other);
                }
            }
        }
    }

    /// Whoever had this arm for a rival needs another.
    fn left(&mut self, problem: &Problem, tally: &Tally, other: usize) {
        for arm in 0..self.rivals.len() {
            if self.rivals[arm] == other {
                self.look(problem, tally, arm);
            }
        }
    }

    /// The claims through an arm on the front that has been observed.
    fn moved(&mut self, problem: &Problem, tally: &Tally, other: usize) {
        if !self.front().contains(other) {
            return;
        }
        for arm in 0..self.rivals.len() {
            let is_rival = self.rivals[arm] == other;
            if arm == other || !(is_rival || self.front().contains(arm)) {
                continue;
            }
            let claim = self.claim(problem, tally, arm, other);
            if !self.front().contains(arm) {
                self.claims[arm] = claim;
            } else if (claim.proof, other) <= (self.claims[arm].proof, self.rivals[arm]) {
                (self.claims[arm], self.rivals[arm]) = (claim, other);
            } else if is_rival {
                self.look(problem, tally, arm);
            }
        }
    }
}

/// The claim about `arm` and its rival: off the front the arm that dominates it most surely, for a proof of `out`; on the front the
/// one that comes closest to dominating it. The first among equals; `usize::MAX` for an arm alone on the front.
fn claim_about(gauge: &Gauge, problem: &Problem, model: &Model, front: &Front, arm: usize, out: f64) -> (Claim, usize) {
    let others = front.members().iter().filter(|&&other| other != arm);
    if front.contains(arm) {
        let claims = others.map(|&other| (gauge.undominated(problem, model, arm, other), other));
        claims.reduce(|best, next| if next.0.proof < best.0.proof { next } else { best })
    } else {
        let claims = others.map(|&other| (gauge.dominated(problem, model, arm, other), other));
        let further = |next: &Claim, best: &Claim| next.fraction(out) > best.fraction(out);
        claims.reduce(|best, next| if further(&next.0, &best.0) { next } else { best })
    }
    .unwrap_or((Claim::CERTAIN, usize::MAX))
}

fn thresholds(certified: &Certified, problem: &Problem, front: &Front) -> (f64, f64) {
    let size = front.members().len();
    (certified.out_threshold(problem, size), certified.in_threshold(problem, size, size))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::problem::{Arm, Goal, Noise, Objective};

    /// The weakest claim, by looking at all pairs of arms and remembering nothing: the arm that is least far, where an arm off the front
    /// is as far as through its best dominator, and one on the front as against the arm that comes closest to dominating it.
    fn weakest_of_all_pairs(problem: &Problem, tally: &Tally, certified: &Certified) -> Option<(usize, usize, f64)> {
        let (gauge, front, means) = (Gauge::new(problem, tally), Front::of(tally.means()), tally.means());
        let size = front.members().len();
        let mut weakest: Option<(usize, usize, f64)> = None;
        for arm in 0..problem.arm_count() {
            let mut rival: Option<(usize, Claim)> = None;
            for other in (0..problem.arm_count()).filter(|&other| other != arm && front.contains(other)) {
                let (claim, better) = if front.contains(arm) {
                    let claim = gauge.undominated(problem, means, arm, other);
                    (claim, rival.is_none_or(|(_, known)| claim.proof < known.proof))
                } else {
                    let (claim, out) =
                        (gauge.dominated(problem, means, arm, other), certified.out_threshold(problem, size));
                    (claim, rival.is_none_or(|(_, known)| claim.fraction(out) > known.fraction(out)))
                };
                if better {
                    rival = Some((other, claim));
                }
            }
            let threshold = if front.contains(arm) {
                certified.in_threshold(problem, size, size)
            } else {
                certified.out_threshold(problem, size)
            };
            if let Some((other, claim)) = rival {
                let fraction = claim.fraction(threshold);
                if fraction < weakest.map_or(f64::INFINITY, |known| known.2) {
                    weakest = Some((arm, other, fraction));
                }
            }
        }
        weakest
    }

    /// Whether every claim is proved, by looking at all pairs.
    fn all_proved(problem: &Problem, tally: &Tally, certified: &Certified) -> bool {
        let (gauge, front, means) = (Gauge::new(problem, tally), Front::of(tally.means()), tally.means());
        let size = front.members().len();
        (0..problem.arm_count()).all(|arm| {
            let mut others = front.members().iter().filter(|&&other| other != arm);
            if front.contains(arm) {
                let bar = certified.in_threshold(problem, size, size);
                others.all(|&other| gauge.proof_undominated(problem, means, arm, other, Care::Full) >= bar)
            } else {
                let bar = certified.out_threshold(problem, size);
                others.any(|&other| gauge.proof_dominated(problem, means, arm, other, Care::Full) >= bar)
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// The weakest claim and the stop are functions of the tally alone, through changes of the front and ties, with noise and without:
        /// they are those that looking at all pairs finds, whatever rivals were kept on the way.
        #[test]
        fn the_weakest_claim_is_that_of_all_pairs(
            k in 2usize..9, d in 1usize..4, exact in any::<bool>(),
            steps in prop::collection::vec((0usize..9, 1usize..12, prop::collection::vec(-4i32..5, 3)), 1..120),
        ) {
            let law = |j: usize| if exact && j == 0 { Noise::Exact } else { Noise::Variance(1.0) };
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, law(j));
            let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
            let problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
            let certified = Certified::new(0.1).unwrap();
            let mut tally = Tally::new(&problem);
            let add = |tally: &mut Tally, arm: usize, values: &[i32]| {
                let first = if exact { (arm % 2) as f64 } else { f64::from(values[0]) / 2.0 };
                let values: Vec<f64> = (0..d).map(|j| if j == 0 { first } else { f64::from(values[j]) / 2.0 }).collect();
                tally.add(&problem, arm, &values).unwrap();
            };
            for arm in 0..k {
                add(&mut tally, arm, &[arm as i32 % 3, (arm as i32 * 5) % 4, 1]);
            }
            let mut claims = Claims::new(&problem, &tally, certified);
            for (arm, times, values) in steps {
                let arm = arm % k;
                for _ in 0..times {
                    add(&mut tally, arm, &values);
                    claims.follow(&problem, &tally, arm);
                }
                prop_assert_eq!(claims.front(), &Front::of(tally.means()));
                let weakest = claims.weakest(&problem, &tally).map(|weakest| (weakest.arm, weakest.rival, weakest.fraction));
                prop_assert_eq!(weakest, weakest_of_all_pairs(&problem, &tally, &certified));
                let progress = claims.progress(&problem, &tally);
                prop_assert_eq!(progress, Claims::new(&problem, &tally, certified).progress(&problem, &tally));
                prop_assert_eq!(progress.suffices(), progress.fraction >= 1.0);
                if progress.fraction >= CLOSE {
                    prop_assert_eq!(progress.suffices(), all_proved(&problem, &tally, &certified));
                }
            }
        }
    }
}
