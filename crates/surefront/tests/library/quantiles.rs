//! Medians and other quantiles, certified whatever the law: ties, discrete values, stalls, values that are only known to be more than something.

use crate::effort;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use rand_distr::{StandardNormal, StudentT};
use surefront::{
    Arm, Goal, Model, Noise, Objective, Outcome, Problem, Quantile, Reading, RuleKind, Settings, Simulation, Source,
    Standing, Statistic, StoppingKind, Study, StudyError,
};

#[derive(Clone, Copy, Debug)]
enum Law {
    Gaussian,
    Student,
    /// e to a Gaussian, less its median.
    LogNormal,
    /// Narrow, and in one of ten far above.
    Stalls,
    /// A Gaussian, rounded to whole numbers.
    Rounded,
    /// 0 or 1, each half of the time: the median is 0, at the lower end of a flat stretch.
    Coin,
    Zero,
}

impl Law {
    fn draw(self, rng: &mut dyn Rng) -> f64 {
        let gaussian: f64 = rng.sample(StandardNormal);
        match self {
            Law::Gaussian => gaussian,
            Law::Student => rng.sample(StudentT::new(3.0).unwrap()),
            Law::LogNormal => gaussian.exp() - 1.0,
            // So that the median is zero: it is at 5/9 of the narrow part.
            Law::Stalls if rng.random::<f64>() < 0.1 => 20.0 + gaussian,
            Law::Stalls => 0.3 * (gaussian - 0.139_710_298_881_862),
            Law::Rounded => gaussian.round(),
            Law::Coin => f64::from(u8::from(rng.random::<bool>())),
            Law::Zero => 0.0,
        }
    }
}

/// One law for all arms, around a place for each arm and objective.
#[derive(Debug)]
struct Around(Law, Vec<Vec<f64>>);

impl Source for Around {
    fn observe(&self, arm: usize, rng: &mut dyn Rng, values: &mut [f64]) {
        values.iter_mut().zip(&self.1[arm]).for_each(|(value, at)| *value = at + self.0.draw(rng));
    }
}

fn problem(arms: usize, objectives: usize, goal: Goal, noise: Noise, statistic: Statistic) -> Problem {
    let objective = |j: usize| Objective::new(format!("y{j}"), goal, noise).with_statistic(statistic);
    let arms = (0..arms).map(|arm| Arm::named(format!("a{arm}"))).collect();
    Problem::new((0..objectives).map(objective).collect(), arms).unwrap()
}

fn medians(arms: usize, objectives: usize, goal: Goal) -> Problem {
    problem(arms, objectives, goal, Noise::Any, Statistic::MEDIAN)
}

fn settings(problem: &Problem, delta: f64) -> Settings {
    let rule = RuleKind::Weakest.rule(problem, delta).unwrap();
    Settings::new(rule, StoppingKind::Certified.stopping(delta).unwrap())
}

/// Arms with the same median and different laws: whoever is ever said to be out at some look is a mistake. At δ = 0.2, 33 runs of each of eight pairs, in long mode 100: were the chance
/// of a mistake δ, more than 16 of 33, or 36 of 100, would come up in about one of 10,000 seeds.
#[test]
fn nobody_is_wrongly_out_at_any_look() {
    let delta = 0.2;
    let (runs, most) = effort::either((33, 16), (100, 36));
    let pairs = [
        (Law::Gaussian, Law::Gaussian, Goal::Max),
        (Law::Gaussian, Law::LogNormal, Goal::Max),
        (Law::LogNormal, Law::Stalls, Goal::Min),
        (Law::Student, Law::Rounded, Goal::Max),
        (Law::Rounded, Law::Rounded, Goal::Min),
        (Law::Coin, Law::Zero, Goal::Max),
        (Law::Coin, Law::Zero, Goal::Min),
        (Law::Coin, Law::Coin, Goal::Max),
    ];
    for (case, (one, two, goal)) in pairs.into_iter().enumerate() {
        let problem = medians(2, 1, goal);
        let mistakes = (0..runs).filter(|run| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1000 * case as u64 + run);
            let mut study = Study::new(problem.clone(), settings(&problem, delta).seed(*run)).unwrap();
            (0..300).any(|i| {
                let arm = study.ask();
                study.tell(arm, &[if arm == 0 { one } else { two }.draw(&mut rng)]).unwrap();
                let out = |arm: &surefront::Certificate| arm.certain && arm.standing == Some(Standing::Out);
                i % 3 == 0 && study.assessment().arms.iter().any(out)
            })
        });
        let mistakes = mistakes.count();
        assert!(mistakes <= most, "{one:?} {two:?} {goal:?}: {mistakes}");
    }
}

