//! Equal repeats are no evidence, and where values are few or coarse the Gaussian form is not trusted: what that promises, and what it does not hold up. Seeds are
//! fixed; what the false-alarm rates are stands beside each test.

use crate::effort;
use crate::instances::{most_expected, problem};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rayon::prelude::*;
use surefront::{
    Caveat, Goal, Noise, Objective, Problem, Rule, Settings, StoppingKind, Study, Tally, Uniform, Weakest,
};

/// Draws an observation of an arm.
type Draw = fn(usize, &mut Xoshiro256PlusPlus) -> f64;

fn study(problem: Problem, rule: Rule, stopping: StoppingKind, delta: f64, seed: u64) -> Study {
    Study::new(problem, Settings::new(rule, stopping.stopping(delta).unwrap()).seed(seed)).unwrap()
}

/// A study of two arms of which the second is better, in one objective of unknown variance: whether a wrong verdict was ever given.
fn ever_misled(stopping: StoppingKind, noise: Noise, draw: Draw, delta: f64, samples: u64, seed: u64) -> bool {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut study = study(problem(2, 1, noise), Rule::Weakest(Weakest::default()), stopping, delta, seed);
    for number in 1..=samples {
        let arm = study.ask();
        study.tell(arm, &[draw(arm, &mut rng)]).unwrap();
        let wrong = study.stopped() && study.verdict().front != [1];
        if wrong
            || (number % 10 == 0
                && study.assessment().arms.iter().any(|arm| arm.certain)
                && study.verdict().front != [1])
        {
            return true;
        }
    }
    false
}

/// One value, and one in a hundred times another.
fn rarely(usual: f64, rare: f64, rng: &mut Xoshiro256PlusPlus) -> f64 {
    if rng.random_bool(0.01) { rare } else { usual }
}

/// Counts of events with this mean.
fn count(mean: f64, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let (mut count, mut left, mut term) = (0.0, rng.random::<f64>() * mean.exp(), 1.0);
    while left > term {
        left -= term;
        count += 1.0;
        term *= mean / count;
    }
    count
}

/// 0/1 outcomes, small counts, a constant against rare outliers, a constant with rare outliers beside fine values: where values repeat, a small sample variance is no evidence, nor is the range of
/// other arms. 8 cases of 40 runs, in long mode of 1,000: a proof that is right fails in one of 120,000 seeds at most. Sample variances and bounds on them erred
/// in 32 %, 30 % and 94 % of the runs of the first three, the range of all arms in nearly all of the last; in 99 of 100 seeds a rate of 0.2 is noticed with 40 runs, one of 0.03 with 1,000.
#[test]
fn coarse_values_are_no_evidence() {
    let cases: [(&str, Draw); 4] = [
        ("0/1", |arm, rng| f64::from(u8::from(rng.random_bool([0.98, 0.99][arm])))),
        ("counts", |arm, rng| count([0.1, 0.15][arm], rng)),
        ("outliers", |arm, rng| {
            let rare = 200.0 + rng.random::<f64>();
            if arm == 0 { 1.0 } else { rarely(0.0, rare, rng) }
        }),
        ("beside fine values", BESIDE_FINE),
    ];
    let (delta, runs) = (0.01, effort::either(40, 1000));
    for (name, draw) in cases {
        for noise in [Noise::Unknown, Noise::Common] {
            let misled = |&seed: &u64| ever_misled(StoppingKind::Certified, noise, draw, delta, 1500, seed);
            let wrong = (0..runs).into_par_iter().filter(misled).count() as u64;
            assert!(wrong <= most_expected(runs, delta, 1e-6), "{name}, {noise:?}: {wrong} of {runs} wrong");
        }
    }
}

/// Of fine values around .5, and .4 but for one in a hundred that is 20 more: .6 on average.
const BESIDE_FINE: Draw = |arm, rng| match arm {
    0 => 0.5 + 0.001 * rng.sample::<f64, _>(StandardNormal),
    _ => rarely(0.4, 20.4, rng),
};

