//! The oracle with margins against all maps, and against whatever models a search finds in which the answer is not right any more.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::correlation::Correlation;
use crate::family::Family;
use crate::front::is_right;
use crate::margin::Margin;
use crate::model::Model;
use crate::problem::{Arm, Goal, Noise, Objective};
use crate::testing::effort;
use crate::weights::Weights;

struct Case {
    problem: Problem,
    model: Model,
    front: Front,
    weights: Weights,
}

/// How hard a case is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Random,
    /// Means on a grid, and margins of its steps: ties, also at the margins.
    Tied,
    /// Weights and variances over many decades.
    Scaled,
}

/// Which noise there is.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Gaussian,
    /// Of every kind, mixed.
    All,
}

fn case(rng: &mut Xoshiro256PlusPlus, kind: Kind, of: Of, most_arms: usize) -> Case {
    let (k, d) = (rng.random_range(1..=most_arms), rng.random_range(1..4));
    let law = |rng: &mut Xoshiro256PlusPlus| match (of, rng.random_range(0..5)) {
        (Of::Gaussian, _) | (_, 0) => Noise::Variance(1.0),
        (_, 1) => Noise::Poisson,
        (_, 2) => Noise::Exponential,
        _ => Noise::Bernoulli,
    };
    let laws: Vec<Noise> = (0..d).map(|_| law(rng)).collect();
    // Rates are from 0 to 1, and 5 is what means are below.
    let scale = |j: usize| if laws[j] == Noise::Bernoulli { 0.2 } else { 1.0 };
    let objective = |j: usize, rng: &mut Xoshiro256PlusPlus| {
        let goal = if rng.random() { Goal::Max } else { Goal::Min };
        let size =
            if kind == Kind::Tied { 0.5 * f64::from(rng.random_range(0..3)) } else { rng.random_range(0.0..1.0) };
        let margin = match rng.random_range(0..4) {
            0 => Margin::NONE,
            1 => Margin::Relative(0.2 * size),
            _ => Margin::Absolute(scale(j) * size),
        };
        Objective::new(format!("y{j}"), goal, laws[j]).with_margin(margin)
    };
    let noise = |rng: &mut Xoshiro256PlusPlus, j: usize| match rng.random_range(0..8) {
        0 => Noise::Exact,
        _ if laws[j] != Noise::Variance(1.0) => laws[j],
        _ if kind == Kind::Scaled => Noise::Variance(10f64.powf(rng.random_range(-4.0..4.0))),
        _ => Noise::Variance(rng.random_range(0.5..2.0)),
    };
    let objectives = (0..d).map(|j| objective(j, rng)).collect();
    let arms =
        (0..k).map(|arm| Arm::named(format!("a{arm}")).with_noise((0..d).map(|j| noise(rng, j)).collect::<Vec<_>>()));
    let problem = Problem::new(objectives, arms.collect()).unwrap();
    let mean = |rng: &mut Xoshiro256PlusPlus, j: usize| match kind {
        // At the edge of the domain, too.
        _ if laws[j] == Noise::Bernoulli && rng.random_range(0..8) == 0 => f64::from(rng.random_range(0..2)),
        _ if laws[j] == Noise::Poisson && rng.random_range(0..8) == 0 => 0.0,
        Kind::Tied => scale(j) * 0.5 * f64::from(rng.random_range(2..7)),
        _ => scale(j) * rng.random_range(1.0..4.0),
    };
    let means: Vec<Vec<f64>> = (0..k).map(|_| (0..d).map(|j| mean(rng, j)).collect()).collect();
    let weights = (0..k).map(|_| match kind {
        Kind::Scaled => 10f64.powf(rng.random_range(-5.0..5.0)),
        _ if of == Of::Gaussian && rng.random_range(0..10) == 0 => 0.0,
        _ => rng.random_range(0.05..1.0),
    });
    let weights = Weights::new(k, weights.chain([]).collect::<Vec<f64>>());
    let weights = weights.unwrap_or_else(|_| Weights::new(k, vec![1.0; k]).unwrap());
    let model = Model::new(&problem, &means).unwrap();
    let front = Front::of(&model);
    Case { problem, model, front, weights }
}

