//! A piece as a smooth, concave function of the weights.
//!
//! Once it is fixed in which objective every arm steps aside, the cost of a piece is a sum of valleys, each the minimum
//! over one place x of ½ w_0 τ_0 x² + Σ ½ w_k τ_k (a_k − x)₊², or of the same with the kl of another family. As a function of the weights a
//! valley is concave and positively homogeneous; with x at the minimum its derivatives are the costs per unit of weight, q, and its second
//! derivatives −q' q'ᵀ / S, where q' is the derivative of q in x, τ (x − a) / V(x), and S the second derivative in x, A / V(x) with A = Σ w τ over
//! the arms still ahead; V is the variance in units of 1/τ, which under Gaussian noise is one.
//!
//! Where there are limits, to break one, or to keep one of what is not optimised, costs a number times the weight of the arm; and a limit on what is optimised is a place that x
//! has to reach.
//!
//! The least cost of a piece is the least over all such assignments, so each of them bounds the bound from above.

use super::together::Together;
use super::value::{Key, Value};
use crate::bowl::Bowl;
use crate::family::Family;
use crate::law::{Kind, Law, Shifted};
use crate::margin::Raise;
use crate::question::Question;
use crate::side::coordinate_weight;
use crate::transport::{Closest, Piece, Tolls, is_in_the_way};

/// An arm, where it is relative to the base arm, and 1 / its variance there.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    arm: usize,
    at: f64,
    precision: f64,
}

/// The cost of one objective.
#[derive(Clone, Debug)]
pub(crate) struct Valley {
    arm: usize,
    precision: f64,
    law: Shifted,
    /// Furthest first.
    ahead: Vec<Ahead>,
}

/// A piece with the objective in which each arm in the way steps aside.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    /// A sum over the objectives.
    Apart(Vec<Valley>),
    /// The readings are correlated.
    Together(Together),
}

