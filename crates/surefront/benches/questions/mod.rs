//! Questions to the oracle, for the benchmarks.

#![allow(dead_code, reason = "each benchmark uses its own part")]

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use surefront::{Front, Model, Noise, Oracle, Piece, Problem, Question, Weights};

pub mod asked;
#[path = "../../tests/library/instances.rs"]
mod instances;

pub use instances::{problem, vaccine};

/// The paper's random instance: a front of `p` arms on the positive part of a sphere, one arm at the origin.
pub fn sphere(rng: &mut Xoshiro256PlusPlus, d: usize, p: usize) -> Question<'static> {
    let problem = problem(p + 1, d, Noise::Variance(1.0));
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
    let weights = (0..=p).map(|_| -rng.random_range(f64::MIN_POSITIVE..1.0).ln()).collect();
    question(problem, model, Weights::new(p + 1, weights).unwrap())
}

/// The paper's vaccine instance, the samples spread evenly.
pub fn vaccine_question() -> Question<'static> {
    let (problem, model) = vaccine();
    let weights = Weights::uniform(&problem);
    question(problem, model, weights)
}

/// What is asked about lives as long as the benchmark, so that only the answer is measured.
fn question(problem: Problem, model: Model, weights: Weights) -> Question<'static> {
    let parts = Box::leak(Box::new((Front::of(&model), problem, model, weights)));
    Question::new(&parts.1, &parts.2, &parts.0, &parts.3).unwrap()
}

/// Asks for the closest alternative of all; the cost.
pub fn closest(question: &Question<'_>, oracle: &mut Oracle) -> f64 {
    oracle.closest(question).expect("there is noise").cost
}

/// Asks what it takes to bring the last arm onto the front; the cost.
pub fn add_last(question: &Question<'_>, oracle: &mut Oracle) -> f64 {
    let piece = Piece::Add { arm: question.model().arm_count() - 1 };
    oracle.closest_in(question, piece).unwrap().expect("there is noise").cost
}
