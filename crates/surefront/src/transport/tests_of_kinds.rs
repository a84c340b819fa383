//! The solvers against an oracle that is slow and obviously correct, with noise of every kind and mixtures of them: random models, ties,
//! means at the edge of their domain, badly scaled and nearly tied ones.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::tests::Case;
use super::*;
use crate::family::Family;
use crate::model::Model;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::testing::effort;
use crate::weights::Weights;

impl Case {
    /// The weight of a mean, infinite without noise.
    fn weight(&self, arm: usize, j: usize) -> f64 {
        match self.problem.noise(arm, j) {
            Noise::Exact => f64::INFINITY,
            Noise::Variance(variance) => self.weights[arm] / variance,
            _ => self.weights[arm],
        }
    }

    /// What it costs to move the mean of an arm by `by`, larger being better.
    fn price(&self, arm: usize, j: usize, by: f64) -> f64 {
        let weight = self.weight(arm, j);
        if by == 0.0 || weight == 0.0 {
            return 0.0;
        }
        let sign = if self.problem.objectives()[j].goal == Goal::Max { 1.0 } else { -1.0 };
        weight * self.problem.family(j).divergence(sign * self.model.row(arm)[j], sign * by)
    }

    /// The least cost of moving `base` up and the arms `above` it down until none is ahead of it, by trying the weighted mean of every
    /// upper set.
    fn slow_valley(&self, base: usize, mut above: Vec<usize>, j: usize) -> f64 {
        let offset = |k: usize| self.model.row(k)[j] - self.model.row(base)[j];
        above.retain(|&k| offset(k) >= 0.0);
        above.sort_by(|&a, &b| offset(b).total_cmp(&offset(a)));
        let value = |x: f64| {
            let steps = above.iter().filter(|&&k| offset(k) > x).map(|&k| self.price(k, j, x - offset(k)));
            self.price(base, j, x) + steps.sum::<f64>()
        };
        let mut candidates = vec![0.0];
        candidates.extend(above.iter().map(|&k| offset(k)));
        let (mut weight, mut moment) = (self.weight(base, j), 0.0);
        for &k in &above {
            weight += self.weight(k, j);
            moment += self.weight(k, j) * offset(k);
            if weight > 0.0 && weight.is_finite() {
                candidates.push(moment / weight);
            }
        }
        candidates.into_iter().map(value).fold(f64::INFINITY, f64::min)
    }

    fn certain(&self, a: usize, b: usize, j: usize) -> bool {
        self.problem.noise(a, j) == Noise::Exact && self.problem.noise(b, j) == Noise::Exact
    }

    /// The least cost of adding `arm`, over all dᵖ maps of the whole front.
    fn slow_add(&self, arm: usize) -> f64 {
        let (d, members) = (self.model.objective_count(), self.front.members());
        let mut least = f64::INFINITY;
        for code in 0..d.pow(members.len() as u32) {
            let map = |i: usize| code / d.pow(i as u32) % d;
            let mut cost = 0.0;
            for j in 0..d {
                let mapped: Vec<usize> = (0..members.len()).filter(|&i| map(i) == j).map(|i| members[i]).collect();
                let behind = |k: &usize| self.model.row(*k)[j] >= self.model.row(arm)[j];
                if mapped.iter().any(|k| self.certain(arm, *k, j) && behind(k)) {
                    cost = f64::INFINITY;
                    break;
                }
                cost += self.slow_valley(arm, mapped, j);
            }
            least = least.min(cost);
        }
        least
    }

    fn slow_remove(&self, arm: usize, through: usize) -> f64 {
        let d = self.model.objective_count();
        if (0..d).all(|j| self.certain(arm, through, j)) {
            return f64::INFINITY;
        }
        (0..d).map(|j| self.slow_valley(through, vec![arm], j)).sum()
    }
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-8 * a.abs().max(b.abs())
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Random,
    /// Few values, the edges among them.
    Tied,
    /// Most means at an edge, or very near it.
    Edge,
    /// Objectives and arms of very different size.
    BadlyScaled,
    /// Copies of a few arms, a hair apart.
    NearlyTied,
}

const SHAPES: [Shape; 5] = [Shape::Random, Shape::Tied, Shape::Edge, Shape::BadlyScaled, Shape::NearlyTied];

fn power(rng: &mut Xoshiro256PlusPlus, from: f64, to: f64) -> f64 {
    10f64.powf(rng.random_range(from..to))
}

/// How good an arm is in an objective, from 0 to 1.
fn quality(rng: &mut Xoshiro256PlusPlus, shape: Shape, low: bool) -> f64 {
    match shape {
        Shape::Tied => f64::from(rng.random_range(if low { 0..=2 } else { 1..=4 })) / 4.0,
        Shape::Edge => match rng.random_range(0..4) {
            0 => 0.0,
            1 => 1.0,
            2 => power(rng, -7.0, 0.0),
            _ => 1.0 - power(rng, -7.0, 0.0),
        },
        _ if low => rng.random_range(0.0..0.5),
        _ => rng.random_range(0.2..1.0),
    }
}

