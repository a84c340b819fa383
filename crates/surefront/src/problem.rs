//! What is to be decided: the objectives, the arms and their noise.
//!
//! A [`Problem`] is validated once, when it is made, and is valid ever after: the algorithms take it as it is. It says
//! nothing about the means, which are a [`Model`](crate::Model): given, guessed or estimated.

mod gate;
mod no_oracle;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::correlation::{CorrelatedNoise, Correlation, CorrelationError, Coupling};
use crate::costs::{self, Costs, is_cost};
use crate::family::Family;
use crate::law::Kind;
use crate::limit::{Layout, Limits, Role, can_be};
use crate::margin::{Margin, Raise};
use crate::range::Range;
use crate::statistic::{Quantile, Statistic};

pub(crate) use self::gate::Gate;
pub use self::no_oracle::NoOracle;

/// The largest magnitude of a mean, and the range of a variance around 1, that costs can be computed from without
/// overflow: squares of differences, times a weight, over a variance.
pub const LARGEST: f64 = 1e75;

/// Whether more or less of an objective is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Larger values are better.
    Max,
    /// Smaller values are better.
    Min,
}

/// How far one observation strays from the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Noise {
    /// Gaussian with this variance, known in advance.
    Variance(f64),
    /// No noise at all: one observation gives the mean, and no alternative can move it.
    Exact,
    /// Gaussian with a variance that only the observations can tell. A [`Study`](crate::Study) estimates it as it goes; until
    /// then, and wherever nobody estimates it, an observation is taken to say next to nothing.
    Unknown,
    /// As [`Noise::Unknown`], but the variance of the objective is the same for all arms of which this is said: all of them tell of it.
    Common,
    /// Every observation is 0 or 1; the mean is the rate of ones.
    Bernoulli,
    /// Every observation is a count of events.
    Poisson,
    /// Every observation is a time, or another positive number, that is exponentially distributed.
    Exponential,
    /// No observation is below the one or above the other number; nothing else is known.
    Bounded {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// Of any law at all: where a quantile is compared, nothing need be known of it.
    Any,
}

/// One thing that is measured of every arm.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Objective {
    /// The name, unique among the objectives.
    pub name: String,
    /// Whether more or less is better.
    pub goal: Goal,
    /// The noise of one observation, for every arm that does not say otherwise. Where a quantile is compared, no conclusion rests on it: a variance is
    /// only what simulated observations are drawn with.
    pub noise: Noise,
    /// What of an arm's values is compared.
    pub statistic: Statistic,
    /// The largest difference that does not matter.
    pub margin: Margin,
    /// What it has to be for an arm to be wanted at all.
    pub limits: Limits,
    /// Whether it is optimised, or only has to keep its limits. If so, the goal says nothing.
    pub role: Role,
}

/// One of the alternatives that can be measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arm {
    /// The name, unique among the arms.
    pub name: String,
    /// This arm's own noise, one entry per objective; `None` where it is the objectives' noise.
    pub noise: Option<Vec<Noise>>,
    /// What one measurement of it costs, in any unit that is the same for all arms; one, if nothing is said.
    pub cost: f64,
}

impl Noise {
    /// The variance of one observation: zero without noise, `None` where only the observations can tell, or where it comes with the mean.
    pub fn variance(self) -> Option<f64> {
        match self {
            Noise::Variance(variance) => Some(variance),
            Noise::Exact => Some(0.0),
            _ => None,
        }
    }

    /// The family it is of, or as which its costs are taken; `None` without noise, or where it may be any.
    pub fn family(self) -> Option<Family> {
        match self {
            Noise::Variance(_) | Noise::Unknown | Noise::Common | Noise::Bounded { .. } => Some(Family::Gaussian),
            Noise::Bernoulli => Some(Family::Bernoulli),
            Noise::Poisson => Some(Family::Poisson),
            Noise::Exponential => Some(Family::Exponential),
            Noise::Exact | Noise::Any => None,
        }
    }

    /// Whether only the observations can tell the variance.
    pub fn is_estimated(self) -> bool {
        matches!(self, Noise::Unknown | Noise::Common | Noise::Bounded { .. })
    }

    /// Whether it is Gaussian with a variance that nobody gave.
    pub fn is_unknown(self) -> bool {
        matches!(self, Noise::Unknown | Noise::Common)
    }

    /// Where its values are, if that is all that is known.
    pub fn range(self) -> Option<Range> {
        match self {
            Noise::Bounded { low, high } => Some(Range { low, high }),
            _ => None,
        }
    }
}

impl Objective {
    /// An objective of this name, of which means are compared.
    pub fn new(name: impl Into<String>, goal: Goal, noise: Noise) -> Self {
        Objective {
            name: name.into(),
            goal,
            noise,
            statistic: Statistic::Mean,
            margin: Margin::NONE,
            limits: Limits::default(),
            role: Role::Optimised,
        }
    }

    /// Something of this name that is not optimised, but has to keep limits.
    pub fn limited(name: impl Into<String>, noise: Noise) -> Self {
        Objective { role: Role::Limited, ..Objective::new(name, Goal::Min, noise) }
    }

    /// The same objective; arms whose mean is below this are not wanted.
    #[must_use]
    pub fn with_at_least(self, least: f64) -> Self {
        Objective { limits: Limits { at_least: Some(least), ..self.limits }, ..self }
    }

    /// The same objective; arms whose mean is above this are not wanted.
    #[must_use]
    pub fn with_at_most(self, most: f64) -> Self {
        Objective { limits: Limits { at_most: Some(most), ..self.limits }, ..self }
    }

    /// Whether it is measured for its limits alone.
    pub fn is_only_limited(&self) -> bool {
        self.role == Role::Limited
    }

