//! A primal-dual interior-point method for: maximise z subject to ln f_i(w) ≥ z, w ≥ 0, Σ w = 1, with the f_i concave and
//! positively homogeneous. Logarithms, since costs differ by many orders of magnitude.
//!
//! Where a unit of weight of arm k costs c_k, and Σ c w = 1, this is solved for what is spent on each arm, c_k w_k: as functions of that the f_i are
//! concave and homogeneous as well.
//!
//! The multipliers α of the constraints give a certificate that does not depend on how well the method has converged: with
//! weights a_i = α_i / f_i, scaled to add up to one, no allocation w' has min_i f_i(w') above max_k Σ_i a_i ∂_k f_i(w), since
//! f_i(w') ≤ ∇f_i(w)·w'.

use super::constraint::Constraint;
use super::newton::{Newton, Scales};
use super::value::Value;
use crate::cholesky::dot;

const MOST_STEPS: usize = 200;

/// An allocation, what it guarantees, and what no allocation can exceed.
#[derive(Clone, Debug)]
pub(crate) struct Optimum {
    pub weights: Vec<f64>,
    /// min_i f_i at these weights.
    pub lower: f64,
    /// What min_i f_i cannot exceed at any weights.
    pub upper: f64,
    /// The multipliers α at these weights, adding up to one: since w_k = w_k Σ_i α_i ∂_k ln f_i and Σ_k w_k ∂_k ln f_i = 1 at the
    /// optimum, α_i is the share of the weights that constraint i takes.
    pub shares: Vec<f64>,
}

/// Solves to a relative gap of `tolerance`, or as far as rounding allows, starting from positive `weights`, which cost one altogether; `costs` by arm, if not
/// all are one.
pub(crate) fn maximise(constraints: &[Constraint], costs: Option<&[f64]>, weights: &[f64], tolerance: f64) -> Optimum {
    let constraints = Priced { constraints, costs };
    let mut state = State::new(constraints, weights);
    let mut best = state.optimum();
    for _ in 0..MOST_STEPS {
        if best.upper <= best.lower * (1.0 + tolerance) || !state.step() {
            break;
        }
        let now = state.optimum();
        if now.lower > best.lower {
            best.lower = now.lower;
            best.weights = now.weights;
            best.shares = now.shares;
        }
        best.upper = best.upper.min(now.upper);
    }
    best
}

/// The constraints as functions of what is spent on each arm.
#[derive(Clone, Copy)]
struct Priced<'a> {
    constraints: &'a [Constraint],
    costs: Option<&'a [f64]>,
}

impl Priced<'_> {
    fn evaluate(&self, spent: &[f64]) -> Vec<Value> {
        let Some(costs) = self.costs else {
            return self.constraints.iter().map(|constraint| constraint.evaluate(spent)).collect();
        };
        let weights: Vec<f64> = spent.iter().zip(costs).map(|(spent, cost)| spent / cost).collect();
        self.constraints.iter().map(|constraint| constraint.evaluate(&weights).per_cost(costs)).collect()
    }

    /// What weights cost, by arm; and the other way round.
    fn spent(&self, weights: &[f64]) -> Vec<f64> {
        let cost = |arm: usize| self.costs.map_or(1.0, |costs| costs[arm]);
        weights.iter().enumerate().map(|(arm, weight)| weight * cost(arm)).collect()
    }

    fn bought(&self, spent: &[f64]) -> Vec<f64> {
        let cost = |arm: usize| self.costs.map_or(1.0, |costs| costs[arm]);
        spent.iter().enumerate().map(|(arm, spent)| spent / cost(arm)).collect()
    }
}

/// The iterate: weights or, where they cost differently, what is spent on them, value, slacks s_i and the multipliers of ln f_i(w) − z = s_i ≥ 0, w ≥ 0 and Σ w = 1. The slacks are
/// variables of their own, so that curved constraints do not hold up the steps.
#[derive(Clone)]
struct Iterate {
    w: Vec<f64>,
    z: f64,
    slack: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
    nu: f64,
}

