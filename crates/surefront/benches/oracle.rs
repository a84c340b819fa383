//! The oracle's time on the paper's random instances: a front on the positive part of a sphere, one arm at the origin.
//!
//! `cargo bench --bench oracle`

#![allow(missing_docs, reason = "the macros make public items")]

mod questions;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use questions::{add_last, closest, sphere, vaccine_question};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use surefront::{Method, Oracle, Question};

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
        let questions: Vec<Question<'static>> = (0..32).map(|_| sphere(&mut rng, d, p)).collect();
        let mut oracle = Oracle::new(questions[0].problem(), method).unwrap();
        let mut turn = 0;
        c.bench_function(&format!("{method:?} d={d} p={p}"), |b| {
            b.iter(|| {
                turn += 1;
                black_box(add_last(&questions[turn % questions.len()], &mut oracle))
            });
        });
    }
    let vaccine = vaccine_question();
    let mut oracle = Oracle::new(vaccine.problem(), Method::Auto).unwrap();
    c.bench_function("vaccine", |b| b.iter(|| black_box(closest(&vaccine, &mut oracle))));
}

criterion_group!(benches, oracle);
criterion_main!(benches);
