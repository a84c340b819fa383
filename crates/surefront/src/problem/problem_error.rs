//! Why there is no such problem, model or allocation.

use thiserror::Error;

use crate::correlation::CorrelationError;
use crate::family::Family;
use crate::margin::Margin;
use crate::range::Range;
use crate::statistic::Statistic;

/// Why a [`Problem`](crate::Problem), a [`Model`](crate::Model) or [`Weights`](crate::Weights) cannot be made, and what to write instead.
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
    /// A margin is negative, not a number, or too large.
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
    /// There is not one row of means, or one weight, per arm.
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
