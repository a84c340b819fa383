//! The values of one arm and objective in their order, for what is compared by a quantile: how many are below a number, how many at or below it.
//!
//! They are kept in blocks that are shared by all copies until one of them changes: a copy, such as that of a moment, costs next to nothing, and a new value
//! moves a few hundred others at most.

use std::sync::Arc;

use crate::reading::Reading;
use crate::statistic::Quantile;

/// A block is split when it has more values than this.
const MOST: usize = 512;

/// Numbers in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorted {
    blocks: Vec<Arc<Vec<f64>>>,
    /// By block: its largest value, and how many values there are up to its end.
    largest: Vec<f64>,
    ends: Vec<usize>,
}

/// The blocks depend on the order in which the numbers came, and mean nothing.
impl PartialEq for Sorted {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Sorted {
    pub fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_unstable_by(f64::total_cmp);
        let mut sorted = Sorted::default();
        for chunk in numbers.chunks(MOST / 2) {
            sorted.blocks.push(Arc::new(chunk.to_vec()));
            sorted.largest.push(chunk[chunk.len() - 1]);
            sorted.ends.push(sorted.len() + chunk.len());
        }
        sorted
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().flat_map(|block| block.iter().copied())
    }

    pub fn insert(&mut self, number: f64) {
        // The two zeros are one number.
        let number = number + 0.0;
        if self.blocks.is_empty() {
            *self = Sorted::of(vec![number]);
            return;
        }
        let at = self.largest.partition_point(|&largest| largest < number).min(self.blocks.len() - 1);
        let block = Arc::make_mut(&mut self.blocks[at]);
        block.insert(block.partition_point(|&other| other < number), number);
        self.largest[at] = self.largest[at].max(number);
        self.ends[at..].iter_mut().for_each(|end| *end += 1);
        if block.len() > MOST {
            let rest = block.split_off(MOST / 2);
            let (first, end) = (block[block.len() - 1], self.ends[at] - rest.len());
            self.largest.insert(at, first);
            self.ends.insert(at, end);
            self.blocks.insert(at + 1, Arc::new(rest));
        }
    }

    /// How many are below `x`.
    #[inline]
    pub fn below(&self, x: f64) -> usize {
        self.count(|&number| number < x)
    }

    /// How many are at or below `x`.
    #[inline]
    pub fn up_to(&self, x: f64) -> usize {
        self.count(|&number| number <= x)
    }

    #[inline]
    fn count(&self, counts: impl Fn(&f64) -> bool) -> usize {
        let at = self.largest.partition_point(&counts);
        let before = if at == 0 { 0 } else { self.ends[at - 1] };
        before + self.blocks.get(at).map_or(0, |block| block.partition_point(&counts))
    }

    /// The one at this place, from 0.
    #[inline]
    pub fn nth(&self, place: usize) -> f64 {
        let at = self.ends.partition_point(|&end| end <= place);
        let before = if at == 0 { 0 } else { self.ends[at - 1] };
        self.blocks[at][place - before]
    }
}

/// The values of one arm and objective, in the objective's own units, some of which are only known to be more than something.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ranks {
    values: Sorted,
    /// What the others are more than.
    limits: Sorted,
}

impl Ranks {
    /// Of the numbers that stand for readings.
    pub fn of(readings: &[f64]) -> Self {
        let (mut values, mut limits) = (Vec::new(), Vec::new());
        for &reading in readings {
            match Reading::of(reading) {
                Reading::Value(value) => values.push(value),
                Reading::MoreThan(limit) => limits.push(limit),
            }
        }
        Ranks { values: Sorted::of(values), limits: Sorted::of(limits) }
    }

    /// The numbers that stand for the readings.
    pub fn readings(&self) -> Vec<f64> {
        self.values.iter().chain(self.limits.iter().map(|limit| Reading::MoreThan(limit).as_value())).collect()
    }