    /// The same objective, of which something else is compared.
    ///
    /// ```
    /// use surefront::{Arm, Goal, Noise, Objective, Problem, Statistic};
    ///
    /// let time = Objective::new("milliseconds", Goal::Min, Noise::Any).with_statistic(Statistic::MEDIAN);
    /// let problem = Problem::new(vec![time], vec![Arm::named("a"), Arm::named("b")])?;
    /// assert_eq!(problem.quantile(0).unwrap().level(), 0.5);
    /// # Ok::<(), surefront::ProblemError>(())
    /// ```
    #[must_use]
    pub fn with_statistic(self, statistic: Statistic) -> Self {
        Objective { statistic, ..self }
    }

    /// The same objective, in which differences up to this do not matter.
    #[must_use]
    pub fn with_margin(self, margin: Margin) -> Self {
        Objective { margin, ..self }
    }
}

impl Arm {
    /// What a cost may be: a number above zero.
    pub const COSTS: RangeInclusive<f64> = costs::POSSIBLE;

    /// An arm with the objectives' noise, of which a measurement costs one.
    pub fn named(name: impl Into<String>) -> Self {
        Arm { name: name.into(), noise: None, cost: 1.0 }
    }

    /// The same arm with noise of its own, one entry per objective; `None` for the objectives' noise.
    #[must_use]
    pub fn with_noise(self, noise: impl Into<Option<Vec<Noise>>>) -> Self {
        Arm { noise: noise.into(), ..self }
    }

    /// The same arm, of which a measurement costs this.
    ///
    /// ```
    /// use surefront::{Arm, Goal, Model, Noise, Objective, Problem, bound};
    ///
    /// let loss = Objective::new("loss", Goal::Min, Noise::Variance(1.0));
    /// let problem = Problem::new(vec![loss], vec![Arm::named("small"), Arm::named("large").with_cost(9.0)])?;
    /// let bound = bound(&problem, &Model::new(&problem, &[[2.0], [1.0]])?, 1e-6)?;
    /// // Three of the small one for one of the large one: T* = 2 (√1 + √9)², not 2 (1 + 9) · 2.
    /// assert!((bound.upper - 32.0).abs() < 1e-3 && (bound.weights[0] - 0.75).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_cost(self, cost: f64) -> Self {
        Arm { cost, ..self }
    }
}

