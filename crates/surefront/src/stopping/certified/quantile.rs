//! The proof that a quantile of one arm is above that of another, for any law (docs/certified.md, "Quantiles").
//!
//! Were the quantile of `high` not above that of `low`, then at the number x that is the quantile of `low`, a value of `low` would be below x with a chance of at most q, and one
//! of `high` above x with a chance of at most 1 − q. So "too many of `low` are below x" and "too many of `high` are above x" have a supermartingale each, at
//! that x, and the proof is the least of their product over all x. One grows with x and the other falls: the least is found by halving, with bounds.

use super::few::Few;
use super::least_step::{Found, least};
use super::lesson::Lesson;
use super::mixture::{SCALES, average};
use super::tilt::Tilt;
use crate::model::Model;
use crate::problem::{Goal, Problem};
use crate::ranks::{Ranks, Sorted};
use crate::seasons::Seasons;
use crate::statistic::Quantile;
use crate::tally::Tally;

/// How far below the least a proof may be.
const SLACK: f64 = 0.01;

/// How far from the least a cost may be: a part of it, and at least so much.
const COARSE: (f64, f64) = (0.03, 0.02);

/// What each of two arms adds to the cost of a lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shares {
    pub ahead: f64,
    pub behind: f64,
}

impl Shares {
    pub fn cost(self) -> f64 {
        self.ahead + self.behind
    }
}

/// The values of all arms in the objectives that compare quantiles.
#[derive(Clone, Debug)]
pub(super) struct Quantiles {
    objectives: Vec<Option<Compared>>,
    /// By arm and objective: all values, and those that are proof, where these are not all.
    all: Vec<Ranks>,
    fresh: Option<Vec<Ranks>>,
    entropy: Entropy,
}

/// An objective that compares a quantile.
#[derive(Clone, Debug)]
struct Compared {
    quantile: Quantile,
    goal: Goal,
    /// The mixtures for being below and above, by arm where a lesson chose the scale of each.
    tilts: Vec<[Few<Tilt>; 2]>,
}

/// Which values are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// All of them.
    All,
    /// Those that are proof.
    Fresh,
}

impl Quantiles {
    /// `None` where all objectives compare means.
    pub fn new(problem: &Problem, all: &Tally, fresh: Option<&Tally>, lesson: Option<&Lesson>) -> Option<Self> {
        if !problem.has_quantiles() {
            return None;
        }
        let arms = problem.arm_count();
        let compared = |j: usize| {
            let quantile = problem.quantile(j)?;
            let tilts = |scales: Few<f64>| {
                let q = quantile.level();
                [q, 1.0 - q].map(|chance| scales.map(|scale| Tilt::new(chance, scale)))
            };
            let tilts = match lesson {
                None => vec![tilts(Few::three(SCALES))],
                Some(lesson) => (0..arms).map(|arm| tilts(Few::one(lesson.scale(arm)))).collect(),
            };
            Some(Compared { quantile, goal: problem.objectives()[j].goal, tilts })
        };
        let d = problem.objective_count();
        let values = |tally: &Tally| {
            let cells = (0..arms * d).map(|cell| tally.ranks(cell / d, cell % d).cloned().unwrap_or_default());
            cells.collect::<Vec<Ranks>>()
        };
        let most = all.counts().iter().copied().fold(0.0, f64::max);
        let mut entropy = Entropy::default();
        entropy.reach(most as usize);
        let fresh = fresh.map(values);
        Some(Quantiles { objectives: (0..d).map(compared).collect(), all: values(all), fresh, entropy })
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, seasons: &Seasons, arm: usize) {
        let d = self.objectives.len();
        for j in (0..d).filter(|&j| self.objectives[j].is_some()) {
            let take = |cells: &mut Vec<Ranks>, tally: &Tally| {
                if let Some(ranks) = tally.ranks(arm, j) {
                    cells[arm * d + j].clone_from(ranks);
                }
            };
            take(&mut self.all, seasons.all());
            if let Some(fresh) = &mut self.fresh {
                take(fresh, seasons.fresh());
            }
        }
        self.entropy.reach(seasons.all().count(arm) as usize);
    }

