//! Why an arm is in or out, and how far that is established.

use super::{Caveat, Progress};

/// Where the means so far put an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// On the front.
    In,
    /// Off the front: dominated, or beyond a limit.
    Out,
    /// It takes no part in the study: see [`Study::leave_out`](crate::Study::leave_out).
    LeftOut,
}

/// What is known of one arm, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Certificate {
    /// Where the means put the arm; `None` as long as some arm has not been measured.
    pub standing: Option<Standing>,
    /// Whether the evidence for that suffices: the standing is as strong as the stop's [`Promise`](super::Promise).
    pub certain: bool,
    /// For an arm that is out: the arm that dominates it most surely. For one that is in: the arm that comes closest to dominating
    /// it. `None` if there is no other arm, or a limit decides.
    pub rival: Option<usize>,
    /// For an arm that is out: the objective in which the rival's lead is least sure. For one that is in: the objectives in which
    /// it is better than the rival.
    pub objectives: Vec<usize>,
    /// The objective of the limit that decides, where one does: for an arm that is out, the limit that it breaks most surely; for one that is in, the limit that it comes closest to
    /// breaking, closer than any other arm comes to dominating it.
    pub limit: Option<usize>,
    /// The evidence for the standing, never negative; infinite if nothing can change it. For a certified stop, the logarithm of the
    /// martingale that proves it: exactly where it may suffice, about where it is too little.
    pub evidence: f64,
    /// What it takes to suffice.
    pub threshold: f64,
}

impl Certificate {
    /// Of an arm before all have been measured.
    pub fn unknown(threshold: f64) -> Self {
        Certificate {
            standing: None,
            certain: false,
            rival: None,
            objectives: Vec::new(),
            limit: None,
            evidence: 0.0,
            threshold,
        }
    }

    /// Of an arm that takes no part.
    pub(crate) fn left_out() -> Self {
        Certificate { standing: Some(Standing::LeftOut), ..Certificate::unknown(f64::INFINITY) }
    }
}

/// What is known of all arms.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Assessment {
    /// One for each arm, in their order.
    pub arms: Vec<Certificate>,
    /// The evidence for the front as a whole, and what it takes.
    pub progress: Progress,
    /// Whether the evidence for the front as a whole has sufficed.
    pub stopped: bool,
    /// What limits the proof, if anything does.
    pub caveats: Vec<Caveat>,
}
