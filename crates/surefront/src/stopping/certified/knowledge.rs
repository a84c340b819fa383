//! What the observations say of every arm and objective beside the means: enough to measure a claim about any two arms.

use super::few::Few;
use super::forecast::{self, Forecast};
use super::least::{self, Tug};
use super::lesson::Lesson;
use super::shared::{Pool, Shared};
use super::student::{Curve, Rise, SHARED_WIDTHS, WIDTHS, Width, shift_price};
use super::term::{Term, Unknown};
use super::tilted::{Contender, Duel, Tilts};
use crate::family::Family;
use crate::law::Kind;
use crate::margin::Raise;
use crate::model::oriented;
use crate::problem::{Noise, Problem};
use crate::range::Range;
use crate::side::Contrast;
use crate::tally::{FIRST_LOOKS, Tally};

/// How many values a doubling of the number of observations that tell of a shared variance is rounded to.
const ROUNDED: f64 = 8.0;

/// Sums of squares below this count as this, so that nothing overflows.
const LEAST_SQUARES: f64 = 1e-200;

/// How one arm's variance in an objective is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// It is given, or bounded by the range of coarse values, or there is no noise: the problem's precision is all.
    Given,
    /// Not at all yet: there are too few observations, or all but a few are equal.
    Early,
    /// By the arm's own observations: one over their mean square around their mean.
    Own(f64),
    /// The same, of an arm that the lesson foretold; and the price of that.
    Foretold { unit: f64, price: f64 },
    /// By those of all arms that share it.
    Pooled,
    /// It comes with the mean.
    Tilted(Tilts),
}

/// How a claim about two arms in an objective is to be measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contest {
    /// By the weights of the arms' means.
    Weights,
    /// Not at all: too few observations.
    Early,
    /// Arm by arm, at each width.
    Tugs(Few<Tug>),
    /// Both share a variance with others.
    Shared(Shared),
    /// By the family of the noise.
    Tilted(Duel),
}

/// What two arms add to about the proof of a claim, whatever the means.
#[expect(clippy::large_enum_variant, reason = "it lives for one call")]
pub(super) enum About<'a> {
    /// Their variances are given.
    Given,
    /// Nothing yet: too few observations.
    Early,
    /// One of them at least is estimated.
    Estimated(Terms<'a>, Terms<'a>),
    /// The variance comes with the mean.
    Tilted(Duel),
}

/// What of an arm's mixtures depends on counts alone.
#[expect(clippy::large_enum_variant, reason = "it lives for one call")]
pub(super) enum Terms<'a> {
    /// Its own.
    Kept(&'a Few<Term>),
    /// And on those of others.
    Pooled(Few<Term>),
}

impl std::ops::Deref for Terms<'_> {
    type Target = Few<Term>;

    #[inline]
    fn deref(&self) -> &Few<Term> {
        match self {
            Terms::Kept(terms) => terms,
            Terms::Pooled(terms) => terms,
        }
    }
}

/// Where variances are not given: what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    objectives: usize,
    laws: Vec<Law>,
    /// By objective: the family, where there is another than the Gaussian.
    kinds: Option<Vec<Kind>>,
    /// By objective: the head start of the first arm of a claim.
    raises: Option<Vec<Raise>>,
    /// By objective: 1 / the square of the factor that arms with a head start are raised by.
    stretches: Vec<f64>,
    /// By objective: the range, where that is all that is known, and −1 where less is better.
    ranges: Vec<Option<(Range, f64)>>,
    /// By arm and objective: how far the values were off before, where only the range is known.
    walks: Vec<f64>,
    /// By arm: the widths that are mixed.
    widths: Vec<Few<Width>>,
    /// By arm: the rests of these.
    rests: Vec<Few<f64>>,
    /// By arm: its mixtures, at the arm's count.
    curves: Vec<Option<Few<Curve>>>,
    /// By arm: what of those depends on the count alone.
    terms: Vec<Few<Term>>,
    /// Whether some arm has a variance of its own that nobody knows.
    may_foretell: bool,
    /// By arm and objective: what the lesson foretold, and about what it proves.
    forecasts: Vec<Option<Forecast>>,
    foretold: Vec<Few<Term>>,
    /// By arm: the same of known variances, at those widths.
    shifts: Vec<Few<Term>>,
    /// By arm and objective: the sum of squares around the mean.
    squares: Vec<f64>,
    pools: Vec<Pool>,
    /// The width of the priors of shared variances, where a lesson chose it.
    shared_spread: Option<f64>,
}

