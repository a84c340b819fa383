//! What is measured until everything is looked at again. Part of a rule's state: whoever takes up a study in between goes on with it.

use serde::{Deserialize, Serialize};

use crate::claims::Service;
use crate::seasons::Era;

/// Pairs of arms to be measured, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// For so long as nothing more is learned.
    era: Era,
    /// For so long as there are fewer observations.
    until: u64,
    /// The next is the last.
    steps: Vec<Step>,
}

/// Two arms, how often they are to be measured, and the part that the first is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    arms: [usize; 2],
    share: f64,
    times: u64,
}

/// When a plan is made, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub era: Era,
    /// How many observations there are.
    pub observations: u64,
    /// How many there will be when everything is looked at again.
    pub next_look: u64,
}

impl From<Service> for Step {
    fn from(Service { arms, share, times }: Service) -> Self {
        Step { arms, share, times }
    }
}

impl Moment {
    /// How many observations are to come before everything is looked at again.
    pub fn rounds(&self) -> u64 {
        self.next_look - self.observations
    }
}

impl Plan {
    pub fn new(now: Moment, coming: Vec<Service>) -> Self {
        Plan { era: now.era, until: now.next_look, steps: coming.into_iter().rev().map(Step::from).collect() }
    }

    /// Whether it says what to do now, among so many arms.
    pub fn covers(&self, now: Moment, arm_count: usize) -> bool {
        let is_known = |step: &Step| step.times > 0 && step.arms.iter().all(|&arm| arm < arm_count);
        self.era == now.era && now.observations < self.until && self.steps.last().is_some_and(is_known)
    }

    /// For how many measurements its longest step is.
    #[cfg(test)]
    pub fn longest(&self) -> u64 {
        self.steps.iter().map(|step| step.times).max().unwrap_or(0)
    }

    /// Puts something before all else.
    pub fn put_first(&mut self, service: Service) {
        if service.times > 0 {
            self.steps.push(service.into());
        }
    }

    /// The two arms that are next, and the part that the first is worth.
    pub fn next(&mut self) -> Option<([usize; 2], f64)> {
        let step = self.steps.last_mut()?;
        let (arms, share) = (step.arms, step.share);
        step.times -= 1;
        if step.times == 0 {
            self.steps.pop();
        }
        Some((arms, share))
    }
}
