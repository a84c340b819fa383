//! A study that is taken up again and again decides as one that never was interrupted: every rule, either stop, with ties and with
//! variances that nobody knows.

use crate::effort;
use crate::instances::rules;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Certified, Goal, Memory, Noise, Objective, Problem, Record, Rule, SavedStudy, Settings, Statistic, Stopping,
    Study, Stylized, Weakest,
};

const ARMS: usize = 16;
const EVERY: u64 = 15;

/// How a study is interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Interruption {
    Never,
    /// Saved and resumed as a whole.
    Saved,
    /// Rebuilt from its observations and its memory.
    Rebuilt,
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
enum Values {
    Continuous,
    /// Rounded, so that means tie.
    Rounded,
}

fn problem(noise: Noise) -> Problem {
    let objective = |name: &str, goal| Objective::new(name, goal, noise);
    let objectives = vec![objective("x", Goal::Max), objective("y", Goal::Min), objective("z", Goal::Max)];
    Problem::new(objectives, (0..ARMS).map(|arm| Arm::named(format!("arm {arm}"))).collect()).unwrap()
}

/// Observations that depend only on the arm and how often it was measured.
fn observation(values: Values, arm: usize, number: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 * number + arm as u64);
    let means = [(arm * 7 % 16) as f64, (arm * 5 % 16) as f64, (arm * 3 % 11) as f64];
    let drawn = means.map(|mean| mean / 6.0 + rng.random_range(-1.5..1.5));
    match values {
        Values::Continuous => drawn.to_vec(),
        Values::Rounded => drawn.iter().map(|value| (2.0 * value).round() / 2.0).collect(),
    }
}

fn interrupted(study: &Study, problem: &Problem, settings: &Settings, under_way: usize, how: Interruption) -> Study {
    match how {
        Interruption::Never => study.clone(),
        Interruption::Saved => {
            let saved: SavedStudy = serde_json::from_str(&serde_json::to_string(&study.save()).unwrap()).unwrap();
            Study::resume(problem.clone(), saved).unwrap()
        }
        Interruption::Rebuilt => {
            let memory: Memory = serde_json::from_str(&serde_json::to_string(&study.memory()).unwrap()).unwrap();
            let mut asked = vec![0; problem.arm_count()];
            asked[under_way] = 1;
            let record = study.record().clone();
            Study::with_observations(problem.clone(), settings.clone(), record, asked, &[], Some(memory)).unwrap()
        }
    }
}

/// The arms asked for, when the study stopped, and what it knew at every interruption and at the end.
fn decisions(
    problem: &Problem,
    settings: &Settings,
    values: Values,
    how: Interruption,
) -> (Vec<usize>, Option<u64>, String) {
    let mut study = Study::new(problem.clone(), settings.clone()).unwrap();
    let (mut arms, mut stopped, mut known) = (Vec::new(), None, String::new());
    for round in 0..effort::either(160, 480) {
        let arm = study.ask();
        arms.push(arm);
        if round % EVERY == EVERY - 1 {
            study = interrupted(&study, problem, settings, arm, how);
            known += &format!("{:?}", study.assessment());
        }
        study.tell(arm, &observation(values, arm, study.tally().count(arm))).unwrap();
        if study.stopped() && stopped.is_none() {
            stopped = Some(round);
        }
    }
    (arms, stopped, known + &format!("{:?}", study.assessment()))
}

/// In long mode, for three times as many rounds, and both kinds of values with either noise.
#[test]
fn an_interrupted_study_decides_as_if_it_never_was() {
    let few = [(Noise::Variance(0.7), Values::Continuous), (Noise::Unknown, Values::Rounded)];
    let more = [(Noise::Variance(0.7), Values::Rounded), (Noise::Unknown, Values::Continuous)];
    for (noise, values) in few.into_iter().chain(effort::either(None, Some(more)).into_iter().flatten()) {
        let problem = problem(noise);
        let rules: Vec<Rule> = rules(&problem);
        let stops =
            [Stopping::Stylized(Stylized::new(0.1).unwrap()), Stopping::Certified(Certified::new(0.1).unwrap())];
        for (rule, stopping) in rules.iter().flat_map(|rule| stops.iter().map(move |stop| (rule, stop))) {
            let settings = Settings::new(rule.clone(), stopping.clone()).seed(5);
            let whole = decisions(&problem, &settings, values, Interruption::Never);
            for how in [Interruption::Saved, Interruption::Rebuilt] {
                let parts = decisions(&problem, &settings, values, how);
                let place = whole.0.iter().zip(&parts.0).position(|(a, b)| a != b);
                let case = format!("{} {} {noise:?} {values:?} {how:?}", rule.name(), stopping.name());
                assert_eq!(place, None, "{case}");
                assert_eq!(whole.1, parts.1, "{case}");
                assert!(whole.2 == parts.2, "{case}: the assessments differ");
            }
        }
    }
}

