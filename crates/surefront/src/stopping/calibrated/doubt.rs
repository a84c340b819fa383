//! The doubt about an arm: the chance that noise alone would show as much as there is for its standing.
//!
//! A lead of x standard errors shows where there is none with probability Φ(−x). That an arm is not dominated takes a lead in one
//! objective, whichever; that it is dominated takes a narrowest lead of one other arm, whichever. Where one of several would do, the doubt is the
//! harmonic mean of theirs, which holds about whatever their noise has to do with each other. Those count as well that luck could have put ahead and has not.

use super::ln_sum::ln_add;
use crate::family::Family;
use crate::front::covers;
use crate::law::{Law, Laws, with_laws};
use crate::limit::{Layout, POST, behind_post};
use crate::model::Model;
use crate::problem::Problem;
use crate::question::Question;
use crate::side::{Contrast, Side};

/// An objective in which an arm is behind by this many times its surest lead elsewhere is not one where luck could have put it ahead: it
/// is not counted among those that might have. Nor is an arm counted among those that might have seemed to dominate another that is so far from it.
const FAR_BEHIND: f64 = 1.5;

/// The first few times are looked at one by one, and each may change much: their cost is corrected by so many times as much as if they were looked at once.
const CAREFUL: f64 = 3.0;

/// The doubt about one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Doubt {
    /// The logarithm of its probability.
    pub ln: f64,
    /// The arm that decides; `None` if there is no other.
    pub rival: Option<usize>,
    /// The objective that decides.
    pub objective: usize,
    /// Whether it does so by its limit.
    pub by_limit: bool,
    /// The observations of both arms: how often they were looked at.
    pub looks: f64,
    /// Of an arm that others dominate: how far others may be from that, in standard errors, and count; else nothing.
    pub reach: f64,
}

impl Doubt {
    /// Nothing can change the arm's standing.
    const NONE: Doubt =
        Doubt { ln: f64::NEG_INFINITY, rival: None, objective: 0, by_limit: false, looks: 0.0, reach: 0.0 };

    /// The doubt about where `arm` stands.
    pub fn about(question: &Question<'_>, arm: usize) -> Doubt {
        if question.front().contains(arm) {
            Doubt::about_in(question, arm, question.coverers(arm))
        } else {
            with_laws!(question.problem(), laws => about_out(laws, question, arm))
        }
    }

    /// The doubt that `arm`, of the front, is dominated by none of these: by the one that comes closest.
    pub fn about_in(question: &Question<'_>, arm: usize, rivals: impl Iterator<Item = usize>) -> Doubt {
        let others = rivals.filter(|&rival| rival != arm);
        let Some(limits) = LimitDoubts::new(question) else {
            return others.fold(Doubt::NONE, |largest, rival| largest.or_against(question, arm, rival));
        };
        let doubts = others.map(|rival| {
            let against = Doubt::against(question, arm, rival);
            // Who breaks a limit dominates nobody.
            let broken = limits.broken(rival);
            if broken.ln < against.ln { Doubt { rival: Some(rival), ..broken } } else { against }
        });
        doubts.fold(limits.kept(arm), |largest, doubt| if doubt.ln > largest.ln { doubt } else { largest })
    }

    /// That `arm` is dominated by `rival` alone.
    pub fn against(question: &Question<'_>, arm: usize, rival: usize) -> Doubt {
        Doubt::NONE.or_against(question, arm, rival)
    }

    /// Whether `rival`, as it is here, counts for this doubt about an `arm` that is dominated: it dominates it, or is near to that.
    pub fn counts(&self, question: &Question<'_>, arm: usize, rival: Side<'_>) -> bool {
        let problem = question.problem();
        with_laws!(problem, laws => is_near(laws, problem, rival, question.side(arm), self.reach))
    }

    /// This doubt, or that `arm` is dominated by `rival`, whichever is larger. Of two that are equal, the first arm's, so that the order in
    /// which they are looked at does not matter.
    pub fn or_against(self, question: &Question<'_>, arm: usize, rival: usize) -> Doubt {
        with_laws!(question.problem(), laws => self.or_against_by(laws, question, arm, rival))
    }

