//! What it is worth to know how readings are correlated, on 24 random instances that are always the same.

use std::sync::atomic::AtomicBool;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use surefront::{Correlation, Front, Model, Problem, Summary, bound};
use surefront_study::words::number::{grouped, samples, significant};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{
    self, Bench, DELTA, INSTANCES, RandomSuiteOptions, SuiteHead, drawn, geometric_mean, means, objectives, scaled,
};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::LabError;
use crate::observer::Observer;
use crate::replication::Yardstick;

const INSTANCE_SEED: u64 = 2026;
/// Of every instance, with its correlation.
const T_STAR: f64 = 1000.0;
/// Most random instances have one close pair in one objective, and the correlation hardly matters. These are drawn again until it changes T*, up or down, by this
/// part of the largest correlation.
const LEAST_CHANGE: f64 = 0.15;

/// What a study knows of the correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    Given,
    Estimated,
    Ignored,
}

impl Knowledge {
    const ALL: [Knowledge; 3] = [Knowledge::Given, Knowledge::Estimated, Knowledge::Ignored];
}

/// One instance.
#[derive(Clone, Debug)]
struct Instance {
    correlation: Vec<Vec<f64>>,
    given: Problem,
    estimated: Problem,
    ignored: Problem,
    truth: Model,
    yardstick: Yardstick,
    /// T* if the readings were independent.
    independent: f64,
}

/// All of them, from one stream of random numbers.
fn instances() -> Vec<Instance> {
    drawn(INSTANCE_SEED, Instance::draw)
}

impl Instance {
    fn draw(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        loop {
            let instance = Instance::drawn_once(rng, number);
            let largest = instance.pairs().into_iter().fold(0.0f64, |largest, rho| largest.max(rho.abs()));
            if (instance.independent / instance.yardstick.bound.upper).ln().abs() >= LEAST_CHANGE * largest {
                return instance;
            }
        }
    }

    /// Standard normal means, scaled, and unit variances.
    fn drawn_once(rng: &mut Xoshiro256PlusPlus, number: usize) -> Self {
        let (arms, d) = RandomSuiteOptions::size(number);
        let correlation = correlation(rng, number, d);
        let ignored = Problem::new(objectives(d), random_suite::arms(arms)).expect("names differ");
        let with =
            |correlation: Correlation| ignored.clone().with_correlation(correlation).expect("it was drawn to be one");
        let (given, estimated) = (with(Correlation::Given(correlation.clone())), with(Correlation::Estimate));
        let means = means(rng, arms, d);
        let model = |means: &[Vec<f64>]| Model::new(&given, means).expect("random means are finite");
        let found = bound(&given, &model(&means), 1e-5).expect("random means do not tie");
        let truth = model(&scaled(&means, (found.upper / T_STAR).sqrt()));
        let found = bound(&given, &truth, 1e-5).expect("as before");
        let independent = bound(&ignored, &truth, 1e-5).expect("as before").upper;
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Instance { correlation, given, estimated, ignored, truth, yardstick, independent }
    }

    fn problem(&self, knowledge: Knowledge) -> &Problem {
        match knowledge {
            Knowledge::Given => &self.given,
            Knowledge::Estimated => &self.estimated,
            Knowledge::Ignored => &self.ignored,
        }
    }

    /// The correlations of all pairs.
    fn pairs(&self) -> Vec<f64> {
        let d = self.correlation.len();
        (0..d).flat_map(|i| (i + 1..d).map(move |j| (i, j))).map(|(i, j)| self.correlation[i][j]).collect()
    }
}

/// In two objectives from −.9 to .9 in even steps; in three drawn, each between −.9 and .9.
fn correlation(rng: &mut Xoshiro256PlusPlus, number: usize, d: usize) -> Vec<Vec<f64>> {
    const LARGEST: f64 = 0.9;
    let matrix = |pair: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..d).map(|i| (0..d).map(|j| if i == j { 1.0 } else { pair(i.min(j), i.max(j)) }).collect()).collect()
    };
    if d == 2 {
        let rho = -LARGEST + 2.0 * LARGEST * (number / 2) as f64 / (INSTANCES / 2 - 1) as f64;
        return matrix(&|_, _| rho);
    }
    loop {
        let drawn: Vec<f64> = (0..d * d).map(|_| rng.random_range(-LARGEST..LARGEST)).collect();
        let rows = matrix(&|i, j| drawn[i * d + j]);
        // Room enough between what it is and what no readings can have.
        let [a, b, c] = [rows[0][1], rows[0][2], rows[1][2]];
        if 1.0 + 2.0 * a * b * c - a * a - b * b - c * c > 0.05 {
            return rows;
        }
    }
}

