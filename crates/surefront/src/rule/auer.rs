//! Successive elimination: Algorithm 1 of Auer, Chiang, Ortner and Drugan, "Pareto Front Identification from Stochastic Bandit
//! Feedback", AISTATS 2016, with ε = 0 and the confidence bounds of the paper, β(n) = √(2 ln(4 K d n² / δ) / n) in standard deviations.
//!
//! Every arm that is still in question is measured once in each round. Then arms that another one dominates by more than the bounds are
//! dropped, and arms that none can dominate any more are accepted, unless they are still needed to drop others. It ends when no arm
//! is in question: a stop of its own.

use serde::{Deserialize, Serialize};

use super::spread_of_means::SpreadOfMeans;
use super::{Conclusion, Round, SamplingRule};
use crate::risk::{DeltaError, Risk};
use crate::side::Roster;

/// Measures the arms in question in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Auer {
    delta: Risk,
    /// How often each arm in question was measured when they were last judged.
    rounds: u64,
    /// By arm: whether it is in question.
    active: Vec<bool>,
    accepted: Vec<usize>,
    #[serde(skip)]
    spread: SpreadOfMeans,
}

impl Auer {
    /// With the confidence bounds of the paper for this δ.
    ///
    /// # Errors
    /// When δ is not strictly between 0 and 1, or below [`Risk::LEAST`](crate::Risk::LEAST).
    pub fn new(arm_count: usize, delta: f64) -> Result<Self, DeltaError> {
        Ok(Auer::at(arm_count, Risk::new(delta)?))
    }

    fn at(arm_count: usize, delta: Risk) -> Self {
        let (active, accepted, spread) = (vec![true; arm_count], Vec::new(), SpreadOfMeans::default());
        Auer { delta, rounds: 0, active, accepted, spread }
    }

    pub(super) fn arm_count(&self) -> usize {
        self.active.len()
    }

    pub(super) fn afresh(&self, arm_count: usize) -> Self {
        Auer::at(arm_count, self.delta)
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        // What was dropped at another risk was dropped for another reason.
        if earlier.arm_count() == self.arm_count() && earlier.delta == self.delta {
            *self = earlier;
        }
    }

    fn in_question(&self) -> Vec<usize> {
        (0..self.active.len()).filter(|&arm| self.active[arm]).collect()
    }

    /// Drops and accepts arms, once each that is in question was measured again.
    fn judge(&mut self, round: &Round<'_>) {
        let arms = self.in_question();
        let least = arms.iter().map(|&arm| round.tally.count(arm)).min();
        let Some(least) = least.filter(|&least| least > self.rounds) else { return };
        self.rounds = least;
        self.spread.refresh(round);
        let roster = round.question().roster();
        let bounds = Bounds { auer: self, roster, counts: round.tally.counts() };

        let is_dropped = |&i: &usize| arms.iter().any(|&j| j != i && bounds.surely_dominates(j, i));
        let left: Vec<usize> = arms.iter().copied().filter(|i| !is_dropped(i)).collect();
        let is_optimal = |&i: &usize| left.iter().all(|&j| j == i || bounds.surely_not_dominated(i, j));
        let (optimal, others): (Vec<usize>, Vec<usize>) = left.iter().partition(|i| is_optimal(i));
        // One that may yet dominate an arm in question is kept, to drop it.
        let is_needed = |&j: &usize| others.iter().any(|&i| !bounds.surely_not_dominated(i, j));
        let accepted: Vec<usize> = optimal.into_iter().filter(|j| !is_needed(j)).collect();

        self.active.fill(false);
        left.iter().for_each(|&arm| self.active[arm] = !accepted.contains(&arm));
        self.accepted.extend(accepted);
    }
}

/// The confidence bounds of differences of means.
struct Bounds<'a> {
    auer: &'a Auer,
    roster: Roster<'a>,
    counts: &'a [f64],
}

impl Bounds<'_> {
    /// By objective: how far `i` is ahead of `j`, and how far that may be off.
    fn gaps(&self, i: usize, j: usize) -> impl Iterator<Item = (f64, f64)> {
        let comparisons = 4.0 * (self.auer.active.len() * self.roster.mean(i).len()) as f64;
        let level = |arm: usize| 2.0 * (comparisons * self.counts[arm].powi(2) / self.auer.delta.get()).ln();
        let (level_i, level_j) = (level(i), level(j));
        let spreads = self.auer.spread.row(i).iter().zip(self.auer.spread.row(j));
        let gaps = self.roster.side(i).gaps(self.roster.side(j));
        gaps.zip(spreads).map(move |(gap, (a, b))| (gap, (level_i * a).sqrt() + (level_j * b).sqrt()))
    }

    /// m(i, j) > β_i + β_j, with i the arm that is dominated.
    fn surely_dominates(&self, j: usize, i: usize) -> bool {
        self.gaps(j, i).all(|(gap, bonus)| gap > bonus)
    }

    /// M(i, j) > β_i + β_j.
    fn surely_not_dominated(&self, i: usize, by: usize) -> bool {
        self.gaps(i, by).any(|(gap, bonus)| gap > bonus)
    }
}

impl SamplingRule for Auer {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.judge(round);
        let arms = self.in_question();
        arms.into_iter().min_by_key(|&arm| round.allocated[arm]).unwrap_or_else(|| round.least_allocated())
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        self.judge(round);
        (!self.active.contains(&true)).then(|| Conclusion::front(self.accepted.clone()))
    }
}
