//! Mistakes and samples of the stopping rules where it is hard to be right: the figures of docs/calibrated.md.
//!
//! `cargo run --release -p surefront --example calibration -- ROW RUNS DELTA RULE THRESHOLD…`, for instance `two 1000 0.1 weakest stylized
//! calibrated`. Rows: two, one, scales, tiny, pairs, many-pairs, dominators, correlated, unknown, coarse, suite. Seeds are fixed.

#[path = "../tests/instances/mod.rs"]
#[allow(dead_code)]
mod instances;
use std::error::Error;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::{Poisson, StandardNormal};
use rayon::prelude::*;
use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem, RuleKind, Settings, StoppingKind, Study, bound};

/// Where an undecided run ends.
const MOST_SAMPLES: u64 = 3_000_000;

/// What is observed of a mean.
#[derive(Clone, Copy)]
enum Law {
    Gaussian,
    /// Correlations of ±.99 between the objectives.
    MixedSigns,
    /// Correlations of .99 between the objectives.
    SameSign,
    ZeroOrOne,
    Counts,
}

struct Case {
    name: String,
    problem: Problem,
    means: Vec<Vec<f64>>,
    law: Law,
}

fn problem(arms: usize, objectives: usize, noise: Noise) -> Problem {
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, noise);
    let names = (0..arms).map(|arm| Arm::named(format!("a{arm}"))).collect();
    Problem::new((0..objectives).map(objective).collect(), names).expect("names differ")
}

fn case(name: String, means: Vec<Vec<f64>>, law: Law, noise: Noise) -> Case {
    Case { name, problem: problem(means.len(), means[0].len(), noise), means, law }
}

/// One arm better than the other by this much in all objectives.
fn apart(d: usize, gap: f64) -> Vec<Vec<f64>> {
    vec![vec![0.0; d], vec![gap; d]]
}

/// Pairs of arms, far from each other, of which neither dominates the other by a hair.
fn pairs(n: u32) -> Vec<Vec<f64>> {
    let pair = |i| {
        let (x, y) = (3.0 * f64::from(i), 3.0 * f64::from(n - i));
        [vec![x, y], vec![x - 0.3, y + 1.5]]
    };
    (0..n).flat_map(pair).collect()
}

fn pairs_of(n: u32, gap: f64) -> Vec<Vec<f64>> {
    let pair = |i| {
        let (x, y) = (3.0 * f64::from(i), 3.0 * f64::from(n - i));
        [vec![x, y], vec![x - gap, y + 1.5]]
    };
    (0..n).flat_map(pair).collect()
}

fn vaccine() -> Case {
    let (_, model) = instances::vaccine();
    let sd = [0.70f64.sqrt(), 0.83f64.sqrt(), 1.54f64.sqrt()];
    let means = (0..20).map(|k| model.row(k).iter().zip(sd).map(|(m, s)| m / s).collect()).collect();
    case("vaccine".into(), means, Law::Gaussian, Noise::Variance(1.0))
}

/// An arm of the front that each of n others would dominate but for a hair.
fn dominators(n: u32) -> Vec<Vec<f64>> {
    std::iter::once(vec![0.3, 0.0, 0.0])
        .chain((0..n).map(|i| vec![0.0, 5.0 + 3.0 * f64::from(i), 5.0 + 3.0 * f64::from(n - i)]))
        .collect()
}

fn cases(row: &str) -> Option<Vec<Case>> {
    const KNOWN: Noise = Noise::Variance(1.0);
    let gaussian = |name: String, means| case(name, means, Law::Gaussian, KNOWN);
    let gap = |gap: f64, d: usize| gaussian(format!("{gap} apart, d = {d}"), apart(d, gap));
    let unknown = |gap: f64, d: usize| {
        case(format!("unknown, {gap} apart, d = {d}"), apart(d, gap), Law::Gaussian, Noise::Unknown)
    };
    Some(match row {
        "train" => train(),
        "two" => [1, 2, 4, 8, 10, 20].map(|d| gap(0.1, d)).into(),
        "scales" => [1, 2, 4, 10].into_iter().flat_map(|d| [gap(0.3, d), gap(0.03, d)]).collect(),
        "vaccine" => vec![vaccine()],
        "corr" => {
            [0.1, 0.03, 0.01].map(|g| case(format!("±.99, d = 4, {g}"), apart(4, g), Law::MixedSigns, KNOWN)).into()
        }
        "line" => [0.3, 0.1, 0.03].map(|g| gap(g, 1)).into(),
        "ppairs" => [(30, 0.1), (10, 0.03)].map(|(n, g)| gaussian(format!("{n} pairs {g}"), pairs_of(n, g))).into(),
        "p300" => vec![
            gaussian("300 pairs .3".into(), pairs_of(300, 0.3)),
            gaussian("300 pairs .1".into(), pairs_of(300, 0.1)),
        ],
        "dom" => [5, 20].map(|n| gaussian(format!("{n} near dominators"), dominators(n))).into(),
        "tiny" => [1, 2, 4].map(|d| gap(0.01, d)).into(),
        "one" => [0.1, 0.03]
            .map(|gap| gaussian(format!("{gap} apart in one of two"), vec![vec![0.0, 5.0], vec![gap, 0.0]]))
            .into(),
        "pairs" => vec![gaussian("30 pairs".to_owned(), pairs(30))],
        "many-pairs" => vec![gaussian("300 pairs".to_owned(), pairs(300))],
        "dominators" => [5, 20].map(|n| gaussian(format!("{n} near dominators"), dominators(n))).into(),
        "correlated" => vec![
            case("±.99, d = 2".to_owned(), apart(2, 0.1), Law::MixedSigns, KNOWN),
            case("±.99, d = 4".to_owned(), apart(4, 0.1), Law::MixedSigns, KNOWN),
            case("±.99, d = 10".to_owned(), apart(10, 0.1), Law::MixedSigns, KNOWN),
            case(".99, d = 4".to_owned(), apart(4, 0.1), Law::SameSign, KNOWN),
        ],
        "unknown" => [1, 2, 4, 8, 20].into_iter().flat_map(|d| [unknown(0.3, d), unknown(0.1, d)]).collect(),
        "coarse" => vec![
            case("0/1, .98 and .99".to_owned(), vec![vec![0.98], vec![0.99]], Law::ZeroOrOne, Noise::Unknown),
            case("counts, .1 and .15".to_owned(), vec![vec![0.1], vec![0.15]], Law::Counts, Noise::Unknown),
        ],
        "suite" => suite(),
        _ => return None,
    })
}

