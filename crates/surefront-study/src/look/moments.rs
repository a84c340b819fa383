//! Where values lie.

/// Mean and spread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    pub mean: f64,
    /// The sum of the squared distances from it.
    pub spread: f64,
}
