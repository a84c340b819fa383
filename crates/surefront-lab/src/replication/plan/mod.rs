//! How many samples a study will take, of which arms, and what makes it expensive.

mod budget;
mod text;

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{Driver, Front, Model, Piece, Problem, Promise, StoppingKind};
use surefront_study::answer::{ArmName, assumptions};
use surefront_study::words::number::short;
use surefront_study::words::plain::plain;

pub use self::budget::BudgetPlan;
use super::bracket::Bracket;
use super::choice::{Choice, distinct_rules};
use super::contest::Contest;
use super::report::{Entrant, RuleFindings};
use super::workers::Workers;
use super::yardstick::Yardstick;
use crate::findings::Unfinished;
use crate::lab_error::LabError;
use crate::observer::{Observer, Steps};

/// Studies that are simulated with the threshold that was not chosen: enough for about how many samples it takes.
const OTHER_RUNS: u64 = 20;

/// What is planned for.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// What the study is called.
    pub study: String,
    /// Accepted chances of a wrong answer, each taken once.
    pub deltas: Vec<f64>,
    /// Simulated studies at each δ, for the spread; 0 leaves them out.
    pub runs: u64,
    /// When they stop; `None`: as a study of these arms would.
    pub threshold: Option<StoppingKind>,
    /// A simulated study without an answer after this many samples is given up as undecided.
    pub max_samples: u64,
    /// What to say of these numbers of samples: what they will settle, at the first δ.
    pub budgets: Vec<u64>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions {
            study: "study".to_owned(),
            deltas: vec![0.1, 0.05, 0.01],
            runs: 100,
            threshold: None,
            max_samples: 10_000_000,
            budgets: Vec::new(),
            seed: 1,
            jobs: None,
        }
    }
}

/// What a study will take.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// What the study is called.
    pub study: String,
    /// The front, if the means are as guessed.
    pub front: Vec<ArmName>,
    /// T*.
    pub t_star: Bracket,
    /// When the simulated studies stop.
    pub threshold: &'static str,
    /// Whether means are compared, which there are other thresholds for.
    #[serde(skip)]
    of_means: bool,
    /// How strong their answers are.
    pub promise: Promise,
    /// What that takes for granted.
    pub assumptions: Vec<&'static str>,
    /// Start of the random numbers.
    pub seed: u64,
    /// The most samples of a simulated study.
    pub max_samples: u64,
    /// One for each δ.
    #[serde(rename = "plans")]
    pub outlooks: Vec<Outlook>,
    /// What budgets will settle, one for each that was asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetPlan>,
    /// What each arm will take.
    pub arms: Vec<ArmPlan>,
    /// The differences that take most of the samples, the largest share first.
    pub drivers: Vec<DriverFindings>,
    #[serde(skip)]
    objectives: usize,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// What is to be expected at one δ.
#[derive(Clone, Debug, Serialize)]
pub struct Outlook {
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// The samples of T*·β.
    pub samples_expected: f64,
    /// What they cost; `None` where all cost the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_expected: Option<f64>,
    /// The simulated studies; `None` where none were asked for.
    pub simulated: Option<RuleFindings>,
    /// Their runs.
    #[serde(skip)]
    pub entrant: Option<Entrant>,
    /// What the threshold would take that was not chosen.
    pub other_threshold: OtherThreshold,
}

/// The threshold that was not chosen.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OtherThreshold {
    /// Its name.
    pub threshold: &'static str,
    /// How strong its answers are.
    pub promise: Promise,
    /// About how many samples it takes: the mean of a few simulated studies; `None` without them.
    pub samples_expected: Option<f64>,
}

/// What one arm will take.
#[derive(Clone, Debug, Serialize)]
pub struct ArmPlan {
    /// The arm.
    #[serde(flatten)]
    pub arm: ArmName,
    /// Its share of the samples at the best allocation.
    pub weight: f64,
    /// What a measurement of it costs; `None` where all cost the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// In the order of the δ's.
    pub samples_expected: Vec<f64>,
}

/// Which way the front might change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// The arm might leave the front.
    Remove,
    /// The arm might come onto the front.
    Add,
    /// The arm might break a limit, and so leave the front.
    Infeasible,
}