    pub fn add(&mut self, reading: f64) {
        match Reading::of(reading) {
            Reading::Value(value) => self.values.insert(value),
            Reading::MoreThan(limit) => self.limits.insert(limit),
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len() + self.limits.len()
    }

    /// Those that are known.
    #[inline]
    pub fn values(&self) -> &Sorted {
        &self.values
    }

    /// What the others are more than.
    #[inline]
    pub fn limits(&self) -> &Sorted {
        &self.limits
    }

    /// The one of this rank, from 1, where what is more than a limit stands right behind it.
    pub fn reading(&self, rank: usize) -> Reading {
        if self.limits.is_empty() {
            return Reading::Value(self.values.nth(rank - 1));
        }
        // How many limits stand before the value that would have the rank: each is behind the values up to it.
        let (mut least, mut most) = (0, self.limits.len().min(rank));
        while least < most {
            // Whether so many limits are among the first `rank`.
            let some = (least + most).div_ceil(2);
            if self.values.up_to(self.limits.nth(some - 1)) + some <= rank { least = some } else { most = some - 1 }
        }
        if least > 0 && self.values.up_to(self.limits.nth(least - 1)) + least == rank {
            return Reading::MoreThan(self.limits.nth(least - 1));
        }
        Reading::Value(self.values.nth(rank - least - 1))
    }

    /// The sample quantile; zero as long as there is no value.
    pub fn quantile(&self, quantile: Quantile) -> Reading {
        if self.len() == 0 { Reading::Value(0.0) } else { self.reading(quantile.rank(self.len())) }
    }

    /// Where it stands among other numbers.
    pub fn location(&self, quantile: Quantile) -> f64 {
        self.quantile(quantile).place()
    }

    /// About the standard error of the sample quantile: half the way between the values that are one standard deviation of its rank below and above it.
    /// `None` with too few values.
    pub fn standard_error(&self, quantile: Quantile) -> Option<f64> {
        let (n, q) = (self.len() as f64, quantile.level());
        let (rank, spread) = (q * n, (q * (1.0 - q) * n).sqrt());
        let (low, high) = ((rank - spread).ceil(), (rank + spread).floor() + 1.0);
        if low < 1.0 || high > n || n < 2.0 {
            return None;
        }
        match (self.reading(low as usize), self.reading(high as usize)) {
            (Reading::Value(low), Reading::Value(high)) => Some(0.5 * (high - low)),
            _ => None,
        }
    }

    /// Between which values the quantile lies, each end being wrong with a chance of at most `risk`: as many values are below the quantile as successes in as
    /// many trials, or fewer, and as many at or below it, or more. `None` for an end that there are too few values for.
    pub fn interval(&self, quantile: Quantile, risk: f64) -> [Option<f64>; 2] {
        let (low, high) = Successes::new(self.len(), quantile.level()).range(risk);
        let number = |rank: usize| match self.reading(rank) {
            Reading::Value(value) => Some(value),
            Reading::MoreThan(_) => None,
        };
        [low.map(|rank| self.reading(rank).number()), high.and_then(number)]
    }
}

/// The number of successes in n trials: its probabilities, up to a common factor.
struct Successes {
    /// How many successes the first is of.
    first: usize,
    weights: Vec<f64>,
    trials: usize,
}

impl Successes {
    fn new(trials: usize, chance: f64) -> Self {
        let mode = ((trials as f64 + 1.0) * chance).floor().min(trials as f64) as usize;
        let odds = chance / (1.0 - chance);
        // From the mode outwards, until there is nothing left.
        let up = |weight: f64, k: usize| weight * odds * (trials - k) as f64 / (k + 1) as f64;
        let down = |weight: f64, k: usize| weight / odds * k as f64 / (trials - k + 1) as f64;
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let (mut k, mut weight) = (mode, 1.0);
        while k < trials && weight > NOTHING {
            weight = up(weight, k);
            above.push(weight);
            k += 1;
        }
        (k, weight) = (mode, 1.0);
        while k > 0 && weight > NOTHING {
            weight = down(weight, k);
            below.push(weight);
            k -= 1;
        }
        let first = mode - below.len();
        let weights = below.into_iter().rev().chain([1.0]).chain(above).collect();
        Successes { first, weights, trials }
    }

    /// The largest rank that more successes than there are below it are as good as certain for, and the least that fewer are.
    fn range(&self, risk: f64) -> (Option<usize>, Option<usize>) {
        let allowed = risk * self.weights.iter().sum::<f64>();
        let fewest = |weights: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            weights
                .take_while(|&&weight| {
                    sum += weight;
                    sum <= allowed
                })
                .count()
        };
        // P(successes ≤ low − 1) ≤ risk, and P(successes ≥ high) ≤ risk.
        let low = self.first + fewest(&mut self.weights.iter());
        let high = self.first + self.weights.len() - fewest(&mut self.weights.iter().rev());
        ((low > 0 && low <= self.trials).then_some(low), (high > 0 && high <= self.trials).then_some(high))
    }
}

