//! Arms that are left out: the study decides exactly as one of the smaller problem, whenever they leave and come back.

use crate::effort;
use crate::instances::{rules, vaccine};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Certified, Goal, Memory, Noise, Objective, Problem, Rule, RuleKind, SavedStudy, Settings, Standing, Stopping,
    StoppingKind, Study, StudyError, Tally,
};

const ARMS: usize = 7;

fn problem(noise: Noise) -> Problem {
    let objective = |name: &str, goal| Objective::new(name, goal, noise);
    let arms = (0..ARMS).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    Problem::new(vec![objective("x", Goal::Max), objective("y", Goal::Min)], arms).unwrap()
}

/// Observations that depend only on the arm and how often it was measured; rounded, so that there are ties.
fn observation(arm: usize, number: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 * number + arm as u64);
    let means = [(arm * 3 % 7) as f64, (arm * 5 % 7) as f64];
    means.map(|mean| (2.0 * mean + rng.random_range(-3.0..3.0f64)).round() / 3.0).to_vec()
}

/// The problem of these arms, and a study of it that has what `study` has told of them, and its random numbers.
fn smaller(study: &Study, arms: &[usize], settings: &Settings, asked: &[u64]) -> Study {
    let problem = study.problem();
    let kept = arms.iter().map(|&arm| problem.arms()[arm].clone()).collect();
    let small = Problem::new(problem.objectives().to_vec(), kept).unwrap();
    let mut tally = Tally::new(&small);
    for (place, &arm) in arms.iter().enumerate() {
        for number in 0..study.tally().count(arm) {
            tally.add(&small, place, &observation(arm, number)).unwrap();
        }
    }
    let kind = settings.rule.kind().unwrap();
    let mut settings = settings.clone();
    settings.rule = kind.rule(&small, settings.stopping.delta()).unwrap();
    let asked = arms.iter().map(|&arm| asked[arm]).collect();
    // The random numbers go on; the rule begins afresh.
    let mut memory = serde_json::to_value(study.memory()).unwrap();
    memory["rule"] = serde_json::Value::Null;
    let memory: Memory = serde_json::from_value(memory).unwrap();
    Study::with_observations(small, settings, tally, asked, &[], Some(memory)).unwrap()
}

