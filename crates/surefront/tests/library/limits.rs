//! Limits: the answer is the front of the arms that keep them, and no answer is wrong more often than was accepted.

use std::sync::atomic::AtomicBool;

use crate::effort;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, BoundError, Correlation, Front, Goal, Margin, Method, MethodError, Model, Noise, Objective, Oracle, Outcome,
    Piece, Problem, ProblemError, Question, Reading, Record, RuleKind, Settings, Simulation, Standing, StoppingKind,
    Study, StudyError, Tally, Weights, bound, is_right,
};

fn arms(count: usize) -> Vec<Arm> {
    (0..count).map(|arm| Arm::named(format!("a{arm}"))).collect()
}

/// Gain and time, the latter limited, and a rate of errors that only has to be small enough.
fn problem(count: usize, gain: Noise, time: Noise, errors: Noise) -> Problem {
    let objectives = vec![
        Objective::new("gain", Goal::Max, gain),
        Objective::new("time", Goal::Min, time).with_at_most(3.0),
        Objective::limited("errors", errors).with_at_most(0.5),
    ];
    Problem::new(objectives, arms(count)).unwrap()
}

/// In, in, out as it is dominated, too slow though better than all, too many errors, both.
const MEANS: [[f64; 3]; 6] =
    [[2.0, 2.0, 0.2], [1.0, 1.0, 0.2], [0.3, 2.5, 0.2], [4.0, 3.8, 0.2], [4.0, 0.5, 0.85], [3.0, 4.0, 0.9]];

fn simulated(problem: &Problem, rule: RuleKind, stop: StoppingKind, runs: u64) -> (u64, usize) {
    let truth = Model::new(problem, &MEANS[..problem.arm_count()]).unwrap();
    let settings = Settings::new(rule.rule(problem, 0.05).unwrap(), stop.stopping(0.05).unwrap()).seed(3);
    let simulation = Simulation::new(problem.clone(), truth, settings, 60_000).unwrap();
    let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| {});
    assert!(all.iter().all(|run| run.outcome != Outcome::Undecided), "{rule:?} {stop:?}: a study did not end");
    (all.iter().map(|run| run.samples).sum(), all.iter().filter(|run| run.outcome == Outcome::Mistake).count())
}

/// Every rule under every stop, by all kinds of noise that a limit may have. The seeds are fixed; at δ = 0.05, more than two mistakes of six would be seen with probability 0.002 if the chance
/// were all of δ.
#[test]
fn every_study_ends_with_the_arms_that_keep_their_limits() {
    let noisy = Noise::Variance(0.5);
    for (gain, time, errors) in [
        (noisy, noisy, Noise::Variance(0.2)),
        (noisy, noisy, Noise::Bernoulli),
        (Noise::Poisson, Noise::Exponential, Noise::Bernoulli),
        (noisy, noisy, Noise::Bounded { low: 0.0, high: 1.0 }),
        (Noise::Exact, noisy, Noise::Poisson),
    ] {
        let problem = problem(6, gain, time, errors);
        for (rule, stop) in [
            (RuleKind::Weakest, StoppingKind::Certified),
            (RuleKind::Uniform, StoppingKind::Certified),
            (RuleKind::Dual, StoppingKind::Certified),
            (RuleKind::Dual, StoppingKind::Stylized),
            (RuleKind::Dual, StoppingKind::Calibrated),
            (RuleKind::TrackAndStop, StoppingKind::Stylized),
        ] {
            let (_, mistakes) = simulated(&problem, rule, stop, 6);
            assert!(mistakes <= 2, "{rule:?} {stop:?} {gain:?} {time:?} {errors:?}: {mistakes}");
        }
    }
}

/// Variances that nobody gave are told by the observations, for limits as well.
#[test]
fn unknown_variances_have_limits() {
    let truth = problem(6, Noise::Variance(0.5), Noise::Variance(0.5), Noise::Variance(0.2));
    for unknown in [Noise::Unknown, Noise::Common] {
        let problem = problem(6, unknown, unknown, unknown);
        for (rule, stop) in [
            (RuleKind::Weakest, StoppingKind::Certified),
            (RuleKind::Dual, StoppingKind::Stylized),
            (RuleKind::Dual, StoppingKind::Calibrated),
        ] {
            let means = Model::new(&problem, &MEANS).unwrap();
            let settings = Settings::new(rule.rule(&problem, 0.05).unwrap(), stop.stopping(0.05).unwrap()).seed(5);
            let simulation = Simulation::new(problem.clone(), means, settings, 60_000).unwrap();
            let simulation = simulation.with_noise(surefront::NoiseLaw::Gaussian, truth.clone()).unwrap();
            let all = simulation.replicate(0..6, &AtomicBool::new(false), |_| {});
            let count = |outcome| all.iter().filter(|run| run.outcome == outcome).count();
            assert_eq!(count(Outcome::Undecided), 0, "{rule:?} {stop:?} {unknown:?}");
            assert!(count(Outcome::Mistake) <= 2, "{rule:?} {stop:?} {unknown:?}");
        }
    }
}

