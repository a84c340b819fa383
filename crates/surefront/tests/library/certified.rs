//! What a certified stop promises: that no verdict ever given is wrong with a chance of more than δ, on the instances where that is
//! hardest to keep, under any rule. Seeds are fixed; what the false-alarm rates are stands beside each test.

use crate::effort;
use crate::instances::{most_expected, problem, vaccine};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rayon::prelude::*;
use surefront::{
    Arm, Certified, Dual, Front, Goal, Model, Noise, Objective, Problem, Record, Rule, Settings, Standing, Stopping,
    StoppingKind, Study, Uniform, Weakest, bound,
};

fn settings(rule: Rule, delta: f64, seed: u64) -> Settings {
    let stopping = Stopping::Certified(Certified::new(delta).unwrap());
    Settings::new(rule, stopping).seed(seed)
}

/// Who decides what is measured.
#[derive(Clone, Copy, Debug)]
enum Chooser {
    Dual,
    Uniform,
    Weakest,
    /// Knows the truth, and keeps measuring the arm whose mean is furthest off while it is: it wants to be wrong.
    Deceiver,
}

impl Chooser {
    fn rule(self) -> Rule {
        match self {
            Chooser::Dual => Rule::Dual(Dual::default()),
            Chooser::Uniform | Chooser::Deceiver => Rule::Uniform(Uniform),
            Chooser::Weakest => Rule::Weakest(Weakest::default()),
        }
    }

    fn next(self, study: &mut Study, truth: &Model, rng: &mut Xoshiro256PlusPlus) -> usize {
        let Chooser::Deceiver = self else { return study.ask() };
        let tally = study.tally();
        let off = |arm: usize| {
            let n = tally.counts()[arm];
            let off =
                tally.means().row(arm).iter().zip(truth.row(arm)).map(|(mean, true_mean)| (mean - true_mean).abs());
            if n == 0.0 { f64::INFINITY } else { n.sqrt() * off.fold(0.0, f64::max) }
        };
        let arms = 0..truth.arm_count();
        let wrongest = arms.clone().max_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap();
        // While it looks right, try another one.
        if off(wrongest) > 1.5 || rng.random_bool(0.3) { wrongest } else { rng.random_range(arms) }
    }
}

/// Whether any verdict given in a study of `samples` observations was ever wrong: at a stop, or for a single arm at any of the looks,
/// one after every `every` observations, the most misleading one included.
fn ever_wrong(
    problem: &Problem,
    truth: &Model,
    chooser: Chooser,
    delta: f64,
    samples: u64,
    every: u64,
    seed: u64,
) -> bool {
    let front = Front::of(truth);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut study = Study::new(problem.clone(), settings(chooser.rule(), delta, seed)).unwrap();
    for number in 1..=samples {
        let arm = chooser.next(&mut study, truth, &mut rng);
        let values: Vec<f64> = truth.row(arm).iter().map(|mean| mean + rng.sample::<f64, _>(StandardNormal)).collect();
        study.tell(arm, &values).unwrap();
        if study.stopped() && study.verdict().front != front.members() {
            return true;
        }
        if number % every == 0 {
            let wrong = |(arm, known): (usize, &surefront::Certificate)| {
                known.certain && (known.standing == Some(Standing::In)) != front.contains(arm)
            };
            if study.assessment().arms.iter().enumerate().any(wrong) {
                return true;
            }
        }
    }
    false
}

/// Instances on the very boundary: a change of 1e-9 would give another front.
fn boundary_instances() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let hair = 1e-9;
    let shifted = |k: usize, d: usize, first: f64| {
        let mut means = vec![vec![0.0; d]; k];
        means[0] = vec![first; d];
        means
    };
    let mut one_objective_tied = vec![vec![0.0; 3]; 5];
    for (arm, means) in one_objective_tied.iter_mut().enumerate() {
        means[1] = arm as f64;
        means[2] = arm as f64;
    }
    let mut stairs: Vec<Vec<f64>> = (0..10).map(|i| vec![2.0 * f64::from(i), -2.0 * f64::from(i)]).collect();
    stairs.extend((0..10).map(|i| vec![2.0 * f64::from(i), -2.0 * f64::from(i) - hair]));
    vec![
        ("two arms, one objective, a hair apart", shifted(2, 1, hair)),
        ("the first of eight dominates by a hair", shifted(8, 2, hair)),
        ("the first of ten is dominated by a hair", shifted(10, 3, -hair)),
        ("one objective tied, the others in order", one_objective_tied),
        ("ten steps, each twice but for a hair", stairs),
        ("fifty arms in five objectives, all but equal", shifted(50, 5, hair)),
    ]
}

