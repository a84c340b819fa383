//! What rules know once a budget is spent: how often they name the right front, and how many arms they place right.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{Front, Model, Placement, Problem, RuleKind, Simulation, StoppingKind, Weights, chance_interval};
use surefront_study::answer::ArmName;
use surefront_study::plot::{Look, Marker, Plot, Series, Stroke};
use surefront_study::words::number::{grouped, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::{Align, TextTable, Width};

use super::bracket::Bracket;
use super::choice::Choice;
use super::workers::Workers;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};

/// What is simulated, and how often.
#[derive(Clone, Debug)]
pub struct BudgetOptions {
    /// What the study is called.
    pub study: String,
    /// Rules, each taken once; none is the one that serves a budget best.
    pub rules: Vec<RuleKind>,
    /// How many samples there are, each number taken once.
    pub budgets: Vec<u64>,
    /// The accepted chance of a wrong answer, where a rule goes by one.
    pub delta: f64,
    /// The numbers of the runs: with the seed, they determine everything.
    pub runs: Range<u64>,
    /// What the rule `fixed` follows; `None`: the same for every arm.
    pub allocation: Option<Weights>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for BudgetOptions {
    fn default() -> Self {
        BudgetOptions {
            study: "study".to_owned(),
            rules: Vec::new(),
            budgets: Vec::new(),
            delta: 0.1,
            runs: 0..1000,
            allocation: None,
            seed: 1,
            jobs: None,
        }
    }
}

/// What budgets are worth, by rule.
#[derive(Clone, Debug, Serialize)]
pub struct Budgets {
    /// What the study is called.
    pub study: String,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// The true front.
    pub front: Vec<ArmName>,
    /// Start of the random numbers.
    pub seed: u64,
    /// The number of the first run.
    pub first_run: u64,
    /// What became of each rule.
    pub rules: Vec<BudgetRule>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// A rule with every budget.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetRule {
    /// Its name.
    pub rule: &'static str,
    /// One for each budget, ascending.
    pub budgets: Vec<AtBudget>,
}

/// A rule with one budget.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AtBudget {
    /// The samples.
    pub budget: u64,
    /// Runs finished.
    pub runs: u64,
    /// Runs that named the right front.
    pub right: u64,
    /// Their share: about the chance of a right answer; NaN without runs.
    pub chance: f64,
    /// A 95 % interval for that chance.
    pub chance_interval: Bracket,
    /// How many arms are placed right, on or off the front, on average; NaN without runs.
    pub arms_placed: f64,
    /// Runs in which the answer as rules are published, the front of the means or what a rule comes to by itself, was right.
    pub right_as_published: u64,
}

impl AtBudget {
    fn of(budget: u64, placements: impl Iterator<Item = Placement> + Clone) -> Self {
        let runs = placements.clone().count() as u64;
        let count = |is_right: fn(&Placement) -> bool| placements.clone().filter(is_right).count() as u64;
        let right = count(|placement| placement.right);
        let right_as_published = count(|placement| placement.right_as_published);
        let arms_placed = placements.map(|placement| placement.placed as f64).sum::<f64>() / runs as f64;
        let (chance, chance_interval) = chance_of(right, runs);
        AtBudget { budget, runs, right, chance, chance_interval, arms_placed, right_as_published }
    }

    /// The same with the answer as rules are published.
    pub(crate) fn as_published(self) -> Self {
        let right = self.right_as_published;
        let (chance, chance_interval) = chance_of(right, self.runs);
        AtBudget { right, chance, chance_interval, ..self }
    }

    /// The standard error of the chance, as if one more run of either kind had been seen.
    pub(crate) fn se(&self) -> f64 {
        let (n, p) = (self.runs as f64 + 2.0, (self.right as f64 + 1.0) / (self.runs as f64 + 2.0));
        (p * (1.0 - p) / n).sqrt()
    }
}

/// About the chance of a right answer, and an interval for it.
fn chance_of(right: u64, runs: u64) -> (f64, Bracket) {
    let (lower, upper) = chance_interval(right, runs);
    (right as f64 / runs as f64, Bracket { lower, upper })
}

