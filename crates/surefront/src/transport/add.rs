//! *Add*: an arm off the front is no longer covered by any arm of the front (paper, Lemma 3).
//!
//! In standard position the arm is at the origin and only the front arms that cover it matter: the arm never gains by
//! moving down, and once it has moved up the others are in nobody's way. With a_k ≥ 0 the offset of front arm k, the task is
//!
//! > min over x ≥ 0 of Σ_j ½ v_j x_j² + Σ_k min_j ½ u_kj (a_kj − x_j)₊².
//!
//! Where both arms are without noise in an objective, their order there is not in doubt and offers no way out (not even
//! in a tie): the offset is set to infinity.

use super::parabola::{Parabola, half_square};
use super::remove::coordinate_weight;
use crate::front::covers;
use crate::model::Model;
use crate::problem::Problem;
use crate::weights::Weights;

/// An *add* piece in standard position.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddPiece {
    pub d: usize,
    /// v_j: the weights of the arm's own coordinates.
    pub own: Vec<f64>,
    /// The front arms in the way, those of weight zero left out: they step aside for nothing.
    pub arms: Vec<usize>,
    /// a_kj, row by row.
    pub offset: Vec<f64>,
    /// u_kj, row by row.
    pub weight: Vec<f64>,
    /// A lower bound on the cost: the dearest single arm to get past.
    pub lower: f64,
}

impl AddPiece {
    /// Puts `arm` in standard position against the arms of `front`.
    pub fn set(&mut self, problem: &Problem, model: &Model, front: &[usize], weights: &Weights, arm: usize) {
        let d = model.objective_count();
        let origin = model.row(arm);
        let precision = problem.precision(arm);
        self.d = d;
        self.own.clear();
        self.own.extend(precision.iter().map(|&p| coordinate_weight(weights[arm], p)));
        self.arms.clear();
        self.offset.clear();
        self.weight.clear();
        self.lower = 0.0;
        for &k in front {
            let row = model.row(k);
            if weights[k] == 0.0 && problem.precision(k).iter().any(|p| p.is_finite()) || !covers(row, origin) {
                continue;
            }
            let mut cheapest = f64::INFINITY;
            for j in 0..d {
                let u = coordinate_weight(weights[k], problem.precision(k)[j]);
                let a =
                    if u == f64::INFINITY && self.own[j] == f64::INFINITY { f64::INFINITY } else { row[j] - origin[j] };
                if a < f64::INFINITY {
                    cheapest = cheapest.min(Parabola::at_origin(self.own[j]).plus(u, a).floor);
                }
                self.offset.push(a);
                self.weight.push(u);
            }
            self.arms.push(k);
            self.lower = self.lower.max(cheapest);
        }
    }

    #[inline]
    pub fn offset(&self, k: usize, j: usize) -> f64 {
        self.offset[k * self.d + j]
    }

    #[inline]
    pub fn weight(&self, k: usize, j: usize) -> f64 {
        self.weight[k * self.d + j]
    }

    /// ½ u_kj (a_kj − x_j)₊²: what arm k costs if it steps aside in objective j.
    #[inline]
    pub fn step(&self, k: usize, j: usize, x: f64) -> f64 {
        let gap = self.offset(k, j) - x;
        if gap > 0.0 { half_square(self.weight(k, j), gap) } else { 0.0 }
    }
}