impl Case {
    fn question(&self) -> Question<'_> {
        Question::new(&self.problem, &self.model, &self.front, &self.weights).unwrap()
    }

    fn weight(&self, arm: usize, j: usize) -> f64 {
        let precision = self.problem.precision(arm)[j];
        if precision.is_finite() { precision * self.weights[arm] } else { f64::INFINITY }
    }

    /// The least and the greatest mean that there can be, larger being better.
    fn domain(&self, j: usize) -> (f64, f64) {
        let (low, high) = match self.problem.family(j) {
            Family::Gaussian => (f64::NEG_INFINITY, f64::INFINITY),
            Family::Bernoulli => (0.0, 1.0),
            _ => (0.0, f64::INFINITY),
        };
        if self.problem.objectives()[j].goal == Goal::Max { (low, high) } else { (-high, -low) }
    }

    /// What it costs to bring the mean of `arm` to `to`.
    fn price(&self, arm: usize, j: usize, to: f64) -> f64 {
        let (weight, from, sign) = (self.weight(arm, j), self.model.row(arm)[j], self.sign(j));
        let (low, high) = self.domain(j);
        if to == from || weight == 0.0 {
            0.0
        } else if weight == f64::INFINITY || to < low || to > high {
            f64::INFINITY
        } else {
            weight * self.problem.family(j).divergence(sign * from, sign * (to - from))
        }
    }

    fn sign(&self, j: usize) -> f64 {
        if self.problem.objectives()[j].goal == Goal::Max { 1.0 } else { -1.0 }
    }

    /// The margin as a map of oriented means, by its definition.
    fn beyond(&self, j: usize, mean: f64) -> f64 {
        match (self.problem.objectives()[j].margin, self.problem.objectives()[j].goal) {
            (Margin::Absolute(by), _) => mean + by,
            (Margin::Relative(part), Goal::Max) => mean * (1.0 + part),
            (Margin::Relative(part), Goal::Min) => mean * (1.0 - part),
        }
    }

    /// The mean beyond which `to` is by just the margin: the inverse, which is linear.
    fn before(&self, j: usize, to: f64) -> f64 {
        let (zero, one) = (self.beyond(j, 0.0), self.beyond(j, 1.0));
        (to - zero) / (one - zero)
    }

    /// What it costs to bring `arm` to `x` or below what it is named for, and others to where it is.
    fn slow_remove(&self, arm: usize, through: usize) -> f64 {
        let d = self.model.objective_count();
        let mut total = 0.0;
        let mut movable = false;
        for j in 0..d {
            let (own, other) = (self.weight(arm, j), self.weight(through, j));
            movable |= own.is_finite() || other.is_finite();
            let (a, b) = (self.model.row(arm)[j], self.model.row(through)[j]);
            // At its ends they are where they are, in spite of rounding.
            let price = |x: f64| {
                self.price(through, j, x)
                    + if x == self.beyond(j, a) { 0.0 } else { self.price(arm, j, self.before(j, x)) }
            };
            if b < self.beyond(j, a) {
                let (low, high) = self.domain(j);
                total += least(price, b.max(self.beyond(j, low)), self.beyond(j, a).min(high));
            }
        }
        if movable { total } else { f64::INFINITY }
    }

    fn slow_add(&self, arm: usize) -> f64 {
        let (d, members) = (self.model.objective_count(), self.front.members());
        let origin = self.model.row(arm);
        let mut cheapest = f64::INFINITY;
        for code in 0..d.pow(members.len() as u32) {
            let map: Vec<usize> = (0..members.len()).map(|i| code / d.pow(i as u32) % d).collect();
            let mut cost = 0.0;
            for j in 0..d {
                let own = self.weight(arm, j);
                let mapped: Vec<usize> =
                    members.iter().zip(&map).filter(|(_, to)| **to == j).map(|(&k, _)| k).collect();
                let top = |k: usize| self.beyond(j, self.model.row(k)[j]);
                let certain = |k: usize| own.is_infinite() && self.weight(k, j).is_infinite() && top(k) >= origin[j];
                if mapped.iter().any(|&k| certain(k)) {
                    cost = f64::INFINITY;
                    break;
                }
                let price = |x: f64| {
                    let step = |&k: &usize| {
                        if x >= top(k) { 0.0 } else { self.price(k, j, self.before(j, x)) }
                    };
                    self.price(arm, j, x) + mapped.iter().map(step).sum::<f64>()
                };
                if mapped.is_empty() {
                    continue;
                }
                let (low, high) = self.domain(j);
                let furthest = mapped.iter().map(|&k| top(k)).fold(origin[j], f64::max);
                cost += least(price, origin[j].max(self.beyond(j, low)), furthest.min(high));
            }
            cheapest = cheapest.min(cost);
        }
        cheapest
    }
}

/// The least value of a convex function, or one with a single minimum, between two ends, the ends included.
fn least(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    if low > high {
        return f64::INFINITY;
    }
    let ends = f(low).min(f(high));
    for _ in 0..300 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if f(a) < f(b) { high = b } else { low = a }
    }
    ends.min(f(0.5 * (low + high)))
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-8 * a.abs().max(b.abs()) + 1e-14
}

