//! *Add* with correlated noise: an arm off the front is no longer covered by any arm of the front.
//!
//! > min over x of ½ xᵀ V⁻¹ x + Σ_k min_j ½ u_kj (a_kj − x_j)₊²,
//!
//! V = Σ_0/w_0, a_k the offset of front arm k, u_kj = w_k/Σ_k,jj: a front arm steps aside in one objective at its marginal variance, and its other
//! coordinates follow for nothing. The arm may move down in an objective that goes against another, so every front arm may come to
//! matter. Branch and bound over the objectives in which front arms step aside; only those that are ahead of the present x are branched on
//! (docs/oracle.md, section 9).

use super::basin::Basin;
use crate::bowl::half_square;
use crate::correlation::Coupling;
use crate::question::Question;

/// Costs that differ relatively by no more than this are the same.
const EQUAL: f64 = 1e-12;

/// A front arm, seen from the arm that is added.
#[derive(Clone, Debug)]
struct Other {
    arm: usize,
    /// By objective; infinite where there is no way past it.
    offset: Vec<f64>,
    weight: Vec<f64>,
    assigned: bool,
}

impl Other {
    /// What it costs to pass it in objective j.
    fn step(&self, j: usize, x: f64) -> f64 {
        let gap = self.offset[j] - x;
        if gap > 0.0 { half_square(self.weight[j], gap) } else { 0.0 }
    }

    /// What it costs to pass it in the cheapest objective.
    fn cheapest(&self, x: &[f64]) -> f64 {
        x.iter().enumerate().fold(f64::INFINITY, |least, (j, &x)| least.min(self.step(j, x)))
    }
}

/// Room for one *add* piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossing {
    basin: Basin,
    others: Vec<Other>,
    least: f64,
    found: bool,
    x: Vec<f64>,
    force: Vec<f64>,
    nodes: u64,
}

impl Crossing {
    /// The cost of adding `arm` if it is below `below`.
    pub fn solve(&mut self, coupling: &Coupling, question: &Question<'_>, arm: usize, below: f64) -> Option<f64> {
        let own = question.side(arm);
        let d = own.mean.len();
        (self.nodes, self.found, self.least) = (0, false, below);
        self.x.clear();
        self.x.resize(d, 0.0);
        self.force.clear();
        self.force.resize(d, 0.0);
        if !self.look_around(question, arm) {
            return None;
        }
        if own.weight == 0.0 && own.precision.iter().any(|precision| precision.is_finite()) {
            self.pass_for_nothing(coupling, own.precision);
            return Some(0.0);
        }
        let covariance = self.basin.reset(d);
        if own.weight > 0.0 {
            coupling.add_covariance(own.precision, own.weight, covariance);
        }
        self.search(&vec![f64::INFINITY; d]);
        self.found.then_some(self.least)
    }

    /// Where the arm moves to.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The force that moves it.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Notes the front arms; false if there is no way past one of them.
    fn look_around(&mut self, question: &Question<'_>, arm: usize) -> bool {
        let own = question.side(arm);
        self.others.clear();
        for &k in question.front().members() {
            let other = question.raised(k);
            // It steps aside for nothing.
            if other.weight == 0.0 && other.precision.iter().any(|precision| precision.is_finite()) {
                continue;
            }
            let offset = other.against(own).map(|contrast| {
                // Their order is not in doubt, and offers no way out unless there is one already.
                if contrast.is_movable() || contrast.gap < 0.0 { contrast.gap } else { f64::INFINITY }
            });
            let other = Other { arm: k, offset: offset.collect(), weight: other.weights().collect(), assigned: false };
            if other.offset.iter().all(|&offset| offset == f64::INFINITY) {
                return false;
            }
            self.others.push(other);
        }
        true
    }

    /// An arm that was not measured goes as far as it has to, in the objective where that is the least surprising.
    fn pass_for_nothing(&mut self, coupling: &Coupling, precision: &[f64]) {
        let furthest = |j: usize| self.others.iter().fold(0.0f64, |most, other| most.max(other.offset[j]));
        let noisy = (0..precision.len()).filter(|&j| precision[j].is_finite());
        let by = noisy.map(|j| (furthest(j), j));
        let (by, j) = by
            .min_by(|a, b| (a.0 * precision[a.1].sqrt()).total_cmp(&(b.0 * precision[b.1].sqrt())))
            .expect("the arm has noise");
        self.force[j] = by * precision[j];
        for i in 0..precision.len() {
            self.x[i] = if i == j { by } else { coupling.covariance(precision, i, j) * self.force[j] };
        }
    }

