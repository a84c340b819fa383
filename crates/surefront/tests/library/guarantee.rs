//! Mistakes on instances that are hard for the rules: many arms with equal small gaps, one arm just off the front, arms in a
//! line. Seeds are fixed. A case fails if the mistakes are more than a true rate of δ would produce with probability 10⁻⁴, in either
//! mode: what differs is which rates are noticed.

use crate::effort;
use std::sync::atomic::AtomicBool;

use crate::instances::{most_expected, problem};
use surefront::{
    Arm, Dual, Model, Noise, NoiseLaw, Problem, Rule, Settings, Simulation, Stopping, Stylized, Summary, Uniform,
};

/// The many arms are 100 in long mode, and 30 otherwise.
fn hard_instances() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let (many, best) = effort::either((30, 12), (100, 42));
    let mut equal_gaps = vec![vec![0.0, 0.0]; many];
    equal_gaps[best] = vec![0.8, 0.8];
    let line = (0..8).map(|i| vec![0.8 * f64::from(i), 0.8 * f64::from(7 - i)]).collect();
    let mut diagonal: Vec<Vec<f64>> = (0..8).map(|i| vec![0.7 * f64::from(i); 3]).collect();
    diagonal.swap(0, 7);
    vec![
        ("many arms, equal gaps", equal_gaps),
        ("one arm just off the front", vec![vec![1.0, 0.0, 0.5], vec![0.0, 1.0, 0.5], vec![0.85, -0.15, 0.35]]),
        ("a front in a line", line),
        ("arms in a line, one dominates all", diagonal),
        (
            "a dominator by a hair and one with ease",
            vec![vec![1.0, 1.0], vec![0.9, 2.0], vec![0.75, 0.8], vec![2.0, 0.0]],
        ),
    ]
}

/// 20 cases: a false alarm in one of 500 seeds at most. At δ = 0.1, in 99 of 100 seeds, a true rate of 0.62 is noticed, in long mode
/// one of 0.26.
#[test]
fn mistakes_stay_below_delta() {
    for (name, means) in hard_instances() {
        let problem = problem(means.len(), means[0].len(), Noise::Variance(1.0));
        let truth = Model::new(&problem, &means).unwrap();
        for (delta, runs) in [(0.1, effort::either(25, 200)), (0.01, effort::either(10, 60))] {
            for rule in [Rule::Dual(Dual::default()), Rule::Uniform(Uniform)] {
                let rule_name = rule.name();
                let stopping = Stopping::Stylized(Stylized::new(delta).unwrap());
                let settings = Settings::new(rule, stopping).seed(1);
                let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 1_000_000).unwrap();
                let runs = simulation.replicate(0..runs, &AtomicBool::new(false), |_| ());
                let summary = Summary::of(&runs);
                assert_eq!(summary.undecided, 0, "{name}, {rule_name}");
                let most = most_expected(summary.runs, delta, 1e-4);
                assert!(summary.mistakes <= most, "{name}, {rule_name}, δ = {delta}: {summary:?}");
                // Nobody gets stuck.
                let median = summary.quantiles[2].1;
                assert!((summary.max as f64) < 12.0 * median, "{name}, {rule_name}, δ = {delta}: {summary:?}");
            }
        }
    }
}

/// Every arm with a variance of its own, the same in all objectives, from 1/4 to 4.
fn with_own_variances(problem: &Problem) -> Problem {
    let last = (problem.arm_count() - 1) as f64;
    let own = |(index, arm): (usize, &Arm)| {
        let variance = 16f64.powf(index as f64 / last) / 4.0;
        arm.clone().with_noise(vec![Noise::Variance(variance); problem.objective_count()])
    };
    Problem::new(problem.objectives().to_vec(), problem.arms().iter().enumerate().map(own).collect()).unwrap()
}

/// The kinds of noise that a study may meet without knowing: their names, their laws, and the problem with the variances.
fn unknown_noises(arms: usize, objectives: usize) -> [(&'static str, NoiseLaw, Problem); 3] {
    let equal = problem(arms, objectives, Noise::Variance(1.0));
    [
        ("Gaussian", NoiseLaw::Gaussian, equal.clone()),
        ("heavy tails", NoiseLaw::HeavyTailed, equal.clone()),
        ("variances by arm", NoiseLaw::Gaussian, with_own_variances(&equal)),
    ]
}

/// Runs of a study that has to learn the variances, under each kind of noise.
fn learning_variances(means: &[Vec<f64>], delta: f64, runs: u64, max_samples: u64) -> [(&'static str, Summary); 3] {
    let (arms, objectives) = (means.len(), means[0].len());
    unknown_noises(arms, objectives).map(|(noise, law, actual)| {
        let settings =
            Settings::new(Rule::Dual(Dual::default()), Stopping::Stylized(Stylized::new(delta).unwrap())).seed(1);
        let truth = Model::new(&actual, means).unwrap();
        let simulation = Simulation::new(problem(arms, objectives, Noise::Unknown), truth, settings, max_samples)
            .unwrap()
            .with_noise(law, actual)
            .unwrap();
        (noise, Summary::of(&simulation.replicate(0..runs, &AtomicBool::new(false), |_| ())))
    })
}

/// 9 cases: a false alarm in one of 1,100 seeds at most. In 99 of 100 seeds a true rate of 0.46 is noticed, in long mode one of 0.26.
#[test]
fn mistakes_with_unknown_variances_stay_below_delta() {
    let instances = [
        ("one arm just off the front", vec![vec![1.0, 0.0, 0.5], vec![0.0, 1.0, 0.5], vec![0.7, -0.3, 0.2]]),
        ("a front in a line", (0..8).map(|i| vec![0.8 * f64::from(i), 0.8 * f64::from(7 - i)]).collect()),
        ("wide gaps", (0..12).map(|i| vec![1.5 * f64::from(i), 1.5 * f64::from(i * 5 % 12)]).collect()),
    ];
    let (delta, runs) = (0.1, effort::either(50, 200));
    for (name, means) in instances {
        for (noise, summary) in learning_variances(&means, delta, runs, 1_000_000) {
            assert_eq!((summary.runs, summary.undecided), (runs, 0), "{name}, {noise}");
            assert!(summary.mistakes <= most_expected(runs, delta, 1e-4), "{name}, {noise}: {summary:?}");
        }
    }
}

/// Two arms that nobody can tell apart in 100 samples, and a small δ: whoever is sure by then has mistaken a few observations that
/// happen to lie close together for little noise. Plain sample variances err in some 4 % of the runs.
///
/// 6 cases: a false alarm in one of 1,600 seeds at most. In 99 of 100 seeds a true rate of 0.015 is noticed, in long mode one of 0.006.
#[test]
fn few_observations_do_not_fake_certainty() {
    let (delta, runs) = (0.001, effort::either(1000, 5000));
    for means in [vec![vec![0.0], vec![0.02]], vec![vec![0.0, 0.0], vec![0.02, 0.02]]] {
        for (noise, summary) in learning_variances(&means, delta, runs, 100) {
            let most = most_expected(runs, delta, 1e-4);
            assert!(summary.mistakes <= most, "{noise}, {means:?}: {summary:?}");
        }
    }
}
