//! Where an arm moves to when its noise is correlated and others are in its way, once it is fixed where each of them steps aside:
//!
//! > min over x of ½ xᵀ V⁻¹ x + Σ_j Σ_k ½ u_k (a_k − x_j)₊²,
//!
//! with the covariance V of the arm's mean. The walls of objective j are its arms at a_k with weight u_k, the furthest first; one without
//! noise has an infinite weight, and is not passed below a_k. With the force ν_j ≥ 0 on the arm in each objective, x = V ν, and the dual is
//!
//! > max over ν ≥ 0 of Σ_j ψ_j(ν_j) − ½ νᵀ V ν,  ψ_j(ν) = min over x of ν x + Σ_k ½ u_k (a_k − x)₊²,
//!
//! concave, finite everywhere, and made of parabolas: with the walls up to the m-th, of weight W, centre c and floor f as one
//! [`Bowl`], ψ_j(ν) = f + c ν − ν²/2W. Going through the objectives one by one converges; once it is known which walls count,
//! (V + W⁻¹) ν = c is the answer (docs/oracle.md, section 9).

use crate::bowl::{Bowl, half_square};
use crate::cholesky::Cholesky;

/// Forces that change by less than this share are settled.
const SETTLED: f64 = 1e-14;

/// A handful is usual; more only where rounding keeps it from settling.
const MOST_SWEEPS: usize = 500;

/// An arm in the way, in one objective.
#[derive(Clone, Copy, Debug)]
struct Wall {
    arm: usize,
    at: f64,
    weight: f64,
    /// Of this wall and those further away.
    sum: Bowl,
}

/// The arm's covariance, and the walls in its way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basin {
    d: usize,
    own: Vec<f64>,
    walls: Vec<Vec<Wall>>,
    force: Vec<f64>,
    /// By objective: how many walls count.
    count: Vec<usize>,
    x: Vec<f64>,
    cholesky: Cholesky,
    matrix: Vec<f64>,
    pushed: Vec<usize>,
    trial: Vec<f64>,
}

impl Basin {
    /// No walls, and the covariance of the arm's mean zero; to be filled in.
    pub fn reset(&mut self, d: usize) -> &mut [f64] {
        self.d = d;
        self.walls.resize(d, Vec::new());
        self.walls.iter_mut().for_each(Vec::clear);
        for (vector, len) in [(&mut self.own, d * d), (&mut self.force, d), (&mut self.x, d)] {
            vector.clear();
            vector.resize(len, 0.0);
        }
        self.count.clear();
        self.count.resize(d, 0);
        &mut self.own
    }

    /// The variance of the arm's mean in an objective.
    #[inline]
    pub fn variance(&self, j: usize) -> f64 {
        self.own[j * self.d + j]
    }

    /// The covariance of the arm's mean.
    pub fn covariance(&self) -> &[f64] {
        &self.own
    }

    /// An arm of positive weight is in the way in objective j.
    pub fn build(&mut self, j: usize, arm: usize, at: f64, weight: f64) {
        let walls = &mut self.walls[j];
        let place = walls.partition_point(|wall| wall.at >= at);
        walls.insert(place, Wall { arm, at, weight, sum: Bowl::at_origin(0.0) });
        add_up(walls, place);
    }

    /// The arm is no longer in the way in objective j.
    pub fn tear_down(&mut self, j: usize, arm: usize) {
        let walls = &mut self.walls[j];
        let place = walls.iter().position(|wall| wall.arm == arm).expect("it was built");
        walls.remove(place);
        add_up(walls, place);
    }

    /// The force on the arm, as last found; a start for the next time.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Where to begin the next time.
    pub fn set_force(&mut self, force: &[f64]) {
        self.force.copy_from_slice(force);
    }

    /// Where the arm moves to, as last found.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The minimum; infinite if there is a wall that the arm cannot pass.
    pub fn solve(&mut self) -> f64 {
        for j in 0..self.d {
            // The start may be that of other walls.
            if self.walls[j].is_empty() {
                self.force[j] = 0.0;
            }
        }
        for _ in 0..MOST_SWEEPS {
            let Some(moved) = self.sweep() else { return f64::INFINITY };
            self.pushed.clear();
            self.pushed.extend((0..self.d).filter(|&j| self.count[j] > 0));
            if moved <= SETTLED || self.walls.iter().filter(|walls| !walls.is_empty()).count() < 2 {
                break;
            }
            self.leap();
        }
        for j in 0..self.d {
            let x = (0..self.d).map(|i| self.own[j * self.d + i] * self.force[i]).sum::<f64>();
            // Rounding does not take it below one that does not move.
            let immovable = self.walls[j].iter().find(|wall| wall.weight == f64::INFINITY);
            self.x[j] = immovable.map_or(x, |wall| x.max(wall.at));
        }
        let own: f64 = self.x.iter().zip(&self.force).map(|(x, force)| x * force).sum();
        let walls = self.pushed.iter().map(|&j| {
            let sum = self.walls[j][self.count[j] - 1].sum;
            sum.floor + half_square(sum.weight.recip(), self.force[j])
        });
        0.5 * own + walls.sum::<f64>()
    }

