//! Success rates, counts, times and Gaussian values, alone and mixed, on 24 random instances of each that are always the same.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use surefront::{Front, Goal, Model, Noise, Objective, Problem, Summary, bound};
use surefront_study::words::number::{grouped, samples};
use surefront_study::words::table::{Align, TextTable, Width};

use super::random_suite::{self, Bench, DELTA, INSTANCES, RandomSuiteOptions, SuiteHead, geometric_mean, means};
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::LabError;
use crate::observer::Observer;
use crate::replication::Yardstick;

const INSTANCE_SEED: u64 = 2029;
/// Means are spread until T* is about this.
const T_STAR: f64 = 1000.0;
/// The most that they are spread, in units of the logarithm of odds, counts or times.
const WIDEST: f64 = 1.5;
/// How often the spread is halved to find it.
const HALVINGS: u32 = 12;

/// Which noise the objectives have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mixture {
    Bernoulli,
    Mixed,
}

impl Mixture {
    const ALL: [Mixture; 2] = [Mixture::Bernoulli, Mixture::Mixed];

    fn name(self) -> &'static str {
        match self {
            Mixture::Bernoulli => "bernoulli",
            Mixture::Mixed => "mixed",
        }
    }

    /// The noise of an objective of the instance of this number.
    fn noise(self, number: usize, objective: usize) -> Noise {
        const KINDS: [Noise; 4] = [Noise::Bernoulli, Noise::Poisson, Noise::Exponential, Noise::Variance(1.0)];
        match self {
            Mixture::Bernoulli => Noise::Bernoulli,
            Mixture::Mixed => KINDS[(number / 2 + objective) % KINDS.len()],
        }
    }
}

/// The mean at a place on the line, whatever the noise.
fn mean(noise: Noise, place: f64) -> f64 {
    match noise {
        Noise::Bernoulli => 1.0 / (1.0 + (-place).exp()),
        Noise::Poisson => 2.0 * place.exp(),
        Noise::Exponential => place.exp(),
        _ => place,
    }
}

/// One instance.
#[derive(Clone, Debug)]
struct Instance {
    mixture: Mixture,
    problem: Problem,
    truth: Model,
    yardstick: Yardstick,
}

/// All of them, from one stream of random numbers.
fn instances() -> Vec<Instance> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(INSTANCE_SEED);
    let all = Mixture::ALL.into_iter().flat_map(|mixture| (0..INSTANCES).map(move |number| (mixture, number)));
    all.map(|(mixture, number)| Instance::draw(&mut rng, mixture, number)).collect()
}

impl Instance {
    /// The first that can be as easy as the others.
    fn draw(rng: &mut Xoshiro256PlusPlus, mixture: Mixture, number: usize) -> Self {
        loop {
            let (arms, d) = RandomSuiteOptions::size(number);
            if let Some(instance) = Instance::at(means(rng, arms, d), mixture, number) {
                return instance;
            }
        }
    }

    /// These places, spread until the instance is as easy as the others; `None` if it never is.
    fn at(places: Vec<Vec<f64>>, mixture: Mixture, number: usize) -> Option<Self> {
        let (arms, d) = (places.len(), places[0].len());
        let noise = |j: usize| mixture.noise(number, j);
        let objectives = (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, noise(j))).collect();
        let problem = Problem::new(objectives, random_suite::arms(arms)).expect("names differ");
        let spread = |scale: f64| {
            let row = |row: &Vec<f64>| -> Vec<f64> {
                row.iter().enumerate().map(|(j, place)| mean(noise(j), scale * place)).collect()
            };
            let rows: Vec<Vec<f64>> = places.iter().map(row).collect();
            Model::new(&problem, &rows).expect("the means are of their kinds")
        };
        let t_star = |scale: f64| bound(&problem, &spread(scale), 1e-3).expect("random means do not tie").upper;
        let (mut low, mut high) = (0.01, WIDEST);
        if t_star(high) > T_STAR {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle: f64 = f64::midpoint(low, high);
            if t_star(middle) > T_STAR { low = middle } else { high = middle }
        }
        let truth = spread(high);
        let found = bound(&problem, &truth, 1e-5).expect("random means do not tie");
        let yardstick = Yardstick::new(found, DELTA).expect("it is between 0 and 1");
        Some(Instance { mixture, problem, truth, yardstick })
    }
}

