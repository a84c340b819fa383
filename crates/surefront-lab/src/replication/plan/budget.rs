//! What a budget will settle: how often the whole front, how often the right one is named, and which arms.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{Settled, Simulation, chance_interval};

use super::Planner;
use crate::findings::Unfinished;
use crate::lab_error::LabError;
use crate::observer::{Observer, Steps};
use crate::replication::bracket::Bracket;
use crate::replication::choice::{Choice, distinct_rules};
use crate::replication::workers::Workers;

/// What a number of samples will settle, if the means are as guessed.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetPlan {
    /// The samples.
    pub budget: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// The rule that spends them.
    pub rule: &'static str,
    /// Simulated studies.
    pub runs: u64,
    /// The share of studies that have their answer by then.
    pub answered: f64,
    /// The share of studies in which the front so far is the right one by then, sure or not.
    pub right: f64,
    /// A 95 % interval for the chance of that.
    pub right_interval: Bracket,
    /// How many arms have their verdict by then, on average.
    pub arms_settled: f64,
    /// By arm: the share of studies in which it has its verdict by then.
    pub settled: Vec<f64>,
}

impl BudgetPlan {
    fn of(budget: u64, delta: f64, rule: &'static str, arms: usize, studies: &[&Settled]) -> Self {
        let runs = studies.len() as u64;
        let count = |is: &dyn Fn(&Settled) -> bool| studies.iter().filter(|settled| is(settled)).count() as u64;
        let share = |count: u64| count as f64 / runs as f64;
        let right = count(&|settled| settled.right);
        let (lower, upper) = chance_interval(right, runs);
        let settled: Vec<f64> = (0..arms).map(|arm| share(count(&|settled| settled.certain[arm]))).collect();
        BudgetPlan {
            budget,
            delta,
            rule,
            runs,
            answered: share(count(&|settled| settled.answered)),
            right: share(right),
            right_interval: Bracket { lower, upper },
            arms_settled: settled.iter().sum(),
            settled,
        }
    }
}

impl Planner<'_> {
    /// What each budget settles, ascending, at the first δ.
    pub(super) fn budgets(
        &self,
        observer: &dyn Observer,
        interrupt: &AtomicBool,
        unfinished: &mut Vec<Unfinished>,
    ) -> Result<Vec<BudgetPlan>, LabError> {
        let mut budgets = self.options.budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        if budgets.is_empty() {
            return Ok(Vec::new());
        }
        let (yardstick, rule) = (&self.yardsticks[0], distinct_rules(&[], self.threshold)[0]);
        let choice = Choice { threshold: self.threshold, ..Choice::published(yardstick.bound.weights.clone()) };
        let settings = choice.settings(rule, self.problem, yardstick, self.options.seed);
        let simulation = Simulation::new(self.problem.clone(), self.guess.clone(), settings, u64::MAX)?;
        let workers = Workers::new(self.options.jobs, interrupt)?;
        let wanted = self.options.runs;
        observer.begin(wanted, Steps::Runs);
        let studies = workers.each(
            0..wanted,
            |index| simulation.settle(index, &budgets),
            |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            },
        );
        observer.end();
        let finished = studies.len() as u64;
        if finished < wanted {
            unfinished.push(Unfinished { rule: Some(rule.name()), steps: Steps::Runs, finished, wanted, rest: None });
        }
        let plan = |(place, &budget): (usize, &u64)| {
            let settled: Vec<&Settled> = studies.iter().map(|study| &study[place]).collect();
            BudgetPlan::of(budget, yardstick.delta, rule.name(), self.problem.arm_count(), &settled)
        };
        Ok(budgets.iter().enumerate().map(plan).collect())
    }
}
