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
use super::{Certificate, Evidence, Progress, Situation, Standing, StoppingRule};
use crate::estimate::Spread;
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};
use crate::tally::Tally;
use crate::watch::Needs;

/// The part of δ that pays for variances that are unknown.
const VARIANCE_SHARE: f64 = 0.1;

/// Stop once every arm is certified to be in or out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certified {
    delta: Risk,
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
    /// When δ is no [`Risk`].
    pub fn new(delta: f64) -> Result<Self, DeltaError> {
        Ok(Certified { delta: Risk::new(delta)? })
    }

    /// δ.
    pub fn delta(&self) -> f64 {
        self.delta.get()
    }

    /// What of δ is left for the claims.
    fn risk(&self, problem: &Problem) -> f64 {
        if problem.has_unknown_noise() { (1.0 - VARIANCE_SHARE) * self.delta() } else { self.delta() }
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
        variance::upper_bound(spread.own, spread.freedom, VARIANCE_SHARE * self.delta() / cells)
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let Situation { problem, front, .. } = *situation;
        let gauge = Gauge::new(problem, situation.tally);
        let arms = problem.arm_count();
        let standing = |arm: usize| if front.contains(arm) { Standing::In } else { Standing::Out };

        // As many as possible are said to be out at once: the more, the less it takes. Then as many as possible to be in.
        let mut cases = vec![Case::NONE; arms];
        for arm in (0..arms).filter(|&arm| !front.contains(arm)) {
            cases[arm] = self.case_for_out(&gauge, situation, arm);
        }
        let out = largest(&cases, |count| self.out_threshold(problem, arms - count));
        let left = arms - count(&out);
        let mut cases_for_in = vec![Case::NONE; arms];
        for &arm in front.members() {
            cases_for_in[arm] = self.case_for_in(&gauge, situation, &out, arm);
        }
        let within = largest(&cases_for_in, |count| self.in_threshold(problem, count, left));

        (0..arms)
            .map(|arm| match standing(arm) {
                Standing::Out => {
                    let objectives = vec![cases[arm].claim.objective];
                    let threshold = self.out_threshold(problem, left - usize::from(!out[arm]));
                    cases[arm].certificate(Standing::Out, out[arm], objectives, threshold)
                }
                Standing::In => {
                    let case = &cases_for_in[arm];
                    let objectives = case.rival.map_or_else(Vec::new, |rival| situation.ahead(arm, rival));
                    let threshold = self.in_threshold(problem, count(&within) + usize::from(!within[arm]), left);
                    case.certificate(Standing::In, within[arm], objectives, threshold)
                }
            })
            .collect()
    }
}

impl Certified {
    /// The surest dominator. A proof is never more than the cost: where that is too little, nobody needs it exactly.
    fn case_for_out(&self, gauge: &Gauge, situation: &Situation<'_>, arm: usize) -> Case {
        let (problem, means) = (situation.problem, situation.tally.means());
        let (claim, by) = gauge.claim_about(problem, means, situation.front, arm);
        let hopeless = claim.cost < self.out_threshold(problem, 1);
        let proof = if hopeless { claim.proof } else { gauge.proof_dominated(problem, means, arm, by, Care::Full) };
        Case { claim, rival: Some(by), proof }
    }

    /// The arm that comes closest to dominating it, of all that are not certainly out.
    fn case_for_in(&self, gauge: &Gauge, situation: &Situation<'_>, out: &[bool], arm: usize) -> Case {
        let (problem, means) = (situation.problem, situation.tally.means());
        let others = || (0..problem.arm_count()).filter(|&other| other != arm && !out[other]);
        let near = others().map(|other| (gauge.undominated(problem, means, arm, other), other));
        match near.min_by(|a, b| a.0.proof.total_cmp(&b.0.proof)) {
            None => {
                let rival = situation.closest_to_covering(arm).map(|rival| rival.0);
                Case { claim: Claim::CERTAIN, rival, proof: f64::INFINITY }
            }
            Some((claim, by)) if claim.cost < (1.0 / self.risk(problem)).ln() => {
                Case { claim, rival: Some(by), proof: claim.proof }
            }
            Some(_) => {
                let (proof, by) = others()
                    .map(|other| (gauge.proof_undominated(problem, means, arm, other, Care::Full), other))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .expect("there was one");
                Case { claim: gauge.undominated(problem, means, arm, by), rival: Some(by), proof }
            }
        }
    }
}

/// What speaks for the standing of an arm.
#[derive(Clone, Copy, Debug)]
struct Case {
    claim: Claim,
    rival: Option<usize>,
    /// Exactly, unless the cost alone shows that it is too little.
    proof: f64,
}

impl Case {
    const NONE: Case = Case { claim: Claim::FALSE, rival: None, proof: f64::NEG_INFINITY };

    fn certificate(&self, standing: Standing, certain: bool, objectives: Vec<usize>, threshold: f64) -> Certificate {
        let evidence = self.claim.cost;
        // What the proof lacks, the evidence lacks.
        let known = evidence < f64::INFINITY && self.proof > f64::NEG_INFINITY;
        let needed = if known { evidence + threshold - self.proof } else { threshold };
        Certificate { standing: Some(standing), certain, rival: self.rival, objectives, evidence, threshold: needed }
    }
}

/// The largest set of arms whose proofs all reach the threshold for a set of this size.
fn largest(cases: &[Case], threshold: impl Fn(usize) -> f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..cases.len()).filter(|&arm| cases[arm].proof > f64::NEG_INFINITY).collect();
    order.sort_unstable_by(|&a, &b| cases[b].proof.total_cmp(&cases[a].proof));
    let size = (1..=order.len()).rev().find(|&size| cases[order[size - 1]].proof >= threshold(size)).unwrap_or(0);
    let mut member = vec![false; cases.len()];
    for &arm in &order[..size] {
        member[arm] = true;
    }
    member
}

fn count(members: &[bool]) -> usize {
    members.iter().filter(|&&member| member).count()
}