/// Spends budgets on one instance, rule by rule, under the same noise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spender<'a> {
    pub problem: &'a Problem,
    pub truth: &'a Model,
    pub choice: &'a Choice,
    pub delta: f64,
    pub seed: u64,
}

impl Spender<'_> {
    /// What a rule makes of each budget, ascending; those of runs that were finished.
    pub fn spend(
        &self,
        rule: RuleKind,
        budgets: &[u64],
        runs: Range<u64>,
        workers: &Workers<'_>,
        done: impl Fn() + Sync,
    ) -> Result<Vec<AtBudget>, LabError> {
        let simulation = |budget: Option<u64>| {
            let settings = self.choice.settings_at(rule, self.problem, self.delta, self.seed, budget);
            Simulation::new(self.problem.clone(), self.truth.clone(), settings, u64::MAX)
        };
        // A rule that knows its budget begins afresh with each; for the others, a smaller one is the beginning of a larger.
        let simulations = match rule.needs_budget() {
            true => budgets.iter().map(|&budget| simulation(Some(budget))).collect::<Result<Vec<_>, _>>()?,
            false => vec![simulation(None)?],
        };
        let one = |index: u64| -> Vec<Placement> {
            match &simulations[..] {
                [anytime] if !rule.needs_budget() => anytime.spend(index, budgets),
                own => own.iter().zip(budgets).flat_map(|(own, &budget)| own.spend(index, &[budget])).collect(),
            }
        };
        let placements = workers.each(runs, one, |_| {
            done();
            ControlFlow::Continue(())
        });
        let at = |(place, &budget): (usize, &u64)| AtBudget::of(budget, placements.iter().map(|run| run[place]));
        Ok(budgets.iter().enumerate().map(at).collect())
    }
}

/// Budgets that have been checked and can be spent: the moment to open the files that are to be filled.
#[derive(Clone, Debug)]
pub struct Budgeter<'a> {
    problem: &'a Problem,
    truth: &'a Model,
    options: &'a BudgetOptions,
    rules: Vec<RuleKind>,
    budgets: Vec<u64>,
}