/// Near all limits and near dominance, the certified answer is wrong in at most a part δ of the runs: 300 runs with δ = 0.1 and more than 45 mistakes would have probability 0.003. Certificates
/// are looked at along the way, not only at the end.
#[test]
fn near_the_limits_no_more_are_wrong_than_was_accepted() {
    let objectives = vec![
        Objective::new("x", Goal::Max, Noise::Variance(1.0)).with_at_least(0.0),
        Objective::limited("c", Noise::Variance(1.0)).with_at_least(-1.0).with_at_most(1.0),
    ];
    let problem = Problem::new(objectives, arms(4)).unwrap();
    let means = [[0.1, 0.9], [-0.1, 0.0], [0.5, 1.1], [0.02, -1.1]];
    let truth = Model::new(&problem, &means).unwrap();
    let right = Front::of(&truth);
    let mut wrong = 0;
    for run in 0..300u64 {
        let settings = Settings::new(
            RuleKind::Weakest.rule(&problem, 0.1).unwrap(),
            StoppingKind::Certified.stopping(0.1).unwrap(),
        );
        let mut study = Study::new(problem.clone(), settings.seed(run)).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 + run);
        let mut mistaken = false;
        for step in 0..600 {
            let arm = study.ask();
            let values: Vec<f64> =
                means[arm].iter().map(|mean| mean + rng.sample::<f64, _>(rand_distr::StandardNormal)).collect();
            study.tell(arm, &values).unwrap();
            if step % 60 == 59 {
                for (arm, certificate) in study.assessment().arms.iter().enumerate().filter(|(_, c)| c.certain) {
                    mistaken |= (certificate.standing == Some(Standing::In)) != right.contains(arm);
                }
            }
        }
        wrong += u32::from(mistaken);
    }
    assert!(wrong <= 45, "{wrong}");
}

/// With margins, what matters is which arms may be named.
#[test]
fn margins_and_limits_go_together() {
    let margin = Margin::Absolute(0.3);
    let objectives = vec![
        Objective::new("x", Goal::Max, Noise::Variance(1.0)).with_margin(margin),
        Objective::new("y", Goal::Max, Noise::Variance(1.0)).with_margin(margin).with_at_least(0.5),
        Objective::limited("c", Noise::Variance(1.0)).with_at_most(1.0),
    ];
    let problem = Problem::new(objectives, arms(5)).unwrap();
    // Two tied arms, one that beats both and breaks a limit, one behind, one too low.
    let means = [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [3.0, 3.0, 2.0], [0.2, 0.8, 0.0], [4.0, -0.5, 0.0]];
    let truth = Model::new(&problem, &means).unwrap();
    assert!(is_right(&truth, &[0]) && is_right(&truth, &[0, 1]) && !is_right(&truth, &[2]));
    for (rule, stop) in [
        (RuleKind::Weakest, StoppingKind::Certified),
        (RuleKind::Dual, StoppingKind::Stylized),
        (RuleKind::Dual, StoppingKind::Calibrated),
    ] {
        let settings = Settings::new(rule.rule(&problem, 0.05).unwrap(), stop.stopping(0.05).unwrap()).seed(8);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 60_000).unwrap();
        let all = simulation.replicate(0..6, &AtomicBool::new(false), |_| {});
        assert!(all.iter().all(|run| run.outcome == Outcome::Correct), "{rule:?} {stop:?}");
    }
}

