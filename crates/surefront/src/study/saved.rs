//! What a study leaves behind to be taken up again.

use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::Settings;
use crate::rule::Rule;
use crate::seasons::SavedSplit;
use crate::tally::SavedTally;

/// A study, saved: everything but the problem that is needed to go on exactly as if it had not been interrupted.
///
/// With a rule of the user's own it can be resumed but not serialised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedStudy {
    pub(super) settings: Settings,
    pub(super) tally: SavedTally,
    /// The lesson that was taken, and when to look for one; not there in version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) split: Option<SavedSplit>,
    #[serde(default)]
    pub(super) next_look: u64,
    pub(super) asked: Vec<u64>,
    pub(super) rng: Xoshiro256PlusPlus,
    pub(super) stopped: Option<Vec<usize>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left_out: Vec<usize>,
    /// The rule of the arms that take part, where some are left out; the settings' one is that of all arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<Rule>,
}

/// What a study remembers besides its observations: the rule's state and the random numbers'. Whoever keeps the observations
/// elsewhere keeps this beside them, and goes on with [`Study::with_observations`](super::Study::with_observations).
///
/// A rule of the user's own is not remembered: it begins afresh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// How many arms take part.
    arm_count: usize,
    /// The arms that do not; not kept by version 0.1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<usize>,
    rule: Option<Rule>,
    pub(super) rng: Xoshiro256PlusPlus,
}

impl Memory {
    pub(super) fn new(arm_count: usize, left_out: Vec<usize>, rule: &Rule, rng: &Xoshiro256PlusPlus) -> Self {
        let rule = rule.kind().map(|_| rule.clone());
        Memory { arm_count, left_out, rule, rng: rng.clone() }
    }

    /// The rule with its state, if it is about these arms.
    pub(super) fn rule_for(self, arm_count: usize, left_out: &[usize]) -> Option<Rule> {
        let same = self.arm_count == arm_count && (self.left_out.is_empty() || self.left_out == left_out);
        self.rule.filter(|_| same)
    }
}
