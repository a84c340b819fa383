//! When everything is looked at again.
//!
//! What is claimed of every arm changes little with one observation of many. So once there are some hundreds, the claims are looked at whenever their number is a multiple
//! of a power of two that is between a 128th and a 64th of it. That depends on the number alone: a study that is taken up again looks when one does that never was interrupted.

/// Up to twice so many observations everything is looked at after each.
const FINE: u64 = 64;

/// So many observations lie between a look and the next.
fn step(observations: u64) -> u64 {
    1 << (observations / FINE).max(1).ilog2()
}

/// Whether everything is looked at after so many observations.
pub(crate) fn is_due(observations: u64) -> bool {
    observations.is_multiple_of(step(observations))
}

/// After how many observations everything is looked at next, if there are so many.
pub(crate) fn next(observations: u64) -> u64 {
    let step = step(observations);
    (observations / step + 1) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_a_small_part_of_the_observations_apart() {
        let (mut seen, mut number) = (0, 0);
        while seen < 5_000_000 {
            let following = next(seen);
            assert!(is_due(following), "{following}");
            assert!((seen + 1..following).all(|between| !is_due(between) && next(between) == following), "{seen}");
            assert!(following - seen == 1 || 64 * (following - seen) <= seen, "{seen} {following}");
            (seen, number) = (following, number + 1);
        }
        assert!(number < 128 + 64 * 16, "{number}");
    }
}
