//! The calibrated stop where the stylized one errs: many objectives, correlated ones, many near ties, variances nobody knows. Seeds are
//! fixed. A case fails if the mistakes are more than a true rate of δ would produce with probability 10⁻⁴, in either mode.
//! docs/calibrated.md has more of it.

use crate::effort;
use crate::instances::{most_expected, problem, vaccine};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rayon::prelude::*;
use surefront::{Calibrated, Front, Model, Noise, Problem, Rule, RuleKind, Settings, Stopping, Study, Tally};

const DELTA: f64 = 0.1;

fn study(problem: &Problem, rule: RuleKind, seed: u64) -> Study {
    let rule: Rule = rule.rule(problem, DELTA).unwrap();
    let stopping = Stopping::Calibrated(Calibrated::new(DELTA).unwrap());
    Study::new(problem.clone(), Settings::new(rule, stopping).seed(seed)).unwrap()
}

/// What the noise of the objectives has to do with each other.
#[derive(Clone, Copy, Debug)]
enum Kinship {
    None,
    /// Correlations of .99, of either sign.
    Close,
}

/// Whether a study stops with a wrong front.
fn errs(problem: &Problem, means: &[Vec<f64>], kinship: Kinship, rule: RuleKind, seed: u64) -> bool {
    let truth = Front::of(&Model::new(problem, means).unwrap());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut study = study(problem, rule, seed);
    while !study.stopped() && study.tally().total() < 1_000_000 {
        let arm = study.ask();
        let shared: f64 = rng.sample(StandardNormal);
        let value = |(j, mean): (usize, &f64)| {
            let own: f64 = rng.sample(StandardNormal);
            mean + match kinship {
                Kinship::None => own,
                Kinship::Close if j % 2 == 0 => 0.99f64.sqrt() * shared + 0.1 * own,
                Kinship::Close => 0.1 * own - 0.99f64.sqrt() * shared,
            }
        };
        let values: Vec<f64> = means[arm].iter().enumerate().map(value).collect();
        study.tell(arm, &values).unwrap();
    }
    assert!(study.stopped());
    study.verdict().front != truth.members()
}

/// An arm of the front that each of these others would dominate but for a little.
fn dominators(others: u32) -> Vec<Vec<f64>> {
    let other = |i| vec![0.0, 5.0 + 3.0 * f64::from(i), 5.0 + 3.0 * f64::from(others - i)];
    std::iter::once(vec![0.3, 0.0, 0.0]).chain((0..others).map(other)).collect()
}

/// An arm of the front that four others would dominate but for this much, each in another objective.
fn rivals(gap: f64) -> Vec<Vec<f64>> {
    let rival = |own: usize| (0..4).map(|j| if j == own { -gap } else { 3.0 }).collect();
    std::iter::once(vec![0.0; 4]).chain((0..4).map(rival)).collect()
}

/// One arm is better than the other by this much in all objectives.
fn apart(objectives: usize, gap: f64) -> Vec<Vec<f64>> {
    vec![vec![0.0; objectives], vec![gap; objectives]]
}

