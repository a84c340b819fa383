//! The whole field on one bench: every rule on the vaccine instance and the suite, by the same stop, by the stops that rules were published with, and with
//! budgets; published figures beside ours.

mod limits;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{Calibration, Ending, HedgeStep, Model, Problem, RuleKind, Simulation, StoppingKind, Summary};

pub use self::limits::LimitsRow;
use super::constraints::instance as limited;
use super::random_suite::geometric_mean;
use super::{suite, vaccine};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{AtBudget, BudgetRule, Choice, MOST_RUNS, Spender, Workers, Yardstick, error_plot};
use surefront_study::words::number::{grouped, samples, significant};
use surefront_study::words::table::{Align, TextTable, Width};

const DELTA: f64 = 0.1;
/// A run that takes more is given up: that of a rule which got stuck.
const MAX_SAMPLES: u64 = 500_000;
/// On the vaccine instance.
const BUDGETS: [u64; 5] = [100, 300, 1000, 3000, 10_000];
/// On the suite, by arm.
const BUDGETS_BY_ARM: [u64; 4] = [5, 20, 50, 100];
/// Runs with a budget for each run to a stop.
const BUDGET_RUNS: u64 = 10;
/// Every so manieth instance of the suite.
const EVERY: usize = 4;

/// What is run.
#[derive(Clone, Debug)]
pub struct FieldOptions {
    /// Runs to a stop of each rule on the vaccine instance; on each instance of the suite a quarter of that, with budgets ten times as many.
    pub runs: u64,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for FieldOptions {
    fn default() -> Self {
        FieldOptions { runs: 20, seed: 1, jobs: None }
    }
}

/// A rule, set in one way, and how it ends.
#[derive(Clone, Copy, Debug)]
struct Contender {
    label: &'static str,
    rule: RuleKind,
    step: HedgeStep,
    refresh: u64,
    calibration: Calibration,
    threshold: StoppingKind,
    ending: Ending,
    /// On the vaccine instance at δ = 0.1, with whose figure it is.
    published: &'static str,
}

impl Contender {
    const fn new(label: &'static str, rule: RuleKind, published: &'static str) -> Self {
        let (step, threshold, ending) = (HedgeStep::Summed, StoppingKind::Stylized, Ending::Threshold);
        let calibration = Calibration::Proved;
        Contender { label, rule, step, refresh: 10, calibration, threshold, ending, published }
    }

    const fn by_own_stop(self) -> Self {
        Contender { ending: Ending::OwnStop, ..self }
    }

    fn choice(&self, yardstick: &Yardstick) -> Choice {
        let &Contender { step, refresh, calibration, threshold, ending, .. } = self;
        Choice { step, refresh, calibration, threshold, ending, ..Choice::published(yardstick.bound.weights.clone()) }
    }

    fn stop(&self) -> &'static str {
        match self.ending {
            Ending::OwnStop => "its own",
            Ending::Threshold => self.threshold.name(),
        }
    }
}

/// All rules that can go on until a stop says that it is enough.
fn contenders() -> Vec<Contender> {
    use RuleKind::{Ape, Auer, Dual, Mocba, Psips, TrackAndStop, Uniform, Weakest};
    let to_the_letter = Contender {
        step: HedgeStep::Multiplied,
        refresh: 1,
        ..Contender::new("track-and-stop, authors' step", TrackAndStop, "17,909 (Crépon et al. 2024)")
    };
    vec![
        Contender::new("dual", Dual, ""),
        Contender::new("weakest", Weakest, ""),
        Contender::new("track-and-stop", TrackAndStop, "17,909 (Crépon et al. 2024)"),
        to_the_letter,
        Contender::new("ape", Ape, ""),
        Contender::new("psips", Psips, ""),
        Contender::new("auer", Auer, ""),
        Contender::new("mocba", Mocba, ""),
        Contender::new("uniform", Uniform, ""),
        Contender::new("ape", Ape, "39,000 (0-APE-20, in Crépon et al. 2024)").by_own_stop(),
        Contender {
            calibration: Calibration::Approximate,
            ..Contender::new("ape, authors' constant", Ape, "39,000 (0-APE-20, in Crépon et al. 2024)").by_own_stop()
        },
        Contender::new("psips", Psips, "37,000–44,000 (reference runs)").by_own_stop(),
        Contender::new("auer", Auer, "107,000–145,000 (reference runs)").by_own_stop(),
        Contender { threshold: StoppingKind::Certified, ..Contender::new("weakest", Weakest, "") },
        Contender { threshold: StoppingKind::Certified, ..Contender::new("dual", Dual, "") },
    ]
}

