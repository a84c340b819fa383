//! *Add* for two objectives in linear time, as in the paper's appendix on dimension two.
//!
//! Along the front, sorted by the first objective, the valid maps are the p + 1 splits: those before the split step
//! aside in the first objective, those behind it in the second. So the cost is the least sum of a prefix cost in the one
//! objective and a suffix cost in the other. As a prefix grows by arms ever further ahead, its minimum moves up and leaves
//! the nearest arms behind: the arms that count form a window, whose sum of parabolas is kept without ever subtracting
//! (a queue made of two stacks), so that no accuracy is lost. Every arm enters and leaves once: O(p).

use super::add::AddPiece;
use super::parabola::Parabola;

/// Room for the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    prefix: Vec<f64>,
    suffix: Vec<f64>,
    stack: Vec<Parabola>,
    x: Vec<f64>,
}

impl Sweep {
    /// The least cost of `piece` if it is below `incumbent`; [`Sweep::x`] is then where the arm moves to. The piece's
    /// arms must come by ascending offset in the first objective.
    pub fn solve(&mut self, piece: &AddPiece, incumbent: f64) -> Option<f64> {
        debug_assert_eq!(piece.d, 2);
        if piece.lower >= incumbent {
            return None;
        }
        let n = piece.arms.len();
        let (offset, weight) = (&piece.offset[..2 * n], &piece.weight[..2 * n]);
        let forward = |i: usize| (weight[2 * i], offset[2 * i]);
        let backward = |i: usize| (weight[2 * (n - 1 - i) + 1], offset[2 * (n - 1 - i) + 1]);
        rising(piece.own[0], n, forward, &mut self.stack, &mut self.prefix);
        rising(piece.own[1], n, backward, &mut self.stack, &mut self.suffix);

        let mut split = 0;
        let mut cost = f64::INFINITY;
        for (at, (first, second)) in self.prefix.iter().zip(self.suffix.iter().rev()).enumerate() {
            if first + second < cost {
                cost = first + second;
                split = at;
            }
        }
        if !(cost < incumbent) {
            return None;
        }
        self.x.clear();
        self.x.push(minimiser(piece.own[0], split, forward));
        self.x.push(minimiser(piece.own[1], n - split, backward));
        Some(cost)
    }

    /// Where the arm moves to, relative to where it is.
    pub fn x(&self) -> &[f64] {
        &self.x
    }
}

/// The costs of the first 0, 1, … n arms, each given by weight and offset, the offsets ascending.
#[inline]
fn rising(own: f64, n: usize, arm: impl Fn(usize) -> (f64, f64), stack: &mut Vec<Parabola>, costs: &mut Vec<f64>) {
    costs.clear();
    costs.push(0.0);
    // The window is first..upto. stack[i] sums the base and the arms i..middle, `back` sums the arms middle..upto.
    let base = Parabola::at_origin(own);
    stack.clear();
    stack.resize(n + 1, base);
    let (mut first, mut middle) = (0, 0);
    let mut back = Parabola::at_origin(0.0);
    let mut front = base;
    for upto in 1..=n {
        let (weight, at) = arm(upto - 1);
        back = back.plus(weight, at);
        let mut sum = merged(front, back);
        while first < upto && arm(first).1 <= sum.centre {
            if first == middle {
                stack[upto] = base;
                for i in (first..upto).rev() {
                    let (weight, at) = arm(i);
                    stack[i] = stack[i + 1].plus(weight, at);
                }
                middle = upto;
                back = Parabola::at_origin(0.0);
            }
            first += 1;
            front = if first < middle { stack[first] } else { base };
            sum = merged(front, back);
        }
        costs.push(sum.floor);
    }
}

/// The sum of two parabolas.
#[inline]
fn merged(a: Parabola, b: Parabola) -> Parabola {
    let sum = a.plus(b.weight, b.centre);
    Parabola { floor: sum.floor + b.floor, ..sum }
}

/// The place of the minimum for the first n arms.
fn minimiser(own: f64, n: usize, arm: impl Fn(usize) -> (f64, f64)) -> f64 {
    let mut sum = Parabola::at_origin(own);
    for i in (0..n).rev() {
        let (weight, at) = arm(i);
        if at <= sum.centre {
            break;
        }
        sum = sum.plus(weight, at);
    }
    sum.centre
}
