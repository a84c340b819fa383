//! By how much arms are ahead of one another in their best objective, and how far that may be off.
//!
//! M(i, j) = max over objectives of μ_i − μ_j, positive if j does not dominate i, with the confidence bounds M⁻ ≤ M ≤ M⁺ of Kone, Kaufmann and Richert (NeurIPS 2023). One
//! observation moves the bounds of one arm, so those of the others are kept from round to round.

use super::Round;
use super::calibration::level;
use super::spread_of_means::SpreadOfMeans;

/// The bounds of all pairs. Kept for the room it takes, and the time; not part of a rule's state.
#[derive(Clone, Debug, Default)]
pub(super) struct Leads {
    arms: usize,
    exploration: f64,
    spread: SpreadOfMeans,
    /// By arm: what its bounds are made of, namely ln(4 + ln n), and by objective the mean and how far it may be off.
    seen: Vec<Vec<f64>>,
    /// By pair: M⁻ and M⁺.
    bounds: Vec<(f64, f64)>,
}

impl PartialEq for Leads {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Leads {
    /// Of all pairs, as they are now. `exploration` is the part of the bonus that depends on δ.
    pub fn refresh(&mut self, round: &Round<'_>, exploration: f64) {
        let arms = round.problem.arm_count();
        self.spread.refresh(round);
        if (self.arms, self.exploration) != (arms, exploration) {
            *self = Leads { arms, exploration, spread: std::mem::take(&mut self.spread), ..Leads::default() };
            self.seen = vec![Vec::new(); arms];
            self.bounds = vec![(f64::INFINITY, f64::INFINITY); arms * arms];
        }
        let means = round.tally.means();
        // What is measured for its limits alone makes no arm better than another.
        let compared: Vec<usize> = (0..means.objective_count()).filter(|&j| !means.is_idle(j)).collect();
        let mut moved = Vec::new();
        for (arm, seen) in self.seen.iter_mut().enumerate() {
            let (row, spread) = (means.row(arm), self.spread.row(arm));
            let now = || std::iter::once(level(round.tally.counts()[arm]));
            let now = || now().chain(compared.iter().flat_map(|&j| [row[j], spread[j]]));
            if !seen.iter().copied().eq(now()) {
                seen.clear();
                seen.extend(now());
                moved.push(arm);
            }
        }
        for &arm in &moved {
            for other in (0..arms).filter(|&other| other != arm) {
                self.bounds[arm * arms + other] = self.computed(arm, other);
                self.bounds[other * arms + arm] = self.computed(other, arm);
            }
        }
    }

    fn computed(&self, i: usize, j: usize) -> (f64, f64) {
        let (one, two) = (&self.seen[i], &self.seen[j]);
        let level = self.exploration + one[0] + two[0];
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (one, two) in one[1..].chunks_exact(2).zip(two[1..].chunks_exact(2)) {
            let (gap, bonus) = (one[0] - two[0], 2.0 * (level * (one[1] + two[1])).sqrt());
            lower = f64::max(lower, gap - bonus);
            upper = f64::max(upper, gap + bonus);
        }
        (lower, upper)
    }

    /// How many there are.
    pub fn arm_count(&self) -> usize {
        self.arms
    }

    /// M⁻(i, j): above zero if j surely does not dominate i. Infinite for an arm and itself.
    #[inline]
    pub fn least(&self, i: usize, j: usize) -> f64 {
        self.bounds[i * self.arms + j].0
    }

    /// M⁺(i, j): below zero if j surely dominates i. Infinite for an arm and itself.
    #[inline]
    pub fn most(&self, i: usize, j: usize) -> f64 {
        self.bounds[i * self.arms + j].1
    }
}