/// The rules that budgets are given to, ours first.
const SPENDERS: [RuleKind; 10] = [
    RuleKind::Dual,
    RuleKind::Weakest,
    RuleKind::EgeSr,
    RuleKind::EgeSh,
    RuleKind::Mocba,
    RuleKind::TrackAndStop,
    RuleKind::Ape,
    RuleKind::Psips,
    RuleKind::Auer,
    RuleKind::Uniform,
];

/// Those that are ours, with the answer that a study gives for a budget.
const OURS: [RuleKind; 2] = [RuleKind::Dual, RuleKind::Weakest];

/// What every rule did.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// "field".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Runs to a stop on the vaccine instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// Samples until a stop.
    pub stops: Vec<FieldRow>,
    /// Samples until a stop, where arms have to keep limits.
    pub limits: Vec<LimitsRow>,
    /// Chances of a right answer with budgets.
    pub budgets: Vec<FieldBudgets>,
    #[serde(skip)]
    wanted: usize,
}

/// A rule that goes on until a stop.
#[derive(Clone, Debug, Serialize)]
pub struct FieldRow {
    /// The rule, and how it is set.
    pub rule: &'static str,
    /// What ends it.
    pub stop: &'static str,
    /// The mean number of samples on the vaccine instance.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// What was published, and by whom.
    pub published: &'static str,
    /// Runs that ended with a wrong front, on all instances.
    pub mistakes: u64,
    /// Runs that came to no answer, on all instances.
    pub undecided: u64,
    /// Runs, on all instances.
    pub runs: u64,
    /// Of one core, on the vaccine instance.
    pub micros_per_sample: f64,
    /// The geometric mean, over the instances of the suite, of the mean number of samples over T*·β; `None` where no run came to an answer.
    pub suite_ratio: Option<f64>,
}

/// All rules with budgets on one instance.
#[derive(Clone, Debug, Serialize)]
pub struct FieldBudgets {
    /// Which instance.
    pub instance: String,
    /// By rule.
    pub rules: Vec<BudgetRule>,
    /// How many times a rule of the field was better than ours for a budget by more than two standard errors, over all budgets.
    pub better_than_ours: usize,
    /// Of so many comparisons.
    pub comparisons: usize,
}

