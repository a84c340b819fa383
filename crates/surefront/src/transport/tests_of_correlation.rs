//! Correlated readings: the oracle against one that is slow and obviously correct, on random, tied, degenerate and badly scaled models.

use std::collections::HashMap;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;

use super::*;
use crate::correlation::Correlation;
use crate::model::Model;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::weights::Weights;

struct Case {
    problem: Problem,
    /// Turned as the objectives are.
    correlation: Vec<Vec<f64>>,
    model: Model,
    front: Front,
    weights: Weights,
}

impl Case {
    fn new(noise: Vec<Vec<Noise>>, correlation: Vec<Vec<f64>>, means: &[Vec<f64>], weights: Vec<f64>) -> Self {
        let d = means[0].len();
        let goal = |j: usize| if j.is_multiple_of(2) { Goal::Max } else { Goal::Min };
        let sign = |j: usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 };
        let objective = |j| Objective::new(format!("y{j}"), goal(j), noise[0][j]);
        let arm = |(k, noise): (usize, &Vec<Noise>)| Arm::named(format!("a{k}")).with_noise(noise.clone());
        let arms = noise.iter().enumerate().map(arm).collect();
        let given: Vec<Vec<f64>> =
            (0..d).map(|i| (0..d).map(|j| sign(i) * sign(j) * correlation[i][j]).collect()).collect();
        let problem = Problem::new((0..d).map(objective).collect(), arms).unwrap();
        let problem = problem.with_correlation(Correlation::Given(given)).unwrap();
        let rows: Vec<Vec<f64>> = means.iter().map(|row| (0..d).map(|j| sign(j) * row[j]).collect()).collect();
        let model = Model::new(&problem, &rows).unwrap();
        let front = Front::of(&model);
        let weights = Weights::new(means.len(), weights).unwrap();
        Case { problem, correlation, model, front, weights }
    }

    fn question(&self) -> Question<'_> {
        Question::new(&self.problem, &self.model, &self.front, &self.weights).unwrap()
    }

    fn d(&self) -> usize {
        self.model.objective_count()
    }

    fn covariance(&self, arm: usize) -> Vec<Vec<f64>> {
        let deviation = |j: usize| self.problem.precision(arm)[j].sqrt().recip();
        let d = self.d();
        (0..d).map(|i| (0..d).map(|j| self.correlation[i][j] * deviation(i) * deviation(j)).collect()).collect()
    }

    fn pieces(&self) -> HashMap<Piece, f64> {
        let mut oracle = Oracle::new(&self.problem, Method::Auto).unwrap();
        let mut costs = HashMap::new();
        oracle.each_below(&self.question(), f64::INFINITY, |closest| {
            self.check(closest);
            costs.insert(closest.piece, closest.cost);
        });
        costs
    }

    /// The cost adds up from the means, nothing moves that has no noise, and w·gradient is the cost. (That the front changes is checked
    /// where the alternative is made.)
    fn check(&self, closest: &Closest) {
        let k = self.model.arm_count();
        let alternative = closest.alternative(&self.model);
        let gradient = closest.dense_gradient(k);
        for arm in 0..k {
            let (from, to) = (self.model.row(arm), alternative.row(arm));
            let noisy: Vec<usize> = (0..self.d()).filter(|&j| self.problem.precision(arm)[j].is_finite()).collect();
            assert!((0..self.d()).all(|j| noisy.contains(&j) || from[j] == to[j]), "arm {arm} moved without noise");
            let covariance = self.covariance(arm);
            let matrix: Vec<Vec<f64>> =
                noisy.iter().map(|&i| noisy.iter().map(|&j| covariance[i][j]).collect()).collect();
            let moved: Vec<f64> = noisy.iter().map(|&j| to[j] - from[j]).collect();
            let force = solved(matrix, moved.clone());
            let cost: f64 = 0.5 * moved.iter().zip(&force).map(|(by, force)| by * force).sum::<f64>();
            // What rounding of the means takes from a distance.
            let rounding = |j: usize| 1e-14 * from[j].abs().max(to[j].abs()) / covariance[j][j].sqrt();
            let rounding: f64 = noisy.iter().map(|&j| rounding(j)).sum();
            let error = (cost.max(0.0).sqrt() - gradient[arm].sqrt()).abs();
            assert!(error <= 1e-9 * cost.sqrt() + 10.0 * rounding, "arm {arm}: {cost} {}", gradient[arm]);
        }
        let total: f64 = gradient.iter().zip(self.weights.iter()).map(|(g, w)| g * w).sum();
        assert!(close(total, closest.cost, 1e-12), "w·gradient {total} against cost {}", closest.cost);
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// The solution of a linear system, by elimination with pivots.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs())).unwrap();
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        for row in i + 1..n {
            let factor = matrix[row][i] / matrix[i][i];
            for column in i..n {
                matrix[row][column] -= factor * matrix[i][column];
            }
            right[row] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

/// The least cost of removing `arm` through `through`: every set of objectives in which the two meet, and the most that a set with forces
/// of the right sign asks for.
fn slow_remove(case: &Case, arm: usize, through: usize) -> f64 {
    let d = case.d();
    let (one, two) = (case.covariance(arm), case.covariance(through));
    if (0..d).all(|j| one[j][j] == 0.0 && two[j][j] == 0.0) {
        return f64::INFINITY;
    }
    let (v, w) = (case.weights[arm], case.weights[through]);
    let free = |j: usize| v == 0.0 && one[j][j] > 0.0 || w == 0.0 && two[j][j] > 0.0;
    let part = |covariance: f64, weight: f64| if covariance == 0.0 { 0.0 } else { covariance / weight };
    let total = |i: usize, j: usize| part(one[i][j], v) + part(two[i][j], w);
    let gap = |j: usize| case.model.row(arm)[j] - case.model.row(through)[j];
    let bound: Vec<usize> = (0..d).filter(|&j| !free(j)).collect();
    if bound.iter().any(|&j| total(j, j) == 0.0 && gap(j) > 0.0) {
        return f64::INFINITY;
    }
    let bound: Vec<usize> = bound.into_iter().filter(|&j| total(j, j) > 0.0).collect();
    let mut most = 0.0f64;
    for code in 1..1usize << bound.len() {
        let set: Vec<usize> = (0..bound.len()).filter(|i| code >> i & 1 == 1).map(|i| bound[i]).collect();
        let matrix = set.iter().map(|&i| set.iter().map(|&j| total(i, j)).collect()).collect();
        let force = solved(matrix, set.iter().map(|&j| gap(j)).collect());
        if force.iter().all(|&force| force >= 0.0) {
            most = most.max(0.5 * set.iter().zip(&force).map(|(&j, force)| gap(j) * force).sum::<f64>());
        }
    }
    most
}

/// The least cost of adding `arm`, over all maps of the whole front and, for each, all sets of arms that may count.
fn slow_add(case: &Case, arm: usize) -> f64 {
    let d = case.d();
    let own = case.covariance(arm);
    let noisy: Vec<usize> = (0..d).filter(|&j| own[j][j] > 0.0).collect();
    if case.weights[arm] == 0.0 && !noisy.is_empty() {
        return 0.0;
    }
    let matrix: Vec<Vec<f64>> = noisy.iter().map(|&i| noisy.iter().map(|&j| own[i][j]).collect()).collect();
    // w Σ⁻¹, column by column.
    let mut stiffness = vec![vec![0.0; noisy.len()]; noisy.len()];
    for column in 0..noisy.len() {
        let mut unit = vec![0.0; noisy.len()];
        unit[column] = case.weights[arm];
        let solution = solved(matrix.clone(), unit);
        (0..noisy.len()).for_each(|row| stiffness[row][column] = solution[row]);
    }
    let weight = |k: usize, j: usize| {
        let precision = case.problem.precision(k)[j];
        if precision.is_finite() { precision * case.weights[k] } else { f64::INFINITY }
    };
    let members: Vec<usize> = case.front.members().to_vec();
    let at = |k: usize, j: usize| case.model.row(k)[j] - case.model.row(arm)[j];
    let mut least = f64::INFINITY;
    for code in 0..d.pow(members.len() as u32) {
        let map: Vec<usize> = (0..members.len()).map(|i| code / d.pow(i as u32) % d).collect();
        let certain = |k: usize, j: usize| weight(k, j) == f64::INFINITY && own[j][j] == 0.0;
        if members.iter().zip(&map).any(|(&k, &j)| certain(k, j) && at(k, j) >= 0.0) {
            continue;
        }
        let mut walls: Vec<Vec<(f64, f64)>> = vec![Vec::new(); d];
        members.iter().zip(&map).for_each(|(&k, &j)| walls[j].push((at(k, j), weight(k, j))));
        walls.iter_mut().for_each(|walls| walls.sort_by(|a, b| b.0.total_cmp(&a.0)));
        let cost = |x: &[f64]| {
            let moved: f64 = (0..noisy.len())
                .map(|i| (0..noisy.len()).map(|j| 0.5 * x[noisy[i]] * stiffness[i][j] * x[noisy[j]]).sum::<f64>())
                .sum();
            let steps = (0..d).flat_map(|j| walls[j].iter().map(move |&(at, u)| (at - x[j], u)));
            let steps = steps.filter(|(gap, _)| *gap > 0.0);
            moved + steps.map(|(gap, u)| if u == 0.0 { 0.0 } else { 0.5 * u * gap * gap }).sum::<f64>()
        };
        // By noisy objective: how many of the furthest count; one more for each that is held by one without noise.
        let choices: Vec<usize> = noisy.iter().map(|&j| 2 * walls[j].len() + 1).collect();
        for code in 0..choices.iter().product::<usize>() {
            let mut rest = code;
            let mut x = vec![0.0; d];
            let (mut system, mut right) = (stiffness.clone(), vec![0.0; noisy.len()]);
            let mut pinned = Vec::new();
            let mut sensible = true;
            for (i, &j) in noisy.iter().enumerate() {
                let choice = rest % choices[i];
                rest /= choices[i];
                let n = walls[j].len();
                if choice > n {
                    let (at, u) = walls[j][choice - n - 1];
                    sensible &= u == f64::INFINITY;
                    pinned.push((i, at));
                } else {
                    sensible &= walls[j][..choice].iter().all(|wall| wall.1.is_finite());
                    for &(at, u) in &walls[j][..choice] {
                        system[i][i] += u;
                        right[i] += u * at;
                    }
                }
            }
            if !sensible {
                continue;
            }
            for &(i, at) in &pinned {
                system[i] = vec![0.0; noisy.len()];
                system[i][i] = 1.0;
                right[i] = at;
            }
            let solution = solved(system, right);
            noisy.iter().zip(solution).for_each(|(&j, value)| x[j] = value);
            pinned.iter().for_each(|&(i, at)| x[noisy[i]] = at);
            least = least.min(cost(&x));
        }
    }
    least
}

/// Positive definite, with correlations up to ±.99.
fn random_correlation(rng: &mut Xoshiro256PlusPlus, d: usize) -> Vec<Vec<f64>> {
    loop {
        let factors = rng.random_range(1..=d);
        let loads: Vec<Vec<f64>> =
            (0..d).map(|_| (0..factors).map(|_| rng.sample::<f64, _>(StandardNormal)).collect()).collect();
        let own = 10f64.powf(rng.random_range(-2.0..1.0));
        let product = |i: usize, j: usize| -> f64 {
            loads[i].iter().zip(&loads[j]).map(|(a, b)| a * b).sum::<f64>() + if i == j { own } else { 0.0 }
        };
        let entry =
            |i: usize, j: usize| if i == j { 1.0 } else { product(i, j) / (product(i, i) * product(j, j)).sqrt() };
        let matrix: Vec<Vec<f64>> = (0..d).map(|i| (0..d).map(|j| entry(i.min(j), i.max(j))).collect()).collect();
        if (0..d).all(|i| (0..i).all(|j| matrix[i][j].abs() <= 0.99)) {
            return matrix;
        }
    }
}

fn random_case(rng: &mut Xoshiro256PlusPlus) -> Case {
    let d = rng.random_range(2..=4);
    let k = rng.random_range(2..=if d == 4 { 5 } else { 6 });
    let mut correlation = random_correlation(rng, d);
    let scale = if rng.random_bool(0.3) { 4.0 } else { 0.5 };
    let spread = |rng: &mut Xoshiro256PlusPlus| 10f64.powf(rng.random_range(-scale..scale));
    let shared: Vec<f64> = (0..d).map(|_| spread(rng)).collect();
    let (own, exact) = (rng.random_bool(0.5), rng.random_bool(0.25));
    let mut noise: Vec<Vec<Noise>> = (0..k)
        .map(|_| {
            let variance = |rng: &mut Xoshiro256PlusPlus, j: usize| match () {
                () if exact && rng.random_bool(0.2) => Noise::Exact,
                () if own => Noise::Variance(shared[j] * 10f64.powf(rng.random_range(-1.0..1.0))),
                () => Noise::Variance(shared[j]),
            };
            (0..d).map(|j| variance(rng, j)).collect()
        })
        .collect();
    if rng.random_bool(0.1) {
        // An objective without any noise.
        let j = rng.random_range(0..d);
        noise.iter_mut().for_each(|row| row[j] = Noise::Exact);
    }
    for j in 0..d {
        if noise.iter().all(|row| row[j] == Noise::Exact) {
            for i in (0..d).filter(|&i| i != j) {
                (correlation[i][j], correlation[j][i]) = (0.0, 0.0);
            }
        }
    }
    let tied = rng.random_bool(0.4);
    let means: Vec<Vec<f64>> = (0..k)
        .map(|_| {
            let mean = |rng: &mut Xoshiro256PlusPlus, j: usize| {
                let deviation = shared[j].sqrt();
                if tied {
                    deviation * f64::from(rng.random_range(0..4i32))
                } else {
                    deviation * rng.random_range(0.0..3.0)
                }
            };
            (0..d).map(|j| mean(rng, j)).collect()
        })
        .collect();
    let far = if rng.random_bool(0.3) { 6.0 } else { 1.0 };
    let mut weights: Vec<f64> = (0..k).map(|_| 10f64.powf(rng.random_range(-far..far))).collect();
    if rng.random_bool(0.15) {
        weights[rng.random_range(0..k)] = 0.0;
    }
    Case::new(noise, correlation, &means, weights)
}

#[test]
fn every_piece_agrees_with_the_slow_oracle() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(61);
    let mut compared = 0;
    for round in 0..3000 {
        let case = random_case(&mut rng);
        if case.problem.coupling().is_none() {
            continue;
        }
        let pieces = case.pieces();
        let mut least = f64::INFINITY;
        let mut agree = |piece: Piece, slow: f64| {
            let fast = pieces.get(&piece).copied().unwrap_or(f64::INFINITY);
            assert!(close(fast, slow, 1e-8) || slow.max(fast) < 1e-280, "{round} {piece:?}: {fast} {slow}");
            least = least.min(fast);
            compared += 1;
        };
        for &arm in case.front.members() {
            for &through in case.front.members().iter().filter(|&&through| through != arm) {
                agree(Piece::Remove { arm, through }, slow_remove(&case, arm, through));
            }
        }
        for arm in (0..case.model.arm_count()).filter(|&arm| !case.front.contains(arm)) {
            agree(Piece::Add { arm }, slow_add(&case, arm));
        }
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let closest = oracle.closest(&case.question());
        if let Some(closest) = closest {
            case.check(closest);
        }
        assert!(close(closest.map_or(f64::INFINITY, |closest| closest.cost), least, 1e-9), "{round}");
    }
    assert!(compared > 10_000, "{compared}");
}

/// A correlation too small to matter takes the same way as any other, and finds what the oracle for independent readings finds.
#[test]
fn without_correlation_it_is_the_independent_oracle() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(62);
    for round in 0..2000 {
        let mut case = random_case(&mut rng);
        let d = case.d();
        let identity = |off: f64| (0..d).map(|i| (0..d).map(|j| if i == j { 1.0 } else { off }).collect()).collect();
        let bare = Problem::new(case.problem.objectives().to_vec(), case.problem.arms().to_vec()).unwrap();
        let Ok(problem) = bare.clone().with_correlation(Correlation::Given(identity(1e-300))) else { continue };
        assert!(problem.coupling().is_some());
        assert!(bare.clone().with_correlation(Correlation::Given(identity(0.0))).unwrap().coupling().is_none());
        case.correlation = identity(0.0);
        case.problem = problem;
        let coupled = case.pieces();
        let mut costs = HashMap::new();
        let question = Question::new(&bare, &case.model, &case.front, &case.weights).unwrap();
        Oracle::new(&bare, Method::Branch).unwrap().each_below(&question, f64::INFINITY, |closest| {
            costs.insert(closest.piece, closest.cost);
        });
        // In two objectives the independent oracle looks at neighbours only.
        for (piece, cost) in costs {
            assert!(close(coupled[&piece], cost, 1e-10), "{round} {piece:?}: {} {cost}", coupled[&piece]);
        }
    }
}

