//! Differences that do not matter: every study ends, ties included, and no answer is wrong more often than was accepted.

use std::num::NonZeroU64;
use std::sync::atomic::AtomicBool;

use crate::effort;
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use surefront::{
    Arm, Dual, Evaluation, Front, Goal, Margin, Model, Noise, NoiseLaw, Objective, Outcome, Problem, Rule, RuleKind,
    Settings, Simulation, Standing, Statistic, Stopping, StoppingKind, Study, Stylized, TrackAndStop, Tracking,
    Uniform, bound, is_right,
};

fn problem(arms: usize, margins: &[Margin], noise: Noise) -> Problem {
    let objective =
        |(j, margin): (usize, &Margin)| Objective::new(format!("y{j}"), Goal::Max, noise).with_margin(*margin);
    let arms = (0..arms).map(|arm| Arm::named(format!("a{arm}"))).collect();
    Problem::new(margins.iter().enumerate().map(objective).collect(), arms).unwrap()
}

/// The same arms and objectives with other noise.
fn with_noise(problem: &Problem, noise: Noise) -> Problem {
    let objectives =
        problem.objectives().iter().map(|objective| Objective::new(&objective.name, objective.goal, noise));
    Problem::new(objectives.collect(), problem.arms().to_vec()).unwrap()
}

/// Two equal arms on the front, one that is far from both on it, three behind.
const TIED: [[f64; 2]; 6] = [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.2, 0.3], [0.5, 0.5], [2.0, -1.0]];

/// Simulated to the end: the samples of all runs together, and how many ended with a wrong answer.
fn runs(
    problem: &Problem,
    means: &[[f64; 2]],
    rule: RuleKind,
    stop: StoppingKind,
    delta: f64,
    runs: u64,
) -> (u64, usize) {
    let truth = Model::new(problem, means).unwrap();
    let settings = Settings::new(rule.rule(problem, delta).unwrap(), stop.stopping(delta).unwrap()).seed(7);
    let actual = with_noise(problem, Noise::Variance(1.0));
    let simulation = Simulation::new(problem.clone(), truth, settings, 50_000).unwrap();
    let simulation = simulation.with_noise(NoiseLaw::Gaussian, actual).unwrap();
    let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| {});
    assert!(all.iter().all(|run| run.outcome != Outcome::Undecided), "{rule:?} {stop:?}: a study did not end");
    (all.iter().map(|run| run.samples).sum(), all.iter().filter(|run| run.outcome == Outcome::Mistake).count())
}

/// Without margins none of these would ever end. The seeds are fixed; at δ = 0.05 more than two mistakes of five, or, in long mode, three of ten, would be seen with probability
/// 0.001 if the chance were all of δ, which it is not here.
#[test]
fn every_study_ends_though_arms_are_tied() {
    let (number, most) = effort::either((5, 2), (10, 3));
    let margins = [Margin::Absolute(0.2); 2];
    for noise in [Noise::Variance(1.0), Noise::Unknown, Noise::Common] {
        let problem = problem(6, &margins, noise);
        for (rule, stop) in [
            (RuleKind::Weakest, StoppingKind::Certified),
            (RuleKind::Uniform, StoppingKind::Certified),
            (RuleKind::Dual, StoppingKind::Stylized),
            (RuleKind::Dual, StoppingKind::Calibrated),
            (RuleKind::TrackAndStop, StoppingKind::Stylized),
        ] {
            let (_, mistakes) = runs(&problem, &TIED, rule, stop, 0.05, number);
            assert!(mistakes <= most, "{rule:?} {stop:?} {noise:?}: {mistakes}");
        }
    }
}

/// A wider margin takes fewer samples, of the bound and of a study.
#[test]
fn wider_margins_take_fewer_samples() {
    let (mut last, mut bounds) = (u64::MAX, f64::INFINITY);
    for size in [0.1, 0.2, 0.4] {
        let problem = problem(6, &[Margin::Absolute(size); 2], Noise::Variance(1.0));
        let truth = Model::new(&problem, &TIED).unwrap();
        let t_star = bound(&problem, &truth, 1e-4).unwrap().upper;
        let (samples, _) = runs(&problem, &TIED, RuleKind::Dual, StoppingKind::Stylized, 0.1, 10);
        assert!(samples < last && t_star < bounds, "{size}: {samples} {t_star}");
        (last, bounds) = (samples, t_star);
    }
}