impl FieldBudgets {
    fn new(instance: String, rules: Vec<BudgetRule>) -> Self {
        let usual = RuleKind::USUAL_FOR_BUDGET.name();
        let better = |at: &AtBudget, ours: &AtBudget| at.chance > ours.chance + 2.0 * at.se().hypot(ours.se());
        let ours = rules.iter().find(|rule| rule.rule == usual).map_or_else(Vec::new, |rule| rule.budgets.clone());
        let of_the_field = || rules.iter().filter(|rule| OURS.iter().all(|ours| ours.name() != rule.rule));
        let leads = |rule: &BudgetRule| rule.budgets.iter().zip(&ours).filter(|(at, ours)| better(at, ours)).count();
        let better_than_ours = of_the_field().map(leads).sum();
        let comparisons = of_the_field().map(|rule| rule.budgets.len()).sum();
        FieldBudgets { instance, rules, better_than_ours, comparisons }
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &FieldOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Field, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS / BUDGET_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let (problem, truth) = vaccine::instance()?;
    let yardstick = Yardstick::of(&problem, &truth, DELTA)?;
    let suite: Vec<suite::Instance> = suite::instances().into_iter().step_by(EVERY).collect();
    let contenders = contenders();
    let for_limits = limits::contenders();
    let wanted = contenders.len() + for_limits.len() + 1 + suite.len();
    observer.begin(wanted as u64, Steps::Rows);
    let mut stops = Vec::new();
    for contender in &contenders {
        observer.message(contender.label);
        let held = |problem: &Problem, truth: &Model, yardstick: &Yardstick, runs: u64| {
            hold(contender, problem, truth, yardstick, runs, options.seed, &workers)
        };
        let on_vaccine = held(&problem, &truth, &yardstick, options.runs)?;
        let quarter = options.runs.div_ceil(4);
        let on_suite = (suite.iter())
            .map(|instance| Ok((held(&instance.problem, &instance.truth, &instance.yardstick, quarter)?, instance)))
            .collect::<Result<Vec<_>, LabError>>()?;
        if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        let ratios: Vec<f64> =
            on_suite.iter().map(|(summary, instance)| instance.yardstick.ratio(summary.mean)).collect();
        let all = || on_suite.iter().map(|(summary, _)| summary).chain([&on_vaccine]);
        stops.push(FieldRow {
            rule: contender.label,
            stop: contender.stop(),
            mean: on_vaccine.mean,
            se: on_vaccine.se,
            published: contender.published,
            mistakes: all().map(|summary| summary.mistakes).sum(),
            undecided: all().map(|summary| summary.undecided).sum(),
            runs: all().map(|summary| summary.runs).sum(),
            micros_per_sample: on_vaccine.micros_per_sample,
            suite_ratio: (ratios.iter().all(|ratio| ratio.is_finite()))
                .then(|| geometric_mean(ratios.iter().map(|&ratio| (ratio, 0.0))).0),
        });
        observer.advance(1);
    }
    let with_limits: Vec<limited::Instance> = limited::instances().into_iter().step_by(EVERY).collect();
    let mut limits = Vec::new();
    for contender in &for_limits {
        observer.message(&format!("limits, {}", contender.label));
        let row = limits::row(contender, &with_limits, options.runs, options.seed, &workers)?;
        if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        limits.push(row);
        observer.advance(1);
    }
    let mut budgets = Vec::new();
    let mut spend = |name: String, problem: &Problem, truth: &Model, yardstick: &Yardstick, by: &[u64]| {
        observer.message(&name);
        let choice = Choice::published(yardstick.bound.weights.clone());
        let spender = Spender { problem, truth, choice: &choice, delta: DELTA, seed: options.seed };
        let rules = SPENDERS.iter().map(|&rule| {
            let mut budgets = spender.spend(rule, by, 0..BUDGET_RUNS * options.runs, &workers, || {})?;
            // The rules of the field, with their own answers.
            if !OURS.contains(&rule) {
                budgets.iter_mut().for_each(|at| *at = at.as_published());
            }
            Ok(BudgetRule { rule: rule.name(), budgets })
        });
        let rules = rules.collect::<Result<Vec<_>, LabError>>()?;
        if !interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            budgets.push(FieldBudgets::new(name, rules));
            observer.advance(1);
        }
        Ok::<_, LabError>(())
    };
    spend("vaccine".to_owned(), &problem, &truth, &yardstick, &BUDGETS)?;
    for suite::Instance { problem, truth, yardstick } in &suite {
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        let by = BUDGETS_BY_ARM.map(|by_arm| by_arm * arms as u64);
        spend(format!("K = {arms}, d = {objectives}"), problem, truth, yardstick, &by)?;
    }
    observer.end();
    let FieldOptions { seed, runs, .. } = *options;
    Ok(Field { experiment: "field", seed, runs, delta: DELTA, stops, limits, budgets, wanted })
}

fn hold(
    contender: &Contender,
    problem: &Problem,
    truth: &Model,
    yardstick: &Yardstick,
    runs: u64,
    seed: u64,
    workers: &Workers<'_>,
) -> Result<Summary, LabError> {
    let choice = contender.choice(yardstick);
    let settings = choice.settings(contender.rule, problem, yardstick, seed);
    let simulation =
        Simulation::new(problem.clone(), truth.clone(), settings, MAX_SAMPLES)?.ending(contender.ending)?;
    Ok(Summary::of(&workers.replicate(&simulation, 0..runs, |_| ControlFlow::Continue(()))))
}

