//! What the observations say of every arm and objective beside the means: enough to measure a claim about any two arms.

use super::few::Few;
use super::gauge::Term;
use super::least::{self, Tug};
use super::lesson::Lesson;
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
    /// The width of the prior of the variance, where a lesson chose it.
    spread: Option<f64>,
}

impl Pool {
    /// A width for two arms of the pool.
    fn width(&self, width: Width) -> Width {
        match self.spread {
            None => width.shared(self.arms),
            Some(spread) => Width { spread, ..width },
        }
    }
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
    Tugs(Few<Tug>),
    /// Both share a variance with others.
    Shared(Shared),
}

/// Two arms that share a variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pool: Pool,
    counts: (f64, f64),
    gap: f64,
    widths: Few<Width>,
}

/// What two arms add to about the proof of a claim, whatever the means.
#[expect(clippy::large_enum_variant, reason = "it lives for one call, and the large one is the usual one")]
pub(super) enum About {
    /// Their variances are given.
    Given,
    /// Nothing yet: too few observations.
    Early,
    /// One of them at least is estimated.
    Estimated(Few<Term>, Few<Term>),
}

/// Where variances are unknown: what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    objectives: usize,
    laws: Vec<Law>,
    /// By arm: the widths that are mixed.
    widths: Vec<Few<Width>>,
    /// By arm: its mixtures, at the arm's count.
    curves: Vec<Option<Few<Curve>>>,
    /// By arm: what of those depends on the count alone.
    terms: Vec<Few<Term>>,
    /// By arm and objective: the sum of squares around the mean.
    squares: Vec<f64>,
    pools: Vec<Pool>,
}

impl Knowledge {
    /// `None` where all variances are known. Of the observations that are proof, at the widths of the lesson before them.
    pub fn new(problem: &Problem, tally: &Tally, lesson: Option<&Lesson>) -> Option<Self> {
        if !problem.has_unknown_noise() {
            return None;
        }
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        let widths = |arm| lesson.map_or(Few::three(WIDTHS), |lesson| Few::one(lesson.width(arm)));
        let mut known = Knowledge {
            objectives,
            laws: vec![Law::Given; arms * objectives],
            widths: (0..arms).map(widths).collect(),
            curves: vec![None; arms],
            terms: vec![Few::one(Term::new(0.0, 1.0)); arms],
            squares: vec![0.0; arms * objectives],
            pools: vec![Pool::default(); objectives],
        };
        (0..arms).for_each(|arm| known.learn(problem, tally, arm));
        known.pool(problem, tally, lesson);
        Some(known)
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize, lesson: Option<&Lesson>) {
        self.learn(problem, tally, arm);
        self.pool(problem, tally, lesson);
    }