/// 11 cases: a false alarm in one of 900 seeds at most. In 99 of 100 seeds a true rate of 0.68 is noticed, in long mode one of 0.2.
/// The stylized threshold errs in 0.32 (10 objectives) and 0.39 (correlations) of such runs.
#[test]
fn mistakes_stay_below_delta() {
    let pairs = |n: u32| -> Vec<Vec<f64>> {
        let pair = |i| {
            let (x, y) = (3.0 * f64::from(i), 3.0 * f64::from(n - i));
            [vec![x, y], vec![x - 0.3, y + 1.5]]
        };
        (0..n).flat_map(pair).collect()
    };
    let cases = [
        ("1 objective", apart(1, 0.3), Noise::Variance(1.0), Kinship::None, RuleKind::Weakest),
        ("1 objective, in turn", apart(1, 0.3), Noise::Variance(1.0), Kinship::None, RuleKind::Uniform),
        ("4 objectives", apart(4, 0.3), Noise::Variance(1.0), Kinship::None, RuleKind::Dual),
        ("10 objectives", apart(10, 0.3), Noise::Variance(1.0), Kinship::None, RuleKind::Weakest),
        ("correlations", apart(4, 0.3), Noise::Variance(1.0), Kinship::Close, RuleKind::Weakest),
        ("10 pairs", pairs(10), Noise::Variance(1.0), Kinship::None, RuleKind::Dual),
        ("10 near dominators", dominators(10), Noise::Variance(1.0), Kinship::None, RuleKind::Weakest),
        ("4 near rivals", rivals(0.1), Noise::Variance(1.0), Kinship::None, RuleKind::Weakest),
        ("unknown, 1 objective", apart(1, 0.3), Noise::Unknown, Kinship::None, RuleKind::Dual),
        ("unknown, 4 objectives", apart(4, 0.3), Noise::Unknown, Kinship::None, RuleKind::Dual),
        ("unknown, correlations", apart(4, 0.3), Noise::Unknown, Kinship::Close, RuleKind::Dual),
    ];
    for (name, means, noise, kinship, rule) in cases {
        let problem = problem(means.len(), means[0].len(), noise);
        let runs = effort::either(20, 600);
        let mistakes = (0..runs).into_par_iter().filter(|&seed| errs(&problem, &means, kinship, rule, seed)).count();
        assert!(mistakes as u64 <= most_expected(runs, DELTA, 1e-4), "{name}: {mistakes} of {runs}");
    }
}

/// The stop and the certificates are about the same doubts: it is sure when all arms are.
#[test]
fn a_study_stops_when_all_arms_are_certain() {
    let (problem, truth) = vaccine();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut study = study(&problem, RuleKind::Dual, 3);
    while !study.stopped() {
        let arm = study.ask();
        let noisy = |(mean, precision): (&f64, &f64)| mean + rng.sample::<f64, _>(StandardNormal) / precision.sqrt();
        let values: Vec<f64> = truth.row(arm).iter().zip(problem_precisions(&problem, arm).iter()).map(noisy).collect();
        study.tell(arm, &values).unwrap();
        if study.stopped() || study.tally().total().is_multiple_of(500) {
            let assessment = study.assessment();
            let certain = assessment.arms.iter().filter(|arm| arm.certain).count();
            assert_eq!(certain == problem.arm_count(), study.stopped(), "after {}", study.tally().total());
            assert_eq!(assessment.progress.suffices(), study.stopped());
        }
    }
    assert_eq!(study.verdict().front, [8, 18]);
}

fn problem_precisions(problem: &Problem, arm: usize) -> Vec<f64> {
    (0..problem.objective_count()).map(|j| 1.0 / problem.noise(arm, j).variance().unwrap()).collect()
}

/// Observations of two arms with unknown variances, told at once.
fn told(rows: &[(usize, f64)]) -> Study {
    let problem = problem(2, 1, Noise::Unknown);
    let mut tally = Tally::new(&problem);
    rows.iter().for_each(|&(arm, value)| tally.add(&problem, arm, &[value]).unwrap());
    let rule = RuleKind::Dual.rule(&problem, DELTA).unwrap();
    let settings = Settings::new(rule, Stopping::Calibrated(Calibrated::new(DELTA).unwrap()));
    Study::with_observations(problem, settings, tally, vec![0, 0], &[], None).unwrap()
}

#[test]
fn equal_repeats_are_no_evidence() {
    let mut study = told(&[0, 1].repeat(50).into_iter().map(|arm| (arm, arm as f64)).collect::<Vec<_>>());
    assert!(!study.stopped() && study.verdict().progress.fraction < 0.2, "{:?}", study.verdict());
    assert!(study.assessment().arms.iter().all(|arm| !arm.certain));
}

#[test]
fn fewer_than_four_observations_are_no_evidence() {
    let rows = [(0, 0.0), (0, 0.1), (0, -0.1), (1, 1e6), (1, 1e6 + 0.1), (1, 1e6 - 0.1)];
    let mut study = told(&rows);
    assert_eq!(study.verdict().progress.evidence, 0.0);
    assert!(study.assessment().arms.iter().all(|arm| !arm.certain));
    let fourth = [(0, 0.05), (1, 1e6 + 0.05)];
    assert!(told(&[&rows[..], &fourth].concat()).stopped());
}
