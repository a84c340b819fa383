//! What the observations say of a variance that nobody knows in advance.

/// How much the other arms count beside an arm's own observations: as much as this many of them.
const POOLED: f64 = 4.0;

/// What the observations say of one variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The sample variance of the arm's own observations.
    pub own: f64,
    /// Its degrees of freedom: one less than there are observations, at least one.
    pub freedom: f64,
    /// The variance of all arms taken together, each around its own mean.
    pub pooled: f64,
}

impl Spread {
    /// The sample variance, drawn towards the pooled one where that is larger: never down, since an arm may well be noisier than
    /// the others.
    pub fn shrunk(&self) -> f64 {
        let drawn = (POOLED * self.pooled + self.freedom * self.own) / (POOLED + self.freedom);
        drawn.max(self.own)
    }
}