/// 24 tests of 25 runs each, in long mode 72 of 300. One fails if there are more mistakes than a true rate of δ would produce with
/// probability 10⁻⁶: a proof that is right fails in one of 14,000 seeds at most, in either mode. What differs is what is noticed:
/// at δ = 0.1, in 99 of 100 seeds, a true rate of 0.72 with 25 runs and one of 0.25 with 300.
#[test]
fn no_verdict_is_wrong_more_often_than_delta_on_the_boundary() {
    let (runs, deltas) = effort::either((25, &[0.1][..]), (300, &[0.05, 0.1, 0.3][..]));
    for (name, means) in boundary_instances() {
        let problem = problem(means.len(), means[0].len(), Noise::Variance(1.0));
        let truth = Model::new(&problem, &means).unwrap();
        let (samples, every) = if means.len() > 10 { (150, 50) } else { (100, 10) };
        for chooser in [Chooser::Dual, Chooser::Uniform, Chooser::Weakest, Chooser::Deceiver] {
            for &delta in deltas {
                let wrong = (0..runs)
                    .into_par_iter()
                    .filter(|&seed| ever_wrong(&problem, &truth, chooser, delta, samples, every, seed))
                    .count() as u64;
                let most = most_expected(runs, delta, 1e-6);
                assert!(wrong <= most, "{name}, {chooser:?}, δ = {delta}: {wrong} of {runs} wrong");
            }
        }
    }
}

/// At δ = 0.3, by a rule that is sensible and one that wants to deceive; so many samples in each run, looked at every so many.
fn assert_seldom_wrong(name: &str, means: &[Vec<f64>], noise: Noise, runs: u64, (samples, every): (u64, u64)) {
    let problem = problem(means.len(), means[0].len(), noise);
    let truth = Model::new(&problem, means).unwrap();
    for chooser in [Chooser::Weakest, Chooser::Deceiver] {
        let wrong = (0..runs)
            .into_par_iter()
            .filter(|&seed| ever_wrong(&problem, &truth, chooser, 0.3, samples, every, seed))
            .count() as u64;
        assert!(wrong <= most_expected(runs, 0.3, 1e-6), "{name}, {chooser:?}: {wrong} of {runs} wrong");
    }
}

/// The same with variances that only the data can tell. 8 tests of 40 runs each, in long mode of 200: a proof that is right fails in
/// one of 125,000 seeds at most, in either mode. In 99 of 100 seeds a true rate of 0.84 is noticed with 40 runs, one of 0.55 with 200.
#[test]
fn unknown_variances_do_not_break_the_promise() {
    let runs = effort::either(40, 200);
    for (name, means) in boundary_instances().into_iter().take(4) {
        assert_seldom_wrong(name, &means, Noise::Unknown, runs, (300, 20));
    }
}

/// What the rule takes for the weakest claim is an estimate. Where all seems to be proved and one claim is not, that one has to be measured: on this
/// instance the rule once measured others for ever.
#[test]
fn a_claim_that_seems_to_be_proved_and_is_not_is_measured() {
    let (k, d) = (50, 3);
    let (known, problem) = (problem(k, d, Noise::Variance(1.0)), problem(k, d, Noise::Unknown));
    let seed = 5;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.sample(StandardNormal)).collect()).collect();
    let samples = bound(&known, &Model::new(&known, &means).unwrap(), 1e-3).unwrap().upper;
    means.iter_mut().flatten().for_each(|mean| *mean *= (samples / 200.0).sqrt());
    let mut study = Study::new(problem.clone(), settings(Rule::Weakest(Weakest::default()), 0.1, seed)).unwrap();
    while !study.stopped() {
        assert!(study.tally().total() < 12_000, "{:?}", study.verdict());
        let arm = study.ask();
        let values: Vec<f64> = means[arm].iter().map(|mean| mean + rng.sample::<f64, _>(StandardNormal)).collect();
        study.tell(arm, &values).unwrap();
    }
    assert_eq!(study.verdict().front, Front::of(&Model::new(&known, &means).unwrap()).members());
}

