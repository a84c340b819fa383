//! A sampling rule of one's own: `cargo run -p surefront --example own_rule`.
//!
//! It measures the arms of the front twice as often as the others; beside it, the rule that comes with the library.

use surefront::{
    Arm, Goal, Model, Noise, Objective, Problem, Round, Rule, RuleKind, SamplingRule, Settings, Simulation,
    StoppingKind,
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
    let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(0.5));
    let arms = ["small", "medium", "large", "old"].map(Arm::named).to_vec();
    let problem = Problem::new(vec![objective("accuracy", Goal::Max), objective("latency", Goal::Min)], arms)?;
    let truth = Model::new(&problem, &[[1.0, 1.0], [2.0, 2.0], [3.0, 4.0], [1.5, 3.0]])?;
    let stopping = StoppingKind::Certified.stopping(0.05)?;
    for rule in [Rule::custom(FrontTwice), RuleKind::Weakest.rule(&problem, 0.05)?] {
        let settings = Settings::new(rule, stopping.clone()).seed(1);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings.clone(), 100_000)?;
        let run = simulation.run(0);
        println!("{}: {:?} after {} samples", settings.rule.name(), run.outcome, run.samples);
    }
    Ok(())
}
