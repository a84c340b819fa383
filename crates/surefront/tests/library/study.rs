//! The ring from outside: what ask, tell, save and resume promise, for every rule.

use std::num::NonZeroU64;
use std::sync::atomic::AtomicBool;

use crate::instances::{problem, rules, vaccine};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Dual, Goal, Memory, Model, Noise, Objective, Outcome, Problem, Rule, SavedStudy, Settings, Simulation,
    Standing, Stopping, Study, Stylized, Summary, Tally, Uniform,
};

fn settings(rule: Rule, seed: u64) -> Settings {
    let stopping = Stopping::Stylized(Stylized::new(0.1).unwrap());
    Settings::new(rule, stopping).seed(seed)
}

/// Observations that depend only on the arm and how often it was measured.
fn observation(truth: &Model, problem: &Problem, arm: usize, number: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 * number + arm as u64);
    truth.in_units(problem, arm).iter().map(|mean| mean + rng.random_range(-1.5..1.5)).collect()
}

/// Asks and tells `rounds` times, saving and resuming through JSON after each of the `breaks`; the arms asked for.
fn decisions(problem: &Problem, truth: &Model, rule: Rule, rounds: u64, breaks: &[u64]) -> Vec<usize> {
    let mut study = Study::new(problem.clone(), settings(rule, 5)).unwrap();
    let mut arms = Vec::new();
    for round in 0..rounds {
        let arm = study.ask();
        arms.push(arm);
        if breaks.contains(&round) {
            // Killed between ask and tell.
            let text = serde_json::to_string(&study.save()).unwrap();
            let saved: SavedStudy = serde_json::from_str(&text).unwrap();
            study = Study::resume(problem.clone(), saved).unwrap();
        }
        let number = study.tally().count(arm);
        study.tell(arm, &observation(truth, problem, arm, number)).unwrap();
    }
    arms
}

#[test]
fn every_rule_is_tested() {
    let tested: Vec<&str> = rules(&vaccine().0).iter().map(Rule::name).collect();
    for name in Rule::NAMES {
        assert!(tested.contains(name), "{name} is missing from the list of rules");
    }
}

#[test]
fn a_resumed_study_decides_as_if_never_interrupted() {
    let (problem, truth) = vaccine();
    for rule in rules(&problem) {
        let name = rule.name();
        let whole = decisions(&problem, &truth, rule.clone(), 600, &[]);
        let parts = decisions(&problem, &truth, rule, 600, &[0, 7, 19, 20, 21, 100, 333, 599]);
        assert_eq!(whole, parts, "{name}");
    }
}

#[test]
fn every_arm_is_measured_before_the_rule_decides() {
    let (problem, truth) = vaccine();
    for rule in rules(&problem) {
        let first = decisions(&problem, &truth, rule, 20, &[]);
        assert_eq!(first, (0..20).collect::<Vec<_>>());
    }
}

#[test]
fn a_saved_study_of_another_problem_is_refused() {
    let (vaccine, _) = vaccine();
    let saved = Study::new(vaccine, settings(Rule::Dual(Dual::default()), 1)).unwrap().save();
    let other = problem(3, 2, Noise::Variance(1.0));
    assert!(Study::resume(other, saved).unwrap_err().to_string().contains("another problem"));
}

#[test]
fn what_was_asked_counts_for_the_allocation_and_not_for_the_stop() {
    let problem = problem(2, 1, Noise::Variance(1.0));
    let mut study = Study::new(problem, settings(Rule::Uniform(Uniform), 1)).unwrap();
    assert_eq!(study.ask_batch(5), [0, 1, 0, 1, 0]);
    study.tell(0, &[100.0]).unwrap();
    assert!(!study.stopped(), "arm 1 has been asked for but nothing is known of it");
    // One of three questions about arm 0 is answered, one taken back: arm 0 stands at 2, as arm 1 does.
    study.cancel(0).unwrap();
    assert_eq!(study.ask(), 0);
    study.tell(1, &[0.0]).unwrap();
    assert!(study.stopped());
    assert_eq!(study.verdict().front, [0]);
}

#[test]
fn nobody_has_to_ask_before_telling() {
    let problem = problem(2, 1, Noise::Variance(1.0));
    let mut study = Study::new(problem, settings(Rule::Uniform(Uniform), 1)).unwrap();
    for _ in 0..4 {
        study.tell(0, &[1.0]).unwrap();
    }
    assert_eq!(study.ask_batch(4), [1, 1, 1, 1]);
    assert!(study.tell(2, &[0.0]).is_err() && study.tell(0, &[f64::NAN]).is_err() && study.tell(0, &[]).is_err());
    assert_eq!(study.tally().total(), 4);
}

#[test]
fn a_single_arm_is_sure_at_once() {
    let mut study = Study::new(problem(1, 3, Noise::Variance(1.0)), settings(Rule::Dual(Dual::default()), 1)).unwrap();
    let arm = study.ask();
    study.tell(arm, &[1.0, 2.0, 3.0]).unwrap();
    assert!(study.stopped());
    assert_eq!(study.verdict().front, [0]);
}

