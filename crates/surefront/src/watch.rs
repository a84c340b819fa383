//! The front and the closest alternative of a tally, kept up to date: the part of the ring between tally and evidence.

use serde::{Deserialize, Serialize};

use crate::front::Front;
use crate::problem::Problem;
use crate::tally::Tally;
use crate::transport::{Closest, LazyOracle, Method, Oracle};

/// How the closest alternative is found after each observation. The answers are the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluation {
    /// Only the pieces that may have become the closest are looked at.
    #[default]
    Lazy,
    /// All pieces are looked at, every time: slow, and simple.
    Eager,
}

/// Follows a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) enum Watch {
    Lazy(Box<LazyOracle>),
    Eager { front: Front, oracle: Box<Oracle>, solved: u64 },
}

impl Watch {
    pub fn new(problem: &Problem, tally: &Tally, evaluation: Evaluation) -> Self {
        let oracle = Oracle::new(problem, Method::Auto).expect("`auto` fits every problem");
        match evaluation {
            Evaluation::Lazy => Watch::Lazy(Box::new(LazyOracle::new(problem, oracle, tally))),
            Evaluation::Eager => Watch::Eager { front: Front::of(tally.means()), oracle: Box::new(oracle), solved: 0 },
        }
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        match self {
            Watch::Lazy(oracle) => oracle.follow(problem, tally, arm),
            Watch::Eager { front, .. } => front.recompute(tally.means()),
        }
    }

    /// The closest alternative at the counts.
    pub fn closest(&mut self, problem: &Problem, tally: &Tally) -> Option<&Closest> {
        match self {
            Watch::Lazy(oracle) => oracle.closest(problem, tally),
            Watch::Eager { front, oracle, solved } => {
                *solved += (tally.means().arm_count() - front.members().len()) as u64;
                oracle.closest(problem, tally.means(), front, tally.counts())
            }
        }
    }

    /// The closest alternative as last asked for.
    pub fn last(&self) -> Option<&Closest> {
        match self {
            Watch::Lazy(oracle) => oracle.last(),
            Watch::Eager { oracle, .. } => oracle.last(),
        }
    }

    /// The front.
    pub fn front(&self) -> &Front {
        match self {
            Watch::Lazy(oracle) => oracle.front(),
            Watch::Eager { front, .. } => front,
        }
    }

    /// How many *add* pieces have been looked at, over all questions.
    pub fn pieces_evaluated(&self) -> u64 {
        match self {
            Watch::Lazy(oracle) => oracle.looked_at(),
            Watch::Eager { solved, .. } => *solved,
        }
    }
}
