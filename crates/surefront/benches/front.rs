//! The Pareto set of 100,000 arms, few or all of them on the front.
//!
//! `cargo bench --bench front`

#![allow(missing_docs, reason = "the macros make public items")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem};

const ARMS: usize = 100_000;

/// Uniform in a cube, so that few are on the front; or all on a sphere, so that all are.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Cube,
    Sphere,
}

fn model(shape: Shape, d: usize) -> Model {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0));
    let arms = (0..ARMS).map(|k| Arm::named(format!("a{k}"))).collect();
    let problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
    let means: Vec<Vec<f64>> = (0..ARMS)
        .map(|_| {
            let row: Vec<f64> = (0..d).map(|_| rng.random_range(0.0..1.0)).collect();
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            match shape {
                Shape::Cube => row,
                Shape::Sphere => row.iter().map(|x| x / norm).collect(),
            }
        })
        .collect();
    Model::new(&problem, &means).unwrap()
}

fn front(c: &mut Criterion) {
    let mut group = c.benchmark_group("front of 100,000");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(2));
    // With all arms on the front and more than three objectives, every pair is compared: not timed here.
    let cases = [(Shape::Cube, 2), (Shape::Cube, 3), (Shape::Cube, 4), (Shape::Sphere, 2), (Shape::Sphere, 3)];
    for (shape, d) in cases {
        let model = model(shape, d);
        let mut front = Front::of(&model);
        let name = format!("{shape:?} d={d} p={}", front.members().len());
        group.bench_function(format!("{name}, from scratch"), |b| b.iter(|| Front::of(black_box(&model))));
        group.bench_function(format!("{name}, again"), |b| b.iter(|| front.recompute(black_box(&model))));
    }
    group.finish();
}

criterion_group!(benches, front);
criterion_main!(benches);