/// Why a [`Problem`], a [`Model`](crate::Model) or [`Weights`](crate::Weights) cannot be made, and what to write instead.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// There is no objective.
    #[error("there are no objectives: name at least one")]
    NoObjectives,
    /// There is no arm.
    #[error("there are no arms: name at least one")]
    NoArms,
    /// A name is empty.
    #[error("the {what} number {number} has an empty name: give it one")]
    EmptyName {
        /// "objective" or "arm".
        what: &'static str,
        /// Its place in the list, from 1.
        number: usize,
    },
    /// Two objectives, or two arms, share a name.
    #[error("there are two {what}s named \"{name}\" (numbers {first} and {second}): names must differ")]
    DuplicateName {
        /// "objective" or "arm".
        what: &'static str,
        /// The shared name.
        name: String,
        /// The earlier one's place in the list, from 1.
        first: usize,
        /// The later one's place in the list, from 1.
        second: usize,
    },
    /// A variance is negative, not a number, infinite, or out of the range that can be computed with.
    #[error(
        "the variance of {place} is {value:e}: write a number between 1e-75 and 1e75, or 0 for an objective without noise"
    )]
    BadVariance {
        /// The objective, or the arm and objective.
        place: String,
        /// What was given.
        value: f64,
    },
    /// A cost is zero, negative, not a number, infinite, or out of the range that can be computed with.
    #[error("the cost of arm \"{arm}\" is {value}: write a number above 0, such as 1")]
    BadCost {
        /// The arm's name.
        arm: String,
        /// What was given.
        value: f64,
    },
    /// A list has not one entry per objective.
    #[error(
        "the {what} of arm \"{arm}\" have {found} entries, but there are {expected} objectives: write one number for each"
    )]
    WrongArity {
        /// "means" or "variances".
        what: &'static str,
        /// The arm's name.
        arm: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A mean is not a number, infinite, or too large to compute with.
    #[error(
        "the mean of arm \"{arm}\" in objective \"{objective}\" is {value:e}: write a finite number, at most 1e75 in size"
    )]
    BadMean {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
    },
    /// A mean that the noise of the objective cannot have.
    #[error(
        "the mean of arm \"{arm}\" in objective \"{objective}\" is {value}: with {family} noise, write {means}",
        family = .family.name(),
        means = .family.means()
    )]
    MeanOutside {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
        /// The noise of the objective.
        family: Family,
    },
    /// Arms have noise of different families in one objective.
    #[error(
        "arm \"{arm}\" has {} noise in objective \"{objective}\", where other arms have {} noise: give all the same, or none",
        .families[1].name(),
        .families[0].name()
    )]
    MixedFamilies {
        /// The later arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// The family of the arms before it, and its own.
        families: [Family; 2],
    },
    /// The ends of a range are no two numbers in order.
    #[error("the range of {place} goes from {} to {}: write the least value, then the greatest", .range.low, .range.high)]
    BadRange {
        /// The objective, or the arm and objective.
        place: String,
        /// What was given.
        range: Range,
    },
    /// A mean that is outside the range of the objective.
    #[error(
        "the mean of arm \"{arm}\" in objective \"{objective}\" is {value}: write a number from {} to {}, which is its range",
        .range.low,
        .range.high
    )]
    MeanBeyond {
        /// The arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
        /// The range of the objective.
        range: Range,
    },
    /// Arms have different ranges in one objective, or some have none.
    #[error(
        "arm \"{arm}\" has not the range of the other arms in objective \"{objective}\": give all the same, or no noise"
    )]
    MixedRanges {
        /// The later arm's name.
        arm: String,
        /// The objective's name.
        objective: String,
    },
    /// A quantile of something whose law is fixed otherwise.
    #[error("{place} is compared by its {statistic}, which needs no law of noise: leave out that it is {noise}")]
    QuantileNoise {
        /// The objective, or the arm and objective.
        place: String,
        /// The quantile.
        statistic: Statistic,
        /// The noise that was given.
        noise: &'static str,
    },
    /// The mean of something of any law.
    #[error(
        "the noise of {place} may be of any law, which says nothing of its mean: compare a quantile, such as the median, or give the noise"
    )]
    MeanOfAny {
        /// The objective, or the arm and objective.
        place: String,
    },
    /// There is not one row of means, or one weight, per arm.
    #[error(
        "the margin of objective \"{objective}\" is {margin}: write a number from 0 to 1e75, or a part of the mean from 0 % to less than 100 %"
    )]
    BadMargin {
        /// The objective's name.
        objective: String,
        /// What was given.
        margin: Margin,
    },
    /// There is no proof with a margin in parts of the mean where a variance is shared.
    #[error(
        "objective \"{objective}\" has one variance for all arms and a margin in parts of the mean: write the margin in the units of the objective, or leave out that the variance is the same"
    )]
    RelativeMarginForCommon {
        /// The objective's name.
        objective: String,
    },
    /// Nothing is to be optimised.
    #[error("there are only limits and nothing to optimise: name at least one objective")]
    NothingOptimised,
    /// Something that is neither optimised nor limited.
    #[error("\"{objective}\" is not optimised and has no limit: write what it must be at least, or at most")]
    NoLimit {
        /// Its name.
        objective: String,
    },
    /// A limit is not a number that a mean can be.
    #[error("the limit of \"{objective}\" is {value}: write a number that its mean can be")]
    BadLimit {
        /// The objective's name.
        objective: String,
        /// What was given.
        value: f64,
    },
    /// Two limits leave no room.
    #[error(
        "\"{objective}\" is to be at least {at_least} and at most {at_most}: write a least value that is below the most"
    )]
    NoRoom {
        /// The objective's name.
        objective: String,
        /// The least it may be.
        at_least: f64,
        /// The most it may be.
        at_most: f64,
    },
    /// A margin where nothing is compared.
    #[error("\"{objective}\" is not optimised, so that no difference in it matters: leave out its margin")]
    MarginForLimited {
        /// The objective's name.
        objective: String,
    },
    /// Not one for each arm.
    #[error("there are {found} {what}, but {expected} arms: write one for each arm")]
    WrongCount {
        /// "rows of means" or "weights".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A weight is negative, not a number, infinite, or too large to compute with.
    #[error("the weight of arm number {number} is {value:e}: write a number from 0 to 1e75")]
    BadWeight {
        /// The arm's place in the list, from 1.
        number: usize,
        /// What was given.
        value: f64,
    },
    /// No weight is positive.
    #[error("all weights are zero: at least one arm needs a positive weight")]
    NoWeight,
    /// The readings cannot be correlated as was said.
    #[error(transparent)]
    Correlation(#[from] CorrelationError),
}

/// The objectives and the arms, with their noise: checked, and valid ever after.
///
/// ```
/// use surefront::{Arm, Goal, Noise, Objective, Problem};
///
/// let problem = Problem::new(
///     vec![
///         Objective::new("accuracy", Goal::Max, Noise::Variance(0.04)),
///         Objective::new("bytes", Goal::Min, Noise::Exact),
///     ],
///     vec![Arm::named("small"), Arm::named("large")],
/// )?;
/// assert_eq!((problem.arm_count(), problem.objective_count()), (2, 2));
/// assert_eq!(problem.arm_named("large"), Some(1));
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    objectives: Vec<Objective>,
    arms: Vec<Arm>,
    /// 1 / variance by arm and objective, row by row; infinite where there is no noise, an estimate where it is unknown, one where the
    /// variance comes with the mean.
    precision: Vec<f64>,
    /// By objective, where some difference does not matter.
    raises: Option<Vec<Raise>>,
    /// What `precision` is for means that are raised by a factor; none where none is.
    raised_precision: Option<Vec<f64>>,
    /// By objective, unless all noise is Gaussian.
    kinds: Option<Vec<Kind>>,
    /// By objective: where its values are, if that is all that is known.
    ranges: Vec<Option<Range>>,
    homoscedastic: bool,
    unknown: bool,
    /// By objective: whether some arms share a variance that only the observations can tell.
    shared: Vec<bool>,
    /// By objective: how far the values reach, where they are too coarse to be taken for Gaussian; none at all where nobody looked.
    coarse: Vec<Option<f64>>,
    /// What was said of the correlation between objectives.
    correlation: Option<Correlation>,
    /// What it is, as given or estimated; none where the readings are independent.
    coupling: Option<Coupling>,
    costs: Costs,
    /// Where there are limits.
    gate: Option<Box<Gate>>,
}

impl Problem {
    /// Checks the objectives and the arms.
    ///
    /// # Errors
    /// The first condition that does not hold, with the name or number of what breaks it.
    pub fn new(objectives: Vec<Objective>, arms: Vec<Arm>) -> Result<Self, ProblemError> {
        let (objectives, arms) = free_of_laws(objectives, arms)?;
        Problem::of_any(objectives, arms)
    }

