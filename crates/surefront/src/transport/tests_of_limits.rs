//! The oracle with limits against all maps, and against whatever models a search finds in which the answer is not right any more.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::family::Family;
use crate::front::is_right;
use crate::limit::{POST, behind_post};
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
    /// Means, limits and margins on a grid: ties, also at the limits.
    Tied,
    /// Weights and variances over many decades.
    Scaled,
    /// Success rates, counts and times.
    Families,
}

fn case(rng: &mut Xoshiro256PlusPlus, kind: Kind, margins: bool, most_arms: usize) -> Case {
    let (k, d, limited) = (rng.random_range(1..=most_arms), rng.random_range(1..4), rng.random_range(0..3));
    let grid = |rng: &mut Xoshiro256PlusPlus| match kind {
        Kind::Tied => 0.5 * f64::from(rng.random_range(2..7)),
        Kind::Families => rng.random_range(0.05..0.95),
        _ => rng.random_range(1.0..4.0),
    };
    let family = |rng: &mut Xoshiro256PlusPlus| match rng.random_range(0..4) {
        _ if kind != Kind::Families => Noise::Variance(1.0),
        0 => Noise::Bernoulli,
        1 => Noise::Poisson,
        2 => Noise::Exponential,
        _ => Noise::Variance(1.0),
    };
    let mut objectives: Vec<Objective> = (0..d)
        .map(|j| {
            let goal = if rng.random() { Goal::Max } else { Goal::Min };
            let objective = Objective::new(format!("y{j}"), goal, family(rng));
            let objective = match (rng.random_range(0..3), goal) {
                (0, Goal::Max) => objective.with_at_least(grid(rng)),
                (0, Goal::Min) => objective.with_at_most(grid(rng)),
                _ => objective,
            };
            match rng.random_range(0..3) {
                _ if !margins => objective,
                0 => objective,
                1 => objective.with_margin(Margin::Absolute(0.25 * f64::from(rng.random_range(0..4)))),
                _ => objective.with_margin(Margin::Relative(0.1)),
            }
        })
        .collect();
    objectives.extend((0..limited).map(|c| {
        let objective = Objective::limited(format!("c{c}"), family(rng));
        let (low, high) = (grid(rng), grid(rng));
        match rng.random_range(0..3) {
            0 => objective.with_at_least(low),
            1 => objective.with_at_most(high),
            _ => objective.with_at_least(low.min(high)).with_at_most(low.max(high) + 0.01),
        }
    }));
    let columns = objectives.len();
    let noise = |rng: &mut Xoshiro256PlusPlus, j: usize, objectives: &[Objective]| match rng.random_range(0..8) {
        0 => Noise::Exact,
        _ if kind == Kind::Families => objectives[j].noise,
        _ if kind == Kind::Scaled => Noise::Variance(10f64.powf(rng.random_range(-4.0..4.0))),
        _ => Noise::Variance(rng.random_range(0.5..2.0)),
    };
    let arms = (0..k).map(|arm| {
        let own: Vec<Noise> = (0..columns).map(|j| noise(rng, j, &objectives)).collect();
        Arm::named(format!("a{arm}")).with_noise(own)
    });
    let arms = arms.collect();
    let problem = Problem::new(objectives, arms).unwrap();
    let means: Vec<Vec<f64>> = (0..k).map(|_| (0..columns).map(|_| grid(rng)).collect()).collect();
    let weights = (0..k).map(|_| match kind {
        Kind::Scaled => 10f64.powf(rng.random_range(-5.0..5.0)),
        _ if rng.random_range(0..10) == 0 => 0.0,
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

    fn columns(&self) -> usize {
        self.problem.objective_count()
    }

    fn is_optimised(&self, j: usize) -> bool {
        !self.problem.objectives()[j].is_only_limited()
    }

    fn sign(&self, j: usize) -> f64 {
        if self.problem.objectives()[j].goal == Goal::Max { 1.0 } else { -1.0 }
    }

    /// A mean in the units of the objective.
    fn mean(&self, arm: usize, j: usize) -> f64 {
        self.model.in_units(&self.problem, arm)[j]
    }

    /// What it costs to have the mean at `to`, in the units of the objective.
    fn price(&self, arm: usize, j: usize, to: f64) -> f64 {
        let (from, w) = (self.mean(arm, j), self.weights[arm]);
        if from == to {
            return 0.0;
        }
        match self.problem.noise(arm, j) {
            Noise::Exact => f64::INFINITY,
            _ if w == 0.0 => 0.0,
            Noise::Variance(v) => w * (from - to).powi(2) / (2.0 * v),
            Noise::Bernoulli => w * kl(Family::Bernoulli, from, to),
            Noise::Poisson => w * kl(Family::Poisson, from, to),
            Noise::Exponential => w * kl(Family::Exponential, from, to),
            _ => unreachable!(),
        }
    }

    fn is_exact(&self, arm: usize, j: usize) -> bool {
        self.problem.noise(arm, j) == Noise::Exact
    }

    /// The mean beyond which another is by just the margin, in units, and the other way round.
    fn beyond(&self, j: usize, mean: f64) -> f64 {
        match self.problem.objectives()[j].margin {
            Margin::Absolute(by) => mean + self.sign(j) * by,
            Margin::Relative(part) => mean * (1.0 + self.sign(j) * part),
        }
    }

    fn before(&self, j: usize, to: f64) -> f64 {
        match self.problem.objectives()[j].margin {
            Margin::Absolute(by) => to - self.sign(j) * by,
            Margin::Relative(part) => to / (1.0 + self.sign(j) * part),
        }
    }

    /// The cheapest way for an arm to break a limit.
    fn slow_exit(&self, arm: usize) -> f64 {
        let limits =
            (0..self.columns()).flat_map(|j| self.problem.objectives()[j].limits.ends().map(move |e| (j, e.1)));
        let cost = |(j, at): (usize, f64)| if self.is_exact(arm, j) { f64::INFINITY } else { self.price(arm, j, at) };
        limits.map(cost).fold(f64::INFINITY, f64::min)
    }

    /// What it costs to keep the limits of what is not optimised.
    fn slow_entry(&self, arm: usize) -> f64 {
        let idle = (0..self.columns()).filter(|&j| !self.is_optimised(j));
        idle.filter_map(|j| {
            let broken = self.problem.objectives()[j].limits.broken_by(self.mean(arm, j))?;
            Some(self.price(arm, j, broken.1))
        })
        .sum()
    }

    /// The worst that an arm may be in an objective, in units turned so that more is better; minus infinity without a limit.
    fn floor(&self, j: usize) -> f64 {
        self.problem.objectives()[j].limits.ends().map(|end| self.sign(j) * end.1).fold(f64::NEG_INFINITY, f64::max)
    }

    /// By search over where `through` goes.
    fn slow_remove(&self, arm: usize, through: usize) -> f64 {
        let mut total = self.slow_entry(through);
        let mut movable = !self.model.is_feasible(through);
        for j in (0..self.columns()).filter(|&j| self.is_optimised(j)) {
            movable |= !self.is_exact(arm, j) || !self.is_exact(through, j);
            let s = self.sign(j);
            let (a, b) = (s * self.mean(arm, j), s * self.mean(through, j));
            let top = s * self.beyond(j, s * a);
            let from = b.max(self.floor(j));
            let price = |x: f64| {
                let down = if x >= top { 0.0 } else { self.price(arm, j, self.before(j, s * x)) };
                self.price(through, j, s * x) + down
            };
            total += least(price, from, from.max(top));
        }
        if movable { total } else { f64::INFINITY }
    }

    fn slow_add(&self, arm: usize) -> f64 {
        let objectives: Vec<usize> = (0..self.columns()).filter(|&j| self.is_optimised(j)).collect();
        // Equal arms are on the front together.
        let equal = |&k: &usize| {
            let same = |j: usize| self.is_exact(k, j) && self.is_exact(arm, j) && self.mean(k, j) == self.mean(arm, j);
            !self.problem.has_margins() && objectives.iter().all(|&j| same(j))
        };
        let members: Vec<usize> = self.front.members().iter().copied().filter(|k| !equal(k)).collect();
        let ways = objectives.len() + 1;
        let mut cheapest = f64::INFINITY;
        for code in 0..ways.pow(members.len() as u32) {
            let map: Vec<usize> = (0..members.len()).map(|i| code / ways.pow(i as u32) % ways).collect();
            let mut cost = self.slow_entry(arm);
            for (&k, _) in members.iter().zip(&map).filter(|(_, way)| **way == ways - 1) {
                cost += self.slow_exit(k);
            }
            for (way, &j) in objectives.iter().enumerate() {
                let s = self.sign(j);
                let mapped: Vec<usize> =
                    members.iter().zip(&map).filter(|(_, to)| **to == way).map(|(&k, _)| k).collect();
                let top = |k: usize| s * self.beyond(j, self.mean(k, j));
                let own = s * self.mean(arm, j);
                let certain = |k: usize| self.is_exact(arm, j) && self.is_exact(k, j) && top(k) >= own;
                if mapped.iter().any(|&k| certain(k)) {
                    cost = f64::INFINITY;
                    break;
                }
                let price = |x: f64| {
                    let step = |&k: &usize| if x >= top(k) { 0.0 } else { self.price(k, j, self.before(j, s * x)) };
                    self.price(arm, j, s * x) + mapped.iter().map(step).sum::<f64>()
                };
                let from = own.max(self.floor(j));
                let furthest = mapped.iter().map(|&k| top(k)).fold(from, f64::max);
                cost += least(price, from, furthest);
            }
            cheapest = cheapest.min(cost);
        }
        cheapest
    }
}

/// Without cancellation where the two are close.
fn kl(family: Family, m: f64, x: f64) -> f64 {
    family.divergence(m, x - m)
}

/// The least value of a convex function between two ends, the ends included.
fn least(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ends = f(low).min(f(high));
    for _ in 0..120 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if f(a) < f(b) { high = b } else { low = a }
    }
    ends.min(f(0.5 * (low + high)))
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-8 * a.abs().max(b.abs()) + 1e-13
}

#[test]
fn every_piece_is_that_of_all_maps() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(30);
    let (mut pieces, mut limited, mut infeasible, mut with_margins) = (0, 0, 0, 0);
    let rounds = effort::either(1000, 4000);
    for round in 0..rounds as usize {
        let kind = [Kind::Random, Kind::Tied, Kind::Scaled, Kind::Families][round % 4];
        let margins = kind != Kind::Families && (round / 4) % 2 == 0;
        let case = case(&mut rng, kind, margins, 5);
        limited += u32::from(case.problem.has_limits());
        with_margins += u32::from(case.problem.has_limits() && case.problem.has_margins());
        let question = case.question();
        for method in [Method::Auto, Method::Branch] {
            let mut oracle = Oracle::new(&case.problem, method).unwrap();
            let mut least = f64::INFINITY;
            for arm in 0..case.model.arm_count() {
                infeasible += u32::from(!case.model.is_feasible(arm));
                let others: Vec<Piece> = if case.front.contains(arm) {
                    let removals = question.coverers(arm).map(|through| Piece::Remove { arm, through });
                    removals.chain(case.problem.has_limits().then_some(Piece::Infeasible { arm })).collect()
                } else {
                    vec![Piece::Add { arm }]
                };
                for piece in others {
                    let slow = match piece {
                        Piece::Remove { arm, through } => case.slow_remove(arm, through),
                        Piece::Add { arm } => case.slow_add(arm),
                        Piece::Infeasible { arm } => case.slow_exit(arm),
                    };
                    let found =
                        oracle.closest_in(&question, piece).unwrap().map_or(f64::INFINITY, |closest| closest.cost);
                    assert!(
                        close(found, slow),
                        "{round} {method:?} {piece:?}: {found} against {slow} in {:?}\n{:?}\n{:?}",
                        case.model,
                        case.problem,
                        case.weights
                    );
                    least = least.min(found);
                    pieces += 1;
                }
            }
            let closest = oracle.closest(&question).map_or(f64::INFINITY, |closest| closest.cost);
            assert!(close(closest, least), "{round}: {closest} against {least}");
        }
    }
    assert!(
        pieces > rounds * 15 / 4
            && limited > rounds * 5 / 8
            && infeasible > rounds * 3 / 4
            && with_margins > rounds * 3 / 20,
        "{pieces} {limited} {infeasible} {with_margins}"
    );
}