    /// Searches all maps that agree with the walls built so far, as far as x_j ≤ `limit`_j.
    fn search(&mut self, limit: &[f64]) {
        self.nodes += 1;
        let value = self.basin.solve();
        if value >= self.below() {
            return;
        }
        let x = self.basin.x().to_vec();
        let force = self.basin.force().to_vec();
        self.offer(&x, &force);
        let room = self.below() - value;
        if !(room > 0.0) {
            return;
        }
        let Some(Choice { other, children }) = self.choose(&x, limit, room) else { return };
        self.others[other].assigned = true;
        let mut limit = limit.to_vec();
        for (bound, j) in children {
            if value + bound >= self.below() {
                break;
            }
            let Other { arm, offset, weight, .. } = &self.others[other];
            let (arm, at, weight) = (*arm, offset[j], weight[j]);
            self.basin.build(j, arm, at, weight);
            self.basin.set_force(&force);
            self.search(&limit);
            self.basin.tear_down(j, arm);
            // Whoever gets past it there belongs to the child just searched.
            limit[j] = limit[j].min(at);
        }
        self.others[other].assigned = false;
    }

    /// The cost below which a model is worth finding.
    fn below(&self) -> f64 {
        if self.found { self.least * (1.0 - EQUAL) } else { self.least }
    }

    /// The model in which the arm moves to x, and every front arm in the way takes the cheapest step aside.
    fn offer(&mut self, x: &[f64], force: &[f64]) {
        let own: f64 = x.iter().zip(force).map(|(x, force)| 0.5 * x * force).sum();
        let cost = own + self.others.iter().map(|other| other.cheapest(x)).sum::<f64>();
        if cost < self.below() {
            (self.found, self.least) = (true, cost);
            self.x.copy_from_slice(x);
            self.force.copy_from_slice(force);
        }
    }

    /// The arm to branch on, of those that are ahead of x; `None` if there is none, or nothing better than what is known can come of it.
    fn choose(&self, x: &[f64], limit: &[f64], room: f64) -> Option<Choice> {
        let d = x.len();
        let open = || self.others.iter().enumerate().filter(|(_, other)| !other.assigned);
        // How far the arm may go at the cost that is left, and what that leaves to be paid for the others.
        let mut reach = limit.to_vec();
        let mut boxes = 0.0;
        for _ in 0..2 {
            for j in 0..d {
                reach[j] = reach[j].min(x[j] + (2.0 * (room - boxes) * self.basin.variance(j)).sqrt());
            }
            boxes = open().map(|(_, other)| other.cheapest(&reach)).sum();
            if boxes >= room {
                return None;
            }
        }
        let mut dearest: Option<(f64, Choice)> = None;
        for (place, other) in open().filter(|(_, other)| other.cheapest(x) > 0.0) {
            let rest = boxes - other.cheapest(&reach);
            let mut children: Vec<(f64, usize)> = (0..d)
                .filter(|&j| other.offset[j] < f64::INFINITY)
                .map(|j| {
                    let width = self.basin.variance(j) + other.weight[j].recip();
                    let alone =
                        if width > 0.0 { half_square(width.recip(), other.offset[j] - x[j]) } else { f64::INFINITY };
                    (rest + alone.max(other.step(j, reach[j])), j)
                })
                .filter(|child| child.0 < room)
                .collect();
            children.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            // If there is no way past one of them, there is none at all.
            let least = children.first()?.0;
            if dearest.as_ref().is_none_or(|(known, _)| least > *known) {
                dearest = Some((least, Choice { other: place, children }));
            }
        }
        dearest.map(|(_, choice)| choice)
    }
}

/// An arm, and the objectives in which it may step aside, each with a lower bound on what that adds, the least first.
struct Choice {
    other: usize,
    children: Vec<(f64, usize)>,
}
