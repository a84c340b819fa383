//! Rules on one instance, under the same noise.

use std::ops::Range;

use surefront::{Model, Problem, RuleKind, Simulation, Summary};

use super::choice::Choice;
use super::report::Entrant;
use super::workers::Workers;
use super::yardstick::Yardstick;
use crate::findings::Unfinished;
use crate::lab_error::LabError;
use crate::observer::{Observer, Steps};

/// What the rules have in common.
#[derive(Clone, Debug)]
pub struct Contest<'a> {
    /// The instance.
    pub problem: &'a Problem,
    /// Its means.
    pub truth: &'a Model,
    /// Its bound and the threshold.
    pub yardstick: &'a Yardstick,
    /// The options of the rules.
    pub choice: Choice,
    /// What all random numbers begin with.
    pub seed: u64,
    /// The numbers of the runs.
    pub runs: Range<u64>,
    /// The most samples of a run.
    pub max_samples: u64,
}

impl Contest<'_> {
    /// How many runs of each rule.
    pub fn wanted(&self) -> u64 {
        self.runs.end.saturating_sub(self.runs.start)
    }

    /// The rule, as it is called with its options.
    pub fn label(&self, rule: RuleKind) -> &'static str {
        self.choice.settings(rule, self.problem, self.yardstick, self.seed).rule.name()
    }

    /// Runs one rule after the other.
    ///
    /// # Errors
    /// When a rule, or the threshold, is not for the problem's kinds of noise.
    pub fn hold(
        &self,
        rules: &[RuleKind],
        workers: &Workers<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Entrant>, LabError> {
        let hold_one = |&rule: &RuleKind| {
            let settings = self.choice.settings(rule, self.problem, self.yardstick, self.seed);
            let label = settings.rule.name();
            observer.message(label);
            if rule.needs_budget() {
                return Err(LabError::NeedsBudget { rule: label });
            }
            let simulation = Simulation::new(self.problem.clone(), self.truth.clone(), settings, self.max_samples)?
                .ending(self.choice.ending_of(rule))?;
            let runs = workers.replicate(&simulation, self.runs.clone(), |run| {
                observer.advance(1);
                observer.run(label, run)
            });
            Ok(Entrant { label, summary: Summary::of(&runs), runs })
        };
        rules.iter().map(hold_one).collect()
    }

    /// The rules of which runs are missing.
    pub fn unfinished(&self, entrants: &[Entrant]) -> Vec<Unfinished> {
        let wanted = self.wanted();
        let short = entrants.iter().filter(|entrant| entrant.summary.runs < wanted);
        short
            .map(|Entrant { label, runs, .. }| {
                let first_missing = self.runs.clone().zip(runs).find(|(number, run)| *number != run.index);
                let start = first_missing.map_or(self.runs.start + runs.len() as u64, |(number, _)| number);
                let (finished, rest) = (runs.len() as u64, Some(start..self.runs.end));
                Unfinished { rule: Some(*label), steps: Steps::Runs, finished, wanted, rest }
            })
            .collect()
    }
}