    fn or_against_by(self, laws: impl Laws, question: &Question<'_>, arm: usize, rival: usize) -> Doubt {
        let (one, other) = (question.raised(arm), question.side(rival));
        let Some((lead, objective)) = surest(laws, question.problem(), one, other) else { return self };
        // The mean is at most all objectives times its smallest part, which is at most exp(−x²/2).
        let at_most = (one.mean.len() as f64).ln() - cost(lead);
        if self.rival.is_some() && at_most < self.ln {
            return self;
        }
        let ln = not_ahead(laws, question.problem(), one, other, lead);
        if self.rival.is_none_or(|known| ln > self.ln || (ln == self.ln && rival < known)) {
            Doubt { ln, rival: Some(rival), objective, looks: one.weight + other.weight, ..Doubt::NONE }
        } else {
            self
        }
    }
}

/// The surest lead of `one`, in standard errors, negative if it is behind everywhere, and its objective; `None` if it is ahead without any
/// doubt, or there is nothing to doubt.
fn surest(laws: impl Laws, problem: &Problem, one: Side<'_>, other: Side<'_>) -> Option<(f64, usize)> {
    let mut surest: Option<(f64, usize)> = None;
    for (j, contrast) in one.against(other).enumerate() {
        if contrast.is_movable() {
            let lead = lead(laws, problem, j, one, contrast);
            if surest.is_none_or(|surest| lead > surest.0) {
                surest = Some((lead, j));
            }
        } else if contrast.gap > 0.0 {
            return None;
        }
    }
    surest
}

/// ln of the chance that `one` would show such leads, of which this is the surest, if it were ahead of `other` nowhere.
fn not_ahead(laws: impl Laws, problem: &Problem, one: Side<'_>, other: Side<'_>, surest: f64) -> f64 {
    if surest <= 0.0 {
        return 0.0;
    }
    let mut mean = HarmonicMean::default();
    let movable = one.against(other).enumerate().filter(|(_, contrast)| contrast.is_movable());
    let leads = movable.map(|(j, contrast)| lead(laws, problem, j, one, contrast));
    // Early on, nothing is far behind.
    leads.filter(|&lead| lead >= -FAR_BEHIND * surest.max(1.0)).for_each(|lead| mean.take(by_chance(lead)));
    mean.ln()
}

/// Whether `one` is ahead of `other` in every objective, or behind by no more than so many standard errors.
fn is_near(laws: impl Laws, problem: &Problem, one: Side<'_>, other: Side<'_>, reach: f64) -> bool {
    one.against(other).enumerate().all(|(j, contrast)| {
        contrast.gap >= 0.0 || (contrast.is_movable() && lead(laws, problem, j, one, contrast) >= -reach)
    })
}

/// An arm off the front is dominated if any arm of it dominates it. Where that is false, each arm that nearly does was a chance to be misled.
fn about_out(laws: impl Laws, question: &Question<'_>, arm: usize) -> Doubt {
    let own = question.side(arm);
    let mut surest: Option<(f64, Doubt)> = None;
    let mut mean = HarmonicMean::default();
    let limits = LimitDoubts::new(question);
    if let Some(limits) = &limits {
        let broken = limits.broken(arm);
        // One reason is enough, and this one needs nobody else.
        if !question.model().is_feasible(arm) {
            return broken;
        }
    }
    for &rival in question.front().members() {
        let other = question.raised(rival);
        if !covers(other.mean, own.mean) {
            continue;
        }
        let movable = other.against(own).enumerate().filter(|(_, contrast)| contrast.is_movable());
        let narrowest = movable
            .map(|(j, contrast)| (lead(laws, question.problem(), j, other, contrast), j))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((lead, objective)) = narrowest else { return Doubt { rival: Some(rival), ..Doubt::NONE } };
        let doubt = Doubt { rival: Some(rival), objective, looks: own.weight + other.weight, ..Doubt::NONE };
        let kept = limits.as_ref().map_or(f64::NEG_INFINITY, |limits| limits.kept(rival).ln);
        mean.take(by_chance(lead).max(kept));
        if surest.is_none_or(|surest| lead > surest.0) {
            surest = Some((lead, doubt));
        }
    }
    let (lead, doubt) = surest.expect("an arm off the front is dominated by one on it");
    let reach = FAR_BEHIND * lead.max(1.0);
    for &rival in question.front().members() {
        let other = question.raised(rival);
        if !covers(other.mean, own.mean) && is_near(laws, question.problem(), other, own, reach) {
            mean.take(0.0);
        }
    }
    Doubt { ln: mean.ln(), reach, ..doubt }
}