fn train() -> Vec<Case> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(77);
    let mut instance = |i: usize| {
        let (arms, d) = (5 + 35 * i / 11, 2 + i % 3);
        let problem = problem(arms, d, Noise::Variance(1.0));
        loop {
            let means: Vec<Vec<f64>> =
                (0..arms).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
            let truth = Model::new(&problem, &means).expect("normal numbers are finite");
            if bound(&problem, &truth, 1e-3).is_ok_and(|bound| bound.upper < 2000.0) {
                return Case { name: format!("train {i}: K = {arms}, d = {d}"), problem, means, law: Law::Gaussian };
            }
        }
    };
    (0..12).map(&mut instance).collect()
}

/// The 24 random instances of `surefront reproduce suite`.
fn suite() -> Vec<Case> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2024);
    let mut instance = |i: usize| {
        let (arms, d) = (5 + 35 * i / 23, 2 + i % 3);
        let problem = problem(arms, d, Noise::Variance(1.0));
        loop {
            let means: Vec<Vec<f64>> =
                (0..arms).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
            let truth = Model::new(&problem, &means).expect("normal numbers are finite");
            if bound(&problem, &truth, 1e-4).is_ok_and(|bound| bound.upper < 5000.0) {
                return Case { name: format!("suite {i}: K = {arms}, d = {d}"), problem, means, law: Law::Gaussian };
            }
        }
    };
    (0..24).map(&mut instance).collect()
}

fn observe(case: &Case, arm: usize, rng: &mut Xoshiro256PlusPlus, values: &mut [f64]) {
    let shared: f64 = rng.sample(StandardNormal);
    for (j, (value, &mean)) in values.iter_mut().zip(&case.means[arm]).enumerate() {
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        let mut own = || rng.sample::<f64, _>(StandardNormal);
        *value = match case.law {
            Law::Gaussian => mean + own(),
            Law::MixedSigns => mean + sign * 0.99f64.sqrt() * shared + 0.1 * own(),
            Law::SameSign => mean + 0.99f64.sqrt() * shared + 0.1 * own(),
            Law::ZeroOrOne => f64::from(rng.random::<f64>() < mean),
            Law::Counts => rng.sample(Poisson::new(mean).expect("the mean is positive")),
        };
    }
}

/// The samples of a run, and whether its answer is wrong, if it has one.
fn run(case: &Case, mut study: Study, front: &Front, seed: u64) -> (f64, Option<bool>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut values = vec![0.0; case.problem.objective_count()];
    while !study.stopped() && study.tally().total() < MOST_SAMPLES {
        let arm = study.ask();
        observe(case, arm, &mut rng, &mut values);
        study.tell(arm, &values).expect("observations are finite");
    }
    let verdict = study.verdict();
    (study.tally().total() as f64, verdict.stopped.then(|| verdict.front != front.members()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [row, runs, delta, rule, thresholds @ ..] = &args[..] else {
        return Err("write ROW RUNS DELTA RULE THRESHOLD…".into());
    };
    let (runs, delta, rule): (u64, f64, RuleKind) = (runs.parse()?, delta.parse()?, rule.parse()?);
    let first: u64 = std::env::var("FIRST").map_or(0, |f| f.parse().unwrap());
    for case in cases(row).ok_or("there is no such row: see the head of this file")? {
        let front = Front::of(&Model::new(&case.problem, &case.means)?);
        for threshold in thresholds {
            let stopping = threshold.parse::<StoppingKind>()?.stopping(delta)?;
            let settings = Settings::new(rule.rule(&case.problem, delta)?, stopping);
            let results: Vec<(f64, Option<bool>)> = (first..first + runs)
                .into_par_iter()
                .map(|seed| {
                    let study = Study::new(case.problem.clone(), settings.clone().seed(seed));
                    run(&case, study.expect("the rule is of this problem's size"), &front, seed)
                })
                .collect();
            let mean = results.iter().map(|result| result.0).sum::<f64>() / runs as f64;
            let wrong = results.iter().filter(|result| result.1 == Some(true)).count();
            let open = results.iter().filter(|result| result.1.is_none()).count();
            println!("{:28} {threshold:10} {mean:9.0} samples  {wrong:4} wrong, {open} open of {runs}", case.name);
        }
    }
    Ok(())
}
