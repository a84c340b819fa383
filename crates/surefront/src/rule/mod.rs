//! Which arm to measure next.
//!
//! A rule is one file: a type that implements [`SamplingRule`], and one line in each list of [`Rule`], which names it. Whatever
//! it remembers from round to round is part of it, so that a saved study goes on as if it had never been interrupted.

mod ape;
mod dual;
mod fixed;
mod posterior;
mod track_and_stop;
mod uniform;
mod weakest;

use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

pub use self::ape::Ape;
pub use self::dual::Dual;
pub use self::fixed::Fixed;
pub use self::track_and_stop::{TrackAndStop, Tracking};
pub use self::uniform::Uniform;
pub use self::weakest::Weakest;
use crate::front::Front;
use crate::ledger::{self, Ledger};
use crate::problem::Problem;
use crate::question::Question;
use crate::tally::Tally;
use crate::transport::{Closest, Oracle};
use crate::watch::Needs;

/// What a rule sees when it is asked for the next arm. Every arm has been measured at least once.
pub struct Round<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The observations so far.
    pub tally: &'a Tally,
    /// The front of the means so far.
    pub front: &'a Front,
    /// By arm: the observations told, and those asked for but not told yet.
    pub allocated: &'a [u64],
    /// The closest alternative at the counts so far; `None` if there is none, or it is not needed.
    pub closest: Option<&'a Closest>,
    /// The claims about the arms, and the weakest of them if any is in doubt; `None` if they are not needed.
    pub(crate) claims: Option<(&'a Ledger, Option<&'a ledger::Weakest>)>,
    /// An oracle for questions of the rule's own.
    pub oracle: &'a mut Oracle,
    /// The study's random numbers.
    pub rng: &'a mut Xoshiro256PlusPlus,
}

impl<'a> Round<'a> {
    /// The question about the means at the counts.
    pub fn question(&self) -> Question<'a> {
        Question::unchecked(self.problem, self.tally.means(), self.front, self.tally.counts())
    }
}

impl Round<'_> {
    /// The arm with the fewest observations told or asked for, the first among equals.
    pub fn least_allocated(&self) -> usize {
        (0..self.allocated.len()).min_by_key(|&arm| self.allocated[arm]).expect("there is an arm")
    }

    /// The number of observations told or asked for.
    pub fn time(&self) -> u64 {
        self.allocated.iter().sum()
    }

    /// The arm whose observations lag furthest behind the given targets, the first among equals.
    pub fn furthest_behind(&self, target: impl Fn(usize) -> f64) -> usize {
        let lag = |arm: usize| target(arm) - self.allocated[arm] as f64;
        (0..self.allocated.len())
            .reduce(|best, arm| if lag(arm) > lag(best) { arm } else { best })
            .expect("there is an arm")
    }
}

/// A rule for choosing the next arm.
pub trait SamplingRule {
    /// The arm to measure next.
    fn next(&mut self, round: &mut Round<'_>) -> usize;

    /// What the rule looks at; the rest is not computed for it.
    fn needs(&self) -> Needs {
        Needs::Front
    }
}

/// The rules there are, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Rule {
    /// Follow the evidence: see [`Dual`].
    Dual(Dual),
    /// The paper's: see [`TrackAndStop`].
    TrackAndStop(TrackAndStop),
    /// All arms in turn: see [`Uniform`].
    Uniform(Uniform),
    /// A given allocation: see [`Fixed`].
    Fixed(Fixed),
    /// Adaptive Pareto exploration: see [`Ape`].
    Ape(Ape),
    /// Serve the weakest claim of a certified stop: see [`Weakest`].
    Weakest(Weakest),
}

impl Rule {
    /// The names of all rules.
    pub const NAMES: [&'static str; 6] = ["dual", "track-and-stop", "uniform", "fixed", "ape", "weakest"];

    /// The name of this rule.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Dual(_) => "dual",
            Rule::TrackAndStop(_) => "track-and-stop",
            Rule::Uniform(_) => "uniform",
            Rule::Fixed(_) => "fixed",
            Rule::Ape(_) => "ape",
            Rule::Weakest(_) => "weakest",
        }
    }

    fn rule(&self) -> &dyn SamplingRule {
        match self {
            Rule::Dual(rule) => rule,
            Rule::TrackAndStop(rule) => rule,
            Rule::Uniform(rule) => rule,
            Rule::Fixed(rule) => rule,
            Rule::Ape(rule) => rule,
            Rule::Weakest(rule) => rule,
        }
    }

    fn rule_mut(&mut self) -> &mut dyn SamplingRule {
        match self {
            Rule::Dual(rule) => rule,
            Rule::TrackAndStop(rule) => rule,
            Rule::Uniform(rule) => rule,
            Rule::Fixed(rule) => rule,
            Rule::Ape(rule) => rule,
            Rule::Weakest(rule) => rule,
        }
    }
}

impl SamplingRule for Rule {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.rule_mut().next(round)
    }

    fn needs(&self) -> Needs {
        self.rule().needs()
    }
}
