//! A piece as a smooth, concave function of the weights, where readings are correlated: its objectives do not fall apart.
//!
//! With the forces ν and the place x at which the minimum over x of L_x(w) is attained, ∇f are the costs per unit of weight there, and
//! −∇²f = Q (∂²L/∂x²)⁻¹ Qᵀ with the derivatives Q of these costs in x: docs/bound.md.

use super::value::{Key, Value};
use crate::cholesky::{Cholesky, dot};
use crate::correlation::Coupling;
use crate::question::Question;
use crate::side::Side;
use crate::side::coordinate_weight;
use crate::transport::{Basin, Closest, Piece};

/// A piece and, for an *add* piece, the objective in which each front arm steps aside.
#[derive(Clone, Debug)]
pub(crate) enum Together {
    Remove {
        arms: [usize; 2],
        /// Of one observation of each.
        covariance: [Vec<f64>; 2],
        gaps: Vec<f64>,
    },
    Add {
        arm: usize,
        covariance: Vec<f64>,
        d: usize,
        walls: Vec<Wall>,
    },
}

/// A front arm, in the objective in which it steps aside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    arm: usize,
    objective: usize,
    at: f64,
    precision: f64,
}

impl Together {
    /// The piece and the map at which `closest` was found.
    pub fn new(coupling: &Coupling, question: &Question<'_>, closest: &Closest) -> (Key, Self) {
        let d = question.model().objective_count();
        let covariance = |side: Side<'_>| {
            let mut matrix = vec![0.0; d * d];
            coupling.add_covariance(side.precision, 1.0, &mut matrix);
            matrix
        };
        match closest.piece {
            Piece::Remove { arm, through } => {
                let sides = [question.raised(arm), question.side(through)];
                let gaps = sides[0].gaps(sides[1]).collect();
                let covariance = sides.map(covariance);
                ((closest.piece, Vec::new()), Together::Remove { arms: [arm, through], covariance, gaps })
            }
            Piece::Add { arm } => {
                let own = question.side(arm);
                let wall = |&k: &usize| {
                    let other = question.raised(k);
                    let far = other.against(own).zip(closest.shift()).enumerate().map(|(j, (contrast, x))| {
                        let gap = contrast.gap - x;
                        let precision = other.precision[j];
                        let distance = match gap > 0.0 {
                            // In an objective without noise there is no way past it, or none is needed.
                            _ if !contrast.is_movable() && contrast.gap >= 0.0 => f64::INFINITY,
                            false if precision == f64::INFINITY => gap,
                            _ => gap * precision.sqrt(),
                        };
                        (distance, j, contrast.gap)
                    });
                    let (_, objective, at) = far.min_by(|a, b| a.0.total_cmp(&b.0)).expect("there is an objective");
                    Wall { arm: k, objective, at, precision: other.precision[objective] }
                };
                let walls: Vec<Wall> = question.front().members().iter().map(wall).collect();
                let map = walls.iter().map(|wall| wall.objective).collect();
                ((closest.piece, map), Together::Add { arm, covariance: covariance(own), d, walls })
            }
            Piece::Infeasible { .. } => unreachable!("there are no limits where readings are correlated"),
        }
    }

    /// The logarithm and its derivatives.
    pub fn evaluate(&self, weights: &[f64]) -> Value {
        match self {
            Together::Remove { arms, covariance, gaps } => {
                remove(*arms, covariance, gaps, arms.map(|arm| weights[arm]))
            }
            Together::Add { arm, covariance, d, walls } => add(*arm, covariance, *d, walls, weights),
        }
    }
}

