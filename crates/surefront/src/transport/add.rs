//! *Add*: an arm off the front is no longer covered by any arm of the front (paper, Lemma 3).
//!
//! In standard position the arm is at the origin and only the front arms that cover it matter: the arm never gains by
//! moving down, and once it has moved up the others are in nobody's way. With a_k ≥ 0 the offset of front arm k, the task is
//!
//! > min over x ≥ 0 of Σ_j ½ v_j x_j² + Σ_k min_j ½ u_kj (a_kj − x_j)₊²,
//!
//! or, with noise of another family, the same with v_j kl(0, x_j) and u_kj kl(a_kj, x_j) where the arm is not passed.
//!
//! Where both arms are without noise in an objective, their order there is not in doubt and offers no way out (not even
//! in a tie): the offset is set to infinity. So it is where one without noise is at the edge of the domain, where the other cannot go.

use super::make_room;
use crate::front::covers;
use crate::law::{Kind, Law, Laws};
use crate::margin::Raise;
use crate::question::Question;
use crate::side::{Roster, Side};

/// An *add* piece in standard position.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddPiece {
    pub d: usize,
    /// The arm's means, which places are relative to.
    pub origin: Vec<f64>,
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
        make_room(&mut self.origin, d);
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
        self.origin.clear();
        self.origin.extend_from_slice(own.mean);
        self.own.clear();
        self.own.extend(own.weights());
        self.arms.clear();
        self.passable = true;
        let room = front.len() * d;
        self.offset.resize(self.offset.len().max(room), 0.0);
        self.weight.resize(self.weight.len().max(room), 0.0);
        let mut rows = self.offset.chunks_exact_mut(d).zip(self.weight.chunks_exact_mut(d));
        for &k in front {
            let other = roster.raised(k);
            if !covers(other.mean, own.mean) {
                continue;
            }
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
            if let Some(kinds) = question.problem().kinds()
                && (certain || own.precision.contains(&f64::INFINITY))
            {
                close_edges(kinds, question.problem().raises(), own, other, offsets);
                self.passable &= offsets.iter().any(|&a| a < f64::INFINITY);
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

    /// The law of an objective, with places relative to the arm.
    #[inline]
    pub fn law<L: Laws>(&self, laws: L, j: usize) -> L::Law {
        laws.law(j, &self.origin).of_weight(self.own[j])
    }

    /// ½ u_kj (a_kj − x_j)₊², or u_kj kl(a_kj, x_j): what arm k costs if it steps aside in objective j.
    #[inline]
    pub fn step(&self, laws: impl Laws, k: usize, j: usize, x: f64) -> f64 {
        let (at, weight) = (self.offset(k, j), self.weight(k, j));
        let gap = at - x;
        if gap > 0.0 { self.law(laws, j).step(weight, at, -gap) } else { 0.0 }
    }
}

/// Whether an arm of the front, as it counts if it is named, keeps another off it. Equal arms are on the front together: one that breaks a limit may be the equal, without any noise,
/// of one that does not.
pub(crate) fn is_in_the_way(question: &Question<'_>, own: Side, other: Side) -> bool {
    covers(other.mean, own.mean)
        && (question.problem().has_margins()
            || other.mean != own.mean
            || other.against(own).any(|contrast| contrast.is_movable()))
}

/// A lower bound on the cost of adding `arm`, that of the dearest single arm of `front` to get past, and this arm. Infinite if there
/// is no way past it. The search ends with the first that is `enough`. Much cheaper than to set the piece up.
#[inline]
pub(crate) fn lower_bound<L: Laws>(
    laws: L,
    roster: Roster<'_>,
    front: &[usize],
    arm: usize,
    enough: f64,
) -> (f64, usize) {
    let own = roster.side(arm);
    let mut dearest = (0.0, arm);
    for &k in front {
        let other = roster.raised(k);
        if !covers(other.mean, own.mean) {
            continue;
        }
        let mut cheapest = f64::INFINITY;
        for (j, contrast) in own.against(other).enumerate() {
            if contrast.is_movable() {
                cheapest = cheapest.min(contrast.cost_by(laws.law(j, own.mean)));
                // Another arm is dearer already. Where a cost takes logarithms, that is worth asking.
                if !L::GAUSSIAN && cheapest <= dearest.0 {
                    break;
                }
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
    laws: impl Laws,
    roster: Roster<'_>,
    front: &[usize],
    arm: usize,
    x: &[f64],
    except: &[usize],
) -> Option<usize> {
    let own = roster.side(arm);
    let mut dearest = (0.0, None);
    for &k in front {
        let other = roster.raised(k);
        if !covers(other.mean, own.mean) {
            continue;
        }
        let mut cheapest = f64::INFINITY;
        for (j, (contrast, x)) in other.against(own).zip(x).enumerate() {
            if contrast.is_movable() {
                let gap = contrast.gap - x;
                let law = laws.law(j, own.mean);
                let step = if gap > 0.0 { law.step(contrast.one, contrast.gap, -gap) } else { 0.0 };
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

/// Closes the way past an arm in the objectives in which one of the two has no noise and is where the other cannot get: at the edge of the
/// domain, such as a rate of 0 or 1. Where there is a head start, another place is the edge, and the cost of getting there is infinite by itself.
#[cold]
fn close_edges(kinds: &[Kind], raises: Option<&[Raise]>, own: Side, other: Side, offsets: &mut [f64]) {
    let is_raised = |j: usize| raises.is_some_and(|raises| raises[j] != Raise::NONE);
    for (j, (kind, offset)) in kinds.iter().zip(offsets).enumerate().filter(|&(j, _)| !is_raised(j)) {
        let barred = |fixed: Side, mover: Side| {
            fixed.precision[j] == f64::INFINITY
                && mover.precision[j] < f64::INFINITY
                && mover.weight > 0.0
                && kind.is_edge(fixed.mean[j])
        };
        if *offset != 0.0 && (barred(own, other) || barred(other, own)) {
            *offset = f64::INFINITY;
        }
    }
}
