//! Noise kinds from end to end: what is refused, the bound, and studies on success rates, counts and times.

use std::sync::atomic::AtomicBool;

use crate::instances::random_mixture;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Dual, Family, Front, Goal, Method, Model, Noise, NoiseLaw, Objective, Oracle, Outcome, Problem, Question,
    Range, Rule, RuleKind, Settings, Simulation, Standing, Stopping, StoppingKind, Study, Stylized, Weights, bound,
};

fn problem(objectives: &[(Goal, Noise)], arms: usize) -> Problem {
    let objectives =
        objectives.iter().enumerate().map(|(j, &(goal, noise))| Objective::new(format!("y{j}"), goal, noise));
    Problem::new(objectives.collect(), (0..arms).map(|k| Arm::named(format!("a{k}"))).collect()).unwrap()
}

fn stylized(delta: f64) -> Stopping {
    Stopping::Stylized(Stylized::new(delta).unwrap())
}

#[test]
fn what_is_outside_the_domain_is_refused_by_name() {
    let laws = [(Goal::Max, Noise::Bernoulli), (Goal::Min, Noise::Poisson), (Goal::Min, Noise::Exponential)];
    let problem = problem(&laws, 2);
    let settings = Settings::new(Rule::Dual(Dual::default()), stylized(0.1));
    let mut study = Study::new(problem.clone(), settings).unwrap();
    for (values, said) in [
        ([2.0, 0.0, 1.0], "value 2 in objective \"y0\", but its noise is bernoulli: give 0 or 1"),
        ([0.5, 0.0, 1.0], "bernoulli"),
        ([1.0, -1.0, 1.0], "poisson: give a whole number, 0 or more"),
        ([1.0, 0.5, 1.0], "poisson"),
        ([1.0, 0.0, 0.0], "exponential: give a number above 0"),
        ([1.0, 0.0, -1.0], "exponential"),
        ([f64::NAN, 0.0, 1.0], "finite"),
    ] {
        let text = study.tell(0, &values).unwrap_err().to_string();
        assert!(text.contains(said) && text.contains("arm \"a0\""), "{text}");
    }
    study.tell(0, &[1.0, 7.0, 0.25]).unwrap();
    assert_eq!(study.tally().total(), 1);
    for (means, said) in [
        ([1.5, 1.0, 1.0], "a number from 0 to 1"),
        ([0.5, -1.0, 1.0], "a number, 0 or more"),
        ([0.5, 1.0, 0.0], "a number above 0"),
    ] {
        let text = Model::new(&problem, &[[0.5, 1.0, 1.0], means]).unwrap_err().to_string();
        assert!(text.contains(said) && text.contains("arm \"a1\""), "{text}");
    }
}

#[test]
fn an_objective_has_one_family() {
    let objective = || vec![Objective::new("rate", Goal::Max, Noise::Bernoulli)];
    let own = |noise| vec![Arm::named("a"), Arm::named("b").with_noise(vec![noise])];
    let text = Problem::new(objective(), own(Noise::Variance(1.0))).unwrap_err().to_string();
    assert!(
        text.contains("arm \"b\" has gaussian noise in objective \"rate\", where other arms have bernoulli"),
        "{text}"
    );
    let problem = Problem::new(objective(), own(Noise::Exact)).unwrap();
    assert_eq!(problem.family(0), Family::Bernoulli);
    // What is exact is a rate, not an outcome.
    assert!(problem.check_observation(1, &[0.25], |_| None).is_ok());
    assert!(problem.check_observation(0, &[0.25], |_| None).is_err());
}

#[test]
fn observations_of_another_kind_are_not_taken_up() {
    let laws = [(Goal::Max, Noise::Variance(1.0)), (Goal::Max, Noise::Poisson)];
    let (poisson, gaussian) = (problem(&laws, 2), problem(&[(Goal::Max, Noise::Variance(1.0)); 2], 2));
    let mut study = Study::new(gaussian, Settings::new(Rule::Dual(Dual::default()), stylized(0.1))).unwrap();
    study.tell(1, &[0.0, -2.5]).unwrap();
    let text = Study::resume(poisson, study.save()).unwrap_err().to_string();
    assert!(text.contains("arm \"a1\" in objective \"y1\" are not those of poisson noise"), "{text}");
}

