//! The proof that a quantile of one arm is above that of another, for any law (docs/certified.md, "Quantiles").
//!
//! Were the quantile of `high` not above that of `low`, then at the number x that is the quantile of `low`, a value of `low` would be below x with a chance of at most q, and one
//! of `high` above x with a chance of at most 1 − q. So "too many of `low` are below x" and "too many of `high` are above x" have a supermartingale each, at
//! that x, and the proof is the least of their product over all x. One grows with x and the other falls: the least is found by halving, with bounds.

mod duel;
mod entropy;
mod excess;
mod pin;
#[cfg(test)]
mod tests;

use self::duel::Duel;
use self::entropy::Entropy;
use self::excess::{Excess, Shown, alone};
use self::pin::Pin;
use super::few::Few;
use super::term::Term;
use crate::margin::Raise;
use crate::problem::{Goal, Noise, Problem};
use crate::ranks::Ranks;
use crate::statistic::Quantile;
use crate::tally::Tally;

/// The widths of the priors that are mixed, in observations. They are closer together than those for means, and for fewer: studies of medians are short.
pub(super) const SCALES: [f64; 3] = [4.0, 30.0, 240.0];

/// What each of two arms adds to the cost of a lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shares {
    pub ahead: f64,
    pub behind: f64,
    /// The most that one of them says alone, the other saying nothing: never more than the cost.
    pub alone: f64,
}

impl Shares {
    pub const NONE: Shares = Shares { ahead: 0.0, behind: 0.0, alone: 0.0 };

    pub fn cost(self) -> f64 {
        self.ahead + self.behind
    }

    /// The part that the arm ahead adds, or the other; half, where it costs nothing.
    pub fn part_of(self, ahead: bool) -> f64 {
        let own = if ahead { self.ahead } else { self.behind };
        if self.cost() > 0.0 { own / self.cost() } else { 0.5 }
    }
}

/// The values of all arms in the objectives that compare quantiles.
#[derive(Clone, Debug)]
pub(super) struct Quantiles {
    objectives: Vec<Option<Compared>>,
    /// By arm and objective: all values, and those that are proof, where these are not all.
    all: Vec<Values>,
    fresh: Option<Vec<Values>>,
    /// By arm: whether it has no noise, and stands for a number.
    pinned: Vec<bool>,
    /// By arm and objective: what an arm shows where x is beyond all values.
    edges: Vec<Edges>,
    /// By arm: the scale of its mixtures, where a lesson chose it; and what of about a proof depends on its count alone.
    scales: Option<Vec<f64>>,
    terms: Vec<Few<Term>>,
    entropy: Entropy,
}

/// The terms of an arm: at the scales for any study, or at the one that a lesson chose.
fn terms(count: f64, scale: Option<f64>) -> Few<Term> {
    scale.map_or_else(|| Few::three(SCALES), Few::one).map(|scale| Term::new(count, scale))
}

/// The values of an arm in an objective, and where their quantile is.
#[derive(Clone, Debug, Default)]
struct Values {
    ranks: Ranks,
    location: f64,
    /// The last value up to it.
    place: usize,
}

impl Values {
    fn new(ranks: Ranks, quantile: Option<Quantile>) -> Self {
        let mut values = Values { ranks, ..Values::default() };
        values.locate(quantile);
        values
    }

    fn locate(&mut self, quantile: Option<Quantile>) {
        if let Some(quantile) = quantile {
            self.location = self.ranks.location(quantile);
            self.place = self.ranks.values().up_to(self.location).saturating_sub(1);
        }
    }
}

/// What an arm shows where x is beyond all values that count.
#[derive(Clone, Copy, Debug)]
struct Edges {
    /// Of being below x, if none is, and if all are.
    below: [Shown; 2],
    /// Of being above it.
    above: [Shown; 2],
}

impl Edges {
    fn new([below, above]: &[Excess; 2], ranks: &Ranks) -> Self {
        let (n, known) = (ranks.len(), ranks.values().len());
        let mixtures = |excess: &Excess, all: usize| [0, all].map(|k| excess.shown(n, k));
        let under = mixtures(below, known);
        // Of a median, both are the same.
        let is_same = known == n && below.chance() == above.chance();
        Edges { below: under, above: if is_same { under } else { mixtures(above, n) } }
    }

