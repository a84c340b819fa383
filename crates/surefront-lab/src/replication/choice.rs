//! A rule with its options: from its name to what the library runs.

use std::num::NonZeroU64;

use surefront::{
    Calibration, Ending, HedgeStep, Problem, Relaxation, RuleKind, RuleOptions, Settings, StoppingKind, Tracking,
    Weights,
};

use super::yardstick::Yardstick;

/// The options of all rules; each looks at its own.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How track-and-stop tracks.
    pub tracking: Tracking,
    /// How often track-and-stop asks for a gradient.
    pub refresh: u64,
    /// How a gradient changes its allocation.
    pub step: HedgeStep,
    /// What will do for ape instead of the front.
    pub relaxation: Relaxation,
    /// The constant in the confidence bonus of ape and the rules made of it.
    pub calibration: Calibration,
    /// How often the stop is tested, if that was said.
    pub check: Option<u64>,
    /// What `fixed` follows.
    pub allocation: Weights,
    /// When to stop.
    pub threshold: StoppingKind,
    /// Whether rules that were published with a stop of their own end by it.
    pub ending: Ending,
}

impl Choice {
    /// Everything as by default, which for track-and-stop is as in the paper.
    pub fn published(allocation: Weights) -> Self {
        let threshold = StoppingKind::Stylized;
        Choice {
            tracking: Tracking::Direct,
            refresh: 10,
            step: HedgeStep::default(),
            relaxation: Relaxation::default(),
            calibration: Calibration::default(),
            check: None,
            allocation,
            threshold,
            ending: Ending::default(),
        }
    }

    /// How a study under this rule is run.
    pub fn settings(&self, name: RuleKind, problem: &Problem, yardstick: &Yardstick, seed: u64) -> Settings {
        self.settings_at(name, problem, yardstick.delta, seed, None)
    }

    /// The same at this δ, where a rule that spends a budget has this one.
    pub fn settings_at(
        &self,
        name: RuleKind,
        problem: &Problem,
        delta: f64,
        seed: u64,
        budget: Option<u64>,
    ) -> Settings {
        const CHECKED: &str = "δ was checked where it was read";
        let at_least_one = |count: u64| NonZeroU64::new(count).unwrap_or(NonZeroU64::MIN);
        let options = RuleOptions::default().tracking(self.tracking).refresh(at_least_one(self.refresh));
        let options = options.step(self.step).relaxation(self.relaxation).calibration(self.calibration);
        let options = options.allocation(self.allocation.clone());
        let options = budget.into_iter().fold(options, RuleOptions::budget);
        let rule = options.rule(name, problem, delta);
        let usual = if name == RuleKind::TrackAndStop { 25 } else { 1 };
        let stopping = self.threshold.stopping(delta).expect(CHECKED);
        Settings::new(rule.expect(CHECKED), stopping).seed(seed).check_every(at_least_one(self.check.unwrap_or(usual)))
    }
}

impl Choice {
    /// What ends the runs of this rule.
    pub fn ending_of(&self, rule: RuleKind) -> Ending {
        if rule.has_own_stop() { self.ending } else { Ending::Threshold }
    }
}

/// Each rule once, in the order in which they are wished for, since the same seed would only give the same runs again; the one that
/// goes with the threshold if none is.
pub fn distinct_rules(wished: &[RuleKind], threshold: StoppingKind) -> Vec<RuleKind> {
    let mut rules = Vec::new();
    let usual = [RuleKind::usual_for(threshold)];
    for &rule in if wished.is_empty() { &usual[..] } else { wished } {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use surefront::{Arm, Goal, Model, Noise, Objective, bound};

    use super::*;

    #[test]
    fn only_the_papers_rule_is_throttled_by_default() {
        let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
        let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap();
        let model = Model::new(&problem, &[[0.0], [1.0]]).unwrap();
        let yardstick = Yardstick::new(bound(&problem, &model, 1e-6).unwrap(), 0.1).unwrap();
        let usual = Choice::published(Weights::uniform(&problem));
        let said = Choice { check: Some(7), ..usual.clone() };
        for &name in RuleKind::ALL {
            let settings = usual.settings(name, &problem, &yardstick, 1);
            let paper = settings.rule.kind() == Some(RuleKind::TrackAndStop);
            assert_eq!(settings.check_every.get(), if paper { 25 } else { 1 });
            assert_eq!(said.settings(name, &problem, &yardstick, 1).check_every.get(), 7);
        }
    }

    #[test]
    fn no_rule_runs_twice() {
        let [dual, ape] = [RuleKind::Dual, RuleKind::Ape];
        assert_eq!(distinct_rules(&[ape, dual, ape], StoppingKind::Stylized), [ape, dual]);
        assert_eq!(distinct_rules(&[], StoppingKind::Certified), [RuleKind::Weakest]);
    }
}