/// kl as it stands in books.
fn kl(noise: Noise, m: f64, x: f64) -> f64 {
    let term = |m: f64, x: f64| if m == 0.0 { 0.0 } else { m * (m / x).ln() };
    match noise {
        Noise::Bernoulli => term(m, x) + term(1.0 - m, 1.0 - x),
        Noise::Poisson => term(m, x) + x - m,
        Noise::Exponential => m / x - 1.0 - (m / x).ln(),
        _ => 0.5 * (m - x).powi(2),
    }
}

/// Two arms: 1 / T* is the largest cost of the weighted mean over all weights, found by golden section.
#[test]
fn the_bound_of_two_arms_is_that_of_the_books() {
    for (noise, one, two) in [
        (Noise::Bernoulli, 0.45, 0.55),
        (Noise::Bernoulli, 0.01, 0.02),
        (Noise::Bernoulli, 0.995, 0.999),
        (Noise::Bernoulli, 0.0, 0.2),
        (Noise::Bernoulli, 0.7, 1.0),
        (Noise::Poisson, 0.1, 0.2),
        (Noise::Poisson, 50.0, 55.0),
        (Noise::Poisson, 0.0, 3.0),
        (Noise::Exponential, 1e-3, 2e-3),
        (Noise::Exponential, 400.0, 5.0),
    ] {
        for goal in [Goal::Max, Goal::Min] {
            let problem = problem(&[(goal, noise)], 2);
            let model = Model::new(&problem, &[[one], [two]]).unwrap();
            let cost = |w: f64| {
                let x = w * one + (1.0 - w) * two;
                w * kl(noise, one, x) + (1.0 - w) * kl(noise, two, x)
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..100 {
                let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                if cost(a) < cost(b) { low = a } else { high = b }
            }
            let expected = cost(0.5 * (low + high)).recip();
            let found = bound(&problem, &model, 1e-7).unwrap();
            assert!(
                found.lower <= expected * (1.0 + 1e-9) && expected <= found.upper * (1.0 + 1e-9),
                "{noise:?} {one} {two}: {expected} is not between {} and {}",
                found.lower,
                found.upper
            );
            assert!(found.gap() <= 1e-7);
        }
    }
}

#[test]
fn the_bound_holds_for_mixtures() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    for round in 0..150 {
        let (k, d) = (rng.random_range(2..=12), rng.random_range(1..=4));
        let (problem, model) = random_mixture(&mut rng, k, d);
        let found = bound(&problem, &model, 1e-6);
        assert!(found.as_ref().is_ok_and(|b| b.gap() <= 1e-6), "round {round}, K = {k}, d = {d}: {found:?}");
        let found = found.unwrap();
        let front = Front::of(&model);
        let mut oracle = Oracle::new(&problem, Method::Branch).unwrap();
        let mut value = |weights: &Weights| {
            let total: f64 = weights.iter().sum();
            oracle.closest(&Question::new(&problem, &model, &front, weights).unwrap()).unwrap().cost / total
        };
        assert!((value(&found.weights) * found.upper - 1.0).abs() < 1e-9, "round {round}");
        // No other allocation does better.
        for _ in 0..20 {
            let other: Vec<f64> = found.weights.iter().map(|w| w * rng.random_range(0.5..2.0)).collect();
            let other = Weights::new(k, other).unwrap();
            assert!(value(&other) * found.lower <= 1.0 + 1e-9, "round {round}");
        }
    }
}

