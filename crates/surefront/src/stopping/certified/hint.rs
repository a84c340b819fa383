//! Which claims about success rates, counts and times cannot be the one that decides, without a logarithm.
//!
//! What it costs to make two means level is bounded from both sides by the variances between them ([`Law::level_at_least`], [`Law::level_at_most`]), and about a proof by the two parts of that
//! ([`tilted_at_most`]). What is said here is right to the last bit: a claim that is passed over would not have been chosen.

use std::f64::consts::LN_2;

use super::about::{ln_at_least, ln_two_cdf};
use super::claim::Claim;
use super::gauge::{Gauge, Outlook, ROUNDING};
use super::tilted::about_at_least;
use crate::law::{Law, Laws};
use crate::problem::Problem;
use crate::side::{Contrast, Side};

impl Gauge {
    /// By kind: no less than the cost of the narrowest lead of an arm over another, which has none in no objective; infinite where nothing is known.
    #[inline]
    pub(super) fn narrowest_at_most<L: Laws>(
        &self,
        laws: L,
        ahead: Side<'_>,
        behind: Side<'_>,
        (one, two): (usize, usize),
    ) -> [f64; 3] {
        let mut most = [f64::INFINITY; 3];
        if L::GAUSSIAN {
            return most;
        }
        for (j, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.is_movable()) {
            if self.compares_quantile(j) {
                continue;
            }
            let of_its_kind = &mut most[self.kind(one, two, j)];
            let (first, second) =
                laws.of_raised(j, ahead.mean[j]).level_at_most((contrast.one, contrast.two), contrast.gap);
            *of_its_kind = of_its_kind.min(first + second);
        }
        most
    }

    /// No more than the cost of a lead.
    #[inline]
    pub(super) fn lead_at_least(&self, laws: impl Laws, ahead: Side<'_>, objective: usize, contrast: Contrast) -> f64 {
        laws.of_raised(objective, ahead.mean[objective]).level_at_least((contrast.one, contrast.two), contrast.gap)
    }

    /// Whether "`arm` is dominated by `by`" may have a rank of `least` or more, where some noise is not Gaussian.
    pub(super) fn may_be_dominated_by_kinds(
        &self,
        laws: impl Laws,
        problem: &Problem,
        outlook: Outlook<'_>,
        (arm, by): (usize, usize),
        least: f64,
    ) -> bool {
        let (ahead, behind) = (self.raised(problem, outlook.likely, by), self.side(problem, outlook.likely, arm));
        if ahead
            .against(behind)
            .any(|contrast| !(contrast.gap > 0.0 || (contrast.gap == 0.0 && !contrast.is_movable())))
        {
            return false;
        }
        let Some(learned) = &self.learned else { return self.may_narrowest_be(laws, ahead, behind, (arm, by), least) };
        let shown = (outlook.shown.raised(by), outlook.shown.row(arm));
        // The weight of the dominator is taken from the proof in the objective that decides, whichever that is.
        let (weight, mut weighed) = (learned.lesson.ln_dominator(arm, by), f64::NEG_INFINITY);
        let mut is_certain = true;
        for (j, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.is_movable()) {
            is_certain = false;
            let costs = laws.of_raised(j, ahead.mean[j]).level_at_most((contrast.one, contrast.two), contrast.gap);
            let proved = Contrast { gap: (shown.0[j] - shown.1[j]).max(0.0), ..contrast };
            let parts = laws.of_raised(j, shown.0[j]).level_at_most((proved.one, proved.two), proved.gap);
            let proof = self.proof_at_most((by, arm), j, proved, parts);
            let claim = Claim { cost: costs.0 + costs.1, proof, objective: j };
            if claim.rank() * (1.0 + ROUNDING) < least {
                return false;
            }
            weighed = weighed.max(Claim { proof: proof + weight, ..claim }.rank());
        }
        is_certain || !(weighed * (1.0 + ROUNDING) < least)
    }

