//! What the observations say of every arm and objective beside the means: enough to measure a claim about any two arms.

use super::least::{Term, Tug};
use super::student::{Curve, Rise, WIDTHS, Width, shift_price};
use crate::problem::{Noise, Problem};
use crate::side::Contrast;
use crate::tally::Tally;

/// So many observations of an arm it takes before they say anything of a variance that is unknown.
pub(crate) const FIRST_LOOKS: f64 = 4.0;

/// Sums of squares below this count as this, so that nothing overflows.
const LEAST_SQUARES: f64 = 1e-200;

/// How one arm's variance in an objective is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// It is given, or bounded by the range of coarse values, or there is no noise: the problem's precision is all.
    Given,
    /// Not at all yet.
    Early,
    /// By the arm's own observations: one over their mean square around their mean.
    Own(f64),
    /// By those of all arms that share it.
    Pooled,
}

/// What all arms that share a variance say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pool {
    /// How many there are.
    arms: usize,
    /// Σ (n − 1).
    freedom: f64,
    /// The sum of squares around the arms' own means.
    squares: f64,
}

/// How a claim about two arms in an objective is to be measured.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives for one call, and the large one is the usual one")]
pub(super) enum Contest {
    /// By the weights of the arms' means.
    Weights,
    /// Not at all: too few observations.
    Early,
    /// Arm by arm, at each width.
    Tugs([Tug; WIDTHS.len()]),
    /// Both share a variance with others.
    Shared(Shared),
}

/// Two arms that share a variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pool: Pool,
    counts: (f64, f64),
    gap: f64,
}

/// Where variances are unknown: what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    objectives: usize,
    laws: Vec<Law>,
    /// By arm: its mixtures, at the arm's count.
    curves: Vec<Option<[Curve; WIDTHS.len()]>>,
    /// By arm and objective: the sum of squares around the mean.
    squares: Vec<f64>,
    pools: Vec<Pool>,
}

impl Knowledge {
    /// `None` where all variances are known.
    pub fn new(problem: &Problem, tally: &Tally) -> Option<Self> {
        if !problem.has_unknown_noise() {
            return None;
        }
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        let mut known = Knowledge {
            objectives,
            laws: vec![Law::Given; arms * objectives],
            curves: vec![None; arms],
            squares: vec![0.0; arms * objectives],
            pools: vec![Pool::default(); objectives],
        };
        (0..arms).for_each(|arm| known.learn(problem, tally, arm));
        known.pool(problem, tally);
        Some(known)
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        self.learn(problem, tally, arm);
        self.pool(problem, tally);
    }

    fn learn(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let count = tally.counts()[arm];
        self.curves[arm] = (count >= FIRST_LOOKS).then(|| WIDTHS.map(|width| Curve::new(count, count, width)));
        for j in 0..self.objectives {
            let noise = problem.noise(arm, j);
            if !noise.is_estimated() {
                continue;
            }
            let cell = arm * self.objectives + j;
            self.squares[cell] = tally.variance(arm, j).map_or(0.0, |variance| variance * (count - 1.0));
            self.laws[cell] = if problem.coarse_range(j).is_some() {
                Law::Given
            } else if count < FIRST_LOOKS {
                Law::Early
            } else if noise == Noise::Common {
                Law::Pooled
            } else {
                Law::Own(count / self.squares[cell].max(LEAST_SQUARES))
            };
        }
    }

