//! False alarms are as rare as they are said to be, and each kind of thing is seen where it is.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::{Exp1, StandardNormal};
use surefront::{Arm, Goal, Noise, Objective, Problem, Tally};

use super::{FALSE_ALARM, Look, Seen, Sight};

fn problem(arms: usize, noise: &[Noise]) -> Problem {
    let objective = |(j, &noise): (usize, &Noise)| Objective::new(format!("y{j}"), Goal::Min, noise);
    let arms = (0..arms).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    Problem::new(noise.iter().enumerate().map(objective).collect(), arms).unwrap()
}

/// What is seen in these values of one arm.
fn sights(noise: Noise, values: impl IntoIterator<Item = f64>) -> Vec<Seen> {
    let problem = problem(1, &[noise]);
    let (mut look, mut tally) = (Look::new(&problem), Tally::new(&problem));
    for value in values {
        look.add(0, &[value]);
        tally.add(&problem, 0, &[value]).unwrap();
    }
    look.sights(&problem, &tally).into_iter().map(|Sight { seen, .. }| seen).collect()
}

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn normals(seed: u64, count: usize) -> impl Iterator<Item = f64> {
    let mut rng = generator(seed);
    (0..count).map(move |_| rng.sample(StandardNormal))
}

/// Studies in which the next arm is chosen by what was seen of it, the worst case for whoever looks at the data.
#[test]
fn gaussian_observations_raise_no_alarm() {
    const STUDIES: u64 = 400;
    let problem = problem(4, &[Noise::Variance(4.0), Noise::Unknown]);
    let mut alarms = 0;
    for seed in 0..STUDIES {
        let mut rng = generator(seed);
        let (mut look, mut tally) = (Look::new(&problem), Tally::new(&problem));
        for round in 0..1500 {
            let best = |one: &usize, other: &usize| tally.means().row(*one)[0].total_cmp(&tally.means().row(*other)[0]);
            let arm = if round % 2 == 0 { round / 2 % 4 } else { (0..4).max_by(best).unwrap() };
            let noise: [f64; 2] = [rng.sample(StandardNormal), rng.sample(StandardNormal)];
            let values = [1e6 + 2.0 * noise[0], 0.001 * noise[1]];
            look.add(arm, &values);
            tally.add(&problem, arm, &values).unwrap();
        }
        alarms += u64::from(!look.sights(&problem, &tally).is_empty());
    }
    // Ten would be seen with a chance of less than 1 %, if alarms were as frequent as they may be.
    assert!(alarms < 10, "{alarms} of {STUDIES} at {FALSE_ALARM}");
}

/// So that a test that never says anything does not pass for a good one: tests at the level that they claim to have say something.
#[test]
fn every_kind_is_seen_where_it_is() {
    let mut rng = generator(7);
    let mut exponential: Vec<f64> = (0..200).map(|_| rng.sample(Exp1)).collect();
    let seen = sights(Noise::Unknown, exponential.iter().copied());
    assert!(seen.iter().any(|seen| matches!(seen, Seen::Skew { far_above: 10.., far_below: ..4, .. })), "{seen:?}");
    exponential.iter_mut().for_each(|value| *value = -*value);
    let seen = sights(Noise::Unknown, exponential);
    assert!(seen.iter().any(|seen| matches!(seen, Seen::Skew { far_above: ..4, far_below: 10.., .. })), "{seen:?}");

    // An outlier is seen at once, wherever it is but among the first; those at the next look.
    for place in [0, 2, 12, 37] {
        let values = normals(3, 40).enumerate().map(|(i, x)| if i == place { 30.0 } else { x });
        let seen = sights(Noise::Unknown, values.take((place + 1).max(16)));
        let [Seen::Outlier { value, observation, .. }, ..] = seen[..] else { panic!("{place}: {seen:?}") };
        assert_eq!((value, observation), (30.0, place as u64 + 1));
    }

    let step = sights(Noise::Unknown, normals(4, 112).enumerate().map(|(i, x)| x + if i < 56 { 5.0 } else { 6.5 }));
    assert!(step.iter().any(|seen| matches!(seen, Seen::Drift { first: ..5.5, second: 6.0.., .. })), "{step:?}");
    let slow = sights(Noise::Unknown, normals(5, 448).enumerate().map(|(i, x)| 1e9 + x + i as f64 / 150.0));
    assert!(slow.iter().any(|seen| matches!(seen, Seen::Drift { .. })), "{slow:?}");

    for (correlation, count) in [(0.5, 224), (-0.5, 224), (0.2, 2048)] {
        let mut last = 0.0;
        let values = normals(6, count).map(|x| {
            last = correlation * last + x;
            last
        });
        let seen = sights(Noise::Unknown, values);
        let dependence = seen.iter().find_map(|seen| match seen {
            Seen::Dependence { correlation, .. } => Some(*correlation),
            _ => None,
        });
        assert!((dependence.unwrap_or_else(|| panic!("{seen:?}")) - correlation).abs() < 0.15, "{seen:?}");
    }
}

