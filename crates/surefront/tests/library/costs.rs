//! Measurements that cost differently: the least total cost, and rules that keep to it.

use std::sync::atomic::AtomicBool;

use crate::instances::problem;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Front, Goal, Method, Model, Noise, Objective, Oracle, Problem, Question, RuleKind, Settings, Simulation,
    StoppingKind, Study, StudyError, Summary, bound,
};

fn objectives(d: usize) -> Vec<Objective> {
    (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect()
}

/// Random means, each arm with a cost; and the same arms without costs, whose variances are as many times larger.
fn random(rng: &mut Xoshiro256PlusPlus, k: usize, d: usize, most: f64) -> (Problem, Problem, Model) {
    let costs: Vec<f64> = (0..k).map(|_| most.powf(rng.random_range(0.0..1.0))).collect();
    let arm = |k: usize| Arm::named(format!("a{k}"));
    let dear = (0..k).map(|k| arm(k).with_cost(costs[k])).collect();
    let noisy = (0..k).map(|k| arm(k).with_noise(vec![Noise::Variance(costs[k]); d])).collect();
    let (dear, noisy) = (Problem::new(objectives(d), dear).unwrap(), Problem::new(objectives(d), noisy).unwrap());
    let means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.random_range(0.0..1.0)).collect()).collect();
    let model = Model::new(&dear, &means).unwrap();
    (dear, noisy, model)
}

/// A measurement that costs c is worth as much per cost as one with c times the variance that costs one.
#[test]
fn a_cost_is_to_the_bound_as_a_variance() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..100 {
        let (k, d, most) = (rng.random_range(2..20), rng.random_range(1..4), [20.0, 1e6][round % 2]);
        let (dear, noisy, model) = random(&mut rng, k, d, most);
        let found = bound(&dear, &model, 1e-7).unwrap();
        let expected = bound(&noisy, &model, 1e-7).unwrap();
        assert!((found.upper / expected.upper - 1.0).abs() < 3e-7, "round {round}: {found:?} {expected:?}");
        // The shares of the samples attain it, at what they cost.
        assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((dear.total_cost(&found.weights) / found.mean_cost - 1.0).abs() < 1e-12);
        let front = Front::of(&model);
        let question = Question::new(&dear, &model, &front, &found.weights).unwrap();
        let attained = Oracle::new(&dear, Method::Branch).unwrap().closest(&question).unwrap().cost;
        assert!((attained * found.samples() - 1.0).abs() < 1e-9, "round {round}");
    }
}

/// Two arms, and a third that is far behind: one, and one at twenty times the price. Shared evenly, the samples cost 1.4 times what they need to. With 400 runs the ratio of `weakest` is 0.74 ± 0.03: other seeds would
/// fail one time in a thousand.
#[test]
fn rules_spend_less_where_measuring_costs_differ() {
    let arms = |cost: f64| (0..3).map(|k| Arm::named(format!("a{k}")).with_cost([1.0, cost][k % 2])).collect();
    let (dear, alike) = (Problem::new(objectives(2), arms(20.0)), Problem::new(objectives(2), arms(1.0)));
    let (dear, alike) = (dear.unwrap(), alike.unwrap());
    let truth = Model::new(&dear, &[[1.0, 1.0], [0.8, 0.5], [-1.0, -1.0]]).unwrap();
    for (rule, threshold) in [(RuleKind::Dual, StoppingKind::Stylized), (RuleKind::Weakest, StoppingKind::Certified)] {
        let cost = |problem: &Problem| {
            let settings = Settings::new(rule.rule(problem, 0.1).unwrap(), threshold.stopping(0.1).unwrap());
            let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 1_000_000).unwrap();
            let spent = |index: u64| {
                let mut spent = 0.0;
                simulation.run_seen(index, |arm, _| spent += dear.cost(arm));
                spent
            };
            (0..400).map(spent).sum::<f64>() / 400.0
        };
        let (heeded, ignored) = (cost(&dear), cost(&alike));
        assert!(heeded < 0.85 * ignored, "{rule:?}: {heeded} {ignored}");
    }
}

#[test]
fn what_runs_cost_is_summed_up() {
    let arms = vec![Arm::named("a").with_cost(3.0), Arm::named("b").with_cost(0.5)];
    let dear = Problem::new(objectives(2), arms).unwrap();
    let truth = Model::new(&dear, &[[1.0, 1.0], [0.0, 0.2]]).unwrap();
    let settings =
        Settings::new(RuleKind::Dual.rule(&dear, 0.1).unwrap(), StoppingKind::Stylized.stopping(0.1).unwrap());
    let simulation = Simulation::new(dear.clone(), truth, settings, 100_000).unwrap();
    let runs = simulation.replicate(0..5, &AtomicBool::new(false), |_| {});
    let mut spent = 0.0;
    simulation.run_seen(0, |arm, _| spent += dear.cost(arm));
    assert!((runs[0].cost / spent - 1.0).abs() < 1e-9);
    let summary = Summary::of(&runs);
    assert!((summary.mean_cost * 5.0 / runs.iter().map(|run| run.cost).sum::<f64>() - 1.0).abs() < 1e-9);
}

/// Measured costs change which arm is next; what they are told must be costs.
#[test]
fn costs_may_be_learned() {
    let problem = problem(3, 1, Noise::Variance(1.0));
    let settings = |rule: RuleKind| {
        Settings::new(rule.rule(&problem, 0.1).unwrap(), StoppingKind::Stylized.stopping(0.1).unwrap())
    };
    let mut study = Study::new(problem.clone().with_measured_costs(), settings(RuleKind::Dual)).unwrap();
    assert!(study.problem().measures_costs() && study.problem().cost(0) == 1.0);
    for arm in 0..3 {
        study.tell(arm, &[arm as f64]).unwrap();
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = study.set_costs(&[1.0, bad, 1.0]).unwrap_err();
        assert!(matches!(error, StudyError::BadCost { number: 2, .. }), "{error}");
    }
    assert!(matches!(study.set_costs(&[1.0]), Err(StudyError::CostCount { found: 1, expected: 3 })));
    // Arms 1 and 2 are to be told apart, with as many observations each: the dear one is hardly asked for.
    study.set_costs(&[1.0, 1.0, 1e6]).unwrap();
    let asked = study.ask_batch(50);
    assert!(asked.iter().filter(|&&arm| arm == 1).count() >= 40, "{asked:?}");
    assert_eq!(study.cost(), 1_000_002.0);
    study.leave_out(0).unwrap();
    assert_eq!(study.cost(), 1_000_002.0);

    for rule in [RuleKind::TrackAndStop, RuleKind::Ape] {
        let refused = Study::new(problem.clone().with_measured_costs(), settings(rule));
        assert!(matches!(refused, Err(StudyError::RuleForOneCost { .. })), "{rule:?}");
        let mut unaware = Study::new(problem.clone(), settings(rule)).unwrap();
        assert!(matches!(unaware.set_costs(&[1.0; 3]), Err(StudyError::RuleForOneCost { .. })));
    }
}