impl Knowledge {
    /// `None` where all variances are given. Of the observations that are proof, at the widths of the lesson before them.
    pub fn new(problem: &Problem, tally: &Tally, lesson: Option<&Lesson>) -> Option<Self> {
        if !problem.has_unknown_noise() && problem.kinds().is_none() {
            return None;
        }
        let (arms, objectives) = (problem.arm_count(), problem.objective_count());
        let shares = |arm| (0..objectives).any(|j| problem.noise(arm, j) == Noise::Common);
        let usual = |arm| Few::three(if shares(arm) { SHARED_WIDTHS } else { WIDTHS });
        let width = |arm| lesson.map_or_else(|| usual(arm), |lesson| Few::led(lesson.widths(arm)));
        let widths: Vec<Few<Width>> = (0..arms).map(width).collect();
        let mut known = Knowledge {
            objectives,
            laws: (0..arms * objectives)
                .map(|cell| first_law(problem, lesson, cell / objectives, cell % objectives))
                .collect(),
            kinds: problem.kinds().map(<[Kind]>::to_vec),
            raises: problem.raises().map(<[Raise]>::to_vec),
            stretches: (0..objectives)
                .map(|j| problem.raises().map_or(1.0, |raises| raises[j].precision(1.0)))
                .collect(),
            ranges: (0..objectives)
                .map(|j| problem.range(j).map(|range| (range, oriented(problem.objectives()[j].goal, 1.0))))
                .collect(),
            walks: vec![0.0; arms * objectives],
            rests: widths.iter().map(|widths| widths.map(Width::rest)).collect(),
            widths,
            curves: vec![None; arms],
            terms: vec![Few::one(Term::new(0.0, 1.0)); arms],
            may_foretell: (0..arms * objectives)
                .any(|cell| problem.noise(cell / objectives, cell % objectives) == Noise::Unknown),
            forecasts: lesson.map_or_else(Vec::new, |lesson| lesson.forecasts().to_vec()),
            foretold: Vec::new(),
            shifts: vec![Few::one(Term::new(0.0, 1.0)); arms],
            squares: vec![0.0; arms * objectives],
            pools: vec![Pool::default(); objectives],
            shared_spread: lesson.map(Lesson::shared_spread),
        };
        if known.forecasts.iter().any(Option::is_some) {
            known.foretold = vec![Few::one(Term::new(0.0, 1.0)); arms * objectives];
        }
        (0..arms).for_each(|arm| known.learn(problem, tally, arm));
        known.pool(problem, tally);
        Some(known)
    }

    /// Whether some arm has a variance of its own that nobody knows: if it is far away, a lesson foretells it.
    pub fn may_foretell(&self) -> bool {
        self.may_foretell
    }

