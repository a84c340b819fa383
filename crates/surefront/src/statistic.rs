//! What of an arm's values is compared: their mean, or a quantile of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::normal::normal_quantile;

/// What of an arm's values is compared.
///
/// ```
/// use surefront::Statistic;
///
/// let p95: Statistic = "p95".parse()?;
/// assert_eq!(p95.quantile().unwrap().level(), 0.95);
/// assert_eq!("p50".parse::<Statistic>()?.to_string(), "median");
/// assert!("p100".parse::<Statistic>().is_err());
/// # Ok::<(), surefront::StatisticError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Statistic {
    /// Their mean.
    #[default]
    Mean,
    /// A quantile: certified with no assumption on the law of the values.
    Quantile(Quantile),
}

/// The quantile of a level: the least number that a value is at or below with at least this probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantile(f64);

/// Why something is no statistic.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StatisticError {
    /// A quantile of a level that none has.
    #[error(
        "there is no quantile \"{name}\": write one strictly between p0 and p100, for example \"p95\" or \"p99.9\""
    )]
    Level {
        /// What was given.
        name: String,
    },
    /// Something else.
    #[error("there is no statistic \"{name}\": write \"mean\", \"median\", or a quantile such as \"p95\"")]
    Unknown {
        /// What was given.
        name: String,
    },
}

impl Statistic {
    /// The median.
    pub const MEDIAN: Statistic = Statistic::Quantile(Quantile::MEDIAN);

    /// The quantile, if it is one.
    pub fn quantile(self) -> Option<Quantile> {
        match self {
            Statistic::Mean => None,
            Statistic::Quantile(quantile) => Some(quantile),
        }
    }

    /// The name of an objective with what of it is compared: "median milliseconds". Of a mean, the name alone.
    pub fn of(self, objective: &str) -> String {
        match self {
            Statistic::Mean => objective.to_owned(),
            Statistic::Quantile(_) => format!("{self} {objective}"),
        }
    }

    /// Whether it is the mean, which goes without saying.
    pub fn is_mean(&self) -> bool {
        *self == Statistic::Mean
    }
}

impl Quantile {
    /// The median.
    pub const MEDIAN: Quantile = Quantile(0.5);

    /// Of a level strictly between 0 and 1.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(level: f64) -> Result<Self, StatisticError> {
        // Written so that NaN fails; so near an end that the other side is nothing, it is none.
        if level > 0.0 && level < 1.0 && 1.0 - level > 0.0 {
            return Ok(Quantile(level));
        }
        Err(StatisticError::Level { name: format!("p{}", 100.0 * level) })
    }

    /// The level.
    pub fn level(self) -> f64 {
        self.0
    }

    /// How many times as many Gaussian values it takes to know the quantile as well as the mean: π/2 for the median.
    pub(crate) fn gaussian_loss(self) -> f64 {
        let z = normal_quantile(self.0);
        self.0 * (1.0 - self.0) * 2.0 * std::f64::consts::PI * (z * z).exp()
    }

    /// Of n values in their order, which one it is, from 1: the first that a part of them at least as large as the level is at or below.
    pub(crate) fn rank(self, n: usize) -> usize {
        // What rounding adds to a product is not one more value.
        let rank = (self.0 * n as f64 * (1.0 - 1e-12)).ceil() as usize;
        rank.clamp(1, n.max(1))
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statistic::Mean => f.pad("mean"),
            Statistic::Quantile(quantile) => quantile.fmt(f),
        }
    }
}

impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.5 {
            return f.pad("median");
        }
        // The shortest name that is read as this level.
        let percent = 100.0 * self.0;
        let name = (0..=15).map(|digits| format!("{percent:.digits$}")).find(|name| level(name) == Some(self.0));
        f.pad(&format!("p{}", name.unwrap_or_else(|| percent.to_string())))
    }
}

/// The level of a percentage. Read with its point moved, so that it is the number nearest to what is written.
fn level(percent: &str) -> Option<f64> {
    let plain = percent.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let digits = percent.bytes().any(|byte| byte.is_ascii_digit());
    if plain && digits { format!("{percent}e-2").parse().ok() } else { None }
}

impl FromStr for Statistic {
    type Err = StatisticError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "mean" => return Ok(Statistic::Mean),
            "median" => return Ok(Statistic::MEDIAN),
            _ => {}
        }
        let level = name.strip_prefix('p').and_then(level);
        let level = level.ok_or_else(|| StatisticError::Unknown { name: name.to_owned() })?;
        let quantile = Quantile::new(level).map_err(|_| StatisticError::Level { name: name.to_owned() })?;
        Ok(Statistic::Quantile(quantile))
    }
}

impl From<Statistic> for String {
    fn from(statistic: Statistic) -> Self {
        statistic.to_string()
    }
}

impl TryFrom<String> for Statistic {
    type Error = StatisticError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_shown_alike() {
        for (name, level) in [("p95", 0.95), ("p99.9", 0.999), ("p5", 0.05), ("p0.1", 0.001), ("p33.333", 0.33333)] {
            let statistic: Statistic = name.parse().unwrap();
            assert_eq!(statistic.quantile().unwrap().level(), level);
            assert_eq!(statistic.to_string(), name);
            assert_eq!(
                serde_json::from_str::<Statistic>(&serde_json::to_string(&statistic).unwrap()).unwrap(),
                statistic
            );
        }
        for (name, shown) in [("median", "median"), ("p50", "median"), ("p50.0", "median"), ("mean", "mean")] {
            assert_eq!(name.parse::<Statistic>().unwrap().to_string(), shown);
        }
        let third = Statistic::Quantile(Quantile::new(1.0 / 3.0).unwrap());
        assert_eq!(third.to_string().parse::<Statistic>().unwrap(), third);
    }

    #[test]
    fn what_is_none_is_refused() {
        for name in ["p0", "p100", "p0.0", "p101", "p00", "p1000"] {
            let error = name.parse::<Statistic>().unwrap_err();
            assert!(matches!(error, StatisticError::Level { .. }) && error.to_string().contains(name), "{error}");
        }
        for name in ["", "p", "p.", "p9x", "p-5", "p1e1", "pinf", "95", "Median", "modus", "p5.0.0"] {
            let error = name.parse::<Statistic>().unwrap_err();
            assert!(matches!(error, StatisticError::Unknown { .. }), "{name}: {error}");
        }
        for level in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert!(Quantile::new(level).is_err());
        }
    }

    #[test]
    fn the_median_of_gaussian_values_takes_half_as_many_again() {
        assert!((Quantile::MEDIAN.gaussian_loss() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        // q(1−q)/φ(z)² by its definition.
        let density = (-0.5f64 * 1.644_853_626_951_472_7f64.powi(2)).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let loss = Quantile::new(0.95).unwrap().gaussian_loss();
        assert!((loss - 0.95 * 0.05 / (density * density)).abs() < 1e-6, "{loss}");
    }

    #[test]
    fn ranks_are_those_of_the_definition() {
        for (percent, n) in [(50, 1), (50, 2), (50, 3), (95, 20), (95, 21), (99, 100), (5, 20), (1, 1000), (70, 10)] {
            let quantile = Quantile::new(f64::from(percent) / 100.0).unwrap();
            // The least rank with rank/n ≥ level, in whole numbers.
            let slow = (1..=n).find(|rank| rank * 100 >= percent * n).unwrap();
            assert_eq!(quantile.rank(n as usize), slow as usize, "p{percent} of {n}");
        }
    }
}