struct State<'a> {
    constraints: Priced<'a>,
    at: Iterate,
    values: Vec<Value>,
    newton: Newton,
}

impl<'a> State<'a> {
    fn new(constraints: Priced<'a>, weights: &[f64]) -> Self {
        let mut w = constraints.spent(weights);
        let total: f64 = w.iter().sum();
        w.iter_mut().for_each(|w| *w /= total);
        let values = constraints.evaluate(&w);
        let least = values.iter().fold(f64::INFINITY, |least, v| least.min(v.log));
        let z = least - 0.1;
        let slack: Vec<f64> = values.iter().map(|v| v.log - z).collect();
        // On the central path at its beginning: α_i s_i = β_k w_k, the α adding up to one.
        let sum: f64 = slack.iter().map(|s| s.recip()).sum();
        let alpha = slack.iter().map(|s| (s * sum).recip()).collect();
        let beta = w.iter().map(|w| (w * sum).recip()).collect();
        let at = Iterate { w, z, slack, alpha, beta, nu: 1.0 };
        State { constraints, at, values, newton: Newton::default() }
    }

    fn optimum(&self) -> Optimum {
        let slopes = slopes(&self.at, &self.values);
        let sum: f64 = self.at.alpha.iter().zip(&self.values).map(|(alpha, v)| alpha * (-v.log).exp()).sum();
        let total: f64 = self.at.w.iter().sum();
        let alphas: f64 = self.at.alpha.iter().sum();
        Optimum {
            weights: self.constraints.bought(&self.at.w).iter().map(|w| w / total).collect(),
            lower: self.values.iter().fold(f64::INFINITY, |least, v| least.min(v.log)).exp() / total,
            upper: slopes.iter().fold(0.0f64, |most, s| most.max(s / sum)),
            shares: self.at.alpha.iter().map(|alpha| alpha / alphas).collect(),
        }
    }

    /// One Newton step towards a tenth of the present gap; false if none can be made.
    fn step(&mut self) -> bool {
        let at = &self.at;
        let (k, m) = (at.w.len(), at.alpha.len());
        let target = 0.1 * (dot(&at.alpha, &at.slack) + dot(&at.beta, &at.w)) / (k + m) as f64;
        let Some(direction) = self.direction(target) else { return false };

        let mut length = longest(&self.at.slack, &direction.slack)
            .min(longest(&self.at.alpha, &direction.alpha))
            .min(longest(&self.at.beta, &direction.beta))
            .min(longest(&self.at.w, &direction.w));
        let before = residual(&self.at, &self.values, target);
        for _ in 0..40 {
            let next = self.at.moved(&direction, length);
            let values = self.constraints.evaluate(&next.w);
            if residual(&next, &values, target) <= 1.5 * before {
                self.at = next;
                self.values = values;
                return true;
            }
            length *= 0.5;
        }
        false
    }

