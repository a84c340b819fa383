//! The proof that a quantile of one arm is above that of another, for any law (docs/certified.md, "Quantiles").
//!
//! Were the quantile of `high` not above that of `low`, then at the number x that is the quantile of `low`, a value of `low` would be below x with a chance of at most q, and one
//! of `high` above x with a chance of at most 1 − q. So "too many of `low` are below x" and "too many of `high` are above x" have a supermartingale each, at
//! that x, and the proof is the least of their product over all x. One grows with x and the other falls: the least is found by halving, with bounds.

use std::ops::Range;

use super::few::Few;
use super::least_step::{Found, least};
use super::mixture::{SCALES, average};
use super::tilt::{ATOMS, Prior, TILTS};
use crate::margin::Raise;
use crate::problem::{Goal, Problem};
use crate::ranks::Ranks;
use crate::seasons::Seasons;
use crate::statistic::Quantile;
use crate::tally::Tally;

/// How far below the least a proof may be.
const SLACK: f64 = 0.01;

/// How far from the least a cost may be: a part of it, and at least so much.
const COARSE: (f64, f64) = (0.1, 0.05);

/// Less than e to minus this is nothing beside one; nor beside a mixture of more than this.
const NEGLIGIBLE: f64 = 60.0;
const RARE: f64 = 1e-16;

/// The weight of no tilt at all: whatever x is, an arm takes no more from the proof than the logarithm of this. That matters where two arms are so far apart that one
/// of them cannot say more than it does, and x may be far out among the values of the other.
const STILL: f64 = 0.1;

/// What each of two arms adds to the cost of a lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shares {
    pub ahead: f64,
    pub behind: f64,
}

impl Shares {
    const NONE: Shares = Shares { ahead: 0.0, behind: 0.0 };

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
    all: Vec<Ranks>,
    fresh: Option<Vec<Ranks>>,
    /// By arm and objective: the logarithms of the mixtures where x is beyond all values.
    edges: Vec<Edges>,
    entropy: Entropy,
}

/// The logarithms of an arm's mixtures where x is beyond all values that count.
#[derive(Clone, Copy, Debug)]
struct Edges {
    /// Of being below x, if none is, and if all are.
    below: [Few<f64>; 2],
    /// Of being above it.
    above: [Few<f64>; 2],
}

impl Edges {
    fn new([below, above]: &[Excess; 2], ranks: &Ranks) -> Self {
        let (n, known) = (ranks.len(), ranks.values().len());
        Edges { below: [0, known].map(|k| below.ln(n, k)), above: [0, n].map(|k| above.ln(n, k)) }
    }

