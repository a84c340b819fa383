//! Whose claim is served next: that of the weakest, unless others can be settled for much less.
//!
//! Where every claim must be proved in the end, to serve the weakest one keeps all of them level, and no observation is in vain. But a claim that is hopeless,
//! such as that one of two equal arms is the better, would take all observations from then on. So a small part of what the weakest claim still seems to
//! take, [`SHARE`], goes to the cheapest of the others: if there is an end, that is all it can cost; if there is none, that part grows without bound, and
//! all others are settled.

use crate::stopping::{Claim, LESSON_AT, Open};

/// The part of what the weakest claim still seems to take that may be spent on settling others first.
const SHARE: f64 = 0.03;

/// What the weakest claim still takes is not thought to be more than so many times what its two arms have been given. Early on, that is little, and nobody knows
/// how much it will take; one that is hopeless has taken most of all that was done.
const MOST_AHEAD: f64 = 100.0;

/// Before a lesson all claims are to come a part of their way. One that takes more than so many times what has been done is not waited for.
const HARD: f64 = 2.0;

/// The claim about an arm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub claim: Claim,
    /// `usize::MAX` if there is none.
    pub rival: usize,
    pub on_front: bool,
    /// The proof that it takes to certify all arms at once.
    pub bar: f64,
}

impl Entry {
    fn fraction(&self) -> f64 {
        self.claim.fraction(self.bar)
    }
}

/// What the observations are for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// There will be a lesson, and proofs of what is observed before it are dear.
    ToLesson,
    /// They are proof.
    ToProof,
}

/// The arm whose claim is to be served; `None` if all are proved. By arm, there are `counts` observations that are proof, and `pending` ones are under
/// way. `beside` is what it takes to certify an arm while others are open.
pub(super) fn whose_turn<Beside: Fn(usize) -> f64>(
    way: Way,
    counts: &[f64],
    pending: impl Fn(usize) -> f64,
    entry: impl Fn(usize) -> Entry,
    beside: impl FnOnce(Open) -> Beside,
) -> Option<usize> {
    let total: f64 = counts.iter().sum();
    let need = |arm: usize, rival: usize, fraction: f64| more(counts[arm], counts[rival], fraction);
    let mut weakest: Option<(f64, usize)> = None;
    let mut short: Option<(f64, usize)> = None;
    let mut open = Open::default();
    let is_weaker = |fraction: f64, known: Option<(f64, usize)>| known.is_none_or(|known| fraction < known.0);
    for arm in 0..counts.len() {
        let entry = entry(arm);
        let fraction = entry.fraction();
        if !(fraction < 1.0) {
            continue;
        }
        *(if entry.on_front { &mut open.within } else { &mut open.out }) += 1;
        if is_weaker(fraction, weakest) {
            weakest = Some((fraction, arm));
        }
        let is_short = || fraction < LESSON_AT && need(arm, entry.rival, fraction / LESSON_AT) <= HARD * total;
        if way == Way::ToLesson && is_weaker(fraction, short) && is_short() {
            short = Some((fraction, arm));
        }
    }
    if let Some((_, arm)) = short {
        return Some(arm);
    }
    let (fraction, weakest) = weakest?;
    let (mut cheapest, mut waiting) = ((f64::INFINITY, weakest), 0.0);
    let beside = beside(open);
    for arm in 0..counts.len() {
        let entry = entry(arm);
        let fraction = entry.fraction().min(entry.claim.fraction(beside(arm)));
        if fraction < 1.0 {
            waiting += 1.0;
            let need = need(arm, entry.rival, fraction);
            // What is under way may be enough.
            if need < cheapest.0 && need > pending(arm) + pending(entry.rival) {
                cheapest = (need, arm);
            }
        }
    }
    let given = counts[weakest] + counts.get(entry(weakest).rival).unwrap_or(&0.0);
    let ahead = given * (fraction.recip() - 1.0).min(MOST_AHEAD);
    Some(if cheapest.0 * waiting <= SHARE * ahead { cheapest.1 } else { weakest })
}

