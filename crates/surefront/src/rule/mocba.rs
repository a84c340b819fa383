//! Multi-objective optimal computing budget allocation: what operations research uses (Lee, Chew, Teng and Goldsman, "Finding the
//! non-dominated Pareto set for multi-objective simulation models", IIE Transactions 42, 2010).
//!
//! For every arm i the rival j_i that dominates it most probably, and the objective k in which that is least probable, stand for all others. With the signal to
//! noise ratios of these pairs, arms fall into those whose own standing is hardest (they get in proportion to noise over gap squared) and those that others
//! are mostly held against (they get the root of a sum of squares). Means, variances and the roles are taken to be as they look so far. What the paper
//! leaves to its user is chosen here: ten measurements of each arm first, and a new allocation each time as many have been made as there are arms; the arm
//! that lags furthest behind is next. The paper stops at a budget or at estimated rates of mistakes; here it is a rule for a budget, without a stop of its own.

use serde::{Deserialize, Serialize};

use super::{Round, SamplingRule};

/// How often each arm is measured first.
const FIRST: u64 = 10;
/// Gaps are at least so many standard deviations: the ratios of exact ties are no numbers.
const LEAST_GAP: f64 = 1e-9;

/// Measures the arm that lags furthest behind its share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mocba {
    /// Measurements until there is another allocation.
    pending: u64,
    shares: Vec<f64>,
}

impl Mocba {
    pub(super) fn afresh() -> Self {
        Mocba::default()
    }

    /// For how many arms it is; as many as there are before it has an allocation.
    pub(super) fn arm_count(&self, expected: usize) -> usize {
        if self.shares.is_empty() { expected } else { self.shares.len() }
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        *self = earlier;
    }
}

/// An arm and the rival that stands for all others.
#[derive(Clone, Copy)]
struct Pair {
    rival: usize,
    objective: usize,
}

/// What is seen of the arms.
struct Seen<'a> {
    round: &'a Round<'a>,
    /// The shares of the arms so far.
    shares: Vec<f64>,
}

impl Seen<'_> {
    fn variance(&self, arm: usize, objective: usize) -> f64 {
        let (kind, n) = (self.round.problem.kind(objective), self.round.tally.counts()[arm]);
        let mean = self.round.tally.means().row(arm)[objective];
        kind.family.variance_seen(kind.sign * mean, n) / self.round.problem.precision(arm)[objective]
    }

    /// How far `arm` is ahead of `rival`.
    fn lead(&self, arm: usize, rival: usize, objective: usize) -> f64 {
        let means = self.round.tally.means();
        means.row(arm)[objective] - means.row(rival)[objective]
    }

    /// The square of the lead over the variance of the difference, with the sign of the lead.
    fn signed_ratio(&self, arm: usize, rival: usize, objective: usize) -> f64 {
        let lead = self.lead(arm, rival, objective);
        let one = self.variance(arm, objective) / self.shares[arm];
        let two = self.variance(rival, objective) / self.shares[rival];
        if one + two > 0.0 { lead * lead.abs() / (one + two) } else { lead * f64::INFINITY }
    }

    /// The square of the lead, never quite zero.
    fn gap_squared(&self, arm: usize, pair: Pair) -> f64 {
        let noise = self.variance(arm, pair.objective) + self.variance(pair.rival, pair.objective);
        self.lead(arm, pair.rival, pair.objective).powi(2).max(LEAST_GAP * LEAST_GAP * noise)
    }

    /// The objective in which it is least probable that the rival is better.
    fn hardest(&self, arm: usize, rival: usize) -> (f64, usize) {
        let objectives = 0..self.round.problem.objective_count();
        let ratios = objectives.map(|j| (self.signed_ratio(arm, rival, j), j));
        ratios.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there is an objective")
    }

    fn pair(&self, arm: usize) -> Pair {
        let rivals = (0..self.shares.len()).filter(|&rival| rival != arm);
        let pairs = rivals.map(|rival| (self.hardest(arm, rival), rival));
        let ((_, objective), rival) = pairs.min_by(|a, b| a.0.0.total_cmp(&b.0.0)).expect("there is another arm");
        Pair { rival, objective }
    }
}

impl Mocba {
    /// The allocation, if everything is as it looks.
    fn allocate(round: &Round<'_>) -> Vec<f64> {
        let arms = round.problem.arm_count();
        let total: f64 = round.tally.counts().iter().sum();
        let seen = Seen { round, shares: round.tally.counts().iter().map(|n| n / total).collect() };
        let pairs: Vec<Pair> = (0..arms).map(|arm| seen.pair(arm)).collect();
        let ratio = |arm: usize| seen.signed_ratio(arm, pairs[arm].rival, pairs[arm].objective).abs();
        // Whose own standing is harder than that of all those which are held against it.
        let is_own = |arm: usize| {
            let held = (0..arms).filter(|&other| pairs[other].rival == arm);
            ratio(arm) < held.map(ratio).fold(f64::INFINITY, f64::min)
        };
        let own: Vec<bool> = (0..arms).map(is_own).collect();
        let mut shares: Vec<f64> = (0..arms)
            .map(|arm| {
                let Pair { rival, objective } = pairs[arm];
                let rho = seen.shares[rival] / seen.shares[arm];
                (seen.variance(arm, objective) + seen.variance(rival, objective) / rho)
                    / seen.gap_squared(arm, pairs[arm])
            })
            .collect();
        for arm in (0..arms).filter(|&arm| !own[arm]) {
            let held = (0..arms).filter(|&other| own[other] && pairs[other].rival == arm);
            let squares = held.map(|other| {
                let j = pairs[other].objective;
                let (one, two) = (seen.variance(arm, j), seen.variance(other, j));
                if two > 0.0 { one / two * shares[other].powi(2) } else { 0.0 }
            });
            shares[arm] = squares.sum::<f64>().sqrt();
        }
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            shares.iter_mut().for_each(|share| *share /= sum);
        } else {
            shares.fill(1.0 / arms as f64);
        }
        shares
    }
}

impl SamplingRule for Mocba {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        let (arms, least) = (round.problem.arm_count(), round.least_allocated());
        if arms == 1 || round.allocated[least] < FIRST {
            return least;
        }
        if self.pending == 0 || self.shares.len() != arms {
            self.shares = Mocba::allocate(round);
            self.pending = arms as u64;
        }
        self.pending -= 1;
        let time = round.time() as f64 + 1.0;
        round.furthest_behind(|arm| time * self.shares[arm])
    }
}