/// That no arm keeps its limits is an answer as well, and so it is that the only one does.
#[test]
fn no_arm_and_one_arm_are_answers() {
    for (mean, front) in [(0.4, vec![0]), (1.6, vec![])] {
        let objectives = vec![
            Objective::new("x", Goal::Max, Noise::Variance(1.0)),
            Objective::limited("c", Noise::Variance(1.0)).with_at_most(1.0),
        ];
        let problem = Problem::new(objectives, arms(1)).unwrap();
        let truth = Model::new(&problem, &[[5.0, mean]]).unwrap();
        // A single arm and a distance of 0.6 standard deviations.
        let known = bound(&problem, &truth, 1e-6).unwrap();
        assert!((known.upper * 0.5 * 0.36 - 1.0).abs() < 1e-5, "{known:?}");
        for stop in [StoppingKind::Certified, StoppingKind::Stylized, StoppingKind::Calibrated] {
            let settings =
                Settings::new(RuleKind::Dual.rule(&problem, 0.01).unwrap(), stop.stopping(0.01).unwrap()).seed(1);
            let mut study = Study::new(problem.clone(), settings).unwrap();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
            let mut told = 0;
            while !study.verdict().stopped {
                study.tell(0, &[5.0, mean + rng.sample::<f64, _>(rand_distr::StandardNormal)]).unwrap();
                told += 1;
                assert!(told < 2000, "{stop:?}");
            }
            assert!(told > 5, "{stop:?}: {told}");
            assert_eq!(study.verdict().front, front);
            let certificate = &study.assessment().arms[0];
            assert!(certificate.certain && certificate.limit == Some(1), "{stop:?} {certificate:?}");
        }
    }
}

/// The bound is what the oracle says at its own allocation, and no other allocation does better by much.
#[test]
fn the_bound_with_limits_is_the_best_allocation() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut bounds = 0;
    for round in 0..60 {
        let (k, d) = (2 + round % 5, 1 + round % 3);
        let margin = if round % 4 == 0 { Margin::Absolute(0.2) } else { Margin::NONE };
        let mut objectives: Vec<Objective> = (0..d)
            .map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0)).with_margin(margin))
            .collect();
        if round % 2 == 0 {
            objectives[0].limits.at_least = Some(rng.random_range(-0.5..0.5));
        }
        objectives.push(Objective::limited("c", Noise::Variance(1.0)).with_at_most(rng.random_range(-0.5..0.5)));
        let problem = Problem::new(objectives, arms(k)).unwrap();
        let means: Vec<Vec<f64>> = (0..k).map(|_| (0..=d).map(|_| rng.random_range(-1.0..1.0)).collect()).collect();
        let model = Model::new(&problem, &means).unwrap();
        let known = bound(&problem, &model, 1e-6).unwrap();
        assert!(known.gap() <= 1e-6);
        let front = Front::of(&model);
        let mut oracle = Oracle::new(&problem, Method::Auto).unwrap();
        let mut value = |weights: Vec<f64>| {
            let weights = Weights::new(k, weights).unwrap();
            oracle.closest(&Question::new(&problem, &model, &front, &weights).unwrap()).unwrap().cost
        };
        let best = value(known.weights.to_vec());
        assert!((best * known.upper - 1.0).abs() < 1e-6, "{round}: {best} {}", known.upper);
        for _ in 0..20 {
            let other: Vec<f64> = known.weights.iter().map(|w| w * rng.random_range(0.5..1.5) + 1e-4).collect();
            let total: f64 = other.iter().sum();
            assert!(value(other.iter().map(|w| w / total).collect()) <= 1.0 / known.lower * (1.0 + 1e-9));
        }
        bounds += 1;
    }
    assert_eq!(bounds, 60);
}

