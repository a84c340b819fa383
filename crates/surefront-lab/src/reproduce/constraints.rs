//! Studies with limits, on 24 random instances that are always the same, against deciding first who keeps the limits and then who is on the front.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem, RuleKind, Settings, Study, Summary, bound};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{DELTA, INSTANCES, RandomSuiteOptions, geometric_mean};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::{MOST_RUNS, Workers, Yardstick};

const INSTANCE_SEED: u64 = 2029;
/// Of every instance, with its limits.
const T_STAR: f64 = 1000.0;
/// Limits are drawn between these, in standard deviations of the means: from where most arms keep one to where few do.
const LIMITS: (f64, f64) = (-1.0, 0.5);
/// A run that takes more ends without an answer.
const MAX_SAMPLES: u64 = 10_000_000;

/// One instance.
#[derive(Clone, Debug)]
struct Instance {
    problem: Problem,
    means: Vec<Vec<f64>>,
    truth: Model,
    yardstick: Yardstick,
}

/// All of them, from one stream of random numbers.
fn instances() -> Vec<Instance> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
    (0..INSTANCES).map(|i| Instance::draw(&mut rng, i)).collect()
}

impl Instance {
    /// Standard normal means and limits, scaled together, and unit variances. One constraint on something that is not optimised; in every other pair of instances, a limit on the first
    /// objective as well.
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let means: Vec<Vec<f64>> = (0..arms).map(|_| (0..=d).map(|_| rng.sample(StandardNormal)).collect()).collect();
        let limits: Vec<f64> = (0..2).map(|_| rng.random_range(LIMITS.0..LIMITS.1)).collect();
        let scaled = |scale: f64| {
            let mut objectives: Vec<Objective> =
                (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect();
            if number / 2 % 2 == 1 {
                objectives[0].limits.at_least = Some(scale * limits[1]);
            }
            objectives.push(Objective::limited("c", Noise::Variance(1.0)).with_at_least(scale * limits[0]));
            let names = (0..arms).map(|k| Arm::named(format!("a{k}"))).collect();
            let problem = Problem::new(objectives, names).expect("names differ");
            let rows: Vec<Vec<f64>> = means.iter().map(|row| row.iter().map(|mean| mean * scale).collect()).collect();
            let truth = Model::new(&problem, &rows).expect("random means are finite");
            let found = bound(&problem, &truth, 1e-5).expect("random means are not at a limit");
            (problem, rows, truth, found)
        };
        // T* is inversely proportional to the square of all gaps.
        let (problem, means, truth, found) = scaled((scaled(1.0).3.upper / T_STAR).sqrt());
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { problem, means, truth, yardstick }
    }

    /// Who keeps the limits, all else being the same for all.
    fn limits_alone(&self) -> (Problem, Vec<usize>) {
        let limited: Vec<usize> =
            (0..self.problem.objective_count()).filter(|&j| !self.problem.objectives()[j].limits.is_none()).collect();
        let mut objectives = vec![Objective::new("nothing", Goal::Max, Noise::Exact)];
        objectives.extend(limited.iter().map(|&j| {
            let objective = &self.problem.objectives()[j];
            let mut alone = Objective::limited(&objective.name, objective.noise);
            alone.limits = objective.limits;
            alone
        }));
        (Problem::new(objectives, self.problem.arms().to_vec()).expect("names differ"), limited)
    }

    /// Who is on the front of these arms, whatever the limits.
    fn front_alone(&self, arms: &[usize]) -> (Problem, Vec<usize>) {
        let optimised: Vec<usize> =
            (0..self.problem.objective_count()).filter(|&j| !self.problem.objectives()[j].is_only_limited()).collect();
        let objective = |&j: &usize| {
            let objective = &self.problem.objectives()[j];
            Objective::new(&objective.name, objective.goal, objective.noise)
        };
        let kept = arms.iter().map(|&arm| self.problem.arms()[arm].clone()).collect();
        let problem = Problem::new(optimised.iter().map(objective).collect(), kept).expect("names differ");
        (problem, optimised)
    }
}

