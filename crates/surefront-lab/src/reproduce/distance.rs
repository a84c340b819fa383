//! How far two sets of stopping times are apart, as distributions.

use serde::Serialize;
use surefront::{Outcome, Run};

/// The distance of Kolmogorov and Smirnov between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// The largest difference between the two distribution functions.
    pub distance: f64,
    /// About the chance of at least that much, if both samples are of one law (Kolmogorov's limit, with Stephens' correction for size).
    pub p: f64,
}

impl Distance {
    /// Between the samples of runs that came to an answer; `None` without any.
    pub fn of(one: &[Run], other: &[Run]) -> Option<Self> {
        let times = |runs: &[Run]| {
            let decided = runs.iter().filter(|run| run.outcome != Outcome::Undecided);
            let mut times: Vec<u64> = decided.map(|run| run.samples).collect();
            times.sort_unstable();
            times
        };
        let (one, other) = (times(one), times(other));
        if one.is_empty() || other.is_empty() {
            return None;
        }
        let below =
            |times: &[u64], time: u64| times.partition_point(|&other| other <= time) as f64 / times.len() as f64;
        let apart = |&time: &u64| (below(&one, time) - below(&other, time)).abs();
        let distance = one.iter().chain(&other).map(apart).fold(0.0, f64::max);
        let size = (one.len() as f64 * other.len() as f64 / (one.len() + other.len()) as f64).sqrt();
        let scaled = (size + 0.12 + 0.11 / size) * distance;
        Some(Distance { distance, p: tail(scaled) })
    }

    /// "D = 0.031, p = 0.31".
    pub fn words(self) -> String {
        let p = if self.p < 0.001 { format!("{:.0e}", self.p) } else { format!("{:.2}", self.p) };
        format!("D = {:.3}, p = {p}", self.distance)
    }
}

/// The chance that the limit is beyond x: 2 Σ (−1)^(k−1) exp(−2 k² x²).
fn tail(x: f64) -> f64 {
    if x < 0.2 {
        // The series converges too slowly, and the chance is one to six digits.
        return 1.0;
    }
    let term = |k: i32| f64::from(1 - 2 * ((k - 1) % 2)) * (-2.0 * f64::from(k * k) * x * x).exp();
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(samples: impl Iterator<Item = u64>) -> Vec<Run> {
        let run = |(index, samples): (usize, u64)| {
            let (index, cost) = (index as u64, samples as f64);
            Run { index, samples, cost, outcome: Outcome::Correct, seconds: 0.0 }
        };
        samples.enumerate().map(run).collect()
    }

    #[test]
    fn the_largest_difference_of_the_distribution_functions() {
        let distance = |one: &[u64], other: &[u64]| {
            Distance::of(&runs(one.iter().copied()), &runs(other.iter().copied())).unwrap().distance
        };
        assert_eq!(distance(&[1, 2, 3, 4], &[1, 2, 3, 4]), 0.0);
        assert_eq!(distance(&[1, 2, 3, 4], &[5, 6]), 1.0);
        assert_eq!(distance(&[1, 2, 3, 4], &[3, 4, 5, 6]), 0.5);
        assert!(Distance::of(&[], &runs(1..5)).is_none());
    }

    #[test]
    fn the_tail_as_in_the_tables() {
        // The 5 % and 1 % points of Kolmogorov's distribution.
        assert!((tail(1.3581) - 0.05).abs() < 1e-4 && (tail(1.6276) - 0.01).abs() < 1e-4);
        assert_eq!(tail(0.0), 1.0);
        let same = Distance::of(&runs(0..1000), &runs((0..1000).map(|i| i + 3))).unwrap();
        assert!(same.p > 0.99, "{same:?}");
    }
}