/// Arms at the edge of what matters: beaten by a little more than the margin, and by a little less. The certified answer is wrong in at most a part δ of the runs;
/// 50 runs with δ = 0.1 and more than 12 mistakes, or, in long mode, 200 and more than 32, would have probability 0.004.
#[test]
fn near_the_margin_no_more_are_wrong_than_was_accepted() {
    let (runs, most) = effort::either((50, 12), (200, 32));
    let means = [[1.0, 1.0], [0.75, 0.75], [0.85, 1.4], [1.25, 0.2], [1.5, -0.1]];
    for (seed, noise) in [Noise::Variance(1.0), Noise::Unknown].into_iter().enumerate() {
        let problem = problem(5, &[Margin::Absolute(0.2), Margin::Relative(0.2)], noise);
        let truth = Model::new(&problem, &means).unwrap();
        let settings = Settings::new(
            RuleKind::Weakest.rule(&problem, 0.1).unwrap(),
            StoppingKind::Certified.stopping(0.1).unwrap(),
        );
        let simulation = Simulation::new(problem.clone(), truth, settings.seed(seed as u64), 3_000).unwrap();
        let actual = with_noise(&problem, Noise::Variance(1.0));
        let simulation = simulation.with_noise(NoiseLaw::Gaussian, actual).unwrap();
        let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| {});
        let mistakes = all.iter().filter(|run| run.outcome == Outcome::Mistake).count();
        assert!(mistakes <= most, "{mistakes}");
    }
}

/// Medians: two arms with the same one, and one whose median is larger by more than the margin, with values that repeat. None of twenty answers is wrong; with δ = 0.05, more than
/// four would have probability 0.003 if the chance were all of δ.
#[test]
fn medians_have_margins() {
    for margin in [Margin::Absolute(0.5), Margin::Relative(0.05)] {
        let objective =
            Objective::new("ms", Goal::Min, Noise::Any).with_statistic(Statistic::MEDIAN).with_margin(margin);
        let arms = ["a", "b", "c"].map(Arm::named).to_vec();
        let problem = Problem::new(vec![objective], arms).unwrap();
        let truth = Model::new(&problem, &[[10.0], [10.0], [11.5]]).unwrap();
        let mut wrong = 0;
        for seed in 0..20 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let stop = StoppingKind::Certified.stopping(0.05).unwrap();
            let settings = Settings::new(RuleKind::Weakest.rule(&problem, 0.05).unwrap(), stop).seed(seed);
            let mut study = Study::new(problem.clone(), settings).unwrap();
            while !study.stopped() {
                assert!(study.tally().total() < 20_000, "it does not end");
                let arm = study.ask();
                // A tenth of the measurements stall; the others are rounded.
                let noise: f64 = rng.sample(StandardNormal);
                let stall = if rng.random::<f64>() < 0.1 { 50.0 } else { 0.0 };
                let value = -truth.row(arm)[0] + (4.0 * noise).round() / 4.0 + stall;
                study.tell(arm, &[value]).unwrap();
            }
            // With stalls, the medians are a little above.
            wrong += u32::from(!is_right(&truth, &study.verdict().front));
        }
        assert!(wrong <= 4, "{margin}: {wrong}");
    }
}

/// No certificate at any look is wrong: who is certified in is beaten by nobody beyond the margins, who is certified out is no better than some other arm beyond them.
#[test]
fn certificates_hold_at_every_look() {
    let problem = problem(4, &[Margin::Absolute(0.3); 2], Noise::Variance(1.0));
    let means = [[1.0, 1.0], [0.9, 1.1], [0.65, 0.65], [0.5, 1.2]];
    let truth = Model::new(&problem, &means).unwrap();
    let beaten = |arm: usize| (0..4).any(|by| by != arm && (0..2).all(|j| means[by][j] > means[arm][j] + 0.3));
    let covered = |arm: usize| (0..4).any(|by| by != arm && (0..2).all(|j| means[arm][j] <= means[by][j] + 0.3));
    let mut wrong = 0;
    for seed in 0..40 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let settings = Settings::new(
            RuleKind::Weakest.rule(&problem, 0.1).unwrap(),
            StoppingKind::Certified.stopping(0.1).unwrap(),
        );
        let mut study = Study::new(problem.clone(), settings.seed(seed)).unwrap();
        let mut bad = false;
        while !study.stopped() && study.tally().total() < 6_000 {
            let arm = study.ask();
            let values: Vec<f64> =
                truth.row(arm).iter().map(|mean| mean + rng.sample::<f64, _>(StandardNormal)).collect();
            study.tell(arm, &values).unwrap();
            if study.tally().total().is_multiple_of(50) {
                for (arm, known) in study.assessment().arms.iter().enumerate().filter(|(_, known)| known.certain) {
                    bad |= match known.standing {
                        Some(Standing::In) => beaten(arm),
                        _ => !covered(arm),
                    };
                }
            }
        }
        wrong += u32::from(bad);
    }
    // At δ = 0.1 more than ten of forty has probability 0.0015.
    assert!(wrong <= 10, "{wrong}");
}

