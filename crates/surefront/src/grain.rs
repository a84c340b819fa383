//! How fine the values of one arm and objective are: whether they repeat, and how far apart they are.
//!
//! Values that a Gaussian variable takes do not repeat, or seldom if they are rounded. Where they do, they may have few levels, such as 0 and
//! 1, or one value that is there nearly always; then a small sample variance says nothing of the noise to come.

use serde::{Deserialize, Serialize};

/// How many different values are told apart.
pub(crate) const MOST_LEVELS: usize = 16;

/// So many steps between values a standard deviation must have. Rounding to no more than a standard deviation moves the mean of a
/// Gaussian by less than 1e-8 of a step.
const STEPS: f64 = 2.0;

/// By how many levels there are: from so many observations on they are few. All of n values of a Gaussian that is rounded to half a standard deviation are on some m levels next to each other with
/// a chance of (2Φ(m/4) − 1)ⁿ at most: here, one in 100,000.
const FEW_FROM: [u64; MOST_LEVELS + 1] =
    [0, 8, 12, 20, 31, 49, 81, 138, 248, 466, 922, 1_927, 4_259, 9_971, 24_740, 65_100, 181_752];

/// The values seen of one arm and objective, in bounded room.
///
/// ```
/// let mut grain = surefront::Grain::default();
/// [0.0, 1.0, 1.0, 0.0, 1.0].into_iter().for_each(|value| grain.add(value));
/// assert_eq!(grain.counted().collect::<Vec<_>>(), [(0.0, 2), (1.0, 3)]);
/// assert!(grain.is_coarse(5.0, 0.3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// The least and the greatest.
    range: Option<(f64, f64)>,
    /// Different values and how often each was seen, ascending; once there are too many, only the most frequent of them.
    levels: Vec<(f64, u64)>,
    /// The least distance between two of the levels.
    gap: Option<f64>,
    many: bool,
    repeated: bool,
}

impl Grain {
    /// Of values that nobody looked at.
    pub(crate) fn overlooked() -> Self {
        Grain { many: true, ..Grain::default() }
    }

    /// Of the same values with the opposite sign.
    pub(crate) fn turned(&self) -> Self {
        let levels = self.levels.iter().rev().map(|&(value, count)| (-value, count)).collect();
        Grain { range: self.range.map(|(low, high)| (-high, -low)), levels, ..self.clone() }
    }

    /// Takes in a value.
    pub fn add(&mut self, value: f64) {
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
        let place = self.levels.partition_point(|level| level.0 < value);
        if let Some(level) = self.levels.get_mut(place).filter(|level| level.0 == value) {
            level.1 += 1;
            self.repeated = true;
            return;
        }
        if self.many {
            return;
        }
        for near in [place.checked_sub(1), Some(place)].into_iter().flatten().filter_map(|near| self.levels.get(near)) {
            let gap = (value - near.0).abs();
            self.gap = Some(self.gap.map_or(gap, |known| known.min(gap)));
        }
        self.levels.insert(place, (value, 1));
        if self.levels.len() > MOST_LEVELS {
            self.many = true;
            let top = self.levels.iter().copied().filter(|level| level.1 > 1).max_by_key(|level| level.1);
            self.levels = top.into_iter().collect();
        }
    }

    /// The least and the greatest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// The least distance between two different values, where it is known.
    pub fn gap(&self) -> Option<f64> {
        self.gap
    }

    /// Whether some value was seen twice.
    pub fn repeated(&self) -> bool {
        self.repeated
    }

    /// The different values; `None` if there are too many.
    pub fn levels(&self) -> Option<impl Iterator<Item = f64>> {
        (!self.many).then(|| self.levels.iter().map(|level| level.0))
    }

    /// The values that are told apart, ascending, and how often each was seen; of too many, only the most frequent, and only since it was told apart.
    pub fn counted(&self) -> impl Iterator<Item = (f64, u64)> {
        self.levels.iter().copied()
    }