/// What is only likely is not said from repeats either: 2 thresholds of 300 runs up to 300 samples, none of which may say that the constant is worse. There is no chance in
/// it but that three of some hundred observations are outliers and the fine values are sure to be ahead all the same.
#[test]
fn nothing_is_likely_by_equal_repeats() {
    for stopping in [StoppingKind::Calibrated, StoppingKind::Stylized] {
        let misled = |&seed: &u64| ever_misled(stopping, Noise::Unknown, BESIDE_FINE, 0.1, 300, seed);
        let wrong = (0..300).into_par_iter().filter(misled).count();
        assert_eq!(wrong, 0, "{stopping:?}");
    }
}

/// Tells a study this value of this arm, so many times.
fn repeat(study: &mut Study, arm: usize, value: f64, times: usize) {
    (0..times).for_each(|_| study.tell(arm, &[value]).unwrap());
}

#[test]
fn equal_repeats_prove_nothing_and_that_is_said() {
    let mut study = study(problem(2, 1, Noise::Unknown), Rule::Uniform(Uniform), StoppingKind::Certified, 1e-12, 1);
    (0..2).for_each(|arm| repeat(&mut study, arm, 1.0 - arm as f64, 2));
    let assessment = study.assessment();
    assert!(!study.stopped() && assessment.arms.iter().all(|arm| !arm.certain), "{assessment:?}");
    assert_eq!(assessment.caveats, [Caveat::Equal { objective: 0, arms: vec![0, 1], always: true }]);
    let sentence = assessment.caveats[0].sentence(study.problem());
    assert!(sentence.contains("\"y0\"") && sentence.contains("has had one value only"), "{sentence}");
    assert!(sentence.contains("noise = \"exact\"") && sentence.contains("statistic = \"median\""), "{sentence}");
    // However often: it may be a constant with rare outliers.
    (0..2).for_each(|arm| repeat(&mut study, arm, 1.0 - arm as f64, 200));
    assert!(!study.stopped());
    // That an arm has shown how far it strays says nothing of the other.
    repeat(&mut study, 0, 0.0, 3);
    (0..2).for_each(|arm| repeat(&mut study, arm, 1.0 - arm as f64, 200));
    let assessment = study.assessment();
    assert!(!study.stopped() && assessment.arms.iter().all(|arm| !arm.certain), "{assessment:?}");
    let caveats = &assessment.caveats[..];
    assert!(
        matches!(caveats[0], Caveat::Equal { objective: 0, ref arms, always: true } if arms[..] == [1]),
        "{caveats:?}"
    );
    assert!(matches!(caveats[1], Caveat::Coarse { objective: 0, levels: Some(2), reach: 1.0 }), "{caveats:?}");
    // Once both have, the range bounds their noise; one or two values are not enough.
    repeat(&mut study, 1, 1.0, 2);
    assert!(!study.stopped());
    let nearly = &study.assessment().caveats[0];
    assert!(matches!(nearly, Caveat::Equal { always: false, .. }), "{nearly:?}");
    assert!(nearly.sentence(study.problem()).contains("arm \"arm 1\" has had one value, but for two at most"));
    repeat(&mut study, 1, 1.0, 1);
    assert!(study.stopped() && study.verdict().front == [0]);
    let sentence = study.assessment().caveats[0].sentence(study.problem());
    assert!(sentence.contains("only 2 different values"), "{sentence}");
}

/// Equal but for what computing left of them.
#[test]
fn rounding_errors_are_no_noise() {
    let mut study = study(problem(2, 1, Noise::Unknown), Rule::Uniform(Uniform), StoppingKind::Certified, 0.1, 1);
    for i in 0..200 {
        study.tell(0, &[[0.3, 0.1 + 0.2][i % 2]]).unwrap();
        study.tell(1, &[1.0 + 0.01 * (i % 17) as f64]).unwrap();
    }
    assert!(!study.stopped());
    assert_eq!(study.caveats(), [Caveat::Equal { objective: 0, arms: vec![0], always: true }]);
}

