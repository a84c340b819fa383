//! A stop with a proof: the chance of a wrong front, on any instance and under any rule, is at most δ (docs/certified.md).
//!
//! Two kinds of claims are made. "k is out: dominated by b" takes evidence that b is ahead in every objective. "k is in: not dominated
//! by b" takes evidence that k is ahead in one. If the front is wrong, some claim is false, and a martingale that is fixed by the truth
//! has become large.

mod bracket;
mod case;
mod gauge;
mod mixture;
mod variance;

use serde::{Deserialize, Serialize};

use self::case::{Case, Cases, count, largest};
pub(crate) use self::gauge::{Claim, Gauge};
pub(crate) use self::mixture::Care;
use super::{Certificate, Progress, Sight, Situation, Standing, StoppingRule};
use crate::needs::Needs;
use crate::problem::Problem;
use crate::risk::{DeltaError, Risk};
use crate::spread::Spread;
use crate::tally::Tally;

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

    fn progress(&self, sight: Sight<'_>) -> Progress {
        sight.weakest.expect("the claims are watched for this stop")
    }

    fn cautious_variance(&self, problem: &Problem, _: &Tally, spread: &Spread) -> f64 {
        let cells = (problem.arm_count() * problem.objective_count()) as f64;
        variance::upper_bound(spread.own, spread.freedom, VARIANCE_SHARE * self.delta() / cells)
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        let situation = &*situation;
        let (problem, front) = (situation.problem, situation.front);
        let arms = problem.arm_count();
        let mut cases = Cases::new(situation);

        // As many as possible are said to be out at once: the more, the less it takes. Then as many as possible to be in.
        let mut all = vec![Case::NONE; arms];
        let least = self.out_threshold(problem, 1);
        for arm in (0..arms).filter(|&arm| !front.contains(arm)) {
            all[arm] = cases.for_out(arm, least);
        }
        let out = largest(&all, |count| self.out_threshold(problem, arms - count));
        let left = arms - count(&out);
        let mut on_front = vec![Case::NONE; arms];
        let least = (1.0 / self.risk(problem)).ln();
        for &arm in front.members() {
            on_front[arm] = cases.for_in(arm, &out, least);
        }
        let within = largest(&on_front, |count| self.in_threshold(problem, count, left));

        let certain = count(&within);
        (0..arms)
            .map(|arm| {
                if front.contains(arm) {
                    let case = &on_front[arm];
                    let objectives = case.rival.map_or_else(Vec::new, |rival| situation.ahead(arm, rival));
                    let threshold = self.in_threshold(problem, certain + usize::from(!within[arm]), left);
                    case.certificate(Standing::In, within[arm], objectives, threshold)
                } else {
                    let threshold = self.out_threshold(problem, left - usize::from(!out[arm]));
                    all[arm].certificate(Standing::Out, out[arm], vec![all[arm].objective], threshold)
                }
            })
            .collect()
    }
}
