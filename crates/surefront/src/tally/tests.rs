use proptest::prelude::*;

use super::*;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::testing::unit_problem;

fn tally(values: &[f64]) -> Tally {
    let problem = unit_problem(1, 1);
    let mut tally = Tally::new(&problem);
    for &value in values {
        tally.add(&problem, 0, &[value]).unwrap();
    }
    tally
}

#[test]
fn what_is_wrong_is_named_and_changes_nothing() {
    let problem = unit_problem(2, 2);
    let mut tally = Tally::new(&problem);
    tally.add(&problem, 0, &[1.0, 2.0]).unwrap();
    let before = tally.clone();
    assert!(tally.add(&problem, 2, &[1.0, 2.0]).unwrap_err().to_string().contains("no arm number 3"));
    assert!(tally.add(&problem, 0, &[1.0]).unwrap_err().to_string().contains("arm \"arm 0\" has 1 values"));
    for bad in [f64::NAN, f64::INFINITY, -1e76] {
        let text = tally.add(&problem, 0, &[1.0, bad]).unwrap_err().to_string();
        assert!(text.contains("objective \"objective 1\""), "{text}");
    }
    assert_eq!(tally, before);
}

#[test]
fn without_noise_the_value_is_the_mean_and_must_stay() {
    use crate::problem::{Arm, Goal, Noise, Objective};
    let bytes = Objective::new("bytes", Goal::Min, Noise::Exact);
    let problem = Problem::new(vec![bytes], vec![Arm::named("gzip")]).unwrap();
    let mut tally = Tally::new(&problem);
    for _ in 0..3 {
        tally.add(&problem, 0, &[0.1]).unwrap();
    }
    assert_eq!(tally.means().row(0), [-0.1]);
    let text = tally.add(&problem, 0, &[0.2]).unwrap_err().to_string();
    assert!(text.contains("was 0.1") && text.contains("is 0.2"), "{text}");
}

#[test]
fn other_noise_is_as_if_it_had_been_said_at_once() {
    use crate::problem::{Arm, Goal, Noise, Objective};
    let problem = |noise| {
        let objectives =
            vec![Objective::new("passed", Goal::Min, noise), Objective::new("x", Goal::Max, Noise::Unknown)];
        Problem::new(objectives, vec![Arm::named("a"), Arm::named("b")]).unwrap()
    };
    let [unknown, bernoulli] = [Noise::Unknown, Noise::Bernoulli].map(problem);
    let [mut one, mut other] = [Tally::new(&unknown), Tally::new(&bernoulli)];
    for (arm, values) in [(0, [0.0, 1.5]), (1, [1.0, 0.25]), (0, [1.0, 3.0])] {
        one.add(&unknown, arm, &values).unwrap();
        other.add(&bernoulli, arm, &values).unwrap();
    }
    assert_eq!(one.regarded(&bernoulli).unwrap(), other);
    assert!(one.regarded(&unit_problem(3, 2)).is_err());
}

#[test]
fn a_summary_stands_for_its_values() {
    for values in [vec![1.0, 2.5, 4.0], vec![1e9, 1e9 + 1.0, 1e9 + 3.0, 1e9 - 2.0]] {
        let each = tally(&values);
        let (mean, deviation) = (each.means().row(0)[0], each.variance(0, 0).unwrap().sqrt());
        let problem = unit_problem(1, 1);
        let mut summed = Tally::new(&problem);
        summed.add_summary(&problem, 0, values.len() as u64, &[mean], &[deviation]).unwrap();
        assert_eq!((summed.count(0), summed.means().row(0)[0]), (values.len() as u64, mean));
        assert!((summed.variance(0, 0).unwrap().sqrt() / deviation - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_summary_says_nothing_of_quantiles() {
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::statistic::Statistic;
    let median = Objective::new("x", Goal::Max, Noise::Unknown).with_statistic(Statistic::MEDIAN);
    let rate = Objective::new("x", Goal::Max, Noise::Bernoulli);
    for objective in [median, rate] {
        let problem = Problem::new(vec![objective], vec![Arm::named("a")]).unwrap();
        let refused = Tally::new(&problem).add_summary(&problem, 0, 9, &[1.0], &[0.1]);
        assert!(matches!(refused, Err(ObservationError::OnlySummary { .. })), "{refused:?}");
    }
}

#[test]
fn variances_survive_large_means() {
    let values: Vec<f64> = (0..1000).map(|i| 1e9 + f64::from(i % 10)).collect();
    let exact = 8.25 * 1000.0 / 999.0;
    assert!((tally(&values).variance(0, 0).unwrap() - exact).abs() < 1e-9);
    assert_eq!(tally(&[1e9; 50]).variance(0, 0), Some(0.0));
    assert_eq!(tally(&[1.0]).variance(0, 0), None);
}

proptest! {
    #[test]
    fn the_order_leaves_no_trace(
        values in prop::collection::vec(-1e6f64..1e6, 1..200),
        swaps in prop::collection::vec((0usize..200, 0usize..200), 0..200),
    ) {
        let mut shuffled = values.clone();
        for (a, b) in swaps {
            shuffled.swap(a % values.len(), b % values.len());
        }
        let (one, other) = (tally(&values), tally(&shuffled));
        prop_assert_eq!(one.means(), other.means());
    }

    #[test]
    fn variances_are_those_of_two_passes(values in prop::collection::vec(-1e3f64..1e3, 2..50)) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let slow = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64;
        let fast = tally(&values).variance(0, 0).unwrap();
        prop_assert!((fast - slow).abs() <= 1e-9 * slow.max(1e-9));
    }

    /// What the least and the greatest value tell is what the variance would: of values next to each other, and far apart.
    #[test]
    fn values_tell_by_their_variance(
        base in prop::sample::select(&[0.0f64, 1.0, -3.7, 1e9][..]), scale in -17i32..2,
        steps in prop::collection::vec(-4i32..5, 1..60), rough in any::<bool>(),
    ) {
        let objective = Objective::new("x", Goal::Max, Noise::Unknown);
        let problem = Problem::new(vec![objective], vec![Arm::named("a")]).unwrap();
        let mut tally = Tally::new(&problem);
        for (place, &step) in steps.iter().enumerate() {
            let shift = f64::from(step) + if rough { 1e-3 * place as f64 } else { 0.0 };
            tally.add(&problem, 0, &[base + shift * 10f64.powi(scale) * f64::max(base.abs(), 1.0)]).unwrap();
        }
        let rounding = (ROUNDING * tally.means().row(0)[0].abs()).powi(2);
        let repeats = tally.grain(0, 0).map_or(0, Grain::most_frequent).saturating_sub(1);
        let expected = match tally.variance(0, 0) {
            Some(variance) if variance <= rounding => 1.0,
            _ => steps.len() as f64 - repeats as f64,
        };
        prop_assert_eq!(tally.telling(0, 0), expected);
    }
}