impl Constraint {
    /// The piece and the assignment at which `closest` was found.
    pub fn new(question: &Question<'_>, closest: &Closest) -> (Key, Self) {
        let (problem, model) = (question.problem(), question.model());
        if let Some(coupling) = problem.coupling() {
            let (key, together) = Together::new(coupling, question, closest);
            return (key, Constraint::Together(together));
        }
        let d = model.objective_count();
        let raise = |j: usize| problem.raises().map_or(Raise::NONE, |raises| raises[j]);
        let tolls = Tolls::new(question);
        let mut map = Vec::new();
        let mut valleys = Vec::new();
        match closest.piece {
            Piece::Infeasible { arm } => {
                let exit = tolls.expect("there are limits").exit(arm);
                map.push(exit.objective);
                valleys.push(Valley::linear(arm, exit.rate));
            }
            Piece::Remove { arm, through } => {
                let (one, two) = (question.raised(arm), question.side(through));
                let bounds = limits(&mut valleys, tolls, through, d);
                for j in 0..d {
                    let at = one.gap(two, j);
                    if bounds[j] > 0.0 {
                        // Seen from the other: it is to get past its limit, and past the arm unless that comes down.
                        let law = Shifted::new(problem.kind(j), two.mean[j], Raise::NONE, raise(j));
                        let post = Ahead { arm: through, at: bounds[j], precision: f64::INFINITY };
                        let ahead = Ahead { arm, at, precision: one.precision[j] };
                        let mut ahead: Vec<Ahead> = [post].into_iter().chain((at > 0.0).then_some(ahead)).collect();
                        ahead.sort_by(|a, b| b.at.total_cmp(&a.at));
                        valleys.push(Valley { arm: through, precision: two.precision[j], law, ahead });
                    } else if at > 0.0 {
                        let ahead = vec![Ahead { arm: through, at, precision: two.precision[j] }];
                        // The other is behind: places are counted downwards.
                        let law = Shifted::new(problem.kind(j), one.mean[j], raise(j), Raise::NONE).reversed();
                        valleys.push(Valley { arm, precision: one.precision[j], law, ahead });
                    }
                }
            }
            Piece::Add { arm } => {
                let side = question.side(arm);
                let own = side.precision;
                let mut linear = Vec::new();
                let bounds = limits(&mut linear, tolls, arm, d);
                valleys.extend(own.iter().zip(side.mean).enumerate().map(|(j, (&precision, &mean))| {
                    let law = Shifted::new(problem.kind(j), mean, Raise::NONE, raise(j));
                    Valley { arm, precision, law, ahead: Vec::new() }
                }));
                let members = question.front().members();
                for &k in members.iter().filter(|&&k| is_in_the_way(question, side, question.raised(k))) {
                    let other = question.raised(k);
                    let precision = other.precision;
                    let at = |j: usize| other.gap(side, j);
                    let distance = |j: usize| match (at(j) - closest.shift()[j], precision[j].is_finite()) {
                        _ if own[j].is_infinite() && !precision[j].is_finite() => f64::INFINITY,
                        (gap, true) => valleys[j].law.distance(precision[j], at(j), gap),
                        (gap, false) if gap > 0.0 => f64::INFINITY,
                        (gap, false) => gap,
                    };
                    let j = (0..d).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).expect("there is an objective");
                    if let Some(exit) = tolls.map(|tolls| tolls.exit(k)).filter(|e| (2.0 * e.rate).sqrt() < distance(j))
                    {
                        map.push(d + exit.objective);
                        linear.push(Valley::linear(k, exit.rate));
                        continue;
                    }
                    let ahead = Ahead { arm: k, at: at(j), precision: precision[j] };
                    map.push(j);
                    valleys[j].ahead.push(ahead);
                }
                for (j, &at) in bounds.iter().enumerate().filter(|(_, at)| **at > 0.0) {
                    valleys[j].ahead.push(Ahead { arm, at, precision: f64::INFINITY });
                }
                valleys.retain(|valley| !valley.ahead.is_empty());
                for valley in &mut valleys {
                    valley.ahead.sort_by(|a, b| b.at.total_cmp(&a.at));
                }
                valleys.append(&mut linear);
            }
        }
        ((closest.piece, map), Constraint::Apart(valleys))
    }

    /// The logarithm and its derivatives.
    pub fn evaluate(&self, weights: &[f64]) -> Value {
        let valleys = match self {
            Constraint::Apart(valleys) => valleys,
            Constraint::Together(together) => return together.evaluate(weights),
        };
        let mut out = Value::default();
        let mut value = 0.0;
        for valley in valleys {
            let law = valley.law.of_weight(coordinate_weight(weights[valley.arm], valley.precision));
            let (sum, count) = valley.sum(law, weights);
            let bottom = law.bottom(sum);
            let x = bottom.centre;
            let ahead = &valley.ahead[..count];
            value += bottom.floor;
            out.gradient.push((valley.arm, law.price(valley.precision, 0.0, x)));
            let price = |other: &Ahead| law.step(other.precision, other.at, x - other.at);
            out.gradient.extend(ahead.iter().map(|other| (other.arm, price(other))));
            // Where an arm without noise holds x, it does not move with the weights.
            if let Some((own, other, bend)) = law.slopes(sum, x) {
                let scale = bend.sqrt().recip();
                out.curvature.push((valley.arm, scale * valley.precision * own * x));
                out.curvature.extend(ahead.iter().map(|o| (o.arm, -scale * o.precision * other * (o.at - x))));
                out.curvature_ends.push(out.curvature.len());
            }
        }
        out.of_logarithm(value)
    }
}

/// What it takes `arm` to keep the limits of what is only limited, as valleys of their own; by objective, how much better it has to be to keep the others.
fn limits(valleys: &mut Vec<Valley>, tolls: Option<Tolls<'_>>, arm: usize, d: usize) -> Vec<f64> {
    let mut bounds = vec![0.0; d];
    if let Some(tolls) = tolls {
        valleys.extend(tolls.entries(arm).map(|toll| Valley::linear(arm, toll.rate)));
        tolls.bounds(arm).for_each(|(j, by)| bounds[j] = by);
    }
    bounds
}

impl Valley {
    /// The weight of an arm times a number: it goes one unit down to where something stands still.
    fn linear(arm: usize, rate: f64) -> Self {
        let law = Shifted::new(Kind { family: Family::Gaussian, sign: 1.0 }, 0.0, Raise::NONE, Raise::NONE);
        Valley { arm, precision: f64::INFINITY, law, ahead: vec![Ahead { arm, at: 1.0, precision: 2.0 * rate }] }
    }

    /// The sum that holds at the minimum, by the law of the arm at its weight, and how many arms are ahead of it.
    fn sum(&self, law: Shifted, weights: &[f64]) -> (Bowl, usize) {
        let weight = |arm: usize, precision: f64| coordinate_weight(weights[arm], precision);
        let mut sum = law.alone(weight(self.arm, self.precision));
        for (count, other) in self.ahead.iter().enumerate() {
            if other.at <= law.bottom(sum).centre {
                return (sum, count);
            }
            sum = law.plus(sum, weight(other.arm, other.precision), other.at);
        }
        (sum, self.ahead.len())
    }
}
