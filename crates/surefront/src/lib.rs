//! Know the Pareto front for sure.
//!
//! Given K alternatives (*arms*) that can be measured again and again, noisily, on d objectives, this crate decides what to
//! measure next, stops as early as it can, and names the Pareto-optimal arms with a chosen confidence 1 − δ.
//!
//! # The problem
//!
//! Arm k has means μ_k ∈ ℝᵈ; one observation of it is Gaussian around μ_k, independent over objectives, with variances that are known or estimated.
//! The *front* p(μ) is the set of arms that no other arm dominates. A study observes one arm after another, chosen by a *rule*,
//! until a *stopping rule* says that the front of the means so far is the answer. It should be wrong with probability at most δ
//! and need few observations.
//!
//! What both rules rest on is the *oracle*: from a model μ and weights w, the closest model with another front,
//!
//! > min over λ with p(λ) ≠ p(μ) of D_w(μ, λ) = Σ_k w_k KL(μ_k, λ_k).
//!
//! With the counts as weights this is the *evidence* for the front; its largest value over all allocations is 1 / T*, and no rule
//! stops, on average, before T* · kl(δ, 1 − δ) observations. The mathematics is that of Track-and-Stop for Pareto set
//! identification: É. Crepon, A. Garivier and W. M. Koolen, "Sequential Learning of the Pareto Front for Multi-objective Bandits",
//! AISTATS 2024, "the paper" in this documentation.
//!
//! # An example
//!
//! ```
//! use surefront::{Arm, Goal, Noise, Objective, Problem, RuleKind, Settings, StoppingKind, Study};
//!
//! let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(0.25));
//! let problem = Problem::new(
//!     vec![objective("accuracy", Goal::Max), objective("latency", Goal::Min)],
//!     vec![Arm::named("small"), Arm::named("large"), Arm::named("old")],
//! )?;
//! let rule = RuleKind::Weakest.rule(&problem, 0.05)?;
//! let mut study = Study::new(problem, Settings::new(rule, StoppingKind::Certified.stopping(0.05)?))?;
//! // Stands for real measurements.
//! let measure = |arm: usize| [[7.0, 1.0], [9.0, 3.0], [6.0, 3.0]][arm];
//! while !study.stopped() {
//!     let arm = study.ask();
//!     study.tell(arm, &measure(arm))?;
//! }
//! let front: Vec<&str> = study.verdict().front.iter().map(|&arm| study.problem().arms()[arm].name.as_str()).collect();
//! assert_eq!(front, ["small", "large"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The parts
//!
//! | part | what it is |
//! |---|---|
//! | [`Problem`], [`Model`], [`Weights`] | objectives, arms and noise; means; an allocation: checked once, valid ever after |
//! | [`Front`] | dominance and the Pareto set |
//! | [`Oracle`] | the closest alternative, exactly, with its gradient |
//! | [`bound()`] | T* and the optimal allocation, with a certified gap |
//! | [`Driver`] | the differences that take most of the samples |
//! | [`Study`] | ask, tell, verdict; [`Tally`] is what it knows |
//! | [`Rule`] | which arm next: [`Dual`] (the default), [`TrackAndStop`] (the paper's), [`Uniform`], [`Fixed`], [`Ape`], [`Weakest`] (for a certified stop), or your own ([`SamplingRule`]) |
//! | [`Stopping`] | when to stop: [`Certified`] (proved), [`Calibrated`] (quick, likely only), [`Stylized`] (as published, likely only); a [`Promise`] says how strong an answer is, an [`Assessment`] why each arm is in or out |
//! | [`Simulation`] | replications on simulated arms, in parallel, reproducible from a seed; [`NoiseLaw`] is their noise, [`SideBySide`] how several are measured at a time |
//! | [`InOrder`] | results in the order of asking, in whatever order they arrive |

mod bound;
mod bowl;
mod cholesky;
mod claims;
mod coarseness;
mod comoments;
mod correlation;
mod costs;
mod doubts;
mod driver;
mod estimate;
mod family;
mod front;
mod grain;
mod growing_tally;
mod in_order;
mod law;
mod limit;
mod live_front;
mod looks;
mod margin;
mod model;
mod names;
mod needs;
mod normal;
mod observation;
mod problem;
mod question;
mod range;
mod ranks;
mod reading;
mod record;
mod risk;
mod rule;
mod seasons;
mod shrinkage;
mod side;
mod simulate;
mod spread;
mod statistic;
mod stopping;
mod study;
mod sum;
mod tally;
#[cfg(test)]
mod testing;
mod transport;
mod watch;
mod weights;

pub use bound::{Bound, BoundError, bound};
pub use correlation::{CorrelatedNoise, Correlation, CorrelationError};
pub use driver::Driver;
pub use family::Family;
pub use front::{Front, are_tied, covers, dominates, is_right};
pub use grain::Grain;
pub use growing_tally::GrowingTally;
pub use in_order::{InOrder, NotOpen};
pub use limit::{End, Limits, Role};
pub use margin::{Margin, MarginError};
pub use model::Model;
pub use names::UnknownName;
pub use needs::Needs;
pub use normal::normal_quantile;
pub use observation::ObservationError;
pub use problem::{Arm, Goal, LARGEST, NoOracle, Noise, Objective, Problem, ProblemError};
pub use question::{Question, QuestionError};
pub use range::Range;
pub use reading::Reading;
pub use record::Record;
pub use risk::{DeltaError, Risk};
pub use rule::{
    Ape, Auer, Calibration, Conclusion, Custom, Dual, ECape, Fixed, GapElimination, HedgeStep, Mocba, Psips,
    Relaxation, Round, Rule, RuleKind, RuleOptions, RuleSizeError, SamplingRule, Schedule, Sought, TrackAndStop,
    Tracking, TwoStage, Uniform, Weakest,
};
pub use simulate::{
    Counting, DurationLaw, Ending, NoiseLaw, Outcome, Placement, Run, Settled, SideBySide, SideBySideRun, Simulation,
    SimulationError, Source, Summary, chance_interval, in_parallel,
};
pub use statistic::{Quantile, Statistic, StatisticError};
pub use stopping::{
    Assessment, Assumption, Calibrated, Caveat, Certificate, Certified, Progress, Promise, Standing, Stopping,
    StoppingKind, Stylized,
};
pub use study::{Chances, Memory, SavedStudy, Settings, Study, StudyError, Tie, Verdict};
pub use tally::{ResumeError, Tally};
pub use transport::{Closest, Effort, Method, MethodError, Oracle, Piece, PieceError};
pub use watch::Evaluation;
pub use weights::Weights;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
