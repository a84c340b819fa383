//! What a study knows: of its front, of each arm, and of what is still to come.

use super::Study;
use super::tie::Tie;
use crate::problem::Noise;
use crate::reading::Reading;
use crate::rule::Conclusion;
use crate::stopping::{Assessment, Caveat, Certificate, Progress};

/// What a study knows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// The front of the means so far, of the arms that take part; empty as long as one of them has not been measured.
    pub front: Vec<usize>,
    /// The evidence for it and what it takes, at the last test of the stop.
    pub progress: Progress,
    /// Whether the evidence sufficed at a test of the stop: the front is the answer.
    pub stopped: bool,
}

impl Study {
    /// Whether the evidence has sufficed: the front at that moment is the answer.
    pub fn stopped(&self) -> bool {
        self.ring.stopped.is_some()
    }

    /// The answer by the rule's own stop, the one it was published with, if it has one and that is satisfied now. It is as sure as its authors say: the study itself stops by
    /// its [`Stopping`](crate::Stopping), whatever the rule says.
    pub fn conclude(&mut self) -> Option<Conclusion> {
        let conclusion = self.ring.conclude()?;
        let Conclusion { arms, sought } = conclusion;
        Some(Conclusion { arms: self.outside_all(arms), sought })
    }

    /// What is known now.
    pub fn verdict(&self) -> Verdict {
        Verdict { front: self.outside_all(self.ring.front()), progress: self.ring.progress, stopped: self.stopped() }
    }

    /// What is known of each arm, under the study's stopping rule.
    pub fn assessment(&mut self) -> Assessment {
        let mut assessment = self.ring.assessment();
        if let Some(whole) = &mut self.whole {
            whole.follow_estimates(&self.ring.problem);
            let mut arms = vec![Certificate::left_out(); whole.places.len()];
            for (certificate, &arm) in assessment.arms.into_iter().zip(&whole.arms) {
                let rival = certificate.rival.map(|rival| whole.arms[rival]);
                arms[arm] = Certificate { rival, ..certificate };
            }
            assessment.arms = arms;
        }
        assessment.caveats = self.caveats();
        assessment
    }

    /// What limits verdicts, by the observations that were looked at: as [`Study::assessment`] has it, without looking at the arms.
    pub fn caveats(&self) -> Vec<Caveat> {
        let caveats = self.ring.caveats();
        match &self.whole {
            None => caveats,
            Some(whole) => caveats.into_iter().map(|caveat| caveat.numbered(&whole.arms)).collect(),
        }
    }

    /// The standard error of the mean of `arm` in an objective, in the objective's own units: from the known variance, or else from
    /// that of the arm's observations; of a quantile, from the observations about it. `None` if there are too few of them, or no such arm or objective.
    pub fn standard_error(&self, arm: usize, objective: usize) -> Option<f64> {
        let (problem, tally) = (self.problem(), self.tally());
        if arm >= problem.arm_count() || objective >= problem.objective_count() {
            return None;
        }
        if let (Some(quantile), Some(ranks)) = (problem.quantile(objective), tally.ranks(arm, objective)) {
            return ranks.standard_error(quantile);
        }
        let n = tally.counts()[arm];
        let variance = match problem.noise(arm, objective) {
            Noise::Variance(variance) => variance,
            Noise::Exact => 0.0,
            Noise::Unknown | Noise::Common | Noise::Bounded { .. } | Noise::Any => tally.variance(arm, objective)?,
            Noise::Bernoulli | Noise::Poisson | Noise::Exponential => {
                problem.family(objective).variance_seen(tally.means().in_units(problem, arm)[objective], n)
            }
        };
        (n > 0.0).then(|| (variance / n).sqrt())
    }

    /// The sample quantile of `arm`, in the objective's own units, where an objective compares one: a number, or that it is more than one. `None` where means are
    /// compared, or without observations.
    pub fn sample_quantile(&self, arm: usize, objective: usize) -> Option<Reading> {
        if arm >= self.problem().arm_count() || objective >= self.problem().objective_count() {
            return None;
        }
        let quantile = self.problem().quantile(objective)?;
        let ranks = self.tally().ranks(arm, objective).filter(|ranks| ranks.len() > 0)?;
        Some(ranks.quantile(quantile))
    }

    /// Between which numbers, in the objective's own units, the quantile of `arm` lies that an objective compares, each of them wrong with a chance of at most
    /// `risk`, whatever the law: two of its observations. An end is `None` where there are too few of them, and both are where means are compared.
    pub fn quantile_interval(&self, arm: usize, objective: usize, risk: f64) -> [Option<f64>; 2] {
        let (problem, tally) = (self.problem(), self.tally());
        if arm >= problem.arm_count() || objective >= problem.objective_count() {
            return [None; 2];
        }
        match (problem.quantile(objective), tally.ranks(arm, objective)) {
            (Some(quantile), Some(ranks)) => ranks.interval(quantile, risk),
            _ => [None; 2],
        }
    }

    /// About how many more observations it will take, if the evidence goes on growing as it has so far. `None` if that cannot be
    /// said: too early, or for a tie.
    pub fn samples_expected(&mut self) -> Option<f64> {
        self.ring.samples_expected()
    }

    /// About how many more observations it will take, if from now on they are spread over the arms as well as can be, where that
    /// can be computed; otherwise as [`Study::samples_expected`]. `None` also as long as some standard error is unknown.
    pub fn samples_expected_at_best(&mut self) -> Option<f64> {
        let (arms, objectives) = (self.ring.problem.arm_count(), self.ring.problem.objective_count());
        let known = |place: usize, objective: usize| {
            let arm = self.whole.as_ref().map_or(place, |whole| whole.arms[place]);
            self.standard_error(arm, objective).is_some()
        };
        if !(0..arms).all(|place| (0..objectives).all(|objective| known(place, objective))) {
            return None;
        }
        self.ring.samples_expected_at_best()
    }

    /// Two arms that are so close that to tell them apart takes more than all that has been done; `None` if there are no such arms, or it is too early to say.
    pub fn tie(&mut self) -> Option<Tie> {
        let tie = self.ring.tie()?;
        let outside = |place: usize| self.whole.as_ref().map_or(place, |whole| whole.arms[place]);
        Some(Tie { arms: tie.arms.map(outside), ..tie })
    }
}