    const NONE: Edges = {
        let none = Shown::NOTHING;
        Edges { below: [none; 2], above: [none; 2] }
    };
}

/// Which of two arms decides, where x is beyond all values of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decides {
    Ahead,
    Behind,
}

/// An objective that compares a quantile.
#[derive(Clone, Debug)]
struct Compared {
    quantile: Quantile,
    /// ln q and ln(1 − q).
    logs: [f64; 2],
    goal: Goal,
    /// The head start of arms that are named, as a change of the values of the one that is to be higher.
    raise: Raise,
    /// The mixtures for being below and above, by arm where a lesson chose the scale of each.
    excesses: Vec<[Excess; 2]>,
}

impl Compared {
    fn excesses_of(&self, arm: usize) -> &[Excess; 2] {
        &self.excesses[if self.excesses.len() == 1 { 0 } else { arm }]
    }
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
    /// `None` where all objectives compare means. By arm: the scale of its mixtures, where a lesson chose it.
    pub fn new(problem: &Problem, all: &Tally, fresh: Option<&Tally>, scales: Option<Vec<f64>>) -> Option<Self> {
        if !problem.has_quantiles() {
            return None;
        }
        let arms = problem.arm_count();
        let compared = |j: usize| {
            // What is only limited has no part in comparing arms.
            let quantile = problem.quantile(j).filter(|_| !problem.objectives()[j].is_only_limited())?;
            let q = quantile.level();
            let both = |scales: Few<f64>| [q, 1.0 - q].map(|chance| Excess::new(chance, scales, alone(arms)));
            let excesses = match &scales {
                None => vec![both(Few::three(SCALES))],
                Some(scales) => scales.iter().map(|&scale| both(Few::one(scale))).collect(),
            };
            let logs = [q.ln(), (-q).ln_1p()];
            let goal = problem.objectives()[j].goal;
            // Where less is better, the one that is to be lower has the head start: the other may as well be higher.
            let raise = problem.raises().map_or(Raise::NONE, |raises| match goal {
                Goal::Max => raises[j],
                Goal::Min => Raise { factor: raises[j].factor.recip(), by: raises[j].by },
            });
            Some(Compared { quantile, logs, goal, raise, excesses })
        };
        let d = problem.objective_count();
        let values = |tally: &Tally| {
            let ranks = |cell: usize| tally.ranks(cell / d, cell % d).cloned().unwrap_or_default();
            let cells = (0..arms * d).map(|cell| Values::new(ranks(cell), problem.quantile(cell % d)));
            cells.collect::<Vec<Values>>()
        };
        let most = all.counts().iter().copied().fold(0.0, f64::max);
        let mut entropy = Entropy::default();
        entropy.reach(most as usize);
        let proof = fresh.unwrap_or(all);
        let fresh = fresh.map(values);
        let objectives: Vec<Option<Compared>> = (0..d).map(compared).collect();
        // An arm without noise in one of them is without noise in all.
        let is_pinned =
            |arm: usize| (0..d).any(|j| problem.quantile(j).is_some() && problem.noise(arm, j) == Noise::Exact);
        let pinned = (0..arms).map(is_pinned).collect();
        let counts = proof.counts();
        let terms = (0..arms).map(|arm| terms(counts[arm], scales.as_ref().map(|scales| scales[arm]))).collect();
        let all = values(all);
        let mut quantiles = Quantiles { objectives, all, fresh, pinned, edges: Vec::new(), scales, terms, entropy };
        quantiles.edges = (0..arms * d).map(|cell| quantiles.edges_of(cell / d, cell % d)).collect();
        Some(quantiles)
    }

    fn edges_of(&self, arm: usize, objective: usize) -> Edges {
        let Some(compared) = &self.objectives[objective] else { return Edges::NONE };
        Edges::new(compared.excesses_of(arm), &self.values(Of::Fresh, arm, objective).ranks)
    }