    /// The same for objectives and arms of which any may be without noise, where a quantile is compared as well: it is where it is.
    fn of_any(objectives: Vec<Objective>, arms: Vec<Arm>) -> Result<Self, ProblemError> {
        if objectives.is_empty() {
            return Err(ProblemError::NoObjectives);
        }
        if arms.is_empty() {
            return Err(ProblemError::NoArms);
        }
        check_names("objective", objectives.iter().map(|o| o.name.as_str()))?;
        check_names("arm", arms.iter().map(|a| a.name.as_str()))?;

        if let Some(arm) = arms.iter().find(|arm| !is_cost(arm.cost)) {
            return Err(ProblemError::BadCost { arm: arm.name.clone(), value: arm.cost });
        }

        let d = objectives.len();
        let costs = Costs::given(arms.iter().map(|arm| arm.cost).collect());
        let shared = objectives
            .iter()
            .map(|o| precision(o.noise, o.statistic, || format!("objective \"{}\"", o.name)))
            .collect::<Result<Vec<f64>, _>>()?;
        let mut table = Vec::with_capacity(arms.len() * d);
        for arm in &arms {
            match &arm.noise {
                None => table.extend_from_slice(&shared),
                Some(own) if own.len() != d => {
                    return Err(ProblemError::WrongArity {
                        what: "variances",
                        arm: arm.name.clone(),
                        found: own.len(),
                        expected: d,
                    });
                }
                Some(own) => {
                    for (objective, &noise) in objectives.iter().zip(own) {
                        table.push(precision(noise, objective.statistic, || {
                            format!("arm \"{}\" in objective \"{}\"", arm.name, objective.name)
                        })?);
                    }
                }
            }
        }
        let mut problem = Problem {
            objectives,
            arms,
            precision: table,
            raises: None,
            raised_precision: None,
            kinds: None,
            ranges: vec![None; d],
            homoscedastic: false,
            unknown: false,
            shared: vec![false; d],
            coarse: vec![None; d],
            correlation: None,
            coupling: None,
            costs,
            gate: None,
        };
        let shares = |j: usize| (0..problem.arm_count()).any(|arm| problem.noise(arm, j) == Noise::Common);
        problem.shared = (0..d).map(shares).collect();
        problem.kinds = problem.find_kinds()?;
        problem.ranges = problem.find_ranges()?;
        problem.gate = Gate::of(&problem.objectives, &problem.arms)?.map(Box::new);
        problem.rest_idle(0);
        problem.raises = problem.find_raises()?;
        problem.raise_precisions();
        let unknown = (0..problem.arm_count()).any(|arm| (0..d).any(|j| problem.noise(arm, j).is_estimated()));
        let table = &problem.precision;
        // Estimates will differ from arm to arm.
        let homoscedastic =
            !unknown && table.iter().all(|p| p.is_finite()) && table.chunks_exact(d).all(|row| row == &table[..d]);
        Ok(Problem { homoscedastic, unknown, ..problem })
    }

    /// The same problem, with readings that are correlated as said; they are independent otherwise.
    ///
    /// # Errors
    /// When no readings can be correlated like this, or an objective is of a kind that correlations are not for.
    pub fn with_correlation(self, correlation: Correlation) -> Result<Self, ProblemError> {
        let d = self.objectives.len();
        let kind = |j: usize| match self.family(j) {
            Family::Gaussian if self.range(j).is_some() => Some("bounded"),
            Family::Gaussian if self.quantile(j).is_some() => Some("compared by a quantile"),
            Family::Gaussian => None,
            family => Some(family.name()),
        };
        if let Some((j, family)) = (0..d).find_map(|j| kind(j).map(|kind| (j, kind))) {
            let objective = self.objectives[j].name.clone();
            return Err(CorrelationError::OfOtherKind { objective, family }.into());
        }
        let coupling = match &correlation {
            // Until the observations have told it.
            Correlation::Estimate => None,
            Correlation::Given(rows) => {
                let names: Vec<&str> = self.objectives.iter().map(|objective| objective.name.as_str()).collect();
                let coupling = Coupling::checked(rows, &names, &self.signs())?;
                let is_exact = |j: usize| (0..self.arms.len()).all(|arm| self.noise(arm, j) == Noise::Exact);
                for exact in (0..d).filter(|&j| is_exact(j)) {
                    if let Some(other) = (0..d).find(|&j| j != exact && rows[exact][j] != 0.0) {
                        let objectives = [exact, other].map(|j| names[j].to_owned());
                        let (exact, value) = (objectives[0].clone(), rows[exact][other]);
                        return Err(CorrelationError::WithExact { objectives, exact, value }.into());
                    }
                }
                Some(coupling).filter(|coupling| !coupling.is_none())
            }
        };
        Ok(Problem { correlation: Some(correlation), coupling, ..self })
    }

    /// The same problem, in which a study learns what the measurements cost ([`Study::set_costs`](crate::Study::set_costs)); until then, one.
    #[must_use]
    pub fn with_measured_costs(self) -> Self {
        Problem { costs: Costs::Measured(vec![1.0; self.arms.len()]), ..self }
    }

    /// What one measurement of `arm` costs: as given, or as measured so far; one where nothing was said.
    ///
    /// # Panics
    /// When there is no such arm.
    #[inline]
    pub fn cost(&self, arm: usize) -> f64 {
        self.costs.of(arm)
    }

    /// What so many measurements of each arm cost; where nothing was said, their number.
    pub fn total_cost(&self, counts: &[f64]) -> f64 {
        counts.iter().enumerate().map(|(arm, count)| self.cost(arm) * count).sum()
    }

    /// Whether something was said of costs.
    pub fn has_costs(&self) -> bool {
        self.costs.by_arm().is_some()
    }

    /// Whether the costs are what measuring shows them to be.
    pub fn measures_costs(&self) -> bool {
        matches!(self.costs, Costs::Measured(_))
    }

