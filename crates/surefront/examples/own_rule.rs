//! A sampling rule of one's own, raced against those of the library: `cargo run --release -p surefront --example own_rule`.
//!
//! The rule is the ten lines of `FrontTwice`: it measures the arms of the front twice as often as the others. The race is the loop in `main`: the same noise
//! for every rule, samples until a proof, and how often the right front is named once 200 samples are spent.

use std::sync::atomic::AtomicBool;

use surefront::{
    Arm, Goal, Model, Noise, Objective, Problem, Round, Rule, RuleKind, SamplingRule, Settings, Simulation,
    StoppingKind, Summary,
};

/// Arms of the front twice as often as the others.
#[derive(Clone, Debug, PartialEq)]
struct FrontTwice;

impl SamplingRule for FrontTwice {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let share = |arm: usize| if round.front.contains(arm) { 2.0 } else { 1.0 };
        let total: f64 = (0..round.problem.arm_count()).map(share).sum();
        let time = round.time() as f64;
        round.furthest_behind(|arm| time * share(arm) / total)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const RUNS: u64 = 100;
    let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(0.5));
    let arms = ["small", "medium", "large", "old"].map(Arm::named).to_vec();
    let problem = Problem::new(vec![objective("accuracy", Goal::Max), objective("latency", Goal::Min)], arms)?;
    let truth = Model::new(&problem, &[[1.0, 1.0], [2.0, 2.0], [3.0, 4.0], [1.5, 3.0]])?;
    let others = [RuleKind::Weakest, RuleKind::Dual, RuleKind::Ape, RuleKind::Uniform];
    let others = others.map(|kind| kind.rule(&problem, 0.05)).into_iter().collect::<Result<Vec<_>, _>>()?;
    for rule in [Rule::custom(FrontTwice)].into_iter().chain(others) {
        let settings = Settings::new(rule, StoppingKind::Certified.stopping(0.05)?).seed(1);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings.clone(), 100_000)?;
        let Summary { mean, se, mistakes, .. } =
            Summary::of(&simulation.replicate(0..RUNS, &AtomicBool::new(false), |_| {}));
        let right = (0..RUNS).filter(|&index| simulation.spend(index, &[200])[0].right).count();
        let name = settings.rule.name();
        println!(
            "{name:8} {mean:6.0} ± {se:3.0} samples to a proof, {mistakes} mistakes; right after 200: {right} of {RUNS}"
        );
    }
    Ok(())
}
