//! Experiments as another program makes them.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use surefront::{Arm, Goal, Model, Noise, Objective, Problem, RuleKind, Run, Weights};
use surefront_lab::replication::{PlanOptions, SimulateOptions, Simulator, plan, simulate};
use surefront_lab::reproduce::random_suite::RandomSuiteOptions;
use surefront_lab::reproduce::scaling::{self, ScalingOptions};
use surefront_lab::reproduce::speed::{self, SpeedOptions};
use surefront_lab::reproduce::{
    TimingOptions, bound_time, correlation, costs, guarantees, kinds, medians, rounds, store, suite, ties, vaccine,
    variances,
};
use surefront_lab::{Findings, LabError, Observer, Steps};
use surefront_study::words::table::Width;

fn problem(noise: Noise) -> Problem {
    let objectives = ["x", "y"].map(|name| Objective::new(name, Goal::Max, noise));
    Problem::new(objectives.to_vec(), ["a", "b", "c"].map(Arm::named).to_vec()).unwrap()
}

fn instance() -> (Problem, Model) {
    let problem = problem(Noise::Variance(1.0));
    let truth = Model::new(&problem, &[[2.0, 0.0], [0.0, 2.0], [-1.0, -1.0]]).unwrap();
    (problem, truth)
}

fn go_on() -> AtomicBool {
    AtomicBool::new(false)
}

/// Counts what it is told, and has enough after some runs.
#[derive(Default)]
struct Listener {
    begun: Mutex<Vec<(u64, Steps)>>,
    done: AtomicU64,
    ended: AtomicU64,
    enough: Option<u64>,
}

impl Observer for Listener {
    fn begin(&self, count: u64, steps: Steps) {
        self.begun.lock().unwrap().push((count, steps));
    }

    fn advance(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }

    fn message(&self, _: &str) {}