/// Once there are many observations, claims are looked at now and then, and what is measured in between is planned. A study that is taken up again in between goes on with the plan,
/// through the lesson and what is settled after it, and stops at the same observation; but that one that is rebuilt is tested at once.
#[test]
fn a_study_that_is_interrupted_between_looks_decides_as_if_it_never_was() {
    const MOST: u64 = 8000;
    let objectives = |noise, statistic| {
        let objective = |name: &str, goal| Objective::new(name, goal, noise).with_statistic(statistic);
        vec![objective("x", Goal::Max), objective("y", Goal::Min)]
    };
    let decisions = |problem: &Problem, how: Interruption| {
        let stopping = Stopping::Certified(Certified::new(0.1).unwrap());
        let settings = Settings::new(Rule::Weakest(Weakest::default()), stopping).seed(5);
        let mut study = Study::new(problem.clone(), settings.clone()).unwrap();
        let mut arms = Vec::new();
        while !study.stopped() && (arms.len() as u64) < MOST {
            let arm = study.ask();
            arms.push(arm);
            if arms.len() % 37 == 36 && arms.len() > 600 {
                study = interrupted(&study, problem, &settings, arm, how);
            }
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 * study.tally().count(arm) + arm as u64);
            let means = [(arm * 7 % 16) as f64, (arm * 5 % 16) as f64];
            let values = means.map(|mean| mean / 5.0 + rng.random_range(-1.5..1.5));
            study.tell(arm, &values).unwrap();
        }
        (arms, study.verdict().front, study.record().lesson())
    };
    for (noise, statistic) in
        [(Noise::Variance(0.75), Statistic::Mean), (Noise::Unknown, Statistic::Mean), (Noise::Any, Statistic::MEDIAN)]
    {
        let arms = (0..ARMS).map(|arm| Arm::named(format!("arm {arm}"))).collect();
        let problem = Problem::new(objectives(noise, statistic), arms).unwrap();
        let whole = decisions(&problem, Interruption::Never);
        // Medians take longer than this to learn anything.
        let is_told = whole.0.len() > 1000 && (whole.2.is_some() || noise == Noise::Any);
        assert!(is_told, "{noise:?}: {} rounds, {:?}", whole.0.len(), whole.2);
        assert_eq!(whole, decisions(&problem, Interruption::Saved), "{noise:?}");
        let (arms, front, lesson) = decisions(&problem, Interruption::Rebuilt);
        assert_eq!((&arms[..], lesson), (&whole.0[..arms.len()], whole.2), "{noise:?}");
        assert!(100 * (whole.0.len() - arms.len()) <= whole.0.len(), "{noise:?}: {}", arms.len());
        assert_eq!(front, whole.1, "{noise:?}");
    }
}

/// Whoever takes up a study looks no sooner at whom all observations certify than if it had gone on, so that it stops at the same observation.
#[test]
fn a_study_that_is_taken_up_stops_when_it_would_have() {
    let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(1.0));
    let arms = ["a", "b", "c"].map(Arm::named).to_vec();
    let problem = Problem::new(vec![objective("x", Goal::Max), objective("y", Goal::Min)], arms).unwrap();
    let stopping = || Stopping::Certified(Certified::new(0.05).unwrap());
    let settings = || Settings::new(Rule::Weakest(Weakest::default()), stopping()).seed(1);
    for seed in 0..20 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut whole = Study::new(problem.clone(), settings()).unwrap();
        let mut record = Record::new(&problem, &stopping());
        while !whole.stopped() {
            let arm = whole.ask();
            let means = [[0.9, 3.0], [0.0, 0.0], [-0.7, 1.0]][arm];
            let values = means.map(|mean| mean + 3f64.sqrt() * rng.random_range(-1.0..1.0));
            let asked = vec![0; 3];
            let mut taken_up =
                Study::with_observations(problem.clone(), settings(), record.clone(), asked, &[], None).unwrap();
            whole.tell(arm, &values).unwrap();
            record.add(&problem, arm, &values).unwrap();
            taken_up.tell(arm, &values).unwrap();
            assert_eq!(whole.verdict(), taken_up.verdict(), "seed {seed}, {} observations", whole.tally().total());
        }
    }
}
