use crate::statistic::Statistic;

use super::*;

fn objective(name: &str, noise: Noise) -> Objective {
    Objective::new(name, Goal::Max, noise)
}

#[test]
fn nothing_to_decide_is_refused() {
    let one = || vec![objective("x", Noise::Exact)];
    assert_eq!(Problem::new(vec![], vec![Arm::named("a")]), Err(ProblemError::NoObjectives));
    assert_eq!(Problem::new(one(), vec![]), Err(ProblemError::NoArms));
}

#[test]
fn names_must_be_there_and_differ() {
    let one = || vec![objective("x", Noise::Exact)];
    let twice = Problem::new(one(), vec![Arm::named("a"), Arm::named("b"), Arm::named("a")]);
    let message = twice.unwrap_err().to_string();
    assert!(message.contains("\"a\"") && message.contains("1 and 3"), "{message}");
    assert!(Problem::new(one(), vec![Arm::named(" ")]).is_err());
    assert!(Problem::new(vec![objective("", Noise::Exact)], vec![Arm::named("a")]).is_err());
}

#[test]
fn variances_must_be_positive_and_finite() {
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY, 1e-80, 1e80] {
        let shared = Problem::new(vec![objective("x", Noise::Variance(bad))], vec![Arm::named("a")]);
        assert!(matches!(shared, Err(ProblemError::BadVariance { .. })), "{bad}");
        let own = Arm::named("a").with_noise(vec![Noise::Variance(bad)]);
        let own = Problem::new(vec![objective("x", Noise::Exact)], vec![own]);
        assert!(own.unwrap_err().to_string().contains("arm \"a\" in objective \"x\""));
    }
}

#[test]
fn a_quantile_needs_no_law_and_takes_none() {
    let median = |noise| objective("x", noise).with_statistic(Statistic::MEDIAN);
    let make = |noise, own: Option<Noise>| {
        Problem::new(vec![median(noise)], vec![Arm::named("a").with_noise(own.map(|own| vec![own]))])
    };
    for noise in [Noise::Unknown, Noise::Common, Noise::Any] {
        assert_eq!(make(noise, None).unwrap().noise(0, 0), Noise::Any);
        assert_eq!(make(Noise::Variance(1.0), Some(noise)).unwrap().noise(0, 0), Noise::Any);
        assert!(!make(noise, None).unwrap().has_unknown_noise());
    }
    assert_eq!(make(Noise::Variance(2.0), None).unwrap().noise(0, 0), Noise::Variance(2.0));
    for (noise, name) in [(Noise::Exact, "exact"), (Noise::Bernoulli, "bernoulli"), (Noise::Poisson, "poisson")] {
        let text = make(noise, None).unwrap_err().to_string();
        assert!(text.contains("objective \"x\" is compared by its median") && text.contains(name), "{text}");
        let text = make(Noise::Any, Some(noise)).unwrap_err().to_string();
        assert!(text.contains("arm \"a\" in objective \"x\""), "{text}");
    }
    let mean = Problem::new(vec![objective("x", Noise::Any)], vec![Arm::named("a")]);
    assert!(matches!(mean, Err(ProblemError::MeanOfAny { .. })));
}

#[test]
fn costs_are_above_zero() {
    let make = |cost: f64| Problem::new(vec![objective("x", Noise::Exact)], vec![Arm::named("a").with_cost(cost)]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e80] {
        let error = make(bad).unwrap_err();
        assert!(matches!(error, ProblemError::BadCost { .. }) && error.to_string().contains("\"a\""), "{error}");
    }
    assert!(!make(1.0).unwrap().has_costs());
    let dear = make(12.0).unwrap();
    assert_eq!((dear.has_costs(), dear.cost(0), dear.total_cost(&[3.0])), (true, 12.0, 36.0));
    assert_eq!(dear.of_arms(&[0]).cost(0), 12.0);
}

#[test]
fn homoscedastic_means_one_finite_variance_per_objective() {
    let arm = |name: &str, noise: Option<Vec<Noise>>| Arm::named(name).with_noise(noise);
    let noisy = vec![objective("x", Noise::Variance(2.0)), objective("y", Noise::Variance(3.0))];
    let same = Some(vec![Noise::Variance(2.0), Noise::Variance(3.0)]);
    let other = Some(vec![Noise::Variance(2.0), Noise::Variance(4.0)]);
    let make = |objectives: &[Objective], noise| {
        Problem::new(objectives.to_vec(), vec![arm("a", None), arm("b", noise)]).unwrap()
    };
    assert!(make(&noisy, None).is_homoscedastic());
    assert!(make(&noisy, same).is_homoscedastic());
    assert!(!make(&noisy, other).is_homoscedastic());
    let exact = vec![objective("x", Noise::Variance(2.0)), objective("y", Noise::Exact)];
    assert!(!make(&exact, None).is_homoscedastic());
}