/// In how many of 20 runs of so many samples a lesson is taken.
fn lessons(means: &[Vec<f64>], noise: Noise, samples: u64) -> usize {
    let problem = problem(means.len(), means[0].len(), noise);
    let takes_one = |&seed: &u64| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut study = Study::new(problem.clone(), settings(Rule::Weakest(Weakest::default()), 0.3, seed)).unwrap();
        for _ in 0..samples {
            let arm = study.ask();
            let values: Vec<f64> = means[arm].iter().map(|mean| mean + rng.sample::<f64, _>(StandardNormal)).collect();
            study.tell(arm, &values).unwrap();
        }
        study.record().lesson().is_some()
    };
    (0..20).filter(takes_one).count()
}

/// Long enough for a lesson to be taken, nearly always the wrong one, since nobody can tell the arms apart. 6 tests of 30 runs each, in long mode
/// of 400: a proof that is right fails in one of 160,000 seeds at most. In 99 of 100 seeds a true rate of 0.9 is noticed with 30 runs, one of 0.46 with 400.
#[test]
fn what_was_learned_by_chance_does_not_break_the_promise() {
    let runs = effort::either(30, 400);
    let hair = 1e-9;
    let one_dimension = vec![vec![0.0], vec![hair], vec![-2.0], vec![-3.0]];
    for (name, means, noise, (samples, every)) in [
        ("two of four arms a hair apart", one_dimension.clone(), Noise::Variance(1.0), (800, 10)),
        ("the same, variances unknown", one_dimension, Noise::Unknown, (800, 10)),
        (
            "a hair apart in two objectives",
            vec![vec![0.0, 0.0], vec![hair; 2], vec![-2.0, -2.0], vec![-2.0, -3.0]],
            Noise::Variance(1.0),
            (3200, 20),
        ),
    ] {
        assert!(lessons(&means, noise, samples) >= 4, "{name}: of 20 runs few took a lesson");
        assert_seldom_wrong(name, &means, noise, runs, (samples, every));
    }
}

/// The lesson is a function of the observations in their order: a study that is told them, a record, and a study that is taken up again have the same.
#[test]
fn a_lesson_is_the_same_however_it_is_come_by() {
    let (problem, truth) = vaccine();
    let settings = settings(Rule::Weakest(Weakest::default()), 0.1, 5);
    let mut study = Study::new(problem.clone(), settings.clone()).unwrap();
    let mut record = Record::new(&problem, &settings.stopping);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    while !study.stopped() {
        let arm = study.ask();
        let values: Vec<f64> = (0..3)
            .map(|j| {
                truth.row(arm)[j]
                    + problem.noise(arm, j).variance().unwrap().sqrt() * rng.sample::<f64, _>(StandardNormal)
            })
            .collect();
        study.tell(arm, &values).unwrap();
        record.add(&problem, arm, &values).unwrap();
        if study.tally().total().is_multiple_of(1_000) {
            study = Study::resume(problem.clone(), study.save()).unwrap();
        }
    }
    // Taken up again before the lesson, and after it.
    assert!(record.lesson().is_some_and(|before| before > 1_000 && study.tally().total() > before + 1_000));
    assert_eq!(study.record(), &record);
    let again = Study::with_observations(problem, settings, record, vec![0; 20], &[], None).unwrap();
    assert!(again.stopped() && again.verdict().front == study.verdict().front);
}

/// Measures simulated arms until the study stops.
fn until_stopped(study: &mut Study, truth: &Model, seed: u64, limit: u64) -> u64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    while !study.stopped() && study.tally().total() < limit {
        let arm = study.ask();
        let spread = |j: usize| study.problem().noise(arm, j).variance().unwrap_or(1.0).sqrt();
        let values: Vec<f64> = (0..truth.objective_count())
            .map(|j| truth.row(arm)[j] + spread(j) * rng.sample::<f64, _>(StandardNormal))
            .collect();
        study.tell(arm, &values).unwrap();
    }
    study.tally().total()
}

