//! Mistakes and samples of the stylized and the calibrated threshold where it is hard to be right.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use surefront::{
    Arm, Goal, Model, Noise, NoiseLaw, Objective, Problem, RuleKind, Settings, Simulation, StoppingKind, Summary,
};

use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{Bracket, MOST_RUNS, Workers, mistakes};
use surefront_study::words::number::{grouped, samples, short, significant};
use surefront_study::words::table::{Align, TextTable, Width};

/// Where an undecided run ends.
const MAX_SAMPLES: u64 = 3_000_000;

/// The two that are compared, each with the rule that goes with it unless the row says otherwise.
const THRESHOLDS: [StoppingKind; 2] = [StoppingKind::Stylized, StoppingKind::Calibrated];

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationOptions {
    /// Runs of each threshold in each row; a tenth of them in rows that take long.
    pub runs: u64,
    /// Start of the random numbers.
    pub seed: u64,
    /// Threads; `None`: one per core.
    pub jobs: Option<usize>,
}

impl Default for CalibrationOptions {
    fn default() -> Self {
        CalibrationOptions { runs: 200, seed: 1, jobs: None }
    }
}

/// How much of the runs a row gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    Whole,
    Tenth,
}

/// A case in which it is hard to be right.
struct Case {
    name: String,
    means: Vec<Vec<f64>>,
    noise: Noise,
    law: NoiseLaw,
    delta: f64,
    rule: Option<RuleKind>,
    share: Share,
}

impl Case {
    /// Gaussian noise of variance 1, which the study knows, at δ = 0.1.
    fn new(name: impl Into<String>, means: Vec<Vec<f64>>) -> Self {
        let (noise, law) = (Noise::Variance(1.0), NoiseLaw::Gaussian);
        Case { name: name.into(), means, noise, law, delta: 0.1, rule: None, share: Share::Whole }
    }

    /// Two arms, one of them better by this much in all objectives.
    fn apart(objectives: usize, gap: f64) -> Self {
        let all = if objectives == 1 { "1 objective".to_owned() } else { format!("all of {objectives} objectives") };
        Case::new(format!("two arms {gap} apart in {all}"), vec![vec![0.0; objectives], vec![gap; objectives]])
    }

    /// Pairs of arms far from each other; of each pair, one would dominate the other but for this much in one objective.
    fn pairs(count: u32, gap: f64) -> Self {
        let pair = |i| {
            let (x, y) = (3.0 * f64::from(i), 3.0 * f64::from(count - i));
            [vec![x, y], vec![x - gap, y + 1.5]]
        };
        Case::new(format!("{count} pairs {gap} apart"), (0..count).flat_map(pair).collect()).tenth()
    }

    /// An arm that each of so many others would dominate but for this much in one objective.
    fn dominators(count: u32, gap: f64) -> Self {
        let other = |i| vec![0.0, 5.0 + 3.0 * f64::from(i), 5.0 + 3.0 * f64::from(count - i)];
        let means = std::iter::once(vec![gap, 0.0, 0.0]).chain((0..count).map(other)).collect();
        Case::new(format!("{count} arms {gap} short of dominating one"), means)
    }

    fn unknown(self) -> Self {
        Case { name: format!("{}, unknown variances", self.name), noise: Noise::Unknown, ..self }
    }

    fn opposed(self) -> Self {
        Case { name: format!("{}, correlations ±.99", self.name), law: NoiseLaw::Opposed, ..self }
    }

    fn by(self, rule: RuleKind) -> Self {
        Case { rule: Some(rule), ..self }
    }

    fn at(self, delta: f64) -> Self {
        Case { delta, ..self }
    }

    fn tenth(self) -> Self {
        Case { share: Share::Tenth, ..self }
    }

