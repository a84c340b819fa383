//! A number that is known to lie between two others.

use serde::Serialize;

/// Two ends.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bracket {
    /// The lower one.
    pub lower: f64,
    /// The upper one.
    pub upper: f64,
}