    /// Follows an observation of `arm`. Whether about the proofs of other arms' claims has changed as well.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) -> bool {
        self.learn(problem, tally, arm);
        self.pool(problem, tally)
    }

    fn learn(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        if !problem.has_unknown_noise() {
            return;
        }
        let count = tally.counts()[arm];
        self.shifts[arm] = self.widths[arm].map(|width| Term::new(count, width.shift));
        let (widths, shifts, rests) = (self.widths[arm], self.shifts[arm], self.rests[arm]);
        let curve =
            |((width, shift), rest): ((Width, Term), f64)| Curve::beside(shift.price, count, count, width, rest);
        self.curves[arm] = (count >= FIRST_LOOKS).then(|| widths.zip(shifts).zip(rests).map(curve));
        if let Some(curves) = self.curves[arm] {
            self.terms[arm] = self.shifts[arm].zip(curves).map(|(term, curve)| {
                let leak = (1.0 - term.kept) / (count * term.kept);
                Term { price: curve.rise.price, unknown: Some(Unknown::of(&curve, count, leak)), ..term }
            });
        }
        for j in 0..self.objectives {
            let noise = problem.noise(arm, j);
            if !noise.is_estimated() {
                continue;
            }
            let cell = arm * self.objectives + j;
            if noise.range().is_some() {
                self.walks[cell] = tally.walk(arm, j);
                continue;
            }
            self.squares[cell] = tally.variance(arm, j).map_or(0.0, |variance| variance * (count - 1.0));
            let forecast = self.forecasts.get(cell).copied().flatten();
            let first = if forecast.is_some() { forecast::FIRST } else { FIRST_LOOKS };
            self.laws[cell] = if tally.telling(arm, j) < first {
                Law::Early
            } else if problem.coarse_range(j).is_some() {
                Law::Given
            } else if noise == Noise::Common {
                Law::Pooled
            } else if let Some(forecast) = forecast {
                let squares = self.squares[cell].max(LEAST_SQUARES);
                let price = forecast.price(count, tally.means().row(arm)[j], squares);
                self.foretold[cell] = widths.map(|_| forecast::about(count, price));
                Law::Foretold { unit: count / squares, price }
            } else {
                Law::Own(count / self.squares[cell].max(LEAST_SQUARES))
            };
        }
    }

    /// In the order of the arms, so that what comes out does not depend on which was observed last. Whether about the proofs of all claims has changed.
    fn pool(&mut self, problem: &Problem, tally: &Tally) -> bool {
        let mut has_changed = false;
        for j in (0..self.objectives).filter(|&j| problem.shares_variance(j)) {
            let mut pool = Pool { spread: self.shared_spread, ..Pool::default() };
            for arm in (0..problem.arm_count()).filter(|&arm| problem.noise(arm, j) == Noise::Common) {
                pool.arms += 1;
                pool.freedom += (tally.counts()[arm] - 1.0).max(0.0);
                pool.squares += self.squares[arm * self.objectives + j];
            }
            pool.squares = pool.squares.max(LEAST_SQUARES);
            let [narrow, wide, _] = SHARED_WIDTHS;
            let widths = if pool.spread.is_some() { Few::led([narrow, wide]) } else { Few::three(SHARED_WIDTHS) };
            // About a proof goes by a rounded number, so that not every claim changes with every observation.
            pool.about = ((pool.freedom.max(1.0).log2() * ROUNDED).floor() / ROUNDED).exp2();
            let kept = self.pools[j];
            let is_kept = kept.unknowns.is_some() && kept.about == pool.about && kept.arms == pool.arms;
            has_changed |= !is_kept;
            pool.unknowns = if is_kept {
                kept.unknowns
            } else {
                let rise = |width| Rise::new(0.0, pool.about + 2.0, pool.width(width));
                Some(widths.map(|width| Unknown::new(rise(width), pool.about, 0.0)))
            };
            self.pools[j] = pool;
        }
        has_changed
    }

    fn law(&self, arm: usize, objective: usize) -> Law {
        self.laws[arm * self.objectives + objective]
    }

    /// How to measure a claim about two arms of these means in an objective; the first has its head start.
    pub fn contest(
        &self,
        (one, two): (usize, usize),
        objective: usize,
        contrast: Contrast,
        means: (f64, f64),
        counts: (f64, f64),
    ) -> Contest {
        match (self.law(one, objective), self.law(two, objective)) {
            (Law::Tilted(_), _) | (_, Law::Tilted(_)) => {
                Contest::Tilted(self.duel((one, two), objective, means, counts))
            }
            (Law::Given, Law::Given) => Contest::Weights,
            (Law::Early, _) | (_, Law::Early) => Contest::Early,
            (Law::Pooled, Law::Pooled) => {
                let pool = self.pools[objective];
                let widths =
                    self.widths[one].zip(self.widths[two]).map(|(one, two)| (pool.width(one), pool.width(two)));
                Contest::Shared(Shared { pool, counts, gap: contrast.gap, widths })
            }
            (first, second) => {
                let widths = self.widths[one].zip(self.widths[two]);
                let mut place = 0;
                let stretch = self.stretches[objective];
                let first = match first {
                    Law::Own(unit) => Law::Own(unit * stretch),
                    Law::Foretold { unit, price } => Law::Foretold { unit: unit * stretch, price },
                    other => other,
                };
                let tug = |(one_width, two_width)| {
                    let one = self.term(first, one, objective, contrast.one, counts.0, place, one_width);
                    let two = self.term(second, two, objective, contrast.two, counts.1, place, two_width);
                    place += 1;
                    Tug { one, two, gap: contrast.gap }
                };
                Contest::Tugs(widths.map(tug))
            }
        }
    }

    /// The terms of two arms in an objective, where none of them has to be made: `None` where a variance is given or shared, comes with the mean, or is not known at all.
    #[inline]
    pub fn own_terms(&self, one: usize, two: usize, objective: usize) -> Option<(&Few<Term>, &Few<Term>)> {
        let own = |arm: usize| {
            let cell = arm * self.objectives + objective;
            match self.laws[cell] {
                Law::Own(_) => Some(&self.terms[arm]),
                Law::Foretold { .. } => Some(&self.foretold[cell]),
                _ => None,
            }
        };
        own(one).zip(own(two))
    }

    /// What two arms add to about the proof of a claim.
    pub fn about(
        &self,
        (one, two): (usize, usize),
        objective: usize,
        means: (f64, f64),
        counts: (f64, f64),
    ) -> About<'_> {
        match (self.law(one, objective), self.law(two, objective)) {
            (Law::Tilted(_), _) | (_, Law::Tilted(_)) => About::Tilted(self.duel((one, two), objective, means, counts)),
            (Law::Given, Law::Given) => About::Given,
            (Law::Early, _) | (_, Law::Early) => About::Early,
            (first, second) => {
                About::Estimated(self.terms_of(first, one, objective), self.terms_of(second, two, objective))
            }
        }
    }

    /// Two arms where the variance comes with the mean, unless an arm has no noise.
    fn duel(&self, (one, two): (usize, usize), objective: usize, means: (f64, f64), counts: (f64, f64)) -> Duel {
        let contender = |arm: usize, mean: f64, count: f64| {
            let tilts = match self.law(arm, objective) {
                Law::Tilted(tilts) => Some(tilts),
                _ => None,
            };
            Contender { mean, count, tilts, walk: self.walks[arm * self.objectives + objective] }
        };
        let (one, two) = (contender(one, means.0, counts.0), contender(two, means.1, counts.1));
        let raise = self.raises.as_ref().map_or(Raise::NONE, |raises| raises[objective]);
        if let Some((range, sign)) = self.ranges[objective] {
            return Duel::within(range, sign, raise, one, two);
        }
        let kinds = self.kinds.as_ref().expect("there is another family than the Gaussian");
        Duel::new(kinds[objective], raise, one, two)
    }

    #[inline]
    fn terms_of(&self, law: Law, arm: usize, objective: usize) -> Terms<'_> {
        match law {
            Law::Own(_) => Terms::Kept(&self.terms[arm]),
            Law::Foretold { .. } => Terms::Kept(&self.foretold[arm * self.objectives + objective]),
            Law::Pooled => {
                let unknowns = self.pools[objective].unknowns.expect("they were pooled");
                Terms::Pooled(self.shifts[arm].zip(unknowns).map(|(term, unknown)| Term {
                    // The other arm of the claim bears the other half.
                    price: term.price + 0.5 * unknown.rise.price,
                    unknown: Some(unknown),
                    ..term
                }))
            }
            _ => Terms::Kept(&self.shifts[arm]),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one arm's part of what `contest` was asked")]
    fn term(
        &self,
        law: Law,
        arm: usize,
        objective: usize,
        weight: f64,
        count: f64,
        place: usize,
        width: Width,
    ) -> least::Term {
        match law {
            Law::Own(unit) => {
                let curves = self.curves[arm].as_ref().expect("there are enough observations");
                least::Term::Student { curve: curves.list()[place], unit }
            }
            Law::Foretold { unit, price } => least::Term::Foretold { half: 0.5 * count, unit, price },
            Law::Pooled => {
                let pool = self.pools[objective];
                let curve = Curve::new(count, pool.freedom + 1.0, pool.width(width));
                least::Term::Student { curve, unit: count / pool.squares }
            }
            _ if weight == f64::INFINITY => least::Term::Pinned,
            _ => {
                least::Term::Square { weight: weight * count / (count + width.shift), price: shift_price(count, width) }
            }
        }
    }

    /// Whether the variance of either arm comes with the mean, or only the range is known.
    #[inline]
    pub fn is_tilted(&self, one: usize, two: usize, objective: usize) -> bool {
        let tilted = |arm: usize| matches!(self.laws[arm * self.objectives + objective], Law::Tilted(_));
        tilted(one) || tilted(two)
    }

    /// What the tilts of two arms are thought to be, and the kind of their noise: of success rates and counts without a head start.
    #[inline]
    pub fn tilts(&self, one: usize, two: usize, objective: usize) -> Option<(Kind, (Tilts, Tilts))> {
        let kind = self.kinds.as_ref()?[objective];
        match (self.law(one, objective), self.law(two, objective)) {
            (Law::Tilted(first), Law::Tilted(second))
                if self.raises.is_none() && matches!(kind.family, Family::Bernoulli | Family::Poisson) =>
            {
                Some((kind, (first, second)))
            }
            _ => None,
        }
    }

    /// Whether only the range of an objective's values is known.
    #[inline]
    pub fn is_by_range(&self, objective: usize) -> bool {
        self.ranges[objective].is_some()
    }

    /// What half the squares of shifts are multiplied by at most in a proof, beside ln 2 for each side.
    #[inline]
    pub fn steepest(&self, objective: usize) -> f64 {
        let unknowns = self.pools[objective].unknowns.as_ref();
        unknowns.map_or(1.0, |unknowns| unknowns.list().iter().map(|unknown| unknown.steepest).fold(1.0, f64::max))
    }

    /// Whether a variance has to be estimated to compare two arms.
    #[inline]
    pub fn is_estimated(&self, one: usize, two: usize, objective: usize) -> bool {
        let given = |arm: usize| matches!(self.laws[arm * self.objectives + objective], Law::Given);
        !given(one) || !given(two)
    }

    /// Whether either of two arms, whose variances do not come with their means, has been observed too seldom.
    #[inline]
    pub fn are_early(&self, one: usize, two: usize, objective: usize) -> bool {
        self.is_early(one, objective) || self.is_early(two, objective)
    }

    /// Whether an arm has been observed too seldom for its variance to be known.
    #[inline]
    pub fn is_early(&self, arm: usize, objective: usize) -> bool {
        self.laws[arm * self.objectives + objective] == Law::Early
    }
}