    /// What a measurement costs, by arm; `None` where all cost one.
    #[inline]
    pub(crate) fn costs(&self) -> Option<&[f64]> {
        self.costs.by_arm()
    }

    /// Takes measurements to cost this; checked.
    pub(crate) fn set_costs(&mut self, costs: Vec<f64>) {
        debug_assert!(costs.len() == self.arms.len() && costs.iter().copied().all(is_cost));
        self.costs = Costs::Measured(costs);
    }

    /// What was said of the correlation between objectives; `None` where they are taken to be independent.
    pub fn correlation(&self) -> Option<&Correlation> {
        self.correlation.as_ref()
    }

    /// The correlation of two objectives, of the readings as they are: as given, or as estimated so far.
    ///
    /// # Panics
    /// When there is no such objective.
    pub fn correlation_of(&self, one: usize, other: usize) -> f64 {
        let turned = self.objectives[one].goal != self.objectives[other].goal;
        let sign = if turned { -1.0 } else { 1.0 };
        match &self.coupling {
            _ if one == other => 1.0,
            None => 0.0,
            Some(coupling) => sign * coupling.of_pair(one, other),
        }
    }

    /// What makes independent noise correlated as given, or as estimated so far; `None` where it is independent.
    pub fn correlated_noise(&self) -> Option<CorrelatedNoise> {
        let coupling = self.coupling.clone()?;
        Some(CorrelatedNoise { coupling, signs: self.signs() })
    }

    /// By objective: 1 where larger values are better, otherwise −1.
    fn signs(&self) -> Vec<f64> {
        self.objectives.iter().map(|objective| if objective.goal == Goal::Max { 1.0 } else { -1.0 }).collect()
    }

    /// The correlation, where the readings are not independent.
    #[inline]
    pub(crate) fn coupling(&self) -> Option<&Coupling> {
        self.coupling.as_ref()
    }

    /// The covariance of one observation of `arm` in two objectives, larger being better; zero where there is no noise.
    pub(crate) fn covariance(&self, arm: usize, one: usize, other: usize) -> f64 {
        let precision = self.precision(arm);
        match &self.coupling {
            Some(coupling) => coupling.covariance(precision, one, other),
            None if one == other => precision[one].recip(),
            None => 0.0,
        }
    }

    /// Whether only the observations can tell the correlation.
    pub(crate) fn estimates_correlation(&self) -> bool {
        self.correlation == Some(Correlation::Estimate)
    }

    /// Takes the correlation that only the observations can tell to be this.
    pub(crate) fn set_coupling(&mut self, coupling: Option<Coupling>) {
        debug_assert!(self.estimates_correlation());
        self.coupling = coupling;
    }

    /// The family of each objective, if there is another than the Gaussian.
    fn find_kinds(&self) -> Result<Option<Vec<Kind>>, ProblemError> {
        let mut kinds = Vec::with_capacity(self.objectives.len());
        for (j, objective) in self.objectives.iter().enumerate() {
            let mut known = None;
            for (arm, named) in self.arms.iter().enumerate() {
                match (known, self.noise(arm, j).family()) {
                    (None, family) => known = family,
                    (Some(first), Some(second)) if first != second => {
                        let (arm, objective) = (named.name.clone(), objective.name.clone());
                        return Err(ProblemError::MixedFamilies { arm, objective, families: [first, second] });
                    }
                    _ => {}
                }
            }
            let sign = if objective.goal == Goal::Max { 1.0 } else { -1.0 };
            kinds.push(Kind { family: known.unwrap_or(Family::Gaussian), sign });
        }
        // What is only limited takes no part in what arms are compared by.
        for (kind, _) in kinds.iter_mut().zip(&self.objectives).filter(|(_, objective)| objective.is_only_limited()) {
            kind.family = Family::Gaussian;
        }
        let all_gaussian = kinds.iter().all(|kind| kind.family == Family::Gaussian);
        Ok((!all_gaussian).then_some(kinds))
    }

    /// The range of each objective, which is that of all arms that have noise there.
    fn find_ranges(&self) -> Result<Vec<Option<Range>>, ProblemError> {
        let mut ranges = Vec::with_capacity(self.objectives.len());
        for (j, objective) in self.objectives.iter().enumerate() {
            let mut noisy = (0..self.arm_count()).filter(|&arm| self.noise(arm, j) != Noise::Exact);
            let range = noisy.next().and_then(|arm| self.noise(arm, j).range());
            if let Some(arm) = noisy.find(|&arm| self.noise(arm, j).range() != range) {
                let (arm, objective) = (self.arms[arm].name.clone(), objective.name.clone());
                return Err(ProblemError::MixedRanges { arm, objective });
            }
            ranges.push(range);
        }
        Ok(ranges)
    }

    /// The head start of every objective, if there is a margin.
    fn find_raises(&self) -> Result<Option<Vec<Raise>>, ProblemError> {
        for (j, objective) in
            self.objectives.iter().enumerate().filter(|(_, objective)| objective.margin != Margin::NONE)
        {
            let (margin, objective) = (objective.margin, objective.name.clone());
            if !margin.is_valid() {
                return Err(ProblemError::BadMargin { objective, margin });
            }
            if margin.is_none() {
                continue;
            }
            if self.quantile(j).is_some() {
                continue;
            }
            if self.shares_variance(j) && matches!(margin, Margin::Relative(_)) {
                return Err(ProblemError::RelativeMarginForCommon { objective });
            }
        }
        let sign = |goal: Goal| if goal == Goal::Max { 1.0 } else { -1.0 };
        let raises = || self.objectives.iter().map(|objective| objective.margin.raise(sign(objective.goal))).collect();
        Ok(self.objectives.iter().any(|objective| !objective.margin.is_none()).then(raises))
    }