    /// The same where there is no lesson and every objective that has noise is a lead of `by`: of each kind the narrowest counts, whichever it is.
    fn may_narrowest_be(
        &self,
        laws: impl Laws,
        ahead: Side<'_>,
        behind: Side<'_>,
        (arm, by): (usize, usize),
        least: f64,
    ) -> bool {
        let most = self.narrowest_at_most(laws, ahead, behind, (by, arm));
        let enough = Claim::cost_of_rank(least);
        if most.iter().any(|&cost| cost < enough) {
            return false;
        }
        // By kind: whether there is one, and whether one of those that may be the narrowest may be enough.
        let mut found = [(false, false); 3];
        for (j, contrast) in ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.is_movable()) {
            let kind = self.kind(by, arm, j);
            found[kind].0 = true;
            let law = laws.of_raised(j, ahead.mean[j]);
            let weights = (contrast.one, contrast.two);
            if found[kind].1 || law.level_at_least(weights, contrast.gap) > most[kind] {
                continue;
            }
            let proof = self.proof_at_most((by, arm), j, contrast, law.level_at_most(weights, contrast.gap));
            let claim = Claim { cost: most[kind], proof: proof.min(most[kind]), objective: j };
            found[kind].1 = !(claim.rank() * (1.0 + ROUNDING) < least);
        }
        found.into_iter().all(|(is_there, is_enough)| is_enough || !is_there)
    }

    /// Whether "`arm` is not dominated by `by`" may have a rank of `most` or less, where some noise is not Gaussian.
    pub(super) fn may_be_undominated_by_kinds(
        &self,
        laws: impl Laws,
        problem: &Problem,
        outlook: Outlook<'_>,
        (arm, by): (usize, usize),
        most: f64,
    ) -> bool {
        let (ahead, behind) = (self.raised(problem, outlook.likely, arm), self.side(problem, outlook.likely, by));
        let leads = || ahead.against(behind).enumerate().filter(|(_, contrast)| contrast.gap > 0.0);
        let at_least = |j: usize, contrast: Contrast| self.lead_at_least(laws, ahead, j, contrast);
        let (mut proof, mut cost) = (f64::NEG_INFINITY, f64::INFINITY);
        match &self.learned {
            None => {
                // Of each kind the widest lead is proved, whichever it is.
                let mut widest = [0.0f64; 3];
                leads().for_each(|(j, contrast)| {
                    let of_its_kind = &mut widest[self.kind(arm, by, j)];
                    *of_its_kind = of_its_kind.max(at_least(j, contrast));
                });
                let mut proofs = [f64::INFINITY; 3];
                for (j, contrast) in leads() {
                    let kind = self.kind(arm, by, j);
                    let (one, two) =
                        laws.of_raised(j, ahead.mean[j]).level_at_most((contrast.one, contrast.two), contrast.gap);
                    if one + two >= widest[kind] {
                        let own = self.proof_at_least(laws, (arm, by), j, contrast, (ahead.mean[j], behind.mean[j]));
                        proofs[kind] = proofs[kind].min(own.min(widest[kind]));
                    }
                }
                for (own, least) in proofs.into_iter().zip(widest).filter(|(own, _)| *own < f64::INFINITY) {
                    (proof, cost) = (proof.max(own), cost.min(least));
                }
                proof -= self.evenly;
            }
            Some(learned) => {
                let (one, two) = (outlook.shown.raised(arm), outlook.shown.row(by));
                let weights = learned.lesson.ln_objectives(arm, by);
                for (j, contrast) in leads() {
                    let shown = Contrast { gap: one[j] - two[j], ..contrast };
                    proof = proof.max(self.proof_at_least(laws, (arm, by), j, shown, (one[j], two[j])) + weights[j]);
                    cost = cost.min(at_least(j, contrast));
                }
                // A sum of objectives has a cost of its own.
                if learned.lesson.direction(arm, by).is_some() {
                    return !Claim::is_beyond(proof, most);
                }
            }
        }
        // The claim is one of those, with no less proof than any: its rank is no less than this.
        let is_further = cost > 0.0 && cost < f64::INFINITY && {
            let rank = Claim { cost, proof, objective: 0 }.rank();
            rank * (1.0 - ROUNDING) > most
        };
        !is_further && !Claim::is_beyond(proof, most)
    }

    /// No more than about the proof of a lead of these means; minus infinity where nothing is known.
    fn proof_at_least(
        &self,
        laws: impl Laws,
        (one, two): (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
    ) -> f64 {
        if !self.knowledge.as_ref().is_some_and(|knowledge| knowledge.is_tilted(one, two, objective)) {
            return self.at_least((one, two), objective, contrast);
        }
        let known = self.knowledge.as_ref().and_then(|knowledge| knowledge.tilts(one, two, objective));
        let Some((kind, tilts)) = known.filter(|_| contrast.gap > 0.0 && contrast.one + contrast.two > 0.0) else {
            return f64::NEG_INFINITY;
        };
        let level = (contrast.one * means.0 + contrast.two * means.1) / (contrast.one + contrast.two);
        let variance = kind.family.variance(kind.sign * level);
        if !(variance > 0.0) {
            return f64::NEG_INFINITY;
        }
        let costs = laws.of_raised(objective, means.0).parts_at_least((contrast.one, contrast.two), contrast.gap);
        about_at_least(costs, (contrast.one * variance, contrast.two * variance), tilts)
    }

    /// No less than about the proof of a lead, whose cost has no more than these parts.
    fn proof_at_most(
        &self,
        (one, two): (usize, usize),
        objective: usize,
        contrast: Contrast,
        parts: (f64, f64),
    ) -> f64 {
        let Some(knowledge) = self.knowledge.as_ref().filter(|_| !self.compares_quantile(objective)) else {
            return f64::INFINITY;
        };
        if knowledge.is_by_range(objective) {
            f64::INFINITY
        } else if knowledge.is_tilted(one, two, objective) {
            let widths = if self.learned.is_none() { 2.0 * LN_2 } else { 0.0 };
            tilted_at_most(parts, self.counts[one] + self.counts[two]) - widths
        } else {
            self.about_at_most(knowledge, (one, two), objective, contrast, parts.0 + parts.1)
        }
    }
}