    /// The best force in each objective, one by one, the others as they are. How much they changed, as a part of the largest; `None` if
    /// there is no way past a wall.
    fn sweep(&mut self) -> Option<f64> {
        let d = self.d;
        let (mut change, mut size) = (0.0f64, 0.0f64);
        for j in 0..d {
            let from: f64 = (0..d).filter(|&i| i != j).map(|i| self.own[j * d + i] * self.force[i]).sum();
            let variance = self.variance(j);
            let (mut x, mut force, mut count) = (from, 0.0, 0);
            for wall in &self.walls[j] {
                if wall.at <= x {
                    break;
                }
                let width = variance + wall.sum.weight.recip();
                if width == 0.0 {
                    return None;
                }
                force = (wall.sum.centre - from) / width;
                x = if wall.sum.weight == f64::INFINITY { wall.sum.centre } else { from + variance * force };
                count += 1;
            }
            let deviation = variance.sqrt();
            change = change.max(deviation * (force - self.force[j]).abs());
            size = size.max(deviation * force);
            self.force[j] = force;
            self.count[j] = count;
        }
        Some(if size > 0.0 { change / size } else { 0.0 })
    }

    /// The forces at once, if the walls that count stay the same; kept if that is no step back.
    fn leap(&mut self) {
        let (d, n) = (self.d, self.pushed.len());
        self.matrix.clear();
        self.trial.clear();
        for &i in &self.pushed {
            let sum = self.walls[i][self.count[i] - 1].sum;
            let row = self.pushed.iter().map(|&j| self.own[i * d + j] + if i == j { sum.weight.recip() } else { 0.0 });
            self.matrix.extend(row);
            self.trial.push(sum.centre);
        }
        self.cholesky.factor(n, &self.matrix);
        self.cholesky.solve(&mut self.trial);
        let mut leapt = vec![0.0; d];
        for (&j, force) in self.pushed.iter().zip(&self.trial) {
            leapt[j] = force.max(0.0);
        }
        let now = self.dual(&self.force);
        // Written so that NaN is no step forward.
        if self.dual(&leapt) >= now - 1e-14 * now.abs() {
            self.force.copy_from_slice(&leapt);
        }
    }

    /// The value of the dual: at any force no more than the minimum.
    fn dual(&self, force: &[f64]) -> f64 {
        let d = self.d;
        let mut value = 0.0;
        for j in 0..d {
            let moved: f64 = (0..d).map(|i| self.own[j * d + i] * force[i]).sum();
            value -= 0.5 * moved * force[j];
            if force[j] > 0.0 {
                let walls = &self.walls[j];
                let reaches = |m: usize| walls[m].sum.centre - force[j] * walls[m].sum.weight.recip();
                let last = (0..walls.len()).find(|&m| m + 1 == walls.len() || reaches(m) >= walls[m + 1].at);
                let sum = walls[last.expect("a force is that of a wall")].sum;
                value += sum.floor + sum.centre * force[j] - half_square(sum.weight.recip(), force[j]);
            }
        }
        value
    }

    /// By objective: the weight of the walls that count, zero where none does.
    pub fn weight(&self, j: usize) -> f64 {
        self.count[j].checked_sub(1).map_or(0.0, |last| self.walls[j][last].sum.weight)
    }

    /// The arms that count in objective j, and where they are.
    pub fn counting(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.walls[j][..self.count[j]].iter().map(|wall| (wall.arm, wall.at))
    }
}

/// Adds up the walls from the furthest on, beginning with the one at `place`.
fn add_up(walls: &mut [Wall], place: usize) {
    for next in place..walls.len() {
        let Wall { at, weight, .. } = walls[next];
        walls[next].sum = match next.checked_sub(1) {
            None => Bowl { weight, centre: at, floor: 0.0 },
            // Whoever is behind one that does not move is never met.
            Some(last) if walls[last].sum.weight == f64::INFINITY => walls[last].sum,
            Some(last) => walls[last].sum.plus(weight, at),
        };
    }
}