    /// Follows an observation of `arm`: all, and those that are proof, where these are not all.
    pub fn follow(&mut self, all: &Tally, proof: &Tally, arm: usize) {
        let d = self.objectives.len();
        let mut edges: Option<(Quantile, usize, Edges)> = None;
        for j in (0..d).filter(|&j| self.objectives[j].is_some()) {
            let quantile = self.objectives[j].as_ref().map(|compared| compared.quantile);
            let take = |cells: &mut Vec<Values>, tally: &Tally| {
                if let Some(ranks) = tally.ranks(arm, j) {
                    let cell = &mut cells[arm * d + j];
                    cell.ranks.clone_from(ranks);
                    cell.locate(quantile);
                }
            };
            take(&mut self.all, all);
            if let Some(fresh) = &mut self.fresh {
                take(fresh, proof);
            }
            // Objectives that compare the same quantile, with as many values, have the same.
            let known = self.values(Of::Fresh, arm, j).ranks.values().len();
            let next = match edges {
                Some((same, count, next)) if Some(same) == quantile && count == known => next,
                _ => self.edges_of(arm, j),
            };
            edges = quantile.map(|quantile| (quantile, known, next));
            self.edges[arm * d + j] = next;
        }
        self.entropy.reach(all.count(arm) as usize);
        self.terms[arm] = terms(proof.counts()[arm], self.scales.as_ref().map(|scales| scales[arm]));
    }

    /// What of about a proof depends on an arm's count alone.
    #[inline]
    pub fn terms(&self, arm: usize) -> &Few<Term> {
        &self.terms[arm]
    }

    /// Whether one of two arms stands for a number.
    fn is_about_a_number(&self, one: usize, two: usize) -> bool {
        self.pinned[one] || self.pinned[two]
    }