    /// Whether a quantile is compared in an objective.
    #[inline]
    pub fn compares(&self, objective: usize) -> bool {
        self.objectives[objective].is_some()
    }

    fn ranks(&self, of: Of, arm: usize, objective: usize) -> &Ranks {
        let cells = match (of, &self.fresh) {
            (Of::Fresh, Some(fresh)) => fresh,
            _ => &self.all,
        };
        &cells[arm * self.objectives.len() + objective]
    }

    /// Two arms in an objective, where the quantiles are to be so far apart.
    fn duel(&self, of: Of, ahead: usize, behind: usize, objective: usize, apart: Option<f64>) -> Option<Duel<'_>> {
        let compared = self.objectives[objective].as_ref()?;
        let (high, low) = match compared.goal {
            Goal::Max => (ahead, behind),
            Goal::Min => (behind, ahead),
        };
        let (high_ranks, low_ranks) = (self.ranks(of, high, objective), self.ranks(of, low, objective));
        let quantile = compared.quantile;
        let moved = apart.map_or(0.0, |apart| {
            let seen = high_ranks.location(quantile) - low_ranks.location(quantile);
            apart - seen
        });
        let side = |arm: usize| &compared.tilts[if compared.tilts.len() == 1 { 0 } else { arm }];
        Some(Duel {
            low: low_ranks,
            high: high_ranks,
            moved,
            quantile,
            goal: compared.goal,
            below: &side(low)[0],
            above: &side(high)[1],
            entropy: &self.entropy,
        })
    }

    /// What it costs, about, to do away with a lead of `gap` at these counts: w kl(F(x), q) of each arm, at the x where the sum is least.
    pub fn shares(
        &self,
        of: Of,
        (ahead, behind): (usize, usize),
        objective: usize,
        gap: f64,
        counts: (f64, f64),
    ) -> Option<Shares> {
        let duel = self.duel(of, ahead, behind, objective, Some(gap))?;
        let weights = match duel.goal {
            Goal::Max => (counts.1, counts.0),
            Goal::Min => counts,
        };
        let (low, high) = duel.costs(weights).1;
        Some(match duel.goal {
            Goal::Max => Shares { ahead: high, behind: low },
            Goal::Min => Shares { ahead: low, behind: high },
        })
    }

    /// The proof that one arm is ahead of another in an objective: never more than the least over all x, and hardly less.
    pub fn proof(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        self.duel(Of::Fresh, ahead, behind, objective, None).map_or(f64::NEG_INFINITY, |duel| duel.proof())
    }

    /// No less than that.
    pub fn glance(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        self.duel(Of::Fresh, ahead, behind, objective, None).map_or(f64::NEG_INFINITY, |duel| duel.glance())
    }
}

/// One arm that is to be below another.
struct Duel<'a> {
    low: &'a Ranks,
    high: &'a Ranks,
    /// How much the values of `high` are taken to be larger than they are.
    moved: f64,
    quantile: Quantile,
    goal: Goal,
    /// The mixtures for too many below, of the one, and above, of the other.
    below: &'a Few<Tilt>,
    above: &'a Few<Tilt>,
    entropy: &'a Entropy,
}

/// Where x may be: the product falls only where x passes a value of `high`, or what one is more than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At values of `high`.
    Values,
    /// Right behind what a value of `high` is more than: from there on it may be at or below x.
    Limits,
}

