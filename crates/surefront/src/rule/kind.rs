//! The rules by name, and how they are made.

use std::num::NonZeroU64;

use super::{
    Ape, Auer, Calibration, Dual, ECape, Fixed, GapElimination, HedgeStep, Mocba, Psips, Relaxation, Rule, Schedule,
    TrackAndStop, Tracking, TwoStage, Uniform, Weakest,
};
use crate::names::named;
use crate::problem::Problem;
use crate::risk::DeltaError;
use crate::stopping::StoppingKind;
use crate::weights::Weights;

named! {
    /// A rule by name.
    pub enum RuleKind, "rule" {
        /// Follow the evidence: see [`Dual`].
        Dual = "dual",
        /// The paper's: see [`TrackAndStop`].
        TrackAndStop = "track-and-stop",
        /// All arms in turn: see [`Uniform`].
        Uniform = "uniform",
        /// A given allocation: see [`Fixed`].
        Fixed = "fixed",
        /// Adaptive Pareto exploration: see [`Ape`].
        Ape = "ape",
        /// Serve the weakest claim of a certified stop: see [`Weakest`].
        Weakest = "weakest",
        /// Successive elimination: see [`Auer`].
        Auer = "auer",
        /// Posterior sampling: see [`Psips`].
        Psips = "psips",
        /// Empirical gap elimination with successive rejects, for a budget: see [`GapElimination`].
        EgeSr = "ege-sr",
        /// Empirical gap elimination with sequential halving, for a budget: see [`GapElimination`].
        EgeSh = "ege-sh",
        /// Multi-objective optimal computing budget allocation: see [`Mocba`].
        Mocba = "mocba",
        /// Adaptive Pareto exploration under limits: see [`ECape`].
        ECape = "e-cape",
        /// Limits first, the front after: see [`TwoStage`].
        TwoStage = "two-stage",
    }
}

impl RuleKind {
    /// The rule that goes with a stopping rule: the one that serves it fastest.
    pub fn usual_for(stopping: StoppingKind) -> Self {
        match stopping {
            StoppingKind::Stylized => RuleKind::Dual,
            StoppingKind::Calibrated | StoppingKind::Certified => RuleKind::Weakest,
        }
    }

    /// The rule that names the right front most often once a budget is spent (docs/field.md has the figures).
    pub const USUAL_FOR_BUDGET: Self = RuleKind::Dual;

    /// Whether it was published with a stop of its own: see [`SamplingRule::conclude`](super::SamplingRule::conclude).
    pub const fn has_own_stop(self) -> bool {
        matches!(self, RuleKind::Ape | RuleKind::Auer | RuleKind::Psips | RuleKind::ECape | RuleKind::TwoStage)
    }

    /// Whether it spends a budget that it has to know in advance: see [`RuleOptions::budget`].
    pub const fn needs_budget(self) -> bool {
        matches!(self, RuleKind::EgeSr | RuleKind::EgeSh)
    }

    /// Whether it is for means of arms that all cost the same, as published.
    pub(crate) const fn is_as_published(self) -> bool {
        use RuleKind::{Ape, Auer, ECape, EgeSh, EgeSr, Mocba, Psips, TrackAndStop, TwoStage};
        matches!(self, TrackAndStop | Ape | Auer | Psips | EgeSr | EgeSh | Mocba | ECape | TwoStage)
    }

    /// Whether it heeds that arms have to keep limits.
    pub const fn heeds_limits(self) -> bool {
        use RuleKind::{ECape, TrackAndStop, TwoStage};
        !self.is_as_published() || matches!(self, TrackAndStop | ECape | TwoStage)
    }

    /// The rule for a problem and the risk δ, with its usual options; for others see [`RuleOptions`].
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn rule(self, problem: &Problem, delta: f64) -> Result<Rule, DeltaError> {
        RuleOptions::default().rule(self, problem, delta)
    }
}

/// What some rules can be told besides the problem and δ.
///
/// ```
/// # use surefront::{Arm, Goal, Noise, Objective, Problem};
/// use surefront::{RuleKind, RuleOptions, Tracking};
/// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")])?;
///
/// let options = RuleOptions::default().tracking(Tracking::Cumulative);
/// let rule = options.rule(RuleKind::TrackAndStop, &problem, 0.1)?;
/// assert_eq!(rule.name(), "track-and-stop");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleOptions {
    tracking: Tracking,
    refresh: Option<NonZeroU64>,
    step: HedgeStep,
    allocation: Option<Weights>,
    relaxation: Relaxation,
    calibration: Calibration,
    budget: Option<u64>,
}

