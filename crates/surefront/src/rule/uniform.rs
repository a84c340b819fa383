//! All arms in turn: the baseline that knows nothing.

use serde::{Deserialize, Serialize};

use super::{Round, SamplingRule};

/// Measures the arm with the fewest observations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Uniform;

impl SamplingRule for Uniform {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        round.least_allocated()
    }
}
