//! *Add* for two objectives in linear time, as in the paper's appendix on dimension two.
//!
//! Along the front, sorted by the first objective, the valid maps are the p + 1 splits: those before the split step
//! aside in the first objective, those behind it in the second. So the cost is the least sum of a prefix cost in the one
//! objective and a suffix cost in the other. As a prefix grows by arms ever further ahead, its minimum moves up and leaves
//! the nearest arms behind: the arms that count form a window. Every arm enters and leaves once: O(p).
//!
//! The window is first summed up by plain moments, fast but subject to cancellation, within an error bound that is carried
//! along; the few splits that may be the best are then evaluated without cancellation. Since prefix costs only rise and
//! suffix costs only fall along the front, the costs at every sixteenth split rule most of the others out. Where weights or
//! offsets are so uneven that the error bound decides nothing, every split's window is summed without ever subtracting, in
//! a queue made of two stacks. So it is where the noise is not Gaussian and has no moments of this kind: the splits are the same, since kl(a, x)
//! grows with a as it gets further ahead of x.

use super::add::AddPiece;
use super::make_room;
use crate::bowl::Bowl;
use crate::law::{Bottom, Law, Laws};

/// How many splits are worth evaluating one by one, in O(p) each.
const FEW: usize = 4;

/// How many splits are ruled out, or looked into, together.
const BLOCK: usize = 16;

/// Room for the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    forward: Vec<Window>,
    backward: Vec<Window>,
    likely: Vec<(usize, f64)>,
    prefix: Vec<f64>,
    suffix: Vec<f64>,
    stack: Vec<Bowl>,
    x: Vec<f64>,
}

impl Sweep {
    /// Makes room for up to `p` arms in the way.
    pub fn reserve(&mut self, p: usize) {
        let blocks = p.div_ceil(BLOCK) + 1;
        make_room(&mut self.forward, blocks);
        make_room(&mut self.backward, blocks);
        make_room(&mut self.likely, p + 1);
        make_room(&mut self.prefix, p + 1);
        make_room(&mut self.suffix, p + 1);
        make_room(&mut self.stack, p + 1);
        make_room(&mut self.x, 2);
    }