impl Duel<'_> {
    /// How many of `low` are certainly below x, and how many of `high` certainly above it, if x is at one of these places.
    #[inline]
    fn counts(&self, at: At, place: usize) -> (usize, usize) {
        let (low, values, limits) = (self.low.values(), self.high.values(), self.high.limits());
        match at {
            // Where values are equal, the last one tells: there the fewest are above.
            At::Values => {
                let x = values.nth(place);
                let passed = if limits.is_empty() { 0 } else { limits.below(x) };
                (low.below(x + self.moved), self.high.len() - (place + 1) - passed)
            }
            At::Limits => {
                let x = limits.nth(place);
                (low.up_to(x + self.moved), self.high.len() - values.up_to(x) - (place + 1))
            }
        }
    }

    /// The least over all x of something that grows with how many of `low` are below and something that grows with how many of `high` are above.
    fn least<T: Copy>(
        &self,
        slack: impl Fn(f64) -> f64 + Copy,
        below: impl Fn(usize) -> T,
        above: impl Fn(usize) -> T,
        join: impl Fn(T, T) -> f64 + Copy,
    ) -> (f64, (usize, usize)) {
        // Below all values.
        let nowhere = (0, self.high.len());
        let mut best = (join(below(0), above(self.high.len())), nowhere);
        let mut bound = best.0;
        let lists: [(At, &Sorted); 2] = [(At::Values, self.high.values()), (At::Limits, self.high.limits())];
        for (at, list) in lists {
            let terms = |place: usize| {
                let (k, m) = self.counts(at, place);
                (below(k), above(m))
            };
            let Found { bound: next, value, place } = least(list.len(), best.0, slack, terms, join);
            bound = bound.min(next);
            if let Some(place) = place {
                best = (value, self.counts(at, place));
            }
        }
        (bound, best.1)
    }

    /// n kl(k/n, q) of both arms where the sum is least, at these weights instead of n; and how many are below and above there.
    fn costs(&self, weights: (f64, f64)) -> ((usize, usize), (f64, f64)) {
        let (n, m) = (self.low.len(), self.high.len());
        let q = self.quantile.level();
        let (low, high) = (weights.0 / n.max(1) as f64, weights.1 / m.max(1) as f64);
        let below = |k: usize| low * self.entropy.excess(n, k, q);
        let above = |k: usize| high * self.entropy.excess(m, k, 1.0 - q);
        let slack = |best: f64| COARSE.0 * best + COARSE.1;
        let (_, (k, l)) = self.least(slack, below, above, |one, two| one + two);
        ((k, l), (below(k), above(l)))
    }

    fn below(&self, k: usize) -> Few<f64> {
        let n = self.low.len() as f64;
        self.below.map(|tilt| tilt.ln(n, k as f64))
    }

    fn above(&self, k: usize) -> Few<f64> {
        let n = self.high.len() as f64;
        self.above.map(|tilt| tilt.ln(n, k as f64))
    }

    fn proof(&self) -> f64 {
        self.least(|_| SLACK, |k| self.below(k), |k| self.above(k), join).0
    }

    fn glance(&self) -> f64 {
        let ((k, l), _) = self.costs((self.low.len() as f64, self.high.len() as f64));
        join(self.below(k), self.above(l))
    }
}

/// The logarithm of the average over the scales of the product of two arms' mixtures.
fn join(below: Few<f64>, above: Few<f64>) -> f64 {
    average(below.zip(above).map(|(one, two)| one + two).list())
}

/// k ln k of whole numbers: what n kl(k/n, q) is made of.
#[derive(Clone, Debug, Default)]
struct Entropy(Vec<f64>);

impl Entropy {
    /// For so many observations.
    fn reach(&mut self, n: usize) {
        if n >= self.0.len() {
            let more = (self.0.len()..=2 * n).map(|k| if k == 0 { 0.0 } else { k as f64 * (k as f64).ln() });
            self.0.extend(more);
        }
    }

    /// n kl(k/n, q) where k is more than n q; otherwise nothing.
    #[inline]
    fn excess(&self, n: usize, k: usize, q: f64) -> f64 {
        if (k as f64) <= q * n as f64 {
            return 0.0;
        }
        let part = |k: usize, q: f64| if k == 0 { 0.0 } else { k as f64 * q.ln() };
        (self.0[k] + self.0[n - k] - self.0[n] - part(k, q) - part(n - k, 1.0 - q)).max(0.0)
    }
}

/// The quantiles that the values so far show, as a row of a model has them.
#[cfg(test)]
pub(super) fn shown(problem: &Problem, tally: &Tally) -> Model {
    let _ = problem;
    tally.means().clone()
}
