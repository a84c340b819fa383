//! What a rule looks at, so that the rest need not be computed.

/// What a rule decides by. Only what is needed is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// The counts and the front.
    Front,
    /// The closest alternative.
    Closest,
    /// The claims that arms are dominated, or are not, and how far they are from being proved.
    Claims,
    /// The doubts about all arms, as a calibrated stop has them.
    Doubts,
}
