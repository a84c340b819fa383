//! How far the means so far may be off, for rules that compare arms by their confidence bounds.

use super::Round;

/// By arm and objective: the variance of the mean so far. Kept for the room it takes; not part of a rule's state.
#[derive(Clone, Debug, Default)]
pub(super) struct SpreadOfMeans {
    objectives: usize,
    variances: Vec<f64>,
}

impl PartialEq for SpreadOfMeans {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl SpreadOfMeans {
    /// Of all arms, as they are now.
    pub fn refresh(&mut self, round: &Round<'_>) {
        self.objectives = round.problem.objective_count();
        self.variances.clear();
        for (arm, &n) in round.tally.counts().iter().enumerate() {
            let cells = round.problem.precision(arm).iter().zip(round.tally.means().row(arm)).enumerate();
            self.variances.extend(cells.map(|(j, (precision, mean))| {
                let kind = round.problem.kind(j);
                kind.family.variance_seen(kind.sign * mean, n) / (n * precision)
            }));
        }
    }

    /// Of one arm, by objective.
    pub fn row(&self, arm: usize) -> &[f64] {
        &self.variances[arm * self.objectives..(arm + 1) * self.objectives]
    }
}
