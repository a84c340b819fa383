//! Which claims about means cannot be the one that decides, without their proofs: most pairs of arms are far from that.
//!
//! Success rates, counts and times are told apart in `hint`, quantiles in `glimpse`. What is said here is right to the last bit: a claim that is passed over would not have been chosen.

use super::about::{at_least, at_most};
use super::claim::Claim;
use super::gauge::{Gauge, Outlook, ROUNDING, UNSEEN, contradicted};
use super::knowledge::{About, Knowledge};
use crate::law::{Gaussian, with_laws};
use crate::problem::Problem;
use crate::side::{Contrast, Side};

/// What is said about a proof quickly is more than the proof by no more than this.
const ABOUT: f64 = 0.2;

impl Gauge {
    /// "`arm` is dominated by `by`", if the means contradict it.
    #[inline(always)]
    pub fn contradiction(&self, problem: &Problem, outlook: Outlook<'_>, arm: usize, by: usize) -> Option<Claim> {
        let (one, two) = (outlook.likely.raised(by), outlook.likely.row(arm));
        let objective = one.iter().zip(two).position(|(one, two)| !(one > two))?;
        // Arms without noise may be level.
        if one[objective] < two[objective] {
            return Some(Claim { objective, ..Claim::FALSE });
        }
        let (ahead, behind) = (self.raised(problem, outlook.likely, by), self.side(problem, outlook.likely, arm));
        contradicted(ahead, behind, objective).map(|objective| Claim { objective, ..Claim::FALSE })
    }

    /// Whether "`arm` is dominated by `by`" may have a rank of `least` or more: quickly, and perhaps wrongly yes. A proof is not more than its cost, which is not more than
    /// that of moving one of the arms all the way.
    #[inline]
    pub fn may_be_dominated(&self, problem: &Problem, outlook: Outlook<'_>, arm: usize, by: usize, least: f64) -> bool {
        if least <= Claim::FALSE.rank() {
            return true;
        }
        if let Some(quantiles) = &self.quantiles {
            return self.may_dominate_by_quantiles(quantiles, problem, outlook, (arm, by), least);
        }
        if problem.kinds().is_some() {
            return with_laws!(problem, laws => self.may_be_dominated_by_kinds(laws, problem, outlook, (arm, by), least));
        }
        let (ahead, behind) = (self.raised(problem, outlook.likely, by), self.side(problem, outlook.likely, arm));
        let cost = |contrast: Contrast| 0.5 * contrast.one.min(contrast.two) * contrast.gap * contrast.gap;
        let Some(learned) = &self.learned else {
            let enough = Claim::cost_of_rank(least);
            let is_far = |contrast: Contrast| {
                if contrast.gap > 0.0 {
                    cost(contrast) >= enough
                } else {
                    contrast.gap == 0.0 && !contrast.is_movable()
                }
            };
            return ahead.against(behind).all(is_far)
                && (self.knowledge.as_ref())
                    .is_none_or(|known| self.may_narrowest_reach((ahead, behind), (by, arm), known, least));
        };
        let (one, two) = (outlook.shown.raised(by), outlook.shown.row(arm));
        // The weight of the dominator is taken from the proof in the objective that decides, whichever that is.
        let (weight, mut may_reach, mut is_certain) = (learned.lesson.ln_dominator(arm, by), false, true);
        for (j, contrast) in ahead.against(behind).enumerate() {
            if !(contrast.gap > 0.0) {
                if contrast.gap == 0.0 && !contrast.is_movable() {
                    continue;
                }
                return false;
            }
            if !contrast.is_movable() {
                continue;
            }
            is_certain = false;
            let shown = Contrast { gap: (one[j] - two[j]).max(0.0), ..contrast };
            let proof = match &self.knowledge {
                None => cost(shown) + ABOUT,
                Some(knowledge) if knowledge.is_tilted(arm, by, j) => return true,
                Some(knowledge) => self.about_at_most(knowledge, (by, arm), j, shown, cost(shown)),
            };
            let claim = Claim { cost: contrast.cost_by(Gaussian), proof, objective: j };
            if claim.rank() < least {
                return false;
            }
            may_reach = may_reach || Claim { proof: proof + weight, ..claim }.rank() * (1.0 + ROUNDING) >= least;
        }
        is_certain || may_reach
    }

    /// No less than about the proof of a lead whose cost is no more than this, where its variance does not come with the mean.
    #[inline]
    pub(super) fn about_at_most(
        &self,
        knowledge: &Knowledge,
        (one, two): (usize, usize),
        objective: usize,
        contrast: Contrast,
        cost: f64,
    ) -> f64 {
        match knowledge.own_terms(one, two, objective) {
            Some((one, two)) => at_most(contrast, one, two),
            None if knowledge.are_early(one, two, objective) => UNSEEN,
            None => knowledge.steepest(objective) * cost + 2.0 * std::f64::consts::LN_2 + ABOUT,
        }
    }

