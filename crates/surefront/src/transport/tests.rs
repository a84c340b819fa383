//! The solvers against each other and against an oracle that is slow and obviously correct, on random, tied, collinear,
//! badly scaled and near-degenerate models.

use std::collections::HashMap;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::bowl::half_square;
use crate::law::Gaussian;
use crate::model::Model;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::testing::effort;
use crate::weights::Weights;

/// A problem with a model and weights, ready to be asked about.
pub(super) struct Case {
    pub problem: Problem,
    pub model: Model,
    pub front: Front,
    pub weights: Weights,
}

impl Case {
    fn new(noise: Vec<Vec<Noise>>, means: &[Vec<f64>], weights: Vec<f64>) -> Self {
        let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Exact);
        let arm = |(k, noise): (usize, Vec<Noise>)| Arm::named(format!("a{k}")).with_noise(noise);
        let problem = Problem::new(
            (0..means[0].len()).map(objective).collect(),
            noise.into_iter().enumerate().map(arm).collect(),
        )
        .unwrap();
        let model = Model::new(&problem, means).unwrap();
        let front = Front::of(&model);
        let weights = Weights::new(means.len(), weights).unwrap();
        Case { problem, model, front, weights }
    }

    pub fn question(&self) -> Question<'_> {
        Question::new(&self.problem, &self.model, &self.front, &self.weights).unwrap()
    }

    fn pieces(&self, method: Method) -> HashMap<Piece, f64> {
        let mut oracle = Oracle::new(&self.problem, method).unwrap();
        let mut costs = HashMap::new();
        oracle.each_below(&self.question(), f64::INFINITY, |closest| {
            check(self, closest);
            costs.insert(closest.piece, closest.cost);
        });
        costs
    }
}