    fn all() -> Vec<Case> {
        let mut cases: Vec<Case> = [1, 2, 4, 8, 10, 20].map(|d| Case::apart(d, 0.1)).into();
        cases.extend([
            Case::apart(1, 0.3),
            Case::apart(1, 0.3).by(RuleKind::Uniform),
            Case::apart(1, 0.1).by(RuleKind::Dual),
            Case::apart(1, 0.03),
            Case::apart(1, 0.01).tenth(),
            Case::apart(4, 0.1).opposed(),
            Case::apart(4, 0.03).opposed(),
            Case::apart(4, 0.01).opposed().tenth(),
            Case::dominators(5, 0.3),
            Case::dominators(20, 0.3),
            Case::pairs(30, 0.3),
            Case::pairs(10, 0.1),
            Case::pairs(100, 0.3).by(RuleKind::Dual),
        ]);
        cases.extend([0.01, 0.001].map(|delta| Case::apart(1, 0.1).at(delta)));
        cases.extend([0.01, 0.001].map(|delta| Case::apart(4, 0.1).opposed().at(delta)));
        cases.extend([1, 2, 10].map(|d| Case::apart(d, 0.3).unknown()));
        cases.extend([Case::apart(1, 1.0).unknown(), Case::apart(4, 0.3).opposed().unknown()]);
        cases
    }

    fn problem(&self, noise: Noise) -> Problem {
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise);
        let arms = (0..self.means.len()).map(|k| Arm::named(format!("a{k}"))).collect();
        Problem::new((0..self.means[0].len()).map(objective).collect(), arms).expect("names differ")
    }

    fn rule(&self, threshold: StoppingKind) -> RuleKind {
        self.rule.unwrap_or(RuleKind::usual_for(threshold))
    }

    fn simulation(&self, threshold: StoppingKind, seed: u64) -> Simulation {
        const FITS: &str = "all are of one problem, and δ is a probability";
        let (problem, actual) = (self.problem(self.noise), self.problem(Noise::Variance(1.0)));
        let rule = self.rule(threshold).rule(&problem, self.delta).expect(FITS);
        let settings = Settings::new(rule, threshold.stopping(self.delta).expect(FITS)).seed(seed);
        let truth = Model::new(&problem, &self.means).expect("the means are finite");
        Simulation::new(problem, truth, settings, MAX_SAMPLES)
            .and_then(|simulation| simulation.with_noise(self.law, actual))
            .expect(FITS)
    }

    fn runs(&self, runs: u64) -> u64 {
        match self.share {
            Share::Whole => runs,
            Share::Tenth => runs.div_ceil(10),
        }
    }
}

/// Mistakes and samples, case by case.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// "calibration".
    pub experiment: &'static str,
    /// Start of the random numbers.
    pub seed: u64,
    /// Runs of each threshold in each row; a tenth of them in rows that take long.
    pub runs: u64,
    /// One for each case and threshold.
    pub rows: Vec<CalibrationRow>,
    #[serde(skip)]
    summaries: Vec<Summary>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// A threshold in one case.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrationRow {
    /// What is hard about it.
    pub case: String,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// Which arm next.
    pub rule: &'static str,
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// A 95 % interval for the chance of a mistake.
    pub mistake_rate: Bracket,
    /// Runs that came to no answer.
    pub undecided: u64,
}

