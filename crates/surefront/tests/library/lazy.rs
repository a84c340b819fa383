//! The lazy oracle decides as the eager one does, to the last bit: over random instances, noise laws, ties and changes of the front.

use std::num::NonZeroU64;

use crate::effort;
use crate::instances::{random_limits, random_mixture, random_model};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Dual, Evaluation, Family, Margin, Model, Noise, Problem, Rule, Settings, Stopping, Study, Stylized, TrackAndStop,
    Tracking, Uniform,
};

/// One of the rules that ask the oracle in different ways.
fn rule(which: usize, arms: usize) -> Rule {
    match which {
        0 => Rule::Dual(Dual::default()),
        1 => Rule::Uniform(Uniform),
        _ => Rule::TrackAndStop(TrackAndStop::new(arms, Tracking::Direct, NonZeroU64::new(3).unwrap())),
    }
}

/// The same study twice, of 150 batches of these observations.
fn race(
    problem: &Problem,
    settings: &Settings,
    batch: usize,
    mut observe: impl FnMut(usize) -> Vec<f64>,
) -> Result<(), TestCaseError> {
    let study = |evaluation| Study::new(problem.clone(), settings.clone().evaluation(evaluation)).unwrap();
    let (mut lazy, mut eager) = (study(Evaluation::Lazy), study(Evaluation::Eager));
    for round in 0..150 {
        let arms = lazy.ask_batch(batch);
        prop_assert_eq!(&arms, &eager.ask_batch(batch), "round {}", round);
        for arm in arms {
            let values = observe(arm);
            lazy.tell(arm, &values).unwrap();
            eager.tell(arm, &values).unwrap();
            let (one, other) = (lazy.verdict(), eager.verdict());
            prop_assert_eq!(one.progress.evidence.to_bits(), other.progress.evidence.to_bits(), "round {}", round);
            prop_assert_eq!(one, other);
        }
    }
    prop_assert!(lazy.pieces_evaluated() <= eager.pieces_evaluated());
    Ok(())
}

fn settings(rule: Rule, seed: u64) -> Settings {
    Settings::new(rule, Stopping::Stylized(Stylized::new(1e-6).unwrap())).seed(seed)
}

/// One observation; rounded ones make the means tie.
fn observe(rng: &mut Xoshiro256PlusPlus, problem: &Problem, truth: &Model, arm: usize, grid: f64) -> Vec<f64> {
    let precision = problem.precision(arm);
    let means = truth.in_units(problem, arm);
    let mut one = |(mean, precision): (f64, &f64)| {
        if precision.is_infinite() {
            return mean;
        }
        let value = mean + rng.random_range(-1.7..1.7) / precision.sqrt();
        if grid > 0.0 { (value / grid).round() * grid } else { value }
    };
    means.into_iter().zip(precision).map(&mut one).collect()
}

/// One observation of a kind that its noise can have.
fn observe_kinds(rng: &mut Xoshiro256PlusPlus, problem: &Problem, truth: &Model, arm: usize) -> Vec<f64> {
    let means = truth.in_units(problem, arm).into_iter().enumerate();
    let mut one = |(j, mean): (usize, f64)| match problem.family(j) {
        _ if problem.noise(arm, j) == Noise::Exact => mean,
        Family::Bernoulli => f64::from(u8::from(rng.random::<f64>() < mean)),
        Family::Poisson => (3.0 * rng.random::<f64>() * mean).floor(),
        Family::Exponential => -mean * rng.random_range(1e-9..1f64).ln(),
        _ => mean + rng.random_range(-1.0..1.0),
    };
    means.map(&mut one).collect()
}

proptest! {
    #![proptest_config(effort::cases(50, 300))]

    #[test]
    fn lazy_is_eager(
        seed in any::<u64>(),
        k in 1usize..50,
        d in 1usize..=5,
        grid in prop_oneof![Just(0.0), Just(0.5), Just(2.0)],
        batch in 1usize..4,
        check_every in 1u64..4,
        which in 0usize..3,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (problem, truth) = random_model(&mut rng, k, d);
        let settings = settings(rule(which, k), seed).check_every(NonZeroU64::new(check_every).unwrap());
        race(&problem, &settings, batch, |arm| observe(&mut rng, &problem, &truth, arm, grid))?;
    }

    /// For every kind of noise.
    #[test]
    fn lazy_is_eager_for_every_kind(
        seed in any::<u64>(), k in 1usize..30, d in 1usize..=4, batch in 1usize..3, which in 0usize..3,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (problem, truth) = random_mixture(&mut rng, k, d);
        race(&problem, &settings(rule(which, k), seed), batch, |arm| observe_kinds(&mut rng, &problem, &truth, arm))?;
    }

    /// Where there are limits: front arms break them, and others come to keep them.
    #[test]
    fn lazy_is_eager_with_limits(
        seed in any::<u64>(), k in 1usize..30, d in 1usize..=4, gaussian: bool, batch in 1usize..3, which in 0usize..2,
        grid in prop_oneof![Just(0.0), Just(0.5)],
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (problem, truth) = random_limits(&mut rng, k, d, gaussian);
        race(&problem, &settings(rule(which, k), seed), batch, |arm| {
            let values = observe_kinds(&mut rng, &problem, &truth, arm).into_iter().enumerate();
            let is_exact = |j| problem.noise(arm, j) == Noise::Exact;
            values.map(|(j, y)| if gaussian && grid > 0.0 && !is_exact(j) { (y / grid).round() * grid } else { y }).collect()
        })?;
    }

    /// Where there are margins, with limits and without, for every kind of noise: removals through anybody sleep, and wake up in time.
    #[test]
    fn lazy_is_eager_with_margins(
        seed in any::<u64>(), k in 1usize..30, d in 1usize..=4, gaussian: bool, limits: bool, batch in 1usize..3, which in 0usize..2,
        grid in prop_oneof![Just(0.0), Just(0.5)], margin in prop_oneof![Just(0.01), Just(0.1), Just(0.4)],
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (problem, truth) =
            if limits { random_limits(&mut rng, k, d, gaussian) } else { random_mixture(&mut rng, k, d) };
        let rows: Vec<Vec<f64>> = (0..k).map(|arm| truth.in_units(&problem, arm)).collect();
        let objectives = problem.objectives().iter().map(|objective| match rng.random_range(0..3) {
            0 => objective.clone(),
            _ if objective.is_only_limited() => objective.clone(),
            _ => objective.clone().with_margin(Margin::Absolute(margin)),
        });
        let problem = Problem::new(objectives.collect(), problem.arms().to_vec()).unwrap();
        let truth = Model::new(&problem, &rows).unwrap();
        race(&problem, &settings(rule(which, k), seed), batch, |arm| {
            let values = observe_kinds(&mut rng, &problem, &truth, arm).into_iter().enumerate();
            let is_exact = |j| problem.noise(arm, j) == Noise::Exact;
            values.map(|(j, y)| if limits && gaussian && grid > 0.0 && !is_exact(j) { (y / grid).round() * grid } else { y }).collect()
        })?;
    }
}
