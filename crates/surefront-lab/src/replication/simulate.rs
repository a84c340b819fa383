//! Rules on simulated arms, side by side.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{
    Calibration, Ending, Front, HedgeStep, Model, Problem, Promise, Relaxation, RuleKind, Run, StoppingKind, Summary,
    Tracking, Weights,
};
use surefront_study::answer::{ArmName, assumptions, taken_for_granted};
use surefront_study::words::number::{samples, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::Width;

use super::bracket::Bracket;
use super::choice::{Choice, distinct_rules};
use super::contest::Contest;
use super::report::{Entrant, RuleFindings, histogram, table};
use super::workers::Workers;
use super::yardstick::Yardstick;
use crate::findings::{Findings, Unfinished};
use crate::lab_error::LabError;
use crate::observer::{Observer, Steps};

/// What is simulated, and how often.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// What the study is called.
    pub study: String,
    /// Rules, each taken once; none is the one that goes with the threshold.
    pub rules: Vec<RuleKind>,
    /// When to stop.
    pub threshold: StoppingKind,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// The numbers of the runs: with the seed, they determine everything but the time.
    pub runs: Range<u64>,
    /// A run without an answer after this many samples is given up as undecided.
    pub max_samples: u64,
    /// How track-and-stop turns the allocation that it learns into samples.
    pub tracking: Tracking,
    /// track-and-stop asks for a new gradient every so many samples.
    pub refresh: u64,
    /// How a gradient changes the allocation of track-and-stop.
    pub step: HedgeStep,
    /// What will do for ape instead of the front.
    pub relaxation: Relaxation,
    /// The constant in the confidence bonus of ape and the rules made of it.
    pub calibration: Calibration,
    /// Whether rules that were published with a stop of their own end by it; the others end by the threshold.
    pub ending: Ending,
    /// The stop is tested every so many samples; `None`: as is usual for each rule.
    pub check: Option<u64>,
    /// What the rule `fixed` follows; `None`: the optimal allocation.
    pub allocation: Option<Weights>,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for SimulateOptions {
    fn default() -> Self {
        SimulateOptions {
            study: "study".to_owned(),
            rules: Vec::new(),
            threshold: StoppingKind::default(),
            delta: 0.1,
            runs: 0..100,
            max_samples: 10_000_000,
            tracking: Tracking::Direct,
            refresh: 10,
            step: HedgeStep::default(),
            relaxation: Relaxation::default(),
            calibration: Calibration::default(),
            ending: Ending::default(),
            check: None,
            allocation: None,
            seed: 1,
            jobs: None,
        }
    }
}

/// What many runs say about rules.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// What the study is called.
    pub study: String,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// The true front.
    pub front: Vec<ArmName>,
    /// T*.
    pub t_star: Bracket,
    /// The samples of T*·β.
    pub samples_expected: f64,
    /// What they cost; `None` where all cost the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_expected: Option<f64>,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// The rules whose runs ended by the stops they were published with; how sure their answers are is as their authors say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_stops: Vec<&'static str>,
    /// How strong the answers of the runs are.
    pub promise: Promise,
    /// What that takes for granted.
    pub assumptions: Vec<&'static str>,
    /// Start of the random numbers.
    pub seed: u64,
    /// The number of the first run.
    pub first_run: u64,
    /// The most samples of a run.
    pub max_samples: u64,
    /// What became of each rule.
    pub rules: Vec<RuleFindings>,
    /// The runs themselves, by rule.
    #[serde(skip)]
    pub entrants: Vec<Entrant>,
    #[serde(skip)]
    yardstick: Yardstick,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// Runs all rules under the same noise.
///
/// # Errors
/// Those of [`Simulator::new`] and [`Simulator::run`].
pub fn simulate(
    problem: &Problem,
    truth: &Model,
    options: &SimulateOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Simulated, LabError> {
    Simulator::new(problem, truth, options)?.run(observer, interrupt)
}

/// A simulation that has been checked and can begin: the moment to open the files that it will fill.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    problem: &'a Problem,
    truth: &'a Model,
    options: &'a SimulateOptions,
    yardstick: Yardstick,
    allocation: Weights,
}

impl<'a> Simulator<'a> {
    /// Computes the bound.
    ///
    /// # Errors
    /// When the means or the allocation are not the problem's, a variance is unknown, arms tie, or δ is not between 0 and 1.
    pub fn new(problem: &'a Problem, truth: &'a Model, options: &'a SimulateOptions) -> Result<Self, LabError> {
        let yardstick = Yardstick::of(problem, truth, options.delta)?;
        let allocation = options.allocation.clone().unwrap_or_else(|| yardstick.bound.weights.clone());
        if allocation.len() != problem.arm_count() {
            let size = |arms| counted(arms, "arm", "arms");
            let (found, expected) = (size(allocation.len()), size(problem.arm_count()));
            return Err(LabError::OtherSize { what: "weights", found, expected });
        }
        Ok(Simulator { problem, truth, options, yardstick, allocation })
    }

    /// Runs all rules under the same noise.
    ///
    /// # Errors
    /// When the threads cannot be had.
    pub fn run(self, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Simulated, LabError> {
        let entrants = self.hold(observer, interrupt)?;
        Ok(self.found(entrants))
    }

    /// The runs alone, by rule, to be summed up elsewhere together with others.
    ///
    /// # Errors
    /// When the threads cannot be had.
    pub fn runs(&self, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Vec<Vec<Run>>, LabError> {
        Ok(self.hold(observer, interrupt)?.into_iter().map(|entrant| entrant.runs).collect())
    }

    /// What runs amount to that were made in parts: for each rule, those of its numbers, in any order.
    pub fn sum_up(self, runs: Vec<Vec<Run>>) -> Simulated {
        let rules = self.rules();
        let entrants = rules.iter().zip(runs).map(|(&rule, mut runs)| {
            runs.sort_unstable_by_key(|run| run.index);
            Entrant { label: self.contest().label(rule), summary: Summary::of(&runs), runs }
        });
        let entrants = entrants.collect();
        self.found(entrants)
    }

    fn rules(&self) -> Vec<RuleKind> {
        distinct_rules(&self.options.rules, self.options.threshold)
    }

    fn contest(&self) -> Contest<'_> {
        let Simulator { problem, truth, options, yardstick, allocation } = self;
        Contest {
            problem,
            truth,
            yardstick,
            choice: Choice {
                tracking: options.tracking,
                refresh: options.refresh,
                step: options.step,
                relaxation: options.relaxation,
                calibration: options.calibration,
                ending: options.ending,
                check: options.check,
                allocation: allocation.clone(),
                threshold: options.threshold,
            },
            seed: options.seed,
            runs: options.runs.clone(),
            max_samples: options.max_samples,
        }
    }

    fn hold(&self, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Vec<Entrant>, LabError> {
        let (contest, rules) = (self.contest(), self.rules());
        let workers = Workers::new(self.options.jobs, interrupt)?;
        observer.begin(rules.len() as u64 * contest.wanted(), Steps::Runs);
        let entrants = contest.hold(&rules, &workers, observer)?;
        observer.end();
        Ok(entrants)
    }

    fn found(self, entrants: Vec<Entrant>) -> Simulated {
        let contest = self.contest();
        let unfinished = contest.unfinished(&entrants);
        let by_own_stop = self.rules().into_iter().filter(|rule| contest.choice.ending_of(*rule) == Ending::OwnStop);
        let own_stops: Vec<&'static str> = by_own_stop.map(RuleKind::name).collect();
        let Simulator { problem, truth, options, yardstick, .. } = self;
        Simulated {
            study: options.study.clone(),
            arms: problem.arm_count(),
            objectives: problem.objective_count(),
            front: ArmName::list(problem, Front::of(truth).members()),
            t_star: yardstick.t_star(),
            samples_expected: yardstick.samples_expected(),
            cost_expected: yardstick.counts_costs().then(|| yardstick.cost_expected()),
            delta: options.delta,
            threshold: options.threshold.name(),
            own_stops,
            promise: options.threshold.promise(),
            assumptions: assumptions(problem),
            seed: options.seed,
            first_run: options.runs.start,
            max_samples: options.max_samples,
            rules: entrants.iter().map(|entrant| entrant.findings(&yardstick)).collect(),
            unfinished,
            entrants,
            yardstick,
        }
    }
}

impl Simulated {
    /// Whether not one run came to an answer.
    pub fn is_undecided(&self) -> bool {
        self.entrants.iter().all(|entrant| entrant.summary.undecided == entrant.summary.runs)
    }
}

impl Findings for Simulated {
    fn text(&self, width: Width) -> String {
        let usual = match StoppingKind::default().name() {
            usual if usual == self.threshold => String::new(),
            usual => format!("; a study of these arms stops by the {usual} one unless it is told otherwise"),
        };
        let own = match &self.own_stops[..] {
            [] => String::new(),
            rules => format!(
                "{}: by the stop that the rule was published with, on its authors' word.\n",
                listed(rules.iter().copied())
            ),
        };
        let expected = match self.cost_expected {
            Some(cost) => format!("a cost of {}, {} samples,", samples(cost), samples(self.samples_expected)),
            None => format!("{} samples", samples(self.samples_expected)),
        };
        format!(
            "{}: K = {}, d = {}, front {}; T* = {}, T*·β = {expected} at δ = {}\n\n{}\nStopped by the {} threshold ({}){usual}.\n{own}{}\n",
            plain(&self.study),
            self.arms,
            self.objectives,
            listed(self.front.iter().map(|arm| arm.name.as_str())),
            significant(self.t_star.upper, 6),
            short(self.delta),
            table(&self.entrants, &self.yardstick, width),
            self.threshold,
            self.promise.words(),
            taken_for_granted(&self.assumptions)
        )
    }

    fn svg(&self) -> Option<String> {
        let title = format!("{}: samples until the front is known", self.study);
        Some(histogram(title, &self.entrants, &self.yardstick).to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}
