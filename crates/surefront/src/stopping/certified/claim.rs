//! A claim about two arms, and how far it is on its way.

/// A claim about two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Claim {
    /// The cost of the closest model in which the claim is false, at the counts of the observations that are proof.
    pub cost: f64,
    /// About the proof that there is: the logarithm of the martingales, minus infinity if the means contradict the claim.
    pub proof: f64,
    /// The objective that decides; of a claim about limits, the limit, marked by [`Claim::of_limit`].
    pub objective: usize,
}

/// Marks a claim about limits.
const LIMIT: usize = 1 << (usize::BITS - 1);

impl Claim {
    /// Contradicted by the means.
    pub const FALSE: Claim = Claim { cost: 0.0, proof: f64::NEG_INFINITY, objective: 0 };
    /// About the proof that it takes.
    pub(super) const GOAL: f64 = GOAL;
    /// Beyond doubt.
    pub const CERTAIN: Claim = Claim { cost: f64::INFINITY, proof: f64::INFINITY, objective: 0 };

    /// The same about a limit.
    pub fn of_limit(self) -> Self {
        Claim { objective: self.objective | LIMIT, ..self }
    }

    /// The limit that it is about, if it is about one.
    pub fn limit(&self) -> Option<usize> {
        (self.objective & LIMIT != 0).then_some(self.objective & !LIMIT)
    }

    /// The part that there is of the cost it takes for a proof of `threshold`.
    pub fn fraction(&self, threshold: f64) -> f64 {
        if self.cost == f64::INFINITY {
            return f64::INFINITY;
        }
        if self.cost > 0.0 { self.cost / (self.cost + threshold - self.proof).max(f64::MIN_POSITIVE) } else { 0.0 }
    }

    /// To compare claims by: how far they are from about what it takes, and beyond that by the proof. One that the means contradict is further than
    /// one that nothing has been observed of.
    #[inline]
    pub fn rank(&self) -> f64 {
        if self.proof >= GOAL { 1.0 + (self.proof - GOAL) } else { self.way_to(GOAL) }
    }

    /// No more than the cost of a claim of this rank, whose proof is not more than its cost.
    #[inline]
    pub fn cost_of_rank(rank: f64) -> f64 {
        if rank < 1.0 { GOAL * rank } else { GOAL + (rank - 1.0) }
    }

    /// Whether neither this claim nor any that ranks no higher has come this part of its way to `threshold`, by a glance: where that is beyond the goal, they have come a lesser part of it.
    #[inline]
    pub fn is_short_of(&self, part: f64, threshold: f64) -> bool {
        threshold >= GOAL && self.rank() < part.min(1.0)
    }

    /// No more than [`Claim::fraction`] of this claim, or of any that ranks no lower, where no proof is more than its cost. Beyond the goal the proof is at least what the rank says, and the cost no less. Before it,
    /// of the rank r, the cost c is at least r times the goal G and the proof at least c + G − c/r, so c + T − proof is at most c/r + T − G, which is c/r · T/G or less.
    #[inline]
    pub fn fraction_at_least(&self, threshold: f64) -> f64 {
        (Claim::cost_of_rank(self.rank()) / threshold.max(GOAL)).min(1.0)
    }

    /// A claim whose proof is not more than this and `more` has a cost of no less than this, or its proof is, if it has this rank.
    #[inline]
    pub fn cost_of_rank_beside(rank: f64, more: f64) -> f64 {
        if rank < 1.0 { (GOAL - more) * rank } else { GOAL + (rank - 1.0) - more }
    }

    /// A claim with more proof than this is of a higher rank, whatever its cost.
    #[inline]
    pub fn proof_beyond(rank: f64) -> f64 {
        GOAL + (rank - 1.0).max(0.0)
    }

    /// Whether every claim with this proof or more is of a higher rank, whatever its cost.
    #[inline]
    pub fn is_beyond(proof: f64, rank: f64) -> bool {
        proof >= GOAL && 1.0 + (proof - GOAL) > rank
    }

    /// The part of the way to `bar`; less than nothing for one that the means contradict.
    #[inline]
    pub fn way_to(&self, bar: f64) -> f64 {
        if self.is_contradicted() { -1.0 } else { self.fraction(bar) }
    }

    /// Whether the means contradict it.
    pub fn is_contradicted(&self) -> bool {
        self.cost == 0.0 && self.proof == f64::NEG_INFINITY
    }
}

/// About the proof that it takes: to compare claims by, whatever it takes at the moment.
const GOAL: f64 = 5.0;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Of one claim and of another that ranks no lower.
        #[test]
        fn a_rank_bounds_the_part_of_the_way(
            costs in (0.0f64..40.0, 0.0f64..40.0), less in (0.0f64..60.0, 0.0f64..60.0), threshold in 0.5f64..30.0, none in 0usize..4,
        ) {
            let claim = |cost: f64, less: f64| Claim { cost, proof: cost - less, objective: 0 };
            let mut claims = [claim(costs.0, less.0), claim(costs.1, 0.1 * less.1)];
            if none < 2 {
                claims[none] = Claim::FALSE;
            }
            for one in claims {
                for two in claims.into_iter().filter(|two| two.rank() >= one.rank()) {
                    let (bound, fraction) = (one.fraction_at_least(threshold), two.fraction(threshold));
                    prop_assert!(bound <= fraction * (1.0 + 1e-12), "{bound} {fraction} {one:?} {two:?}");
                    prop_assert!(!two.is_short_of(0.9, threshold) || one.fraction(threshold) < 0.9, "{one:?} {two:?}");
                }
            }
        }
    }
}
