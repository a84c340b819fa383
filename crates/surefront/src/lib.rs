//! surefront (documentation follows)
mod bound;
mod front;
mod model;
mod problem;
mod rule;
mod simulate;
mod stopping;
mod study;
mod tally;
#[cfg(test)]
mod testing;
mod transport;
mod weights;

pub use bound::{Bound, BoundError, bound};
pub use front::{Front, covers, dominates};
pub use model::Model;
pub use problem::{Arm, Goal, Noise, Objective, Problem, ProblemError};
pub use rule::{Ape, Dual, Fixed, Round, Rule, SamplingRule, TrackAndStop, Tracking, Uniform};
pub use simulate::{Outcome, Run, Simulation, Summary};
pub use stopping::{DeltaError, Evidence, Progress, Stopping, StoppingRule, Stylized};
pub use study::{ResumeError, SavedStudy, Settings, Study, Verdict};
pub use tally::{ObservationError, Tally};
pub use transport::{Closest, Effort, Method, MethodError, Oracle, Piece};
pub use weights::Weights;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
