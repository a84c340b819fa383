//! A stop with a proof: the chance of a wrong front, on any instance and under any rule, is at most δ (docs/certified.md).
//!
//! Two kinds of claims are made. "k is out: dominated by b" takes evidence that b is ahead in every objective. "k is in: not dominated
//! by b" takes evidence that k is ahead in one. If the front is wrong, some claim is false, and a martingale that is fixed by the truth
//! has become large.

mod gauge;
mod mixture;
mod variance;

use serde::{Deserialize, Serialize};

pub(crate) use self::gauge::{Claim, Gauge};
pub(crate) use self::mixture::Care;
use super::{Certificate, DeltaError, Evidence, Progress, Situation, Standing, StoppingRule};
use crate::estimate::Spread;
use crate::problem::Problem;
use crate::tally::Tally;
use crate::watch::Needs;

/// The part of δ that pays for variances that are unknown.
const VARIANCE_SHARE: f64 = 0.1;

/// Stop once every arm is certified to be in or out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certified {
    delta: f64,
}

impl Certified {
    /// What the stop promises.
    pub const GUARANTEE: &'static str = "The certified threshold is proved: whatever the means and the rule, the chance that any verdict \
        ever given is wrong is at most δ, for noise that is Gaussian or lighter with the variances given.";

    /// What it promises where variances are estimated.
    pub const GUARANTEE_WITH_ESTIMATES: &'static str = "The certified threshold is proved for Gaussian noise, whose variances are \
        bounded from the data: the chance that any verdict ever given is wrong is at most δ. For other noise it is not proved.";

    /// For the risk δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1.
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        // Written so that NaN fails.
        if delta > 0.0 && delta < 1.0 { Ok(Certified { delta }) } else { Err(DeltaError(delta)) }
    }

    /// δ.
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// What of δ is left for the claims.
    fn risk(&self, problem: &Problem) -> f64 {
        if problem.has_unknown_noise() { (1.0 - VARIANCE_SHARE) * self.delta } else { self.delta }
    }

    /// The proof that it takes to say that an arm is out, when `left` arms are not said to be.
    pub(crate) fn out_threshold(&self, problem: &Problem, left: usize) -> f64 {
        let (arms, left) = (problem.arm_count() as f64, left as f64);
        ((arms - 1.0) * (left + 1.0) * (left + 3.0) / ((left + 2.0) * self.risk(problem))).ln()
    }

    /// The proof that it takes to say that an arm is in, when `certain` arms are said to be, itself included, and `left` arms are
    /// not said to be out.
    pub(crate) fn in_threshold(&self, problem: &Problem, certain: usize, left: usize) -> f64 {
        // The true front has q arms, at most all that are left but one that is wrongly in.
        let arms = problem.arm_count() as f64;
        let odds = |q: f64| (arms - q) * (q + 2.0) / (certain as f64 - q).max(1.0);
        let (least, most) = (certain.saturating_sub(1).max(1) as f64, left.saturating_sub(1).max(1) as f64);
        let worst = (0.5 * (arms - 2.0)).clamp(least, most.max(least));
        (odds(worst.floor().max(least)).max(odds(worst.ceil().min(most.max(least)))) / self.risk(problem)).ln()
    }
}

impl StoppingRule for Certified {
    fn needs(&self) -> Needs {
        Needs::Claims
    }

    fn progress(&self, evidence: &Evidence<'_>) -> Progress {
        evidence.weakest.expect("the claims are watched for this stop")
    }