    fn end(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    fn run(&self, _: &'static str, _: &Run) -> ControlFlow<()> {
        match self.enough {
            Some(enough) if self.done.load(Ordering::Relaxed) >= enough => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_runs_and_the_observer_hears_of_all() {
    let (problem, truth) = instance();
    let rules = vec![RuleKind::Dual, RuleKind::Uniform, RuleKind::Dual];
    let options = SimulateOptions { rules, runs: 0..7, ..SimulateOptions::default() };
    let listener = Listener::default();
    let found = simulate(&problem, &truth, &options, &listener, &go_on()).unwrap();
    assert_eq!(*listener.begun.lock().unwrap(), [(14, Steps::Runs)]);
    assert_eq!((listener.done.into_inner(), listener.ended.into_inner()), (14, 1));
    assert!(found.unfinished().is_empty() && !found.is_undecided());

    let alone = SimulateOptions { rules: vec![RuleKind::Uniform], runs: 3..7, jobs: Some(1), ..options };
    let again = simulate(&problem, &truth, &alone, &(), &go_on()).unwrap();
    let samples = |runs: &[Run]| runs.iter().map(|run| (run.index, run.samples)).collect::<Vec<_>>();
    assert_eq!(samples(&found.entrants[1].runs)[3..], samples(&again.entrants[0].runs)[..]);

    // In parts, in any order, they amount to the same.
    let rules = vec![RuleKind::Dual, RuleKind::Uniform];
    let part = |runs| SimulateOptions { rules: rules.clone(), runs, ..SimulateOptions::default() };
    let mut parts = [Vec::new(), Vec::new()];
    for runs in [4..7, 0..4] {
        let made = Simulator::new(&problem, &truth, &part(runs)).unwrap().runs(&(), &go_on()).unwrap();
        parts.iter_mut().zip(made).for_each(|(all, made)| all.extend(made));
    }
    let whole = part(0..7);
    let sum = Simulator::new(&problem, &truth, &whole).unwrap().sum_up(parts.to_vec());
    assert!(sum.unfinished().is_empty());
    for (one, other) in sum.entrants.iter().zip(&found.entrants) {
        assert_eq!((one.label, samples(&one.runs)), (other.label, samples(&other.runs)));
    }

    let json = serde_json::to_value(&found).unwrap();
    assert_eq!((&json["rules"][1]["rule"], &json["rules"][1]["runs"]), (&"uniform".into(), &7.into()));
    assert!(found.text(Width::Unlimited).contains("T*·β") && found.svg().unwrap().starts_with("<svg"));
}

#[test]
fn an_observer_that_has_enough_ends_it_and_the_callers_flag_is_its_own() {
    let (problem, truth) = instance();
    let options = SimulateOptions { runs: 0..1000, jobs: Some(1), ..SimulateOptions::default() };
    let (listener, flag) = (Listener { enough: Some(5), ..Listener::default() }, go_on());
    let found = simulate(&problem, &truth, &options, &listener, &flag).unwrap();
    let [rest] = &found.unfinished()[..] else { panic!("{:?}", found.unfinished()) };
    assert_eq!((rest.finished, rest.wanted, rest.rest.clone()), (5, 1000, Some(5..1000)));
    assert!(!flag.into_inner());
}

#[test]
fn an_interrupted_experiment_shows_what_there_is() {
    let stop = AtomicBool::new(true);
    let (problem, truth) = instance();
    let planned = plan(&problem, &truth, &PlanOptions::default(), &(), &stop).unwrap();
    // Three risks, each with its threshold and the other.
    assert_eq!((planned.unfinished().len(), planned.unfinished()[0].rest.clone()), (6, None));
    let raced = scaling::run(&ScalingOptions::default(), &(), &stop).unwrap();
    assert!(raced.rows.is_empty() && raced.unfinished()[0].wanted > 0, "{raced:?}");
    let timed = speed::run(&SpeedOptions::default(), &(), &stop).unwrap();
    assert!(timed.rows.is_empty() && timed.unfinished()[0].wanted == 13, "{timed:?}");
    // Nothing of these panics for want of runs.
    let (vaccine, suite) = (vaccine::VaccineOptions::default(), suite::SuiteOptions::default());
    let vaccine = vaccine::run(&vaccine, &(), &stop).unwrap();
    let suite = suite::run(&suite, &(), &stop).unwrap();
    let variances = variances::run(&variances::VariancesOptions::default(), &(), &stop).unwrap();
    let guarantees = guarantees::run(&guarantees::GuaranteesOptions::default(), &(), &stop).unwrap();
    let correlation = correlation::run(&RandomSuiteOptions::default(), &(), &stop).unwrap();
    let costs = costs::run(&RandomSuiteOptions::default(), &(), &stop).unwrap();
    let kinds = kinds::run(&RandomSuiteOptions::default(), &(), &stop).unwrap();
    let medians = medians::run(&medians::MediansOptions::default(), &(), &stop).unwrap();
    let rounds = rounds::run(&rounds::RoundsOptions::default(), &(), &stop).unwrap();
    let ties = ties::run(&ties::TiesOptions::default(), &(), &stop).unwrap();
    let bounds = bound_time::run(&bound_time::BoundOptions::default(), &(), &stop).unwrap();
    for (text, unfinished) in [
        (bounds.text(Width::Unlimited), bounds.unfinished()),
        (costs.text(Width::Unlimited), costs.unfinished()),
        (kinds.text(Width::Unlimited), kinds.unfinished()),
        (ties.text(Width::Unlimited), ties.unfinished()),
        (medians.text(Width::Unlimited), medians.unfinished()),
        (rounds.text(Width::Unlimited), rounds.unfinished()),
        (correlation.text(Width::Unlimited), correlation.unfinished()),
        (guarantees.text(Width::Unlimited), guarantees.unfinished()),
        (vaccine.text(Width::Unlimited), vaccine.unfinished()),
        (suite.text(Width::Unlimited), suite.unfinished()),
        (variances.text(Width::Unlimited), variances.unfinished()),
        (planned.text(Width::Unlimited), planned.unfinished()),
        (raced.text(Width::Unlimited), raced.unfinished()),
        (timed.text(Width::Unlimited), timed.unfinished()),
    ] {
        assert!(!text.is_empty() && unfinished.iter().all(|rest| rest.finished == 0), "{unfinished:?}");
    }
    for svg in [vaccine.svg(), suite.svg(), planned.svg(), raced.svg(), timed.svg()] {
        assert!(svg.unwrap().starts_with("<svg"));
    }
}

#[test]
fn what_does_not_fit_is_refused_in_a_sentence() {
    let (known, truth) = instance();
    let other = problem(Noise::Unknown);
    let usual = SimulateOptions::default();
    let smaller = Problem::new(known.objectives().to_vec(), vec![Arm::named("a")]).unwrap();
    let tied = Model::new(&known, &[[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]).unwrap();
    let simulated = |problem: &Problem, truth: &Model, options: &SimulateOptions| {
        simulate(problem, truth, options, &(), &go_on()).unwrap_err()
    };
    let planned = |deltas: Vec<f64>| {
        plan(&known, &truth, &PlanOptions { deltas, ..PlanOptions::default() }, &(), &go_on()).unwrap_err()
    };
    let allocation = Some(Weights::uniform(&smaller));
    let timing = TimingOptions { repeats: 0, ..TimingOptions::default() };
    let raced = scaling::run(&ScalingOptions { timing, ..ScalingOptions::default() }, &(), &go_on()).unwrap_err();
    for (error, words) in [
        (simulated(&smaller, &truth, &usual), "means are of 3 arms"),
        (simulated(&other, &truth, &usual), "variance of \"x\""),
        (simulated(&known, &tied, &usual), "\"a\" and \"b\" have the same means"),
        (simulated(&known, &truth, &SimulateOptions { delta: f64::NAN, ..usual.clone() }), "delta"),
        (simulated(&known, &truth, &SimulateOptions { allocation, ..usual.clone() }), "weights are of 1 arm"),
        (planned(vec![]), "deltas is empty"),
        (planned(vec![0.1, 2.0]), "delta is 2"),
        (raced, "repeats is 0"),
    ] {
        assert!(error.is_wrong_input() && error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named_and_nothing_is_left() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_owned();
    let options = store::StoreOptions { tells: 2, rows: 3, processes: 1, folder, program: "no-such-program".into() };
    let error = store::run(&options, &(), &go_on()).unwrap_err();
    assert!(matches!(error, LabError::Start { .. }) && error.to_string().contains("no-such-program"), "{error}");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}
