//! The rules by name, and how they are made.

use std::num::NonZeroU64;

use super::{Ape, Dual, Fixed, Rule, TrackAndStop, Tracking, Uniform, Weakest};
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
    allocation: Option<Weights>,
}

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
                Rule::TrackAndStop(TrackAndStop::new(arms, self.tracking, self.refresh.unwrap_or(USUAL_REFRESH)))
            }
            RuleKind::Uniform => Rule::Uniform(Uniform),
            RuleKind::Fixed => match &self.allocation {
                Some(weights) => Rule::Fixed(Fixed::new(weights)),
                None => Rule::Fixed(Fixed::new(&Weights::uniform(problem))),
            },
            RuleKind::Ape => Rule::Ape(Ape::new(arms, objectives, delta)?),
            RuleKind::Weakest => Rule::Weakest(Weakest::default()),
        })
    }
}