#[test]
fn every_piece_is_that_of_all_maps() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20);
    let (mut pieces, mut with_margins) = (0, 0);
    let (mut of_families, mut endless) = (0, 0);
    let rounds = effort::either(1200, 6000);
    for round in 0..rounds as usize {
        let kind = [Kind::Random, Kind::Tied, Kind::Scaled][round % 3];
        let of = if round % 2 == 0 { Of::Gaussian } else { Of::All };
        let case = case(&mut rng, kind, of, 6);
        with_margins += u32::from(case.problem.has_margins());
        of_families += u32::from(case.problem.has_margins() && case.problem.kinds().is_some());
        let question = case.question();
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let mut least = f64::INFINITY;
        for arm in 0..case.model.arm_count() {
            let others: Vec<Piece> = if case.front.contains(arm) {
                question.coverers(arm).map(|through| Piece::Remove { arm, through }).collect()
            } else {
                vec![Piece::Add { arm }]
            };
            for piece in others {
                let slow = match piece {
                    Piece::Remove { arm, through } => case.slow_remove(arm, through),
                    Piece::Add { arm } => case.slow_add(arm),
                    Piece::Infeasible { .. } => unreachable!("there are no limits"),
                };
                let found = oracle.closest_in(&question, piece).unwrap().map_or(f64::INFINITY, |closest| closest.cost);
                assert!(
                    close(found, slow),
                    "{piece:?}: {found} against {slow} in {:?} of {:?}",
                    case.model,
                    case.problem
                );
                endless += u32::from(found == f64::INFINITY);
                least = least.min(found);
                pieces += 1;
            }
        }
        let closest = oracle.closest(&question).map_or(f64::INFINITY, |closest| closest.cost);
        assert!(close(closest, least), "{closest} against {least}");
    }
    assert!(pieces > rounds * 10 / 3 && with_margins > rounds / 2, "{pieces} {with_margins}");
    assert!(of_families > rounds / 4 && endless > rounds / 60, "{of_families} {endless}");
}

/// Whatever model is found in which the front is not right any more is no closer than the oracle says.
#[test]
fn nothing_that_makes_the_answer_wrong_is_closer() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut wrong = 0;
    for round in 0..800 {
        let case = case(&mut rng, Kind::Random, if round % 2 == 0 { Of::Gaussian } else { Of::All }, 5);
        if !case.problem.has_margins() {
            continue;
        }
        let question = case.question();
        assert!(is_right(&case.model, case.front.members()));
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let closest = oracle.closest(&question).cloned();
        let cost = closest.as_ref().map_or(f64::INFINITY, |closest| closest.cost);
        let base = closest.as_ref().map_or_else(|| case.model.clone(), |closest| closest.alternative(&case.model));
        for attempt in 0..400 {
            let from = if attempt % 2 == 0 { &base } else { &case.model };
            let reach = 10f64.powf(rng.random_range(-6.0..0.5));
            let mut other = from.clone();
            let mut paid = 0.0;
            for arm in 0..case.model.arm_count() {
                other.change(arm, |row| {
                    for (j, mean) in row.iter_mut().enumerate() {
                        if case.weight(arm, j).is_finite() {
                            let (low, high) = case.domain(j);
                            *mean = (*mean + reach * rng.random_range(-1.0..1.0)).clamp(low, high);
                        }
                        paid += case.price(arm, j, *mean);
                    }
                });
            }
            if !is_right(&other, case.front.members()) {
                wrong += 1;
                assert!(paid >= cost * (1.0 - 1e-9), "{paid} against {cost}: {other:?} for {:?}", case.model);
            }
        }
    }
    assert!(wrong > 1000, "{wrong}");
}

/// With the correlation of independent readings said to be a correlation, nothing changes; and an alternative with correlated readings is one.
#[test]
fn correlated_readings_have_margins_as_well() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    let mut compared = 0;
    for round in 0..600 {
        let case = case(&mut rng, [Kind::Random, Kind::Tied][round % 2], Of::Gaussian, 5);
        let d = case.problem.objective_count();
        let matrix = |rho: f64| {
            (0..d).map(|i| (0..d).map(|j| if i == j { 1.0 } else { rho }).collect()).collect::<Vec<Vec<f64>>>()
        };
        // So small that it changes nothing that can be seen, and so the coupled way is gone.
        let Ok(nearly) = case.problem.clone().with_correlation(Correlation::Given(matrix(1e-13))) else { continue };
        if nearly.coupling().is_none() {
            continue;
        }
        let coupled = Case {
            problem: nearly,
            model: case.model.clone(),
            front: case.front.clone(),
            weights: case.weights.clone(),
        };
        let cost = |case: &Case| {
            let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
            oracle.closest(&case.question()).map_or(f64::INFINITY, |closest| closest.cost)
        };
        let (one, two) = (cost(&case), cost(&coupled));
        assert!(one == two || (one - two).abs() <= 1e-6 * one.abs() + 1e-9, "{one} {two}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