/// What the mathematics promises of every alternative, seen from outside: its cost adds up from the means, nothing moves
/// that has no noise, and w·gradient is the cost.
fn check(case: &Case, closest: &Closest) {
    let k = case.model.arm_count();
    let alternative = closest.alternative(&case.model);
    let (mut cost, mut rounding) = (0.0, 0.0);
    for arm in 0..k {
        let rows = case.model.row(arm).iter().zip(alternative.row(arm));
        for ((from, to), precision) in rows.zip(case.problem.precision(arm)) {
            if from != to {
                assert!(precision.is_finite(), "arm {arm} moved where it has no noise");
                let scale = (0.5 * case.weights[arm] * precision).sqrt();
                cost += (scale * (from - to)).powi(2);
                rounding += scale * 2.0 * f64::EPSILON * from.abs().max(to.abs());
            }
        }
    }
    let gradient: f64 = closest.dense_gradient(k).iter().zip(case.weights.iter()).map(|(g, w)| g * w).sum();
    assert!(close(gradient, closest.cost, 1e-12), "w·gradient {gradient} against cost {}", closest.cost);
    let error = (cost.sqrt() - closest.cost.sqrt()).abs();
    assert!(error <= 1e-12 * cost.sqrt() + rounding, "the alternative costs {cost}, not {}", closest.cost);
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// min over x of ½ own (x − origin)² + Σ ½ u (a − x)₊², by trying the weighted mean of every upper set.
fn slow_valley(own: f64, origin: f64, mut arms: Vec<(f64, f64)>) -> f64 {
    arms.sort_by(|a, b| b.1.total_cmp(&a.1));
    let value = |x: f64| {
        half_square(own, x - origin) + arms.iter().map(|&(u, a)| half_square(u, (a - x).max(0.0))).sum::<f64>()
    };
    let mut candidates = vec![origin];
    candidates.extend(arms.iter().map(|arm| arm.1));
    let (mut weight, mut moment) = (own, 0.0);
    for &(u, a) in &arms {
        weight += u;
        moment += u * (a - origin);
        if weight > 0.0 && weight.is_finite() {
            candidates.push(origin + moment / weight);
        }
    }
    candidates.into_iter().map(value).fold(f64::INFINITY, f64::min)
}

/// The least cost of adding `arm`, over all dᵖ maps of the whole front.
fn slow_add(case: &Case, arm: usize) -> f64 {
    let d = case.model.objective_count();
    let members = case.front.members();
    let origin = case.model.row(arm);
    let weight = |k: usize, j: usize| {
        let precision = case.problem.precision(k)[j];
        if precision.is_finite() { precision * case.weights[k] } else { f64::INFINITY }
    };
    let mut least = f64::INFINITY;
    for code in 0..d.pow(members.len() as u32) {
        let map: Vec<usize> = (0..members.len()).map(|i| code / d.pow(i as u32) % d).collect();
        let mut cost = 0.0;
        for j in 0..d {
            let mapped = || members.iter().zip(&map).filter(|(_, to)| **to == j).map(|(&k, _)| k);
            let own = weight(arm, j);
            if own == f64::INFINITY
                && mapped().any(|k| weight(k, j) == f64::INFINITY && case.model.row(k)[j] >= origin[j])
            {
                cost = f64::INFINITY;
                break;
            }
            // Relative to the origin, so that the slow version does not lose digits to large means.
            cost += slow_valley(own, 0.0, mapped().map(|k| (weight(k, j), case.model.row(k)[j] - origin[j])).collect());
        }
        least = least.min(cost);
    }
    least
}

/// The least cost of removing `arm` through `through`, objective by objective.
fn slow_remove(case: &Case, arm: usize, through: usize) -> f64 {
    let d = case.model.objective_count();
    let certain = |k: usize, j: usize| case.problem.precision(k)[j].is_infinite();
    if (0..d).all(|j| certain(arm, j) && certain(through, j)) {
        return f64::INFINITY;
    }
    (0..d)
        .map(|j| {
            let gap = (case.model.row(arm)[j] - case.model.row(through)[j]).max(0.0);
            let (a, b) = (
                case.weights[arm] * case.problem.precision(arm)[j],
                case.weights[through] * case.problem.precision(through)[j],
            );
            match (certain(arm, j), certain(through, j)) {
                _ if gap == 0.0 => 0.0,
                (true, true) => f64::INFINITY,
                (true, false) => 0.5 * b * gap * gap,
                (false, true) => 0.5 * a * gap * gap,
                (false, false) if a + b == 0.0 => 0.0,
                (false, false) => 0.5 * a * b / (a + b) * gap * gap,
            }
        })
        .sum()
}

fn least_removal(case: &Case) -> f64 {
    let members = case.front.members();
    let pairs = members.iter().flat_map(|&a| members.iter().filter(move |&&b| a != b).map(move |&b| (a, b)));
    pairs.map(|(a, b)| slow_remove(case, a, b)).fold(f64::INFINITY, f64::min)
}

/// How the means of a random case lie.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Random,
    /// Small integers: ties, duplicates.
    Tied,
    /// All of the front on one line or plane.
    Collinear,
    /// Objectives and arms of very different size.
    BadlyScaled,
    /// Copies of a few points, a hair apart.
    NearDegenerate,
    /// A front on the sphere, the rest near the origin: everyone is in the way.
    Sphere,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Shared,
    ByArm,
    SomeExact,
}

fn power(rng: &mut Xoshiro256PlusPlus, from: f64, to: f64) -> f64 {
    10f64.powf(rng.random_range(from..to))
}

fn case(rng: &mut Xoshiro256PlusPlus, shape: Shape, law: Law, d: usize) -> Case {
    // At most a few thousand maps.
    let most = [0, 12, 10, 7, 6, 5][d];
    let p = rng.random_range(1..=most);
    let extra = rng.random_range(1..=3);
    let mut means: Vec<Vec<f64>> = (0..p + extra)
        .map(|k| {
            let low = k >= p;
            (0..d)
                .map(|_| match shape {
                    Shape::Tied => f64::from(rng.random_range(if low { -2..=0 } else { 0..=3 })),
                    _ if low => rng.random_range(-1.0..0.2),
                    _ => rng.random_range(0.0..1.0),
                })
                .collect()
        })
        .collect();
    match shape {
        Shape::Random | Shape::Tied => {}
        Shape::Collinear => {
            for row in &mut means[..p] {
                let t = rng.random_range(0.0..1.0);
                let last = d - 1;
                row.iter_mut().for_each(|x| *x = t);
                row[last] = 1.0 - t;
            }
        }
        Shape::BadlyScaled => {
            let scales: Vec<f64> = (0..d).map(|_| power(rng, -6.0, 6.0)).collect();
            for row in &mut means {
                let size = power(rng, -2.0, 2.0);
                row.iter_mut().zip(&scales).for_each(|(x, s)| *x *= s * size);
            }
        }
        Shape::NearDegenerate => {
            for k in 1..p {
                let other = means[rng.random_range(0..k)].clone();
                means[k] = other.iter().map(|x| x + 1e-9 * rng.random_range(-1.0..1.0)).collect();
            }
        }
        Shape::Sphere => {
            for row in &mut means[..p] {
                let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                row.iter_mut().for_each(|x| *x /= norm);
            }
            means[p..].iter_mut().flatten().for_each(|x| *x = -0.1 * x.abs());
        }
    }
    let shared: Vec<f64> = (0..d).map(|_| power(rng, -3.0, 3.0)).collect();
    let noise = means
        .iter()
        .map(|_| {
            let one = |j: usize| match law {
                Law::Shared => Noise::Variance(shared[j]),
                Law::SomeExact if shared[j] < 0.1 => Noise::Exact,
                Law::SomeExact if rng.random_bool(0.1) => Noise::Exact,
                _ => Noise::Variance(power(rng, -3.0, 3.0)),
            };
            (0..d).map(one).collect()
        })
        .collect();
    let spread = if rng.random_bool(0.5) { 9.0 } else { 1.0 };
    let mut weights: Vec<f64> = means.iter().map(|_| power(rng, -spread, 0.0)).collect();
    if rng.random_bool(0.05) {
        let free = rng.random_range(1..weights.len());
        weights[free] = 0.0;
    }
    Case::new(noise, &means, weights)
}