    /// The least cost of `piece` if it is below `incumbent`; [`Sweep::x`] is then where the arm moves to. The piece's
    /// arms must come by ascending offset in the first objective.
    pub fn solve<L: Laws>(&mut self, laws: L, piece: &AddPiece, incumbent: f64) -> Option<f64> {
        debug_assert_eq!(piece.d, 2);
        let n = piece.arms.len();
        let (offset, weight) = (&piece.offset[..2 * n], &piece.weight[..2 * n]);
        // The arms by ascending offset: in the first objective from one end of the front, in the second from the other.
        let forward = |i: usize| (weight[2 * i], offset[2 * i]);
        let backward = |i: usize| (weight[2 * (n - 1 - i) + 1], offset[2 * (n - 1 - i) + 1]);
        let own = (piece.own[0], piece.own[1]);
        let law = (piece.law(laws, 0), piece.law(laws, 1));
        let bottoms = |split: usize| (bottom(law.0, own.0, split, forward), bottom(law.1, own.1, n - split, backward));

        let split = if L::GAUSSIAN && self.guess(own, n, forward, backward) {
            let cost = |split: usize| bottoms(split).0.floor + bottoms(split).1.floor;
            self.likely.iter().map(|likely| likely.0).min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
        } else {
            queue(law.0, own.0, n, forward, &mut self.stack, &mut self.prefix);
            queue(law.1, own.1, n, backward, &mut self.stack, &mut self.suffix);
            let costs = self.prefix.iter().zip(self.suffix.iter().rev()).map(|(first, second)| first + second);
            costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(split, _)| split)
        };
        let (first, second) = bottoms(split.expect("there is at least one split"));
        self.x.clear();
        self.x.extend([first.centre, second.centre]);
        let cost = first.floor + second.floor;
        (cost < incumbent).then_some(cost)
    }

    /// Where the arm moves to, relative to where it is.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// Collects the splits that may be the best in `likely`; false if that does not single out a few.
    fn guess(
        &mut self,
        own: (f64, f64),
        n: usize,
        forward: impl Fn(usize) -> (f64, f64) + Copy,
        backward: impl Fn(usize) -> (f64, f64) + Copy,
    ) -> bool {
        let (mut totals, mut furthest) = (own, (0.0, 0.0));
        if n > 0 {
            furthest = (forward(n - 1).1, backward(n - 1).1);
        }
        for i in 0..n {
            totals = (totals.0 + forward(i).0, totals.1 + backward(i).0);
        }
        let error = rounding(own.0, n, totals.0, furthest.0) + rounding(own.1, n, totals.1, furthest.1);
        if !(error < f64::INFINITY) {
            return false;
        }
        // The windows at the splits 0, 16, 32 … n.
        let blocks = n.div_ceil(BLOCK);
        let split = |block: usize| (block * BLOCK).min(n);
        self.forward.clear();
        self.backward.clear();
        let (mut ahead, mut behind) = (Window::new(own.0), Window::new(own.1));
        for block in 0..=blocks {
            ahead.extend(split(block), forward);
            behind.extend(n - split(blocks - block), backward);
            self.forward.push(ahead);
            self.backward.push(behind);
        }
        self.backward.reverse();
        let cost = |block: usize| self.forward[block].cost() + self.backward[block].cost();
        let mut least = (0..=blocks).map(cost).fold(f64::INFINITY, f64::min);

        self.likely.clear();
        self.likely.extend((0..=blocks).map(|block| (split(block), cost(block))));
        for block in 0..blocks {
            if self.forward[block].cost() + self.backward[block + 1].cost() > least + 2.0 * error {
                continue;
            }
            let (from, to) = (split(block), split(block + 1));
            let (mut ahead, mut behind) = (self.forward[block], self.backward[block + 1]);
            let mut costs = [0.0; BLOCK];
            for at in from + 1..to {
                ahead.extend(at, forward);
                costs[at - from] += ahead.cost();
            }
            for at in (from + 1..to).rev() {
                behind.extend(n - at, backward);
                costs[at - from] += behind.cost();
            }
            for at in from + 1..to {
                least = least.min(costs[at - from]);
                self.likely.push((at, costs[at - from]));
            }
        }
        self.likely.retain(|&(_, cost)| !(cost > least + 2.0 * error));
        self.likely.len() <= FEW
    }
}

/// The arms first..upto that are still ahead of the minimum, with the moments Σ w, Σ w a, Σ w a² of base and arms.
#[derive(Clone, Copy, Debug)]
struct Window {
    first: usize,
    upto: usize,
    moments: [f64; 3],
}

impl Window {
    fn new(own: f64) -> Self {
        Window { first: 0, upto: 0, moments: [own, 0.0, 0.0] }
    }

    /// Takes in the arms before `upto`, and leaves behind those that the minimum has passed.
    #[inline]
    fn extend(&mut self, upto: usize, arm: impl Fn(usize) -> (f64, f64)) {
        let [mut w0, mut w1, mut w2] = self.moments;
        for i in self.upto..upto {
            let (weight, at) = arm(i);
            w0 += weight;
            w1 += weight * at;
            w2 += weight * at * at;
        }
        while self.first < upto {
            let (weight, at) = arm(self.first);
            if at * w0 > w1 {
                break;
            }
            w0 -= weight;
            w1 -= weight * at;
            w2 -= weight * at * at;
            self.first += 1;
        }
        self.upto = upto;
        self.moments = [w0, w1, w2];
    }

    #[inline]
    fn cost(&self) -> f64 {
        let [w0, w1, w2] = self.moments;
        0.5 * (w2 - w1 * (w1 / w0))
    }
}

