//! The bound against closed forms, the paper's table, and a slow ascent that knows nothing of the method.

use crate::instances::{problem, random_model, vaccine};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{
    Arm, BoundError, Front, Goal, Method, Model, Noise, Objective, Oracle, Problem, Question, Weights, bound,
};

#[test]
fn the_vaccine_instance_as_in_the_paper() {
    let (problem, model) = vaccine();
    let bound = bound(&problem, &model, 1e-6).unwrap();
    assert!(2103.74 < bound.lower && bound.upper < 2103.76, "{bound:?}");
    assert!(bound.gap() <= 1e-6);
    // The last column of the paper's table of means, to its digits.
    let published = [
        0.0077, 0.0016, 0.0007, 0.023, 0.0048, 0.00066, 0.00079, 0.018, 0.14, 0.0011, 0.0014, 0.021, 0.0089, 0.025,
        0.35, 0.0014, 0.0015, 0.013, 0.38, 0.0012,
    ];
    for (arm, (&found, printed)) in bound.weights.iter().zip(published).enumerate() {
        assert!((found - printed).abs() <= 0.055 * printed, "arm {arm}: {found} against {printed}");
    }
}

#[test]
fn two_arms_in_closed_form() {
    // ½ (w (1−w)) Δ² τ is largest at w = ½: T* = 8 / (Δ² τ).
    let problem = problem(2, 1, Noise::Variance(0.5));
    let model = Model::new(&problem, &[[3.0], [1.0]]).unwrap();
    let bound = bound(&problem, &model, 1e-9).unwrap();
    assert!((bound.upper - 1.0).abs() < 1e-8, "{bound:?}");
    assert!((bound.weights[0] - 0.5).abs() < 1e-3);
}

#[test]
fn equal_gaps_in_closed_form() {
    // K − 1 arms at the same distance below the best: w_best / w_other = √(K − 1) (Garivier & Kaufmann 2016).
    for k in [3usize, 10, 50] {
        let problem = problem(k, 1, Noise::Variance(1.0));
        let mut means = vec![[0.0]; k];
        means[0] = [0.3];
        let model = Model::new(&problem, &means).unwrap();
        let root = ((k - 1) as f64).sqrt();
        let (best, other) = (root / (root + (k - 1) as f64), 1.0 / (root + (k - 1) as f64));
        let value = 0.5 * best * other / (best + other) * 0.09;
        let bound = bound(&problem, &model, 1e-8).unwrap();
        assert!((bound.upper * value - 1.0).abs() < 1e-7, "K = {k}: {bound:?} against {}", 1.0 / value);
        assert!((bound.weights[0] - best).abs() < 1e-4);
        // All arms are as hard to tell from the best, and take the same share of the samples.
        assert_eq!(bound.pieces.len(), k - 1);
        for (_, share) in &bound.pieces {
            assert!((share - 1.0 / (k - 1) as f64).abs() < 1e-4, "K = {k}: {share}");
        }
    }
}

#[test]
fn the_pieces_account_for_the_samples() {
    let (problem, model) = vaccine();
    let bound = bound(&problem, &model, 1e-8).unwrap();
    let front = Front::of(&model);
    let mut oracle = Oracle::new(&problem, Method::Auto).unwrap();
    let mut weights = [0.0; 20];
    for &(piece, share) in &bound.pieces {
        let closest = oracle
            .closest_in(&Question::new(&problem, &model, &front, &bound.weights).unwrap(), piece)
            .unwrap()
            .unwrap();
        assert!((closest.cost * bound.upper - 1.0).abs() < 1e-3, "{piece:?} does not hold T* up: {}", closest.cost);
        for (&arm, slope) in closest.arms().iter().zip(closest.gradient()) {
            weights[arm] += share * bound.weights[arm] * slope / closest.cost;
        }
    }
    for (arm, (found, &expected)) in weights.iter().zip(bound.weights.iter()).enumerate() {
        assert!((found - expected).abs() < 0.005, "arm {arm}: {found} against {expected}");
    }
}