/// A study that is interrupted goes on as one that was not, and a tally that is regarded otherwise has its limits.
#[test]
fn what_is_saved_has_limits() {
    let problem = problem(6, Noise::Variance(0.5), Noise::Unknown, Noise::Bernoulli);
    let settings = || {
        Settings::new(RuleKind::Weakest.rule(&problem, 0.05).unwrap(), StoppingKind::Certified.stopping(0.05).unwrap())
            .seed(9)
    };
    let mut study = Study::new(problem.clone(), settings()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    for step in 0..400 {
        let arm = study.ask();
        let [gain, time, errors] = MEANS[arm];
        let mut noise = || rng.sample::<f64, _>(rand_distr::StandardNormal);
        let values = [gain + noise(), time + noise(), 0.0];
        let values = [values[0], values[1], f64::from(u8::from(rng.random::<f64>() < errors))];
        study.tell(arm, &values).unwrap();
        if step % 50 == 49 {
            let text = serde_json::to_string(&study.save()).unwrap();
            let resumed = Study::resume(problem.clone(), serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(resumed.tally(), study.tally(), "{step}");
            study = resumed;
        }
    }
    assert_eq!(study.tally().means().in_units(&problem, 0).len(), 3);
    assert!(study.tally().means().in_units(&problem, 5)[2] > 0.5);
    // The same observations without limits, and with them again.
    let free: Vec<Objective> = problem.objectives().iter().map(|o| Objective::new(&o.name, o.goal, o.noise)).collect();
    let free = Problem::new(free, problem.arms().to_vec()).unwrap();
    let back = study.tally().regarded(&free).unwrap().regarded(&problem).unwrap();
    assert_eq!(Front::of(back.means()), Front::of(study.tally().means()));
    assert_eq!(&back, study.tally());
}

#[test]
fn what_cannot_be_is_refused() {
    let noise = Noise::Variance(1.0);
    let with = |objective: Objective| {
        let x = Objective::new("x", Goal::Max, noise);
        Problem::new(vec![x, objective], arms(2)).map(|_| ()).unwrap_err()
    };
    let c = || Objective::limited("c", noise);
    assert!(matches!(with(c()), ProblemError::NoLimit { .. }));
    assert!(matches!(with(c().with_at_least(2.0).with_at_most(1.0)), ProblemError::NoRoom { .. }));
    for bad in [f64::NAN, f64::INFINITY, 1e80] {
        assert!(matches!(with(c().with_at_most(bad)), ProblemError::BadLimit { .. }));
    }
    assert!(matches!(with(Objective::limited("c", Noise::Bernoulli).with_at_most(1.5)), ProblemError::BadLimit { .. }));
    assert!(matches!(
        with(c().with_at_most(1.0).with_margin(Margin::Absolute(1.0))),
        ProblemError::MarginForLimited { .. }
    ));
    let only = Problem::new(vec![c().with_at_most(1.0)], arms(2));
    assert_eq!(only, Err(ProblemError::NothingOptimised));
    let problem = problem(6, noise, noise, noise);
    for method in [Method::Cells, Method::Sweep] {
        assert_eq!(Oracle::new(&problem, method).map(|_| ()), Err(MethodError::Limits));
    }
    let settings =
        Settings::new(RuleKind::Ape.rule(&problem, 0.1).unwrap(), StoppingKind::Stylized.stopping(0.1).unwrap());
    let refused = Study::new(problem.clone(), settings).map(|_| ());
    assert!(matches!(refused, Err(StudyError::RuleForNoLimits { .. })), "{refused:?}");
    // Exactly at a limit, no number of samples is enough.
    let mut means = MEANS;
    means[0][2] = 0.5;
    let model = Model::new(&problem, &means).unwrap();
    assert_eq!(bound(&problem, &model, 1e-6), Err(BoundError::AtLimit { arm: 0, objective: 2 }));
    let mut tally = Tally::new(&problem);
    assert!(tally.add(&problem, 0, &[1.0, 2.0]).is_err());
    let _ = Record::from(tally);
}

/// What is added or lost by a limit has a piece of its own.
#[test]
fn the_oracle_names_the_limit() {
    let noise = Noise::Variance(1.0);
    let objectives = vec![Objective::new("x", Goal::Max, noise), Objective::limited("c", noise).with_at_most(1.0)];
    let problem = Problem::new(objectives, arms(2)).unwrap();
    let model = Model::new(&problem, &[[0.0, 0.9], [9.0, 1.5]]).unwrap();
    let (front, weights) = (Front::of(&model), Weights::uniform(&problem));
    assert_eq!(front.members(), [0]);
    let mut oracle = Oracle::new(&problem, Method::Auto).unwrap();
    let closest = oracle.closest(&Question::new(&problem, &model, &front, &weights).unwrap()).unwrap();
    assert_eq!(closest.piece, Piece::Infeasible { arm: 0 });
    assert!((closest.cost - 0.5 * 0.5 * 0.01).abs() < 1e-12);
    assert!((closest.alternative(&model).in_units(&problem, 0)[1] - 1.0).abs() < 1e-12);
}

/// With a correlation, or a limit on the better side, there is a proof and no oracle: what rests on one is refused, and what does not gives the right answer.
#[test]
fn without_an_oracle_there_is_still_a_proof() {
    let noise = Noise::Variance(0.5);
    let correlated = problem(6, noise, noise, noise).with_correlation(Correlation::Given(vec![
        vec![1.0, -0.6, 0.3],
        vec![-0.6, 1.0, 0.2],
        vec![0.3, 0.2, 1.0],
    ]));
    let learned = problem(6, noise, noise, noise).with_correlation(Correlation::Estimate);
    // Too much of a good thing: the first arm alone is within the limits.
    let objectives =
        vec![Objective::new("x", Goal::Max, noise).with_at_most(3.5), Objective::new("y", Goal::Max, noise)];
    let too_good = Problem::new(objectives, arms(3)).unwrap();
    let rows = [[2.0, 2.0], [5.0, 5.0], [1.0, 1.0]];
    let three = Model::new(&too_good, &rows).unwrap();
    assert_eq!(Front::of(&three).members(), [0]);
    for (problem, truth) in [correlated.unwrap(), learned.unwrap()]
        .map(|problem| (problem.clone(), Model::new(&problem, &MEANS).unwrap()))
        .into_iter()
        .chain([(too_good.clone(), three)])
    {
        let missing = problem.no_oracle().unwrap();
        assert!(missing.to_string().contains("certified"), "{missing}");
        assert_eq!(bound(&problem, &truth, 1e-3), Err(BoundError::OtherModel(missing.into())));
        for (rule, stop) in [
            (RuleKind::Dual, StoppingKind::Certified),
            (RuleKind::Weakest, StoppingKind::Stylized),
            (RuleKind::TrackAndStop, StoppingKind::Certified),
        ] {
            let settings = Settings::new(rule.rule(&problem, 0.05).unwrap(), stop.stopping(0.05).unwrap());
            assert_eq!(settings.suit(&problem), Err(StudyError::NoOracle(missing)), "{rule:?} {stop:?}");
        }
        for rule in [RuleKind::Weakest, RuleKind::Uniform] {
            let stop = StoppingKind::Certified.stopping(0.05).unwrap();
            let settings = Settings::new(rule.rule(&problem, 0.05).unwrap(), stop).seed(4);
            let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 60_000).unwrap();
            let all = simulation.replicate(0..6, &AtomicBool::new(false), |_| {});
            assert!(all.iter().all(|run| run.outcome == Outcome::Correct), "{rule:?}: {all:?}");
        }
    }
}

/// A limit on a quantile: of an arm a hair beyond it, it is not said that it keeps it, and of one a hair within it not that it breaks it. At δ = 0.2 and 75 runs, in long mode 300, of up to 300
/// observations, more than 28 mistakes, or 85, would be seen with probability 0.0002 if the chance were all of δ; 8 checks.
#[test]
fn a_quantile_near_its_limit_is_not_said_to_be_on_the_other_side() {
    let (runs, most) = effort::either((75, 28), (300, 85));
    for (statistic, end, off) in ["median", "p90"].iter().flat_map(|&statistic| {
        [(1.0, 0.02), (1.0, -0.02), (-1.0, 0.02), (-1.0, -0.02)].map(|(end, off)| (statistic, end, off))
    }) {
        let reading = Objective::limited("time", Noise::Variance(1.0)).with_statistic(statistic.parse().unwrap());
        let reading = if end > 0.0 { reading.with_at_most(7.0) } else { reading.with_at_least(7.0) };
        let gain = Objective::new("gain", Goal::Max, Noise::Exact);
        let problem = Problem::new(vec![gain, reading], arms(1)).unwrap();
        let truth = Model::new(&problem, &[[1.0, 7.0 + off]]).unwrap();
        let settings = Settings::new(
            RuleKind::Uniform.rule(&problem, 0.2).unwrap(),
            StoppingKind::Certified.stopping(0.2).unwrap(),
        );
        let simulation = Simulation::new(problem, truth, settings.seed(8), 300).unwrap();
        let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| {});
        let mistakes = all.iter().filter(|run| run.outcome == Outcome::Mistake).count();
        assert!(mistakes <= most, "{statistic} {end} {off}: {mistakes}");
    }
}

