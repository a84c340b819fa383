//! *Add* by the paper's enumeration of cells (Section 3.2 and appendices B and C), as published.
//!
//! A map φ says in which objective each front arm steps aside. Only maps whose cell is not empty matter: those for which
//! some x has every arm k nearest in objective φ(k). A cell is a system of difference constraints
//! x_j − x_φ(k) ≤ μ_k^j − μ_k^φ(k), non-empty if and only if its graph has no negative cycle. The maps are built depth-first,
//! arm by arm; a new arm adds edges from one node only, so that the shortest paths are renewed in O(d²). At each valid map, the
//! cost of every arm off the front is minimised objective by objective over presorted arms.
//!
//! Generic points have exactly C(p + d − 1, d − 1) cells. Cells without interior, which ties make, are visited too.

use crate::bowl::Bowl;
use crate::question::Question;

/// Room for the enumeration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    d: usize,
    /// The front arms' means, row by row.
    points: Vec<f64>,
    /// 1 / variance and 1 / standard deviation of each objective.
    precision: Vec<f64>,
    scale: Vec<f64>,
    weights: Vec<f64>,
    /// By objective: the front arms, furthest first.
    order: Vec<usize>,
    others: Vec<usize>,
    /// By other arm, front arm and objective: how far the front arm is ahead.
    offsets: Vec<f64>,
    other_weights: Vec<f64>,
    /// By depth: the shortest paths between objectives.
    paths: Vec<f64>,
    map: Vec<usize>,
    /// By objective, the arms mapped to it, furthest first: the filtered order and where each objective's part ends.
    filtered: Vec<usize>,
    ends: Vec<usize>,
    slack: f64,
    best: f64,
    winner: usize,
    x: Vec<f64>,
    trial: Vec<f64>,
    count: u64,
}

impl Cells {
    /// The least cost over the arms `others` off the front, and the arm, if it is below `incumbent`; [`Cells::x`] is then
    /// where that arm moves to. The problem must be homoscedastic.
    pub fn solve(
        &mut self,
        question: &Question<'_>,
        front: &[usize],
        others: &[usize],
        incumbent: f64,
    ) -> Option<(f64, usize)> {
        debug_assert!(question.problem().is_homoscedastic());
        self.prepare(question, front, others);
        self.best = incumbent;
        self.winner = usize::MAX;
        self.count = 0;
        if self.others.is_empty() {
            return None;
        }
        self.extend(0);
        (self.winner != usize::MAX).then_some((self.best, self.winner))
    }

    /// Where the arm moves to, relative to where it is.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The number of cells of the last enumeration.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn prepare(&mut self, question: &Question<'_>, front: &[usize], others: &[usize]) {
        let d = question.model().objective_count();
        let p = front.len();
        self.d = d;
        self.precision.clear();
        self.precision.extend_from_slice(question.problem().precision(0));
        self.scale.clear();
        self.scale.extend(self.precision.iter().map(|precision| precision.sqrt()));
        self.points.clear();
        self.weights.clear();
        for &k in front {
            let side = question.side(k);
            self.points.extend_from_slice(side.mean);
            self.weights.push(side.weight);
        }
        self.order.clear();
        for j in 0..d {
            let from = self.order.len();
            self.order.extend(0..p);
            let points = &self.points;
            self.order[from..]
                .sort_unstable_by(|&a, &b| points[b * d + j].total_cmp(&points[a * d + j]).then(a.cmp(&b)));
        }
        self.others.clear();
        self.offsets.clear();
        self.other_weights.clear();
        for &arm in others {
            let own = question.side(arm);
            self.others.push(arm);
            self.offsets.extend(front.iter().flat_map(|&k| question.side(k).gaps(own)));
            self.other_weights.push(own.weight);
        }
        // A cycle that is negative by no more than rounding may be a cell without interior: a map too many does no harm.
        let scaled =
            self.points.chunks_exact(d).flat_map(|row| row.iter().zip(&self.scale).map(|(x, scale)| x * scale));
        let size = scaled.fold(0.0f64, |size, x| size.max(x.abs()));
        self.slack = 1e-14 * size * (d * d) as f64;
        self.map.clear();
        self.map.resize(p, 0);
        self.paths.clear();
        self.paths.resize((p + 1) * d * d, f64::INFINITY);
        for j in 0..d {
            self.paths[j * d + j] = 0.0;
        }
    }

    /// Maps the front arm of this depth to each objective that leaves the cell non-empty.
    fn extend(&mut self, depth: usize) {
        if depth == self.weights.len() {
            self.count += 1;
            self.minimise();
            return;
        }
        for j in 0..self.d {
            if self.update_paths(depth, j) {
                self.map[depth] = j;
                self.extend(depth + 1);
            }
        }
    }

    /// Adds the edges of mapping the front arm `k` to objective `j`; false if they close a negative cycle.
    fn update_paths(&mut self, k: usize, j: usize) -> bool {
        let d = self.d;
        let point = &self.points[k * d..(k + 1) * d];
        let (done, rest) = self.paths.split_at_mut((k + 1) * d * d);
        let old = &done[k * d * d..];
        let new = &mut rest[..d * d];
        let scale = &self.scale;
        let edge = |to: usize| point[to] * scale[to] - point[j] * scale[j];
        if (0..d).any(|to| edge(to) + old[to * d + j] < -self.slack) {
            return false;
        }
        new.copy_from_slice(old);
        for to in 0..d {
            for via in 0..d {
                let length = edge(via) + old[via * d + to];
                if length < new[j * d + to] && to != j {
                    new[j * d + to] = length;
                }
            }
        }
        for from in 0..d {
            for to in 0..d {
                let length = new[from * d + j] + new[j * d + to];
                if length < new[from * d + to] && from != to {
                    new[from * d + to] = length;
                }
            }
        }
        true
    }

    /// The least cost of each arm off the front for the map at hand.
    fn minimise(&mut self) {
        let (d, p) = (self.d, self.weights.len());
        self.filtered.clear();
        self.ends.clear();
        for j in 0..d {
            let mapped = self.order[j * p..(j + 1) * p].iter().filter(|&&k| self.map[k] == j);
            self.filtered.extend(mapped);
            self.ends.push(self.filtered.len());
        }
        for (place, &arm) in self.others.iter().enumerate() {
            let offsets = &self.offsets[place * p * d..(place + 1) * p * d];
            let mut cost = 0.0;
            let mut from = 0;
            self.trial.clear();
            for j in 0..d {
                let mut sum = Bowl::at_origin(self.other_weights[place] * self.precision[j]);
                for &k in &self.filtered[from..self.ends[j]] {
                    let offset = offsets[k * d + j];
                    if offset <= sum.centre {
                        break;
                    }
                    sum = sum.plus(self.weights[k] * self.precision[j], offset);
                }
                from = self.ends[j];
                cost += sum.floor;
                self.trial.push(sum.centre);
            }
            if cost < self.best {
                self.best = cost;
                self.winner = arm;
                self.x.clone_from(&self.trial);
            }
        }
    }
}
