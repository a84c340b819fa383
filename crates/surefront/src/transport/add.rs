//! *Add*: an arm off the front is no longer covered by any arm of the front (paper, Lemma 3).
//!
//! In standard position the arm is at the origin and only the front arms that cover it matter: the arm never gains by
//! moving down, and once it has moved up the others are in nobody's way. With a_k ≥ 0 the offset of front arm k, the task is
//!
//! > min over x ≥ 0 of Σ_j ½ v_j x_j² + Σ_k min_j ½ u_kj (a_kj − x_j)₊².
//!
//! Where both arms are without noise in an objective, their order there is not in doubt and offers no way out (not even
//! in a tie): the offset is set to infinity.

use super::make_room;
use crate::front::covers;
use crate::parabola::half_square;
use crate::question::Question;
use crate::side::Roster;

/// An *add* piece in standard position.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddPiece {
    pub d: usize,
    /// v_j: the weights of the arm's own coordinates.
    pub own: Vec<f64>,
    /// The front arms in the way, those of weight zero left out: they step aside for nothing.
    pub arms: Vec<usize>,
    /// a_kj, row by row; there may be more rows than arms.
    pub offset: Vec<f64>,
    /// u_kj, row by row; there may be more rows than arms.
    pub weight: Vec<f64>,
    /// Whether there is a way past every arm.
    pub passable: bool,
}

impl AddPiece {
    /// Makes room for `d` objectives and up to `p` arms in the way.
    pub fn reserve(&mut self, d: usize, p: usize) {
        make_room(&mut self.own, d);
        make_room(&mut self.arms, p);
        make_room(&mut self.offset, d * p);
        make_room(&mut self.weight, d * p);
    }

    /// Puts `arm` in standard position against the arms of `front`.
    pub fn set(&mut self, question: &Question<'_>, front: &[usize], arm: usize) {
        let roster = question.roster();
        let own = roster.side(arm);
        let d = own.mean.len();
        self.d = d;
        self.own.clear();
        self.own.extend(own.weights());
        self.arms.clear();
        self.passable = true;
        let room = front.len() * d;
        self.offset.resize(self.offset.len().max(room), 0.0);
        self.weight.resize(self.weight.len().max(room), 0.0);
        let mut rows = self.offset.chunks_exact_mut(d).zip(self.weight.chunks_exact_mut(d));
        for &k in front {
            if !covers(roster.mean(k), own.mean) {
                continue;
            }
            let other = roster.side(k);
            if other.weight == 0.0 && other.precision.iter().any(|p| p.is_finite()) {
                continue;
            }
            let (offsets, weights) = rows.next().expect("there is room for the whole front");
            let mut certain = false;
            for (a, gap) in offsets.iter_mut().zip(other.gaps(own)) {
                *a = gap;
            }
            for (u, weight) in weights.iter_mut().zip(other.weights()) {
                *u = weight;
                certain |= weight == f64::INFINITY;
            }
            if certain {
                self.passable &= close_certain(&self.own, weights, offsets);
            }
            self.arms.push(k);
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

/// A lower bound on the cost of adding `arm`, that of the dearest single arm of `front` to get past, and this arm. Infinite if there
/// is no way past it. The search ends with the first that is `enough`. Much cheaper than to set the piece up.
#[inline]
pub(crate) fn lower_bound(roster: Roster<'_>, front: &[usize], arm: usize, enough: f64) -> (f64, usize) {
    let own = roster.side(arm);
    let mut dearest = (0.0, arm);
    for &k in front {
        if !covers(roster.mean(k), own.mean) {
            continue;
        }
        let mut cheapest = f64::INFINITY;
        for contrast in own.against(roster.side(k)) {
            if contrast.is_movable() {
                cheapest = cheapest.min(contrast.cost());
            }
        }
        if cheapest > dearest.0 {
            dearest = (cheapest, k);
            if cheapest >= enough {
                break;
            }
        }
    }
    dearest
}

/// The arm of `front`, but for those of `except`, that it is dearest to get past once `arm` has moved by `x`; `None` if all are
/// passed.
pub(crate) fn furthest_ahead(
    roster: Roster<'_>,
    front: &[usize],
    arm: usize,
    x: &[f64],
    except: &[usize],
) -> Option<usize> {
    let own = roster.side(arm);
    let mut dearest = (0.0, None);
    for &k in front {
        if !covers(roster.mean(k), own.mean) {
            continue;
        }
        let mut cheapest = f64::INFINITY;
        for (contrast, x) in roster.side(k).against(own).zip(x) {
            if contrast.is_movable() {
                let gap = contrast.gap - x;
                let step = if gap > 0.0 { half_square(contrast.one, gap) } else { 0.0 };
                cheapest = cheapest.min(step);
            }
        }
        if cheapest > dearest.0 && !except.contains(&k) {
            dearest = (cheapest, Some(k));
        }
    }
    dearest.1
}

/// Closes the way past an arm in the objectives in which neither has noise; false if none is left.
#[cold]
fn close_certain(own: &[f64], weights: &[f64], offsets: &mut [f64]) -> bool {
    for ((own, weight), offset) in own.iter().zip(weights).zip(offsets.iter_mut()) {
        if own.is_infinite() && weight.is_infinite() {
            *offset = f64::INFINITY;
        }
    }
    offsets.iter().any(|&a| a < f64::INFINITY)
}