/// How many more observations of two arms it takes if these are a `fraction` of the way, which is in proportion to ab/(a + b): of the one that has fewer, and of
/// both once they have as many.
fn more(one: f64, two: f64, fraction: f64) -> f64 {
    let (few, many) = (one.min(two), one.max(two));
    if !(fraction > 0.0) || few == 0.0 {
        return f64::INFINITY;
    }
    let goal = few * many / (few + many) / fraction;
    let alone = (goal.recip() - many.recip()).recip();
    if alone > 0.0 && alone <= many { alone - few } else { 4.0 * goal - few - many }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An arm on the front whose claim is so far, with room for the rest of the cost.
    fn entry(fraction: f64, rival: usize) -> Entry {
        let claim = Claim { cost: 10.0 * fraction, proof: 10.0 * fraction - 1.0, objective: 0 };
        Entry { claim, rival, on_front: true, bar: 9.0 }
    }

    fn turn(way: Way, counts: &[f64], entries: &[Entry]) -> Option<usize> {
        whose_turn(way, counts, |_| 0.0, |arm| entries[arm], |_| |_| 9.0)
    }

    #[test]
    fn a_hopeless_claim_does_not_keep_others_waiting() {
        let counts = [5000.0, 5000.0, 40.0];
        // Two that are tied, and one that needs some twenty observations more.
        let entries = [entry(0.01, 1), entry(0.01, 0), entry(0.7, 0)];
        assert_eq!(turn(Way::ToProof, &counts, &entries), Some(2));
        // Not if that is a large part of what is ahead.
        let entries = [entry(0.6, 1), entry(0.6, 0), entry(0.7, 0)];
        assert_eq!(turn(Way::ToProof, &[50.0, 50.0, 50.0], &entries), Some(0));
        // Once it is proved, the weakest; and nobody once all are.
        let entries = [entry(0.01, 1), entry(0.02, 0), entry(1.0, 0)];
        assert_eq!(turn(Way::ToProof, &counts, &entries), Some(0));
        assert_eq!(turn(Way::ToProof, &counts, &[entry(1.0, 1), entry(1.0, 0), entry(1.1, 0)]), None);
    }

    #[test]
    fn what_is_under_way_counts() {
        let (counts, entries) = ([5000.0, 5000.0, 40.0], [entry(0.01, 1), entry(0.01, 0), entry(0.7, 0)]);
        let turn = |pending: f64| {
            let pending = |arm: usize| if arm == 2 { pending } else { 0.0 };
            whose_turn(Way::ToProof, &counts, pending, |arm| entries[arm], |_| |_| 9.0)
        };
        assert_eq!((turn(5.0), turn(30.0)), (Some(2), Some(0)));
    }

    #[test]
    fn before_a_lesson_all_come_a_part_of_their_way() {
        let counts = [50.0, 50.0, 50.0];
        assert_eq!(turn(Way::ToLesson, &counts, &[entry(0.3, 1), entry(0.1, 0), entry(0.12, 0)]), Some(1));
        // One that is far is not waited for.
        assert_eq!(turn(Way::ToLesson, &counts, &[entry(0.001, 1), entry(0.1, 0), entry(0.12, 0)]), Some(1));
        assert_eq!(turn(Way::ToLesson, &[5e3, 5e3, 40.0], &[entry(0.001, 1), entry(0.001, 0), entry(0.7, 0)]), Some(2));
    }

    proptest! {
        /// The fewest observations, by trying all ways to share them.
        #[test]
        fn the_rest_of_the_way_is_the_shortest(one in 1.0f64..1e4, two in 1.0f64..1e4, fraction in 0.01f64..0.999) {
            let goal = one * two / (one + two) / fraction;
            let reaches = |a: f64, b: f64| a * b / (a + b) >= goal * (1.0 - 1e-9);
            let found = more(one, two, fraction);
            let best = |total: f64| (0..=2000).any(|i| {
                let part = total * f64::from(i) / 2000.0;
                reaches(one + part, two + total - part)
            });
            prop_assert!(best(found * 1.001 + 1e-6), "{found} is too few");
            prop_assert!(!best(found * 0.99 - 1e-6), "{found} is too many");
        }
    }
}
