//! Asked about one model after the other, the oracle allocates nothing once it has seen the size at hand.
//!
//! The checks of debug builds allocate, so this runs on optimised code: `cargo test --release --test allocation`.
//! It is a test of the program, which is built optimised anyway: for one of the library, the library and all that its benches need would be built once more.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{Arm, Front, Goal, Method, Model, Noise, Objective, Oracle, Problem, Question, Weights};

/// A front of `p` arms on a sphere, and the others within it: all of the front is in the way of some of them.
fn random_question(rng: &mut Xoshiro256PlusPlus, problem: &Problem, p: usize) -> (Model, Front, Weights) {
    let (k, d) = (problem.arm_count(), problem.objective_count());
    let means: Vec<Vec<f64>> = (0..k)
        .map(|arm| {
            let row: Vec<f64> = (0..d).map(|_| rng.random_range(0.01..1.0)).collect();
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            let radius = if arm < p { 1.0 } else { rng.random_range(0.0..0.3) };
            row.iter().map(|x| radius * x / norm).collect()
        })
        .collect();
    let model = Model::new(problem, &means).unwrap();
    let front = Front::of(&model);
    let weights = (0..k).map(|_| -rng.random_range(f64::MIN_POSITIVE..1.0).ln()).collect();
    (model, front, Weights::new(k, weights).unwrap())
}

fn allocations_after_the_first(method: Method, k: usize, d: usize, p: usize) -> Vec<u64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let objectives = (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect();
    let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
    let problem = Problem::new(objectives, arms).unwrap();
    let mut oracle = Oracle::new(&problem, method).unwrap();
    let (model, front, weights) = random_question(&mut rng, &problem, p);
    let question = Question::new(&problem, &model, &front, &weights).unwrap();
    oracle.closest(&question).expect("there is noise");
    (0..50)
        .map(|_| {
            let (model, front, weights) = random_question(&mut rng, &problem, p);
            let question = Question::new(&problem, &model, &front, &weights).unwrap();
            let ask = || assert!(oracle.closest(&question).is_some());
            allocation_counter::measure(ask).count_total
        })
        .collect()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the checks of debug builds allocate: run with --release")]
fn the_oracle_allocates_only_on_its_first_question() {
    let cases = [
        (Method::Branch, 20, 3, 8),
        (Method::Branch, 70, 3, 64),
        (Method::Branch, 70, 5, 64),
        (Method::Branch, 40, 8, 32),
        (Method::Branch, 70, 2, 64),
        (Method::Sweep, 20, 2, 8),
        (Method::Sweep, 600, 2, 512),
        (Method::Auto, 20, 2, 8),
        (Method::Auto, 20, 3, 8),
    ];
    for (method, k, d, p) in cases {
        let allocations = allocations_after_the_first(method, k, d, p);
        assert!(allocations.iter().all(|&n| n == 0), "{method:?}, K = {k}, d = {d}, p = {p}: {allocations:?}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the checks of debug builds allocate: run with --release")]
fn smaller_fronts_fit_into_the_room_of_larger_ones() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    for (method, k, d) in
        [(Method::Branch, 40, 3), (Method::Branch, 60, 4), (Method::Sweep, 100, 2), (Method::Auto, 100, 2)]
    {
        let objectives = (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0))).collect();
        let arms = (0..k).map(|arm| Arm::named(format!("arm {arm}"))).collect();
        let problem = Problem::new(objectives, arms).unwrap();
        let mut oracle = Oracle::new(&problem, method).unwrap();
        let (model, front, weights) = random_question(&mut rng, &problem, k);
        assert_eq!(front.members().len(), k);
        let question = Question::new(&problem, &model, &front, &weights).unwrap();
        oracle.closest(&question).expect("there is noise");
        for _ in 0..50 {
            let p = rng.random_range(1..k);
            let (model, front, weights) = random_question(&mut rng, &problem, p);
            let question = Question::new(&problem, &model, &front, &weights).unwrap();
            let ask = || assert!(oracle.closest(&question).is_some());
            let info = allocation_counter::measure(ask);
            assert_eq!(info.count_total, 0, "{method:?}, K = {k}, d = {d}, p = {p}");
        }
    }
}
