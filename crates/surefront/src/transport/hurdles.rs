//! One or two front arms that are enough to make adding an arm dear.

use crate::front::Front;

/// At most two front arms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hurdles {
    arms: [usize; 2],
    count: usize,
}

impl Hurdles {
    pub fn one(arm: usize) -> Self {
        Hurdles { arms: [arm, 0], count: 1 }
    }

    pub fn two(first: usize, second: usize) -> Self {
        debug_assert!(first != second, "an arm is passed once");
        Hurdles { arms: [first, second], count: 2 }
    }

    #[inline]
    pub fn arms(&self) -> &[usize] {
        &self.arms[..self.count]
    }

    /// Whether there are any, and all of them are on the front.
    #[inline]
    pub fn stand(&self, front: &Front) -> bool {
        self.count > 0 && self.arms().iter().all(|&arm| front.contains(arm))
    }
}
