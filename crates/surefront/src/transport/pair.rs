//! *Add* with one or two arms in the way: all d or d² maps, in closed form.

use super::add::AddPiece;
use super::make_room;
use crate::bowl::Bowl;
use crate::law::{Law, Laws};

/// Room for the answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    x: Vec<f64>,
}

impl Pair {
    /// Makes room for `d` objectives.
    pub fn reserve(&mut self, d: usize) {
        make_room(&mut self.x, d);
    }

    /// Whether there are few enough arms in the way.
    pub fn fits(piece: &AddPiece) -> bool {
        piece.arms.len() <= 2
    }

    /// The least cost of `piece` if it is below `incumbent`; [`Pair::x`] is then where the arm moves to.
    pub fn solve(&mut self, laws: impl Laws, piece: &AddPiece, incumbent: f64) -> Option<f64> {
        debug_assert!(Pair::fits(piece));
        let d = piece.d;
        let alone = |k: usize, j: usize| passed(laws, piece.law(laws, j).alone(piece.own[j]), piece, k, j);
        let bottom = |j: usize, sum: Bowl| piece.law(laws, j).bottom(sum);
        let mut best = (incumbent, [(0, 0.0); 2]);
        let mut offer = |cost: f64, moves: [(usize, f64); 2]| {
            if cost < best.0 {
                best = (cost, moves);
            }
        };
        match piece.arms.len() {
            0 => offer(0.0, [(0, 0.0); 2]),
            1 => (0..d).for_each(|j| {
                let least = bottom(j, alone(0, j));
                offer(least.floor, [(j, least.centre); 2]);
            }),
            _ => {
                for i in 0..d {
                    let first = bottom(i, alone(0, i));
                    for j in 0..d {
                        if i == j {
                            // The further one first; it may pass the nearer one on the way.
                            let (near, far) = if piece.offset(0, i) < piece.offset(1, i) { (0, 1) } else { (1, 0) };
                            let least = bottom(i, passed(laws, alone(far, i), piece, near, i));
                            offer(least.floor, [(i, least.centre); 2]);
                        } else if first.floor < f64::INFINITY {
                            let second = bottom(j, alone(1, j));
                            offer(first.floor + second.floor, [(i, first.centre), (j, second.centre)]);
                        }
                    }
                }
            }
        }
        if !(best.0 < incumbent) {
            return None;
        }
        self.x.clear();
        self.x.resize(d, 0.0);
        for (j, x) in best.1 {
            self.x[j] = x;
        }
        Some(best.0)
    }

    /// Where the arm moves to, relative to where it is.
    pub fn x(&self) -> &[f64] {
        &self.x
    }
}

/// The sum with arm `k` stepping aside in objective `j`, unless it is passed already; of infinite floor if it cannot.
#[inline]
fn passed(laws: impl Laws, sum: Bowl, piece: &AddPiece, k: usize, j: usize) -> Bowl {
    let (at, law) = (piece.offset(k, j), piece.law(laws, j));
    if at <= law.bottom(sum).centre {
        sum
    } else if at < f64::INFINITY {
        law.plus(sum, piece.weight(k, j), at)
    } else {
        Bowl { floor: f64::INFINITY, ..sum }
    }
}