/// Up to twenty arms in up to three objectives; after a lesson as well as before one. At δ = 0.1, 3 runs of each of 20, in long mode 20: were every one wrong
/// with probability δ, more than 19 of 60, or 70 of 400, would be in one of a million seeds.
#[test]
fn fronts_of_medians_are_right() {
    let (runs, most) = effort::either((3, 19), (20, 70));
    let (mut mistakes, mut undecided) = (0, 0);
    for law in [Law::Gaussian, Law::Student, Law::LogNormal, Law::Stalls, Law::Rounded] {
        for (arms, d) in [(2, 1), (5, 1), (20, 2), (6, 3)] {
            // Whole numbers, so that the medians of rounded values differ as well.
            let place = |arm: usize, j: usize| match (arm % d == j, arm < d) {
                (true, true) => 3.0,
                (_, true) => 0.0,
                (_, false) => -1.0 - (arm % 3) as f64,
            };
            let places: Vec<Vec<f64>> = (0..arms).map(|arm| (0..d).map(|j| place(arm, j)).collect()).collect();
            let problem = medians(arms, d, Goal::Max);
            let truth = Model::new(&problem, &places).unwrap();
            let simulation = Simulation::new(problem.clone(), truth, settings(&problem, 0.1), 5_000).unwrap();
            let simulation = simulation.with_source(Around(law, places));
            for run in 0..runs {
                match simulation.run(run).outcome {
                    Outcome::Correct => {}
                    Outcome::Mistake => mistakes += 1,
                    Outcome::Undecided => undecided += 1,
                }
            }
        }
    }
    assert!(mistakes <= most, "{mistakes}");
    assert_eq!(undecided, 0);
}

fn mean_samples(problem: &Problem, law: Law, places: &[Vec<f64>]) -> f64 {
    let truth = Model::new(problem, places).unwrap();
    let simulation = Simulation::new(problem.clone(), truth, settings(problem, 0.1), 20_000).unwrap();
    let simulation = simulation.with_source(Around(law, places.to_vec()));
    let runs = effort::either(20, 40);
    (0..runs).map(|run| simulation.run(run).samples as f64).sum::<f64>() / runs as f64
}

/// Against the mean with a known variance where the noise is Gaussian, and against that with an unknown one where it is not.
#[test]
fn a_median_costs_little_and_saves_much() {
    for (arms, gap) in [(2, 0.5), (5, 0.4)] {
        let places: Vec<Vec<f64>> = (0..arms).map(|arm| vec![-gap * f64::from(arm.min(2))]).collect();
        let arms = places.len();
        let median = medians(arms, 1, Goal::Max);
        let known = problem(arms, 1, Goal::Max, Noise::Variance(1.0), Statistic::Mean);
        let unknown = problem(arms, 1, Goal::Max, Noise::Unknown, Statistic::Mean);
        let ratio = mean_samples(&median, Law::Gaussian, &places) / mean_samples(&known, Law::Gaussian, &places);
        assert!(ratio <= 2.0, "{arms} arms: {ratio}");
        for law in [Law::Student, Law::LogNormal] {
            let ratio = mean_samples(&median, law, &places) / mean_samples(&unknown, law, &places);
            assert!(ratio < 0.9, "{arms} arms, {law:?}: {ratio}");
        }
    }
}