#[test]
fn no_noise_where_it_matters_means_no_samples() {
    let alone = problem(1, 2, Noise::Variance(1.0));
    let model = Model::new(&alone, &[[1.0, 2.0]]).unwrap();
    assert_eq!(bound(&alone, &model, 1e-6).unwrap().upper, 0.0);
    let exact = problem(3, 2, Noise::Exact);
    let model = Model::new(&exact, &[[1.0, 2.0], [2.0, 1.0], [0.0, 0.0]]).unwrap();
    assert_eq!(bound(&exact, &model, 1e-6).unwrap().upper, 0.0);
}

#[test]
fn ties_are_named() {
    let two = problem(3, 2, Noise::Variance(1.0));
    let twins = Model::new(&two, &[[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]).unwrap();
    assert_eq!(bound(&two, &twins, 1e-6), Err(BoundError::Twins { arms: [0, 2] }));
    let tie = Model::new(&two, &[[1.0, 2.0], [2.0, 1.0], [2.0, 0.0]]).unwrap();
    let error = bound(&two, &tie, 1e-6).unwrap_err();
    assert_eq!(error, BoundError::Tie { arms: [2, 1], objective: 0 });
    assert!(error.to_string().contains("number 3 is dominated by number 2"), "{error}");
}

#[test]
fn a_tie_without_noise_is_no_tie() {
    let objective = |name: &str, noise| Objective::new(name, Goal::Min, noise);
    let problem = Problem::new(
        vec![objective("bytes", Noise::Exact), objective("seconds", Noise::Variance(1.0))],
        vec![Arm::named("a"), Arm::named("b")],
    )
    .unwrap();
    let model = Model::new(&problem, &[[5.0, 1.0], [5.0, 3.0]]).unwrap();
    assert!((bound(&problem, &model, 1e-6).unwrap().upper - 2.0).abs() < 1e-5);
}

/// Exponentiated-gradient ascent with averaging: slow, rough, and independent of everything but the oracle.
fn slow_ascent(problem: &Problem, model: &Model) -> f64 {
    let front = Front::of(model);
    let mut oracle = Oracle::new(problem, Method::Auto).unwrap();
    let k = problem.arm_count();
    let mut logits = vec![0.0; k];
    let mut best = 0.0f64;
    let mut mean = vec![0.0; k];
    let mut largest = 0.0f64;
    for t in 0..6000 {
        let top = logits.iter().fold(f64::NEG_INFINITY, |m: f64, x| m.max(*x));
        let exp: Vec<f64> = logits.iter().map(|x: &f64| (x - top).exp()).collect();
        let total: f64 = exp.iter().sum();
        let w: Vec<f64> = exp.iter().map(|x| x / total).collect();
        let weights = Weights::new(k, w.clone()).unwrap();
        let closest = oracle.closest(&Question::new(problem, model, &front, &weights).unwrap()).unwrap();
        best = best.max(closest.cost);
        for (&arm, &g) in closest.arms().iter().zip(closest.gradient()) {
            largest = largest.max(g);
            logits[arm] += g / (largest * ((t + 1) as f64).sqrt()) * (k as f64).ln().sqrt();
        }
        mean.iter_mut().zip(&w).for_each(|(m, w)| *m += w);
        if t % 100 == 99 {
            let averaged = Weights::new(k, mean.clone()).unwrap();
            let value = oracle.closest(&Question::new(problem, model, &front, &averaged).unwrap()).unwrap().cost
                / (t + 1) as f64;
            best = best.max(value);
        }
    }
    1.0 / best
}

#[test]
fn random_instances_against_a_slow_ascent() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for round in 0..40 {
        let (k, d) = (rng.random_range(2..14), rng.random_range(1..=4));
        let (problem, model) = random_model(&mut rng, k, d);
        let bound = bound(&problem, &model, 1e-6).unwrap();
        let slow = slow_ascent(&problem, &model);
        assert!(
            bound.lower <= slow * (1.0 + 1e-9),
            "round {round}: {bound:?} above what an allocation attains, {slow}"
        );
        assert!(slow <= bound.upper * 1.1, "round {round}: {bound:?} far below {slow}");
        // The upper end is what the allocation attains.
        let front = Front::of(&model);
        let mut oracle = Oracle::new(&problem, Method::Branch).unwrap();
        let attained = oracle.closest(&Question::new(&problem, &model, &front, &bound.weights).unwrap()).unwrap().cost;
        assert!((attained * bound.upper - 1.0).abs() < 1e-9);
    }
}