const SHAPES: [Shape; 6] =
    [Shape::Random, Shape::Tied, Shape::Collinear, Shape::BadlyScaled, Shape::NearDegenerate, Shape::Sphere];

#[test]
fn all_solvers_agree_with_brute_force() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..effort::either(120, 400) {
        for shape in SHAPES {
            for law in [Law::Shared, Law::ByArm, Law::SomeExact] {
                let d = rng.random_range(1..=5);
                let case = case(&mut rng, shape, law, d);
                let name = format!("round {round}, {shape:?}, {law:?}, d = {d}");
                agree(&case, &name);
            }
        }
    }
}

fn agree(case: &Case, name: &str) {
    let d = case.model.objective_count();
    let mut least = least_removal(case);
    let branch = case.pieces(Method::Branch);
    let auto = case.pieces(Method::Auto);
    let sweep = (d == 2 && case.problem.is_homoscedastic()).then(|| case.pieces(Method::Sweep));
    let mut least_add = f64::INFINITY;
    for arm in (0..case.model.arm_count()).filter(|&arm| !case.front.contains(arm)) {
        let slow = slow_add(case, arm);
        least_add = least_add.min(slow);
        for fast in [Some(&branch), Some(&auto), sweep.as_ref()].into_iter().flatten() {
            let fast = fast.get(&Piece::Add { arm }).copied().unwrap_or(f64::INFINITY);
            assert!(close(fast, slow, 1e-9), "{name}: adding {arm} costs {slow}, not {fast}");
        }
    }
    for (piece, &fast) in &branch {
        if let Piece::Remove { arm, through } = *piece {
            let slow = slow_remove(case, arm, through);
            assert!(close(fast, slow, 1e-9), "{name}: removing {arm} through {through} costs {slow}, not {fast}");
        }
    }
    least = least.min(least_add);
    let methods = [Method::Auto, Method::Branch, Method::Cells, Method::Sweep];
    for method in methods {
        let Ok(mut oracle) = Oracle::new(&case.problem, method) else { continue };
        let closest = oracle.closest(&case.question());
        let cost = closest.map_or(f64::INFINITY, |closest| {
            check(case, closest);
            closest.cost
        });
        assert!(close(cost, least, 1e-9), "{name}: {method:?} finds {cost}, not {least}");
    }
}