    /// An arm and the number that another stands for, where the quantile is to be so far from it.
    fn pin(&self, of: Of, ahead: usize, behind: usize, objective: usize, apart: Option<f64>) -> Option<Pin<'_>> {
        let (arm, post) = match (self.pinned[ahead], self.pinned[behind]) {
            (false, false) => return None,
            (true, _) => (behind, ahead),
            (false, true) => (ahead, behind),
        };
        let compared = self.objectives[objective].as_ref()?;
        let may_be_at = arm == ahead;
        let is_above = (compared.goal == Goal::Max) == may_be_at;
        let values = self.values(of, arm, objective);
        let at = match apart {
            None => self.values(Of::All, post, objective).location,
            Some(apart) if is_above => values.location - apart,
            Some(apart) => values.location + apart,
        };
        let excess = &compared.excesses_of(arm)[usize::from(is_above)];
        Some(Pin { ranks: &values.ranks, at, is_above, may_be_at, excess })
    }

    /// Whether a quantile is compared in an objective.
    #[inline]
    pub fn compares(&self, objective: usize) -> bool {
        self.objectives[objective].is_some()
    }

    fn values(&self, of: Of, arm: usize, objective: usize) -> &Values {
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
        let (high_values, low_values) = (self.values(of, high, objective), self.values(of, low, objective));
        let quantile = compared.quantile;
        let raise = compared.raise;
        let raise = apart.map_or(raise, |apart| {
            let seen = raise.factor * high_values.location - low_values.location;
            // In the units of the one that is not raised.
            let apart = if compared.goal == Goal::Min { apart * raise.factor } else { apart };
            Raise { by: apart - seen, ..raise }
        });
        Some(Duel {
            low: &low_values.ranks,
            high: &high_values.ranks,
            low_at: low_values.location,
            high_place: high_values.place,
            raise,
            quantile,
            logs: compared.logs,
            goal: compared.goal,
            below: &compared.excesses_of(low)[0],
            above: &compared.excesses_of(high)[1],
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
    ) -> Shares {
        if let (Some(pin), Some(compared)) =
            (self.pin(of, ahead, behind, objective, Some(gap)), &self.objectives[objective])
        {
            let weight = if pin.may_be_at { counts.0 } else { counts.1 };
            let (cost, alone) = pin.cost(weight, &self.entropy, compared.quantile.level(), compared.logs);
            let (ahead, behind) = if pin.may_be_at { (cost, 0.0) } else { (0.0, cost) };
            return Shares { ahead, behind, alone };
        }
        let Some(duel) = self.duel(of, ahead, behind, objective, Some(gap)) else { return Shares::NONE };
        let weights = duel.weights(counts);
        let (at, (low, high)) = duel.costs(weights);
        let alone = duel.alone(at, weights);
        match duel.goal {
            Goal::Max => Shares { ahead: high, behind: low, alone },
            Goal::Min => Shares { ahead: low, behind: high, alone },
        }
    }

    /// Whether the cost of [`shares`](Self::shares) is certainly this much or more: quickly, and perhaps wrongly no.
    pub fn cost_at_least(
        &self,
        of: Of,
        (ahead, behind): (usize, usize),
        objective: usize,
        gap: f64,
        counts: (f64, f64),
        enough: f64,
    ) -> bool {
        let duel =
            self.duel(of, ahead, behind, objective, Some(gap)).filter(|_| !self.is_about_a_number(ahead, behind));
        duel.is_some_and(|duel| duel.cost_at_least(duel.weights(counts), enough))
    }

    /// Whether it is certainly less than this: quickly, and perhaps wrongly no.
    pub fn cost_below(
        &self,
        of: Of,
        (ahead, behind): (usize, usize),
        objective: usize,
        gap: f64,
        counts: (f64, f64),
        much: f64,
    ) -> bool {
        let duel =
            self.duel(of, ahead, behind, objective, Some(gap)).filter(|_| !self.is_about_a_number(ahead, behind));
        duel.is_some_and(|duel| duel.cost_below(duel.weights(counts), much))
    }

    /// No more than the [`edge`](Self::edge), quickly.
    pub fn edge_at_least(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        if self.is_about_a_number(ahead, behind) {
            return f64::NEG_INFINITY;
        }
        let Some((high, low)) = self.edges_of_both(ahead, behind, objective) else { return f64::INFINITY };
        low.below[1].join_at_least(high.above[0]).min(low.below[0].join_at_least(high.above[1]))
    }

    /// Those of the arm that is to be higher, and of the other.
    #[inline]
    fn edges_of_both(&self, ahead: usize, behind: usize, objective: usize) -> Option<(&Edges, &Edges)> {
        let compared = self.objectives[objective].as_ref()?;
        let edges = |arm: usize| &self.edges[arm * self.objectives.len() + objective];
        Some(match compared.goal {
            Goal::Max => (edges(ahead), edges(behind)),
            Goal::Min => (edges(behind), edges(ahead)),
        })
    }

    /// The lesser of what there is where x is below all values and where it is above them, which no proof exceeds; and the arm that decides there. It is less than about a
    /// proof where an arm is so far away that it has said all that it can.
    pub fn edge(&self, ahead: usize, behind: usize, objective: usize) -> (f64, Decides) {
        if let Some(pin) = self.pin(Of::Fresh, ahead, behind, objective, None) {
            return (pin.most(), if pin.may_be_at { Decides::Ahead } else { Decides::Behind });
        }
        let Some((high, low)) = self.edges_of_both(ahead, behind, objective) else {
            return (f64::INFINITY, Decides::Ahead);
        };
        let (upper, lower) = match self.objectives[objective].as_ref().map(|compared| compared.goal) {
            Some(Goal::Min) => (Decides::Behind, Decides::Ahead),
            _ => (Decides::Ahead, Decides::Behind),
        };
        let (above_all, below_all) = (low.below[1].join(high.above[0]), low.below[0].join(high.above[1]));
        if above_all < below_all { (above_all, lower) } else { (below_all, upper) }
    }

    /// The proof that one arm is ahead of another in an objective: never more than the least over all x, and hardly less.
    pub fn proof(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        if let Some(pin) = self.pin(Of::Fresh, ahead, behind, objective, None) {
            return pin.proof();
        }
        self.duel(Of::Fresh, ahead, behind, objective, None).map_or(f64::NEG_INFINITY, |duel| duel.proof())
    }

    /// Whether that is at least `bar`: most often there is more than enough, and that is quick to see.
    pub fn reaches(&self, ahead: usize, behind: usize, objective: usize, bar: f64) -> bool {
        if let Some(pin) = self.pin(Of::Fresh, ahead, behind, objective, None) {
            return pin.proof() >= bar;
        }
        self.duel(Of::Fresh, ahead, behind, objective, None).is_some_and(|duel| duel.reaches(bar))
    }

    /// No less than that.
    pub fn glance(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        if let Some(pin) = self.pin(Of::Fresh, ahead, behind, objective, None) {
            return pin.proof();
        }
        self.duel(Of::Fresh, ahead, behind, objective, None).map_or(f64::NEG_INFINITY, |duel| duel.glance())
    }
}
