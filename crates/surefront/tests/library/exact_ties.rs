//! Arms that are equal where there is no noise: what the front is by definition, the bound, and both stops agree, and studies end.

use crate::instances::problem;
use proptest::prelude::*;
use surefront::{
    Arm, BoundError, Front, Goal, Model, Noise, Objective, Problem, RuleKind, Settings, Standing, StoppingKind, Study,
    bound,
};

/// Measures without any error until the study is sure, or `most` times.
fn run(problem: &Problem, means: &[Vec<f64>], rule: RuleKind, stop: StoppingKind, most: u64) -> Study {
    let settings = Settings::new(rule.rule(problem, 0.1).unwrap(), stop.stopping(0.1).unwrap());
    let mut study = Study::new(problem.clone(), settings).unwrap();
    while !study.stopped() && study.tally().total() < most {
        let arm = study.ask();
        study.tell(arm, &means[arm]).unwrap();
    }
    study
}

/// By the definition: not strictly worse somewhere and nowhere better than another.
fn slow_front(means: &[Vec<f64>]) -> Vec<usize> {
    let dominates = |a: &[f64], b: &[f64]| a != b && a.iter().zip(b).all(|(x, y)| x >= y);
    (0..means.len()).filter(|&arm| !means.iter().any(|other| dominates(other, &means[arm]))).collect()
}

#[test]
fn twins_without_noise_are_both_on_the_front_at_once() {
    let problem = problem(3, 2, Noise::Exact);
    let means = [vec![1.0, 2.0], vec![1.0, 2.0], vec![0.0, 2.0]];
    assert_eq!(bound(&problem, &Model::new(&problem, &means).unwrap(), 1e-6).unwrap().upper, 0.0);
    for &stop in StoppingKind::ALL {
        for &rule in RuleKind::ALL {
            let mut study = run(&problem, &means, rule, stop, 100);
            assert_eq!((study.tally().total(), study.verdict().front), (3, vec![0, 1]), "{rule} {stop}");
            let assessment = study.assessment();
            let standings: Vec<_> = assessment.arms.iter().map(|arm| (arm.standing, arm.certain)).collect();
            let expected = [Standing::In, Standing::In, Standing::Out].map(|standing| (Some(standing), true));
            assert_eq!(standings, expected, "{rule} {stop}");
        }
    }
}

#[test]
fn equal_without_noise_and_different_with_it_can_be_decided() {
    let objective = |name: &str, noise| Objective::new(name, Goal::Max, noise);
    let objectives = vec![objective("bytes", Noise::Exact), objective("speed", Noise::Variance(1.0))];
    let problem = Problem::new(objectives, ["a", "b", "c"].map(Arm::named).to_vec()).unwrap();
    // The second is dominated by the first with a tie in bytes; the third is better in bytes alone.
    let means = [vec![1.0, 3.0], vec![1.0, 1.0], vec![2.0, 2.0]];
    let t_star = bound(&problem, &Model::new(&problem, &means).unwrap(), 1e-6).unwrap();
    assert!(t_star.lower > 0.0);
    for &stop in StoppingKind::ALL {
        for &rule in RuleKind::ALL {
            let study = run(&problem, &means, rule, stop, 5_000);
            assert!(study.stopped(), "{rule} {stop}");
            assert_eq!(study.verdict().front, [0, 2], "{rule} {stop}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Small integers, so that ties of all kinds are common. Where the bound is finite, every study ends with the front; where it says that
    /// no number of samples suffices, none does.
    #[test]
    fn the_bound_and_both_stops_agree(
        exact in prop::collection::vec(any::<bool>(), 9),
        by_arm in any::<bool>(),
        d in 1usize..4,
        values in prop::collection::vec(prop::collection::vec(0i32..3, 3), 1..6),
        rule in prop::sample::select(&[RuleKind::Dual, RuleKind::Uniform, RuleKind::Weakest][..]),
    ) {
        let law = |exact: bool| if exact { Noise::Exact } else { Noise::Variance(0.5) };
        let objectives = (0..d).map(|j| Objective::new(format!("{j}"), Goal::Max, law(exact[j])));
        let arms = (0..values.len()).map(|arm| {
            let own = (0..d).map(|j| law(exact[(3 * arm + j) % 9])).collect();
            Arm::named(format!("arm {arm}")).with_noise(by_arm.then_some(own))
        });
        let problem = Problem::new(objectives.collect(), arms.collect()).unwrap();
        let means: Vec<Vec<f64>> = values.iter().map(|row| row[..d].iter().map(|&v| f64::from(v)).collect()).collect();
        let model = Model::new(&problem, &means).unwrap();
        let front = slow_front(&means);
        prop_assert_eq!(Front::of(&model).members().to_vec(), front.clone());
        let possible = match bound(&problem, &model, 1e-3) {
            Ok(bound) => Some(bound),
            Err(BoundError::Twins { .. } | BoundError::Tie { .. }) => None,
            Err(other) => panic!("{other}"),
        };
        for &stop in StoppingKind::ALL {
            let study = run(&problem, &means, rule, stop, if possible.is_some() { 20_000 } else { 500 });
            prop_assert_eq!(study.stopped(), possible.is_some(), "{} {:?}", stop, possible);
            if let Some(bound) = &possible {
                prop_assert_eq!(study.verdict().front, front.clone());
                if bound.upper == 0.0 {
                    prop_assert_eq!(study.tally().total(), values.len() as u64, "{}: nothing to learn", stop);
                }
            }
        }
    }
}
