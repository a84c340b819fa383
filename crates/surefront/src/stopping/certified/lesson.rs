//! What a lesson fixes: which arm dominates which, which objective decides, how many observations to expect (docs/certified.md, "Lessons").
//!
//! All of it is a function of what was observed before the lesson. Nothing that comes after it may change it.

use std::borrow::Cow;

use super::direction::{Direction, Directions};
use super::forecast::Forecast;
use super::quantile::{Of, Quantiles};
use super::student::{Width, spread_for};
use super::tilted::{Tilts, information};
use crate::front::Front;
use crate::law::{Law, Laws, with_laws};
use crate::model::{Model, oriented};
use crate::problem::{Noise, Problem};
use crate::seasons::Split;
use crate::side::{Contrast, Roster, Side};
use crate::tally::{FIRST_LOOKS, Tally};

/// The part of the weight that is spread evenly, over dominators and over objectives: whatever was expected may be wrong.
const EVENLY: f64 = 0.1;

/// The weight of a claim that contradicts what was expected, all arms together, beside that of one that does not.
const SURPRISE: f64 = 0.1;

/// About what of a proof rests on one arm.
const ARM_NATS: f64 = 3.0;

/// For what part of the observations that are expected the prior of a variance is chosen: a proof may come early.
const EARLIER: f64 = 0.5;

/// The same of a variance that arms share.
const EARLIER_SHARED: f64 = 0.7;

/// An arm that takes no more observations than this, as it seems, is foretold: one by one they are worth more then. With more, a mean that is as good as known costs less.
const FEW: f64 = 18.0;

/// About what those prove together, with what it costs not to know.
const FEW_NATS: f64 = 5.0;

/// Costs above this are as good as any other.
const ENOUGH: f64 = 1e6;

/// So many weights are kept at most.
const ROOM: usize = 1 << 22;

/// How many times its scale an arm is to be observed.
const IN_SCALES: f64 = 6.0;

/// How much longer it may take than expected: claims that take longest are those that were misjudged.
const MORE: f64 = 10.0;

/// One arm ahead of another in an objective.
#[derive(Clone, Copy, Debug)]
struct Lead {
    ahead: usize,
    behind: usize,
    objective: usize,
    contrast: Contrast,
}

/// What was learned.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    /// As it was then, with the variances estimated then.
    problem: Problem,
    means: Model,
    counts: Vec<f64>,
    /// The values that were seen, where quantiles are compared.
    quantiles: Option<Quantiles>,
    front: Front,
    /// By arm: how likely each of the front seemed to dominate it, added up.
    totals: Vec<f64>,
    /// By arm: how likely it seemed that its standing is another, beside the others. They add up to one.
    shares: Vec<f64>,
    largest_share: f64,
    /// By arm: its place among those that were on the front.
    places: Vec<Option<usize>>,
    /// The logarithms of the weights, where there is room for them: of dominators by arm and place, of objectives by place and arm.
    dominators: Option<Vec<f64>>,
    objectives: Option<Vec<f64>>,
    /// Sums of objectives that are compared as well, where the correlation is given.
    directions: Directions,
    /// By arm: how many observations it is expected to have in the end.
    expected: Vec<f64>,
    /// By arm: whether all observations have certified its standing by now.
    settled: Vec<bool>,
    /// By arm and objective: what is foretold, where the variance is unknown and few observations will do.
    forecasts: Vec<Option<Forecast>>,
}