impl<'a> Budgeter<'a> {
    /// Sorts the budgets, and leaves out rules and budgets that are there twice.
    ///
    /// # Errors
    /// When there is no budget, or one of zero, or δ is not between 0 and 1.
    pub fn new(problem: &'a Problem, truth: &'a Model, options: &'a BudgetOptions) -> Result<Self, LabError> {
        let mut budgets = options.budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        let Some(&least) = budgets.first() else {
            let (value, allowed) = ("empty".to_owned(), "at least one number".to_owned());
            return Err(LabError::Option { option: "budget", value, allowed });
        };
        within("budget", least, 1..=u64::MAX)?;
        surefront::Risk::new(options.delta)?;
        let mut rules = Vec::new();
        let usual = [RuleKind::USUAL_FOR_BUDGET];
        for &rule in if options.rules.is_empty() { &usual[..] } else { &options.rules } {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        Ok(Budgeter { problem, truth, options, rules, budgets })
    }

    /// Runs all rules under the same noise.
    ///
    /// # Errors
    /// When the threads cannot be had, or a rule is not for this problem.
    pub fn run(self, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Budgets, LabError> {
        let Budgeter { problem, truth, options, rules, budgets } = self;
        let workers = Workers::new(options.jobs, interrupt)?;
        let wanted = options.runs.end.saturating_sub(options.runs.start);
        observer.begin(rules.len() as u64 * wanted, Steps::Runs);
        let allocation = options.allocation.clone().unwrap_or_else(|| Weights::uniform(problem));
        let choice = Choice { threshold: StoppingKind::Certified, ..Choice::published(allocation) };
        let spender = Spender { problem, truth, choice: &choice, delta: options.delta, seed: options.seed };
        let mut found = Vec::new();
        for &rule in &rules {
            observer.message(rule.name());
            let budgets = spender.spend(rule, &budgets, options.runs.clone(), &workers, || observer.advance(1))?;
            found.push(BudgetRule { rule: rule.name(), budgets });
        }
        observer.end();
        let short = found.iter().filter(|rule| rule.budgets[0].runs < wanted);
        let unfinished = short.map(|rule| {
            let (finished, steps) = (rule.budgets[0].runs, Steps::Runs);
            Unfinished { rule: Some(rule.rule), steps, finished, wanted, rest: None }
        });
        Ok(Budgets {
            study: options.study.clone(),
            arms: problem.arm_count(),
            objectives: problem.objective_count(),
            front: ArmName::list(problem, Front::of(truth).members()),
            seed: options.seed,
            first_run: options.runs.start,
            unfinished: unfinished.collect(),
            rules: found,
        })
    }
}

impl Findings for Budgets {
    fn text(&self, width: Width) -> String {
        let runs = self.rules.first().map_or(0, |rule| rule.budgets[0].runs);
        format!(
            "{}: K = {}, d = {}, front {}; {} runs of each rule\n\nChance of naming the right front after so many samples (95 %):\n\n{}\n\
             Arms placed right, on the front or off it, of {}:\n\n{}\nNobody says when to stop: whatever is known by then is the answer, the means of few samples drawn towards the others.\n",
            plain(&self.study),
            self.arms,
            self.objectives,
            listed(self.front.iter().map(|arm| arm.name.as_str())),
            grouped(runs),
            self.table(width, chance),
            self.arms,
            self.table(width, |at| short_number(at.arms_placed)),
        )
    }

    fn svg(&self) -> Option<String> {
        Some(error_plot(format!("{}: chance of a wrong front", self.study), &self.rules).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

impl Budgets {
    fn table(&self, width: Width, cell: impl Fn(&AtBudget) -> String) -> String {
        let budgets: Vec<String> =
            self.rules.first().map_or_else(Vec::new, |rule| rule.budgets.iter().map(|at| grouped(at.budget)).collect());
        let mut columns = vec![("rule", Align::Left)];
        columns.extend(budgets.iter().map(|budget| (budget.as_str(), Align::Right)));
        let mut table = TextTable::new(&columns);
        for rule in self.rules.iter().filter(|rule| rule.budgets[0].runs > 0) {
            let mut cells = vec![rule.rule.to_owned()];
            cells.extend(rule.budgets.iter().map(&cell));
            table.push(cells);
        }
        rendered(&table, width)
    }
}

fn short_number(value: f64) -> String {
    significant(value, 3)
}

/// A share in percent, with its interval.
fn chance(at: &AtBudget) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let Bracket { lower, upper } = at.chance_interval;
    format!("{} % ({}–{})", percent(at.chance), percent(lower), percent(upper))
}

/// Chances of a wrong front against budgets, a line for each rule; where no run was wrong there is no point.
pub(crate) fn error_plot(title: String, rules: &[BudgetRule]) -> Plot {
    let look = |colour: usize| Look { colour, stroke: Stroke::Solid, marker: Marker::Disc };
    let mut series = Vec::new();
    for (colour, rule) in rules.iter().enumerate() {
        let wrong = rule.budgets.iter().filter(|at| at.right < at.runs);
        series.push(Series {
            look: look(colour),
            points: wrong.clone().map(|at| (at.budget as f64, 1.0 - at.chance)).collect(),
        });
        // Its 95 % interval, as an upright bar.
        series.extend(wrong.map(|at| {
            Series {
                look: Look { marker: Marker::Absent, ..look(colour) },
                points: [at.chance_interval.upper, at.chance_interval.lower]
                    .map(|chance| (at.budget as f64, (1.0 - chance).max(1e-9)))
                    .to_vec(),
            }
        }));
    }
    let mut ticks: Vec<f64> = rules.iter().flat_map(|rule| rule.budgets.iter().map(|at| at.budget as f64)).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    Plot {
        title,
        subtitle: "With 95 % intervals; no point where no run was wrong".to_owned(),
        x_label: "samples".to_owned(),
        y_label: "chance of a wrong front".to_owned(),
        x_ticks: ticks,
        y_tick: short,
        series,
        legend: rules.iter().enumerate().map(|(colour, rule)| (rule.rule.to_owned(), look(colour))).collect(),
    }
}
