//! One measurement, before it is made.

/// A measurement to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// What the observation is told under.
    pub ticket: i64,
    /// What to measure.
    pub arm: usize,
    /// How often to run the command before.
    pub warm_ups: u64,
}