#[test]
fn a_study_stops_exactly_when_every_arm_is_certain() {
    let (problem, truth) = vaccine();
    for rule in [Rule::Weakest(Weakest::default()), Rule::Dual(Dual::default())] {
        let fresh = settings(rule, 0.1, 3);
        let mut study = Study::new(problem.clone(), fresh.clone()).unwrap();
        let taken = until_stopped(&mut study, &truth, 3, 200_000);
        assert!(study.stopped());
        assert_eq!(study.verdict().front, Front::of(&truth).members());
        let assessment = study.assessment();
        assert!(assessment.arms.iter().all(|arm| arm.certain && arm.evidence >= arm.threshold), "{assessment:?}");
        // The last observation made the difference.
        let mut again = Study::new(problem.clone(), fresh).unwrap();
        until_stopped(&mut again, &truth, 3, taken - 1);
        assert!(!again.stopped() && again.assessment().arms.iter().any(|arm| !arm.certain));
        assert!(again.assessment().arms.iter().filter(|arm| !arm.certain).all(|arm| arm.evidence < arm.threshold));
    }
}

#[test]
fn verdicts_come_arm_by_arm_and_say_why() {
    let (problem, truth) = vaccine();
    let mut study = Study::new(problem, settings(Rule::Uniform(Uniform), 0.1, 1)).unwrap();
    until_stopped(&mut study, &truth, 1, 4_000);
    let assessment = study.assessment();
    assert!(!study.stopped());
    let certain = assessment.arms.iter().filter(|arm| arm.certain).count();
    assert!((5..20).contains(&certain), "{certain}: easy arms are out long before the last is decided");
    for (arm, known) in assessment.arms.iter().enumerate().filter(|(_, known)| known.certain) {
        assert_eq!(known.standing == Some(Standing::In), Front::of(&truth).contains(arm));
        assert!(known.rival.is_some() && !known.objectives.is_empty());
    }
}

#[test]
fn objectives_without_noise_need_no_evidence() {
    let objective = |name: &str, noise| Objective::new(name, Goal::Max, noise);
    let problem = Problem::new(
        vec![objective("score", Noise::Variance(1.0)), objective("size", Noise::Exact)],
        ["best", "small", "tied", "worse"].into_iter().map(Arm::named).collect(),
    )
    .unwrap();
    // "tied" has the size of "best" and a lower score; "worse" is beaten in both.
    let truth = Model::new(&problem, &[[2.0, 1.0], [0.0, 3.0], [0.0, 1.0], [-1.0, 0.0]]).unwrap();
    let mut study = Study::new(problem, settings(Rule::Weakest(Weakest::default()), 0.05, 1)).unwrap();
    let taken = until_stopped(&mut study, &truth, 1, 10_000);
    assert_eq!(study.verdict().front, [0, 1]);
    assert!(taken < 2_000, "{taken}");
    let small = &study.assessment().arms[1];
    assert!(small.certain && small.evidence == f64::INFINITY, "{small:?}: nobody is as small");
}

#[test]
fn unknown_variances_cost_more_but_come_to_an_end() {
    let means = vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![-0.5, 0.2]];
    let objective = |j, noise| Objective::new(format!("y{j}"), Goal::Max, noise);
    let taken = [Noise::Variance(1.0), Noise::Unknown].map(|noise| {
        let arms = (0..3).map(|arm| Arm::named(format!("{arm}"))).collect();
        let problem = Problem::new(vec![objective(0, noise), objective(1, noise)], arms).unwrap();
        let truth = Model::new(&problem, &means).unwrap();
        let mut study = Study::new(problem, settings(Rule::Weakest(Weakest::default()), 0.1, 1)).unwrap();
        let taken = until_stopped(&mut study, &truth, 1, 100_000);
        assert_eq!(study.verdict().front, [0, 1]);
        assert!(study.stopped());
        taken
    });
    assert!(taken[0] < taken[1] && taken[1] < 6 * taken[0], "{taken:?}");
}