#[test]
fn without_noise_one_observation_each_suffices() {
    let problem = problem(3, 2, Noise::Exact);
    for rule in rules(&problem) {
        let mut study = Study::new(problem.clone(), settings(rule, 1)).unwrap();
        for values in [[1.0, 2.0], [2.0, 1.0], [0.0, 1.0]] {
            let arm = study.ask();
            study.tell(arm, &values).unwrap();
        }
        assert!(study.stopped());
        assert_eq!(study.verdict().front, [0, 1]);
    }
}

#[test]
fn rounded_observations_tie_and_still_come_to_an_answer() {
    // Values rounded to whole numbers: the means tie again and again on the way.
    let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(1.0));
    let problem = Problem::new(
        vec![objective("gain", Goal::Max), objective("cost", Goal::Min)],
        (0..4).map(|arm| Arm::named(format!("arm {arm}"))).collect(),
    )
    .unwrap();
    let truth = [[3.0, 3.0], [1.0, 1.0], [0.0, 4.0], [2.0, 5.0]];
    for rule in rules(&problem) {
        let name = rule.name();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut study = Study::new(problem.clone(), settings(rule, 2)).unwrap();
        while !study.stopped() {
            let arm = study.ask();
            let values: Vec<f64> =
                truth[arm].iter().map(|mean| (mean + rng.random_range(-1.7..1.7f64)).round()).collect();
            study.tell(arm, &values).unwrap();
            assert!(study.tally().total() < 100_000, "{name} does not come to an end");
        }
        assert_eq!(study.verdict().front, [0, 1], "{name}");
    }
}

#[test]
fn the_stop_is_tested_as_often_as_asked() {
    let (problem, truth) = vaccine();
    let settings = settings(Rule::Dual(Dual::default()), 1).check_every(NonZeroU64::new(25).unwrap());
    let run = Simulation::new(problem, truth, settings, 1_000_000).unwrap().run(0);
    assert_eq!(run.samples % 25, 0);
    assert_eq!(run.outcome, Outcome::Correct);
}

#[test]
fn testing_the_stop_every_zero_samples_was_every_sample() {
    let saved = settings(Rule::Dual(Dual::default()), 1);
    let text = serde_json::to_string(&saved).unwrap().replace(r#""check_every":1"#, r#""check_every":0"#);
    assert!(text.contains(r#""check_every":0"#));
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), saved);
}

#[test]
fn replications_do_not_depend_on_threads_or_ranges() {
    let (problem, truth) = vaccine();
    let simulation = Simulation::new(problem, truth, settings(Rule::Dual(Dual::default()), 11), 1_000_000).unwrap();
    let go = AtomicBool::new(false);
    let with = |threads: usize, range: std::ops::Range<u64>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let runs = pool.install(|| simulation.replicate(range, &go, |_| ()));
        runs.iter().map(|run| (run.index, run.samples, run.outcome)).collect::<Vec<_>>()
    };
    let whole = with(1, 0..12);
    assert_eq!(whole, with(3, 0..12));
    assert_eq!(whole[5..], with(2, 5..12)[..]);
    assert!(whole.windows(2).any(|pair| pair[0].1 != pair[1].1), "replications differ");
}

#[test]
fn the_limit_on_samples_leaves_a_run_undecided() {
    let (problem, truth) = vaccine();
    let simulation = Simulation::new(problem, truth, settings(Rule::Uniform(Uniform), 1), 100).unwrap();
    let runs = simulation.replicate(0..3, &AtomicBool::new(false), |_| ());
    let summary = Summary::of(&runs);
    assert_eq!((summary.undecided, summary.mistakes, summary.max), (3, 0, 100));
    assert!(simulation.replicate(0..3, &AtomicBool::new(true), |_| ()).is_empty(), "interrupted before it began");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A batch is asked for, and told in any order: the estimates are the same to the last digit.
    #[test]
    fn the_order_of_telling_does_not_change_the_estimates(seed in 0u64..1000, order in Just((0..40usize).collect::<Vec<_>>()).prop_shuffle()) {
        let (problem, truth) = vaccine();
        let mut one = Study::new(problem.clone(), settings(Rule::Dual(Dual::default()), seed)).unwrap();
        let mut other = one.clone();
        let batch = one.ask_batch(40);
        prop_assert_eq!(&batch, &other.ask_batch(40));
        let values: Vec<Vec<f64>> =
            batch.iter().enumerate().map(|(i, &arm)| observation(&truth, &problem, arm, seed + i as u64)).collect();
        for (&arm, values) in batch.iter().zip(&values) {
            one.tell(arm, values).unwrap();
        }
        for &i in &order {
            other.tell(batch[i], &values[i]).unwrap();
        }
        prop_assert_eq!(one.tally().means(), other.tally().means());
        prop_assert_eq!(one.verdict().progress, other.verdict().progress);
    }
}

