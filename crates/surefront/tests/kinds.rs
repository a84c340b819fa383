//! Noise kinds from end to end: what is refused, the bound, and studies on success rates, counts and times.

mod instances;

use std::sync::atomic::AtomicBool;

use instances::random_mixture;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, Dual, Family, Front, Goal, Method, Model, Noise, Objective, Oracle, Outcome, Problem, Question, Rule,
    RuleKind, Settings, Simulation, Stopping, StoppingKind, Study, Stylized, Weights, bound,
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
fn nothing_is_proved_or_calibrated_as_if_it_were_gaussian() {
    let laws = [(Goal::Max, Noise::Variance(1.0)), (Goal::Max, Noise::Poisson)];
    let problem = problem(&laws, 2);
    for kind in [StoppingKind::Certified, StoppingKind::Calibrated] {
        for rule in [RuleKind::Dual, RuleKind::Weakest] {
            let settings = Settings::new(rule.rule(&problem, 0.1).unwrap(), kind.stopping(0.1).unwrap());
            let text = Study::new(problem.clone(), settings).unwrap_err().to_string();
            assert!(text.contains(kind.name()) && text.contains("\"y1\" is poisson"), "{text}");
        }
    }
    let weakest = Settings::new(RuleKind::Weakest.rule(&problem, 0.1).unwrap(), stylized(0.1));
    let text = Study::new(problem.clone(), weakest).unwrap_err().to_string();
    assert!(text.contains("the rule \"weakest\""), "{text}");
    // Nor is a saved study taken up that way.
    let gaussian = Problem::new(
        laws.iter()
            .enumerate()
            .map(|(j, _)| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0)))
            .collect(),
        problem.arms().to_vec(),
    )
    .unwrap();
    let certified = Settings::new(Rule::Dual(Dual::default()), StoppingKind::Certified.stopping(0.1).unwrap());
    let saved = Study::new(gaussian.clone(), certified).unwrap().save();
    assert!(Study::resume(problem.clone(), saved).is_err());
    // Nor are observations that its noise cannot have.
    let settings = Settings::new(Rule::Dual(Dual::default()), stylized(0.1));
    let mut study = Study::new(gaussian, settings).unwrap();
    study.tell(1, &[0.0, -2.5]).unwrap();
    let text = Study::resume(problem, study.save()).unwrap_err().to_string();
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