impl DriverKind {
    fn of(driver: &Driver) -> Self {
        match driver.piece {
            Piece::Remove { .. } => DriverKind::Remove,
            Piece::Infeasible { .. } => DriverKind::Infeasible,
            _ => DriverKind::Add,
        }
    }
}

/// A difference that has to be told, and what it takes.
#[derive(Clone, Debug, Serialize)]
pub struct DriverFindings {
    /// Whether the arm might leave the front or come onto it.
    pub kind: DriverKind,
    /// The arm.
    pub arm: ArmName,
    /// The arm it has to be told from.
    pub rival: ArmName,
    /// The limit that the arm has to be told from, where it is one; the rival is then the arm itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Where telling them apart takes most.
    pub objective: ArmName,
    /// Of all samples, or of what they cost, at the best allocation.
    pub share: f64,
    /// Between the two means.
    pub difference: f64,
    /// Of one observation, of the noisier arm of the two.
    pub sd: f64,
    /// T* if the difference were twice as large; `None` where that would change the front, or nothing can be said.
    pub t_star_if_doubled: Option<f64>,
    /// A margin in the objective, about as large as the difference, and what would change with it; `None` where there cannot be one, or nothing can be said.
    pub with_margin: Option<MarginFindings>,
}

impl DriverFindings {
    /// What the arm has to be told from, in words.
    pub fn told_from(&self) -> String {
        match self.limit {
            Some(limit) => format!("its limit of {}", short(limit)),
            None => format!("\"{}\"", plain(&self.rival.name)),
        }
    }
}

/// What a margin would change.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MarginFindings {
    /// In the units of the objective.
    pub margin: f64,
    /// T* with it.
    pub t_star: f64,
}

/// Computes the bound, and simulates studies for the spread.
///
/// # Errors
/// Those of [`Planner::new`] and [`Planner::run`].
pub fn plan(
    problem: &Problem,
    guess: &Model,
    options: &PlanOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Plan, LabError> {
    Planner::new(problem, guess, options)?.run(observer, interrupt)
}

/// A plan that has been checked and can be computed: the moment to open the files that it will fill.
#[derive(Clone, Debug)]
pub struct Planner<'a> {
    problem: &'a Problem,
    guess: &'a Model,
    options: &'a PlanOptions,
    threshold: StoppingKind,
    /// One for each δ.
    yardsticks: Vec<Yardstick>,
}

impl<'a> Planner<'a> {
    /// Computes the bound.
    ///
    /// # Errors
    /// When the means are not the problem's, a variance is unknown, arms tie, or a δ is not between 0 and 1, or there is none.
    pub fn new(problem: &'a Problem, guess: &'a Model, options: &'a PlanOptions) -> Result<Self, LabError> {
        let mut deltas: Vec<f64> = Vec::new();
        for &delta in &options.deltas {
            if !deltas.contains(&delta) {
                deltas.push(delta);
            }
        }
        let Some(&first) = deltas.first() else {
            let (value, allowed) = ("empty".to_owned(), "at least one number".to_owned());
            return Err(LabError::Option { option: "deltas", value, allowed });
        };
        if !options.budgets.is_empty() && options.runs == 0 {
            let allowed = "at least 1: what a budget settles is known by simulation".to_owned();
            return Err(LabError::Option { option: "runs", value: "0".to_owned(), allowed });
        }
        let known = Yardstick::of(problem, guess, first)?;
        let yardsticks = deltas.iter().map(|&delta| Yardstick::new(known.bound.clone(), delta));
        let threshold = options.threshold.unwrap_or_default();
        Ok(Planner { problem, guess, options, threshold, yardsticks: yardsticks.collect::<Result<_, _>>()? })
    }

