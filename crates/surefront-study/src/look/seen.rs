//! What can be seen, with its figures.

use serde::Serialize;

/// Something that observations are and should not be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Seen {
    /// The variance is larger than was said.
    VarianceTooSmall {
        /// As it was said.
        given: f64,
        /// Of the observations.
        seen: f64,
        /// How many these were.
        observations: u64,
    },
    /// An observation is further from the others than any Gaussian one would be.
    Outlier {
        /// It.
        value: f64,
        /// Which one of the arm's observations it is, from 1.
        observation: u64,
        /// How far it is from the mean of the others, in their standard deviations.
        deviations: f64,
        /// How many there were, it included.
        observations: u64,
    },
    /// Far values are mostly on one side of the mean, and near ones on the other.
    Skew {
        /// Where the far ones are.
        side: Side,
        /// Beyond one and a half standard deviations above the mean of those before.
        far_above: u64,
        /// The same below it.
        far_below: u64,
        /// How many there were.
        observations: u64,
    },
    /// The same again and again, or a few values only.
    Levels {
        /// The values, the most frequent first; those that are seldom may be missing.
        levels: Vec<Level>,
        /// Whether there are no others.
        complete: bool,
        /// The least and the greatest.
        range: (f64, f64),
        /// The variance as it was said, if it was.
        given: Option<f64>,
        /// How many there were.
        observations: u64,
    },
    /// Values come twice in a row that are too fine for it.
    Repeats {
        /// How often the second of two was the first again.
        repeated: u64,
        /// Of how many pairs.
        pairs: u64,
    },
    /// Values come back, in whatever order, that are too fine for it.
    Copies {
        /// How many observations were equal to one of a few values that were there before.
        equal: u64,
        /// Of how many that came near one of these.
        near: u64,
        /// How many rounding explains at most.
        explained: u64,
    },
    /// The mean moves.
    Drift {
        /// The mean of the first half.
        first: f64,
        /// The mean of the second half.
        second: f64,
        /// The standard deviation within these.
        deviation: f64,
        /// How many there were.
        observations: u64,
    },
    /// An observation says something of the next one.
    Dependence {
        /// The correlation of one with the next.
        correlation: f64,
        /// How many there were.
        observations: u64,
    },
    /// The variance is much smaller than was said.
    VarianceTooLarge {
        /// As it was said.
        given: f64,
        /// Of the observations.
        seen: f64,
        /// How many these were.
        observations: u64,
    },
    /// Arms have had one value, or nearly always one, in an objective of unknown variance: nothing is concluded from them there.
    Equal {
        /// The arms' names.
        arms: Vec<String>,
        /// Whether each of them has had one value only.
        always: bool,
    },
    /// The values of an objective of unknown variance are too coarse to be taken for Gaussian: verdicts rest on their range.
    Coarse {
        /// How many different ones there are; `None` for more than can be told apart.
        different: Option<usize>,
        /// How far they reach.
        reach: f64,
    },
    /// All are whole and not negative, and vary as counts of events do.
    Counts {
        /// Their mean.
        mean: f64,
        /// Their variance over their mean, by arm and then on average: one, if they are counts of independent events.
        dispersion: f64,
        /// How many there were.
        observations: u64,
    },
    /// All are 0 or 1, and nothing was said of the noise: they are taken for successes and failures.
    Successes {
        /// How many are 1.
        ones: u64,
        /// How many there were.
        observations: u64,
    },
}

impl Seen {
    /// The kinds in their order, the gravest first.
    pub fn gravity(&self) -> u8 {
        match self {
            Seen::VarianceTooSmall { .. } => 0,
            Seen::Equal { .. } => 1,
            Seen::Coarse { .. } => 2,
            Seen::Levels { .. } => 3,
            Seen::Outlier { .. } => 4,
            Seen::Skew { .. } => 5,
            Seen::Repeats { .. } => 6,
            Seen::Copies { .. } => 7,
            Seen::Drift { .. } => 8,
            Seen::Dependence { .. } => 9,
            Seen::VarianceTooLarge { .. } => 10,
            Seen::Counts { .. } => 11,
            Seen::Successes { .. } => 12,
        }
    }

    /// Whether the variance given does for whatever values there are within the range of these levels: a quarter of its square is enough, and the
    /// promise holds.
    pub fn is_provided_for(&self) -> bool {
        let Seen::Levels { range: (low, high), given: Some(given), .. } = self else { return false };
        let reach = high - low;
        reach > 0.0 && *given >= 0.25 * reach * reach * (1.0 - 1e-9)
    }
}

/// A value that was seen several times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// It.
    pub value: f64,
    /// How often.
    pub count: u64,
}

/// One side of the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Larger values.
    Above,
    /// Smaller values.
    Below,
}

/// Something seen in an objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// Of this arm; `None` for all arms together.
    pub arm: Option<usize>,
    /// The objective.
    pub objective: usize,
    /// What it is.
    pub seen: Seen,
    /// The logarithm of the chance of it if all is as it should be: the lower, the plainer it is to see.
    pub strength: f64,
}