/// What a budget is by arm if nobody said.
const USUAL_BUDGET: u64 = 100;
/// The paper's.
const USUAL_REFRESH: NonZeroU64 = NonZeroU64::new(10).expect("ten is not zero");

impl RuleOptions {
    /// How track-and-stop turns its allocation into arms; [`Tracking::Direct`] if not told.
    #[must_use]
    pub fn tracking(self, tracking: Tracking) -> Self {
        RuleOptions { tracking, ..self }
    }

    /// In every how manieth round track-and-stop asks the oracle for a new gradient; in every tenth if not told.
    #[must_use]
    pub fn refresh(self, rounds: NonZeroU64) -> Self {
        RuleOptions { refresh: Some(rounds), ..self }
    }

    /// How a gradient changes the allocation of track-and-stop; [`HedgeStep::Summed`] if not told.
    #[must_use]
    pub fn step(self, step: HedgeStep) -> Self {
        RuleOptions { step, ..self }
    }

    /// What will do for `ape` instead of the front; nothing less if not told.
    #[must_use]
    pub fn relaxation(self, relaxation: Relaxation) -> Self {
        RuleOptions { relaxation, ..self }
    }

    /// The constant in the confidence bonus of `ape`, `e-cape` and `two-stage`; [`Calibration::Proved`] if not told.
    #[must_use]
    pub fn calibration(self, calibration: Calibration) -> Self {
        RuleOptions { calibration, ..self }
    }

    /// How many measurements `ege-sr` and `ege-sh` have in all; a hundred for each arm if not told.
    #[must_use]
    pub fn budget(self, samples: u64) -> Self {
        RuleOptions { budget: Some(samples), ..self }
    }

    /// The allocation that the fixed rule follows; the uniform one if not told.
    #[must_use]
    pub fn allocation(self, weights: Weights) -> Self {
        RuleOptions { allocation: Some(weights), ..self }
    }

    /// The rule of this kind, for a problem and the risk δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn rule(&self, kind: RuleKind, problem: &Problem, delta: f64) -> Result<Rule, DeltaError> {
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        Ok(match kind {
            RuleKind::Dual => Rule::Dual(Dual::default()),
            RuleKind::TrackAndStop => {
                let refresh = self.refresh.unwrap_or(USUAL_REFRESH);
                Rule::TrackAndStop(TrackAndStop::new(arms, self.tracking, refresh).stepping(self.step))
            }
            RuleKind::Uniform => Rule::Uniform(Uniform),
            RuleKind::Fixed => match &self.allocation {
                Some(weights) => Rule::Fixed(Fixed::new(weights)),
                None => Rule::Fixed(Fixed::new(&Weights::uniform(problem))),
            },
            RuleKind::Ape => {
                let ape = Ape::new(arms, objectives, delta)?.relaxed(self.relaxation);
                Rule::Ape(ape.calibrated(self.calibration, arms, objectives))
            }
            RuleKind::Weakest => Rule::Weakest(Weakest::default()),
            RuleKind::Auer => Rule::Auer(Auer::new(arms, delta)?),
            RuleKind::Psips => Rule::Psips(Psips::new(arms, delta)?),
            RuleKind::EgeSr => self.for_budget(arms, Schedule::Rejects),
            RuleKind::EgeSh => self.for_budget(arms, Schedule::Halving),
            RuleKind::Mocba => Rule::Mocba(Mocba::default()),
            RuleKind::ECape => Rule::ECape(ECape::new(delta)?.calibrated(self.calibration)),
            RuleKind::TwoStage => Rule::TwoStage(TwoStage::new(delta)?.calibrated(self.calibration)),
        })
    }

    fn for_budget(&self, arms: usize, schedule: Schedule) -> Rule {
        let budget = self.budget.unwrap_or(USUAL_BUDGET * arms as u64);
        Rule::GapElimination(GapElimination::new(arms, schedule, budget))
    }
}