fn remove(arms: [usize; 2], covariance: &[Vec<f64>; 2], gaps: &[f64], weights: [f64; 2]) -> Value {
    let d = gaps.len();
    let mut basin = Basin::default();
    let own = basin.reset(d);
    for (matrix, weight) in covariance.iter().zip(weights) {
        own.iter_mut().zip(matrix).for_each(|(sum, entry)| *sum += entry / weight);
    }
    for (j, &gap) in gaps.iter().enumerate() {
        basin.build(j, j, gap, f64::INFINITY);
    }
    let value = basin.solve();
    let force = basin.force();
    let meets: Vec<usize> = (0..d).filter(|&j| basin.weight(j) > 0.0).collect();
    // How far each of the two moves.
    let moves = [0, 1].map(|side| -> Vec<f64> {
        (0..d).map(|i| dot(&covariance[side][i * d..(i + 1) * d], force) / weights[side]).collect()
    });
    let mut out = Value::default();
    for side in 0..2 {
        out.gradient.push((arms[side], 0.5 * dot(&moves[side], force) / weights[side]));
    }
    let mut cholesky = Cholesky::default();
    let matrix: Vec<f64> = cells(&meets, |i, j| basin.covariance()[i * d + j]);
    cholesky.factor(meets.len(), &matrix);
    let part = |side: usize| -> Vec<f64> { meets.iter().map(|&j| moves[side][j]).collect() };
    let mut solved = part(1);
    cholesky.solve(&mut solved);
    let scale = dot(&part(0), &solved).max(0.0).sqrt();
    out.curvature.extend([(arms[0], -scale / weights[0]), (arms[1], scale / weights[1])]);
    out.curvature_ends.push(2);
    out.of_logarithm(value)
}

fn add(arm: usize, covariance: &[f64], d: usize, walls: &[Wall], weights: &[f64]) -> Value {
    let weight = weights[arm];
    let mut basin = Basin::default();
    basin.reset(d).iter_mut().zip(covariance).for_each(|(own, entry)| *own = entry / weight);
    for (place, wall) in walls.iter().enumerate() {
        basin.build(wall.objective, place, wall.at, coordinate_weight(weights[wall.arm], wall.precision));
    }
    let value = basin.solve();
    let (x, force) = (basin.x(), basin.force());
    let mut out = Value::default();
    out.gradient.push((arm, 0.5 * dot(x, force) / weight));
    // By wall that counts and moves: the wall, and how far it is ahead.
    let counting: Vec<(Wall, f64)> = (0..d)
        .flat_map(|j| basin.counting(j).map(move |(place, at)| (walls[place], at - x[j])))
        .filter(|(wall, _)| wall.precision < f64::INFINITY)
        .collect();
    out.gradient.extend(counting.iter().map(|(wall, gap)| (wall.arm, 0.5 * wall.precision * gap * gap)));

    // (∂²L/∂x²)⁻¹ = V (V + W⁻¹)⁻¹ W⁻¹ over the objectives with a force; one that is held in its place by an arm without noise has no part in it.
    let pushed: Vec<usize> = (0..d).filter(|&j| basin.weight(j) > 0.0).collect();
    let own = |i: usize, j: usize| basin.covariance()[i * d + j];
    let sum = cells(&pushed, |i, j| own(i, j) + if i == j { basin.weight(i).recip() } else { 0.0 });
    let mut cholesky = Cholesky::default();
    cholesky.factor(pushed.len(), &sum);
    let free: Vec<usize> =
        pushed.iter().copied().filter(|&j| basin.weight(j) < f64::INFINITY && own(j, j) > 0.0).collect();
    let mut columns = vec![vec![0.0; d]; d];
    for &j in &free {
        let mut solved: Vec<f64> = pushed.iter().map(|&i| if i == j { basin.weight(j).recip() } else { 0.0 }).collect();
        cholesky.solve(&mut solved);
        for &i in &free {
            columns[j][i] = pushed.iter().zip(&solved).map(|(&k, solved)| own(i, k) * solved).sum();
        }
    }
    let inverse = cells(&free, |i, j| columns[j][i]);
    let n = free.len();
    cholesky.factor(n, &inverse);
    for column in 0..n {
        let mut along = vec![0.0; d];
        for (place, &j) in free.iter().enumerate() {
            along[j] = cholesky.entry(place, column);
        }
        out.curvature.push((arm, dot(&along, force) / weight));
        out.curvature
            .extend(counting.iter().map(|(wall, gap)| (wall.arm, -along[wall.objective] * wall.precision * gap)));
        out.curvature_ends.push(out.curvature.len());
    }
    out.of_logarithm(value)
}