    /// Whether so many values of this variance are too coarse to be taken for Gaussian: one is there nearly always, there are few, or they repeat and a
    /// standard deviation is less than two steps.
    pub fn is_coarse(&self, count: f64, variance: f64) -> bool {
        let steps = || self.repeated && self.gap.is_some_and(|gap| steps_are_coarse(gap, variance));
        self.sticks(count) || self.are_few(count) || steps()
    }

    /// Whether there are fewer levels than so many rounded values of a Gaussian have.
    pub fn are_few(&self, count: f64) -> bool {
        !self.many && self.repeated && count >= FEW_FROM[self.levels.len()] as f64
    }

    /// How often the most frequent value was seen.
    pub(crate) fn most_frequent(&self) -> u64 {
        self.levels.iter().map(|level| level.1).max().unwrap_or(0)
    }

    /// Whether one value is there nearly always, as no rounded Gaussian's is: all of two or more observations, or more than half and
    /// three. If rounding is to half a standard deviation, no value has more than 20 %.
    pub fn sticks(&self, count: f64) -> bool {
        let top = self.most_frequent() as f64;
        (top == count && count >= 2.0) || top > 0.5 * count + 3.0
    }
}

/// Whether steps are too large for values of this variance; written so that a variance nobody knows is too small.
pub(crate) fn steps_are_coarse(step: f64, variance: f64) -> bool {
    !(variance >= (STEPS * step) * (STEPS * step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grain(values: impl IntoIterator<Item = f64>) -> Grain {
        let mut grain = Grain::default();
        values.into_iter().for_each(|value| grain.add(value));
        grain
    }

    #[test]
    fn levels_are_told_apart_while_they_are_few() {
        let few = grain([2.0, 0.0, 0.5, 0.0, 2.0]);
        assert_eq!(few.levels().unwrap().collect::<Vec<_>>(), [0.0, 0.5, 2.0]);
        assert_eq!((few.gap(), few.range(), few.repeated()), (Some(0.5), Some((0.0, 2.0)), true));
        let many = grain((0..40).map(f64::from));
        assert!(many.levels().is_none() && !many.repeated() && !many.sticks(40.0));
        assert_eq!((many.gap(), many.range()), (Some(1.0), Some((0.0, 39.0))));
    }

    #[test]
    fn what_is_there_nearly_always_is_noticed() {
        assert!(grain([1.0, 1.0]).sticks(2.0) && !grain([1.0]).sticks(1.0));
        assert!(!grain([1.0, 1.0, 1.0, 2.0]).sticks(4.0));
        // A constant with outliers of every size.
        let outliers = grain((0..2000).map(|i| if i % 100 == 99 { f64::from(i) } else { 0.0 }));
        assert!(outliers.levels().is_none() && outliers.sticks(2000.0));
    }

    /// Whatever the steps between them are.
    #[test]
    fn a_few_levels_are_few_once_there_are_many_observations() {
        let three = |n: u32| grain((0..n).map(|i| [0.0, 0.1, 1.0][i as usize % 3]));
        assert!(!three(19).are_few(19.0) && three(20).are_few(20.0) && three(20).is_coarse(20.0, 0.2));
        assert!(!grain((0..9).map(f64::from)).are_few(9.0), "nothing repeats");
    }

    /// The table is that of the formula, and rounded Gaussian values of which a standard deviation has two steps are not called few: up to 300 observations that is a
    /// matter of eight levels at most, so that by the formula one of 400 arms is in 3 of 100 seeds.
    #[test]
    fn rounded_values_are_not_few() {
        use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
        use rand_distr::StandardNormal;
        for levels in 1..=MOST_LEVELS {
            let within = 1.0 - 2.0 * crate::normal::ln_cdf(-(levels as f64) / 4.0).0.exp();
            let from = (1e-5f64.ln() / within.ln()).ceil();
            assert!((FEW_FROM[levels] as f64 / from - 1.0).abs() < 1e-2, "{levels}: {from}");
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for arm in 0..400 {
            let (mut grain, shift) = (Grain::default(), rng.random::<f64>());
            for n in 1..=300 {
                grain.add((shift + 2.0 * rng.sample::<f64, _>(StandardNormal)).round());
                assert!(!grain.are_few(f64::from(n)), "arm {arm}: {grain:?}");
            }
        }
    }
}
