//! What a lesson fixes: which arm dominates which, which objective decides, how many observations to expect (docs/certified.md, "Lessons").
//!
//! All of it is a function of what was observed before the lesson. Nothing that comes after it may change it.

use std::borrow::Cow;

use super::direction::{Direction, Directions};
use super::quantile::{Of, Quantiles};
use super::student::{Width, spread_for};
use super::tilted::{Tilts, information};
use crate::front::Front;
use crate::law::{Law, Laws, with_laws};
use crate::model::{Model, oriented};
use crate::problem::Problem;
use crate::seasons::Split;
use crate::side::{Contrast, Roster, Side};
use crate::tally::Tally;

/// The part of the weight that is spread evenly, over dominators and over objectives: whatever was expected may be wrong.
const EVENLY: f64 = 0.1;

/// The weight of a claim that contradicts what was expected, all arms together, beside that of one that does not.
const SURPRISE: f64 = 0.1;

/// About what of a proof rests on one arm.
const ARM_NATS: f64 = 3.0;

/// For what part of the observations that are expected the prior of a variance is chosen: a proof may come early.
const EARLIER: f64 = 0.8;

/// Costs above this are as good as any other.
const ENOUGH: f64 = 1e6;

/// So many weights are kept at most.
const ROOM: usize = 1 << 22;

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
    /// By arm: the scores of all that seemed to dominate it, added up.
    scores: Vec<f64>,
    /// By arm: its place among those that were on the front.
    places: Vec<Option<usize>>,
    /// The logarithms of the weights, where there is room for them: of dominators by arm and place, of objectives by two places.
    dominators: Option<Vec<f64>>,
    objectives: Option<Vec<f64>>,
    /// Sums of objectives that are compared as well, where the correlation is given.
    directions: Directions,
    /// By arm: how many observations it is expected to have in the end.
    expected: Vec<f64>,
    /// By arm: whether its standing was certified by then.
    settled: Vec<bool>,
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
            scores: Vec::new(),
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
        };
        let members = || lesson.front.members().iter().copied();
        let scores = |arm: usize| members().filter(|&by| by != arm).map(|by| lesson.score(arm, by)).sum();
        lesson.scores = (0..lesson.counts.len()).map(scores).collect();
        let Lesson { problem, means, counts, front, .. } = &lesson;
        lesson.directions = Directions::new(problem, means, counts, front.members());
        lesson.tabulate();
        lesson
    }

    /// Computes the weights once and for all, where there is room for them.
    fn tabulate(&mut self) {
        let (arms, members) = (self.counts.len(), self.front.members());
        let d = self.means.objective_count();
        let dominators = (arms * members.len() <= ROOM).then(|| {
            let weights = |arm: usize| members.iter().map(move |&by| (arm, by));
            (0..arms).flat_map(weights).map(|(arm, by)| self.dominator(arm, by).ln()).collect()
        });
        let objectives = (members.len() * members.len() * d <= ROOM).then(|| {
            let pairs = members.iter().flat_map(|&arm| members.iter().map(move |&by| (arm, by)));
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

    /// How much spoke for `by` to dominate `arm`.
    fn score(&self, arm: usize, by: usize) -> f64 {
        with_laws!(self.problem, laws => self.score_by(laws, arm, by))
    }

    fn score_by(&self, laws: impl Laws, arm: usize, by: usize) -> f64 {
        let (mut least, ahead) = (ENOUGH, self.raised(by));
        for (j, contrast) in ahead.against(self.side(arm)).enumerate() {
            if contrast.gap < 0.0 {
                return 0.0;
            }
            if contrast.is_movable() {
                least = least.min(self.cost(laws.of_raised(j, ahead.mean[j]), by, arm, j, contrast));
            }
        }
        least * least
    }

    /// The logarithm of the weight of the claim that `by` dominates `arm`; the weights of all `by` add up to one.
    pub fn ln_dominator(&self, arm: usize, by: usize) -> f64 {
        match (&self.dominators, self.places[by]) {
            (Some(table), Some(place)) => table[arm * self.front.members().len() + place],
            _ => self.dominator(arm, by).ln(),
        }
    }

    fn dominator(&self, arm: usize, by: usize) -> f64 {
        let evenly = 1.0 / (self.counts.len() as f64 - 1.0).max(1.0);
        let total = self.scores[arm];
        if !(total > 0.0) {
            return evenly;
        }
        let score = if self.front.contains(by) { self.score(arm, by) } else { 0.0 };
        (1.0 - EVENLY) * (score / total) + EVENLY * evenly
    }

    /// The logarithms of the weights of the objectives in the claim that `arm` is not dominated by `by`; the weights, with that of their
    /// [`Direction`], add up to one.
    pub fn ln_objectives(&self, arm: usize, by: usize) -> Cow<'_, [f64]> {
        let d = self.means.objective_count();
        match (&self.objectives, self.places[arm], self.places[by]) {
            (Some(table), Some(one), Some(two)) => {
                let cell = (one * self.front.members().len() + two) * d;
                Cow::Borrowed(&table[cell..cell + d])
            }
            _ => Cow::Owned(self.objectives(arm, by).map(f64::ln).collect()),
        }
    }

    fn objectives(&self, arm: usize, by: usize) -> impl Iterator<Item = f64> + '_ {
        let total = self.total_score(arm, by);
        let evenly = 1.0 / self.means.objective_count() as f64;
        self.objective_scores(arm, by)
            .map(move |score| if total > 0.0 { (1.0 - EVENLY) * (score / total) + EVENLY * evenly } else { evenly })
    }

    /// By objective: how much spoke for `arm` not to be dominated by `by`.
    fn objective_scores(&self, arm: usize, by: usize) -> impl Iterator<Item = f64> + '_ {
        let ahead = self.raised(arm);
        let cost = move |j: usize, contrast: Contrast| with_laws!(self.problem, laws => self.cost(laws.of_raised(j, ahead.mean[j]), arm, by, j, contrast));
        let contrasts = ahead.against(self.side(by)).enumerate();
        contrasts.map(move |(j, contrast)| if contrast.gap > 0.0 { cost(j, contrast).min(ENOUGH).powi(2) } else { 0.0 })
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
        self.expected[arm] / 6.0
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

    /// The widths of the priors of an arm's shift and precision, where its variance is unknown.
    pub fn width(&self, arm: usize) -> Width {
        Width { shift: self.scale(arm), spread: spread_for((EARLIER * self.expected[arm]).max(4.0), ARM_NATS) }
    }

    /// The width of the prior of a variance that arms share.
    pub fn shared_spread(&self) -> f64 {
        let all: f64 = self.expected.iter().sum();
        spread_for(0.25 * EARLIER * all, 2.0 * ARM_NATS)
    }

    /// Whether an arm was expected to stand here.
    #[inline]
    pub fn expects(&self, arm: usize, on_front: bool) -> bool {
        self.front.contains(arm) == on_front
    }

    /// Whether the arm was certified to stand here by the time of the lesson.
    #[inline]
    pub fn has_settled(&self, arm: usize, on_front: bool) -> bool {
        self.settled[arm] && self.expects(arm, on_front)
    }

    /// The proof that it takes to certify an arm at the risk `delta`: one that stands where it was expected to, or one that does not. `open` of
    /// the former are not certified, and `surprises` is the number of the latter.
    pub fn threshold(&self, delta: f64, surprising: bool, open: usize, surprises: usize) -> f64 {
        let (arms, others) = (self.counts.len() as f64, (open + surprises) as f64 + SURPRISE);
        if surprising {
            ((others - 1.0).max(SURPRISE) * arms / (SURPRISE * delta)).ln()
        } else {
            ((1.0 + others) / delta).ln()
        }
    }

    /// How many arms stand elsewhere than they were expected to.
    pub fn surprises(&self, front: &Front) -> usize {
        (0..self.counts.len()).filter(|&arm| !self.expects(arm, front.contains(arm))).count()
    }
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