    const NONE: Edges = {
        let none = Few::ZERO;
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

/// Supermartingales of how often something happened that has at most a given chance: Σ π exp(θ k − n ln(1 + q(e^θ − 1))) over tilts θ ≥ 0, with k of n. Each
/// observation multiplies each term by a number of mean at most one.
#[derive(Clone, Copy, Debug)]
struct Excess {
    /// ln(1 + q(e^θ − 1)) for each tilt.
    prices: [f64; ATOMS],
    priors: Few<Prior>,
}

impl Excess {
    /// For a chance of at most this, at scales in observations: a prior is as wide as so many can tell.
    fn new(chance: f64, scales: Few<f64>) -> Self {
        let variance = chance * (1.0 - chance);
        Excess {
            prices: TILTS.map(|tilt| (chance * tilt.exp_m1()).ln_1p()),
            priors: scales.map(|scale| Prior::half_normal((scale * variance).sqrt().recip())),
        }
    }

    /// The logarithms of the mixtures, if it happened `k` times of `n`. They grow with k.
    #[inline]
    fn ln(&self, n: usize, k: usize) -> Few<f64> {
        let (n, k) = (n as f64, k as f64);
        let mut terms = [0.0; ATOMS];
        let mut top = 0.0f64;
        for ((term, tilt), price) in terms.iter_mut().zip(&TILTS).zip(&self.prices) {
            *term = tilt * k - n * price;
            top = top.max(*term);
        }
        // What is far below the largest adds nothing that a number would show.
        let mut parts = [0.0; ATOMS];
        for (part, term) in parts.iter_mut().zip(&terms) {
            *part = if top - *term < NEGLIGIBLE { (*term - top).exp() } else { 0.0 };
        }
        let ln = |prior: Prior| {
            let mixture: f64 = prior.weights().iter().zip(&parts).map(|(weight, part)| weight * part).sum();
            if mixture > RARE {
                return top + (STILL * parts[0] + (1.0 - STILL) * mixture).ln();
            }
            // The tilts that it takes have no weight: what there is, is far below the largest.
            let logs =
                |(weight, term): (&f64, &f64)| if *weight > 0.0 { weight.ln() + term } else { f64::NEG_INFINITY };
            let logs = || prior.weights().iter().zip(&terms).map(logs);
            let top = logs().fold(STILL.ln(), f64::max);
            let mixture: f64 = logs().map(|log| (log - top).exp()).sum();
            top + (STILL * (-top).exp() + (1.0 - STILL) * mixture).ln()
        };
        self.priors.map(ln)
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
            let quantile = problem.quantile(j)?;
            let q = quantile.level();
            let both = |scales: Few<f64>| [q, 1.0 - q].map(|chance| Excess::new(chance, scales));
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
            let cells = (0..arms * d).map(|cell| tally.ranks(cell / d, cell % d).cloned().unwrap_or_default());
            cells.collect::<Vec<Ranks>>()
        };
        let most = all.counts().iter().copied().fold(0.0, f64::max);
        let mut entropy = Entropy::default();
        entropy.reach(most as usize);
        let fresh = fresh.map(values);
        let objectives: Vec<Option<Compared>> = (0..d).map(compared).collect();
        let mut quantiles = Quantiles { objectives, all: values(all), fresh, edges: Vec::new(), entropy };
        quantiles.edges = (0..arms * d).map(|cell| quantiles.edges_of(cell / d, cell % d)).collect();
        Some(quantiles)
    }

    fn edges_of(&self, arm: usize, objective: usize) -> Edges {
        let Some(compared) = &self.objectives[objective] else { return Edges::NONE };
        Edges::new(compared.excesses_of(arm), self.ranks(Of::Fresh, arm, objective))
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
            self.edges[arm * d + j] = self.edges_of(arm, j);
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
        let raise = compared.raise;
        let raise = apart.map_or(raise, |apart| {
            let seen = raise.factor * high_ranks.location(quantile) - low_ranks.location(quantile);
            // In the units of the one that is not raised.
            let apart = if compared.goal == Goal::Min { apart * raise.factor } else { apart };
            Raise { by: apart - seen, ..raise }
        });
        Some(Duel {
            low: low_ranks,
            high: high_ranks,
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
        let Some(duel) = self.duel(of, ahead, behind, objective, Some(gap)) else { return Shares::NONE };
        let weights = match duel.goal {
            Goal::Max => (counts.1, counts.0),
            Goal::Min => counts,
        };
        let (low, high) = duel.costs(weights).1;
        match duel.goal {
            Goal::Max => Shares { ahead: high, behind: low },
            Goal::Min => Shares { ahead: low, behind: high },
        }
    }

    /// The lesser of what there is where x is below all values and where it is above them, which no proof exceeds; and the arm that decides there. It is less than about a
    /// proof where an arm is so far away that it has said all that it can.
    pub fn edge(&self, ahead: usize, behind: usize, objective: usize) -> (f64, Decides) {
        let Some(compared) = &self.objectives[objective] else { return (f64::INFINITY, Decides::Ahead) };
        let edges = |arm: usize| &self.edges[arm * self.objectives.len() + objective];
        let (high, low, upper, lower) = match compared.goal {
            Goal::Max => (edges(ahead), edges(behind), Decides::Ahead, Decides::Behind),
            Goal::Min => (edges(behind), edges(ahead), Decides::Behind, Decides::Ahead),
        };
        let (above_all, below_all) = (join(low.below[1], high.above[0]), join(low.below[0], high.above[1]));
        if above_all < below_all { (above_all, lower) } else { (below_all, upper) }
    }

    /// The proof that one arm is ahead of another in an objective: never more than the least over all x, and hardly less.
    pub fn proof(&self, ahead: usize, behind: usize, objective: usize) -> f64 {
        self.duel(Of::Fresh, ahead, behind, objective, None).map_or(f64::NEG_INFINITY, |duel| duel.proof())
    }

    /// Whether that is at least `bar`: most often there is more than enough, and that is quick to see.
    pub fn reaches(&self, ahead: usize, behind: usize, objective: usize, bar: f64) -> bool {
        self.duel(Of::Fresh, ahead, behind, objective, None).is_some_and(|duel| duel.reaches(bar))
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
    /// What the values of `high` are taken to be instead of what they are.
    raise: Raise,
    quantile: Quantile,
    logs: [f64; 2],
    goal: Goal,
    /// The mixtures for too many below, of the one, and above, of the other.
    below: &'a Excess,
    above: &'a Excess,
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
                (low.below(self.raise.up(x)), self.high.len() - (place + 1) - passed)
            }
            At::Limits => {
                let x = limits.nth(place);
                (low.up_to(self.raise.up(x)), self.high.len() - values.up_to(x) - (place + 1))
            }
        }
    }

    /// The least over all x of something that grows with how many of `low` are below and something that grows with how many of `high` are above.
    fn least<T: Copy>(
        &self,
        places: Range<usize>,
        slack: impl Fn(f64) -> f64 + Copy,
        below: impl Fn(usize) -> T,
        above: impl Fn(usize) -> T,
        join: impl Fn(T, T) -> f64 + Copy,
    ) -> (f64, (usize, usize)) {
        // Below all values.
        let nowhere = (0, self.high.len());
        let mut best = (join(below(0), above(self.high.len())), nowhere);
        let mut bound = best.0;
        for (at, places) in [(At::Values, places), (At::Limits, 0..self.high.limits().len())] {
            let terms = |place: usize| {
                let (k, m) = self.counts(at, place);
                (below(k), above(m))
            };
            let Found { bound: next, value, place } = least(places, best.0, slack, terms, join);
            bound = bound.min(next);
            if let Some(place) = place {
                best = (value, self.counts(at, place));
            }
        }
        (bound, best.1)
    }

    /// The values of `high` from the last one that it costs nothing to have as x on the side of `low` to the first one that it costs nothing on its own.
    fn between(&self) -> Range<usize> {
        let values = self.high.values();
        let place = |x: f64| values.up_to(x).saturating_sub(1);
        let (from, to) =
            (place(self.raise.down(self.low.location(self.quantile))), place(self.high.location(self.quantile)));
        from.min(to)..(from.max(to) + 1).min(values.len())
    }

    /// n kl(k/n, q) of both arms where the sum is least, at these weights instead of n; and how many are below and above there.
    fn costs(&self, weights: (f64, f64)) -> ((usize, usize), (f64, f64)) {
        let (n, m) = (self.low.len(), self.high.len());
        let (q, [one, two]) = (self.quantile.level(), self.logs);
        let (low, high) = (weights.0 / n.max(1) as f64, weights.1 / m.max(1) as f64);
        let below = |k: usize| low * self.entropy.excess(n, k, q, [one, two]);
        let above = |k: usize| high * self.entropy.excess(m, k, 1.0 - q, [two, one]);
        let slack = |best: f64| COARSE.0 * best + COARSE.1;
        let (_, (k, l)) = self.least(self.between(), slack, below, above, |one, two| one + two);
        ((k, l), (below(k), above(l)))
    }

    fn below(&self, k: usize) -> Few<f64> {
        self.below.ln(self.low.len(), k)
    }

    fn above(&self, k: usize) -> Few<f64> {
        self.above.ln(self.high.len(), k)
    }

    fn proof(&self) -> f64 {
        let places = 0..self.high.values().len();
        self.least(places, |_| SLACK, |k| self.below(k), |k| self.above(k), join).0
    }

    fn reaches(&self, bar: f64) -> bool {
        // A proof is less than the least by no more than the slack.
        let enough = bar + SLACK;
        let places = 0..self.high.values().len();
        let slack = |value: f64| SLACK.max(value - enough);
        let bound = self.least(places, slack, |k| self.below(k), |k| self.above(k), join).0;
        bound >= enough || (bound >= bar - SLACK && self.proof() >= bar)
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

    /// n kl(k/n, q) where k is more than n q, given ln q and ln(1 − q); otherwise nothing.
    #[inline]
    fn excess(&self, n: usize, k: usize, q: f64, logs: [f64; 2]) -> f64 {
        let (all, some) = (n as f64, k as f64);
        if some <= q * all {
            return 0.0;
        }
        (self.0[k] + self.0[n - k] - self.0[n] - some * logs[0] - (all - some) * logs[1]).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::margin::Margin;
    use crate::problem::{Arm, Noise, Objective};
    use crate::reading::Reading;
    use crate::statistic::Statistic;

    fn problem(goal: Goal, level: f64) -> Problem {
        let statistic = Statistic::Quantile(Quantile::new(level).unwrap());
        let objective = Objective::new("x", goal, Noise::Any).with_statistic(statistic);
        Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap()
    }

    fn tally(problem: &Problem, arms: [&[Reading]; 2]) -> Tally {
        let mut tally = Tally::new(problem);
        for (arm, readings) in arms.iter().enumerate() {
            readings.iter().for_each(|reading| tally.add(problem, arm, &[reading.as_value()]).unwrap());
        }
        tally
    }

    /// ln Σ π exp(θ k − n ln(1 + q(e^θ − 1))), by its definition.
    fn slow_mixture(prior: &Prior, chance: f64, n: usize, k: usize) -> f64 {
        let log = |tilt: f64| tilt * k as f64 - n as f64 * (1.0 + chance * (tilt.exp() - 1.0)).ln();
        let weighted = |i: usize| prior.weights()[i].ln() + log(TILTS[i]);
        let top = (0..ATOMS).map(weighted).fold(0.0, f64::max);
        let terms = (0..ATOMS).map(|i| (weighted(i) - top).exp());
        top + (STILL * (-top).exp() + (1.0 - STILL) * terms.sum::<f64>()).ln()
    }

    /// The least over every x that could matter, and some that could not: all values and limits, right behind them, and beyond. `low` is claimed to be below `high`.
    fn slow_proof(level: f64, low: &[Reading], high: &[Reading]) -> f64 {
        let numbers = || low.iter().chain(high).map(|reading| reading.number());
        let candidates = numbers().flat_map(|x| [x.next_down(), x, x.next_up()]).chain([-1e9, 1e9]);
        let at = |x: f64| {
            let below = low.iter().filter(|reading| matches!(reading, Reading::Value(y) if *y < x)).count();
            // What may be at or below x is not above it.
            let above = high.iter().filter(|reading| match reading {
                Reading::Value(y) => *y > x,
                Reading::MoreThan(limit) => *limit >= x,
            });
            let above = above.count();
            let logs = SCALES.map(|scale| {
                let prior = |chance: f64| Prior::half_normal(1.0 / (scale * chance * (1.0 - chance)).sqrt());
                slow_mixture(&prior(level), level, low.len(), below)
                    + slow_mixture(&prior(1.0 - level), 1.0 - level, high.len(), above)
            });
            (logs.iter().map(|log| log.exp()).sum::<f64>() / 3.0).ln()
        };
        candidates.map(at).fold(f64::INFINITY, f64::min)
    }

    fn readings() -> impl Strategy<Value = Vec<Reading>> {
        let reading = (-12i32..13, 0usize..12, prop::sample::select(&[1.0, 0.137][..]));
        let reading = reading.prop_map(|(number, kind, grain)| {
            let number = f64::from(number) * grain;
            if kind == 0 { Reading::MoreThan(number) } else { Reading::Value(number) }
        });
        prop::collection::vec(reading, 1..120)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Also where all of very many values are on one side, and no tilt that fits has any weight.
        #[test]
        fn mixtures_are_those_of_the_definition(
            n in 1usize..20_000, part in 0.0..=1.0f64, q in prop::sample::select(&[0.5, 0.95, 0.01][..]), scale in 0.5..5e3f64,
        ) {
            let k = (part * part * n as f64) as usize;
            for k in [k, n - k, 0, n] {
                let fast = Excess::new(q, Few::one(scale)).ln(n, k).list()[0];
                let slow = slow_mixture(&Prior::half_normal(1.0 / (scale * q * (1.0 - q)).sqrt()), q, n, k);
                prop_assert!((fast - slow).abs() < 1e-6 * (1.0 + slow.abs()), "{n} {k}: {fast} {slow}");
                prop_assert!(fast >= STILL.ln() - 1e-9);
            }
        }

        /// With ties, with values that are only known to be more than something, for goals of both kinds.
        #[test]
        fn the_least_is_that_of_every_candidate(
            one in readings(), two in readings(), apart in 0i32..8,
            level in prop::sample::select(&[0.5, 0.95, 0.1, 0.999][..]), max in any::<bool>(),
        ) {
            let shift = |reading: &Reading| match *reading {
                Reading::Value(value) => Reading::Value(value + f64::from(apart)),
                Reading::MoreThan(limit) => Reading::MoreThan(limit + f64::from(apart)),
            };
            let two: Vec<Reading> = two.iter().map(shift).collect();
            let problem = problem(if max { Goal::Max } else { Goal::Min }, level);
            let tally = tally(&problem, [&one, &two]);
            let quantiles = Quantiles::new(&problem, &tally, None, None).unwrap();
            // The claim that the quantile of b is above that of a: b is ahead where more is better.
            let (ahead, behind) = if max { (1, 0) } else { (0, 1) };
            let (fast, slow) = (quantiles.proof(ahead, behind, 0), slow_proof(level, &one, &two));
            prop_assert!(fast <= slow + 1e-9 && fast >= slow - SLACK - 1e-6, "{fast} {slow}");
            let glance = quantiles.glance(ahead, behind, 0);
            prop_assert!(glance >= fast && quantiles.edge(ahead, behind, 0).0 >= fast, "{fast} {glance}");
            for bar in [slow - 0.5, slow - 0.005, slow, slow + 0.5] {
                prop_assert_eq!(quantiles.reaches(ahead, behind, 0, bar), fast >= bar);
            }
            // A mixture is no more than the best of what it mixes, and the cost is the least of those but for what is allowed.
            let gap = tally.means().row(ahead)[0] - tally.means().row(behind)[0];
            let counts = (tally.counts()[ahead], tally.counts()[behind]);
            let cost = quantiles.shares(Of::All, (ahead, behind), 0, gap, counts).cost();
            prop_assert!(fast <= cost + 1e-9, "{fast} {cost}");
        }

        /// A head start is as if the values of the higher one were higher by it.
        #[test]
        fn margins_are_moved_values(
            one in readings(), two in readings(), level in prop::sample::select(&[0.5, 0.95][..]), max in any::<bool>(),
            margin in prop::sample::select(&[Margin::Absolute(0.5), Margin::Absolute(3.0), Margin::Relative(0.5)][..]),
        ) {
            let plain = problem(if max { Goal::Max } else { Goal::Min }, level);
            let problem = plain.with_margins(&[margin]).unwrap();
            let tally = tally(&problem, [&one, &two]);
            let quantiles = Quantiles::new(&problem, &tally, None, None).unwrap();
            let (ahead, behind) = if max { (1, 0) } else { (0, 1) };
            let up = |x: f64| match margin {
                Margin::Absolute(by) => x + by,
                _ if max => x * 1.5,
                _ => x / 0.5,
            };
            let raised = two.iter().map(|reading| match *reading {
                Reading::Value(value) => Reading::Value(up(value)),
                Reading::MoreThan(limit) => Reading::MoreThan(up(limit)),
            });
            let (fast, slow) = (quantiles.proof(ahead, behind, 0), slow_proof(level, &one, &raised.collect::<Vec<_>>()));
            prop_assert!(fast <= slow + 1e-9 && fast >= slow - SLACK - 1e-6, "{fast} {slow}");
            let gap = tally.means().raised(ahead)[0] - tally.means().row(behind)[0];
            let counts = (tally.counts()[ahead], tally.counts()[behind]);
            let cost = quantiles.shares(Of::All, (ahead, behind), 0, gap, counts).cost();
            prop_assert!(fast <= cost + 1e-9, "{fast} {cost}");
        }

        /// Moved by nothing, a cost is that of the values; and n kl(k/n, q) is what it says.
        #[test]
        fn excesses_are_divergences(n in 1usize..400, k in 0usize..400, q in 0.001..0.999f64) {
            let k = k.min(n);
            let mut entropy = Entropy::default();
            entropy.reach(n);
            let part = |k: f64, q: f64| if k == 0.0 { 0.0 } else { k * (k / (n as f64 * q)).ln() };
            let slow = if k as f64 > q * n as f64 { part(k as f64, q) + part((n - k) as f64, 1.0 - q) } else { 0.0 };
            prop_assert!((entropy.excess(n, k, q, [q.ln(), (1.0 - q).ln()]) - slow).abs() < 1e-9 * (1.0 + slow));
        }
    }

    /// At the true quantile, whatever the law: the mean of the product at stopping times is at most one. Discrete laws with the quantile inside an atom, at the
    /// upper end of one, and a law without ties. At 4 standard errors per check, 24 checks, each on one side mostly: a false alarm in about 1 of 1,000 seeds.
    #[test]
    fn products_have_mean_at_most_one_at_stopping_times() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        // The parts of the law below and at or below its quantile.
        for (below, up_to) in [(0.5, 0.5), (0.3, 0.8), (0.2, 0.5), (0.5, 0.9)] {
            for scale in SCALES {
                for bar in [0.5, 1.5] {
                    let q = 0.5;
                    let [low, high] = [q, 1.0 - q].map(|chance| Excess::new(chance, Few::one(scale)));
                    let runs = 1_000;
                    let values: Vec<f64> = (0..runs)
                        .map(|_| {
                            let (mut n, mut k, mut m, mut l, mut log) = (0, 0, 0, 0, 0.0);
                            while n + m < 150 && log < bar {
                                // The arm that seems to prove less is observed.
                                if low.ln(n, k).list()[0] <= high.ln(m, l).list()[0] {
                                    n += 1;
                                    k += usize::from(rng.random::<f64>() < below);
                                } else {
                                    m += 1;
                                    l += usize::from(rng.random::<f64>() >= up_to);
                                }
                                log = low.ln(n, k).list()[0] + high.ln(m, l).list()[0];
                            }
                            log.exp()
                        })
                        .collect();
                    let mean = values.iter().sum::<f64>() / f64::from(runs);
                    let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(runs);
                    let error = (spread / f64::from(runs)).sqrt();
                    assert!(mean <= 1.0 + 4.0 * error, "{below} {up_to} c={scale} bar={bar}: {mean} ± {error}");
                    // Where there are no ties, nothing is given away.
                    assert!(below < 0.5 || up_to > 0.5 || mean >= 1.0 - 4.0 * error, "c={scale}: {mean} ± {error}");
                }
            }
        }
    }

    /// The flat stretch of a distribution function belongs to its left end: of 0 and 1, each half of the time, the median is 0. So the one that is 1 a little more often has the
    /// larger median, and one with the values 0 and 5 has the same.
    #[test]
    fn ties_are_on_the_side_of_the_definition() {
        let coin = |ones: usize, of: usize, top: f64| -> Vec<Reading> {
            (0..of).map(|i| Reading::Value(if i < ones { top } else { 0.0 })).collect()
        };
        for goal in [Goal::Max, Goal::Min] {
            let problem = problem(goal, 0.5);
            let proof = |one: &[Reading], two: &[Reading]| {
                let tally = tally(&problem, [one, two]);
                let (ahead, behind) = if goal == Goal::Max { (1, 0) } else { (0, 1) };
                Quantiles::new(&problem, &tally, None, None).unwrap().proof(ahead, behind, 0)
            };
            assert!(proof(&coin(200, 1000, 1.0), &coin(800, 1000, 1.0)) > 50.0);
            assert!(proof(&coin(500, 1000, 1.0), &coin(500, 1000, 5.0)) < 0.0);
            assert!(proof(&coin(800, 1000, 1.0), &coin(800, 1000, 1.0)) < 0.0);
        }
    }
}