    fn raise_precisions(&mut self) {
        let raises = self.raises.as_ref().filter(|raises| raises.iter().any(|raise| raise.factor != 1.0));
        // A mean of another family is priced where it was before it was raised.
        let stretched = |j: usize, precision: f64, raise: &Raise| match self.kind(j).family {
            Family::Gaussian => raise.precision(precision),
            _ => precision,
        };
        self.raised_precision = raises.map(|raises| {
            let raised = self.precision.iter().zip(raises.iter().enumerate().cycle());
            raised.map(|(&precision, (j, raise))| stretched(j, precision, raise)).collect()
        });
    }

    /// The same problem, with what is known of it, under these margins.
    pub(crate) fn with_margins(&self, margins: &[Margin]) -> Result<Self, ProblemError> {
        let mut problem = self.clone();
        problem.objectives.iter_mut().zip(margins).for_each(|(objective, &margin)| objective.margin = margin);
        problem.raises = problem.find_raises()?;
        problem.raise_precisions();
        Ok(problem)
    }

    /// Whether there is an objective in which some difference does not matter.
    #[inline]
    pub fn has_margins(&self) -> bool {
        self.raises.is_some()
    }

    /// By objective: the head start of arms that are named; `None` without margins.
    #[inline]
    pub(crate) fn raises(&self) -> Option<&[Raise]> {
        self.raises.as_deref()
    }

    /// What [`Problem::precisions`] gives for means that are raised.
    #[inline]
    pub(crate) fn raised_precisions(&self) -> &[f64] {
        self.raised_precision.as_ref().unwrap_or(&self.precision)
    }

    /// Where the values of an objective are, if that is all that is known of its noise.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn range(&self, objective: usize) -> Option<Range> {
        self.ranges[objective]
    }

    /// Whether there is an objective of which only the range is known.
    pub(crate) fn has_ranges(&self) -> bool {
        self.ranges.iter().any(Option::is_some)
    }

    /// The number of arms, K.
    pub fn arm_count(&self) -> usize {
        self.arms.len()
    }

    /// The number of objectives, d.
    pub fn objective_count(&self) -> usize {
        self.objectives.len()
    }

    /// The objectives, in the order of every vector of values.
    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    /// The arms, in the order of their indices.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The index of the arm of this name.
    pub fn arm_named(&self, name: &str) -> Option<usize> {
        self.arms.iter().position(|arm| arm.name == name)
    }

    /// The noise of `arm` in an objective, as it was given.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    pub fn noise(&self, arm: usize, objective: usize) -> Noise {
        self.arms[arm].noise.as_ref().map_or(self.objectives[objective].noise, |own| own[objective])
    }

    /// The quantile that is compared in an objective; `None` where it is the mean.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn quantile(&self, objective: usize) -> Option<Quantile> {
        self.objectives[objective].statistic.quantile()
    }

    /// Whether a quantile is compared in some objective.
    #[inline]
    pub fn has_quantiles(&self) -> bool {
        self.objectives.iter().any(|objective| !objective.statistic.is_mean())
    }

    /// The family of the noise in an objective, the same for all arms that have noise there.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn family(&self, objective: usize) -> Family {
        assert!(objective < self.objectives.len(), "there is no objective of index {objective}");
        if let Some(family) = self.gate.as_ref().and_then(|gate| gate.family_of_idle(objective)) {
            return family;
        }
        self.kinds.as_ref().map_or(Family::Gaussian, |kinds| kinds[objective].family)
    }

    /// The family of an objective, and which way it is turned.
    pub(crate) fn kind(&self, objective: usize) -> Kind {
        let gaussian = Kind { family: Family::Gaussian, sign: 1.0 };
        self.kinds.as_ref().map_or(gaussian, |kinds| kinds[objective])
    }

    /// By objective: the family, and which way it is turned; `None` where all noise is Gaussian.
    #[inline]
    pub(crate) fn kinds(&self) -> Option<&[Kind]> {
        self.kinds.as_deref()
    }

    /// Whether some variance has to be estimated: of [`Noise::Unknown`], [`Noise::Common`] or [`Noise::Bounded`].
    pub fn has_unknown_noise(&self) -> bool {
        self.unknown
    }

    /// Whether some arms share a variance in an objective that only the observations can tell.
    pub(crate) fn shares_variance(&self, objective: usize) -> bool {
        self.shared[objective]
    }

    /// Takes a variance of unknown noise to be this, as far as numbers go.
    pub(crate) fn estimate(&mut self, arm: usize, objective: usize, variance: f64) {
        debug_assert!(self.noise(arm, objective).is_estimated());
        if let Some(gate) = &mut self.gate {
            gate.estimate(arm, objective, variance);
            if gate.layout().is_idle(objective) {
                return;
            }
        }
        let cell = arm * self.objectives.len() + objective;
        self.precision[cell] = 1.0 / variance.clamp(1.0 / LARGEST, LARGEST);
        if let (Some(raised), Some(raises)) = (&mut self.raised_precision, &self.raises) {
            raised[cell] = raises[objective].precision(self.precision[cell]);
        }
    }

    /// How far the values of an objective of unknown variance reach, where they are too coarse to be taken for Gaussian.
    pub(crate) fn coarse_range(&self, objective: usize) -> Option<f64> {
        self.coarse[objective]
    }

    /// Takes the values of an objective to be coarse, or not.
    pub(crate) fn set_coarse_range(&mut self, objective: usize, range: Option<f64>) {
        if let Some(gate) = &mut self.gate {
            gate.set_coarse_range(objective, range);
        }
        self.coarse[objective] = range;
    }

    /// 1 / variance of each objective of `arm`, and of a quantile, that of Gaussian values with the variance that was given; infinite where there is no noise and for what is only limited, the present estimate where it is unknown. One where the
    /// variance comes with the mean ([`Problem::family`]).
    ///
    /// # Panics
    /// When there is no such arm.
    pub fn precision(&self, arm: usize) -> &[f64] {
        let d = self.objectives.len();
        &self.precision[arm * d..(arm + 1) * d]
    }

    /// What [`Problem::precision`] gives, of all arms, row by row.
    #[inline]
    pub(crate) fn precisions(&self) -> &[f64] {
        &self.precision
    }

    /// 1 / variance of one observation of `arm` in an objective, as [`Problem::precision`] has it, also of one that is only limited.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    #[inline(always)]
    pub fn precision_in(&self, arm: usize, objective: usize) -> f64 {
        match &self.gate {
            Some(gate) if gate.layout().is_idle(objective) => gate.precision_of_idle(arm, objective),
            _ => self.precision(arm)[objective],
        }
    }

    /// Whether some objective has limits.
    #[inline]
    pub fn has_limits(&self) -> bool {
        self.gate.is_some()
    }

    /// The limits, as an arm that others have to cover.
    #[inline]
    pub(crate) fn gate(&self) -> Option<&Gate> {
        self.gate.as_deref()
    }

    /// Which objectives are limited, and where.
    pub(crate) fn limit_layout(&self) -> Option<&std::sync::Arc<Layout>> {
        self.gate.as_ref().map(|gate| gate.layout())
    }

    /// What is only limited is the same for all arms as far as they are compared: without noise, from the arm `from` on.
    fn rest_idle(&mut self, from: usize) {
        let Some(gate) = &self.gate else { return };
        let d = self.objectives.len();
        for row in self.precision.chunks_exact_mut(d).skip(from) {
            gate.layout().idle.iter().for_each(|&j| row[j] = f64::INFINITY);
        }
    }

    /// Objectives without arms, which only a growing tally may have.
    pub(crate) fn without_arms(objectives: Vec<Objective>) -> Result<Self, ProblemError> {
        let mut problem = Problem::new(objectives, vec![Arm::named("any")])?;
        problem.arms.clear();
        problem.precision.clear();
        if let Some(gate) = &mut problem.gate {
            gate.clear_arms();
        }
        Ok(problem)
    }

    /// The problem of these arms alone, of which there is one.
    pub(crate) fn of_arms(&self, arms: &[usize]) -> Self {
        let kept = arms.iter().map(|&arm| self.arms[arm].clone()).collect();
        let part = Problem::new(self.objectives.clone(), kept).expect("the arms of a valid problem are valid");
        let costs = self.costs.of_arms(arms);
        Problem { correlation: self.correlation.clone(), coupling: self.coupling.clone(), costs, ..part }
    }

    /// One more arm, with the objectives' noise.
    pub(crate) fn push_arm(&mut self, name: String) {
        self.arms.push(Arm::named(name));
        for objective in &self.objectives {
            let checked = precision(objective.noise, objective.statistic, || objective.name.clone());
            self.precision.push(checked.expect("the objectives have been checked"));
        }
        if let Some(gate) = &mut self.gate {
            gate.push_arm();
        }
        self.rest_idle(self.arms.len() - 1);
        self.raise_precisions();
    }

    /// The arms alone.
    pub(crate) fn into_arms(self) -> Vec<Arm> {
        self.arms
    }

    /// Whether every objective is noisy, with the same variance for all arms: the paper's setting, and what the solvers
    /// `cells` and `sweep` need.
    pub fn is_homoscedastic(&self) -> bool {
        self.homoscedastic
    }
}