/// A study that is saved and resumed, and one whose observations are kept elsewhere, goes on as if nothing had happened; with values that never came.
#[test]
fn a_saved_study_goes_on() {
    let objective = |name: &str, goal, statistic| Objective::new(name, goal, Noise::Unknown).with_statistic(statistic);
    let p90 = Statistic::Quantile(Quantile::new(0.9).unwrap());
    let objectives = vec![objective("x", Goal::Min, p90), objective("y", Goal::Max, Statistic::Mean)];
    let problem = Problem::new(objectives, (0..4).map(|arm| Arm::named(format!("a{arm}"))).collect()).unwrap();
    let mut study = Study::new(problem.clone(), settings(&problem, 0.1)).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let measure = |study: &mut Study, rng: &mut Xoshiro256PlusPlus| {
        let arm = study.ask();
        let late = rng.random::<f64>() < 0.05;
        let x =
            if late { Reading::MoreThan(30.0).as_value() } else { arm as f64 + rng.sample::<f64, _>(StandardNormal) };
        study.tell(arm, &[x, arm as f64 + rng.sample::<f64, _>(StandardNormal)]).unwrap();
    };
    (0..400).for_each(|_| measure(&mut study, &mut rng));
    let text = serde_json::to_string(&study.save()).unwrap();
    let mut resumed = Study::resume(problem.clone(), serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(resumed.tally(), study.tally());
    assert_eq!(resumed.save(), study.save());
    let mut again = rng.clone();
    (0..200).for_each(|_| measure(&mut study, &mut rng));
    (0..200).for_each(|_| measure(&mut resumed, &mut again));
    assert_eq!(resumed.save(), study.save());
    // What was saved of means alone is none of a study of quantiles.
    let means = Problem::new(
        vec![objective("x", Goal::Min, Statistic::Mean), objective("y", Goal::Max, Statistic::Mean)],
        problem.arms().to_vec(),
    );
    let other = Study::new(means.unwrap(), settings(&problem, 0.1)).unwrap().save();
    assert!(matches!(Study::resume(problem, other), Err(StudyError::Size(_))));
}

/// What never ends is more than anything; what was given up is more than the time it was given, and no more is known.
#[test]
fn a_time_out_is_more_than_the_time() {
    let problem = medians(2, 1, Goal::Min);
    let verdict = |one: f64, two: f64| {
        let mut study = Study::new(problem.clone(), settings(&problem, 0.05)).unwrap();
        for _ in 0..40 {
            study.tell(0, &[one]).unwrap();
            study.tell(1, &[two]).unwrap();
        }
        study.stopped().then(|| study.verdict().front)
    };
    let more = |limit| Reading::MoreThan(limit).as_value();
    assert_eq!(verdict(10.0, f64::INFINITY), Some(vec![0]));
    assert_eq!(verdict(more(200.0), 10.0), Some(vec![1]));
    assert_eq!(verdict(10.0, more(10.0)), Some(vec![0]));
    // It may be more or less than 300.
    assert_eq!(verdict(300.0, more(200.0)), None);
    assert_eq!(verdict(more(200.0), more(100.0)), None);
    assert_eq!(verdict(f64::INFINITY, f64::INFINITY), None);
}

#[test]
fn means_cannot_bear_it() {
    let problem = problem(2, 1, Goal::Min, Noise::Unknown, Statistic::Mean);
    let mut study = Study::new(problem.clone(), settings(&problem, 0.05)).unwrap();
    for value in [f64::INFINITY, Reading::MoreThan(200.0).as_value()] {
        let text = study.tell(0, &[value]).unwrap_err().to_string();
        assert!(text.contains("a0") && text.contains("y0") && text.contains("median"), "{text}");
    }
    assert!(study.tell(0, &[f64::NEG_INFINITY]).is_err());
    assert!(study.tell(0, &[f64::NAN]).is_err());
    let medians = medians(2, 1, Goal::Min);
    let mut study = Study::new(medians.clone(), settings(&medians, 0.05)).unwrap();
    for bad in [f64::NEG_INFINITY, f64::NAN, 1e76, f64::MAX] {
        assert!(study.tell(0, &[bad]).is_err(), "{bad}");
    }
    assert_eq!(study.tally().total(), 0);
}

#[test]
fn what_is_for_means_is_refused() {
    let problem = medians(2, 1, Goal::Max);
    for threshold in [StoppingKind::Stylized, StoppingKind::Calibrated] {
        let rule = RuleKind::Weakest.rule(&problem, 0.1).unwrap();
        let error = Study::new(problem.clone(), Settings::new(rule, threshold.stopping(0.1).unwrap())).unwrap_err();
        assert!(
            matches!(error, StudyError::StoppingForMeans { .. }) && error.to_string().contains("median"),
            "{error}"
        );
    }
    for rule in [RuleKind::Dual, RuleKind::TrackAndStop, RuleKind::Ape] {
        let rule = rule.rule(&problem, 0.1).unwrap();
        let stopping = StoppingKind::Certified.stopping(0.1).unwrap();
        let error = Study::new(problem.clone(), Settings::new(rule, stopping)).unwrap_err();
        assert!(matches!(error, StudyError::RuleForMeans { .. }) && error.to_string().contains("weakest"), "{error}");
    }
    for rule in [RuleKind::Uniform, RuleKind::Fixed] {
        let rule = rule.rule(&problem, 0.1).unwrap();
        let stopping = StoppingKind::Certified.stopping(0.1).unwrap();
        assert!(Study::new(problem.clone(), Settings::new(rule, stopping)).is_ok());
    }
}
