//! The front at scale, against the definition.

use crate::instances::problem;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use surefront::{Front, Model, Noise, dominates};

const ARMS: usize = 100_000;

/// One row per arm, in the cube or on the positive part of the unit sphere.
fn rows(rng: &mut Xoshiro256PlusPlus, k: usize, d: usize, on_sphere: bool) -> Vec<Vec<f64>> {
    let mut row = || {
        let row: Vec<f64> = (0..d).map(|_| rng.random_range(0.0..1.0)).collect();
        let norm = if on_sphere { row.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
        row.into_iter().map(|x| x / norm).collect()
    };
    (0..k).map(|_| row()).collect()
}

fn model(rows: &[Vec<f64>]) -> Model {
    let problem = problem(rows.len(), rows[0].len(), Noise::Variance(1.0));
    Model::new(&problem, rows).unwrap()
}

fn is_dominated(rows: &[Vec<f64>], arm: usize) -> bool {
    rows.iter().any(|other| dominates(other, &rows[arm]))
}

#[test]
fn a_hundred_thousand_arms_in_three_objectives() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    // Rounded to a grid, so that ties and duplicates come up as well.
    for grid in [None, Some(50.0), Some(1000.0)] {
        let mut rows = rows(&mut rng, ARMS, 3, false);
        if let Some(grid) = grid {
            rows.iter_mut().flatten().for_each(|x| *x = (*x * grid).round());
        }
        let front = Front::of(&model(&rows));
        // All that are said to be on the front, and a sample of all.
        let members = front.members().iter().copied();
        let sample: Vec<usize> = members.chain((0..200).map(|_| rng.random_range(0..ARMS))).collect();
        for arm in sample {
            assert_eq!(front.contains(arm), !is_dominated(&rows, arm), "arm {arm}, grid {grid:?}");
        }
        // Whoever is off the front is dominated by someone on it.
        let members: Vec<&Vec<f64>> = front.members().iter().map(|&arm| &rows[arm]).collect();
        for arm in (0..ARMS).filter(|&arm| !front.contains(arm)) {
            assert!(members.iter().any(|other| dominates(other, &rows[arm])), "arm {arm}, grid {grid:?}");
        }
    }
}

#[test]
fn all_on_the_front() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for (k, d) in [(ARMS, 2), (ARMS, 3), (2_000, 4), (2_000, 6)] {
        // On the unit sphere nobody dominates anybody, as long as rounding does not merge two arms.
        let front = Front::of(&model(&rows(&mut rng, k, d, true)));
        assert_eq!(front.members().len(), k, "d = {d}");
    }
    let twins = vec![vec![0.3, 0.7, 0.1]; ARMS];
    assert_eq!(Front::of(&model(&twins)).members().len(), ARMS);
}

#[test]
fn one_on_the_front() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for d in 1..=5 {
        let mut rows = rows(&mut rng, ARMS, d, false);
        rows[77_777] = vec![1.5; d];
        assert_eq!(Front::of(&model(&rows)).members(), [77_777], "d = {d}");
    }
}
