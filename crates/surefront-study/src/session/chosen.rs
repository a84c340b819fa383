//! How a study goes on: as was asked, or else as before, or else as usual.

use surefront::{Problem, RuleKind, Settings, StoppingKind};

use crate::file::study::StudyFile;
use crate::store::{Batch, LastSettings, StoreFault, View};

/// δ where nobody ever said it.
const USUAL_DELTA: f64 = 0.1;

/// How a study is to go on. What is not said is as it was last, and at first as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wishes {
    /// Which arm next.
    pub rule: Option<RuleKind>,
    /// When to stop.
    pub threshold: Option<StoppingKind>,
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
    pub rule: RuleKind,
    /// When to stop.
    pub threshold: StoppingKind,
    /// The start of the random numbers.
    pub seed: u64,
}

impl Chosen {
    /// What these wishes come to for a study with this store.
    pub fn of(wishes: &Wishes, file: &StudyFile, view: &View) -> Result<Self, StoreFault> {
        let last = view.last_settings()?;
        let before = last.threshold.and_then(|name| name.parse().ok());
        let threshold = wishes.threshold.or(before).unwrap_or_default();
        // A rule that went with another threshold was chosen for that one.
        let same_rule = if before == Some(threshold) { last.rule.and_then(|name| name.parse().ok()) } else { None };
        let chosen = Chosen {
            delta: wishes.delta.or(last.delta).or(file.delta).unwrap_or(USUAL_DELTA),
            rule: wishes.rule.or(same_rule).unwrap_or_else(|| RuleKind::usual_for(threshold)),
            threshold,
            seed: wishes.seed.or(last.seed).unwrap_or(1),
        };
        // Before it is kept for the next time.
        chosen.settings(view.problem()).suit(view.problem()).map_err(StoreFault::OtherKind)?;
        Ok(chosen)
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
        const CHECKED: &str = "δ was checked where it was read";
        let rule = self.rule.rule(problem, self.delta).expect(CHECKED);
        Settings::new(rule, self.threshold.stopping(self.delta).expect(CHECKED)).seed(self.seed)
    }
}