/// Of many observations with a standard deviation of nothing, as of so many that are equal.
#[test]
fn a_standard_deviation_of_zero_is_no_evidence() {
    let problem = problem(2, 1, Noise::Unknown);
    let mut tally = Tally::new(&problem);
    tally.add_summary(&problem, 0, 40, &[0.7], &[0.0]).unwrap();
    tally.add_summary(&problem, 1, 40, &[0.1], &[0.01]).unwrap();
    assert_eq!((tally.telling(0, 0), tally.telling(1, 0)), (1.0, 40.0));
    for stopping in [StoppingKind::Certified, StoppingKind::Calibrated, StoppingKind::Stylized] {
        let settings = Settings::new(Rule::Uniform(Uniform), stopping.stopping(0.1).unwrap());
        let mut study =
            Study::with_observations(problem.clone(), settings, tally.clone(), vec![0; 2], &[], None).unwrap();
        assert!(!study.stopped() && study.assessment().arms.iter().all(|arm| !arm.certain), "{stopping:?}");
        assert_eq!(study.caveats().len(), 1, "{stopping:?}");
    }
}

/// Under the stylized threshold as well.
#[test]
fn equal_repeats_are_no_evidence_without_a_proof_either() {
    let mut study = study(problem(2, 1, Noise::Unknown), Rule::Uniform(Uniform), StoppingKind::Stylized, 0.1, 1);
    (0..2).for_each(|arm| repeat(&mut study, arm, 1.0 - arm as f64, 20));
    assert!(!study.stopped() && study.verdict().progress.evidence < 1e-6, "{:?}", study.verdict());
    for arm in 0..2 {
        assert!(!study.stopped());
        [0.1, -0.1, 0.05].into_iter().for_each(|off| study.tell(arm, &[1.0 - arm as f64 + off]).unwrap());
    }
    assert!(study.stopped());
}

/// An arm of which nothing can be said keeps its own claims open, and no others: neither by taking all observations nor by making others coarse.
#[test]
fn an_arm_with_one_value_does_not_keep_others_waiting() {
    let truth = [9.0, 1.0, 0.5, 0.0];
    let mut study = study(
        Problem::new(
            vec![Objective::new("score", Goal::Max, Noise::Unknown)],
            ["left out", "best", "constant", "worse"].into_iter().map(surefront::Arm::named).collect(),
        )
        .unwrap(),
        Rule::Weakest(Weakest::default()),
        StoppingKind::Certified,
        0.05,
        1,
    );
    study.leave_out(0).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    while study.tally().total() < 600 {
        let arm = study.ask();
        let spread = if arm == 2 { 0.0 } else { 0.3 };
        study.tell(arm, &[truth[arm] + spread * rng.sample::<f64, _>(StandardNormal)]).unwrap();
    }
    let assessment = study.assessment();
    let certain: Vec<bool> = assessment.arms.iter().map(|arm| arm.certain).collect();
    assert_eq!(certain[1..], [false, false, true], "{assessment:?}");
    assert!(!study.stopped());
    let [caveat @ Caveat::Equal { arms, .. }] = &assessment.caveats[..] else { panic!("{:?}", assessment.caveats) };
    assert!(
        arms[..] == [2] && caveat.sentence(study.problem()).contains("all values of arm \"constant\" are the same")
    );
}

/// Nothing is known of the noise of an arm that has had one value: it holds the study up, but the two need not be close.
#[test]
fn an_arm_that_repeats_is_in_no_tie() {
    let tie = |repeats: bool| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let problem = problem(2, 1, Noise::Unknown);
        let mut study = study(problem, Rule::Uniform(Uniform), StoppingKind::Certified, 0.1, 1);
        for number in 0..60 {
            let noise: f64 = rng.sample(StandardNormal);
            let value = if number % 2 == 1 && repeats { 0.02 } else { noise };
            study.tell(number % 2, &[value]).unwrap();
        }
        assert!(!study.stopped());
        study.tie().is_some()
    };
    assert!(tie(false) && !tie(true));
}