    /// Whether the claim that these leads of `by` over `arm` make, of which there is no lesson, may have a rank of `least` or more: by the narrowest of each kind.
    fn may_narrowest_reach(
        &self,
        (ahead, behind): (Side<'_>, Side<'_>),
        (by, arm): (usize, usize),
        knowledge: &Knowledge,
        least: f64,
    ) -> bool {
        let mut narrowest = [(f64::INFINITY, usize::MAX); 2];
        for (j, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.is_movable()) {
            let cost = contrast.cost_by(Gaussian);
            let of_its_kind = &mut narrowest[self.kind(by, arm, j)];
            if cost < of_its_kind.0 {
                *of_its_kind = (cost, j);
            }
        }
        narrowest.into_iter().filter(|narrowest| narrowest.0 < f64::INFINITY).all(|(cost, j)| {
            let proof = match knowledge.own_terms(by, arm, j) {
                Some((one, two)) => at_most(ahead.contrast(behind, j), one, two).min(cost),
                None if knowledge.are_early(by, arm, j) => UNSEEN,
                None => return true,
            };
            Claim { cost, proof, objective: j }.rank() * (1.0 + ROUNDING) >= least
        })
    }

    /// Whether "`arm` is not dominated by `by`" may have a rank of `most` or less: quickly, and perhaps wrongly yes. Most pairs on a front are far beyond doubt, and the
    /// proof in any objective that may be chosen tells.
    pub fn may_be_undominated_by_less(
        &self,
        problem: &Problem,
        outlook: Outlook<'_>,
        arm: usize,
        by: usize,
        most: f64,
    ) -> bool {
        if let Some(quantiles) = &self.quantiles {
            return self.may_be_undominated_by_quantiles(quantiles, problem, outlook, (arm, by), most);
        }
        if problem.kinds().is_some() {
            return with_laws!(problem, laws => self.may_be_undominated_by_kinds(laws, problem, outlook, (arm, by), most));
        }
        let (ahead, behind) = (self.raised(problem, outlook.likely, arm), self.side(problem, outlook.likely, by));
        let leads = ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.gap > 0.0);
        let (mut proof, mut cost) = (f64::NEG_INFINITY, f64::INFINITY);
        match &self.learned {
            None => {
                // Of each kind the widest lead is proved.
                let mut widest = [(0.0, usize::MAX); 2];
                for (j, contrast) in leads {
                    let cost = contrast.cost_by(Gaussian);
                    let of_its_kind = &mut widest[self.kind(arm, by, j)];
                    if cost > of_its_kind.0 {
                        *of_its_kind = (cost, j);
                    }
                }
                for (own, j) in widest.into_iter().filter(|widest| widest.0 > 0.0) {
                    proof = proof.max(self.at_least((arm, by), j, ahead.contrast(behind, j)).min(own));
                    cost = cost.min(own);
                }
                proof -= self.evenly;
            }
            Some(learned) => {
                let (one, two) = (outlook.shown.raised(arm), outlook.shown.row(by));
                let weights = learned.lesson.ln_objectives(arm, by);
                for (j, contrast) in leads {
                    let shown = Contrast { gap: one[j] - two[j], ..contrast };
                    proof = proof.max(self.at_least((arm, by), j, shown) + weights[j]);
                    cost = cost.min(contrast.cost_by(Gaussian));
                    if Claim::is_beyond(proof, most) {
                        return false;
                    }
                }
                // A sum of objectives has a cost of its own.
                if learned.lesson.direction(arm, by).is_some() {
                    return !Claim::is_beyond(proof, most);
                }
            }
        }
        // The claim is one of those, with no less proof than any: its rank is no less than this. After a lesson one that costs nothing, as nothing has been observed since, is no contradiction.
        let is_further = if cost > 0.0 {
            cost < f64::INFINITY && Claim { cost, proof, objective: 0 }.rank() * (1.0 - ROUNDING) > most
        } else {
            self.learned.is_some() && most < 0.0
        };
        !is_further && !Claim::is_beyond(proof, most)
    }

    /// No more than about the proof, quickly.
    #[inline]
    pub(super) fn at_least(&self, (one, two): (usize, usize), objective: usize, contrast: Contrast) -> f64 {
        let Some(knowledge) = &self.knowledge else { return at_least(contrast, &self.terms[one], &self.terms[two]) };
        match knowledge.own_terms(one, two, objective) {
            Some((one, two)) => at_least(contrast, one, two),
            None if knowledge.is_tilted(one, two, objective) => f64::NEG_INFINITY,
            None => match knowledge.about((one, two), objective, (0.0, 0.0), (0.0, 0.0)) {
                About::Given => at_least(contrast, &self.terms[one], &self.terms[two]),
                About::Estimated(one, two) => at_least(contrast, &one, &two),
                About::Early => UNSEEN,
                About::Tilted(_) => f64::NEG_INFINITY,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::margin::Margin;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::seasons::Seasons;
    use crate::statistic::Statistic;
    use crate::stopping::certified::knowledge::settle;
    use crate::tally::Tally;

    /// By looking at every objective, after a lesson and for Gaussian noise: the lead that is furthest from a proof, the first among equals.
    fn slow_dominated(gauge: &Gauge, problem: &Problem, outlook: Outlook<'_>, arm: usize, by: usize) -> Claim {
        let (ahead, behind) = (gauge.raised(problem, outlook.likely, by), gauge.side(problem, outlook.likely, arm));
        let (one, two) = (outlook.shown.raised(by), outlook.shown.row(arm));
        let mut least = Claim::CERTAIN;
        for (objective, contrast) in ahead.against(behind).enumerate() {
            if !(contrast.gap > 0.0) && (contrast.gap < 0.0 || contrast.is_movable()) {
                return Claim { objective, ..Claim::FALSE };
            }
            let shown = Contrast { gap: one[objective] - two[objective], ..contrast };
            if contrast.is_movable() {
                let proof = gauge.about((by, arm), objective, shown, (one[objective], two[objective]));
                let claim = Claim { cost: contrast.cost_by(Gaussian), proof, objective };
                least = if claim.rank() < least.rank() { claim } else { least };
            }
        }
        let weight = gauge.lesson().map_or(0.0, |lesson| lesson.ln_dominator(arm, by));
        if least.proof.is_finite() { Claim { proof: least.proof + weight, ..least } } else { least }
    }

    /// The same of the lead that is nearest to a proof.
    fn slow_undominated(gauge: &Gauge, problem: &Problem, outlook: Outlook<'_>, arm: usize, by: usize) -> Claim {
        let (ahead, behind) = (gauge.raised(problem, outlook.likely, arm), gauge.side(problem, outlook.likely, by));
        let (one, two) = (outlook.shown.raised(arm), outlook.shown.row(by));
        let mut most = Claim::FALSE;
        for (objective, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.gap > 0.0) {
            let cost = contrast.cost_by(Gaussian);
            if cost == f64::INFINITY {
                return Claim { objective, ..Claim::CERTAIN };
            }
            let shown = Contrast { gap: one[objective] - two[objective], ..contrast };
            let weight = gauge.lesson().map_or(0.0, |lesson| lesson.ln_objectives(arm, by)[objective]);
            let proof = gauge.about((arm, by), objective, shown, (one[objective], two[objective])) + weight;
            if most.is_contradicted() || (proof, cost) > (most.proof, most.cost) {
                most = Claim { cost, proof, objective };
            }
        }
        let are_twins = most.is_contradicted() && gauge.are_twins(problem, outlook.likely, arm, by);
        if are_twins { Claim::CERTAIN } else { most }
    }

    proptest! {
        /// A claim that is passed over would not have been chosen: before a lesson and after it, for medians alone and beside other kinds of noise.
        #[test]
        fn what_is_passed_over_would_not_have_been_chosen(
            kinds in prop::collection::vec(0usize..5, 3),
            values in prop::collection::vec(-6i32..7, 6),
            spread in prop::collection::vec(-1.0f64..1.0, 120),
            counts in (8usize..40, 8usize..40), learns in any::<bool>(), bar in 0.0f64..4.0,
        ) {
            let median = |kind: usize| kind < 3;
            let noise = |kind: usize| match kind {
                3 => Noise::Variance(0.7),
                4 => Noise::Exact,
                _ => Noise::Any,
            };
            let objective = |j: usize| {
                let statistic = if median(kinds[j]) { Statistic::MEDIAN } else { Statistic::Mean };
                Objective::new(format!("{j}"), Goal::Max, noise(kinds[j])).with_statistic(statistic)
            };
            let arms = vec![Arm::named("a"), Arm::named("b"), Arm::named("c")];
            let problem = Problem::new((0..3).map(objective).collect(), arms).unwrap();
            let mut seasons = Seasons::from(Tally::new(&problem));
            let most = counts.0.max(counts.1);
            for round in 0..most {
                if learns && round == most / 2 {
                    seasons.learn(&problem, 0.3, vec![false; 3]);
                }
                for (arm, n) in [counts.0, counts.1, 8].into_iter().enumerate().filter(|&(_, n)| round < n) {
                    let value = |j: usize| {
                        let off = if noise(kinds[j]) == Noise::Exact { 0.0 } else { spread[(7 * n + 40 * arm + 3 * round + j) % 120] };
                        f64::from(values[(3 * arm + j) % 6]) / 4.0 + off
                    };
                    seasons.add(&problem, arm, &(0..3).map(value).collect::<Vec<_>>()).unwrap();
                }
            }
            let gauge = Gauge::new(&problem, &seasons);
            let outlook = gauge.outlook(seasons.all().means());
            for (arm, by) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
                let (out, within) = (gauge.dominated(&problem, outlook, arm, by).rank(), gauge.undominated(&problem, outlook, arm, by).rank());
                for rank in [bar, 0.25 * bar, out, within, 0.9 * out, 1.1 * within] {
                    prop_assert!(out < rank || gauge.may_be_dominated(&problem, outlook, arm, by, rank), "{out} {rank}");
                    prop_assert!(within > rank || gauge.may_be_undominated_by_less(&problem, outlook, arm, by, rank), "{within} {rank}");
                }
            }
        }

        /// The same for Gaussian noise of every kind of variance, from a few observations to many, close together and far apart, with margins and without.
        #[test]
        fn what_is_passed_over_would_not_have_been_chosen_of_gaussian_noise(
            kinds in prop::collection::vec(0usize..4, 3), values in prop::collection::vec(-6i32..7, 9),
            counts in prop::collection::vec(0u32..6, 3), grain in -6i32..3, learns in any::<bool>(), margin in 0usize..3,
            bar in 0.0f64..4.0,
        ) {
            const KINDS: [Noise; 4] = [Noise::Unknown, Noise::Common, Noise::Variance(0.7), Noise::Exact];
            let margin = |j: usize| match margin {
                1 => Margin::Absolute(0.1),
                2 if kinds[j] != 1 => Margin::Relative(0.1),
                _ => Margin::NONE,
            };
            let objective = |j: usize| Objective::new(format!("{j}"), Goal::Max, KINDS[kinds[j]]).with_margin(margin(j));
            let arms = (0..3).map(|arm| Arm::named(format!("{arm}"))).collect();
            let mut problem = Problem::new((0..3).map(objective).collect(), arms).unwrap();
            let mut tally = Tally::new(&problem);
            let row = |arm: usize| -> Vec<f64> { (0..3).map(|j| f64::from(values[3 * arm + j]) * 2f64.powi(grain)).collect() };
            (0..3).for_each(|arm| settle(&mut problem, &mut tally, arm, 4usize.pow(counts[arm]), &row(arm)));
            let mut seasons = Seasons::from(tally);
            if learns {
                seasons.learn(&problem, 0.3, vec![false; 3]);
                for arm in 0..3 {
                    for i in 0..3usize.pow(counts[2 - arm]) - 1 {
                        let off = |j: usize| if KINDS[kinds[j]] == Noise::Exact { 0.0 } else { 0.7 * (0.618 * (i + 7 * j) as f64).fract() };
                        let values: Vec<f64> = row(arm).iter().enumerate().map(|(j, x)| x + off(j)).collect();
                        seasons.add(&problem, arm, &values).unwrap();
                    }
                }
            }
            let gauge = Gauge::new(&problem, &seasons);
            for outlook in [gauge.outlook(seasons.all().means()), Outlook::plain(seasons.all().means())] {
                for (arm, by) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
                    if learns {
                        prop_assert_eq!(gauge.dominated(&problem, outlook, arm, by), slow_dominated(&gauge, &problem, outlook, arm, by));
                        prop_assert_eq!(gauge.undominated(&problem, outlook, arm, by), slow_undominated(&gauge, &problem, outlook, arm, by));
                    }
                    let (out, within) = (gauge.dominated(&problem, outlook, arm, by).rank(), gauge.undominated(&problem, outlook, arm, by).rank());
                    for rank in [bar, 0.25 * bar, out, within, 0.9 * out, 1.1 * within, 0.99 * out, 1.01 * within] {
                        prop_assert!(out < rank || gauge.may_be_dominated(&problem, outlook, arm, by, rank), "{out} {rank}");
                        prop_assert!(within > rank || gauge.may_be_undominated_by_less(&problem, outlook, arm, by, rank), "{within} {rank}");
                    }
                }
            }
        }
    }
}