/// A bound on the error of the costs by moments, from the sum of all weights and the furthest offset; infinite where the weights are too uneven for them.
///
/// Every sum is off by at most `rounding` of the largest that it could have been. That moves the minimum by at most
/// 2 `shift` of the furthest offset, and arms misjudged as passed or not because of it are as near to it.
#[inline]
fn rounding(own: f64, n: usize, total: f64, furthest: f64) -> f64 {
    let rounding = 4.0 * n as f64 * f64::EPSILON;
    let shift = rounding * total / own;
    if shift < 1e-6 { total * furthest * furthest * (4.0 * rounding + 4.0 * shift * shift) } else { f64::INFINITY }
}

/// The costs of the first 0, 1, … n arms, each given by weight and offset, the offsets ascending, without cancellation.
fn queue(
    law: impl Law,
    own: f64,
    n: usize,
    arm: impl Fn(usize) -> (f64, f64),
    stack: &mut Vec<Bowl>,
    costs: &mut Vec<f64>,
) {
    costs.clear();
    costs.push(0.0);
    // The window is first..upto. stack[i] sums the base and the arms i..middle, `back` sums the arms middle..upto.
    let base = law.alone(own);
    stack.clear();
    stack.resize(n + 1, base);
    let (mut first, mut middle) = (0, 0);
    let mut back = Bowl::at_origin(0.0);
    let mut front = base;
    for upto in 1..=n {
        let (weight, at) = arm(upto - 1);
        back = law.plus(back, weight, at);
        let mut least = law.bottom(merged(law, front, back));
        while first < upto && arm(first).1 <= least.centre {
            if first == middle {
                stack[upto] = base;
                for i in (first..upto).rev() {
                    let (weight, at) = arm(i);
                    stack[i] = law.plus(stack[i + 1], weight, at);
                }
                middle = upto;
                back = Bowl::at_origin(0.0);
            }
            first += 1;
            front = if first < middle { stack[first] } else { base };
            least = law.bottom(merged(law, front, back));
        }
        costs.push(least.floor);
    }
}

/// The sum of two bowls.
#[inline]
fn merged(law: impl Law, a: Bowl, b: Bowl) -> Bowl {
    let sum = law.plus(a, b.weight, b.centre);
    Bowl { floor: sum.floor + b.floor, ..sum }
}

/// The minimum for the first n arms.
#[inline]
fn bottom(law: impl Law, own: f64, n: usize, arm: impl Fn(usize) -> (f64, f64)) -> Bottom {
    let mut sum = law.alone(own);
    for i in (0..n).rev() {
        let (weight, at) = arm(i);
        if at <= law.bottom(sum).centre {
            break;
        }
        sum = law.plus(sum, weight, at);
    }
    law.bottom(sum)
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::law::Gaussian;

    #[test]
    fn both_ways_of_summing_agree_within_the_stated_error() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut slow, mut stack) = (Vec::new(), Vec::new());
        let (mut trusted, mut tight) = (0, 0);
        for _ in 0..2000 {
            let n = rng.random_range(1..60);
            let spread = rng.random_range(0.0..9.0);
            let mut arms: Vec<(f64, f64)> =
                (0..n).map(|_| (10f64.powf(-spread * rng.random::<f64>()), rng.random_range(0.0..1.0))).collect();
            arms.sort_by(|a, b| a.1.total_cmp(&b.1));
            let own = 10f64.powf(-spread * rng.random::<f64>());
            let total = own + arms.iter().map(|arm| arm.0).sum::<f64>();
            let error = rounding(own, n, total, arms[n - 1].1);
            queue(Gaussian, own, n, |i| arms[i], &mut stack, &mut slow);
            let mut window = Window::new(own);
            for upto in 0..=n {
                let exact = bottom(Gaussian, own, upto, |i| arms[i]).floor;
                window.extend(upto, |i| arms[i]);
                assert!((slow[upto] - exact).abs() <= 1e-13 * exact);
                assert!(error == f64::INFINITY || (window.cost() - exact).abs() <= error);
            }
            trusted += usize::from(error < f64::INFINITY);
            tight += usize::from(error < 1e-9 * slow[n]);
        }
        // Neither way is idle.
        assert!(trusted > 1000 && tight > 500 && trusted < 2000, "{trusted}, {tight}");
    }
}