fn check_names<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), ProblemError> {
    let mut seen = HashMap::new();
    for (index, name) in names.enumerate() {
        let number = index + 1;
        if name.trim().is_empty() {
            return Err(ProblemError::EmptyName { what, number });
        }
        if let Some(first) = seen.insert(name, number) {
            return Err(ProblemError::DuplicateName { what, name: name.to_owned(), first, second: number });
        }
    }
    Ok(())
}

/// Where a quantile is compared, no law is: a variance that nobody knows is none to be estimated.
fn free_of_laws(
    mut objectives: Vec<Objective>,
    mut arms: Vec<Arm>,
) -> Result<(Vec<Objective>, Vec<Arm>), ProblemError> {
    let free = |noise: Noise, statistic: Statistic, place: &dyn Fn() -> String| match noise {
        Noise::Any if statistic.is_mean() => Err(ProblemError::MeanOfAny { place: place() }),
        _ if statistic.is_mean() => Ok(noise),
        Noise::Unknown | Noise::Common | Noise::Any => Ok(Noise::Any),
        Noise::Variance(_) => Ok(noise),
        _ => {
            let name = noise.family().map_or("exact", Family::name);
            Err(ProblemError::QuantileNoise { place: place(), statistic, noise: name })
        }
    };
    for objective in &mut objectives {
        let place = || format!("objective \"{}\"", objective.name);
        objective.noise = free(objective.noise, objective.statistic, &place)?;
    }
    for arm in &mut arms {
        let Arm { name, noise: Some(own), .. } = arm else { continue };
        for (objective, noise) in objectives.iter().zip(own) {
            let place = || format!("arm \"{name}\" in objective \"{}\"", objective.name);
            *noise = free(*noise, objective.statistic, &place)?;
        }
    }
    Ok((objectives, arms))
}