/// Whatever model is found in which the answer is not right any more is no closer than the oracle says; and the oracle's own alternative, a little further on, is one.
#[test]
fn nothing_that_makes_the_answer_wrong_is_closer() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    let mut wrong = 0;
    for round in 0..800 {
        let case = case(&mut rng, Kind::Random, round % 2 == 0, 5);
        if !case.problem.has_limits() {
            continue;
        }
        let question = case.question();
        assert!(is_right(&case.model, case.front.members()));
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let closest = oracle.closest(&question).cloned();
        let cost = closest.as_ref().map_or(f64::INFINITY, |closest| closest.cost);
        let base = closest.as_ref().map_or_else(|| case.model.clone(), |closest| closest.alternative(&case.model));
        for attempt in 0..300 {
            let from = if attempt % 2 == 0 { &base } else { &case.model };
            let reach = 10f64.powf(rng.random_range(-6.0..0.5));
            let mut means = Vec::new();
            let mut paid = 0.0;
            for arm in 0..case.model.arm_count() {
                let mut row = from.in_units(&case.problem, arm);
                for (j, mean) in row.iter_mut().enumerate() {
                    if !case.is_exact(arm, j) {
                        *mean += reach * rng.random_range(-1.0..1.0);
                    }
                    paid += case.price(arm, j, *mean);
                }
                means.push(row);
            }
            let other = Model::new(&case.problem, &means).unwrap();
            if !is_right(&other, case.front.members()) {
                wrong += 1;
                assert!(paid >= cost * (1.0 - 1e-9), "{paid} against {cost}: {other:?} for {:?}", case.model);
            }
        }
    }
    assert!(wrong > 5000, "{wrong}");
}