    /// In the order of the arms, so that what comes out does not depend on which was observed last.
    fn pool(&mut self, problem: &Problem, tally: &Tally) {
        for j in (0..self.objectives).filter(|&j| problem.shares_variance(j)) {
            let mut pool = Pool::default();
            for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j) == Noise::Common) {
                pool.arms += 1;
                pool.freedom += (tally.counts()[arm] - 1.0).max(0.0);
                pool.squares += self.squares[arm * self.objectives + j];
            }
            pool.squares = pool.squares.max(LEAST_SQUARES);
            self.pools[j] = pool;
        }
    }

    /// How to measure a claim about two arms in an objective.
    pub fn contest(&self, one: usize, two: usize, objective: usize, contrast: Contrast, counts: (f64, f64)) -> Contest {
        let law = |arm: usize| self.laws[arm * self.objectives + objective];
        match (law(one), law(two)) {
            (Law::Given, Law::Given) => Contest::Weights,
            (Law::Early, _) | (_, Law::Early) => Contest::Early,
            (Law::Pooled, Law::Pooled) => {
                Contest::Shared(Shared { pool: self.pools[objective], counts, gap: contrast.gap })
            }
            (first, second) => {
                let term = |place: usize| {
                    let width = WIDTHS[place];
                    let one = self.term(first, one, objective, contrast.one, counts.0, place, width);
                    let two = self.term(second, two, objective, contrast.two, counts.1, place, width);
                    Tug { one, two, gap: contrast.gap }
                };
                Contest::Tugs(std::array::from_fn(term))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one arm's part of what `contest` was asked")]
    fn term(
        &self,
        law: Law,
        arm: usize,
        objective: usize,
        weight: f64,
        count: f64,
        place: usize,
        width: Width,
    ) -> Term {
        match law {
            Law::Own(unit) => {
                let curves = self.curves[arm].as_ref().expect("there are enough observations");
                Term::Student { curve: curves[place], unit }
            }
            Law::Pooled => {
                let pool = self.pools[objective];
                let curve = Curve::new(count, pool.freedom + 1.0, width.shared(pool.arms));
                Term::Student { curve, unit: count / pool.squares }
            }
            _ if weight == f64::INFINITY => Term::Pinned,
            _ => Term::Square { weight: weight * count / (count + width.shift), price: shift_price(count, width) },
        }
    }

    /// Whether an arm has been observed too seldom for its variance to be known.
    pub fn is_early(&self, arm: usize, objective: usize) -> bool {
        self.laws[arm * self.objectives + objective] == Law::Early
    }

    /// What not to know a shared variance costs, about: it changes only when the observations of all arms become an eighth more.
    pub fn shared_price(&self, objective: usize, width: Width) -> f64 {
        let pool = self.pools[objective];
        let spread = width.shared(pool.arms).spread;
        let freedom = ((pool.freedom + 2.0).log2() * 6.0).floor() / 6.0;
        -0.5 * (freedom.exp2() / spread).ln_1p()
    }
}

impl Shared {
    /// The least over the common mean and the variance of the logarithm of the mixture.
    ///
    /// With W the pooled sum of squares, r − 1 = Σ α_k (x − x̄_k)² / (W + Σ β_k (x − x̄_k)²), α_k = n_k²/(n_k+c), β_k = n_k c/(n_k+c). The least λ that it
    /// takes over x is where the least of Σ (α_k − λ β_k)(x − x̄_k)² − λ W is zero: the lesser root of a quadratic equation.
    pub fn proof(&self, width: Width) -> f64 {
        let (n, m) = self.counts;
        let width = width.shared(self.pool.arms);
        let (squares, gap) = (self.pool.squares, self.gap * self.gap);
        let alpha = (n * n / (n + width.shift), m * m / (m + width.shift));
        let beta = (n - alpha.0, m - alpha.1);
        // In units of W, so that nothing overflows.
        let gap = gap / squares;
        let constant = alpha.0 * alpha.1 * gap;
        let linear = (alpha.0 * beta.1 + alpha.1 * beta.0) * gap + alpha.0 + alpha.1;
        let square = beta.0 * beta.1 * gap + beta.0 + beta.1;
        let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
        let excess =
            if gap < 1e150 { 2.0 * constant / (linear + root) } else { alpha.0 / beta.0.max(f64::MIN_POSITIVE) };
        let shifts = shift_price(n, width) + shift_price(m, width);
        Rise::new(shifts, self.pool.freedom + 2.0, width).value(excess.min(alpha.0 / beta.0).min(alpha.1 / beta.1))
    }
}

/// Takes in `n` observations of an arm around `row`, which differ where the variance is unknown, and estimates that.
#[cfg(test)]
pub(super) fn settle(problem: &mut Problem, tally: &mut Tally, arm: usize, n: usize, row: &[f64]) {
    let unknown = |j: usize| problem.noise(arm, j).is_estimated();
    for i in 0..n {
        let off = if i % 2 == 0 { 0.9 } else { -0.9 };
        let values: Vec<f64> = row.iter().enumerate().map(|(j, x)| if unknown(j) { x + off } else { *x }).collect();
        tally.add(problem, arm, &values).unwrap();
    }
    for j in (0..row.len()).filter(|&j| problem.noise(arm, j).is_estimated()).collect::<Vec<_>>() {
        let variance = if n < 4 { 1e75 } else { tally.variance(arm, j).unwrap() * (n - 1) as f64 / n as f64 };
        problem.estimate(arm, j, variance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lesser root against a grid of common means and variances of the closed form with the pooled sums.
    #[test]
    fn a_shared_variance_is_minimised_out() {
        for width in WIDTHS {
            for (counts, gap) in [((5.0, 9.0), 0.7), ((40.0, 15.0), 1.1), ((300.0, 30.0), 0.2), ((6.0, 6.0), 30.0)] {
                let pool = Pool { arms: 7, freedom: 150.0, squares: 133.0 };
                let shared = Shared { pool, counts, gap };
                let wide = width.shared(7);
                let steps = 40_000;
                let slow = (0..=steps)
                    .map(|i| {
                        let x = gap * f64::from(i) / f64::from(steps);
                        let (v, u) = (counts.0 * x * x, counts.1 * (gap - x) * (gap - x));
                        let kept = |n: f64| wide.shift / (n + wide.shift);
                        let ratio = (pool.squares + v + u) / (pool.squares + v * kept(counts.0) + u * kept(counts.1));
                        let shifts = shift_price(counts.0, wide) + shift_price(counts.1, wide);
                        Rise::new(shifts, pool.freedom + 2.0, wide).value(ratio - 1.0)
                    })
                    .fold(f64::INFINITY, f64::min);
                let fast = shared.proof(width);
                assert!(fast <= slow + 1e-9 && fast >= slow - 1e-5, "{width:?} {counts:?}: {fast} {slow}");
            }
        }
    }
}
