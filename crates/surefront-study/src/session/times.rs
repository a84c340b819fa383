//! How long measurements took, where that is what they cost.

use std::time::Duration;

/// By arm: how many measurements were timed, and how long they took together, in millionths of a second. Whole numbers, so that the order in which they
/// are added does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times(Vec<(u64, u64)>);

impl Times {
    /// Those of a store.
    pub fn new(by_arm: Vec<(u64, u64)>) -> Self {
        Times(by_arm)
    }

    /// One more.
    pub fn add(&mut self, arm: usize, took: Duration) {
        let (count, micros) = &mut self.0[arm];
        *count += 1;
        *micros = micros.saturating_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    /// What a measurement costs, by arm: its mean time in seconds. An arm that nobody timed costs as much as the others do on average; one, if nobody timed
    /// any.
    pub fn costs(&self) -> Vec<f64> {
        // What the clock cannot tell from nothing took a millionth of a second.
        let mean = |&(count, micros): &(u64, u64)| (count > 0).then(|| (1e-6 * micros as f64 / count as f64).max(1e-6));
        let known: Vec<f64> = self.0.iter().filter_map(mean).collect();
        let usual = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
        self.0.iter().map(|times| mean(times).unwrap_or(usual)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_that_nobody_timed_costs_what_the_others_do() {
        let mut times = Times::new(vec![(0, 0); 3]);
        assert_eq!(times.costs(), [1.0; 3]);
        times.add(0, Duration::from_secs(2));
        times.add(0, Duration::from_secs(4));
        assert_eq!(times.costs(), [3.0; 3]);
        times.add(2, Duration::from_secs(1));
        assert_eq!(times.costs(), [3.0, 2.0, 1.0]);
        times.add(1, Duration::ZERO);
        assert_eq!(times.costs()[1], 1e-6);
    }
}
