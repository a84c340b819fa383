//! The proofs of claims about two arms, without approximation or no less than that at a glance: what certificates rest on.

use super::gauge::Gauge;
use super::knowledge::Contest;
use super::mixture::{Care, Coordinate, average, proof};
use crate::model::Model;
use crate::problem::Problem;
use crate::side::Contrast;

/// What rounding may take from a sum of proofs.
const ROUNDING: f64 = 1e-9;

impl Gauge {
    /// The proof of "`arm` is dominated by `by`" without approximation, or no less than it at a glance; of the means that proofs are about.
    pub fn proof_dominated(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, care: Care) -> f64 {
        let (ahead, behind) = (self.raised(problem, shown, by), self.side(problem, shown, arm));
        let narrowest = ahead
            .against(behind)
            .enumerate()
            // Without noise, to be equal is enough.
            .filter(|(_, contrast)| contrast.is_movable() || contrast.gap != 0.0)
            .map(|(j, contrast)| self.proof_ahead((by, arm), j, contrast, (ahead.mean[j], behind.mean[j]), care))
            .fold(f64::INFINITY, f64::min);
        narrowest + self.ln_dominator(arm, by)
    }

    /// Whether the proof of "`arm` is dominated by `by`" is at least `bar`.
    pub fn proves_dominated(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, bar: f64) -> bool {
        // Most often a glance tells that it is too little.
        if !self.may_prove_dominated(problem, shown, arm, by, bar) {
            return false;
        }
        let Some(quantiles) = &self.quantiles else {
            return self.bracket_dominated(problem, shown, arm, by).low >= bar
                || self.every_lead(problem, shown, arm, by, Care::Full, bar);
        };
        let weight = self.ln_dominator(arm, by);
        let (ahead, behind) = (self.raised(problem, shown, by), self.side(problem, shown, arm));
        let mut leads = ahead.against(behind).enumerate();
        leads.all(|(j, contrast)| match quantiles.compares(j) {
            true => contrast.gap > 0.0 && quantiles.reaches(by, arm, j, bar - weight),
            // Without noise, to be equal is enough.
            false => {
                let level = contrast.gap == 0.0 && !contrast.is_movable();
                level
                    || self.proof_ahead((by, arm), j, contrast, (ahead.mean[j], behind.mean[j]), Care::Full) + weight
                        >= bar
            }
        })
    }

    /// Whether the proof of "`arm` is dominated by `by`" may be at least `bar`, by a glance.
    pub fn may_prove_dominated(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, bar: f64) -> bool {
        self.every_lead(problem, shown, arm, by, Care::Glance, bar)
    }

    /// Whether [`Gauge::proof_dominated`] is at least `bar`: the narrowest lead is looked at first, and no further one once one tells that it is not. NaN is no proof.
    fn every_lead(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, care: Care, bar: f64) -> bool {
        // Most are not ahead of it in every objective.
        if shown.raised(by).iter().zip(shown.row(arm)).any(|(one, two)| one < two) {
            return false;
        }
        let (ahead, behind) = (self.raised(problem, shown, by), self.side(problem, shown, arm));
        // Without noise, to be equal is enough.
        let is_level = |contrast: &Contrast| contrast.gap == 0.0 && !contrast.is_movable();
        let mut narrowest = (f64::INFINITY, usize::MAX);
        for (j, contrast) in ahead.against(behind).enumerate() {
            if !(contrast.gap > 0.0) {
                if is_level(&contrast) {
                    continue;
                }
                return false;
            }
            let width = contrast.one.min(contrast.two) * contrast.gap * contrast.gap;
            if width < narrowest.0 {
                narrowest = (width, j);
            }
        }
        let weight = self.ln_dominator(arm, by);
        let reaches = |j: usize, contrast: Contrast| {
            let means = (ahead.mean[j], behind.mean[j]);
            // Most often the first look tells.
            !(care == Care::Glance && self.most_at_first_sight((by, arm), j, contrast, means) + weight + ROUNDING < bar)
                && self.proof_ahead((by, arm), j, contrast, means, care) + weight >= bar
        };
        let is_first = |j: usize| j == narrowest.1;
        (narrowest.1 == usize::MAX || reaches(narrowest.1, ahead.contrast(behind, narrowest.1)))
            && (ahead.against(behind).enumerate())
                .all(|(j, contrast)| is_first(j) || is_level(&contrast) || reaches(j, contrast))
    }