#[test]
fn the_same_whatever_is_kept() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for round in 0..60u64 {
        let (k, d) = (rng.random_range(1..20), rng.random_range(1..5));
        let margins: Vec<Margin> =
            (0..d).map(|_| if rng.random() { Margin::Absolute(0.5) } else { Margin::NONE }).collect();
        let problem = problem(k, &margins, Noise::Variance(1.0));
        let means: Vec<Vec<f64>> =
            (0..k).map(|_| (0..d).map(|_| f64::from(rng.random_range(-2..3))).collect()).collect();
        let rule = match round % 3 {
            0 => Rule::Dual(Dual::default()),
            1 => Rule::Uniform(Uniform),
            _ => Rule::TrackAndStop(TrackAndStop::new(k, Tracking::Direct, NonZeroU64::new(3).unwrap())),
        };
        let settings = Settings::new(rule, Stopping::Stylized(Stylized::new(1e-6).unwrap())).seed(round);
        let study = |evaluation| Study::new(problem.clone(), settings.clone().evaluation(evaluation)).unwrap();
        let (mut lazy, mut eager) = (study(Evaluation::Lazy), study(Evaluation::Eager));
        for _ in 0..200 {
            let arm = lazy.ask();
            assert_eq!(arm, eager.ask());
            let values: Vec<f64> =
                means[arm].iter().map(|mean| mean + f64::from(rng.random_range(-2..3)) * 0.5).collect();
            lazy.tell(arm, &values).unwrap();
            eager.tell(arm, &values).unwrap();
            assert_eq!(lazy.verdict(), eager.verdict());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The front of the means is always right, whatever the margins; and without margins nothing else is.
    #[test]
    fn the_front_is_right(
        rows in prop::collection::vec(prop::collection::vec(1i32..6, 2), 1..8), margins in prop::collection::vec(0u8..4, 2),
    ) {
        let margins: Vec<Margin> = margins.iter().map(|&size| Margin::Absolute(f64::from(size) / 2.0)).collect();
        let problem = problem(rows.len(), &margins, Noise::Variance(1.0));
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect();
        let model = Model::new(&problem, &rows).unwrap();
        prop_assert!(is_right(&model, Front::of(&model).members()));
    }
}

#[test]
fn margins_that_are_none_are_refused() {
    let refused = |margin, noise: Noise| {
        let objective = Objective::new("y", Goal::Max, noise).with_margin(margin);
        Problem::new(vec![objective], vec![Arm::named("a")]).unwrap_err().to_string()
    };
    for margin in [
        Margin::Absolute(-1.0),
        Margin::Absolute(f64::NAN),
        Margin::Absolute(f64::INFINITY),
        Margin::Relative(1.0),
        Margin::Relative(-0.1),
    ] {
        let message = refused(margin, Noise::Unknown);
        assert!(message.contains("the margin of objective \"y\" is"), "{message}");
    }
    let message = refused(Margin::Relative(0.1), Noise::Common);
    assert!(message.contains("in the units of the objective"), "{message}");
}

/// The kinds of noise that are not Gaussian, with a margin, and two means that differ by a hair more than that, so that the lesser arm must not be named alone; both ways, absolute and in percent.
fn a_hair_beyond() -> Vec<(Noise, Goal, Margin, [f64; 2])> {
    let range = Noise::Bounded { low: 0.0, high: 1.0 };
    vec![
        (Noise::Bernoulli, Goal::Max, Margin::Absolute(0.1), [0.5, 0.605]),
        (Noise::Bernoulli, Goal::Min, Margin::Absolute(0.02), [0.05, 0.029]),
        (Noise::Bernoulli, Goal::Max, Margin::Relative(0.3), [0.5, 0.66]),
        (Noise::Poisson, Goal::Max, Margin::Absolute(0.5), [1.0, 1.52]),
        (Noise::Poisson, Goal::Min, Margin::Relative(0.3), [2.0, 1.38]),
        (Noise::Exponential, Goal::Min, Margin::Absolute(0.4), [2.0, 1.58]),
        (Noise::Exponential, Goal::Max, Margin::Absolute(0.4), [2.0, 2.42]),
        (Noise::Exponential, Goal::Max, Margin::Relative(0.3), [2.0, 2.62]),
        (range, Goal::Max, Margin::Absolute(0.1), [0.5, 0.605]),
        (range, Goal::Min, Margin::Relative(0.2), [0.5, 0.395]),
    ]
}

fn two_arms(noise: Noise, goal: Goal, margin: Margin, means: [f64; 2], budget: u64, delta: f64) -> Simulation {
    let objective = Objective::new("y", goal, noise).with_margin(margin);
    let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap();
    let truth = Model::new(&problem, &means.map(|mean| [mean])).unwrap();
    let rule = RuleKind::Uniform.rule(&problem, delta).unwrap();
    let settings = Settings::new(rule, StoppingKind::Certified.stopping(delta).unwrap()).seed(5);
    Simulation::new(problem, truth, settings, budget).unwrap()
}

/// At δ = 0.2 and 50 runs, in long mode 200, of up to 600 samples, more than 21 mistakes, or 61, would be seen with probability 0.0002 if the chance were all of δ; 10 checks.
#[test]
fn an_arm_that_is_worse_by_more_than_the_margin_is_not_named_alone() {
    let (runs, most) = effort::either((50, 21), (200, 61));
    for (noise, goal, margin, means) in a_hair_beyond() {
        let simulation = two_arms(noise, goal, margin, means, 600, 0.2);
        let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| {});
        let mistakes = all.iter().filter(|run| run.outcome == Outcome::Mistake).count();
        assert!(mistakes <= most, "{noise:?} {goal:?} {margin:?}: {mistakes}");
    }
}