/// What a study on these arms comes to: mistakes, undecided runs, samples on average.
fn certified(laws: &[(Goal, Noise)], rows: &[Vec<f64>], delta: f64, runs: u64) -> (usize, usize, f64) {
    let problem = problem(laws, rows.len());
    let truth = Model::new(&problem, rows).unwrap();
    let rule = RuleKind::Weakest.rule(&problem, delta).unwrap();
    let settings = Settings::new(rule, StoppingKind::Certified.stopping(delta).unwrap()).seed(9);
    // What is estimated has the variance one.
    let given = |&(goal, noise): &(Goal, Noise)| (goal, if noise.is_unknown() { Noise::Variance(1.0) } else { noise });
    let actual = self::problem(&laws.iter().map(given).collect::<Vec<_>>(), rows.len());
    let simulation = Simulation::new(problem, truth, settings, 200_000).unwrap();
    let simulation = simulation.with_noise(NoiseLaw::Gaussian, actual).unwrap();
    let all = simulation.replicate(0..runs, &AtomicBool::new(false), |_| ());
    let count = |outcome| all.iter().filter(|run| run.outcome == outcome).count();
    let samples = all.iter().map(|run| run.samples).sum::<u64>() as f64 / runs as f64;
    (count(Outcome::Mistake), count(Outcome::Undecided), samples)
}

/// .01 against .02 took 145,000 samples with the variance ¼ that any success rate may have.
#[test]
fn rare_successes_are_proved_to_differ() {
    let (mistakes, undecided, samples) =
        certified(&[(Goal::Max, Noise::Bernoulli)], &[vec![0.01], vec![0.02]], 0.01, 30);
    assert_eq!((mistakes, undecided), (0, 0));
    assert!(samples < 12_000.0, "{samples}");
}

/// With lessons and without, kinds mixed with each other, with Gaussian noise of every sort and with none. More than three mistakes in 40 runs at
/// δ = .05 would be seen in 2 of 100 seeds if each study erred as often as it may.
#[test]
fn studies_of_every_kind_end_with_a_proof() {
    use Noise::{Bernoulli, Common, Exact, Exponential, Poisson, Unknown};
    let (max, min) = (Goal::Max, Goal::Min);
    let bounded = Noise::Bounded { low: -1.0, high: 3.0 };
    let cases = [
        (vec![(max, bounded)], vec![vec![-0.9], vec![0.0], vec![0.5]]),
        (
            vec![(min, bounded), (max, Bernoulli), (max, bounded)],
            vec![vec![0.0, 0.5, 1.0], vec![0.6, 0.8, 2.0], vec![1.0, 0.3, 0.5]],
        ),
        (vec![(max, Bernoulli)], vec![vec![0.0], vec![0.1], vec![0.5]]),
        (vec![(min, Poisson), (max, Bernoulli)], vec![vec![0.2, 0.5], vec![0.6, 0.8], vec![1.5, 0.3]]),
        (vec![(min, Exponential), (max, Poisson)], vec![vec![1.0, 20.0], vec![2.0, 30.0], vec![4.0, 15.0]]),
        (vec![(max, Bernoulli), (max, Unknown)], vec![vec![0.9, 1.0], vec![0.5, 3.0], vec![0.3, 0.0], vec![0.2, 2.0]]),
        (
            vec![(max, Exponential), (min, Common), (max, Exact)],
            vec![vec![1.0, 1.0, 1.0], vec![3.0, 3.0, 1.0], vec![0.4, 4.0, 1.0], vec![0.3, 6.0, 2.0]],
        ),
    ];
    for (laws, rows) in cases {
        let (mistakes, undecided, samples) = certified(&laws, &rows, 0.05, 40);
        assert!(
            mistakes <= 3 && undecided == 0,
            "{laws:?}: {mistakes} mistakes, {undecided} undecided, {samples} samples"
        );
    }
}

