//! The costs of all *remove* pieces, kept up to date as one arm changes at a time.
//!
//! A removal involves two arms only, so a change of one arm changes one row and one column of the table of costs; the least of each
//! row is remembered. Where there are margins, arms off the front count, too: [`Beaters`](super::beaters::Beaters).
//!
//! Costs by other laws than Gaussian ones take long. Most are far above the least of their row, and a bound tells: the table has that then, and what it is a bound of is found only
//! if the least of the row comes near it. What is remembered is the same to the last bit.

use super::{Piece, better, remove};
use crate::law::Laws;
use crate::question::Question;

/// The table of costs, by front arms and those that may come to cover them.
#[derive(Clone, Debug)]
pub(crate) struct Removals {
    /// The front arms, in no particular order: each has a row and a column.
    arms: Vec<usize>,
    /// By arm: its place in `arms`.
    place: Vec<usize>,
    stride: usize,
    /// A negative number is a bound: the cost is no less than it is without its sign, and that is more than the least of its row.
    costs: Vec<f64>,
    /// By row: the least cost, and the arm through which it is; the least arm among equals.
    least: Vec<(f64, usize)>,
}

impl Removals {
    /// Nobody is on the front.
    pub fn new(arm_count: usize) -> Self {
        let place = vec![usize::MAX; arm_count];
        Removals { arms: Vec::new(), place, stride: 0, costs: Vec::new(), least: Vec::new() }
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
    pub fn leave(&mut self, laws: impl Laws, question: &Question<'_>, arm: usize) {
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
                self.rescan(laws, question, row);
            }
        }
    }

    /// Whether a change of the means or the weight of `arm` changes the table.
    pub fn involve(&self, arm: usize) -> bool {
        self.place[arm] != usize::MAX
    }

    /// Follows a change of the means or the weight of an arm that is involved.
    pub fn refresh<L: Laws>(&mut self, laws: L, question: &Question<'_>, arm: usize) {
        let row = self.place[arm];
        let roster = question.roster();
        let one = roster.side(arm);
        let mut least = (f64::INFINITY, usize::MAX);
        for other in 0..self.arms.len() {
            if other == row {
                continue;
            }
            let (through, known) = (self.arms[other], self.least[other]);
            let two = roster.side(through);
            if !L::GAUSSIAN && known.1 != arm {
                let (there, back) = remove::costs_at_least(laws, one, two);
                if there > least.0 && back > known.0 {
                    self.costs[row * self.stride + other] = -there;
                    self.costs[other * self.stride + row] = -back;
                    continue;
                }
            }
            let (there, back) = remove::costs(laws, one, two);
            self.costs[row * self.stride + other] = there;
            self.costs[other * self.stride + row] = back;
            if (there, through) < least {
                least = (there, through);
            }
            if (back, arm) <= known {
                self.least[other] = (back, arm);
            } else if known.1 == arm {
                self.rescan(laws, question, other);
            }
        }
        self.least[row] = least;
    }

    fn rescan<L: Laws>(&mut self, laws: L, question: &Question<'_>, row: usize) {
        let mut least = (f64::INFINITY, usize::MAX);
        for column in (0..self.arms.len()).filter(|&column| column != row) {
            let offer = (self.costs[row * self.stride + column], self.arms[column]);
            if (L::GAUSSIAN || offer.0.is_sign_positive()) && offer < least {
                least = offer;
            }
        }
        if !L::GAUSSIAN {
            least = self.rescan_bounds(laws, question, row, least);
        }
        self.least[row] = least;
    }

    /// Finds the costs of which there are bounds that do not tell.
    fn rescan_bounds(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        row: usize,
        mut least: (f64, usize),
    ) -> (f64, usize) {
        let roster = question.roster();
        for column in (0..self.arms.len()).filter(|&column| column != row) {
            let (cell, through) = (row * self.stride + column, self.arms[column]);
            let bound = -self.costs[cell];
            if self.costs[cell].is_sign_negative() && bound <= least.0 {
                let (cost, _) = remove::costs(laws, roster.side(self.arms[row]), roster.side(through));
                self.costs[cell] = cost;
                if (cost, through) < least {
                    least = (cost, through);
                }
            }
        }
        least
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