    /// Whether the proof of "`arm` is not dominated by `by`" is at least `bar`.
    pub fn proves_undominated(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, bar: f64) -> bool {
        // Most often a glance tells that it is too little. NaN is no proof.
        if !(self.proof_undominated(problem, shown, arm, by, Care::Glance) >= bar) {
            return false;
        }
        if let Some(quantiles) = &self.quantiles {
            // One lead may be enough by itself.
            let (ahead, behind) = (self.raised(problem, shown, arm), self.side(problem, shown, by));
            let evenly = -self.evenly;
            let weight = |j: usize| self.lesson().map_or(evenly, |lesson| lesson.ln_objectives(arm, by)[j]);
            let leads = |(j, contrast): (usize, Contrast)| {
                let enough = bar - weight(j) + ROUNDING;
                quantiles.compares(j)
                    && contrast.gap > 0.0
                    && quantiles.glance(arm, by, j) >= enough
                    && quantiles.reaches(arm, by, j, enough)
            };
            if ahead.against(behind).enumerate().any(leads) {
                return true;
            }
        }
        self.proves_undominated_more(problem, shown, arm, by, bar)
            || self.proof_undominated(problem, shown, arm, by, Care::Full) >= bar
    }

    /// The logarithm of the weight of a dominator, where they have weights.
    pub(super) fn ln_dominator(&self, arm: usize, by: usize) -> f64 {
        self.lesson().map_or(0.0, |lesson| lesson.ln_dominator(arm, by))
    }

    /// The proof of "`arm` is not dominated by `by`" without approximation, or no less than it at a glance; of the means that proofs are about.
    pub fn proof_undominated(&self, problem: &Problem, shown: &Model, arm: usize, by: usize, care: Care) -> f64 {
        let (ahead, behind) = (self.raised(problem, shown, arm), self.side(problem, shown, by));
        let leads = ahead.against(behind).enumerate();
        let proofs: Vec<f64> = leads
            .map(|(j, contrast)| self.proof_ahead((arm, by), j, contrast, (ahead.mean[j], behind.mean[j]), care))
            .collect();
        let along = self.along(shown, arm, by).map(|(contrast, weight)| {
            (if contrast.gap > 0.0 { self.proof_weights(arm, by, contrast, care) } else { f64::NEG_INFINITY }, weight)
        });
        let top = proofs.iter().copied().chain(along.map(|along| along.0)).fold(f64::NEG_INFINITY, f64::max);
        if top.is_infinite() {
            return if self.are_twins(problem, shown, arm, by) { f64::INFINITY } else { top };
        }
        let parts = proofs.iter().map(|proof| (proof - top).exp());
        let average = match self.lesson() {
            None => parts.sum::<f64>() / shown.objective_count() as f64,
            Some(lesson) => {
                let weights = lesson.ln_objectives(arm, by);
                let objectives: f64 = parts.zip(weights.iter()).map(|(part, weight)| part * weight.exp()).sum();
                along.map_or(objectives, |(proof, weight)| objectives + (proof - top + weight).exp())
            }
        };
        top + average.ln()
    }

    /// The proof that `ahead` is ahead of `behind` in an objective: minus infinity where it does not seem so, infinite where it is
    /// and neither has noise.
    pub(super) fn proof_ahead(
        &self,
        (ahead, behind): (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
        care: Care,
    ) -> f64 {
        if !(contrast.gap > 0.0) {
            return f64::NEG_INFINITY;
        }
        if let Some(quantiles) = self.quantiles_in(objective) {
            return match care {
                Care::Glance => quantiles.glance(ahead, behind, objective),
                Care::Full => quantiles.proof(ahead, behind, objective),
            };
        }
        match self.contest((ahead, behind), objective, contrast, means) {
            Contest::Weights => self.proof_weights(ahead, behind, contrast, care),
            Contest::Early => f64::NEG_INFINITY,
            Contest::Shared(shared) => match care {
                Care::Glance => average(shared.glances()),
                Care::Full => average(shared.proofs()),
            },
            Contest::Tilted(duel) => duel.proof(care),
            Contest::Tugs(tugs) => match care {
                Care::Glance => average(tugs.map(|tug| tug.glance().value)),
                Care::Full => average(tugs.map(|tug| tug.least())),
            },
        }
    }

    /// The same, where the variances are known.
    fn proof_weights(&self, ahead: usize, behind: usize, contrast: Contrast, care: Care) -> f64 {
        let Contrast { gap, one, two } = contrast;
        let coordinate = |arm: usize, weight: f64| Coordinate { count: self.counts[arm], weight };
        let scales = self.terms[ahead].zip(self.terms[behind]).map(|(one, two)| (one.scale, two.scale));
        proof(care, coordinate(ahead, one), coordinate(behind, two), gap, scales)
    }
}
