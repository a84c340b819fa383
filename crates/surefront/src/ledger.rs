//! What is claimed of every arm and how far that is from being proved, kept up to date: the ring between tally and a certified stop.
//!
//! An arm off the front is claimed to be dominated by one on it: any one will do, so each such arm keeps to one *rival*, and only
//! if it turns out to be the weakest of all is another one looked for. An arm on the front is claimed not to be dominated by
//! any other on it, so its rival is the one that comes closest, always. An observation of an arm changes only the claims it is part of.

use crate::front::Front;
use crate::live_front::LiveFront;
use crate::model::Model;
use crate::problem::Problem;
use crate::stopping::{Care, Certified, Claim, Gauge, Progress, Standing};
use crate::tally::Tally;

/// The claim that is furthest from being proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weakest {
    pub arm: usize,
    pub rival: usize,
    pub standing: Standing,
    pub claim: Claim,
    /// The part that there is of the cost it takes.
    pub fraction: f64,
}

/// The claims of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    certified: Certified,
    gauge: Gauge,
    live: LiveFront,
    /// By arm: what is claimed, and against or through whom; `usize::MAX` for an arm alone on the front.
    claims: Vec<Claim>,
    rivals: Vec<usize>,
    /// By arm: when all candidates for its rival were looked at last.
    looked: Vec<u64>,
    now: u64,
    weakest: Option<Weakest>,
    /// The claim that the last test of the stop failed on, to be tested first the next time.
    obstacle: Option<(usize, usize)>,
}

/// Where the cost is below this part of what it is thought to take, there is no need to compute the proof exactly.
const CLOSE: f64 = 0.9;

