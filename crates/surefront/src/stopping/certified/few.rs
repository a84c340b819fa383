//! One of something, or three: the scales or widths that are mixed.

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

    #[inline]
    pub fn list(&self) -> &[T] {
        &self.items[..self.count]
    }

    /// The same number of something else.
    #[inline]
    pub fn map<U: Copy>(self, mut to: impl FnMut(T) -> U) -> Few<U> {
        if self.count == 1 { Few::one(to(self.items[0])) } else { Few::three(self.items.map(to)) }
    }

    /// As many as both have, item by item.
    #[inline]
    pub fn zip<U: Copy>(self, other: Few<U>) -> Few<(T, U)> {
        debug_assert_eq!(self.count, other.count);
        let items = std::array::from_fn(|i| (self.items[i], other.items[i]));
        Few { items, count: self.count }
    }

    /// ln of how many there are: what it costs to mix them evenly.
    #[inline]
    pub fn ln_count(&self) -> f64 {
        if self.count == 1 { 0.0 } else { LN_3 }
    }
}

const LN_3: f64 = 1.098_612_288_668_109_8;
