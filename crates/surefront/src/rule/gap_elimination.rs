//! Empirical gap elimination, for a fixed budget (Kone, Kaufmann and Richert, "Bandit Pareto Set Identification: the Fixed Budget
//! Setting", AISTATS 2024): `ege-sr` drops one arm after each phase, `ege-sh` half of them.
//!
//! After each phase the arms that are easiest to classify, by their empirical gaps, are classified for good: on the front if they are on
//! the front of those left. The gap of an arm off the front is how much it would have to gain in every objective for no arm to dominate it; that
//! of an arm on the front is the least it takes to have it dominated, or to let in an arm that it dominates. The published gaps are those
//! of objectives with the same noise: means are measured in standard deviations here.

use serde::{Deserialize, Serialize};

use super::{Conclusion, Round, SamplingRule};
use crate::front::dominates;

/// How many arms are classified after each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Schedule {
    /// One (`ege-sr`).
    Rejects,
    /// Half of those left (`ege-sh`).
    Halving,
}

/// Spends a budget in phases, each on fewer arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapElimination {
    schedule: Schedule,
    budget: u64,
    /// How often each arm left is to have been measured when the present phase ends; every arm is measured once, whatever the budget.
    target: u64,
    /// The present phase, from 1.
    phase: u64,
    active: Vec<bool>,
    accepted: Vec<usize>,
}

impl GapElimination {
    /// For so many measurements in all.
    pub fn new(arm_count: usize, schedule: Schedule, budget: u64) -> Self {
        let (active, accepted) = (vec![true; arm_count], Vec::new());
        let mut rule = GapElimination { schedule, budget, target: 0, phase: 1, active, accepted };
        rule.target = rule.target_of(1);
        rule
    }

    pub(super) fn schedule(&self) -> Schedule {
        self.schedule
    }

    pub(super) fn arm_count(&self) -> usize {
        self.active.len()
    }

    pub(super) fn afresh(&self, arm_count: usize) -> Self {
        GapElimination::new(arm_count, self.schedule, self.budget)
    }

    pub(super) fn take_up(&mut self, earlier: Self) {
        if (earlier.arm_count(), earlier.budget) == (self.arm_count(), self.budget) {
            *self = earlier;
        }
    }

    fn phases(&self) -> u64 {
        let arms = self.active.len();
        match self.schedule {
            Schedule::Rejects => arms as u64 - 1,
            Schedule::Halving => u64::from(arms.next_power_of_two().trailing_zeros()),
        }
    }