/// Of a quantile of Gaussian values, that of as many of its sample quantiles: what many observations come to.
fn precision(noise: Noise, statistic: Statistic, place: impl FnOnce() -> String) -> Result<f64, ProblemError> {
    let loss = statistic.quantile().map_or(1.0, Quantile::gaussian_loss);
    match noise {
        Noise::Exact => Ok(f64::INFINITY),
        Noise::Unknown | Noise::Common | Noise::Any => Ok(1.0 / LARGEST),
        Noise::Bernoulli | Noise::Poisson | Noise::Exponential => Ok(1.0),
        // Whatever the mean, there is no more of it.
        Noise::Bounded { low, high } => {
            let range = Range { low, high };
            if !range.is_valid() {
                return Err(ProblemError::BadRange { place: place(), range });
            }
            Ok(1.0 / (0.25 * range.width() * range.width()).clamp(1.0 / LARGEST, LARGEST))
        }
        // Written so that NaN fails.
        Noise::Variance(v) if (1.0 / LARGEST..=LARGEST).contains(&v) => Ok(1.0 / (v * loss)),
        Noise::Variance(value) => Err(ProblemError::BadVariance { place: place(), value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objective(name: &str, noise: Noise) -> Objective {
        Objective::new(name, Goal::Max, noise)
    }

    #[test]
    fn nothing_to_decide_is_refused() {
        let one = || vec![objective("x", Noise::Exact)];
        assert_eq!(Problem::new(vec![], vec![Arm::named("a")]), Err(ProblemError::NoObjectives));
        assert_eq!(Problem::new(one(), vec![]), Err(ProblemError::NoArms));
    }

    #[test]
    fn names_must_be_there_and_differ() {
        let one = || vec![objective("x", Noise::Exact)];
        let twice = Problem::new(one(), vec![Arm::named("a"), Arm::named("b"), Arm::named("a")]);
        let message = twice.unwrap_err().to_string();
        assert!(message.contains("\"a\"") && message.contains("1 and 3"), "{message}");
        assert!(Problem::new(one(), vec![Arm::named(" ")]).is_err());
        assert!(Problem::new(vec![objective("", Noise::Exact)], vec![Arm::named("a")]).is_err());
    }

    #[test]
    fn variances_must_be_positive_and_finite() {
        for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY, 1e-80, 1e80] {
            let shared = Problem::new(vec![objective("x", Noise::Variance(bad))], vec![Arm::named("a")]);
            assert!(matches!(shared, Err(ProblemError::BadVariance { .. })), "{bad}");
            let own = Arm::named("a").with_noise(vec![Noise::Variance(bad)]);
            let own = Problem::new(vec![objective("x", Noise::Exact)], vec![own]);
            assert!(own.unwrap_err().to_string().contains("arm \"a\" in objective \"x\""));
        }
    }

    #[test]
    fn a_quantile_needs_no_law_and_takes_none() {
        let median = |noise| objective("x", noise).with_statistic(Statistic::MEDIAN);
        let make = |noise, own: Option<Noise>| {
            Problem::new(vec![median(noise)], vec![Arm::named("a").with_noise(own.map(|own| vec![own]))])
        };
        for noise in [Noise::Unknown, Noise::Common, Noise::Any] {
            assert_eq!(make(noise, None).unwrap().noise(0, 0), Noise::Any);
            assert_eq!(make(Noise::Variance(1.0), Some(noise)).unwrap().noise(0, 0), Noise::Any);
            assert!(!make(noise, None).unwrap().has_unknown_noise());
        }
        assert_eq!(make(Noise::Variance(2.0), None).unwrap().noise(0, 0), Noise::Variance(2.0));
        for (noise, name) in [(Noise::Exact, "exact"), (Noise::Bernoulli, "bernoulli"), (Noise::Poisson, "poisson")] {
            let text = make(noise, None).unwrap_err().to_string();
            assert!(text.contains("objective \"x\" is compared by its median") && text.contains(name), "{text}");
            let text = make(Noise::Any, Some(noise)).unwrap_err().to_string();
            assert!(text.contains("arm \"a\" in objective \"x\""), "{text}");
        }
        let mean = Problem::new(vec![objective("x", Noise::Any)], vec![Arm::named("a")]);
        assert!(matches!(mean, Err(ProblemError::MeanOfAny { .. })));
    }

    #[test]
    fn costs_are_above_zero() {
        let make = |cost: f64| Problem::new(vec![objective("x", Noise::Exact)], vec![Arm::named("a").with_cost(cost)]);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e80] {
            let error = make(bad).unwrap_err();
            assert!(matches!(error, ProblemError::BadCost { .. }) && error.to_string().contains("\"a\""), "{error}");
        }
        assert!(!make(1.0).unwrap().has_costs());
        let dear = make(12.0).unwrap();
        assert_eq!((dear.has_costs(), dear.cost(0), dear.total_cost(&[3.0])), (true, 12.0, 36.0));
        assert_eq!(dear.of_arms(&[0]).cost(0), 12.0);
    }

    #[test]
    fn homoscedastic_means_one_finite_variance_per_objective() {
        let arm = |name: &str, noise: Option<Vec<Noise>>| Arm::named(name).with_noise(noise);
        let noisy = vec![objective("x", Noise::Variance(2.0)), objective("y", Noise::Variance(3.0))];
        let same = Some(vec![Noise::Variance(2.0), Noise::Variance(3.0)]);
        let other = Some(vec![Noise::Variance(2.0), Noise::Variance(4.0)]);
        let make = |objectives: &[Objective], noise| {
            Problem::new(objectives.to_vec(), vec![arm("a", None), arm("b", noise)]).unwrap()
        };
        assert!(make(&noisy, None).is_homoscedastic());
        assert!(make(&noisy, same).is_homoscedastic());
        assert!(!make(&noisy, other).is_homoscedastic());
        let exact = vec![objective("x", Noise::Variance(2.0)), objective("y", Noise::Exact)];
        assert!(!make(&exact, None).is_homoscedastic());
    }
}