/// The doubts that arms keep their limits, or break one: that they dominate the post, or do not.
struct LimitDoubts<'a> {
    gate: &'a Problem,
    readings: &'a Model,
    layout: &'a Layout,
    weights: &'a [f64],
}

impl<'a> LimitDoubts<'a> {
    fn new(question: &Question<'a>) -> Option<Self> {
        let (gate, readings) = (question.problem().gate()?, question.model().limited()?);
        Some(LimitDoubts { gate: gate.problem(), readings, layout: gate.layout(), weights: question.weights() })
    }

    fn side(&self, place: usize, weight: f64) -> Side<'a> {
        Side { mean: self.readings.row(place), precision: self.gate.precision(place), weight }
    }

    /// The post, and an arm.
    fn sides(&self, arm: usize) -> (Side<'a>, Side<'a>) {
        (self.side(POST, 0.0), self.side(behind_post(arm), self.weights[arm]))
    }

    fn about(&self, arm: usize, ln: f64, limit: usize) -> Doubt {
        let objective = self.layout.limits[limit].0;
        Doubt { ln, objective, by_limit: true, looks: self.weights[arm], ..Doubt::NONE }
    }

    /// That `arm` keeps all limits: by the one that it keeps least surely.
    fn kept(&self, arm: usize) -> Doubt {
        let (post, own) = self.sides(arm);
        let movable = own.against(post).enumerate().filter(|(_, contrast)| contrast.is_movable());
        let leads = movable.map(|(limit, contrast)| {
            (with_laws!(self.gate, laws => lead(laws, self.gate, limit, own, contrast)), limit)
        });
        let narrowest = leads.min_by(|a, b| a.0.total_cmp(&b.0));
        narrowest.map_or(Doubt::NONE, |(lead, limit)| self.about(arm, by_chance(lead), limit))
    }

    /// That `arm` breaks a limit, whichever.
    fn broken(&self, arm: usize) -> Doubt {
        let (post, own) = self.sides(arm);
        with_laws!(self.gate, laws => match surest(laws, self.gate, post, own) {
            Some((lead, limit)) => self.about(arm, not_ahead(laws, self.gate, post, own, lead), limit),
            None => {
                let certain = post.against(own).position(|contrast| !contrast.is_movable() && contrast.gap > 0.0);
                // Without noise, what is not broken is kept.
                certain.map_or_else(|| self.about(arm, 0.0, 0), |limit| self.about(arm, f64::NEG_INFINITY, limit))
            }
        })
    }
}

/// How far the first arm, which is `one`, is ahead, in standard errors; negative where it is behind. The root of twice the cost is as seldom as so many standard
/// errors, or, where the noise is not Gaussian, about as seldom.
fn lead<L: Laws>(laws: L, problem: &Problem, objective: usize, one: Side<'_>, contrast: Contrast) -> f64 {
    let cost = match problem.kind(objective) {
        kind if !L::GAUSSIAN && kind.family != Family::Gaussian => {
            let law = |mean: f64| laws.of_raised(objective, mean);
            careful_cost(kind.family, law, one.mean[objective], contrast)
        }
        _ => contrast.cost_by(laws.of_raised(objective, one.mean[objective])),
    };
    (2.0 * cost).sqrt().copysign(contrast.gap)
}