/// No less than about a proof at any width, where making two arms of so many observations level costs no more than these parts: of a cost c and with the information I at the scale s, c z + ½ ln(1 − z) with
/// z = I/(I + s) is most at 1 − z = 1/2c.
fn tilted_at_most((one, two): (f64, f64), count: f64) -> f64 {
    let part = |cost: f64| {
        let known = if cost > 0.5 { cost - 0.5 - 0.5 * ln_at_least(2.0 * cost) } else { 0.0 };
        known + ln_two_cdf((2.0 * cost).sqrt())
    };
    // The null is known but for its last digit, which so many observations are off by.
    let most = part(one) + part(two);
    most + ROUNDING * (1.0 + most) + 16.0 * f64::EPSILON * count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::law::with_laws;
    use crate::margin::Margin;
    use crate::problem::{Arm, Goal, Noise, Objective};
    use crate::seasons::Seasons;
    use crate::tally::Tally;

    const KINDS: [Noise; 6] =
        [Noise::Bernoulli, Noise::Bernoulli, Noise::Poisson, Noise::Exponential, Noise::Variance(0.7), Noise::Exact];

    /// The i-th observation of an arm around a place from −6 to 6; at an end of it at the edge of the domain.
    fn value(noise: Noise, place: i32, grain: i32, i: usize) -> f64 {
        let unit = 2f64.powi(grain);
        match noise {
            Noise::Bernoulli => f64::from(u8::from(((7 * i + 3) % 12) as i32 - 6 < place)),
            Noise::Poisson => (f64::from(place + 6) * unit).round(),
            Noise::Exponential => (f64::from(place + 7) + 0.1 * (i % 5) as f64) * unit,
            _ => f64::from(place) * unit,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// A claim that is passed over would not have been chosen, and its objective is the narrowest: before a lesson and after it, at the edge of the domain, with ties, from one observation to thousands, with
        /// margins and without, where less is better as well.
        #[test]
        fn what_is_passed_over_would_not_have_been_chosen(
            kinds in prop::collection::vec(0usize..6, 3), max in prop::collection::vec(any::<bool>(), 3),
            places in prop::collection::vec(-6i32..=6, 9), counts in prop::collection::vec(0u32..7, 3), grain in -3i32..6,
            learns in any::<bool>(), has_margin in prop::bool::weighted(0.2), bar in 0.0f64..4.0,
        ) {
            let noise = |j: usize| KINDS[kinds[j]];
            let objective = |j: usize| {
                let goal = if max[j] { Goal::Max } else { Goal::Min };
                let margin = if has_margin { Margin::Absolute(0.01) } else { Margin::NONE };
                Objective::new(format!("{j}"), goal, noise(j)).with_margin(margin)
            };
            let arms = (0..3).map(|arm| Arm::named(format!("{arm}"))).collect();
            let problem = Problem::new((0..3).map(objective).collect(), arms).unwrap();
            let mut seasons = Seasons::from(Tally::new(&problem));
            let observe = |seasons: &mut Seasons, arm: usize, times: usize| {
                for i in 0..times {
                    let values: Vec<f64> = (0..3).map(|j| value(noise(j), places[3 * arm + j], grain, i)).collect();
                    seasons.add(&problem, arm, &values).unwrap();
                }
            };
            (0..3).for_each(|arm| observe(&mut seasons, arm, 4usize.pow(counts[arm])));
            if learns {
                seasons.learn(&problem, 0.3, vec![false; 3]);
                (0..3).for_each(|arm| observe(&mut seasons, arm, 3usize.pow(counts[2 - arm])));
            }
            let gauge = Gauge::new(&problem, &seasons);
            for outlook in [gauge.outlook(seasons.all().means()), Outlook::plain(seasons.all().means())] {
                for (arm, by) in [(0, 1), (1, 0), (0, 2), (2, 1)] {
                    let claim = gauge.dominated(&problem, outlook, arm, by);
                    let out = claim.rank();
                    for rank in [bar, 0.25 * bar, out, 0.9 * out, 0.99 * out, 0.999_999 * out] {
                        prop_assert!(out < rank || gauge.may_be_dominated(&problem, outlook, arm, by, rank), "{out} {rank}");
                    }
                    let within = gauge.undominated(&problem, outlook, arm, by).rank();
                    for rank in [bar, 4.0 * bar, within, 1.1 * within, 1.01 * within, 1.000_001 * within] {
                        prop_assert!(within > rank || gauge.may_be_undominated_by_less(&problem, outlook, arm, by, rank), "{within} {rank}");
                    }
                    let contradiction = gauge.contradiction(&problem, outlook, arm, by);
                    prop_assert_eq!(contradiction.is_some(), claim.is_contradicted());
                    prop_assert!(contradiction.is_none_or(|found| found == claim));
                    let is_tilted = |j: usize| gauge.kind(by, arm, j) == 1;
                    if claim.is_contradicted() || learns || !(0..3).all(is_tilted) {
                        continue;
                    }
                    let (ahead, behind) = (gauge.raised(&problem, outlook.likely, by), gauge.side(&problem, outlook.likely, arm));
                    let cost = |j: usize| with_laws!(problem, laws => ahead.contrast(behind, j).cost_by(laws.of_raised(j, ahead.mean[j])));
                    let narrowest = (0..3).map(|j| (cost(j), j)).reduce(|one, two| if two.0 < one.0 { two } else { one });
                    prop_assert_eq!(Some((claim.cost, claim.objective)), narrowest);
                }
            }
        }
    }
}