fn case(rng: &mut Xoshiro256PlusPlus, shape: Shape, d: usize) -> Case {
    let p = rng.random_range(1..=[0, 12, 9, 6, 5][d]);
    let arms = p + rng.random_range(1..=3);
    let kinds: Vec<Noise> = (0..d)
        .map(|_| match rng.random_range(0..7) {
            0 => Noise::Variance(power(rng, -3.0, 3.0)),
            1 | 2 => Noise::Poisson,
            3 | 4 => Noise::Exponential,
            _ => Noise::Bernoulli,
        })
        .collect();
    let goals: Vec<Goal> = (0..d).map(|_| if rng.random_bool(0.5) { Goal::Max } else { Goal::Min }).collect();
    let scales: Vec<f64> =
        (0..d).map(|_| if matches!(shape, Shape::BadlyScaled) { power(rng, -6.0, 6.0) } else { 1.0 }).collect();
    let mut qualities: Vec<Vec<f64>> =
        (0..arms).map(|k| (0..d).map(|_| quality(rng, shape, k >= p)).collect()).collect();
    match shape {
        Shape::NearlyTied => {
            for k in 1..p {
                let other = qualities[rng.random_range(0..k)].clone();
                qualities[k] = other.iter().map(|x| (x + 1e-9 * rng.random_range(-1.0..1.0)).clamp(0.0, 1.0)).collect();
            }
        }
        Shape::BadlyScaled => {
            for row in &mut qualities {
                let size = power(rng, -3.0, 0.0);
                row.iter_mut().for_each(|x| *x *= size);
            }
        }
        _ => {}
    }
    let means: Vec<Vec<f64>> = qualities
        .iter()
        .map(|row| {
            let mean = |j: usize| {
                let value = if goals[j] == Goal::Max { row[j] } else { 1.0 - row[j] };
                match kinds[j] {
                    Noise::Bernoulli => value,
                    Noise::Exponential => value.max(1e-7) * scales[j],
                    _ => value * scales[j],
                }
            };
            (0..d).map(mean).collect()
        })
        .collect();
    let with_exact = rng.random_bool(0.3);
    let noise: Vec<Vec<Noise>> = (0..arms)
        .map(|_| {
            let one = |&kind: &Noise| match kind {
                _ if with_exact && rng.random_bool(0.15) => Noise::Exact,
                Noise::Variance(_) => Noise::Variance(power(rng, -3.0, 3.0)),
                kind => kind,
            };
            kinds.iter().map(one).collect()
        })
        .collect();
    let objective = |j: usize| Objective::new(format!("y{j}"), goals[j], kinds[j]);
    let named = |(k, noise): (usize, Vec<Noise>)| Arm::named(format!("a{k}")).with_noise(noise);
    let problem =
        Problem::new((0..d).map(objective).collect(), noise.into_iter().enumerate().map(named).collect()).unwrap();
    let model = Model::new(&problem, &means).unwrap();
    let spread = if rng.random_bool(0.5) { 6.0 } else { 1.0 };
    let mut weights: Vec<f64> = means.iter().map(|_| power(rng, -spread, 0.0)).collect();
    if rng.random_bool(0.05) {
        let free = rng.random_range(1..weights.len());
        weights[free] = 0.0;
    }
    let front = Front::of(&model);
    let weights = Weights::new(arms, weights).unwrap();
    Case { problem, model, front, weights }
}

/// Its cost adds up from the means, nothing moves that has no noise, and w·gradient is the cost.
fn check(case: &Case, closest: &Closest, name: &str) {
    let alternative = closest.alternative(&case.model);
    let (mut cost, mut rounding) = (0.0, 0.0);
    for arm in 0..case.model.arm_count() {
        for (j, (from, to)) in case.model.row(arm).iter().zip(alternative.row(arm)).enumerate() {
            if from != to {
                assert!(case.problem.noise(arm, j) != Noise::Exact, "{name}: arm {arm} moved where it has no noise");
                cost += case.price(arm, j, to - from);
                // What the last digits of the place are worth: kl' = (x − m) / V(x).
                let variance = case.problem.family(j).variance(to.abs());
                let slope = case.weight(arm, j) * (to - from).abs() / variance;
                rounding += 4.0 * f64::EPSILON * (from.abs() + to.abs()) * slope;
            }
        }
    }
    let gradient = closest.dense_gradient(case.model.arm_count());
    let sum: f64 = gradient.iter().zip(case.weights.iter()).filter(|(_, w)| **w > 0.0).map(|(g, w)| g * w).sum();
    assert!((sum - closest.cost).abs() <= 1e-12 * sum, "{name}: w·gradient {sum} against cost {}", closest.cost);
    let error = (cost - closest.cost).abs();
    assert!(!(error > 1e-8 * closest.cost + rounding), "{name}: the alternative costs {cost}, not {}", closest.cost);
}