#[test]
fn one_arm_or_none_of_the_others_left_is_certain() {
    let problem = problem(1, 2, Noise::Variance(1.0));
    let mut study = Study::new(problem, settings(Rule::Weakest(Weakest::default()), 0.1, 1)).unwrap();
    let arm = study.ask();
    study.tell(arm, &[0.0, 0.0]).unwrap();
    assert!(study.stopped());
    assert!(study.assessment().arms[0].certain);
}

#[test]
fn fine_values_are_taken_for_gaussian_and_rounding_does_not_matter() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut study = Study::new(problem(2, 1, Noise::Unknown), settings(Rule::Uniform(Uniform), 0.1, 1)).unwrap();
    for _ in 0..400 {
        for arm in 0..2 {
            // To a fifth of the standard deviation.
            let value = (5.0 * (0.5 * arm as f64 + rng.sample::<f64, _>(StandardNormal))).round() / 5.0;
            study.tell(arm, &[value]).unwrap();
        }
    }
    assert!(study.assessment().caveats.is_empty());
    assert!(study.stopped() && study.verdict().front == [1]);
}

/// Four observations of every arm, whatever they are: with fewer, a variance is not known at all.
#[test]
fn nothing_is_sure_before_four_observations_of_every_arm() {
    for stopping in [StoppingKind::Certified, StoppingKind::Stylized] {
        for noise in [Noise::Unknown, Noise::Common] {
            let rule = Rule::Uniform(Uniform);
            let mut study =
                Study::new(problem(2, 1, noise), Settings::new(rule, stopping.stopping(0.3).unwrap())).unwrap();
            for round in 0..3 {
                study.tell(0, &[0.001 * f64::from(round)]).unwrap();
                study.tell(1, &[1e9 + 0.001 * f64::from(round)]).unwrap();
                assert!(!study.stopped(), "{stopping:?}, {noise:?}, {round}");
            }
        }
    }
}

/// A claim between an arm whose values hardly differ and a noisy one needs observations of the first too: the rule must see that.
#[test]
fn an_arm_of_next_to_no_variance_does_not_hold_up_a_study() {
    let truth = [0.0, 1.0, 1.2];
    let mut study =
        Study::new(problem(3, 1, Noise::Unknown), settings(Rule::Weakest(Weakest::default()), 0.05, 1)).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    while !study.stopped() && study.tally().total() < 20_000 {
        let arm = study.ask();
        let spread = [1e-9, 0.5, 0.5][arm];
        study.tell(arm, &[truth[arm] + spread * rng.sample::<f64, _>(StandardNormal)]).unwrap();
    }
    assert!(study.stopped() && study.verdict().front == [2], "{}", study.tally().total());
}

/// Variances known, unknown and common on the same noise: what not knowing costs. The instance and the seeds are fixed; the bounds leave room for
/// changes of the rule.
#[test]
fn a_common_variance_costs_less_than_one_for_each_arm() {
    let means: Vec<Vec<f64>> = (0..6).map(|i| vec![0.5 * f64::from(i), -0.4 * f64::from(i * 5 % 6)]).collect();
    let mean_samples = |noise| {
        let problem = problem(6, 2, noise);
        let truth = Model::new(&problem, &means).unwrap();
        let runs = 60;
        let taken: Vec<u64> = (0..runs)
            .into_par_iter()
            .map(|seed| {
                let rule = Rule::Weakest(Weakest::default());
                let mut study = Study::new(problem.clone(), settings(rule, 0.1, seed)).unwrap();
                let taken = until_stopped(&mut study, &truth, seed, 100_000);
                assert!(study.stopped() && study.verdict().front == Front::of(&truth).members());
                taken
            })
            .collect();
        taken.iter().sum::<u64>() as f64 / runs as f64
    };
    let [known, unknown, common] = [Noise::Variance(1.0), Noise::Unknown, Noise::Common].map(mean_samples);
    assert!(common < unknown && unknown < 2.2 * known && common < 1.7 * known, "{known} {unknown} {common}");
}