/// Latency as it is limited in practice: 95 % of the requests within 200 ms. Whatever the law, and with some times only known to be long.
#[test]
fn the_tail_of_a_latency_is_limited() {
    let gain = Objective::new("gain", Goal::Max, Noise::Variance(1.0));
    let time =
        Objective::limited("milliseconds", Noise::Any).with_statistic("p95".parse().unwrap()).with_at_most(200.0);
    let problem = Problem::new(vec![gain, time], arms(3)).unwrap();
    let settings =
        Settings::new(RuleKind::Weakest.rule(&problem, 0.05).unwrap(), StoppingKind::Certified.stopping(0.05).unwrap());
    let mut study = Study::new(problem, settings.seed(1)).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    // The best arm is slow once in ten times, the next one once in a hundred.
    let (gains, slow) = ([3.0, 2.0, 1.0], [0.1, 0.01, 0.01]);
    let mut samples = 0;
    while !study.stopped() {
        let arm = study.ask();
        let time = if rng.random_bool(slow[arm]) {
            Reading::MoreThan(1_000.0).as_value()
        } else {
            -100.0 * (1.0 - rng.random::<f64>()).ln().max(-1.9)
        };
        study.tell(arm, &[gains[arm] + rng.random_range(-1.0..1.0), time]).unwrap();
        samples += 1;
        assert!(samples < 30_000, "it does not end");
    }
    assert_eq!(study.verdict().front, [1], "{samples}");
    let again = Study::resume(study.problem().clone(), study.save()).unwrap();
    assert_eq!((again.stopped(), again.verdict().front), (true, vec![1]));
}