    fn learn(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let count = tally.counts()[arm];
        let curve = |width| Curve::new(count, count, width);
        self.curves[arm] = (count >= FIRST_LOOKS).then(|| self.widths[arm].map(curve));
        if let Some(curves) = self.curves[arm] {
            self.terms[arm] = self.widths[arm].zip(curves).map(|(width, curve)| Term {
                price: curve.rise.price,
                freedom: count,
                ..Term::new(count, width.shift)
            });
        }
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
    fn pool(&mut self, problem: &Problem, tally: &Tally, lesson: Option<&Lesson>) {
        for j in (0..self.objectives).filter(|&j| problem.shares_variance(j)) {
            let mut pool = Pool { spread: lesson.map(Lesson::shared_spread), ..Pool::default() };
            for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j) == Noise::Common) {
                pool.arms += 1;
                pool.freedom += (tally.counts()[arm] - 1.0).max(0.0);
                pool.squares += self.squares[arm * self.objectives + j];
            }
            pool.squares = pool.squares.max(LEAST_SQUARES);
            self.pools[j] = pool;
        }
    }

    fn law(&self, arm: usize, objective: usize) -> Law {
        self.laws[arm * self.objectives + objective]
    }

    /// How to measure a claim about two arms in an objective.
    pub fn contest(&self, one: usize, two: usize, objective: usize, contrast: Contrast, counts: (f64, f64)) -> Contest {
        match (self.law(one, objective), self.law(two, objective)) {
            (Law::Given, Law::Given) => Contest::Weights,
            (Law::Early, _) | (_, Law::Early) => Contest::Early,
            (Law::Pooled, Law::Pooled) => {
                let pool = self.pools[objective];
                // One scale for both arms: any that is fixed beforehand will do.
                let both = |(one, two): (Width, Width)| Width { shift: (one.shift * two.shift).sqrt(), ..one };
                let widths = self.widths[one].zip(self.widths[two]).map(|widths| pool.width(both(widths)));
                Contest::Shared(Shared { pool, counts, gap: contrast.gap, widths })
            }
            (first, second) => {
                let widths = self.widths[one].zip(self.widths[two]);
                let mut place = 0;
                let tug = |(one_width, two_width)| {
                    let one = self.term(first, one, objective, contrast.one, counts.0, place, one_width);
                    let two = self.term(second, two, objective, contrast.two, counts.1, place, two_width);
                    place += 1;
                    Tug { one, two, gap: contrast.gap }
                };
                Contest::Tugs(widths.map(tug))
            }
        }
    }

    /// What two arms add to about the proof of a claim.
    #[inline]
    pub fn about(&self, one: usize, two: usize, objective: usize, counts: (f64, f64)) -> About {
        match (self.law(one, objective), self.law(two, objective)) {
            (Law::Given, Law::Given) => About::Given,
            (Law::Early, _) | (_, Law::Early) => About::Early,
            (first, second) => About::Estimated(
                self.terms_of(first, one, objective, counts.0),
                self.terms_of(second, two, objective, counts.1),
            ),
        }
    }

    fn terms_of(&self, law: Law, arm: usize, objective: usize, count: f64) -> Few<Term> {
        match law {
            Law::Own(_) => self.terms[arm],
            Law::Pooled => self.widths[arm].map(|width| {
                let term = Term::new(count, width.shift);
                // The other arm of the claim bears the other half.
                let price = term.price + 0.5 * self.shared_price(objective, width);
                Term { price, freedom: self.pools[objective].freedom, ..term }
            }),
            _ => self.widths[arm].map(|width| Term::new(count, width.shift)),
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
    ) -> least::Term {
        match law {
            Law::Own(unit) => {
                let curves = self.curves[arm].as_ref().expect("there are enough observations");
                least::Term::Student { curve: curves.list()[place], unit }
            }
            Law::Pooled => {
                let pool = self.pools[objective];
                let curve = Curve::new(count, pool.freedom + 1.0, pool.width(width));
                least::Term::Student { curve, unit: count / pool.squares }
            }
            _ if weight == f64::INFINITY => least::Term::Pinned,
            _ => {
                least::Term::Square { weight: weight * count / (count + width.shift), price: shift_price(count, width) }
            }
        }
    }

    /// Whether an arm has been observed too seldom for its variance to be known.
    pub fn is_early(&self, arm: usize, objective: usize) -> bool {
        self.laws[arm * self.objectives + objective] == Law::Early
    }

    /// What not to know a shared variance costs, about: it changes only when the observations of all arms become an eighth more.
    fn shared_price(&self, objective: usize, width: Width) -> f64 {
        let pool = self.pools[objective];
        let spread = pool.width(width).spread;
        let freedom = ((pool.freedom + 2.0).log2() * 6.0).floor() / 6.0;
        -0.5 * (freedom.exp2() / spread).ln_1p()
    }
}

impl Shared {
    /// At each width.
    pub fn proofs(&self) -> Few<f64> {
        self.widths.map(|width| self.proof(width))
    }

    /// The least over the common mean and the variance of the logarithm of the mixture.
    ///
    /// With W the pooled sum of squares, r − 1 = Σ α_k (x − x̄_k)² / (W + Σ β_k (x − x̄_k)²), α_k = n_k²/(n_k+c), β_k = n_k c/(n_k+c). The least λ that it
    /// takes over x is where the least of Σ (α_k − λ β_k)(x − x̄_k)² − λ W is zero: the lesser root of a quadratic equation.
    fn proof(&self, width: Width) -> f64 {
        let (n, m) = self.counts;
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
                let pool = Pool { arms: 7, freedom: 150.0, squares: 133.0, spread: None };
                let wide = pool.width(width);
                let shared = Shared { pool, counts, gap, widths: Few::one(wide) };
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
                let fast = shared.proof(wide);
                assert!(fast <= slow + 1e-9 && fast >= slow - 1e-5, "{width:?} {counts:?}: {fast} {slow}");
            }
        }
    }
}