/// How the variance of an arm is known before any observation: for good, where it comes with the mean or only the range is known.
fn first_law(problem: &Problem, lesson: Option<&Lesson>, arm: usize, objective: usize) -> Law {
    match problem.noise(arm, objective) {
        Noise::Bernoulli | Noise::Poisson | Noise::Exponential | Noise::Bounded { .. } => {
            Law::Tilted(lesson.map_or(Tilts::Any, |lesson| lesson.tilts(arm, objective)))
        }
        _ => Law::Given,
    }
}

/// Takes in `n` observations of an arm around `row`, which differ where the variance is unknown, and estimates that; where it comes with the mean, such as the noise can have.
#[cfg(test)]
pub(super) fn settle(problem: &mut Problem, tally: &mut Tally, arm: usize, n: usize, row: &[f64]) {
    let unknown = |j: usize| problem.noise(arm, j).is_estimated() || problem.quantile(j).is_some();
    for i in 0..n {
        let off = if i % 2 == 0 { 0.9 } else { -0.9 };
        let value = |(j, &x): (usize, &f64)| match problem.noise(arm, j) {
            Noise::Bernoulli => f64::from(u8::from(f64::from((7 * i as u32 + 3) % 13) < x + 6.5)),
            Noise::Poisson => (x + 6.0).abs().round(),
            Noise::Exponential => x.abs() + 0.5,
            Noise::Bounded { low, high } => (x + off).clamp(low, high),
            Noise::Exact if problem.family(j) != crate::family::Family::Gaussian => ((x.abs() + 0.5) / 8.0).min(1.0),
            _ if unknown(j) => x + off,
            _ => x,
        };
        let values: Vec<f64> = row.iter().enumerate().map(value).collect();
        tally.add(problem, arm, &values).unwrap();
    }
    for j in (0..row.len()).filter(|&j| problem.noise(arm, j).is_estimated()).collect::<Vec<_>>() {
        let variance = if n < 4 { 1e75 } else { tally.variance(arm, j).unwrap() * (n - 1) as f64 / n as f64 };
        problem.estimate(arm, j, variance);
    }
}
