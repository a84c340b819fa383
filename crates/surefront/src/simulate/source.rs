//! Arms of the user's own to simulate.

use std::fmt::Debug;

use rand::Rng;

/// Where simulated observations come from, if not from Gaussian noise around the means: see [`Simulation::with_source`](super::Simulation::with_source).
pub trait Source: Debug + Send + Sync {
    /// Draws an observation of `arm`: one finite value for each objective, in the objective's own units.
    fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]);
}
