//! Variances that nobody knows in advance, from the observations.
//!
//! A few observations of an arm may happen to lie close together, and an estimate from them alone would make a stylized study sure of
//! anything. So there an arm's own variance is drawn up towards what the other arms show, and then enlarged as the stopping rule asks for. A
//! certified stop rests on no estimate, only the choice of arms does; there an arm's estimate is its own, so that an observation
//! changes one arm's alone.

use crate::coarseness::Coarseness;
use crate::correlation::Coupling;
use crate::problem::{LARGEST, Noise, Problem};
use crate::range::Range;
use crate::spread::Spread;
use crate::stopping::{Stopping, StoppingRule};
use crate::tally::{FIRST_LOOKS, Tally};

/// How many values a doubling of a variance that arms share is rounded to: while the rounded one stays, no claim need be looked at again.
const ROUNDED: f64 = 8.0;

/// Estimates every unknown variance anew, with what all arms say together.
pub(crate) fn refresh(problem: &mut Problem, tally: &Tally, stopping: &Stopping) {
    for j in 0..problem.objective_count() {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j).is_estimated()) {
            if let Some(own) = tally.variance(arm, j) {
                let n = tally.counts()[arm];
                squares += (n - 1.0) * own;
                freedom += n - 1.0;
            }
        }
        let pooled = squares / freedom;
        for arm in 0..problem.arm_count() {
            if problem.noise(arm, j).is_estimated() {
                // A single observation says nothing of its noise, and neither do equal repeats.
                let own = tally.variance(arm, j).filter(|_| pooled > 0.0 && !merely_repeats(problem, tally, arm, j));
                let variance = own.map_or(LARGEST, |own| {
                    let spread = Spread { own, freedom: tally.counts()[arm] - 1.0, pooled };
                    stopping.cautious_variance(problem, tally, &spread)
                });
                problem.estimate(arm, j, variance);
            }
        }
    }
}

/// Whether repeats of one value are so many of an arm's observations that the others say nothing of its noise.
fn merely_repeats(problem: &Problem, tally: &Tally, arm: usize, objective: usize) -> bool {
    problem.noise(arm, objective).is_unknown() && tally.telling(arm, objective) < FIRST_LOOKS.min(tally.counts()[arm])
}

/// However many observations there are, estimated correlations are shrunk by this part, so that no reading follows from others.
const LEAST_SHRINKAGE: f64 = 1e-3;

/// Estimates an unknown correlation anew: of the residuals around the arms' means, in units of their standard deviations, of all arms together.
/// Shrunk, as if d + 1 more observations had shown none.
pub(crate) fn correlate(problem: &mut Problem, tally: &Tally) {
    let d = problem.objective_count();
    let mut products = vec![0.0; d * d];
    let mut freedom = 0.0;
    for arm in 0..problem.arm_count() {
        let Some(comoments) = tally.comoments(arm) else { return };
        freedom += comoments.freedom();
        let precision = problem.precision(arm);
        let noisy = |j: usize| precision[j] < f64::INFINITY;
        for i in (0..d).filter(|&i| noisy(i)) {
            for j in (0..=i).filter(|&j| noisy(j)) {
                products[i * d + j] += comoments.product(i, j) * precision[i].sqrt() * precision[j].sqrt();
            }
        }
    }
    let prior = (d + 1) as f64;
    let kept = (freedom / (freedom + prior)).min(1.0 - LEAST_SHRINKAGE);
    let mut matrix = vec![0.0; d * d];
    for i in 0..d {
        matrix[i * d + i] = 1.0;
        for j in 0..i {
            let scale = (products[i * d + i] * products[j * d + j]).sqrt();
            // Nothing has varied yet.
            let correlation = if scale > 0.0 { kept * (products[i * d + j] / scale).clamp(-1.0, 1.0) } else { 0.0 };
            matrix[i * d + j] = correlation;
            matrix[j * d + i] = correlation;
        }
    }
    problem.set_coupling(Some(Coupling::of(d, matrix)).filter(|coupling| !coupling.is_none()));
}

/// Which estimates an observation changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of the arm observed.
    Arm,
    /// Those of other arms as well.
    All,
}

/// The estimates for a certified stop, arm by arm, and what is too coarse for them; a function of the tally.
#[derive(Clone, Debug)]
pub(crate) struct OwnEstimates {
    coarseness: Coarseness,
    /// By arm and objective: the sum of squares around the mean.
    squares: Vec<f64>,
}