#[test]
fn an_arm_that_moves_up_may_meet_others_on_its_way_down() {
    // The third moves up in x, past the second, and its y, which goes against x, falls: behind the first, which it was ahead of.
    let noise = vec![vec![Noise::Variance(1.0); 2]; 3];
    let correlation = vec![vec![1.0, -0.9], vec![-0.9, 1.0]];
    let means = [vec![2.0, 0.0], vec![1.0, 1.0], vec![0.5, 0.5]];
    let case = Case::new(noise, correlation, &means, vec![1.0, 1e6, 1.0]);
    let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
    let closest = oracle.closest_in(&case.question(), Piece::Add { arm: 2 }).unwrap().unwrap();
    assert!(closest.shift().iter().any(|&x| x < 0.0), "{:?}", closest.shift());
    assert!(close(closest.cost, slow_add(&case, 2), 1e-10));
}

#[test]
fn methods_for_independent_readings_are_refused() {
    let noise = vec![vec![Noise::Variance(1.0); 2]; 2];
    let case = Case::new(noise, vec![vec![1.0, 0.5], vec![0.5, 1.0]], &[vec![0.0; 2], vec![1.0; 2]], vec![1.0; 2]);
    for method in [Method::Cells, Method::Sweep] {
        assert_eq!(Oracle::new(&case.problem, method).unwrap_err(), MethodError::Correlated);
    }
    assert_eq!(Oracle::new(&case.problem, Method::Branch).unwrap().method(), Method::Branch);
}