/// The gradient is that of the cost, and the alternative costs what is said.
#[test]
fn the_alternative_costs_what_is_said() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(32);
    let mut checked = 0;
    for round in 0..3000 {
        let kind = [Kind::Random, Kind::Tied, Kind::Families][round % 3];
        let case = case(&mut rng, kind, kind != Kind::Families && round % 2 == 0, 6);
        let question = case.question();
        let mut oracle = Oracle::new(&case.problem, Method::Auto).unwrap();
        let Some(closest) = oracle.closest(&question) else { continue };
        let alternative = closest.alternative(&case.model);
        let mut paid = 0.0;
        for arm in 0..case.model.arm_count() {
            let row = alternative.in_units(&case.problem, arm);
            paid += row.iter().enumerate().map(|(j, &to)| case.price(arm, j, to)).sum::<f64>();
        }
        assert!((paid - closest.cost).abs() <= 1e-6 * closest.cost + 1e-9, "{paid} {:?}", closest);
        checked += 1;
    }
    assert!(checked > 2000, "{checked}");
    // Readings of the post are the limits.
    let limited = Objective::limited("c", Noise::Variance(1.0)).with_at_least(1.0).with_at_most(3.0);
    let objectives = vec![Objective::new("y", Goal::Max, Noise::Variance(1.0)), limited];
    let problem = Problem::new(objectives, vec![Arm::named("a")]).unwrap();
    let model = Model::new(&problem, &[[5.0, 2.5]]).unwrap();
    let readings = model.limited().unwrap();
    assert_eq!((readings.row(POST), readings.row(behind_post(0))), (&[1.0, -3.0][..], &[2.5, -2.5][..]));
}
