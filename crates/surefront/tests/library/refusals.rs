//! What does not fit is refused with a sentence, and nothing that can be called panics.

use std::num::NonZeroU64;

use crate::instances::{problem, vaccine};
use surefront::{
    Ape, DeltaError, Fixed, Memory, Model, Needs, Noise, Round, Rule, RuleKind, RuleSizeError, SamplingRule, Settings,
    Simulation, SimulationError, StoppingKind, Study, StudyError, TrackAndStop, Tracking, Weights,
};

fn settings(rule: Rule) -> Settings {
    Settings::new(rule, StoppingKind::Certified.stopping(0.1).unwrap())
}

#[test]
fn a_rule_of_another_size_is_refused() {
    let three = problem(3, 2, Noise::Variance(1.0));
    let track = TrackAndStop::new(4, Tracking::Direct, NonZeroU64::MIN);
    for rule in [Rule::Fixed(Fixed::new(&Weights::new(4, vec![0.25; 4]).unwrap())), Rule::TrackAndStop(track)] {
        let error = StudyError::Rule(RuleSizeError { rule: rule.name(), found: 4, expected: 3 });
        assert_eq!(Study::new(three.clone(), settings(rule.clone())).unwrap_err(), error);
        let truth = Model::new(&three, &[[0.0, 0.0]; 3]).unwrap();
        let simulation = Simulation::new(three.clone(), truth, settings(rule.clone()), 10);
        assert_eq!(simulation.unwrap_err(), SimulationError::Study(error.clone()));
        let four = problem(4, 2, Noise::Variance(1.0));
        let saved = Study::new(four, settings(rule)).unwrap().save();
        assert!(matches!(Study::resume(three.clone(), saved).unwrap_err(), StudyError::Size(_)));
    }
}

#[test]
fn a_simulation_of_another_size_is_refused() {
    let (three, four) = (problem(3, 2, Noise::Variance(1.0)), problem(4, 2, Noise::Variance(1.0)));
    let rule = RuleKind::Uniform.rule(&three, 0.1).unwrap();
    let truth = Model::new(&four, &[[0.0, 0.0]; 4]).unwrap();
    let refused = Simulation::new(three.clone(), truth, settings(rule.clone()), 10).unwrap_err();
    assert_eq!(refused, SimulationError::Size { found: (4, 2), expected: (3, 2) });
    let truth = Model::new(&three, &[[0.0, 0.0]; 3]).unwrap();
    let simulation = Simulation::new(three, truth, settings(rule), 10).unwrap();
    assert!(simulation.clone().with_noise(surefront::NoiseLaw::Gaussian, four).is_err());
    let unknown = problem(3, 2, Noise::Unknown);
    let refused = simulation.with_noise(surefront::NoiseLaw::Gaussian, unknown).unwrap_err();
    assert_eq!(refused, SimulationError::UnknownVariance);
}

#[test]
fn a_risk_that_is_none_is_refused_wherever_it_is_said() {
    let (problem, _) = vaccine();
    for bad in [0.0, 1.0, 1e-320, -1.0] {
        assert_eq!(RuleKind::Ape.rule(&problem, bad), Err(DeltaError(bad)));
        assert!(StoppingKind::ALL.iter().all(|kind| kind.stopping(bad).is_err()));
    }
    assert!(Ape::new(3, 2, f64::NAN).is_err());
}

#[test]
fn before_everything_is_measured_there_is_no_front() {
    let (problem, _) = vaccine();
    for &kind in RuleKind::ALL {
        let mut study = Study::new(problem.clone(), settings(kind.rule(&problem, 0.1).unwrap())).unwrap();
        assert!(study.verdict().front.is_empty());
        study.tell(3, &[1.0, 2.0, 3.0]).unwrap();
        assert!(study.verdict().front.is_empty() && !study.stopped());
        assert_eq!((study.samples_expected(), study.standard_error(0, 0)), (None, None));
        assert!(study.tell(20, &[0.0; 3]).unwrap_err().to_string().contains("no arm number 21"));
        assert!(study.cancel(20).unwrap_err().to_string().contains("no arm number 21"));
        study.cancel(0).unwrap();
    }
}

/// What a study forgets when δ changes is nothing but δ.
#[test]
fn a_changed_delta_changes_the_bonus() {
    let (problem, truth) = vaccine();
    let make = |delta: f64| {
        let rule = RuleKind::Ape.rule(&problem, delta).unwrap();
        Settings::new(rule, StoppingKind::Stylized.stopping(delta).unwrap())
    };
    let mut study = Study::new(problem.clone(), make(0.1)).unwrap();
    for round in 0..200u32 {
        let arm = study.ask();
        let noise = f64::from(round * 7919 % 101) / 50.0 - 1.0;
        let values: Vec<f64> = truth.row(arm).iter().map(|mean| mean + noise).collect();
        study.tell(arm, &values).unwrap();
    }
    let again = |delta: f64, memory: Option<Memory>| {
        let asked = vec![0; problem.arm_count()];
        Study::with_observations(problem.clone(), make(delta), study.tally().clone(), asked, &[], memory).unwrap()
    };
    let changed = again(1e-6, Some(study.memory()));
    assert_eq!(changed.settings().rule, make(1e-6).rule);
    assert_ne!(changed.settings().rule, make(0.1).rule);
}

/// Names an arm that does not exist.
#[derive(Clone, Debug, PartialEq)]
struct Lost;

impl SamplingRule for Lost {
    fn next(&mut self, _: &mut Round<'_>) -> usize {
        usize::MAX
    }

    fn needs(&self) -> Needs {
        Needs::Claims
    }
}

#[test]
fn a_rule_of_ones_own_cannot_break_a_study() {
    let problem = problem(3, 2, Noise::Variance(1.0));
    let mut study = Study::new(problem.clone(), settings(Rule::custom(Lost))).unwrap();
    for arm in 0..3 {
        study.tell(arm, &[1.0, 2.0]).unwrap();
    }
    assert_eq!(study.ask_batch(4), [0, 1, 2, 0]);
    assert_eq!(study.settings().rule, Rule::custom(Lost));
    assert!(serde_json::to_string(&study.save()).is_err(), "it can be copied, not stored");
    let memory: Memory = serde_json::from_str(&serde_json::to_string(&study.memory()).unwrap()).unwrap();
    let tally = study.tally().clone();
    let again =
        Study::with_observations(problem, settings(Rule::custom(Lost)), tally, vec![2, 1, 1], &[], Some(memory));
    assert_eq!(again.unwrap().ask(), study.ask());
}