/// No certificate is wrong at any look, with near ties among 2 to 20 arms in one to three objectives of every kind: 18 studies at δ = .1, in which one wrong
/// certificate is expected at most 1.8 times; more than six come up in 3 of 1,000 seeds.
#[test]
fn certificates_are_right_at_any_look() {
    let all = [Noise::Bernoulli, Noise::Poisson, Noise::Exponential, Noise::Bounded { low: 0.0, high: 4.0 }];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut wrong, mut certain) = (0, 0);
    for (round, (arms, d)) in
        [(2, 1), (5, 1), (20, 1), (5, 2), (20, 2), (5, 3), (20, 3), (2, 3), (2, 2)].repeat(2).into_iter().enumerate()
    {
        let laws: Vec<(Goal, Noise)> = (0..d).map(|j| (Goal::Max, all[(round + j) % 4])).collect();
        let problem = problem(&laws, arms);
        // Some far off, some next to each other.
        let mean = |k: usize, j: usize| 0.1 + 0.2 * ((k * (j + 1)) % 4) as f64 + 0.005 * ((k * (j + 2)) % 7) as f64;
        let rows: Vec<Vec<f64>> = (0..arms).map(|k| (0..d).map(|j| mean(k, j)).collect()).collect();
        let truth = Front::of(&Model::new(&problem, &rows).unwrap());
        let rule = RuleKind::Weakest.rule(&problem, 0.1).unwrap();
        let settings = Settings::new(rule, StoppingKind::Certified.stopping(0.1).unwrap()).seed(round as u64);
        let mut study = Study::new(problem.clone(), settings).unwrap();
        let (mut next, mut is_wrong) = (10, false);
        for n in 1..=4000u64 {
            let arm = study.ask();
            let draw = |(j, &mean): (usize, &f64)| match problem.range(j) {
                Some(range) => range.draw(mean, &mut rng),
                None => problem.family(j).draw(mean, &mut rng),
            };
            let values: Vec<f64> = rows[arm].iter().enumerate().map(draw).collect();
            study.tell(arm, &values).unwrap();
            if n >= next {
                next = n + n.div_ceil(10);
                let certificates = study.assessment().arms;
                let sure = certificates.iter().enumerate().filter(|(_, certificate)| certificate.certain);
                certain += sure.clone().count();
                is_wrong |= sure.into_iter().any(|(k, c)| (c.standing == Some(Standing::In)) != truth.contains(k));
            }
        }
        wrong += usize::from(is_wrong);
    }
    assert!(wrong <= 6, "{wrong}");
    assert!(certain > 300, "{certain}");
}

/// Values within a range that vary little are told apart sooner than 0 and 1 of the same means are: 0.44 ± 0.02 times the samples in 400 studies, so that other seeds would fail one time in a thousand.
#[test]
fn what_varies_little_is_proved_sooner() {
    let rows = [vec![0.3], vec![0.4]];
    let bounded = certified(&[(Goal::Max, Noise::Bounded { low: 0.0, high: 1.0 })], &rows, 0.05, 400);
    let coins = certified(&[(Goal::Max, Noise::Bernoulli)], &rows, 0.05, 400);
    assert_eq!((bounded.0, bounded.1, coins.0, coins.1), (0, 0, 0, 0));
    assert!(bounded.2 < 0.5 * coins.2, "{} {}", bounded.2, coins.2);
}