#[test]
fn all_solvers_agree_with_brute_force_for_every_kind() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut sweeps, mut finite) = (0, 0);
    let rounds = effort::either(240, 800);
    for round in 0..rounds {
        for shape in SHAPES {
            let d = rng.random_range(1..=4);
            let case = case(&mut rng, shape, d);
            let name = format!("round {round}, {shape:?}, d = {d}");
            let question = case.question();
            let mut least = f64::INFINITY;
            for method in [Method::Branch, Method::Auto, Method::Sweep] {
                let Ok(mut oracle) = Oracle::new(&case.problem, method) else { continue };
                sweeps += usize::from(oracle.method() == Method::Sweep);
                for arm in (0..case.model.arm_count()).filter(|&arm| !case.front.contains(arm)) {
                    let slow = case.slow_add(arm);
                    least = least.min(slow);
                    let closest = oracle.closest_in(&question, Piece::Add { arm }).unwrap();
                    let fast = closest.map_or(f64::INFINITY, |closest| {
                        check(&case, closest, &name);
                        closest.cost
                    });
                    finite += usize::from(fast < f64::INFINITY);
                    assert!(close(fast, slow), "{name}, {method:?}: adding {arm} costs {slow}, not {fast}");
                }
            }
            let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
            for &arm in case.front.members() {
                for &through in case.front.members().iter().filter(|&&through| through != arm) {
                    let slow = case.slow_remove(arm, through);
                    least = least.min(slow);
                    let closest = oracle.closest_in(&question, Piece::Remove { arm, through }).unwrap();
                    let fast = closest.map_or(f64::INFINITY, |closest| {
                        check(&case, closest, &name);
                        closest.cost
                    });
                    assert!(close(fast, slow), "{name}: removing {arm} through {through} costs {slow}, not {fast}");
                }
            }
            for method in [Method::Branch, Method::Auto, Method::Sweep] {
                let Ok(mut oracle) = Oracle::new(&case.problem, method) else { continue };
                let cost = oracle.closest(&question).map_or(f64::INFINITY, |closest| closest.cost);
                assert!(close(cost, least), "{name}: {method:?} finds {cost}, not {least}");
            }
        }
    }
    assert!(sweeps > rounds * 5 / 8 && finite > rounds * 25 / 2, "{sweeps} {finite}");
}

/// The cost is concave in the weights: the gradient is a cut that holds everywhere.
#[test]
fn the_gradient_is_the_derivative_for_every_kind() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    for _ in 0..300 {
        let d = rng.random_range(1..=4);
        let case = case(&mut rng, Shape::Random, d);
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let Some(closest) = oracle.closest(&case.question()).cloned() else { continue };
        let gradient = closest.dense_gradient(case.model.arm_count());
        for _ in 0..20 {
            let other: Vec<f64> = case.weights.iter().map(|w| w * power(&mut rng, -1.0, 1.0)).collect();
            let cut: f64 = gradient.iter().zip(&other).map(|(g, w)| g * w).sum();
            let other = Weights::new(other.len(), other).unwrap();
            let question = Question::new(&case.problem, &case.model, &case.front, &other).unwrap();
            let cost = oracle.closest(&question).unwrap().cost;
            assert!(cost <= cut * (1.0 + 1e-9), "{cost} above the cut {cut}");
        }
    }
}

/// A large front of success rates: more than brute force can do, but the methods agree.
#[test]
fn larger_fronts_agree_too() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    for kind in [Noise::Bernoulli, Noise::Poisson, Noise::Exponential] {
        for _ in 0..20 {
            let rates: Vec<[f64; 2]> = (0..40)
                .map(|_| rng.random_range(0.05..1.5f64))
                .map(|angle| [0.1 + 0.8 * angle.sin(), 0.1 + 0.8 * angle.cos()])
                .chain([[0.08, 0.07]])
                .collect();
            let objective = |name: &str| Objective::new(name, Goal::Max, kind);
            let arms: Vec<Arm> = (0..rates.len()).map(|k| Arm::named(format!("a{k}"))).collect();
            let problem = Problem::new(vec![objective("x"), objective("y")], arms).unwrap();
            let model = Model::new(&problem, &rates).unwrap();
            let front = Front::of(&model);
            let weights: Vec<f64> = rates.iter().map(|_| power(&mut rng, -3.0, 0.0)).collect();
            let weights = Weights::new(rates.len(), weights).unwrap();
            let question = Question::new(&problem, &model, &front, &weights).unwrap();
            let piece = Piece::Add { arm: rates.len() - 1 };
            let [branch, sweep] = [Method::Branch, Method::Sweep].map(|method| {
                let mut oracle = Oracle::new(&problem, method).unwrap();
                oracle.closest_in(&question, piece).unwrap().unwrap().cost
            });
            assert!(close(branch, sweep), "{kind:?}: {branch} {sweep}");
        }
    }
}

#[test]
fn cells_are_for_gaussian_noise() {
    let objective = Objective::new("x", Goal::Max, Noise::Bernoulli);
    let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap();
    assert_eq!(problem.family(0), Family::Bernoulli);
    assert_eq!(Oracle::new(&problem, Method::Cells).unwrap_err(), MethodError::NotGaussian);
}