/// One run in two stages: the number of samples, and whether the answer is right; `None` without an answer.
///
/// Half of δ is spent on each stage, and what was observed in the first counts in the second.
fn in_two_stages(instance: &Instance, options: &RandomSuiteOptions, number: u64) -> (u64, Option<bool>) {
    let settings = |problem: &Problem, stage: u64| {
        let rule = options.rule().rule(problem, DELTA / 2.0).expect("it is a probability");
        let stopping = options.threshold.stopping(DELTA / 2.0).expect("it is a probability");
        Settings::new(rule, stopping).seed(options.seed.wrapping_mul(1_000_003) ^ (2 * number + stage))
    };
    let mut noise = Xoshiro256PlusPlus::seed_from_u64(options.seed.wrapping_mul(7_919) ^ number);
    let mut observe = |arm: usize| -> Vec<f64> {
        instance.means[arm].iter().map(|mean| mean + noise.sample::<f64, _>(StandardNormal)).collect()
    };
    let mut told: Vec<(usize, Vec<f64>)> = Vec::new();
    let (first, limited) = instance.limits_alone();
    let first_settings = settings(&first, 0);
    let mut study = Study::new(first, first_settings).expect("rule and threshold fit");
    while !study.stopped() && told.len() < MAX_SAMPLES as usize {
        let arm = study.ask();
        let values = observe(arm);
        let row: Vec<f64> = std::iter::once(0.0).chain(limited.iter().map(|&j| values[j])).collect();
        study.tell(arm, &row).expect("simulated observations are finite");
        told.push((arm, values));
    }
    let feasible = study.verdict().front;
    let right = Front::of(&instance.truth);
    if !study.stopped() {
        return (told.len() as u64, None);
    }
    let mut samples = told.len() as u64;
    let mut answer = feasible.clone();
    if feasible.len() > 1 {
        let (second, optimised) = instance.front_alone(&feasible);
        let second_settings = settings(&second, 1);
        let mut study = Study::new(second, second_settings).expect("rule and threshold fit");
        let part = |values: &[f64]| optimised.iter().map(|&j| values[j]).collect::<Vec<f64>>();
        for (arm, values) in &told {
            if let Some(place) = feasible.iter().position(|kept| kept == arm) {
                study.tell(place, &part(values)).expect("simulated observations are finite");
            }
        }
        while !study.stopped() && samples < MAX_SAMPLES {
            let place = study.ask();
            study.tell(place, &part(&observe(feasible[place]))).expect("simulated observations are finite");
            samples += 1;
        }
        if !study.stopped() {
            return (samples, None);
        }
        answer = study.verdict().front.into_iter().map(|place| feasible[place]).collect();
    }
    (samples, Some(answer == right.members()))
}

/// What studies with limits take.
#[derive(Clone, Debug, Serialize)]
pub struct Constrained {
    /// "constraints".
    pub experiment: &'static str,
    /// Start of the random numbers of the runs.
    pub seed: u64,
    /// Runs of each kind on each instance.
    pub runs: u64,
    /// The accepted chance of a wrong answer.
    pub delta: f64,
    /// When to stop.
    pub threshold: &'static str,
    /// Which arm next.
    pub rule: &'static str,
    /// One for each instance.
    pub rows: Vec<ConstrainedRow>,
    /// Over all instances: of the mean over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    /// Over all instances: of the mean over that of two stages.
    pub geometric_mean_of_stages: f64,
    /// Its standard error.
    pub geometric_mean_of_stages_se: f64,
    /// Runs that ended with a wrong answer, at once and in two stages.
    pub mistakes: [u64; 2],
    /// Runs that came to no answer, at once and in two stages.
    pub undecided: [u64; 2],
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct ConstrainedRow {
    /// How many.
    pub arms: usize,
    /// How many are optimised.
    pub objectives: usize,
    /// How many limits.
    pub limits: usize,
    /// How many arms keep them.
    pub feasible_arms: usize,
    /// How many of these on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
    /// All at once.
    pub at_once: StageRow,
    /// The mean at once over T*·β.
    pub ratio: f64,
    /// Who keeps the limits first, and the front after.
    pub two_stages: StageRow,
}

/// Runs of one kind on an instance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StageRow {
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Runs that ended with a wrong answer.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

impl StageRow {
    fn of(runs: &[(u64, Option<bool>)]) -> Self {
        let n = runs.len() as f64;
        let mean = runs.iter().map(|run| run.0 as f64).sum::<f64>() / n;
        let squares: f64 = runs.iter().map(|run| (run.0 as f64 - mean).powi(2)).sum();
        let count = |what: Option<bool>| runs.iter().filter(|run| run.1 == what).count() as u64;
        let se = (squares / (n - 1.0).max(1.0) / n).sqrt();
        StageRow { runs: runs.len() as u64, mean, se, mistakes: count(Some(false)), undecided: count(None) }
    }