proptest! {
    #![proptest_config(effort::cases(25, 60))]

    #[test]
    fn a_study_without_some_arms_is_one_of_the_others(
        kind in prop::sample::select(RuleKind::ALL), stop in prop::sample::select(StoppingKind::ALL),
        unknown in any::<bool>(), seed in 0u64..100,
        changes in prop::collection::vec((0usize..ARMS, any::<bool>(), 1usize..40), 1..8),
    ) {
        let problem = problem(if unknown { Noise::Unknown } else { Noise::Variance(0.5) });
        // A tally does not tell when a lesson was taken.
        let stopping = match stop {
            StoppingKind::Certified => Stopping::Certified(Certified::without_lessons(0.1).unwrap()),
            other => other.stopping(0.1).unwrap(),
        };
        let settings = Settings::new(kind.rule(&problem, 0.1).unwrap(), stopping).seed(seed);
        let mut study = Study::new(problem.clone(), settings.clone()).unwrap();
        let mut out: Vec<usize> = Vec::new();
        for (arm, leave, rounds) in changes {
            let left = study.left_out();
            if leave && left.len() + 1 == ARMS && !left.contains(&arm) {
                let last = StudyError::LastArm { arm: format!("arm {arm}") };
                prop_assert_eq!(study.leave_out(arm), Err(last));
            } else if leave {
                study.leave_out(arm).unwrap();
                out.push(arm);
            } else {
                study.take_in(arm).unwrap();
                out.retain(|&other| other != arm);
            }
            out.sort_unstable();
            out.dedup();
            prop_assert_eq!(study.left_out(), out.clone());
            if study.left_out() == left {
                continue;
            }
            let arms: Vec<usize> = (0..ARMS).filter(|arm| !out.contains(arm)).collect();
            let mut other = smaller(&study, &arms, &settings, &[0; ARMS]);
            for round in 0..rounds {
                prop_assert_eq!(study.stopped(), other.stopped());
                let (verdict, expected) = (study.verdict(), other.verdict());
                let front: Vec<usize> = expected.front.iter().map(|&place| arms[place]).collect();
                prop_assert_eq!(verdict.front, front);
                prop_assert_eq!(verdict.progress, expected.progress);
                // Whoever goes on after the stop and is rebuilt from observations has forgotten it.
                if study.stopped() {
                    break;
                }
                let arm = study.ask();
                prop_assert_eq!(arm, arms[other.ask()]);
                if round % 7 == 3 {
                    // Taken up again, either way.
                    let saved = serde_json::to_string(&study.save()).unwrap();
                    let resumed = Study::resume(problem.clone(), serde_json::from_str(&saved).unwrap()).unwrap();
                    let mut asked = vec![0; ARMS];
                    asked[arm] = 1;
                    let rebuilt = Study::with_observations(
                        problem.clone(), settings.clone(), study.tally().clone(), asked, &out, Some(study.memory()),
                    );
                    prop_assert_eq!(resumed.left_out(), out.clone());
                    study = if round % 2 == 0 { resumed } else { rebuilt.unwrap() };
                }
                let values = observation(arm, study.tally().count(arm));
                study.tell(arm, &values).unwrap();
                other.tell(arms.iter().position(|&kept| kept == arm).unwrap(), &values).unwrap();
            }
            let (known, expected) = (study.assessment(), other.assessment());
            for (arm, certificate) in known.arms.iter().enumerate() {
                match arms.iter().position(|&kept| kept == arm) {
                    None => prop_assert_eq!(certificate.standing, Some(Standing::LeftOut)),
                    Some(place) => {
                        let mut expected = expected.arms[place].clone();
                        expected.rival = expected.rival.map(|rival| arms[rival]);
                        prop_assert_eq!(certificate, &expected);
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_told_of_an_arm_that_is_left_out_counts_once_it_is_back() {
    let problem = problem(Noise::Variance(0.5));
    for rule in rules(&problem) {
        let settings = Settings::new(rule, StoppingKind::Certified.stopping(0.1).unwrap());
        let mut study = Study::new(problem.clone(), settings).unwrap();
        let under_way = study.ask();
        study.leave_out(under_way).unwrap();
        study.tell(under_way, &[1.0, 1.0]).unwrap();
        assert_eq!(study.tally().count(under_way), 1);
        assert!(!study.ask_batch(12).contains(&under_way));
        study.take_in(under_way).unwrap();
        assert_eq!(study.ask(), under_way, "it has been measured once, and the others asked for twice");
        assert!(study.leave_out(ARMS).is_err() && study.take_in(ARMS).is_err() && study.cancel(ARMS).is_err());
        assert_eq!(study.standard_error(ARMS, 0), None);
    }
}

#[test]
fn a_mask_that_fits_nothing_is_refused() {
    let problem = problem(Noise::Variance(0.5));
    let settings = Settings::new(Rule::Uniform(surefront::Uniform), StoppingKind::Stylized.stopping(0.1).unwrap());
    let make = |out: &[usize]| {
        let tally = Tally::new(&problem);
        Study::with_observations(problem.clone(), settings.clone(), tally, vec![0; ARMS], out, None).map(|_| ())
    };
    assert_eq!(make(&[1, 1, 3]), Ok(()));
    assert_eq!(make(&[ARMS]), Err(StudyError::UnknownArm { number: ARMS + 1, arms: ARMS }));
    let all: Vec<usize> = (0..ARMS).collect();
    assert_eq!(make(&all), Err(StudyError::LastArm { arm: "arm 6".into() }));
}

#[test]
fn an_allocation_is_shared_by_those_that_are_left() {
    let problem = problem(Noise::Variance(0.5));
    let weights = surefront::Weights::new(ARMS, vec![4.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
    let rule = surefront::RuleOptions::default().allocation(weights).rule(RuleKind::Fixed, &problem, 0.1).unwrap();
    let mut study = Study::new(problem, Settings::new(rule, StoppingKind::Stylized.stopping(0.1).unwrap())).unwrap();
    (2..ARMS).for_each(|arm| study.leave_out(arm).unwrap());
    for _ in 0..300 {
        let arm = study.ask();
        study.tell(arm, &observation(arm, study.tally().count(arm))).unwrap();
    }
    assert_eq!((study.tally().count(0), study.tally().count(1)), (200, 100));
}

#[test]
fn a_study_of_version_0_1_leaves_nobody_out() {
    let (vaccine, _) = vaccine();
    let settings =
        Settings::new(RuleKind::Dual.rule(&vaccine, 0.1).unwrap(), StoppingKind::Stylized.stopping(0.1).unwrap());
    let text = serde_json::to_string(&Study::new(vaccine.clone(), settings).unwrap().save()).unwrap();
    assert!(!text.contains("left_out"), "a study without a mask is saved as before");
    let saved: SavedStudy = serde_json::from_str(&text).unwrap();
    assert_eq!(Study::resume(vaccine, saved).unwrap().left_out(), Vec::<usize>::new());
}