impl Lesson {
    pub fn new(problem: &Problem, split: &Split) -> Self {
        let problem = as_estimated(problem, &split.early);
        let means = split.early.means().clone();
        let front = Front::of(&means);
        // Proofs come quicker after a lesson than it seemed before.
        let part = (1.4 * split.part).clamp(0.01, 0.95);
        let counts = split.early.counts().to_vec();
        let expected = counts.iter().map(|count| (count * (1.0 - part) / part).max(4.0)).collect();
        let mut places = vec![None; counts.len()];
        front.members().iter().enumerate().for_each(|(place, &arm)| places[arm] = Some(place));
        let mut lesson = Lesson {
            totals: Vec::new(),
            shares: Vec::new(),
            largest_share: 1.0,
            quantiles: Quantiles::new(&problem, &split.early, None, None),
            problem,
            means,
            counts,
            front,
            places,
            dominators: None,
            objectives: None,
            directions: Directions::default(),
            expected,
            settled: split.settled.clone(),
            forecasts: Vec::new(),
        };
        let arms = 0..lesson.counts.len();
        lesson.totals = arms.clone().map(|arm| lesson.rivals(arm).map(|by| lesson.likely(arm, by)).sum()).collect();
        lesson.shares = shares(arms.map(|arm| lesson.decided(arm, |lead| lesson.lead_cost(lead)).0).collect());
        lesson.largest_share = lesson.shares.iter().copied().fold(0.0, f64::max);
        let Lesson { problem, means, counts, front, .. } = &lesson;
        lesson.directions = Directions::new(problem, means, counts, front.members());
        lesson.tabulate();
        lesson.forecasts = lesson.foretell(&split.early);
        lesson
    }

    /// By arm and objective, where the variance is unknown and few observations will do.
    fn foretell(&self, early: &Tally) -> Vec<Option<Forecast>> {
        let d = self.means.objective_count();
        if !self.problem.has_unknown_noise() {
            return vec![None; self.counts.len() * d];
        }
        // About what one observation proves, if the other arm of the claim is known.
        let nats = |arm: usize| {
            let precision = self.problem.precision(arm);
            self.decided(arm, |lead| 0.5 * (precision[lead.objective] * lead.contrast.gap * lead.contrast.gap).ln_1p())
        };
        let own: Vec<(f64, Option<usize>)> = (0..self.counts.len()).map(nats).collect();
        let mut apiece: Vec<f64> = own.iter().map(|own| own.0).collect();
        for (nats, rival) in own {
            if let Some(rival) = rival {
                apiece[rival] = apiece[rival].min(nats);
            }
        }
        let of_arm = |arm: usize| {
            let is_few = apiece[arm] * FEW >= FEW_NATS;
            (0..d).map(move |j| {
                let is_unknown = self.problem.noise(arm, j) == Noise::Unknown && early.telling(arm, j) >= FIRST_LOOKS;
                let variance = early.variance(arm, j).filter(|_| is_few && is_unknown)?;
                let pooled = self.problem.precision(arm)[j].recip();
                Some(Forecast::new(self.counts[arm], self.means.row(arm)[j], variance, pooled))
            })
        };
        (0..self.counts.len()).flat_map(of_arm).collect()
    }

