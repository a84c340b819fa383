//! Differences that do not matter.
//!
//! With a margin ε in every objective, a set of arms is right if none of them is beaten by more than the margins, in every objective at once, and every other arm
//! is no better than one of them by more than the margins. So whoever is named gets a head start of ε against everybody else: the arms of the front are
//! *raised*, and from there on all is as without margins.

use std::str::FromStr;

use thiserror::Error;

/// The largest difference in an objective that does not matter.
///
/// ```
/// use surefront::{Arm, Front, Goal, Margin, Model, Noise, Objective, Problem, is_right};
///
/// let time = Objective::new("milliseconds", Goal::Min, Noise::Variance(1.0)).with_margin(Margin::Absolute(0.5));
/// let problem = Problem::new(vec![time], vec![Arm::named("a"), Arm::named("b")])?;
/// let model = Model::new(&problem, &[[51.1], [51.4]])?;
/// // The front is what it is; but to name both, or either, would not be wrong.
/// assert_eq!(Front::of(&model).members(), [0]);
/// assert!(is_right(&model, &[0]) && is_right(&model, &[1]) && is_right(&model, &[0, 1]));
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Margin {
    /// In the objective's units.
    Absolute(f64),
    /// A part of the mean of the arm that would have to be beaten, where means are positive: 0.02 for two percent.
    Relative(f64),
}

impl Margin {
    /// Every difference matters.
    pub const NONE: Margin = Margin::Absolute(0.0);

    /// Whether every difference matters.
    pub fn is_none(&self) -> bool {
        matches!(self, Margin::Absolute(size) | Margin::Relative(size) if *size == 0.0)
    }

    /// Whether it is a number that can be computed with: not negative, and a part below one.
    pub fn is_valid(self) -> bool {
        match self {
            Margin::Absolute(size) => (0.0..=LARGEST).contains(&size),
            Margin::Relative(part) => (0.0..1.0).contains(&part),
        }
    }

    /// What it does to the means of arms that are named, turned so that larger is better; `sign` is −1 where that took turning.
    pub(crate) fn raise(self, sign: f64) -> Raise {
        match self {
            Margin::Absolute(by) => Raise { factor: 1.0, by },
            Margin::Relative(part) => Raise { factor: 1.0 + sign * part, by: 0.0 },
        }
    }
}

/// A text that is no margin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "\"{0}\" is no margin: write a number of 0 or more in the units of the objective, such as 0.5, or a part of the mean, such as \"2 %\""
)]
pub struct MarginError(pub String);

impl FromStr for Margin {
    type Err = MarginError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let margin = match text.trim().strip_suffix('%') {
            Some(percent) => number(percent).map(|percent| Margin::Relative(percent / 100.0)),
            None => number(text).map(Margin::Absolute),
        };
        margin.filter(|margin| margin.is_valid()).ok_or_else(|| MarginError(text.to_owned()))
    }
}

impl std::fmt::Display for Margin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Margin::Absolute(size) => write!(f, "{size}"),
            // Twelve digits are more than anybody writes, and hide that two percent is no binary fraction.
            Margin::Relative(part) => write!(f, "{} %", (part * 100.0 * 1e12).round() / 1e12),
        }
    }
}

/// The largest one, so that squares of means can be computed with.
const LARGEST: f64 = 1e75;

/// A head start in one objective: a mean m counts as factor · m + by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Raise {
    /// Positive.
    pub factor: f64,
    pub by: f64,
}

impl Raise {
    /// What is raised by nothing.
    pub const NONE: Raise = Raise { factor: 1.0, by: 0.0 };

    #[inline]
    pub fn up(self, mean: f64) -> f64 {
        self.factor * mean + self.by
    }

    /// The mean that counts as this one.
    #[inline]
    pub fn down(self, raised: f64) -> f64 {
        (raised - self.by) / self.factor
    }

    /// 1 / variance of what is raised.
    #[inline]
    pub fn precision(self, precision: f64) -> f64 {
        precision / (self.factor * self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_of_the_arm_that_is_beaten() {
        // 97 is better than 100 by more than two percent of 100, and 98.5 is not.
        let less = Margin::Relative(0.02).raise(-1.0);
        assert!(-97.0 > less.up(-100.0) && -98.5 < less.up(-100.0));
        let more = Margin::Relative(0.02).raise(1.0);
        assert!(103.0 > more.up(100.0) && 101.5 < more.up(100.0));
        assert!((more.down(more.up(7.0)) - 7.0).abs() < 1e-14);
        assert_eq!(Margin::Absolute(0.5).raise(-1.0).up(-3.0), -2.5);
    }

    #[test]
    fn it_is_shown_as_it_is_written() {
        assert_eq!(Margin::Absolute(0.5).to_string(), "0.5");
        assert_eq!(Margin::Relative(0.02).to_string(), "2 %");
        assert_eq!(Margin::Relative(0.07).to_string(), "7 %");
        assert_eq!("2%".parse(), Ok(Margin::Relative(0.02)));
        assert_eq!(" 0.5 ".parse(), Ok(Margin::Absolute(0.5)));
        for bad in ["", "%", "-1", "nan", "100 %", "inf", "x", "1e80"] {
            assert!(bad.parse::<Margin>().is_err(), "{bad}");
        }
    }
}