#[test]
fn hurdles_bound_the_cost_and_with_enough_of_them_are_the_cost() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for round in 0..100 {
        for shape in SHAPES {
            for law in [Law::Shared, Law::ByArm, Law::SomeExact] {
                let d = rng.random_range(1..=5);
                let case = case(&mut rng, shape, law, d);
                let (question, front) = (case.question(), &case.front);
                let name = format!("round {round}, {shape:?}, {law:?}, d = {d}");
                let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
                for arm in (0..case.model.arm_count()).filter(|&arm| !front.contains(arm)) {
                    let piece = Piece::Add { arm };
                    let whole = oracle.closest_in(&question, piece).unwrap().map_or(f64::INFINITY, |c| c.cost);
                    let (mut hurdles, mut cost) = (Vec::new(), 0.0);
                    while cost < f64::INFINITY {
                        cost = oracle.past(Gaussian, &question, arm, &hurdles);
                        assert!(cost <= whole * (1.0 + 1e-9), "{name}: {hurdles:?} cost {cost}, all of them {whole}");
                        let (members, x) = (front.members(), &oracle.x);
                        match add::furthest_ahead(Gaussian, question.roster(), members, arm, x, &hurdles) {
                            Some(next) => hurdles.push(next),
                            None => break,
                        }
                    }
                    assert!(close(cost, whole, 1e-9), "{name}: past {hurdles:?} is past all, at {cost}, not {whole}");
                }
            }
        }
    }
}

#[test]
fn larger_fronts_agree_too() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for round in 0..60 {
        for (d, p) in [(2, 60), (3, 24), (4, 12)] {
            let mut means: Vec<Vec<f64>> = Vec::new();
            for _ in 0..p {
                let row: Vec<f64> = (0..d).map(|_| rng.random_range(0.01..1.0)).collect();
                let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                means.push(row.iter().map(|x| x / norm).collect());
            }
            means.push(vec![0.0; d]);
            let spread = if round % 2 == 0 { 1.0 } else { 6.0 };
            let weights = means.iter().map(|_| power(&mut rng, -spread, 0.0)).collect();
            let noise = means.iter().map(|_| vec![Noise::Variance(1.0); d]).collect();
            let case = Case::new(noise, &means, weights);
            let mut cells = Cells::default();
            let (cells, _) = cells
                .solve(&case.question(), case.front.members(), &[p], f64::INFINITY)
                .expect("one arm is off the front");
            for method in [Method::Branch, Method::Sweep] {
                if method == Method::Sweep && d != 2 {
                    continue;
                }
                let fast = case.pieces(method)[&Piece::Add { arm: p }];
                assert!(close(fast, cells, 1e-9), "round {round}, d = {d}, {method:?}: {fast}, not {cells}");
            }
        }
    }
}

#[test]
fn generic_points_have_binomially_many_cells() {
    let binomial = |n: u64, k: u64| (1..=k).fold(1, |value, i| value * (n - k + i) / i);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for d in 1..=8usize {
        for p in 1..=8usize {
            let mut means = vec![vec![0.0; d]];
            for _ in 0..p {
                let row: Vec<f64> = (0..d).map(|_| rng.random_range(0.01..1.0)).collect();
                let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                means.push(row.iter().map(|x| x / norm).collect());
            }
            let case = Case::new(vec![vec![Noise::Variance(1.0); d]; p + 1], &means, vec![1.0; p + 1]);
            let members: Vec<usize> = (1..=p).collect();
            let mut cells = Cells::default();
            cells.solve(&case.question(), &members, &[0], f64::INFINITY);
            assert_eq!(cells.count(), binomial((p + d - 1) as u64, (d - 1) as u64), "p = {p}, d = {d}");
        }
    }
}

#[test]
fn the_gradient_is_the_derivative() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..300 {
        let d = rng.random_range(1..=4);
        let case = case(&mut rng, Shape::Sphere, Law::ByArm, d);
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let closest = oracle.closest(&case.question()).unwrap().clone();
        let gradient = closest.dense_gradient(case.model.arm_count());
        // The cost is concave: the gradient is a cut that holds everywhere.
        for _ in 0..20 {
            let other: Vec<f64> = case.weights.iter().map(|w| w * power(&mut rng, -1.0, 1.0)).collect();
            let cut: f64 = gradient.iter().zip(&other).map(|(g, w)| g * w).sum();
            let other = Weights::new(other.len(), other).unwrap();
            let cost =
                oracle.closest(&Question::new(&case.problem, &case.model, &case.front, &other).unwrap()).unwrap().cost;
            assert!(cost <= cut * (1.0 + 1e-9), "{cost} above the cut {cut}");
        }
    }
}

#[test]
fn where_nothing_can_change_there_is_no_alternative() {
    let alone = Case::new(vec![vec![Noise::Variance(1.0)]], &[vec![1.0]], vec![1.0]);
    let certain =
        Case::new(vec![vec![Noise::Exact; 2]; 3], &[vec![1.0, 2.0], vec![2.0, 1.0], vec![0.0, 1.0]], vec![1.0; 3]);
    for case in [alone, certain] {
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        assert!(oracle.closest(&case.question()).is_none());
    }
}