    /// The arms of the front that an arm may be compared with.
    fn rivals(&self, arm: usize) -> impl Iterator<Item = usize> + '_ {
        self.front.members().iter().copied().filter(move |&other| other != arm)
    }

    /// By what its standing was decided, in this measure of leads, and through whom: an arm of the front by its widest lead over whoever comes closest, another by the narrowest of whoever is furthest
    /// ahead of it.
    fn decided(&self, arm: usize, worth: impl Fn(Lead) -> f64) -> (f64, Option<usize>) {
        let all = |ahead: usize, behind: usize, from: f64, pick: fn(f64, f64) -> f64| {
            let contrasts = self.raised(ahead).against(self.side(behind)).enumerate();
            let counts = contrasts.filter(|(_, contrast)| contrast.is_movable() || contrast.gap != 0.0);
            counts.fold(from, |known, (objective, contrast)| {
                pick(known, if contrast.gap > 0.0 { worth(Lead { ahead, behind, objective, contrast }) } else { 0.0 })
            })
        };
        if self.front.contains(arm) {
            let widest = self.rivals(arm).map(|by| (all(arm, by, 0.0, f64::max), Some(by)));
            widest.fold((ENOUGH, None), |one, two| if two.0 < one.0 { two } else { one })
        } else {
            let narrowest = self.rivals(arm).map(|by| (all(by, arm, ENOUGH, f64::min), Some(by)));
            narrowest.fold((0.0, None), |one, two| if two.0 > one.0 { two } else { one })
        }
    }

    /// By arm and objective: what is foretold.
    pub fn forecasts(&self) -> &[Option<Forecast>] {
        &self.forecasts
    }

    /// Computes the weights once and for all, where there is room for them.
    fn tabulate(&mut self) {
        let (arms, members) = (self.counts.len(), self.front.members());
        let d = self.means.objective_count();
        let dominators = (arms * members.len() <= ROOM).then(|| {
            let weights = |arm: usize| members.iter().map(move |&by| (arm, by));
            (0..arms).flat_map(weights).map(|(arm, by)| self.dominator(arm, by).ln()).collect()
        });
        let objectives = (members.len() * arms * d <= ROOM).then(|| {
            let pairs = members.iter().flat_map(|&arm| (0..arms).map(move |by| (arm, by)));
            pairs.flat_map(|(arm, by)| self.objectives(arm, by).map(f64::ln)).collect()
        });
        (self.dominators, self.objectives) = (dominators, objectives);
    }

    fn side(&self, arm: usize) -> Side<'_> {
        Roster::new(&self.problem, &self.means, &self.counts).side(arm)
    }

    fn raised(&self, arm: usize) -> Side<'_> {
        Roster::new(&self.problem, &self.means, &self.counts).raised(arm)
    }

    /// What it would have cost to do away with a lead.
    fn cost(&self, law: impl Law, ahead: usize, behind: usize, objective: usize, contrast: Contrast) -> f64 {
        match self.quantiles.as_ref().filter(|quantiles| quantiles.compares(objective)) {
            Some(quantiles) => {
                let counts = (self.counts[ahead], self.counts[behind]);
                quantiles.shares(Of::All, (ahead, behind), objective, contrast.gap, counts).cost()
            }
            None => contrast.cost_by(law),
        }
    }

    /// The same, no more than what is as good as any other.
    fn lead_cost(&self, Lead { ahead, behind, objective, contrast }: Lead) -> f64 {
        let mean = self.raised(ahead).mean[objective];
        with_laws!(self.problem, laws => self.cost(laws.of_raised(objective, mean), ahead, behind, objective, contrast))
            .min(ENOUGH)
    }

    /// How likely it seemed that `by`, of the front, dominates `arm`, beside the others: of an arm off the front by how much spoke for it, of one on it by what spoke against it.
    fn likely(&self, arm: usize, by: usize) -> f64 {
        if self.front.contains(arm) {
            return (-self.objective_scores(arm, by).map(f64::sqrt).sum::<f64>()).exp();
        }
        let mut least = ENOUGH;
        for (objective, contrast) in self.raised(by).against(self.side(arm)).enumerate() {
            if contrast.gap < 0.0 {
                return 0.0;
            }
            if contrast.is_movable() {
                least = least.min(self.lead_cost(Lead { ahead: by, behind: arm, objective, contrast }));
            }
        }
        least * least
    }

    /// The logarithm of the weight of the claim that `by` dominates `arm`; the weights of all `by` add up to one, or to what a surprise about the arm weighs.
    pub fn ln_dominator(&self, arm: usize, by: usize) -> f64 {
        match (&self.dominators, self.places[by]) {
            (Some(table), Some(place)) => table[arm * self.front.members().len() + place],
            _ => self.dominator(arm, by).ln(),
        }
    }

    fn dominator(&self, arm: usize, by: usize) -> f64 {
        let evenly = 1.0 / (self.counts.len() as f64 - 1.0).max(1.0);
        let contrary = if self.front.contains(arm) { self.surprise(arm) } else { 1.0 };
        let total = self.totals[arm];
        if !(total > 0.0) {
            return contrary * evenly;
        }
        let likely = if self.front.contains(by) { self.likely(arm, by) } else { 0.0 };
        contrary * ((1.0 - EVENLY) * (likely / total) + EVENLY * evenly)
    }

    /// What a claim weighs that contradicts what was expected of an arm, beside one about the arm that is most likely to be misjudged.
    pub fn surprise(&self, arm: usize) -> f64 {
        if self.problem.has_margins() { 1.0 } else { self.shares[arm] / self.largest_share }
    }

    /// The logarithms of the weights of the objectives in the claim that `arm` is not dominated by `by`; the weights, with that of their
    /// [`Direction`], add up to one, or to what a surprise about the arm weighs.
    pub fn ln_objectives(&self, arm: usize, by: usize) -> Cow<'_, [f64]> {
        let d = self.means.objective_count();
        match (&self.objectives, self.places[arm]) {
            (Some(table), Some(place)) => {
                let cell = (place * self.counts.len() + by) * d;
                Cow::Borrowed(&table[cell..cell + d])
            }
            _ => Cow::Owned(self.objectives(arm, by).map(f64::ln).collect()),
        }
    }

    fn objectives(&self, arm: usize, by: usize) -> impl Iterator<Item = f64> + '_ {
        let total = self.total_score(arm, by);
        let evenly = 1.0 / self.means.objective_count() as f64;
        let contrary = if self.front.contains(arm) { 1.0 } else { self.surprise(arm) };
        self.objective_scores(arm, by).map(move |score| {
            contrary * if total > 0.0 { (1.0 - EVENLY) * (score / total) + EVENLY * evenly } else { evenly }
        })
    }

    /// By objective: how much spoke for `arm` not to be dominated by `by`.
    fn objective_scores(&self, arm: usize, by: usize) -> impl Iterator<Item = f64> + '_ {
        let lead = move |(objective, contrast): (usize, Contrast)| {
            if contrast.gap > 0.0 {
                self.lead_cost(Lead { ahead: arm, behind: by, objective, contrast }).powi(2)
            } else {
                0.0
            }
        };
        self.raised(arm).against(self.side(by)).enumerate().map(lead)
    }

    /// Of all objectives, and of their direction.
    fn total_score(&self, arm: usize, by: usize) -> f64 {
        let objectives: f64 = self.objective_scores(arm, by).sum();
        self.directions.get(arm, by).map_or(objectives, |direction| objectives + direction_score(direction))
    }

    /// The sum of objectives that is compared as well in "`arm` is not dominated by `by`", if there is one, and the logarithm of its weight beside
    /// the objectives.
    #[inline]
    pub fn direction(&self, arm: usize, by: usize) -> Option<(&Direction, f64)> {
        let direction = self.directions.get(arm, by)?;
        let weight = (1.0 - EVENLY) * (direction_score(direction) / self.total_score(arm, by));
        Some((direction, weight.ln()))
    }

    /// The scale of the prior of an arm's shift.
    pub fn scale(&self, arm: usize) -> f64 {
        self.expected[arm] / IN_SCALES
    }

    /// What the tilts of an arm are thought to be in an objective whose variance comes with the mean.
    pub fn tilts(&self, arm: usize, objective: usize) -> Tilts {
        if let Some(range) = self.problem.range(objective) {
            let mean = range.part(oriented(self.problem.objectives()[objective].goal, self.means.row(arm)[objective]));
            let walk = 1.0 / (self.problem.precision(arm)[objective] * range.width() * range.width());
            let scale = self.scale(arm);
            return Tilts::for_scales(scale * (mean * (1.0 - mean)).max(walk), scale * walk);
        }
        let told = information(self.problem.kind(objective), self.means.row(arm)[objective], self.counts[arm]);
        Tilts::for_scale(self.scale(arm) * told)
    }

    /// The widths of the priors of an arm's shift and precision, where its variance is unknown: for as many observations as expected, and for many more.
    pub fn widths(&self, arm: usize) -> [Width; 2] {
        [1.0, MORE].map(|times| width_for(times * self.expected[arm]))
    }

    /// The width of the prior of a variance that arms share.
    pub fn shared_spread(&self) -> f64 {
        let all: f64 = self.expected.iter().sum();
        spread_for(EARLIER_SHARED * all, 2.0 * ARM_NATS)
    }

    /// Whether an arm was expected to stand here.
    #[inline]
    pub fn expects(&self, arm: usize, on_front: bool) -> bool {
        self.front.contains(arm) == on_front
    }

    /// These were certified by all observations. No weight depends on that.
    pub fn settle(&mut self, settled: &[bool]) {
        self.settled.copy_from_slice(settled);
    }

    /// Whether all observations have certified the arm to stand here.
    #[inline]
    pub fn has_settled(&self, arm: usize, on_front: bool) -> bool {
        self.settled[arm] && self.expects(arm, on_front)
    }

    /// The proof that it takes to certify an arm at the risk `delta`: one that stands where it was expected to, or one that does not. `open` of
    /// the former are not certified, and `surprises` is the number of the latter.
    pub fn threshold(&self, delta: f64, surprising: bool, open: usize, surprises: usize) -> f64 {
        let others = (open + surprises) as f64 + SURPRISE;
        if surprising {
            ((others - 1.0).max(SURPRISE) / (self.largest_share * SURPRISE * delta)).ln()
        } else {
            ((1.0 + others) / delta).ln()
        }
    }

    /// How many arms stand elsewhere than they were expected to.
    pub fn surprises(&self, front: &Front) -> usize {
        (0..self.counts.len()).filter(|&arm| !self.expects(arm, front.contains(arm))).count()
    }
}