/// What it is worth to know the correlation.
#[derive(Clone, Debug, Serialize)]
pub struct Correlated {
    /// How it was run.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// One for each instance.
    pub rows: Vec<CorrelatedRow>,
    /// Over all instances, where the correlation is given: of the mean stopping times over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct CorrelatedRow {
    /// How many.
    pub arms: usize,
    /// How many.
    pub objectives: usize,
    /// Of objectives 1 and 2, 1 and 3, …
    pub correlations: Vec<f64>,
    /// How many arms on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
    /// T* if the readings were independent.
    pub t_star_independent: f64,
    /// The study is given the correlation.
    pub given: KnowledgeRow,
    /// It has to estimate it.
    pub estimated: KnowledgeRow,
    /// It takes the readings for independent.
    pub ignored: KnowledgeRow,
}

/// Runs of one kind on an instance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct KnowledgeRow {
    /// Runs finished.
    pub runs: u64,
    /// The mean number of samples.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// The mean over T*·β.
    pub ratio: f64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(
    options: &RandomSuiteOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<Correlated, LabError> {
    let row = |bench: &Bench<'_>, instance: &Instance| {
        let [given, estimated, ignored] = Knowledge::ALL.map(|knowledge| {
            let problem = instance.problem(knowledge);
            let summary = bench.simulated(problem, &instance.truth, &instance.given);
            let Summary { runs, mean, se, mistakes, undecided, .. } = summary;
            KnowledgeRow { runs, mean, se, ratio: instance.yardstick.ratio(mean), mistakes, undecided }
        });
        CorrelatedRow {
            arms: instance.given.arm_count(),
            objectives: instance.given.objective_count(),
            correlations: instance.pairs(),
            front_arms: Front::of(&instance.truth).members().len(),
            t_star: instance.yardstick.bound.upper,
            t_star_independent: instance.independent,
            given,
            estimated,
            ignored,
        }
    };
    let all = |row: &CorrelatedRow| row.given.runs + row.estimated.runs + row.ignored.runs;
    let runs = Knowledge::ALL.len() as u64 * options.runs;
    let (rows, unfinished) = options.rows(&instances(), runs, (observer, interrupt), row, all)?;
    let counting: Vec<&KnowledgeRow> = rows.iter().map(|row| &row.given).filter(|given| given.mean > 0.0).collect();
    let (ratio, ratio_se) = geometric_mean(counting.iter().map(|given| (given.ratio, given.se / given.mean)));
    Ok(Correlated {
        head: options.head("correlation"),
        geometric_mean_ratio: ratio,
        geometric_mean_ratio_se: ratio_se,
        worst_ratio: counting.iter().map(|given| given.ratio).fold(f64::NAN, f64::max),
        rows,
        unfinished,
    })
}

impl Findings for Correlated {
    fn text(&self, width: Width) -> String {
        format!("{}\n{}", table(&self.rows, width), self.notes())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

impl Correlated {
    fn notes(&self) -> String {
        format!(
            "Given: mean over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}.\n\
             K arms, d objectives with these correlations, standard normal means scaled to T* = {T_STAR}, unit variances,\n\
             drawn until the correlation changes T* by {} % of the largest one; δ = {DELTA}, {} threshold, rule {}.\n\
             Given: the study is given the correlation. Estimated: it estimates it. Ignored: it takes the readings for independent.\n\
             All face the same random numbers. T* ignored: what it would be if they were independent.\n",
            self.geometric_mean_ratio,
            self.geometric_mean_ratio_se,
            self.worst_ratio,
            100.0 * LEAST_CHANGE,
            self.head.threshold,
            self.head.rule
        )
    }
}

fn table(rows: &[CorrelatedRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("d", Align::Right),
        ("correlations", Align::Left),
        ("front", Align::Right),
        ("T*", Align::Right),
        ("T* ignored", Align::Right),
        ("given", Align::Right),
        ("over T*·β", Align::Right),
        ("estimated", Align::Right),
        ("ignored", Align::Right),
        ("mistakes", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.given.runs > 0) {
        let correlations: Vec<String> = row.correlations.iter().map(|rho| significant(*rho, 2)).collect();
        let mean = |of: &KnowledgeRow| if of.runs > 0 { samples(of.mean) } else { String::new() };
        let mistakes = [row.given, row.estimated, row.ignored].map(|of| grouped(of.mistakes));
        table.push(vec![
            row.arms.to_string(),
            row.objectives.to_string(),
            correlations.join(", "),
            row.front_arms.to_string(),
            samples(row.t_star),
            samples(row.t_star_independent),
            mean(&row.given),
            format!("{:.3} ± {:.3}", row.given.ratio, row.given.ratio * row.given.se / row.given.mean),
            mean(&row.estimated),
            mean(&row.ignored),
            mistakes.join(", "),
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
        assert_eq!(instances[0].pairs(), [-0.9]);
        assert_eq!((instances[22].pairs(), instances[23].given.arm_count()), (vec![0.9], 10));
        let lower = instances.iter().filter(|instance| instance.independent > T_STAR).count();
        assert!((8..=20).contains(&lower), "{lower}");
        for instance in &instances {
            let t_star = instance.yardstick.bound.upper;
            assert!((t_star / T_STAR - 1.0).abs() < 1e-3, "{t_star}");
        }
    }
}