    /// The relative standard error.
    fn spread(&self) -> f64 {
        self.se / self.mean
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &RandomSuiteOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Constrained, LabError> {
    within("runs", options.runs, 1..=MOST_RUNS)?;
    let workers = Workers::new(options.jobs, interrupt)?;
    let wanted = 2 * INSTANCES as u64 * options.runs;
    observer.begin(wanted, Steps::Runs);
    let mut rows = Vec::new();
    for (number, instance) in instances().iter().enumerate() {
        observer.message(&format!("instance {}", number + 1));
        let Instance { problem, truth, yardstick, .. } = instance;
        let Summary { runs, mean, se, mistakes, undecided, .. } =
            options.simulated(&workers, observer, problem, truth, problem);
        let stages = workers.each(
            0..options.runs,
            |number| in_two_stages(instance, options, number),
            |_| {
                observer.advance(1);
                ControlFlow::Continue(())
            },
        );
        rows.push(ConstrainedRow {
            arms: problem.arm_count(),
            objectives: problem.objectives().iter().filter(|objective| !objective.is_only_limited()).count(),
            limits: problem.objectives().iter().map(|objective| objective.limits.ends().count()).sum(),
            feasible_arms: (0..problem.arm_count()).filter(|&arm| truth.is_feasible(arm)).count(),
            front_arms: Front::of(truth).members().len(),
            t_star: yardstick.bound.upper,
            at_once: StageRow { runs, mean, se, mistakes, undecided },
            ratio: yardstick.ratio(mean),
            two_stages: StageRow::of(&stages),
        });
    }
    observer.end();
    let finished = rows.iter().map(|row| row.at_once.runs + row.two_stages.runs).sum();
    let rule: RuleKind = options.rule();
    let missing = Unfinished { rule: Some(rule.name()), steps: Steps::Runs, finished, wanted, rest: None };
    let whole: Vec<&ConstrainedRow> =
        rows.iter().filter(|row| row.at_once.mean > 0.0 && row.two_stages.mean > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(whole.iter().map(|row| (row.ratio, row.at_once.spread())));
    let (gain, gain_se) = geometric_mean(
        whole
            .iter()
            .map(|row| (row.at_once.mean / row.two_stages.mean, row.at_once.spread().hypot(row.two_stages.spread()))),
    );
    let both = |of: fn(&StageRow) -> u64| {
        [rows.iter().map(|row| of(&row.at_once)).sum(), rows.iter().map(|row| of(&row.two_stages)).sum()]
    };
    Ok(Constrained {
        experiment: "constraints",
        seed: options.seed,
        runs: options.runs,
        delta: DELTA,
        threshold: options.threshold.name(),
        rule: rule.name(),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: whole.iter().map(|row| row.ratio).fold(f64::NAN, f64::max),
        geometric_mean_of_stages: gain,
        geometric_mean_of_stages_se: gain_se,
        mistakes: both(|row| row.mistakes),
        undecided: both(|row| row.undecided),
        rows,
        unfinished: if finished < wanted { vec![missing] } else { Vec::new() },
    })
}

impl Findings for Constrained {
    fn text(&self, width: Width) -> String {
        let [mistakes, in_stages] = self.mistakes.map(grouped);
        let notes = format!(
            "At once: mean over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}; {mistakes} mistakes, {} undecided. In two stages: {in_stages} mistakes, {} undecided.\n\
             At once over two stages, geometric mean: {:.3} ± {:.3}.\n\
             K arms, d objectives, limits on one more reading and on every other pair of instances' first objective; standard normal means, scaled to T* = {T_STAR}, unit variances;\n\
             δ = {DELTA}, {} threshold, rule {}. Two stages: who keeps the limits at δ/2, then the front of these at δ/2, with all observations so far.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            grouped(self.undecided[0]),
            grouped(self.undecided[1]),
            self.geometric_mean_of_stages,
            self.geometric_mean_of_stages_se,
            self.threshold,
            self.rule
        );
        format!("{}\n{notes}", table(&self.rows, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

fn table(rows: &[ConstrainedRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("limits", Align::Right),
        ("keep them", Align::Right),
        ("front", Align::Right),
        ("at once", Align::Right),
        ("over T*·β", Align::Right),
        ("two stages", Align::Right),
        ("at once/two stages", Align::Right),
        ("mistakes", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.at_once.runs > 0 && row.two_stages.runs > 0) {
        let gain = row.at_once.mean / row.two_stages.mean;
        let error = gain * row.at_once.spread().hypot(row.two_stages.spread());
        table.push(vec![
            row.arms.to_string(),
            row.objectives.to_string(),
            row.limits.to_string(),
            row.feasible_arms.to_string(),
            row.front_arms.to_string(),
            samples(row.at_once.mean),
            format!("{:.3} ± {:.3}", row.ratio, row.ratio * row.at_once.spread()),
            samples(row.two_stages.mean),
            format!("{gain:.3} ± {error:.3}"),
            [row.at_once, row.two_stages].map(|of| grouped(of.mistakes)).join(", "),
        ]);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instances_are_always_the_same() {
        let instances = instances();
        assert_eq!((instances[0].problem.arm_count(), instances[23].problem.arm_count()), (3, 10));
        for instance in &instances {
            assert!((instance.yardstick.bound.upper / T_STAR - 1.0).abs() < 1e-3, "{:?}", instance.yardstick.bound);
        }
    }

    #[test]
    fn two_stages_come_to_the_same_answer() {
        let options = RandomSuiteOptions::default();
        let instances = instances();
        let runs = instances.iter().take(6).map(|instance| in_two_stages(instance, &options, 1));
        assert!(runs.filter(|run| run.1 == Some(true)).count() >= 5);
    }
}