/// What studies with these kinds of noise take.
#[derive(Clone, Debug, Serialize)]
pub struct Kinds {
    /// How it was run.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// One for each instance.
    pub rows: Vec<KindsRow>,
    /// One for each mixture.
    pub totals: Vec<KindsTotal>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
pub struct KindsRow {
    /// "bernoulli" or "mixed".
    pub mixture: &'static str,
    /// By objective.
    pub noise: Vec<String>,
    /// How many.
    pub arms: usize,
    /// How many arms on the front.
    pub front_arms: usize,
    /// T*.
    pub t_star: f64,
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

/// All instances of a mixture.
#[derive(Clone, Debug, Serialize)]
pub struct KindsTotal {
    /// "bernoulli" or "mixed".
    pub mixture: &'static str,
    /// Of the mean over T*·β.
    pub geometric_mean_ratio: f64,
    /// Its standard error.
    pub geometric_mean_ratio_se: f64,
    /// The largest such ratio.
    pub worst_ratio: f64,
    /// Runs finished.
    pub runs: u64,
    /// Runs that ended with a wrong front.
    pub mistakes: u64,
    /// Runs that came to no answer.
    pub undecided: u64,
}

impl KindsTotal {
    fn of(mixture: Mixture, rows: &[KindsRow]) -> Self {
        let rows: Vec<&KindsRow> = rows.iter().filter(|row| row.mixture == mixture.name() && row.mean > 0.0).collect();
        let (ratio, ratio_se) = geometric_mean(rows.iter().map(|row| (row.ratio, row.se / row.mean)));
        KindsTotal {
            mixture: mixture.name(),
            geometric_mean_ratio: ratio,
            geometric_mean_ratio_se: ratio_se,
            worst_ratio: rows.iter().map(|row| row.ratio).fold(f64::NAN, f64::max),
            runs: rows.iter().map(|row| row.runs).sum(),
            mistakes: rows.iter().map(|row| row.mistakes).sum(),
            undecided: rows.iter().map(|row| row.undecided).sum(),
        }
    }
}

/// Runs the experiment. Interrupted, it ends after the runs under way.
///
/// # Errors
/// When an option is out of its range, or the threads cannot be had.
pub fn run(options: &RandomSuiteOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<Kinds, LabError> {
    let row = |bench: &Bench<'_>, Instance { mixture, problem, truth, yardstick }: &Instance| {
        let Summary { runs, mean, se, mistakes, undecided, .. } = bench.simulated(problem, truth, problem);
        let name = |j: usize| match problem.noise(0, j) {
            Noise::Bernoulli => "bernoulli",
            Noise::Poisson => "poisson",
            Noise::Exponential => "exponential",
            _ => "gaussian",
        };
        KindsRow {
            mixture: mixture.name(),
            noise: (0..problem.objective_count()).map(|j| name(j).to_owned()).collect(),
            arms: problem.arm_count(),
            front_arms: Front::of(truth).members().len(),
            t_star: yardstick.bound.upper,
            runs,
            mean,
            se,
            ratio: yardstick.ratio(mean),
            mistakes,
            undecided,
        }
    };
    let watched = (observer, interrupt);
    let (rows, unfinished) = options.rows(&instances(), options.runs, watched, row, |row| row.runs)?;
    Ok(Kinds {
        head: options.head("kinds"),
        totals: Mixture::ALL.into_iter().map(|mixture| KindsTotal::of(mixture, &rows)).collect(),
        rows,
        unfinished,
    })
}

impl Findings for Kinds {
    fn text(&self, width: Width) -> String {
        let total = |total: &KindsTotal| {
            format!(
                "{}: mean over T*·β, geometric mean {:.3} ± {:.3}, worst {:.3}; {} mistakes and {} without an answer in {} runs.\n",
                total.mixture,
                total.geometric_mean_ratio,
                total.geometric_mean_ratio_se,
                total.worst_ratio,
                grouped(total.mistakes),
                grouped(total.undecided),
                grouped(total.runs)
            )
        };
        let totals: String = self.totals.iter().map(total).collect();
        format!(
            "{}\n{totals}K arms with random means in 2 and 3 objectives of these kinds of noise; δ = {DELTA}, {} threshold, rule {}.\n",
            table(&self.rows, width),
            self.head.threshold,
            self.head.rule
        )
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

fn table(rows: &[KindsRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("K", Align::Right),
        ("noise", Align::Left),
        ("front", Align::Right),
        ("T*", Align::Right),
        ("mean", Align::Right),
        ("over T*·β", Align::Right),
        ("mistakes", Align::Right),
        ("undecided", Align::Right),
    ]);
    for row in rows.iter().filter(|row| row.runs > 0) {
        table.push(vec![
            row.arms.to_string(),
            row.noise.join(", "),
            row.front_arms.to_string(),
            samples(row.t_star),
            samples(row.mean),
            format!("{:.3} ± {:.3}", row.ratio, row.ratio * row.se / row.mean),
            grouped(row.mistakes),
            grouped(row.undecided),
        ]);
    }
    rendered(&table, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instances_are_always_the_same_and_of_all_kinds() {
        let instances = instances();
        assert_eq!(instances.len(), 2 * INSTANCES);
        let kinds = |noise: Noise| instances.iter().filter(|instance| instance.problem.noise(0, 0) == noise).count();
        assert_eq!(kinds(Noise::Bernoulli), INSTANCES + 6);
        assert_eq!((kinds(Noise::Poisson), kinds(Noise::Exponential), kinds(Noise::Variance(1.0))), (6, 6, 6));
        for instance in &instances {
            let t_star = instance.yardstick.bound.upper;
            assert!(t_star > 0.9 * T_STAR && t_star < 1.01 * T_STAR, "{t_star}");
        }
    }
}