impl Ledger {
    pub fn new(problem: &Problem, tally: &Tally, certified: Certified) -> Self {
        let arms = problem.arm_count();
        let mut ledger = Ledger {
            certified,
            gauge: Gauge::new(problem, tally),
            live: LiveFront::default(),
            claims: vec![Claim::FALSE; arms],
            rivals: vec![usize::MAX; arms],
            looked: vec![0; arms],
            now: 1,
            weakest: None,
            obstacle: None,
        };
        ledger.live.reset(tally.means());
        ledger.reconsider(problem, tally);
        ledger
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
    pub fn last(&self) -> Option<&Weakest> {
        self.weakest.as_ref()
    }

    /// Looks at all claims anew: when every variance has changed.
    pub fn reconsider(&mut self, problem: &Problem, tally: &Tally) {
        for arm in 0..problem.arm_count() {
            self.look(problem, tally, arm);
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        self.now += 1;
        self.gauge.follow(tally, arm);
        self.live.update(tally.means(), arm);
        let changes: Vec<(usize, bool)> = self.live.changes().collect();
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
    pub fn weakest(&mut self, problem: &Problem, tally: &Tally) -> Option<&Weakest> {
        let (out, within) = self.thresholds(problem);
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
            let standing = if self.front().contains(arm) { Standing::In } else { Standing::Out };
            if standing == Standing::Out && self.looked[arm] != self.now {
                // Perhaps another arm dominates it more surely.
                self.look(problem, tally, arm);
                continue;
            }
            break Some(Weakest { arm, rival: self.rivals[arm], standing, claim: self.claims[arm], fraction });
        };
        self.weakest.as_ref()
    }

    /// The cost of the weakest claim and what it takes for a proof; exactly, once they are close.
    pub fn progress(&mut self, problem: &Problem, tally: &Tally) -> Progress {
        let (out, within) = self.thresholds(problem);
        let Some(weakest) = self.weakest(problem, tally).copied() else {
            return Progress { evidence: f64::INFINITY, threshold: out };
        };
        let Claim { cost, proof, .. } = weakest.claim;
        let threshold = if weakest.standing == Standing::In { within } else { out };
        if !(weakest.fraction >= CLOSE) {
            let needed = if proof > f64::NEG_INFINITY { cost + threshold - proof } else { threshold };
            return Progress { evidence: cost, threshold: needed.max(cost.next_up()) };
        }
        match self.unproved(problem, tally.means(), out, within) {
            None => Progress { evidence: cost, threshold: cost },
            Some(missing) => Progress { evidence: cost, threshold: (cost + missing).max(cost.next_up()) },
        }
    }

    /// What some claim lacks to be proved, if one does.
    fn unproved(&mut self, problem: &Problem, means: &Model, out: f64, within: f64) -> Option<f64> {
        let gauge = &self.gauge;
        let front = self.live.front();
        let missing = |arm: usize, rival: usize| {
            let lack = |care: Care| {
                let lack = if front.contains(arm) {
                    within - gauge.proof_undominated(problem, means, arm, rival, care)
                } else {
                    out - gauge.proof_dominated(problem, means, arm, rival, care)
                };
                // Written so that NaN is no proof.
                if lack <= 0.0 { None } else { Some(lack) }
            };
            // Most often a glance tells that it is too little.
            lack(Care::Glance).or_else(|| lack(Care::Full))
        };
        let still = |arm: usize, rival: usize| {
            if front.contains(arm) { front.contains(rival) } else { self.rivals[arm] == rival }
        };
        if let Some((arm, rival)) = self.obstacle
            && still(arm, rival)
            && let Some(lack) = missing(arm, rival)
        {
            return Some(lack);
        }
        for arm in 0..problem.arm_count() {
            let rivals: &[usize] = if front.contains(arm) { front.members() } else { &self.rivals[arm..=arm] };
            for &rival in rivals.iter().filter(|&&rival| rival != arm) {
                if let Some(lack) = missing(arm, rival) {
                    self.obstacle = Some((arm, rival));
                    return Some(lack);
                }
            }
        }
        None
    }

    /// The weakest claim about another model at the same counts, of which `front` is the front. Looks at all pairs.
    pub fn weakest_in(&self, problem: &Problem, model: &Model, front: &Front) -> Option<Weakest> {
        let (out, within) = thresholds(&self.certified, problem, front);
        let mut weakest: Option<Weakest> = None;
        for arm in 0..problem.arm_count() {
            let (claim, rival) = self.gauge.claim_about(problem, model, front, arm);
            let on_front = front.contains(arm);
            let fraction = claim.fraction(if on_front { within } else { out });
            if fraction < weakest.map_or(f64::INFINITY, |known| known.fraction) {
                let standing = if on_front { Standing::In } else { Standing::Out };
                weakest = Some(Weakest { arm, rival, standing, claim, fraction });
            }
        }
        weakest
    }

    fn thresholds(&self, problem: &Problem) -> (f64, f64) {
        thresholds(&self.certified, problem, self.front())
    }

    /// Finds the rival of `arm` among all candidates.
    fn look(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        (self.claims[arm], self.rivals[arm]) = self.gauge.claim_about(problem, tally.means(), self.live.front(), arm);
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

fn thresholds(certified: &Certified, problem: &Problem, front: &Front) -> (f64, f64) {
    let size = front.members().len();
    (certified.out_threshold(problem, size), certified.in_threshold(problem, size, size))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::unit_problem;

    proptest! {
        /// The claims that are kept are true to the tally, through changes of the front and ties; on the front, and for the weakest of all,
        /// they are those that looking at all pairs would find.
        #[test]
        fn the_weakest_claim_is_that_of_all_pairs(
            k in 2usize..9, d in 1usize..4,
            steps in prop::collection::vec((0usize..9, prop::collection::vec(-4i32..5, 3)), 1..120),
        ) {
            let problem = unit_problem(k, d);
            let mut tally = Tally::new(&problem);
            let add = |tally: &mut Tally, arm: usize, values: &[i32]| {
                let values: Vec<f64> = values[..d].iter().map(|&v| f64::from(v) / 2.0).collect();
                tally.add(&problem, arm, &values).unwrap();
            };
            for arm in 0..k {
                add(&mut tally, arm, &[arm as i32 % 3, (arm as i32 * 5) % 4, 1]);
            }
            let mut ledger = Ledger::new(&problem, &tally, Certified::new(0.1).unwrap());
            for (arm, values) in steps {
                add(&mut tally, arm % k, &values);
                ledger.follow(&problem, &tally, arm % k);
                let front = Front::of(tally.means());
                prop_assert_eq!(ledger.front(), &front);
                let weakest = ledger.weakest(&problem, &tally).copied();
                for arm in 0..k {
                    let (claim, rival) = (ledger.claims[arm], ledger.rivals[arm]);
                    let all = ledger.gauge.claim_about(&problem, tally.means(), &front, arm);
                    if front.contains(arm) || weakest.is_some_and(|weakest| weakest.arm == arm) {
                        prop_assert_eq!(claim.proof, all.0.proof);
                    } else {
                        prop_assert_eq!(claim, ledger.gauge.dominated(&problem, tally.means(), arm, rival));
                    }
                }
                // A claim counts as proved only if every pair of the front and a dominator of each other arm is.
                let progress = ledger.progress(&problem, &tally);
                if progress.suffices() {
                    let (out, within) = ledger.thresholds(&problem);
                    for arm in 0..k {
                        if front.contains(arm) {
                            for &other in front.members().iter().filter(|&&other| other != arm) {
                                prop_assert!(ledger.gauge.proof_undominated(&problem, tally.means(), arm, other, Care::Full) >= within);
                            }
                        } else {
                            let proofs = front.members().iter().map(|&by| ledger.gauge.proof_dominated(&problem, tally.means(), arm, by, Care::Full));
                            prop_assert!(proofs.fold(f64::NEG_INFINITY, f64::max) >= out);
                        }
                    }
                }
            }
        }
    }
}