#[test]
fn a_tie_without_noise_is_no_way_out() {
    // Same size, known exactly; the times differ and are noisy.
    let noise = vec![vec![Noise::Exact, Noise::Variance(1.0)]; 2];
    let case = Case::new(noise, &[vec![5.0, 1.0], vec![5.0, 3.0]], vec![1.0, 1.0]);
    let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
    let closest = oracle.closest(&case.question()).unwrap();
    assert_eq!((closest.cost, closest.piece), (1.0, Piece::Add { arm: 0 }));
}

#[test]
fn methods_that_do_not_fit_are_refused() {
    let three = Case::new(vec![vec![Noise::Variance(1.0); 3]], &[vec![1.0; 3]], vec![1.0]);
    assert_eq!(Oracle::new(&three.problem, Method::Sweep).unwrap_err(), MethodError::NotTwoObjectives { found: 3 });
    assert_eq!(Oracle::new(&three.problem, Method::Auto).unwrap().method(), Method::Branch);
    let exact = Case::new(vec![vec![Noise::Variance(1.0), Noise::Exact]], &[vec![1.0; 2]], vec![1.0]);
    for method in [Method::Sweep, Method::Cells] {
        assert_eq!(Oracle::new(&exact.problem, method).unwrap_err(), MethodError::NotHomoscedastic);
    }
    assert_eq!(Oracle::new(&exact.problem, Method::Auto).unwrap().method(), Method::Branch);
}

#[test]
fn a_piece_of_another_front_is_refused() {
    let case = Case::new(
        vec![vec![Noise::Variance(1.0); 2]; 3],
        &[vec![0.0, 1.0], vec![1.0, 0.0], vec![0.0, 0.0]],
        vec![1.0; 3],
    );
    let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
    let no_pieces = [
        Piece::Add { arm: 0 },
        Piece::Add { arm: 3 },
        Piece::Add { arm: usize::MAX },
        Piece::Remove { arm: 0, through: 0 },
        Piece::Remove { arm: 2, through: 0 },
        Piece::Remove { arm: 0, through: 2 },
        Piece::Remove { arm: 0, through: 3 },
    ];
    for piece in no_pieces {
        assert_eq!(oracle.closest_in(&case.question(), piece).unwrap_err(), PieceError { piece });
    }
    for piece in [Piece::Add { arm: 2 }, Piece::Remove { arm: 1, through: 0 }] {
        assert!(oracle.closest_in(&case.question(), piece).unwrap().is_some());
    }
}

/// Whatever problem an oracle was made for, it answers about all others as one made for them.
#[test]
fn an_oracle_answers_about_other_problems_too() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let two = case(&mut rng, Shape::Random, Law::Shared, 2);
    for method in [Method::Auto, Method::Sweep, Method::Cells, Method::Branch] {
        let mut oracle = Oracle::new(&two.problem, method).unwrap();
        for _ in 0..40 {
            for law in [Law::Shared, Law::ByArm, Law::SomeExact] {
                let d = rng.random_range(1..=4);
                let other = case(&mut rng, Shape::Random, law, d);
                let cost = |oracle: &mut Oracle| oracle.closest(&other.question()).map(|closest| closest.cost);
                let (here, there) = (cost(&mut oracle), cost(&mut Oracle::new(&other.problem, Method::Auto).unwrap()));
                assert!(
                    close(here.unwrap_or(f64::INFINITY), there.unwrap_or(f64::INFINITY), 1e-9),
                    "{here:?} {there:?}"
                );
            }
        }
    }
}

/// The counts of a tally before the first observation.
#[test]
fn without_any_weight_every_change_is_free() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for d in [1, 2, 3] {
        let case = case(&mut rng, Shape::Random, Law::Shared, d);
        let weights = Weights::zero(case.model.arm_count());
        let question = Question::new(&case.problem, &case.model, &case.front, &weights).unwrap();
        let methods = if d == 2 { vec![Method::Sweep] } else { vec![] };
        for method in [Method::Auto, Method::Branch, Method::Cells].into_iter().chain(methods) {
            let mut oracle = Oracle::new(&case.problem, method).unwrap();
            assert_eq!(oracle.closest(&question).unwrap().cost, 0.0, "{method:?}, d = {d}");
        }
    }
}