/// The cost of a lead as it is with few observations. What comes in steps of one is taken to be half a step nearer (Yates 1934): two successes of two and none of two
/// happen more often than their cost says. Twice the cost of times has a mean a little above one, by which it is divided (Bartlett 1937).
fn careful_cost<L: Law>(family: Family, law: impl Fn(f64) -> L, mean: f64, contrast: Contrast) -> f64 {
    let Contrast { gap, one, two } = contrast;
    if family == Family::Exponential {
        let more = (one.recip() + two.recip() - (one + two).recip()) / 6.0;
        return contrast.cost_by(law(mean)) / (1.0 + CAREFUL * more);
    }
    let (own, other) = (0.5 / one, 0.5 / two);
    let left = gap.abs() - own - other;
    if !(left > 0.0) {
        return 0.0;
    }
    Contrast { gap: left.copysign(gap), ..contrast }.cost_by(law(mean - own.copysign(gap)))
}

/// The cost of a lead; none where there is none.
fn cost(lead: f64) -> f64 {
    0.5 * lead.max(0.0).powi(2)
}

/// ln of the chance of such a lead where there is none, by Sampford's bound (1953) on Mills' ratio: never too small, and at most 1 % too
/// large beyond two standard errors. Who is behind shows nothing.
fn by_chance(lead: f64) -> f64 {
    const LN_DENSITY: f64 = 0.467_355_827_915_218_1;
    if lead > 0.0 { LN_DENSITY - (3.0 * lead + (lead * lead + 8.0).sqrt()).ln() - 0.5 * lead * lead } else { 0.0 }
}

/// The harmonic mean of probabilities, by their logarithms.
struct HarmonicMean {
    count: f64,
    /// ln of the sum of the inverses.
    ln_sum: f64,
}

impl Default for HarmonicMean {
    fn default() -> Self {
        HarmonicMean { count: 0.0, ln_sum: f64::NEG_INFINITY }
    }
}

impl HarmonicMean {
    fn take(&mut self, ln: f64) {
        self.count += 1.0;
        self.ln_sum = ln_add(self.ln_sum, -ln);
    }