    /// Simulates studies, and finds what drives their cost.
    ///
    /// # Errors
    /// When the threads cannot be had.
    pub fn run(self, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Plan, LabError> {
        let Planner { problem, guess, options, threshold, yardsticks } = &self;
        let bound = &yardsticks[0].bound;
        let drivers = Driver::find(problem, guess, bound).expect("the bound is that of the guess");
        let mut unfinished = Vec::new();
        let outlooks = self.outlooks(observer, interrupt, &mut unfinished)?;
        let budgets = self.budgets(observer, interrupt, &mut unfinished)?;

        let arm = |index: usize| ArmName { name: problem.arms()[index].name.clone(), index };
        let objective = |index: usize| ArmName { name: problem.objectives()[index].name.clone(), index };
        let arm_plan = |(index, &weight): (usize, &f64)| ArmPlan {
            arm: arm(index),
            weight,
            cost: yardsticks[0].counts_costs().then(|| problem.cost(index)),
            samples_expected: outlooks.iter().map(|outlook| weight * outlook.samples_expected).collect(),
        };
        let driver = |driver: &Driver| DriverFindings {
            kind: DriverKind::of(driver),
            arm: arm(driver.arm),
            rival: arm(driver.rival),
            limit: driver.limit,
            objective: objective(driver.objective),
            share: driver.share,
            difference: driver.difference,
            sd: driver.sd,
            t_star_if_doubled: driver.t_star_if_doubled,
            with_margin: driver.with_margin.map(|(margin, t_star)| MarginFindings { margin, t_star }),
        };
        Ok(Plan {
            study: options.study.clone(),
            front: Front::of(guess).members().iter().map(|&index| arm(index)).collect(),
            t_star: yardsticks[0].t_star(),
            threshold: threshold.name(),
            of_means: self.of_means(),
            promise: threshold.promise(),
            assumptions: assumptions(problem),
            seed: options.seed,
            max_samples: options.max_samples,
            arms: bound.weights.iter().enumerate().map(arm_plan).collect(),
            drivers: drivers.iter().map(driver).collect(),
            objectives: problem.objective_count(),
            budgets,
            outlooks,
            unfinished,
        })
    }

    fn of_means(&self) -> bool {
        self.problem.objectives().iter().all(|objective| objective.statistic.is_mean())
    }

    fn outlooks(
        &self,
        observer: &dyn Observer,
        interrupt: &AtomicBool,
        unfinished: &mut Vec<Unfinished>,
    ) -> Result<Vec<Outlook>, LabError> {
        let &Planner { problem, guess, options, threshold, ref yardsticks } = self;
        let workers = Workers::new(options.jobs, interrupt)?;
        // Against a proof, the quick one; against anything else, a proof.
        let other = match threshold {
            StoppingKind::Certified => StoppingKind::Calibrated,
            _ => StoppingKind::Certified,
        };
        // Only a proof is to be had for quantiles.
        let other_runs = if self.of_means() { options.runs.min(OTHER_RUNS) } else { 0 };
        observer.begin(yardsticks.len() as u64 * (options.runs + other_runs), Steps::Runs);
        let mut simulated = |yardstick: &Yardstick, threshold: StoppingKind, runs: u64| {
            if runs == 0 {
                return Ok(None);
            }
            let contest = Contest {
                problem,
                truth: guess,
                yardstick,
                choice: Choice { threshold, ..Choice::published(yardstick.bound.weights.clone()) },
                seed: options.seed,
                runs: 0..runs,
                max_samples: options.max_samples,
            };
            let entrants = contest.hold(&distinct_rules(&[], threshold), &workers, observer)?;
            unfinished.extend(contest.unfinished(&entrants).into_iter().map(Unfinished::without_rest));
            Ok::<_, LabError>(entrants.into_iter().next())
        };
        let outlook = |yardstick: &Yardstick| {
            let entrant = simulated(yardstick, threshold, options.runs)?;
            let others = simulated(yardstick, other, other_runs)?.map(|entrant| entrant.summary.mean);
            Ok(Outlook {
                delta: yardstick.delta,
                samples_expected: yardstick.samples_expected(),
                cost_expected: yardstick.counts_costs().then(|| yardstick.cost_expected()),
                simulated: entrant.as_ref().map(|entrant| entrant.findings(yardstick)),
                entrant,
                other_threshold: OtherThreshold {
                    threshold: other.name(),
                    promise: other.promise(),
                    samples_expected: others.filter(|samples| samples.is_finite()),
                },
            })
        };
        let outlooks = yardsticks.iter().map(outlook).collect::<Result<_, LabError>>()?;
        observer.end();
        Ok(outlooks)
    }
}

impl Plan {
    /// Whether studies were simulated, and not one came to an answer.
    pub fn is_undecided(&self) -> bool {
        let mut simulated = self.outlooks.iter().filter_map(|outlook| outlook.simulated.as_ref()).peekable();
        simulated.peek().is_some() && simulated.all(|rule| rule.undecided == rule.runs)
    }
}