impl OwnEstimates {
    pub fn new(problem: &mut Problem, tally: &Tally, stopping: &Stopping) -> Self {
        let cells = problem.arm_count() * problem.objective_count();
        let mut estimates = OwnEstimates { coarseness: Coarseness::new(problem, tally), squares: vec![0.0; cells] };
        (0..problem.arm_count()).for_each(|arm| estimates.learn(problem, tally, arm));
        for j in 0..problem.objective_count() {
            problem.set_coarse_range(j, estimates.coarse_range(problem, tally, j));
        }
        let shared = estimates.shared(problem, tally);
        (0..problem.arm_count()).for_each(|arm| estimates.estimate(problem, tally, stopping, &shared, arm));
        estimates
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, problem: &mut Problem, tally: &Tally, stopping: &Stopping, arm: usize) -> Reach {
        self.learn(problem, tally, arm);
        self.coarseness.follow(problem, tally, arm);
        let (shared, mut reach) = (self.shared(problem, tally), Reach::Arm);
        for j in 0..problem.objective_count() {
            let range = self.coarse_range(problem, tally, j);
            if range != problem.coarse_range(j) {
                problem.set_coarse_range(j, range);
                reach = Reach::All;
            }
            if problem.noise(arm, j) == Noise::Common && shared[j].recip() != problem.precision(arm)[j] {
                reach = Reach::All;
            }
        }
        match reach {
            Reach::Arm => self.estimate(problem, tally, stopping, &shared, arm),
            Reach::All => {
                (0..problem.arm_count()).for_each(|arm| self.estimate(problem, tally, stopping, &shared, arm));
            }
        }
        reach
    }

    fn learn(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let d = problem.objective_count();
        for j in (0..d).filter(|&j| problem.noise(arm, j).is_estimated()) {
            let squares = tally.variance(arm, j).map_or(0.0, |own| own * (tally.counts()[arm] - 1.0));
            self.squares[arm * d + j] = squares;
        }
    }

    fn coarse_range(&self, problem: &Problem, tally: &Tally, objective: usize) -> Option<f64> {
        self.coarseness.range(objective, || self.pooled(problem, tally, objective, Noise::is_estimated))
    }

    /// By objective: the variance that arms share, if they do, rounded: no more than it is, so that no proof is thought to be less. Nothing where none is shared.
    fn shared(&self, problem: &Problem, tally: &Tally) -> Vec<f64> {
        let d = problem.objective_count();
        if !(0..d).any(|j| problem.shares_variance(j)) {
            return Vec::new();
        }
        let shared = |objective: usize| {
            let variance = self.pooled(problem, tally, objective, |noise| noise == Noise::Common);
            ((variance.log2() * ROUNDED).floor() / ROUNDED).exp2().clamp(LARGEST.recip(), LARGEST)
        };
        (0..d).map(|j| if problem.shares_variance(j) { shared(j) } else { LARGEST }).collect()
    }

    /// The variance around the means of the arms with this noise; not a number as long as nothing is known of it.
    fn pooled(&self, problem: &Problem, tally: &Tally, objective: usize, these: impl Fn(Noise) -> bool) -> f64 {
        let d = problem.objective_count();
        let (mut squares, mut freedom) = (0.0, 0.0);
        for arm in (0..problem.arm_count()).filter(|&arm| these(problem.noise(arm, objective))) {
            squares += self.squares[arm * d + objective];
            freedom += (tally.counts()[arm] - 1.0).max(0.0);
        }
        squares / freedom
    }

    /// Estimates the unknown variances of an arm; `shared` are those that arms share.
    fn estimate(&self, problem: &mut Problem, tally: &Tally, stopping: &Stopping, shared: &[f64], arm: usize) {
        let (count, d) = (tally.counts()[arm], problem.objective_count());
        // Of a variance of one; the same for all objectives.
        let mut caution: Option<f64> = None;
        for j in 0..d {
            let noise = problem.noise(arm, j);
            if !noise.is_estimated() {
                continue;
            }
            let variance = match problem.coarse_range(j) {
                // As if one more had been as far off as it can be: values that are all equal may have had luck.
                _ if noise.range().is_some() => {
                    let width = problem.range(j).map_or(0.0, Range::width);
                    (self.squares[arm * d + j] + 0.25 * width * width) / count.max(1.0)
                }
                _ if merely_repeats(problem, tally, arm, j) => LARGEST,
                Some(range) => 0.25 * range * range,
                None if noise == Noise::Common => shared[j],
                None if count >= FIRST_LOOKS => {
                    let spread = Spread { own: 1.0, freedom: count - 1.0, pooled: 1.0 };
                    let caution = *caution.get_or_insert_with(|| stopping.cautious_variance(problem, tally, &spread));
                    caution * self.squares[arm * d + j] / (count - 1.0)
                }
                _ => LARGEST,
            };
            problem.estimate(arm, j, variance);
        }
    }
}