#[test]
fn variances_are_held_against_those_given() {
    let small = sights(Noise::Variance(0.25), normals(1, 64));
    assert!(matches!(small[..], [Seen::VarianceTooSmall { given: 0.25, seen: 0.6..1.6, .. }]), "{small:?}");
    let large = sights(Noise::Variance(8.0), normals(1, 64));
    assert!(matches!(large[..], [Seen::VarianceTooLarge { given: 8.0, seen: 0.6..1.6, .. }]), "{large:?}");
    assert_eq!(sights(Noise::Variance(1.0), normals(1, 1000)), []);
    // A little off, which does no harm, with however many observations.
    assert_eq!(sights(Noise::Variance(0.95), normals(1, 50_000)), []);
    assert_eq!(sights(Noise::Variance(1.8), normals(1, 50_000)), []);
}

#[test]
fn values_that_repeat_are_said_to() {
    let bits = |i: usize| f64::from(u8::from(i.is_multiple_of(7)));
    for noise in [Noise::Unknown, Noise::Variance(0.1)] {
        let seen = sights(noise, (0..100).map(bits));
        let [Seen::Levels { levels, complete: true, range: (0.0, 1.0), .. }] = &seen[..] else { panic!("{seen:?}") };
        let levels: Vec<(f64, u64)> = levels.iter().map(|level| (level.value, level.count)).collect();
        assert_eq!(levels, [(0.0, 85), (1.0, 15)]);
    }
    // Half of the range is a standard deviation that does for all such values.
    assert_eq!(sights(Noise::Variance(0.25), (0..100).map(bits)), []);
    let constant = sights(Noise::Variance(0.25), [3.0; 6]);
    assert!(matches!(&constant[..], [Seen::Levels { range: (3.0, 3.0), .. }]), "{constant:?}");
    // A value that is there nearly always, and others that never come twice.
    let mostly = sights(Noise::Unknown, (0..400).map(|i| if i % 20 == 19 { f64::from(i) } else { 0.0 }));
    assert!(matches!(&mostly[..], [Seen::Levels { complete: false, .. }]), "{mostly:?}");
    // Rounded, but finely enough.
    assert_eq!(sights(Noise::Unknown, normals(2, 300).map(|x| (4.0 * x).round() / 4.0)), []);
}

#[test]
fn results_that_are_handed_out_again_are_noticed() {
    let mut last = 0.0;
    let cached = normals(8, 120).enumerate().map(|(i, x)| {
        last = if i % 3 == 0 { x } else { last };
        last
    });
    let seen = sights(Noise::Unknown, cached);
    assert!(seen.iter().any(|seen| matches!(seen, Seen::Repeats { repeated: 30.., pairs: 56 })), "{seen:?}");
}

#[test]
fn nothing_is_said_of_what_has_no_noise_and_no_number_breaks_it() {
    assert_eq!(sights(Noise::Exact, [2.0; 100]), []);
    for scale in [1e75, 1e-75, 1e-300] {
        for seen in sights(
            Noise::Unknown,
            normals(9, 64).enumerate().map(|(i, x)| if i == 40 { scale } else { 0.01 * scale * x }),
        ) {
            let Seen::Outlier { deviations, .. } = seen else { panic!("{seen:?}") };
            assert!(deviations.is_finite() && deviations > 20.0);
        }
    }
    let far = [1e75, -1e75, 0.0, 1e75].into_iter().cycle().take(64);
    assert!(
        sights(Noise::Variance(1.0), far)
            .iter()
            .all(|seen| matches!(seen, Seen::Levels { .. } | Seen::Dependence { .. }))
    );
}

/// What no arm shows by itself is seen in all of them together.
#[test]
fn skew_is_seen_across_arms() {
    let problem = problem(20, &[Noise::Unknown]);
    let (mut look, mut tally, mut rng) = (Look::new(&problem), Tally::new(&problem), generator(11));
    for turn in 0..20 * 40 {
        let value: f64 = rng.sample(Exp1);
        look.add(turn % 20, &[value]);
        tally.add(&problem, turn % 20, &[value]).unwrap();
    }
    let skewed = look.sights(&problem, &tally).into_iter().filter(|sight| matches!(sight.seen, Seen::Skew { .. }));
    let skewed: Vec<Sight> = skewed.collect();
    let [Sight { arm: None, seen: Seen::Skew { observations: 800, .. }, .. }] = &skewed[..] else {
        panic!("{skewed:?}")
    };
}
