//! surefront (documentation follows)
mod bound;
mod front;
mod model;
mod problem;
mod tally;
#[cfg(test)]
mod testing;
mod transport;
mod weights;

pub use bound::{Bound, BoundError, bound};
pub use front::{Front, covers, dominates};
pub use model::Model;
pub use problem::{Arm, Goal, Noise, Objective, Problem, ProblemError};
pub use tally::{ObservationError, Tally};
pub use transport::{Closest, Effort, Method, MethodError, Oracle, Piece};
pub use weights::Weights;