#[test]
fn observations_kept_elsewhere_make_the_same_study() {
    let (problem, truth) = vaccine();
    for rule in rules(&problem) {
        let name = rule.name();
        let mut study = Study::new(problem.clone(), settings(rule.clone(), 5)).unwrap();
        let mut tally = Tally::new(&problem);
        for round in 0..400 {
            let arm = study.ask();
            if round % 50 == 21 {
                let mut asked = vec![0; problem.arm_count()];
                asked[arm] = 1;
                let memory: Memory = serde_json::from_str(&serde_json::to_string(&study.memory()).unwrap()).unwrap();
                let again = Study::with_observations(
                    problem.clone(),
                    settings(rule.clone(), 99),
                    tally.clone(),
                    asked,
                    &[],
                    Some(memory),
                );
                let mut again = again.unwrap();
                assert_eq!(again.clone().ask_batch(20), study.clone().ask_batch(20), "{name}");
                assert_eq!(again.assessment(), study.assessment(), "{name}");
                study = again;
            }
            let values = observation(&truth, &problem, arm, tally.count(arm));
            study.tell(arm, &values).unwrap();
            tally.add(&problem, arm, &values).unwrap();
        }
        let short = Study::with_observations(problem.clone(), settings(rule, 1), tally, vec![0], &[], None);
        assert!(short.is_err());
    }
}

#[test]
fn an_assessment_names_the_cheapest_change_of_each_arm() {
    let (problem, truth) = vaccine();
    let mut study = Study::new(problem.clone(), settings(Rule::Uniform(Uniform), 1)).unwrap();
    assert!(study.assessment().arms.iter().all(|arm| arm.standing.is_none() && !arm.certain));
    assert_eq!(study.samples_expected(), None);
    for _ in 0..400 {
        let arm = study.ask();
        let number = study.tally().count(arm);
        study.tell(arm, &observation(&truth, &problem, arm, number)).unwrap();
    }
    let assessment = study.assessment();
    let front = study.verdict().front;
    // The least evidence of all arms is that for the front: some arm has to change sides.
    let least = assessment.arms.iter().map(|arm| arm.evidence).fold(f64::INFINITY, f64::min);
    assert!((least - assessment.progress.evidence).abs() <= 1e-9 * least, "{least} {:?}", assessment.progress);
    for (arm, known) in assessment.arms.iter().enumerate() {
        let on_front = front.contains(&arm);
        assert_eq!(known.standing, Some(if on_front { Standing::In } else { Standing::Out }));
        let (own, rival) = (study.tally().means().row(arm), study.tally().means().row(known.rival.unwrap()));
        assert!(!known.objectives.is_empty());
        for &objective in &known.objectives {
            assert_eq!(own[objective] > rival[objective], on_front);
        }
        if !on_front {
            assert!(surefront::covers(rival, own));
        }
    }
    assert!(study.samples_expected().unwrap() > 0.0);
}

#[test]
fn samples_that_are_spread_better_are_fewer() {
    let (problem, truth) = vaccine();
    let mut study = Study::new(problem.clone(), settings(Rule::Uniform(Uniform), 1)).unwrap();
    assert_eq!(study.samples_expected_at_best(), None);
    for _ in 0..400 {
        let arm = study.ask();
        let number = study.tally().count(arm);
        study.tell(arm, &observation(&truth, &problem, arm, number)).unwrap();
    }
    let (as_before, at_best) = (study.samples_expected().unwrap(), study.samples_expected_at_best().unwrap());
    let t_star = surefront::bound(&problem, study.tally().means(), 1e-6).unwrap();
    let progress = study.verdict().progress;
    let missing = progress.threshold - progress.evidence;
    // The bound is computed to one part in twenty.
    assert!((missing * t_star.lower..=1.05 * missing * t_star.upper).contains(&at_best), "{at_best} {t_star:?}");
    assert!(at_best < as_before, "{at_best} {as_before}");
}

#[test]
fn unknown_variances_are_estimated_and_a_few_observations_prove_nothing() {
    let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Unknown);
    let problem = Problem::new(vec![objective("x"), objective("y")], vec![Arm::named("a"), Arm::named("b")]).unwrap();
    assert!(problem.has_unknown_noise());
    let mut study = Study::new(problem, settings(Rule::Dual(Dual::default()), 1)).unwrap();
    // Far apart in units of what a first glance takes for noise.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut measure, mut first) = (
        move |arm: usize| {
            let noise = |rng: &mut Xoshiro256PlusPlus| rng.random_range(-1.0..1.0);
            [arm as f64 + noise(&mut rng), 2.0 * arm as f64 + noise(&mut rng)]
        },
        Vec::new(),
    );
    while !study.stopped() && study.tally().total() < 10_000 {
        let arm = study.ask();
        first.push(arm);
        study.tell(arm, &measure(arm)).unwrap();
    }
    assert_eq!(first[..8], [0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(study.verdict().front, [1]);
    let taken = study.tally().total();
    assert!((9..200).contains(&taken), "{taken}");
    let estimate = 1.0 / study.problem().precision(0)[0];
    assert!(estimate > study.tally().variance(0, 0).unwrap(), "never below what the observations say");
    let se = study.standard_error(0, 0).unwrap();
    assert!((se - (study.tally().variance(0, 0).unwrap() / study.tally().counts()[0]).sqrt()).abs() < 1e-12);
}