#[test]
fn many_instances_reach_the_gap() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for round in 0..150 {
        let (k, d) = (rng.random_range(2..40), rng.random_range(1..=5));
        let (problem, model) = random_model(&mut rng, k, d);
        let bound = bound(&problem, &model, 1e-6);
        assert!(bound.as_ref().is_ok_and(|b| b.gap() <= 1e-6), "round {round}, K = {k}, d = {d}: {bound:?}");
    }
}

/// Many arms: uniform in a cube, where few are on the front, and on a sphere, where all are.
#[test]
fn many_arms_reach_the_gap() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    for (k, on_sphere) in [(1500, false), (400, true)] {
        let problem = problem(k, 3, Noise::Variance(1.0));
        let mut point = || {
            let point: Vec<f64> = (0..3).map(|_| rng.random_range(0.0..1.0)).collect();
            let norm = if on_sphere { point.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
            point.iter().map(|x| x / norm).collect::<Vec<f64>>()
        };
        let means: Vec<Vec<f64>> = (0..k).map(|_| point()).collect();
        let model = Model::new(&problem, &means).unwrap();
        let bound = bound(&problem, &model, 1e-3).unwrap();
        assert!(bound.gap() <= 1e-3, "{k}");
        let front = Front::of(&model);
        assert_eq!(front.members().len() == k, on_sphere);
        let mut oracle = Oracle::new(&problem, Method::Branch).unwrap();
        let attained = oracle.closest(&Question::new(&problem, &model, &front, &bound.weights).unwrap()).unwrap().cost;
        assert!((attained * bound.upper - 1.0).abs() < 1e-9, "{k}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let (one, two) = (problem(2, 2, Noise::Variance(1.0)), problem(3, 2, Noise::Variance(1.0)));
    let model = Model::new(&one, &[[0.0, 1.0], [1.0, 0.0]]).unwrap();
    assert!(matches!(bound(&two, &model, 1e-6), Err(BoundError::OtherModel(_))));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(bound(&one, &model, bad), Err(BoundError::BadTolerance { .. })), "{bad}");
    }
}

/// Means, variances and gaps of any size that a problem may have: an answer or a sentence, and no panic.
#[test]
fn any_size_of_numbers_has_an_answer() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut answered = 0;
    for _ in 0..300 {
        let (k, d) = (rng.random_range(1..6), rng.random_range(1..4));
        let spread = [1.0, 20.0, 75.0][rng.random_range(0..3)];
        let mut size = |signed: bool| {
            let size = 10f64.powf(rng.random_range(-spread..spread));
            if signed && rng.random_bool(0.5) { -size } else { size }
        };
        let objectives = (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(size(false))));
        let objectives = objectives.collect();
        let problem = Problem::new(objectives, (0..k).map(|arm| Arm::named(format!("a{arm}"))).collect()).unwrap();
        let means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| size(true)).collect()).collect();
        match bound(&problem, &Model::new(&problem, &means).unwrap(), 1e-3) {
            Ok(bound) => {
                assert!(bound.lower <= bound.upper * (1.0 + 1e-12) && bound.gap() <= 1.1e-3, "{bound:?}");
                answered += 1;
            }
            Err(error) => assert!(
                matches!(error, BoundError::Tie { .. } | BoundError::Twins { .. } | BoundError::Stalled { .. }),
                "{error}"
            ),
        }
    }
    assert!(answered > 100, "{answered}");
}
