//! Whose doubt is served next: the largest, unless others can be settled for much less.
//!
//! To serve the largest keeps all of them level, and no observation is in vain. But a doubt that nothing will settle, such as that about two equal
//! arms, would take all observations from then on. So a small part of what the largest still seems to take, [`SHARE`], goes to the cheapest of the
//! others: if there is an end, that is all it can cost; if there is none, that part grows without bound, and all others are settled.

/// The part of what the largest doubt still seems to take that may be spent on settling others first.
const SHARE: f64 = 0.03;

/// What the largest doubt still takes is not thought to be more than so many times what its arms have been given: early on, nobody knows.
const MOST_AHEAD: f64 = 100.0;

/// A doubt that another arm is part of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub arm: usize,
    pub rival: usize,
    /// How much there is of it.
    pub size: f64,
    /// The part that is done of what it takes to settle it.
    pub way: f64,
}

/// The arm whose doubt is to be served; `None` if there is none. By arm, `pending` observations are under way. Of equals, the first.
pub(super) fn whose_turn(
    entries: impl Iterator<Item = Entry> + Clone,
    counts: &[f64],
    pending: impl Fn(usize) -> f64,
) -> Option<usize> {
    let largest = entries.clone().reduce(|known, entry| if entry.size > known.size { entry } else { known })?;
    let given = |entry: &Entry| counts[entry.arm] + counts[entry.rival];
    let ahead = |entry: &Entry| given(entry) * (entry.way.recip() - 1.0);
    let (mut cheapest, mut waiting) = ((f64::INFINITY, largest.arm), 0.0);
    for entry in entries.filter(|entry| entry.way < 1.0) {
        waiting += 1.0;
        let need = ahead(&entry);
        // What is under way may be enough.
        if need < cheapest.0 && need > pending(entry.arm) + pending(entry.rival) {
            cheapest = (need, entry.arm);
        }
    }
    let spare = SHARE * ahead(&largest).min(MOST_AHEAD * given(&largest));
    Some(if cheapest.0 * waiting <= spare { cheapest.1 } else { largest.arm })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(counts: &[f64], entries: &[(usize, usize, f64, f64)], pending: f64) -> Option<usize> {
        let entries = entries.iter().map(|&(arm, rival, size, way)| Entry { arm, rival, size, way });
        whose_turn(entries, counts, |arm| if arm == 2 { pending } else { 0.0 })
    }

    #[test]
    fn the_largest_doubt_is_served_and_a_hopeless_one_does_not_keep_others_waiting() {
        let near = [(0, 1, 0.5, 0.3), (1, 0, 0.5, 0.3), (2, 0, 0.1, 0.6)];
        assert_eq!(turn(&[50.0; 3], &near, 0.0), Some(0));
        // Two that are tied, and one that needs some twenty observations more.
        let tied = [(0, 1, 40.0, 0.01), (1, 0, 40.0, 0.01), (2, 3, 1.5, 0.9)];
        let counts = [5000.0, 5000.0, 100.0, 100.0];
        assert_eq!(turn(&counts, &tied, 0.0), Some(2));
        // What is under way may settle it.
        assert_eq!(turn(&counts, &tied, 30.0), Some(0));
        // Once it is settled, the largest; and nobody where there is no doubt.
        assert_eq!(turn(&counts, &[tied[0], tied[1], (2, 3, 0.5, 1.1)], 0.0), Some(0));
        assert_eq!(turn(&counts, &[], 0.0), None);
        // All are small, and together they are not.
        assert_eq!(turn(&counts, &[(0, 1, 0.7, 1.1), (2, 3, 0.8, 1.05)], 0.0), Some(2));
    }

    #[test]
    fn nothing_is_known_of_a_doubt_that_nobody_has_come_nearer_to() {
        assert_eq!(turn(&[1.0; 3], &[(0, 1, 9.0, 0.0), (1, 0, 9.0, 0.0), (2, 0, 1.0, 0.5)], 0.0), Some(2));
        assert_eq!(turn(&[1.0; 3], &[(0, 1, 9.0, 0.0), (1, 0, 9.0, 0.0)], 0.0), Some(0));
    }
}