    fn cautious_variance(&self, problem: &Problem, _: &Tally, spread: &Spread) -> f64 {
        let cells = (problem.arm_count() * problem.objective_count()) as f64;
        variance::upper_bound(spread.own, spread.freedom, VARIANCE_SHARE * self.delta / cells)
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let Situation { problem, tally, front, .. } = *situation;
        let means = tally.means();
        let gauge = Gauge::new(problem, tally);
        let arms = problem.arm_count();

        // Out: the surest dominator, and its proof. As many as possible are said to be out at once: the more, the less it takes.
        let mut claims = vec![(Claim::FALSE, None, f64::NEG_INFINITY); arms];
        for arm in (0..arms).filter(|&arm| !front.contains(arm)) {
            let (claim, by) = surest(&gauge, situation, arm);
            // A proof is never more than the cost: where that is too little, nobody needs it exactly.
            let hopeless = claim.cost < self.out_threshold(problem, 1);
            let proof = if hopeless { claim.proof } else { gauge.proof_dominated(problem, means, arm, by, Care::Full) };
            claims[arm] = (claim, Some(by), proof);
        }
        let out = largest(&claims, |count| self.out_threshold(problem, arms - count));
        let left = arms - out.iter().filter(|&&is_out| is_out).count();

        // In: the arm that comes closest to dominating it, of all that are not certainly out.
        for arm in (0..arms).filter(|&arm| front.contains(arm)) {
            let others = || (0..arms).filter(|&other| other != arm && !out[other]);
            let near = others().map(|other| (gauge.undominated(problem, means, arm, other), other));
            claims[arm] = match near.min_by(|a, b| a.0.proof.total_cmp(&b.0.proof)) {
                None => (Claim::CERTAIN, situation.closest_to_covering(arm).map(|rival| rival.0), f64::INFINITY),
                Some((claim, by)) if claim.cost < (1.0 / self.risk(problem)).ln() => (claim, Some(by), claim.proof),
                Some(_) => {
                    let (proof, by) = others()
                        .map(|other| (gauge.proof_undominated(problem, means, arm, other, Care::Full), other))
                        .min_by(|a, b| a.0.total_cmp(&b.0))
                        .expect("there was one");
                    (gauge.undominated(problem, means, arm, by), Some(by), proof)
                }
            };
        }
        let standing = |arm: usize| if front.contains(arm) { Standing::In } else { Standing::Out };
        let ins: Vec<_> = (0..arms)
            .map(|arm| if front.contains(arm) { claims[arm] } else { (claims[arm].0, None, f64::NEG_INFINITY) })
            .collect();
        let within = largest(&ins, |count| self.in_threshold(problem, count, left));
        let certain_ins = within.iter().filter(|&&is_in| is_in).count();

        (0..arms)
            .map(|arm| {
                let (claim, rival, proof) = claims[arm];
                let (certain, threshold) = match standing(arm) {
                    Standing::Out => (out[arm], self.out_threshold(problem, left - usize::from(!out[arm]))),
                    Standing::In => {
                        (within[arm], self.in_threshold(problem, certain_ins + usize::from(!within[arm]), left))
                    }
                };
                let objectives = match (standing(arm), rival) {
                    (Standing::In, Some(rival)) => situation.ahead(arm, rival),
                    (Standing::Out, _) => vec![claim.objective],
                    (Standing::In, None) => Vec::new(),
                };
                let evidence = claim.cost;
                // What the proof lacks, the evidence lacks.
                let needed = if evidence < f64::INFINITY && proof > f64::NEG_INFINITY {
                    evidence + threshold - proof
                } else {
                    threshold
                };
                Certificate { standing: Some(standing(arm)), certain, rival, objectives, evidence, threshold: needed }
            })
            .collect()
    }
}

/// The front arm that dominates `arm` most surely.
fn surest(gauge: &Gauge, situation: &Situation<'_>, arm: usize) -> (Claim, usize) {
    let claim = |by: usize| gauge.dominated(situation.problem, situation.tally.means(), arm, by);
    let candidates = situation.front.members().iter().map(|&by| (claim(by), by));
    candidates.reduce(|best, next| if next.0.proof > best.0.proof { next } else { best }).expect("a front has an arm")
}

/// The largest set of arms whose proofs all reach the threshold for a set of this size.
fn largest(claims: &[(Claim, Option<usize>, f64)], threshold: impl Fn(usize) -> f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..claims.len()).filter(|&arm| claims[arm].2 > f64::NEG_INFINITY).collect();
    order.sort_unstable_by(|&a, &b| claims[b].2.total_cmp(&claims[a].2));
    let size = (1..=order.len()).rev().find(|&size| claims[order[size - 1]].2 >= threshold(size)).unwrap_or(0);
    let mut member = vec![false; claims.len()];
    for &arm in &order[..size] {
        member[arm] = true;
    }
    member
}
