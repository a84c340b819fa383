//! Mistakes on instances that are hard for the rules: many arms with equal small gaps, one arm just off the front, arms in a
//! line. Seeds are fixed. A test fails if the mistakes are more than a true rate of δ would produce with probability 10⁻⁴.

mod instances;

use std::sync::atomic::AtomicBool;

use instances::{most_expected, problem};
use surefront::{Dual, Evaluation, Model, Noise, Rule, Settings, Simulation, Stopping, Stylized, Summary, Uniform};

fn hard_instances() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let mut equal_gaps = vec![vec![0.0, 0.0]; 100];
    equal_gaps[42] = vec![0.8, 0.8];
    let line = (0..8).map(|i| vec![0.8 * f64::from(i), 0.8 * f64::from(7 - i)]).collect();
    let mut diagonal: Vec<Vec<f64>> = (0..8).map(|i| vec![0.7 * f64::from(i); 3]).collect();
    diagonal.swap(0, 7);
    vec![
        ("100 arms, equal gaps", equal_gaps),
        ("one arm just off the front", vec![vec![1.0, 0.0, 0.5], vec![0.0, 1.0, 0.5], vec![0.85, -0.15, 0.35]]),
        ("a front in a line", line),
        ("arms in a line, one dominates all", diagonal),
        (
            "a dominator by a hair and one with ease",
            vec![vec![1.0, 1.0], vec![0.9, 2.0], vec![0.75, 0.8], vec![2.0, 0.0]],
        ),
    ]
}

#[test]
fn mistakes_stay_below_delta() {
    for (name, means) in hard_instances() {
        let problem = problem(means.len(), means[0].len(), Noise::Variance(1.0));
        let truth = Model::new(&problem, &means).unwrap();
        for (delta, runs) in [(0.1, 200), (0.01, 60)] {
            for rule in [Rule::Dual(Dual::default()), Rule::Uniform(Uniform)] {
                let rule_name = rule.name();
                let stopping = Stopping::Stylized(Stylized::new(delta).unwrap());
                let settings = Settings { rule, stopping, check_every: 1, seed: 1, evaluation: Evaluation::Lazy };
                let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 1_000_000);
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