/// A square matrix over some objectives, row by row.
fn cells(objectives: &[usize], entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    objectives.iter().flat_map(|&i| objectives.iter().map(move |&j| (i, j))).map(|(i, j)| entry(i, j)).collect()
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::bound::constraint::Constraint;
    use crate::correlation::Correlation;
    use crate::front::Front;
    use crate::model::Model;
    use crate::problem::{Arm, Goal, Noise, Objective, Problem};
    use crate::transport::{Method, Oracle};
    use crate::weights::Weights;

    /// Against differences: the gradient is that of ln f, the curvature its derivative, and f is homogeneous.
    #[test]
    fn derivatives_are_those_of_the_function() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut pieces = [0, 0];
        for round in 0..60 {
            let (k, d) = (5, 2 + round % 2);
            let exact = round % 5 == 4;
            let rho = rng.random_range(-0.45..0.95);
            let rows = (0..d).map(|i| (0..d).map(|j| if i == j { 1.0 } else { rho }).collect()).collect();
            let objectives = (0..d).map(|j| Objective::new(format!("y{j}"), Goal::Max, Noise::Variance(1.0)));
            let mut arm = |k: usize| {
                let mut noise: Vec<Noise> = (0..d).map(|_| Noise::Variance(rng.random_range(0.5..2.0))).collect();
                if exact && k == 0 {
                    noise[0] = Noise::Exact;
                }
                Arm::named(format!("a{k}")).with_noise(noise)
            };
            let arms = (0..k).map(&mut arm).collect();
            let problem = Problem::new(objectives.collect(), arms).unwrap();
            let problem = problem.with_correlation(Correlation::Given(rows)).unwrap();
            let means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|_| rng.random_range(0.0..3.0)).collect()).collect();
            let model = Model::new(&problem, &means).unwrap();
            let front = Front::of(&model);
            let weights = Weights::new(k, (0..k).map(|_| rng.random_range(0.1..1.0)).collect()).unwrap();
            let question = Question::new(&problem, &model, &front, &weights).unwrap();
            let mut oracle = Oracle::new(&problem, Method::Auto).unwrap();
            oracle.each_below(&question, f64::INFINITY, |closest| {
                let (_, constraint) = Constraint::new(&question, closest);
                let value = constraint.evaluate(&weights);
                assert!((value.log.exp() / closest.cost - 1.0).abs() < 1e-9, "{round} {:?}", closest.piece);
                pieces[usize::from(closest.piece.through().is_none())] += 1;
                let dense = |value: &Value| {
                    let mut gradient = vec![0.0; k];
                    value.gradient.iter().for_each(|&(arm, g)| gradient[arm] += g);
                    gradient
                };
                let gradient = dense(&value);
                let along: f64 = gradient.iter().zip(weights.iter()).map(|(g, w)| g * w).sum();
                assert!((along - 1.0).abs() < 1e-9, "{round}: {along}");
                let mut curvature = vec![vec![0.0; k]; k];
                let mut from = 0;
                for &to in &value.curvature_ends {
                    for &(i, x) in &value.curvature[from..to] {
                        for &(j, y) in &value.curvature[from..to] {
                            curvature[i][j] += x * y;
                        }
                    }
                    from = to;
                }
                for arm in 0..k {
                    let step = 1e-5;
                    let moved = |by: f64| {
                        let mut weights = weights.to_vec();
                        weights[arm] += by;
                        constraint.evaluate(&weights)
                    };
                    let (up, down) = (moved(step), moved(-step));
                    let slope = (up.log - down.log) / (2.0 * step);
                    assert!((slope - gradient[arm]).abs() < 1e-6, "{round} {arm}: {slope} {}", gradient[arm]);
                    for other in 0..k {
                        let bend = (dense(&down)[other] - dense(&up)[other]) / (2.0 * step);
                        let expected = gradient[arm] * gradient[other] + curvature[arm][other];
                        assert!(
                            (bend - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                            "{round} {arm} {other}: {bend} {expected}"
                        );
                    }
                }
            });
        }
        assert!(pieces.iter().all(|&pieces| pieces > 50), "{pieces:?}");
    }
}
