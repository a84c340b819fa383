//! How a study goes on: as was asked, or else as before, or else as usual.

use surefront::{Ape, Dual, Evaluation, Problem, Rule, Settings, TrackAndStop, Tracking, Uniform, Weakest};

use super::vocabulary::{RuleName, ThresholdName};
use crate::file::study::StudyFile;
use crate::store::{Batch, LastSettings, StoreFault, View};

/// δ where nobody ever said it.
const USUAL_DELTA: f64 = 0.1;

/// Where nobody says otherwise: a proof if it can be had for the variances given, or else what is customary.
pub fn usual_threshold(problem: &Problem) -> ThresholdName {
    if problem.has_unknown_noise() { ThresholdName::Stylized } else { ThresholdName::Certified }
}

/// The rule that goes with a threshold.
pub fn usual_rule(threshold: ThresholdName) -> RuleName {
    match threshold {
        ThresholdName::Stylized => RuleName::Dual,
        ThresholdName::Certified => RuleName::Weakest,
    }
}

/// How a study is to go on. What is not said is as it was last, and at first as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wishes {
    /// Which arm next.
    pub rule: Option<RuleName>,
    /// When to stop.
    pub threshold: Option<ThresholdName>,
    /// The accepted chance of a wrong answer, checked.
    pub delta: Option<f64>,
    /// The start of the random numbers.
    pub seed: Option<u64>,
}

/// How a study goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Which arm next.
    pub rule: RuleName,
    /// When to stop.
    pub threshold: ThresholdName,
    /// The start of the random numbers.
    pub seed: u64,
}

impl Chosen {
    /// What these wishes come to for a study with this store.
    pub fn of(wishes: &Wishes, file: &StudyFile, problem: &Problem, view: &View) -> Result<Self, StoreFault> {
        let last = view.last_settings()?;
        let before = last.threshold.as_deref().and_then(ThresholdName::named);
        let threshold = wishes.threshold.or(before).unwrap_or_else(|| usual_threshold(problem));
        // A rule that went with another threshold was chosen for that one.
        let same_rule = if before == Some(threshold) { last.rule.as_deref().and_then(RuleName::named) } else { None };
        Ok(Chosen {
            delta: wishes.delta.or(last.delta).or(file.delta).unwrap_or(USUAL_DELTA),
            rule: wishes.rule.or(same_rule).unwrap_or_else(|| usual_rule(threshold)),
            threshold,
            seed: wishes.seed.or(last.seed).unwrap_or(1),
        })
    }

    /// Keeps the choice for the next time. Another seed than before is a new beginning: the rule and its random numbers start
    /// afresh from it.
    pub(super) fn keep(&self, batch: &Batch) -> Result<(), StoreFault> {
        if batch.last_settings()?.seed.is_some_and(|before| before != self.seed) {
            batch.forget()?;
        }
        batch.keep_settings(&self.as_last())
    }

    /// As the store has it afterwards.
    pub(super) fn as_last(&self) -> LastSettings {
        LastSettings {
            delta: Some(self.delta),
            rule: Some(self.rule.name().to_owned()),
            threshold: Some(self.threshold.name().to_owned()),
            seed: Some(self.seed),
        }
    }

    /// What the library is to do.
    pub fn settings(&self, problem: &Problem) -> Settings {
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        let rule = match self.rule {
            RuleName::Dual => Rule::Dual(Dual::default()),
            RuleName::TrackAndStop => Rule::TrackAndStop(TrackAndStop::new(arms, Tracking::Direct, 10)),
            RuleName::Uniform | RuleName::Fixed => Rule::Uniform(Uniform),
            RuleName::Ape => Rule::Ape(Ape::new(arms, objectives, self.delta)),
            RuleName::Weakest => Rule::Weakest(Weakest::default()),
        };
        let stopping = self.threshold.stopping(self.delta);
        Settings { rule, stopping, check_every: 1, seed: self.seed, evaluation: Evaluation::Lazy }
    }
}