    /// How often each arm left is to have been measured at the end of a phase that begins now.
    fn target_of(&self, phase: u64) -> u64 {
        let arms = self.active.len() as f64;
        match self.schedule {
            Schedule::Rejects => {
                let harmonic: f64 = 0.5 + (2..=self.active.len()).map(|i| 1.0 / i as f64).sum::<f64>();
                let share = (self.budget as f64 - arms).max(0.0) / (harmonic * (arms + 1.0 - phase as f64));
                share.ceil() as u64
            }
            Schedule::Halving => {
                let left = self.active.iter().filter(|&&active| active).count() as u64;
                let (all, shares) = (self.active.len() as u64, (left * self.phases()).max(1));
                if self.budget < all * self.phases() {
                    // Less than the paper asks for: what every arm is measured for first is no part of the phases.
                    self.target.max(1) + self.budget.saturating_sub(all) / shares
                } else {
                    self.target + self.budget / shares
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.phase > self.phases()
    }

    fn left(&self) -> Vec<usize> {
        (0..self.active.len()).filter(|&arm| self.active[arm]).collect()
    }

    /// Classifies arms at the end of each phase that is over.
    fn advance(&mut self, round: &Round<'_>) {
        while !self.is_over() {
            let left = self.left();
            if left.iter().any(|&arm| round.tally.count(arm) < self.target) {
                return;
            }
            let standing = Standing::of(round, &left);
            let going = match self.schedule {
                Schedule::Rejects => 1,
                Schedule::Halving => left.len() / 2,
            };
            for place in standing.easiest().into_iter().take(going) {
                self.active[left[place]] = false;
                if standing.on_front[place] {
                    self.accepted.push(left[place]);
                }
            }
            self.phase += 1;
            self.target = self.target_of(self.phase);
        }
    }
}

/// The arms left, by their place among them.
struct Standing {
    on_front: Vec<bool>,
    gaps: Vec<f64>,
}

impl Standing {
    fn of(round: &Round<'_>, left: &[usize]) -> Self {
        let scales = scales(round);
        let rows: Vec<Vec<f64>> = (left.iter())
            .map(|&arm| round.tally.means().row(arm).iter().zip(&scales).map(|(mean, scale)| mean / scale).collect())
            .collect();
        let places = 0..rows.len();
        // max over objectives of one − other; its negative is the least lead of the other.
        let most = |one: usize, other: usize| {
            rows[one].iter().zip(&rows[other]).map(|(x, y)| x - y).fold(f64::NEG_INFINITY, f64::max)
        };
        let on_front: Vec<bool> =
            places.clone().map(|i| !places.clone().any(|j| dominates(&rows[j], &rows[i]))).collect();
        let lost: Vec<f64> = places.clone().map(|i| places.clone().map(|j| -most(i, j)).fold(0.0, f64::max)).collect();
        let gap = |i: usize| {
            if !on_front[i] {
                return lost[i];
            }
            let others = places.clone().filter(|&j| j != i);
            others.map(|j| f64::min(most(i, j), most(j, i).max(0.0) + lost[j])).fold(f64::INFINITY, f64::min)
        };
        Standing { gaps: places.clone().map(gap).collect(), on_front }
    }

    /// The places, from the largest gap down; among equals, those off the front first.
    fn easiest(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.gaps.len()).collect();
        places.sort_by(|&a, &b| {
            self.gaps[b].total_cmp(&self.gaps[a]).then(self.on_front[a].cmp(&self.on_front[b])).then(a.cmp(&b))
        });
        places
    }
}

/// By objective: the standard deviation of one observation, over all arms; one where there is no noise.
fn scales(round: &Round<'_>) -> Vec<f64> {
    let arms = round.problem.arm_count();
    let variance = |arm: usize, j: usize| {
        let (kind, n) = (round.problem.kind(j), round.tally.counts()[arm]);
        kind.family.variance_seen(kind.sign * round.tally.means().row(arm)[j], n) / round.problem.precision(arm)[j]
    };
    (0..round.problem.objective_count())
        .map(|j| ((0..arms).map(|arm| variance(arm, j)).sum::<f64>() / arms as f64).sqrt())
        .map(|scale| if scale > 0.0 && scale.is_finite() { scale } else { 1.0 })
        .collect()
}

impl SamplingRule for GapElimination {
    fn next(&mut self, round: &mut Round<'_>) -> usize {
        self.advance(round);
        // With all phases over, whoever goes on measuring does so for other reasons.
        let left = if self.is_over() { Vec::new() } else { self.left() };
        left.into_iter().min_by_key(|&arm| round.allocated[arm]).unwrap_or_else(|| round.least_allocated())
    }

    fn conclude(&mut self, round: &mut Round<'_>) -> Option<Conclusion> {
        self.advance(round);
        self.is_over().then(|| Conclusion::front(self.accepted.iter().copied().chain(self.left()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_fit_into_the_budget() {
        for arms in [2usize, 3, 5, 20, 33] {
            for budget in [arms as u64, 100, 1000, 12_345] {
                for schedule in [Schedule::Rejects, Schedule::Halving] {
                    let mut rule = GapElimination::new(arms, schedule, budget);
                    let mut counts = vec![1; arms];
                    while !rule.is_over() {
                        let left = rule.left();
                        left.iter().for_each(|&arm| counts[arm] = rule.target.max(1));
                        let going = if schedule == Schedule::Rejects { 1 } else { left.len() / 2 };
                        left.iter().take(going).for_each(|&arm| rule.active[arm] = false);
                        rule.phase += 1;
                        rule.target = rule.target_of(rule.phase);
                    }
                    assert_eq!(rule.left().len(), 1, "{arms} arms, {schedule:?}");
                    let spent: u64 = counts.iter().sum();
                    assert!(spent <= budget.max(arms as u64), "{arms} arms, {schedule:?}: {spent} of {budget}");
                    assert!(budget < 1000 || spent as f64 > 0.85 * budget as f64, "{arms}, {schedule:?}: {spent}");
                }
            }
        }
    }
}
