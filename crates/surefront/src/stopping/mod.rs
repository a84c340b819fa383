//! When to stop.

mod certificate;
mod certified;
mod situation;
mod stylized;

use serde::{Deserialize, Serialize};

pub use self::certificate::{Assessment, Certificate, Standing};
pub use self::certified::Certified;
pub(crate) use self::certified::{Care, Claim, Gauge};
pub use self::situation::Situation;
pub use self::stylized::Stylized;
use crate::estimate::Spread;
use crate::problem::Problem;
use crate::tally::Tally;
use crate::transport::Closest;
use crate::watch::Needs;

/// What a stopping rule sees.
pub struct Evidence<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The observations so far.
    pub tally: &'a Tally,
    /// The closest alternative at the counts so far; `None` if there is none, or it is not needed.
    pub closest: Option<&'a Closest>,
    /// The weakest claim about an arm: its cost, and what it takes; `None` if claims are not needed.
    pub weakest: Option<Progress>,
}

/// How far a study is: it stops once the evidence reaches the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The evidence for the front so far; infinite if no alternative exists.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
}

impl Progress {
    /// Whether the evidence suffices.
    pub fn suffices(&self) -> bool {
        self.evidence >= self.threshold
    }
}

/// A rule for when to stop.
pub trait StoppingRule {
    /// What the rule looks at; the rest is not computed for it.
    fn needs(&self) -> Needs;

    /// How far the study is.
    fn progress(&self, evidence: &Evidence<'_>) -> Progress;

    /// What an unknown variance is taken to be: at least what the observations say, and as much more as this rule needs to stay
    /// honest.
    fn cautious_variance(&self, problem: &Problem, tally: &Tally, spread: &Spread) -> f64;

    /// What is known of each arm.
    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate>;
}

/// The stopping rules there are, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Stopping {
    /// Customary, not proved: see [`Stylized`].
    Stylized(Stylized),
    /// Proved: see [`Certified`].
    Certified(Certified),
}

impl Stopping {
    /// The names of all stopping rules.
    pub const NAMES: [&'static str; 2] = ["stylized", "certified"];

    /// The name of this one.
    pub fn name(&self) -> &'static str {
        match self {
            Stopping::Stylized(_) => "stylized",
            Stopping::Certified(_) => "certified",
        }
    }

    /// The accepted chance of a wrong answer.
    pub fn delta(&self) -> f64 {
        match self {
            Stopping::Stylized(rule) => rule.delta(),
            Stopping::Certified(rule) => rule.delta(),
        }
    }

    /// What this rule promises for a problem, in a sentence for people.
    pub fn guarantee(&self, problem: &Problem) -> &'static str {
        match self {
            Stopping::Stylized(_) => Stylized::GUARANTEE,
            Stopping::Certified(_) if problem.has_unknown_noise() => Certified::GUARANTEE_WITH_ESTIMATES,
            Stopping::Certified(_) => Certified::GUARANTEE,
        }
    }
}

impl Stopping {
    fn rule(&self) -> &dyn StoppingRule {
        match self {
            Stopping::Stylized(rule) => rule,
            Stopping::Certified(rule) => rule,
        }
    }
}

impl StoppingRule for Stopping {
    fn needs(&self) -> Needs {
        self.rule().needs()
    }

    fn progress(&self, evidence: &Evidence<'_>) -> Progress {
        self.rule().progress(evidence)
    }

    fn cautious_variance(&self, problem: &Problem, tally: &Tally, spread: &Spread) -> f64 {
        self.rule().cautious_variance(problem, tally, spread)
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        self.rule().certificates(situation)
    }
}