    /// The Newton direction, with the multipliers eliminated: [P −q 1; −qᵀ c 0; 1ᵀ 0 0] (dw, dz, dν) = right-hand sides.
    fn direction(&mut self, target: f64) -> Option<Iterate> {
        let at = &self.at;
        let k = at.w.len();
        let missing: Vec<f64> = self.values.iter().zip(&at.slack).map(|(v, s)| v.log - at.z - s).collect();
        let mut scales = Vec::with_capacity(self.values.len());
        let mut q = vec![0.0; k];
        let mut c = 0.0;
        let mut rhs_w: Vec<f64> = at.w.iter().map(|w| target / w - at.nu).collect();
        let mut rhs_z = 1.0;
        for (i, value) in self.values.iter().enumerate() {
            let ratio = at.alpha[i] / at.slack[i];
            let push = target / at.slack[i] - ratio * missing[i];
            scales.push(Scales { gradient: ratio + at.alpha[i], curvature: at.alpha[i] });
            for &(arm, g) in &value.gradient {
                q[arm] += ratio * g;
                rhs_w[arm] += push * g;
            }
            c += ratio;
            rhs_z -= push;
        }
        let diagonal: Vec<f64> = at.beta.iter().zip(&at.w).map(|(beta, w)| beta / w).collect();
        self.newton.factor(&diagonal, &self.values, &scales);
        let mut from_q = q.clone();
        let mut from_one = vec![1.0; k];
        self.newton.solve(&mut rhs_w);
        self.newton.solve(&mut from_q);
        self.newton.solve(&mut from_one);
        // dw = rhs_w + from_q dz − from_one dν; what remains is a 2 × 2 system in dz and dν.
        let (a11, a12) = (c - dot(&q, &from_q), dot(&q, &from_one));
        let (a21, a22) = (from_q.iter().sum::<f64>(), -from_one.iter().sum::<f64>());
        let (b1, b2) = (rhs_z + dot(&q, &rhs_w), 1.0 - at.w.iter().sum::<f64>() - rhs_w.iter().sum::<f64>());
        let determinant = a11 * a22 - a12 * a21;
        let z = (b1 * a22 - a12 * b2) / determinant;
        let nu = (a11 * b2 - a21 * b1) / determinant;
        let w: Vec<f64> = (0..k).map(|i| rhs_w[i] + from_q[i] * z - from_one[i] * nu).collect();
        if !(z.is_finite() && nu.is_finite() && w.iter().all(|x| x.is_finite())) {
            return None;
        }
        let change = |v: &Value| v.gradient.iter().map(|&(arm, g)| g * w[arm]).sum::<f64>();
        let slack: Vec<f64> = self.values.iter().zip(&missing).map(|(v, r)| change(v) - z + r).collect();
        let multiplier = |x: f64, multiplier: f64, dx: f64| target / x - multiplier - multiplier / x * dx;
        let alpha = (0..slack.len()).map(|i| multiplier(at.slack[i], at.alpha[i], slack[i])).collect();
        let beta = (0..k).map(|i| multiplier(at.w[i], at.beta[i], w[i])).collect();
        Some(Iterate { w, z, slack, alpha, beta, nu })
    }
}

impl Iterate {
    fn moved(&self, direction: &Iterate, length: f64) -> Iterate {
        let along = |x: &[f64], dx: &[f64]| x.iter().zip(dx).map(|(x, d)| x + length * d).collect();
        Iterate {
            w: along(&self.w, &direction.w),
            z: self.z + length * direction.z,
            slack: along(&self.slack, &direction.slack),
            alpha: along(&self.alpha, &direction.alpha),
            beta: along(&self.beta, &direction.beta),
            nu: self.nu + length * direction.nu,
        }
    }
}

/// Σ_i α_i ∇ ln f_i.
fn slopes(at: &Iterate, values: &[Value]) -> Vec<f64> {
    let mut slopes = vec![0.0; at.w.len()];
    for (value, alpha) in values.iter().zip(&at.alpha) {
        for &(arm, g) in &value.gradient {
            slopes[arm] += alpha * g;
        }
    }
    slopes
}

/// How far the optimality conditions, with complementarity relaxed to `target`, are from being met.
fn residual(at: &Iterate, values: &[Value], target: f64) -> f64 {
    let slopes = slopes(at, values);
    let stationary = slopes.iter().zip(&at.beta).map(|(slope, beta)| at.nu - slope - beta);
    let sums = [1.0 - at.alpha.iter().sum::<f64>(), 1.0 - at.w.iter().sum::<f64>()];
    let feasible = values.iter().zip(&at.slack).map(|(v, s)| v.log - at.z - s);
    let complementary = at.alpha.iter().zip(&at.slack).chain(at.beta.iter().zip(&at.w)).map(|(x, y)| x * y - target);
    let squares = stationary.chain(sums).chain(feasible).chain(complementary).map(|r| r * r);
    squares.sum::<f64>().sqrt()
}

/// The longest step, at most one, that keeps everything positive with a little to spare.
fn longest(x: &[f64], dx: &[f64]) -> f64 {
    x.iter().zip(dx).fold(1.0, |longest: f64, (x, d)| if *d < 0.0 { longest.min(-0.99 * x / d) } else { longest })
}