impl CalibrationRow {
    fn new(case: &Case, threshold: StoppingKind, summary: &Summary) -> Self {
        let Summary { runs, mean, se, mistakes, mistake_rate: (lower, upper), undecided, .. } = *summary;
        CalibrationRow {
            case: case.name.clone(),
            arms: case.means.len(),
            objectives: case.means[0].len(),
            delta: case.delta,
            threshold: threshold.name(),
            rule: case.rule(threshold).name(),
            runs,
            mean,
            se,
            mistakes,
            mistake_rate: Bracket { lower, upper },
            undecided,
        }
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &CalibrationOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Calibration, LabError> {
    run_cases(&Case::all(), options, observer, interrupt)
}

fn run_cases(
    cases: &[Case],
    options: &CalibrationOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Calibration, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let wanted = THRESHOLDS.len() as u64 * cases.iter().map(|case| case.runs(options.runs)).sum::<u64>();
    observer.begin(wanted, Steps::Runs);
    let (mut rows, mut summaries, mut finished) = (Vec::new(), Vec::new(), 0);
    for case in cases {
        observer.message(&case.name);
        for threshold in THRESHOLDS {
            let runs = workers.replicate(&case.simulation(threshold, options.seed), 0..case.runs(options.runs), |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            });
            if runs.is_empty() {
                continue;
            }
            let summary = Summary::of(&runs);
            finished += summary.runs;
            rows.push(CalibrationRow::new(case, threshold, &summary));
            summaries.push(summary);
        }
    }
    observer.end();
    let missing = Unfinished { rule: None, steps: Steps::Runs, finished, wanted, rest: None };
    Ok(Calibration {
        experiment: "calibration",
        seed: options.seed,
        runs: options.runs,
        rows,
        summaries,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

impl Findings for Calibration {
    fn text(&self, width: Width) -> String {
        let mut table = TextTable::new(&[
            ("case", Align::Left),
            ("δ", Align::Right),
            ("threshold", Align::Left),
            ("rule", Align::Left),
            ("runs", Align::Right),
            ("samples", Align::Right),
            ("mistakes (95 %)", Align::Right),
            ("%", Align::Right),
            ("undecided", Align::Right),
        ]);
        for (row, summary) in self.rows.iter().zip(&self.summaries) {
            table.push(vec![
                row.case.clone(),
                short(row.delta),
                row.threshold.to_owned(),
                row.rule.to_owned(),
                grouped(row.runs),
                samples(row.mean),
                mistakes(summary),
                significant(100.0 * row.mistakes as f64 / row.runs as f64, 2),
                grouped(row.undecided),
            ]);
        }
        format!(
            "{}\nGaussian noise of variance 1. Mistakes with a 95 % interval for their probability, which is to reach below δ. Pairs: of \
             each, one arm would dominate the other but for the difference given, in one of two objectives.\n",
            rendered(&table, width)
        )
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

#[cfg(test)]
mod tests {
    use surefront::Front;

    use super::*;

    #[test]
    fn each_case_has_the_front_it_is_meant_to_have() {
        let front = |case: &Case| {
            let problem = case.problem(case.noise);
            Front::of(&Model::new(&problem, &case.means).unwrap()).members().len()
        };
        assert_eq!(front(&Case::apart(3, 0.1)), 1);
        assert_eq!(front(&Case::pairs(7, 0.3)), 14);
        assert_eq!(front(&Case::dominators(5, 0.3)), 6);
        assert_eq!(Case::pairs(7, 0.3).runs(15), 2);
        // Each can be simulated.
        for case in Case::all() {
            THRESHOLDS.map(|threshold| case.simulation(threshold, 1));
        }
    }

    #[test]
    fn each_case_has_a_row_for_each_threshold() {
        let cases = [Case::apart(2, 2.0).opposed(), Case::apart(1, 3.0).unknown().by(RuleKind::Uniform)];
        let options = CalibrationOptions { runs: 3, ..CalibrationOptions::default() };
        let found = run_cases(&cases, &options, &(), &AtomicBool::new(false)).unwrap();
        let rows: Vec<_> = found.rows.iter().map(|row| (row.threshold, row.rule, row.runs, row.objectives)).collect();
        let expected = [
            ("stylized", "dual", 3, 2),
            ("calibrated", "weakest", 3, 2),
            ("stylized", "uniform", 3, 1),
            ("calibrated", "uniform", 3, 1),
        ];
        assert_eq!(rows, expected);
        assert!(found.unfinished().is_empty());
        assert!(found.text(Width::Unlimited).contains("two arms 3 apart in 1 objective, unknown variances"));
        let ended = run_cases(&cases, &options, &(), &AtomicBool::new(true)).unwrap();
        assert!(ended.rows.is_empty() && !ended.unfinished().is_empty());
    }
}
