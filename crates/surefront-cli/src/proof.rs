//! Whether a proof could be had where an answer is likely only.

use surefront::{Problem, Promise, StoppingKind};

/// Whether there is a proof for the noise of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// For whoever asks.
    ToBeHad,
    /// Not for noise of this kind.
    None,
}

impl Proof {
    /// For the noise of this problem.
    pub fn of(problem: &Problem) -> Self {
        if StoppingKind::usual_for(problem).promise() == Promise::Proved { Proof::ToBeHad } else { Proof::None }
    }

    /// What to do about an answer that is likely.
    pub const fn advice(self) -> &'static str {
        match self {
            Proof::ToBeHad => "--threshold certified asks for a proof",
            Proof::None => "there is no proof yet for noise that is not gaussian",
        }
    }
}