    /// ln of the mean of at least one.
    fn ln(&self) -> f64 {
        debug_assert!(self.count > 0.0);
        self.count.ln() - self.ln_sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front::Front;
    use crate::model::Model;
    use crate::weights::Weights;

    /// The doubts of all arms of unit variance, each at this weight.
    fn doubts(means: &[Vec<f64>], weight: f64) -> Vec<Doubt> {
        let problem = crate::testing::unit_problem(means.len(), means[0].len());
        let model = Model::new(&problem, means).unwrap();
        let front = Front::of(&model);
        let weights = Weights::new(means.len(), vec![weight; means.len()]).unwrap();
        let question = Question::new(&problem, &model, &front, &weights).unwrap();
        (0..means.len()).map(|arm| Doubt::about(&question, arm)).collect()
    }

    fn tail(x: f64) -> f64 {
        by_chance(x).exp()
    }

    #[test]
    fn the_chance_of_a_lead_is_the_tail_of_the_normal_law_or_a_little_more() {
        for x in (1..400).map(|i| f64::from(i) / 10.0) {
            let more = by_chance(x) - crate::normal::ln_cdf(-x).0;
            assert!((0.0..0.13).contains(&more) && (x < 2.0 || more < 0.01), "{x}: {more}");
        }
    }

    /// One of four that come near to dominating an arm, each but for a hair in another objective, has come to: any of them might have.
    #[test]
    fn those_that_are_near_to_dominating_count() {
        let rival = |own: usize, gap: f64| (0..4).map(|j| if j == own { gap } else { 3.0 }).collect::<Vec<f64>>();
        let doubt = |others: f64| {
            let near = (1..4).map(|own| rival(own, others));
            let means: Vec<Vec<f64>> = [vec![0.0; 4], rival(0, 0.1)].into_iter().chain(near).collect();
            doubts(&means, 2000.0)[0]
        };
        let (alone, among_four) = (doubt(-2.0), doubt(-0.05));
        assert_eq!((alone.rival, alone.objective, among_four.rival), (Some(1), 0, Some(1)));
        assert!((alone.ln - by_chance(0.1 * 1000f64.sqrt())).abs() < 1e-9, "{alone:?}");
        assert!((among_four.ln - alone.ln - 4f64.ln()).abs() < 0.01, "{among_four:?}");
    }

    /// As the definitions have it: everything looked at, in plain numbers.
    fn slow(means: &[Vec<f64>], weight: f64, arm: usize) -> f64 {
        let leads = |one: usize, other: usize| -> Vec<f64> {
            means[one].iter().zip(&means[other]).map(|(a, b)| (a - b) / (2.0 / weight).sqrt()).collect()
        };
        let mean = |parts: &[f64]| parts.len() as f64 / parts.iter().map(|p| 1.0 / p).sum::<f64>();
        let others = || (0..means.len()).filter(|&other| other != arm);
        let narrowest = |one: usize, other: usize| leads(one, other).into_iter().fold(f64::INFINITY, f64::min);
        let on_front = |k: usize| (0..means.len()).all(|b| b == k || narrowest(b, k) < 0.0);
        if on_front(arm) {
            let against = |rival: usize| {
                let leads = leads(arm, rival);
                let surest = leads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let counted: Vec<f64> = leads.into_iter().filter(|&x| x >= -FAR_BEHIND * surest.max(1.0)).collect();
                mean(&counted.into_iter().map(|x| if x > 0.0 { tail(x) } else { 1.0 }).collect::<Vec<_>>())
            };
            others().filter(|&rival| on_front(rival)).map(against).fold(0.0, f64::max)
        } else {
            let leads: Vec<f64> = others().filter(|&b| on_front(b)).map(|b| narrowest(b, arm)).collect();
            let surest = leads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let near = leads.into_iter().filter(|&x| x >= 0.0 || x >= -FAR_BEHIND * surest.max(1.0));
            mean(&near.map(|x| if x >= 0.0 { tail(x) } else { 1.0 }).collect::<Vec<_>>())
        }
    }

    proptest! {
        #[test]
        fn doubts_are_as_defined(
            means in (1usize..5).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(-2.0..2.0f64, d), 1..9)),
            weight in 0.5..20.0f64,
        ) {
            for (arm, doubt) in doubts(&means, weight).into_iter().enumerate() {
                let expected = slow(&means, weight, arm);
                prop_assert!((doubt.ln.exp() - expected).abs() <= 1e-9 * expected, "{} {}", doubt.ln.exp(), expected);
            }
        }
    }

    #[test]
    fn the_doubt_that_an_arm_is_dominated_is_that_of_the_narrowest_lead() {
        // Two arms with weight 8 each: the standard error of a difference is ½. Arm 0 is on the front, and nobody is beside it.
        let found = doubts(&[vec![2.0, 3.0], vec![1.0, 0.0]], 8.0);
        assert!((found[1].ln.exp() - tail(2.0)).abs() < 1e-12, "{found:?}");
        assert_eq!((found[1].rival, found[1].objective, found[1].looks), (Some(0), 0, 16.0));
        assert_eq!(found[0], Doubt::NONE);
    }

    #[test]
    fn the_doubt_that_an_arm_is_not_dominated_is_the_harmonic_mean_over_the_objectives_near_enough() {
        let found = doubts(&[vec![1.0, 1.5, 0.0], vec![0.0, 0.0, 2.0]], 8.0);
        // Leads of 2, 3 and −4 standard errors; the other way round, of −2, −3 and 4.
        assert!((found[0].ln.exp() - 3.0 / (1.0 / tail(2.0) + 1.0 / tail(3.0) + 1.0)).abs() < 1e-12, "{found:?}");
        assert!((found[1].ln.exp() - 3.0 / (1.0 / tail(4.0) + 2.0)).abs() < 1e-12, "{found:?}");
        // Five behind is more than 1.5 times three.
        let found = doubts(&[vec![1.0, 1.5, 0.0], vec![0.0, 0.0, 2.5]], 8.0);
        assert!((found[0].ln.exp() - 2.0 / (1.0 / tail(2.0) + 1.0 / tail(3.0))).abs() < 1e-12, "{found:?}");
    }
}