/// Probabilities below this part of the largest are none.
const NOTHING: f64 = 1e-300;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The chance of so many successes or fewer, from Pascal's triangle.
    fn at_most(n: usize, q: f64, k: usize) -> f64 {
        let mut row = vec![1.0];
        for _ in 0..n {
            let step = |i: usize| {
                let fewer = if i > 0 { row[i - 1] * q } else { 0.0 };
                fewer + if i < row.len() { row[i] * (1.0 - q) } else { 0.0 }
            };
            row = (0..=row.len()).map(step).collect();
        }
        row[..=k].iter().sum()
    }

    #[test]
    fn intervals_are_those_of_the_definition() {
        for (n, q, risk) in
            [(1, 0.5, 0.1), (4, 0.5, 0.1), (9, 0.5, 0.05), (40, 0.95, 0.025), (100, 0.3, 0.001), (200, 0.99, 0.3)]
        {
            let ranks = Ranks::of(&(1..=n).map(|i| i as f64).collect::<Vec<_>>());
            let [low, high] = ranks.interval(Quantile::new(q).unwrap(), risk);
            let slow_low = (1..=n).rev().find(|&rank| at_most(n, q, rank - 1) <= risk);
            let slow_high = (1..=n).find(|&rank| 1.0 - at_most(n, q, rank - 1) <= risk);
            assert_eq!(
                (low, high),
                (slow_low.map(|rank| rank as f64), slow_high.map(|rank| rank as f64)),
                "{n} {q} {risk}"
            );
        }
        // What is only known to be more than something is no upper end, and what it is more than is a lower one.
        let late = Reading::MoreThan(3.0).as_value();
        let ranks = Ranks::of(&[[1.0, 2.0].repeat(2), vec![late; 20]].concat());
        assert_eq!(ranks.interval(Quantile::MEDIAN, 0.1), [Some(3.0), None]);
        assert_eq!(ranks.standard_error(Quantile::MEDIAN), None);
    }

    /// Of 400 evenly spread values: ten ranks to either side.
    #[test]
    fn standard_errors_are_those_of_the_rank() {
        let ranks = Ranks::of(&(1..=400).map(f64::from).collect::<Vec<_>>());
        let error = ranks.standard_error(Quantile::MEDIAN).unwrap();
        assert!((error - 10.0).abs() <= 1.0, "{error}");
        assert_eq!(Ranks::of(&[1.0]).standard_error(Quantile::MEDIAN), None);
        assert_eq!(Ranks::of(&[1.0; 30]).standard_error(Quantile::MEDIAN), Some(0.0));
    }

    proptest! {
        #[test]
        fn counts_and_places_are_those_of_a_sorted_list(
            numbers in prop::collection::vec(-40i32..40, 1..3000), x in -45i32..45,
        ) {
            let mut sorted = Sorted::default();
            numbers.iter().for_each(|&number| sorted.insert(f64::from(number)));
            let mut slow: Vec<f64> = numbers.iter().map(|&number| f64::from(number)).collect();
            prop_assert_eq!(&sorted, &Sorted::of(slow.clone()));
            slow.sort_by(f64::total_cmp);
            prop_assert!(sorted.iter().eq(slow.iter().copied()));
            let x = f64::from(x);
            prop_assert_eq!(sorted.below(x), slow.iter().filter(|&&number| number < x).count());
            prop_assert_eq!(sorted.up_to(x), slow.iter().filter(|&&number| number <= x).count());
            prop_assert!((0..slow.len()).all(|place| sorted.nth(place) == slow[place]));
        }

        /// A copy stays as it was.
        #[test]
        fn copies_do_not_follow(numbers in prop::collection::vec(-1e3f64..1e3, 2..1500), cut in 1usize..1500) {
            let cut = cut.min(numbers.len() - 1);
            let mut sorted = Sorted::of(numbers[..cut].to_vec());
            let copy = sorted.clone();
            numbers[cut..].iter().for_each(|&number| sorted.insert(number));
            prop_assert_eq!(copy, Sorted::of(numbers[..cut].to_vec()));
            prop_assert_eq!(sorted, Sorted::of(numbers));
        }

        #[test]
        fn readings_are_in_the_order_of_what_they_are_more_than(
            values in prop::collection::vec(-9i32..9, 0..40), limits in prop::collection::vec(-9i32..9, 0..40),
        ) {
            prop_assume!(values.len() + limits.len() > 0);
            let values = values.into_iter().map(|value| Reading::Value(f64::from(value)));
            let limits = limits.into_iter().map(|limit| Reading::MoreThan(f64::from(limit)));
            let mut slow: Vec<Reading> = values.chain(limits).collect();
            let mut ranks = Ranks::default();
            slow.iter().for_each(|reading| ranks.add(reading.as_value()));
            prop_assert_eq!(&ranks, &Ranks::of(&ranks.readings()));
            slow.sort_by(|a, b| {
                let key = |reading: &Reading| match *reading {
                    Reading::Value(number) => (number, 0),
                    Reading::MoreThan(number) => (number, 1),
                };
                key(a).partial_cmp(&key(b)).unwrap()
            });
            for (place, reading) in slow.into_iter().enumerate() {
                prop_assert_eq!(ranks.reading(place + 1), reading);
            }
        }
    }
}
