//! The oracle's time on the paper's random instances: a front on the positive part of a sphere, one arm at the origin.
//!
//! `cargo bench --bench oracle`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{Arm, Front, Goal, Method, Model, Noise, Objective, Oracle, Piece, Problem, Weights};

struct Instance {
    problem: Problem,
    model: Model,
    front: Front,
    weights: Weights,
}

fn sphere(rng: &mut Xoshiro256PlusPlus, d: usize, p: usize) -> Instance {
    let objective = |j| Objective { name: format!("y{j}"), goal: Goal::Max, noise: Noise::Variance(1.0) };
    let arms = (0..=p).map(|k| Arm::named(format!("a{k}"))).collect();
    let problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
    let mut gaussian = || {
        let (u, v): (f64, f64) = (rng.random_range(f64::MIN_POSITIVE..1.0), rng.random());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let mut means: Vec<Vec<f64>> = (0..p)
        .map(|_| {
            let row: Vec<f64> = (0..d).map(|_| gaussian().abs()).collect();
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            row.iter().map(|x| x / norm).collect()
        })
        .collect();
    means.push(vec![0.0; d]);
    let model = Model::new(&problem, &means).unwrap();
    let front = Front::of(&model);
    let weights = (0..=p).map(|_| -rng.random_range(f64::MIN_POSITIVE..1.0).ln()).collect();
    Instance { problem, model, front, weights: Weights::new(p + 1, weights).unwrap() }
}

fn oracle(c: &mut Criterion) {
    let cases = [
        (Method::Sweep, 2, 512),
        (Method::Sweep, 2, 4096),
        (Method::Branch, 2, 512),
        (Method::Branch, 3, 64),
        (Method::Branch, 3, 512),
        (Method::Branch, 5, 64),
        (Method::Branch, 6, 64),
        (Method::Branch, 8, 64),
        (Method::Cells, 3, 64),
        (Method::Cells, 4, 32),
    ];
    for (method, d, p) in cases {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let instances: Vec<Instance> = (0..32).map(|_| sphere(&mut rng, d, p)).collect();
        let mut oracle = Oracle::new(&instances[0].problem, method).unwrap();
        let mut turn = 0;
        c.bench_function(&format!("{method:?} d={d} p={p}"), |b| {
            b.iter(|| {
                let Instance { problem, model, front, weights } = &instances[turn % instances.len()];
                turn += 1;
                let piece = Piece::Add { arm: p };
                black_box(oracle.closest_in(problem, model, front, weights, piece).map(|closest| closest.cost))
            });
        });
    }
}

criterion_group!(benches, oracle);
criterion_main!(benches);
