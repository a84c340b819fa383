//! When to stop.

mod calibrated;
mod caveat;
mod certificate;
mod certified;
mod kind;
mod promise;
mod situation;
mod stylized;

use serde::{Deserialize, Serialize};

pub use self::calibrated::Calibrated;
pub(crate) use self::calibrated::{Doubt, Part, ready};
pub use self::caveat::Caveat;
pub use self::certificate::{Assessment, Certificate, Standing};
pub use self::certified::Certified;
pub(crate) use self::certified::{Bars, Care, Claim, Gauge, LESSON_AT, LimitGauge, Near, Open, Outlook, settled};
pub use self::kind::StoppingKind;
pub use self::promise::{Assumption, Promise};
pub(crate) use self::situation::Situation;
pub use self::stylized::Stylized;
use crate::needs::Needs;
use crate::problem::Problem;
use crate::spread::Spread;
use crate::tally::Tally;
use crate::transport::Closest;

/// How far a study is: it stops once the evidence reaches the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The evidence for the front so far, never negative; infinite if no alternative exists. For a stylized stop, the cost of the closest
    /// alternative; for a certified one, the logarithm of the martingale that proves the weakest claim, about, and exactly once it is
    /// close to the threshold.
    pub evidence: f64,
    /// What it takes.
    pub threshold: f64,
    /// The part of the way that is done, 1 or more at its end. It grows about as the samples do, which the evidence of a
    /// certified stop does not: a proof begins with a debt.
    pub fraction: f64,
}

impl Progress {
    /// Nothing is known yet.
    pub(crate) const NONE: Progress = Progress { evidence: 0.0, threshold: f64::INFINITY, fraction: 0.0 };

    /// Where evidence grows as the samples do.
    pub fn new(evidence: f64, threshold: f64) -> Self {
        let part = evidence / threshold;
        Progress { evidence, threshold, fraction: if evidence >= threshold { part.max(1.0) } else { part } }
    }

    /// Whether the evidence suffices.
    pub fn suffices(&self) -> bool {
        self.evidence >= self.threshold
    }
}

/// A rule for when to stop.
pub(crate) trait StoppingRule {
    /// What the rule looks at; the rest is not computed for it.
    fn needs(&self) -> Needs;

    /// How far the study is: by the closest alternative at the counts, if there is one, or by what is watched for this stop alone: how far the
    /// weakest claim is, or the doubts; whichever the rule needs.
    fn progress(&self, tally: &Tally, closest: Option<&Closest>, watched: Option<Progress>) -> Progress;

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
    /// As published, not proved: see [`Stylized`].
    Stylized(Stylized),
    /// Calibrated by simulation, not proved: see [`Calibrated`].
    Calibrated(Calibrated),
    /// Proved: see [`Certified`].
    Certified(Certified),
}

impl Stopping {
    /// The names of all stopping rules.
    pub const NAMES: &'static [&'static str] = StoppingKind::NAMES;

    /// Which of them this is.
    pub fn kind(&self) -> StoppingKind {
        match self {
            Stopping::Stylized(_) => StoppingKind::Stylized,
            Stopping::Calibrated(_) => StoppingKind::Calibrated,
            Stopping::Certified(_) => StoppingKind::Certified,
        }
    }

    /// The name of this one.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// The accepted chance of a wrong answer.
    pub fn delta(&self) -> f64 {
        match self {
            Stopping::Stylized(rule) => rule.delta(),
            Stopping::Calibrated(rule) => rule.delta(),
            Stopping::Certified(rule) => rule.delta(),
        }
    }

    /// How strong its answers are.
    pub fn promise(&self) -> Promise {
        self.kind().promise()
    }

    /// What it promises, in a sentence for people.
    pub fn guarantee(&self) -> &'static str {
        self.kind().guarantee()
    }
}

impl Stopping {
    fn rule(&self) -> &dyn StoppingRule {
        match self {
            Stopping::Stylized(rule) => rule,
            Stopping::Calibrated(rule) => rule,
            Stopping::Certified(rule) => rule,
        }
    }
}

impl StoppingRule for Stopping {
    fn needs(&self) -> Needs {
        self.rule().needs()
    }

    fn progress(&self, tally: &Tally, closest: Option<&Closest>, watched: Option<Progress>) -> Progress {
        self.rule().progress(tally, closest, watched)
    }

    fn cautious_variance(&self, problem: &Problem, tally: &Tally, spread: &Spread) -> f64 {
        self.rule().cautious_variance(problem, tally, spread)
    }

    fn certificates(&self, situation: &mut Situation<'_>) -> Vec<Certificate> {
        self.rule().certificates(situation)
    }
}