/// The widths for so many observations.
fn width_for(expected: f64) -> Width {
    Width { shift: expected / IN_SCALES, spread: spread_for((EARLIER * expected).max(4.0), ARM_NATS) }
}

/// Of the weight of all surprises, that of arms whose standing it costs so much to change: half of it is spread evenly, and half by how likely that seems.
fn shares(costs: Vec<f64>) -> Vec<f64> {
    let (arms, least) = (costs.len() as f64, costs.iter().copied().fold(f64::INFINITY, f64::min));
    let likely: Vec<f64> = costs.into_iter().map(|cost| (least - cost).exp()).collect();
    let total: f64 = likely.iter().sum();
    likely.into_iter().map(|likely| 0.5 / arms + 0.5 * likely / total).collect()
}

fn direction_score(direction: &Direction) -> f64 {
    direction.cost.min(ENOUGH).powi(2)
}

/// The problem with each unknown variance as all arms together showed it: the weights need no more.
fn as_estimated(problem: &Problem, early: &Tally) -> Problem {
    let mut problem = problem.clone();
    for j in 0..problem.objective_count() {
        let arms: Vec<usize> = (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j).is_estimated()).collect();
        let freedom = |arm: usize| early.counts()[arm] - 1.0;
        let own = |&arm: &usize| early.variance(arm, j).map(|variance| (variance * freedom(arm), freedom(arm)));
        let (squares, freedom) =
            arms.iter().filter_map(own).fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        let pooled = if squares > 0.0 { squares / freedom } else { 1.0 };
        arms.iter().for_each(|&arm| problem.estimate(arm, j, pooled));
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprises_are_shared_among_all() {
        for costs in [vec![3.0], vec![0.2, 7.0, 1e6], vec![1e6, 1e6], vec![0.0, 0.0, 0.1, 2000.0]] {
            let shares = shares(costs.clone());
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{costs:?}: {shares:?}");
            // The more doubtful an arm is, the more it has; and nobody has nothing.
            let (first, last) = (0, costs.len() - 1);
            assert!(costs[first] > costs[last] || shares[first] >= shares[last], "{costs:?}: {shares:?}");
            assert!(shares.iter().all(|&share| share >= 0.5 / costs.len() as f64));
        }
    }
}
