//! Sums of costs, added up without cancellation.
//!
//! Moving a coordinate of several arms to a common place x costs Σ w_i kl(a_i, x), which is a constant plus W kl(c, x) with the sum W of the
//! weights and the weighted mean c; under Gaussian noise, sums of parabolas ½ w_i (x − a_i)². Kept as weight, centre and floor,
//! such a sum takes a further term by additions of non-negative numbers only: nothing of the minimum is lost to the cancellation in
//! Σ w a² − (Σ w a)² / Σ w. What is left are the roundings of the centre, about 10⁻¹¹ of the minimum for weights 10⁹ apart
//! (docs/oracle.md). This file has the Gaussian sums; [`Law`](crate::law::Law) has those of other families beside them.

/// x ↦ floor + weight · kl(centre, x); under Gaussian noise floor + ½ weight (x − centre)².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bowl {
    /// May be zero (an arm that has not been measured) or infinite (a coordinate that cannot be moved).
    pub weight: f64,
    pub centre: f64,
    pub floor: f64,
}

impl Bowl {
    /// weight · kl(0, x): the price of moving away from the origin.
    #[inline]
    pub fn at_origin(weight: f64) -> Self {
        Bowl { weight, centre: 0.0, floor: 0.0 }
    }

    /// This sum, of Gaussian costs, plus ½ weight (x − at)².
    #[inline]
    pub fn plus(self, weight: f64, at: f64) -> Self {
        let total = self.weight + weight;
        let gap = at - self.centre;
        if total > 0.0 && total < f64::INFINITY {
            let share = weight / total;
            return Bowl {
                weight: total,
                centre: self.centre + share * gap,
                floor: self.floor + 0.5 * self.weight * share * (gap * gap),
            };
        }
        self.plus_extreme(weight, at)
    }

    #[cold]
    fn plus_extreme(self, weight: f64, at: f64) -> Self {
        let gap = at - self.centre;
        match (self.weight < f64::INFINITY, weight < f64::INFINITY) {
            // Both weights are zero: wherever they meet, it costs nothing.
            (true, true) => self,
            (true, false) => Bowl { weight, centre: at, floor: self.floor + half_square(self.weight, gap) },
            (false, true) => Bowl { floor: self.floor + half_square(weight, gap), ..self },
            (false, false) => Bowl { floor: if gap == 0.0 { self.floor } else { f64::INFINITY }, ..self },
        }
    }
}

/// The part of a gap that the first of two arms goes, by their weights; also its share of the cost. Where nothing tells them
/// apart, half.
#[inline]
pub(crate) fn share(one: f64, two: f64) -> f64 {
    match (one < f64::INFINITY, two < f64::INFINITY) {
        (true, true) if one + two > 0.0 => two / (one + two),
        (true, false) => 1.0,
        (false, true) => 0.0,
        _ => 0.5,
    }
}

/// ½ weight gap², where nothing moved costs nothing, even at an infinite weight.
#[inline]
pub(crate) fn half_square(weight: f64, gap: f64) -> f64 {
    if gap == 0.0 { 0.0 } else { 0.5 * weight * (gap * gap) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_two_is_the_parallel_weight() {
        let sum = Bowl::at_origin(3.0).plus(1.0, 4.0);
        assert_eq!(sum.weight, 4.0);
        assert_eq!(sum.centre, 1.0);
        assert_eq!(sum.floor, 0.5 * (3.0 / 4.0) * 16.0);
    }

    #[test]
    fn tiny_weights_keep_full_accuracy() {
        let (v, w, a) = (1e-9, 1.0, 3.0);
        let sum = Bowl::at_origin(v).plus(w, a);
        let exact = 0.5 * (v * w / (v + w)) * a * a;
        assert!((sum.floor - exact).abs() <= 1e-15 * exact);
    }

    #[test]
    fn what_cannot_move_stays() {
        let fixed = Bowl::at_origin(f64::INFINITY);
        assert_eq!(fixed.plus(2.0, 3.0).floor, 9.0);
        assert_eq!(fixed.plus(2.0, 3.0).centre, 0.0);
        assert_eq!(fixed.plus(f64::INFINITY, 3.0).floor, f64::INFINITY);
        let pulled = Bowl::at_origin(2.0).plus(f64::INFINITY, 3.0);
        assert_eq!((pulled.centre, pulled.floor), (3.0, 9.0));
        assert_eq!(Bowl::at_origin(0.0).plus(0.0, 3.0).floor, 0.0);
    }
}
