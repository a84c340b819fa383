//! How far the claims that an arm keeps its limits, or breaks one, are from being proved.
//!
//! To keep all limits is to dominate the post, an arm without noise that stands at them; to break one is not to dominate it. So these claims are measured as any
//! others, on a gauge of their own (docs/certified.md, "Limits").

use super::claim::Claim;
use super::gauge::{Gauge, Outlook};
use super::mixture::Care;
use crate::limit::{POST, behind_post};
use crate::model::Model;
use crate::problem::Problem;
use crate::tally::Tally;

/// The gauge of the limits, by all observations: no lesson is taken where there are limits.
#[derive(Clone, Debug)]
pub(crate) struct LimitGauge {
    gauge: Gauge,
}

impl LimitGauge {
    /// `None` without limits.
    pub fn new(problem: &Problem, tally: &Tally) -> Option<Self> {
        Some(LimitGauge { gauge: Gauge::plain(problem.gate()?.problem(), tally.limited()?) })
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let (gate, limited) = of(problem, tally);
        self.gauge.follow_plain(gate, limited, behind_post(arm));
    }

    /// Follows a change of the variances of all arms.
    pub fn reconsider(&mut self, problem: &Problem, tally: &Tally) {
        let (gate, limited) = of(problem, tally);
        self.gauge = Gauge::plain(gate, limited);
    }

    /// "`arm` keeps all limits."
    pub fn keeps(&self, problem: &Problem, model: &Model, arm: usize) -> Claim {
        let (gate, outlook) = (gate(problem), Outlook::plain(readings(model)));
        self.gauge.dominated(gate, outlook, POST, behind_post(arm)).of_limit()
    }

    /// "`arm` breaks a limit."
    pub fn breaks(&self, problem: &Problem, model: &Model, arm: usize) -> Claim {
        let (gate, outlook) = (gate(problem), Outlook::plain(readings(model)));
        self.gauge.undominated(gate, outlook, POST, behind_post(arm)).of_limit()
    }

    /// The proof of "`arm` keeps all limits" without approximation, or no less than it at a glance.
    pub fn proof_kept(&self, problem: &Problem, model: &Model, arm: usize, care: Care) -> f64 {
        self.gauge.proof_dominated(gate(problem), readings(model), POST, behind_post(arm), care)
    }

    /// The proof of "`arm` breaks a limit" without approximation, or no less than it at a glance.
    pub fn proof_broken(&self, problem: &Problem, model: &Model, arm: usize, care: Care) -> f64 {
        self.gauge.proof_undominated(gate(problem), readings(model), POST, behind_post(arm), care)
    }

    /// Whether "`arm` keeps all limits" is proved.
    pub fn proves_kept(&self, problem: &Problem, model: &Model, arm: usize, bar: f64) -> bool {
        [Care::Glance, Care::Full].iter().all(|&care| self.proof_kept(problem, model, arm, care) >= bar)
    }

    /// Whether "`arm` breaks a limit" is proved.
    pub fn proves_broken(&self, problem: &Problem, model: &Model, arm: usize, bar: f64) -> bool {
        [Care::Glance, Care::Full].iter().all(|&care| self.proof_broken(problem, model, arm, care) >= bar)
    }
}

fn of<'a>(problem: &'a Problem, tally: &'a Tally) -> (&'a Problem, &'a Tally) {
    (gate(problem), tally.limited().expect("there are limits"))
}

fn gate(problem: &Problem) -> &Problem {
    problem.gate().expect("there are limits").problem()
}

fn readings(model: &Model) -> &Model {
    model.limited().expect("there are limits")
}