#[test]
fn values_outside_the_range_are_refused_by_name() {
    let problem = problem(&[(Goal::Min, Noise::Bounded { low: 0.0, high: 1.0 })], 2);
    let settings = Settings::new(Rule::Dual(Dual::default()), stylized(0.1));
    let mut study = Study::new(problem.clone(), settings).unwrap();
    for value in [-0.1, 1.5, f64::NAN] {
        assert!(study.tell(0, &[value]).unwrap_err().to_string().contains("arm \"a0\""));
    }
    let text = study.tell(0, &[1.5]).unwrap_err().to_string();
    assert!(text.contains("which ranges from 0 to 1: give a number within"), "{text}");
    study.tell(0, &[1.0]).unwrap();
    let narrower = self::problem(&[(Goal::Min, Noise::Bounded { low: 0.0, high: 0.5 })], 2);
    assert!(Study::resume(narrower, study.save()).unwrap_err().to_string().contains("not within its range"));
    assert!(Model::new(&problem, &[[0.5], [1.1]]).unwrap_err().to_string().contains("from 0 to 1"));
    let objective = |low, high| vec![Objective::new("y", Goal::Max, Noise::Bounded { low, high })];
    for (low, high) in [(1.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let text = Problem::new(objective(low, high), vec![Arm::named("a")]).unwrap_err().to_string();
        assert!(text.contains("objective \"y\"") && text.contains("the least value, then the greatest"), "{text}");
    }
    for noise in [Noise::Variance(1.0), Noise::Bounded { low: 0.0, high: 2.0 }] {
        let arms = vec![Arm::named("a"), Arm::named("b").with_noise(vec![noise])];
        let text = Problem::new(objective(0.0, 1.0), arms).unwrap_err().to_string();
        assert!(text.contains("arm \"b\" has not the range of the other arms in objective \"y\""), "{text}");
    }
}

/// A study of every kind that is saved and resumed decides as one that never was interrupted, across its lesson.
#[test]
fn a_certified_study_can_be_saved() {
    let bounded = Noise::Bounded { low: 0.0, high: 1.0 };
    let laws = [
        (Goal::Max, Noise::Bernoulli),
        (Goal::Min, Noise::Poisson),
        (Goal::Min, Noise::Exponential),
        (Goal::Min, bounded),
    ];
    let problem = problem(&laws, 5);
    let stopping = || StoppingKind::Certified.stopping(0.1).unwrap();
    let settings = Settings::new(RuleKind::Weakest.rule(&problem, 0.1).unwrap(), stopping());
    let (mut whole, mut parts) =
        (Study::new(problem.clone(), settings.clone()).unwrap(), Study::new(problem.clone(), settings).unwrap());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(77);
    for round in 0..1500 {
        if round % 50 == 0 {
            let saved = serde_json::from_str(&serde_json::to_string(&parts.save()).unwrap()).unwrap();
            parts = Study::resume(problem.clone(), saved).unwrap();
            assert_eq!(whole.assessment(), parts.assessment(), "round {round}");
        }
        let arm = whole.ask();
        assert_eq!(arm, parts.ask(), "round {round}");
        let values = [
            Family::Bernoulli.draw(0.2 * arm as f64 + 0.1, &mut rng),
            Family::Poisson.draw(1.0 + 0.7 * arm as f64, &mut rng),
            Family::Exponential.draw(4.0 - 0.5 * ((2 * arm) % 5) as f64, &mut rng),
            Range { low: 0.0, high: 1.0 }.draw(0.2 + 0.1 * ((3 * arm) % 5) as f64, &mut rng),
        ];
        whole.tell(arm, &values).unwrap();
        parts.tell(arm, &values).unwrap();
        assert_eq!(whole.verdict(), parts.verdict(), "round {round}");
    }
    assert!(whole.record().lesson().is_some());
}

/// Studies on simulated successes, counts and times end with the right answer, near the edge of the domain too. The chance of more than 20
/// mistakes in 200 runs, if each errs with probability .05, is 0.1 %.
#[test]
fn studies_of_every_kind_end() {
    for (noise, rates) in [
        (Noise::Bernoulli, [0.02, 0.2, 0.35]),
        (Noise::Bernoulli, [0.99, 0.8, 0.6]),
        (Noise::Poisson, [0.1, 0.5, 1.0]),
        (Noise::Exponential, [1.0, 2.0, 0.4]),
    ] {
        let problem = problem(&[(Goal::Max, noise), (Goal::Min, noise)], 3);
        let rows: Vec<[f64; 2]> = (0..3).map(|k| [rates[k], rates[(k * 2) % 3]]).collect();
        let truth = Model::new(&problem, &rows).unwrap();
        let settings = Settings::new(Rule::Dual(Dual::default()), stylized(0.05)).seed(3);
        let simulation = Simulation::new(problem, truth, settings, 20_000).unwrap();
        let runs = simulation.replicate(0..200, &AtomicBool::new(false), |_| ());
        let count = |outcome| runs.iter().filter(|run| run.outcome == outcome).count();
        assert_eq!(count(Outcome::Undecided), 0, "{noise:?} {rates:?}");
        assert!(count(Outcome::Mistake) <= 20, "{noise:?} {rates:?}: {}", count(Outcome::Mistake));
    }
}
