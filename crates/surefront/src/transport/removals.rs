//! The costs of all *remove* pieces, kept up to date as one arm changes at a time.
//!
//! A removal involves two arms only, so a change of one arm changes one row and one column of the table of costs; the least of each
//! row is remembered.

use super::{Piece, better, remove};
use crate::law::Laws;
use crate::question::Question;

/// The table of costs, by pairs of front arms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Removals {
    /// The front arms, in no particular order: each has a row and a column.
    arms: Vec<usize>,
    /// By arm: its place in `arms`.
    place: Vec<usize>,
    stride: usize,
    costs: Vec<f64>,
    /// By row: the least cost, and the arm through which it is; the least arm among equals.
    least: Vec<(f64, usize)>,
}

impl Removals {
    /// Begins anew.
    pub fn reset(&mut self, arm_count: usize) {
        self.arms.clear();
        self.least.clear();
        self.place.clear();
        self.place.resize(arm_count, usize::MAX);
    }

    /// The cheapest removal, the first among equals.
    pub fn least(&self) -> Option<(f64, Piece)> {
        let mut best = None;
        for (&arm, &(cost, through)) in self.arms.iter().zip(&self.least) {
            let offer = (cost, Piece::Remove { arm, through });
            if cost < f64::INFINITY && better(offer, best) {
                best = Some(offer);
            }
        }
        best
    }

    /// Takes in an arm that joined the front.
    pub fn join(&mut self, laws: impl Laws, question: &Question<'_>, arm: usize) {
        if self.arms.len() == self.stride {
            self.widen();
        }
        self.place[arm] = self.arms.len();
        self.arms.push(arm);
        self.least.push((f64::INFINITY, usize::MAX));
        self.refresh(laws, question, arm);
    }

    /// Lets go of an arm that left the front.
    pub fn leave(&mut self, arm: usize) {
        let (row, last) = (self.place[arm], self.arms.len() - 1);
        self.place[arm] = usize::MAX;
        self.arms.swap_remove(row);
        self.least.swap_remove(row);
        if row < last {
            self.place[self.arms[row]] = row;
            for other in 0..last {
                self.costs[row * self.stride + other] = self.costs[last * self.stride + other];
                self.costs[other * self.stride + row] = self.costs[other * self.stride + last];
            }
        }
        for row in 0..last {
            if self.least[row].1 == arm {
                self.rescan(row);
            }
        }
    }

    /// Follows a change of the means or the weight of a front arm.
    pub fn refresh(&mut self, laws: impl Laws, question: &Question<'_>, arm: usize) {
        let row = self.place[arm];
        let roster = question.roster();
        let one = roster.side(arm);
        let mut least = (f64::INFINITY, usize::MAX);
        for other in 0..self.arms.len() {
            if other == row {
                continue;
            }
            let through = self.arms[other];
            let (there, back) = remove::costs(laws, one, roster.side(through));
            self.costs[row * self.stride + other] = there;
            self.costs[other * self.stride + row] = back;
            if (there, through) < least {
                least = (there, through);
            }
            let known = self.least[other];
            if (back, arm) <= known {
                self.least[other] = (back, arm);
            } else if known.1 == arm {
                self.rescan(other);
            }
        }
        self.least[row] = least;
    }

    fn rescan(&mut self, row: usize) {
        let mut least = (f64::INFINITY, usize::MAX);
        for (other, &through) in self.arms.iter().enumerate() {
            let offer = (self.costs[row * self.stride + other], through);
            if other != row && offer < least {
                least = offer;
            }
        }
        self.least[row] = least;
    }

    fn widen(&mut self) {
        let (old, new) = (self.stride, (2 * self.stride).max(8));
        let mut costs = vec![f64::INFINITY; new * new];
        for row in 0..self.arms.len() {
            let n = self.arms.len();
            costs[row * new..row * new + n].copy_from_slice(&self.costs[row * old..row * old + n]);
        }
        self.stride = new;
        self.costs = costs;
    }
}
