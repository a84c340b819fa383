//! The lazy oracle decides as the eager one does, to the last bit: over random instances, noise laws, ties and changes of the front.

mod instances;

use std::num::NonZeroU64;

use instances::random_model;
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Dual, Evaluation, Model, Problem, Rule, Settings, Stopping, Study, Stylized, TrackAndStop, Tracking, Uniform,
};

fn study(problem: &Problem, rule: &Rule, seed: u64, check_every: u64, evaluation: Evaluation) -> Study {
    let stopping = Stopping::Stylized(Stylized::new(1e-6).unwrap());
    Study::new(
        problem.clone(),
        Settings::new(rule.clone(), stopping)
            .check_every(NonZeroU64::new(check_every).unwrap())
            .seed(seed)
            .evaluation(evaluation),
    )
    .unwrap()
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

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
        let rule = [
            Rule::Dual(Dual::default()),
            Rule::Uniform(Uniform),
            Rule::TrackAndStop(TrackAndStop::new(k, Tracking::Direct, NonZeroU64::new(3).unwrap())),
        ][which].clone();
        let mut lazy = study(&problem, &rule, seed, check_every, Evaluation::Lazy);
        let mut eager = study(&problem, &rule, seed, check_every, Evaluation::Eager);
        for round in 0..150 {
            let arms = lazy.ask_batch(batch);
            prop_assert_eq!(&arms, &eager.ask_batch(batch), "round {}", round);
            for arm in arms {
                let values = observe(&mut rng, &problem, &truth, arm, grid);
                lazy.tell(arm, &values).unwrap();
                eager.tell(arm, &values).unwrap();
                let (one, other) = (lazy.verdict(), eager.verdict());
                prop_assert_eq!(one.progress.evidence.to_bits(), other.progress.evidence.to_bits(), "round {}", round);
                prop_assert_eq!(one, other);
            }
        }
        prop_assert!(lazy.pieces_evaluated() <= eager.pieces_evaluated());
    }
}