impl Findings for Field {
    fn text(&self, width: Width) -> String {
        let mut stops = TextTable::new(&[
            ("rule", Align::Left),
            ("stop", Align::Left),
            ("vaccine: samples ± s.e.", Align::Right),
            ("published", Align::Left),
            ("suite: samples/(T*·β)", Align::Right),
            ("mistakes", Align::Right),
            ("undecided", Align::Right),
            ("of runs", Align::Right),
            ("µs/sample", Align::Right),
        ]);
        for row in &self.stops {
            stops.push(vec![
                row.rule.to_owned(),
                row.stop.to_owned(),
                if row.mean.is_finite() {
                    format!("{} ± {}", samples(row.mean), samples(row.se))
                } else {
                    "–".to_owned()
                },
                row.published.to_owned(),
                row.suite_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
                grouped(row.mistakes),
                grouped(row.undecided),
                grouped(row.runs),
                significant(row.micros_per_sample, 2),
            ]);
        }
        let mut text = format!(
            "Samples to an answer at δ = {DELTA}: {} runs on the vaccine instance, a quarter of that on each of every {EVERY}th instance of the suite; \
             a run is given up after {} samples\n\n{}\n",
            grouped(self.runs),
            grouped(MAX_SAMPLES),
            rendered(&stops, width)
        );
        text += &limits::table(&self.limits, width);
        for FieldBudgets { instance, rules, better_than_ours, comparisons } in &self.budgets {
            let budgets: Vec<String> = rules[0].budgets.iter().map(|at| grouped(at.budget)).collect();
            let mut columns = vec![("rule", Align::Left)];
            columns.extend(budgets.iter().map(|budget| (budget.as_str(), Align::Right)));
            let mut table = TextTable::new(&columns);
            for rule in rules {
                let mut cells = vec![rule.rule.to_owned()];
                let cell = |at: &AtBudget| format!("{:.1} ± {:.1}", 100.0 * (1.0 - at.chance), 100.0 * at.se());
                cells.extend(rule.budgets.iter().map(cell));
                table.push(cells);
            }
            let verdict = match better_than_ours {
                0 => "no rule of the field is better than dual by more than two standard errors".to_owned(),
                times => format!(
                    "a rule of the field is better than dual by more than two standard errors in {times} of {comparisons} comparisons"
                ),
            };
            text += &format!(
                "Chance of a wrong front, in percent ± s.e., after so many samples on {instance} ({} runs); {verdict}:\n\n{}\n",
                grouped(rules[0].budgets[0].runs),
                rendered(&table, width)
            );
        }
        text
    }

    fn svg(&self) -> Option<String> {
        let rules = self.budgets.first().map_or(&[][..], |budgets| &budgets.rules);
        Some(error_plot("The field on the vaccine instance: chance of a wrong front".to_owned(), rules).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        Unfinished::rows(self.stops.len() + self.limits.len() + self.budgets.len(), self.wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replication::Bracket;

    fn rule(rule: &'static str, right: u64) -> BudgetRule {
        let (chance, chance_interval) = (right as f64 / 400.0, Bracket { lower: 0.0, upper: 1.0 });
        BudgetRule {
            rule,
            budgets: vec![AtBudget {
                budget: 100,
                runs: 400,
                right,
                chance,
                chance_interval,
                arms_placed: 5.0,
                right_as_published: right,
            }],
        }
    }

    #[test]
    fn whoever_is_better_than_ours_is_counted() {
        // The standard error of a difference is about 14 of 400 here.
        for (right, times) in [(150, 0), (220, 0), (235, 1), (300, 1)] {
            let found = FieldBudgets::new("x".to_owned(), vec![rule("dual", 200), rule("ege-sr", right)]);
            assert_eq!(found.better_than_ours, times, "{right}");
        }
    }

    #[test]
    fn only_rules_with_a_stop_of_their_own_end_by_it() {
        for contender in contenders().into_iter().chain(limits::contenders()) {
            assert!(!contender.rule.needs_budget());
            assert!(contender.ending == Ending::Threshold || contender.rule.has_own_stop(), "{}", contender.label);
        }
        assert!(limits::contenders().iter().all(|contender| contender.rule.heeds_limits()));
        assert_eq!(SPENDERS[0], RuleKind::USUAL_FOR_BUDGET);
    }
}
