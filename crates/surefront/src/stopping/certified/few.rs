//! One of something, two or three: the scales or widths that are mixed.

/// Up to three, without allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few<T> {
    items: [T; 3],
    count: usize,
}

impl Few<f64> {
    /// A single zero.
    pub const ZERO: Few<f64> = Few { items: [0.0; 3], count: 1 };
}

impl<T: Copy> Few<T> {
    pub fn one(item: T) -> Self {
        Few { items: [item; 3], count: 1 }
    }

    pub fn three(items: [T; 3]) -> Self {
        Few { items, count: 3 }
    }

    /// Two, of which the first is thought to be the right one.
    pub fn led([first, second]: [T; 2]) -> Self {
        Few { items: [first, second, second], count: 2 }
    }

    #[inline]
    pub fn list(&self) -> &[T] {
        &self.items[..self.count]
    }

    /// The same number of something else.
    #[inline]
    pub fn map<U: Copy>(self, mut to: impl FnMut(T) -> U) -> Few<U> {
        match self.count {
            1 => Few::one(to(self.items[0])),
            2 => Few::led([to(self.items[0]), to(self.items[1])]),
            _ => Few::three(self.items.map(to)),
        }
    }

    /// As many as both have, item by item.
    #[inline]
    pub fn zip<U: Copy>(self, other: Few<U>) -> Few<(T, U)> {
        debug_assert_eq!(self.count, other.count);
        let items = std::array::from_fn(|i| (self.items[i], other.items[i]));
        Few { items, count: self.count }
    }

    /// The logarithm of the weight of each: even among three, and among two nearly all on the first.
    #[inline]
    pub fn ln_weight(&self, place: usize) -> f64 {
        match (self.count, place) {
            (1, _) => 0.0,
            (2, 0) => LN_LEADER,
            (2, _) => LN_OTHER,
            _ => -LN_3,
        }
    }
}

impl Few<f64> {
    /// Of logarithms: no less than the largest at its weight, and no more than the mixture.
    #[inline]
    pub fn top_weighed(&self) -> f64 {
        let weighed = self.list().iter().enumerate().map(|(place, value)| value + self.ln_weight(place));
        weighed.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The largest.
    #[inline]
    pub fn top(&self) -> f64 {
        self.list().iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Of two, the weights 0.8 and 0.2.
const LN_LEADER: f64 = -0.223_143_551_314_209_76;
const LN_OTHER: f64 = -1.609_437_912_434_100_4;
const LN_3: f64 = 1.098_612_288_668_109_8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_one() {
        for few in [Few::one(1.0), Few::led([1.0, 2.0]), Few::three([1.0, 2.0, 3.0])] {
            let sum: f64 = (0..few.list().len()).map(|place| few.ln_weight(place).exp()).sum();
            assert!((sum - 1.0).abs() < 1e-15, "{few:?}: {sum}");
            assert!(few.top_weighed() <= few.top());
        }
    }
}