/// Exact ties end, whatever the noise; either arm may be named.
#[test]
fn ties_of_every_kind_of_noise_end() {
    for (noise, goal, margin, means) in a_hair_beyond() {
        let simulation = two_arms(noise, goal, margin, [means[0]; 2], 30_000, 0.05);
        let all = simulation.replicate(0..4, &AtomicBool::new(false), |_| {});
        assert!(all.iter().all(|run| run.outcome == Outcome::Correct), "{noise:?} {goal:?} {margin:?}: {all:?}");
    }
}

/// Success rates and times with margins, by every rule and threshold that can do it. At δ = 0.05, more than two mistakes of six would be seen with probability 0.002 if the chance were all of δ.
#[test]
fn success_rates_have_margins_under_every_rule() {
    let objectives = vec![
        Objective::new("rate", Goal::Max, Noise::Bernoulli).with_margin(Margin::Absolute(0.08)),
        Objective::new("time", Goal::Min, Noise::Exponential).with_margin(Margin::Relative(0.2)),
    ];
    let arms = ["a", "b", "c", "d"].map(Arm::named).to_vec();
    let problem = Problem::new(objectives, arms).unwrap();
    let truth = Model::new(&problem, &[[0.8, 2.0], [0.8, 2.0], [0.5, 0.8], [0.4, 3.0]]).unwrap();
    assert!(bound(&problem, &truth, 1e-4).unwrap().gap() <= 1e-4);
    for (rule, stop) in [
        (RuleKind::Weakest, StoppingKind::Certified),
        (RuleKind::Uniform, StoppingKind::Certified),
        (RuleKind::Dual, StoppingKind::Certified),
        (RuleKind::Dual, StoppingKind::Stylized),
        (RuleKind::Dual, StoppingKind::Calibrated),
        (RuleKind::TrackAndStop, StoppingKind::Stylized),
    ] {
        let settings = Settings::new(rule.rule(&problem, 0.05).unwrap(), stop.stopping(0.05).unwrap()).seed(7);
        let simulation = Simulation::new(problem.clone(), truth.clone(), settings, 60_000).unwrap();
        let all = simulation.replicate(0..6, &AtomicBool::new(false), |_| {});
        let mistakes = all.iter().filter(|run| run.outcome == Outcome::Mistake).count();
        assert!(mistakes <= 2 && all.iter().all(|run| run.outcome != Outcome::Undecided), "{rule:?} {stop:?}: {all:?}");
    }
}
