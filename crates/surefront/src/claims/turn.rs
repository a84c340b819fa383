//! Whose claim is served next: that of the weakest, unless others can be settled for much less.
//!
//! Where every claim must be proved in the end, to serve the weakest one keeps all of them level, and no observation is in vain. But a claim that is hopeless,
//! such as that one of two equal arms is the better, would take all observations from then on. To settle others first is not for nothing either: while some are
//! open each takes more proof, and before a lesson proofs are dear. So it has to be worth it: a small part of what the weakest claim still seems to take, [`EARLY_SHARE`] before a lesson and
//! [`LATE_SHARE`] after it, goes to the cheapest of those that take much less. If there is an end, that bounds what it can cost; if there is none, that part grows without bound, and all others are settled.
//!
//! Nor does the lesson wait for a claim that is far from it ([`is_far`]), and until then such a claim is served last.

use crate::stopping::{Claim, LESSON_AT, Open};

/// Before a lesson: the part of what the weakest claim still seems to take that may be spent on settling others first; and no less than so many times the share of two arms, by measuring all
/// arms in turn. Among few arms others are settled soon by that, and to settle them early costs little.
const EARLY_SHARE: (f64, f64) = (0.08, 0.75);

/// The same after it, and where there is none. All claims have come a part of their way by then, and few are hopeless.
const LATE_SHARE: (f64, f64) = (0.01, 0.25);

/// Before a lesson that will foretell arms that are far away: the part of what the weakest claim still seems to take, and of what has been done beyond so many observations for each arm. To settle an arm costs several
/// times what it does after that lesson, so only where a study has gone on for long without it.
const FORECAST_SHARE: (f64, f64) = (0.08, 40.0);

/// Whoever takes less than one part in so many of what the weakest claim takes is cheap.
const CHEAPER: f64 = 4.0;

/// Before a lesson all claims are to come a part of their way. One that takes more than so many times what has been done is not served for that.
const HARD: f64 = 2.0;

/// The lesson itself does not wait for a claim that takes more than so many times what has been done, were at least what noise alone shows of it true, and more than so many times the share of
/// two arms in that, by measuring all arms in turn: among few arms, those of any claim have had much of what has been done. Nor is such a claim served for the lesson.
const FAR: (f64, f64) = (0.7, 3.0);

/// Noise alone shows about as much for a claim, in nats. So one of which less is seen is not thought to take longer than that.
const NOISE: f64 = 0.5;

/// About what a proof is short of the cost, where there is none to go by.
const SHORTFALL: f64 = 6.0;

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
    /// The part of its way that it has come.
    pub fn fraction(&self) -> f64 {
        self.claim.fraction(self.bar)
    }

    /// The cost that a proof takes.
    fn takes(&self) -> f64 {
        let Claim { cost, proof, .. } = self.claim;
        if proof.is_finite() { cost + self.bar - proof } else { self.bar + SHORTFALL }
    }

    /// How many times what has been given it takes in all, as it seems.
    fn times(&self) -> f64 {
        self.takes() / self.claim.cost.max(NOISE)
    }
}

/// Whether the claim about an arm, which has not come the part of its way at which a lesson is taken, is too far from there to be waited for.
pub(super) fn is_far(counts: &[f64], arm: usize, entry: &Entry) -> bool {
    to_lesson(counts, arm, entry) > far(counts.len(), counts.iter().sum())
}

/// How many more observations the claim about an arm takes to come to the lesson, were at least what noise alone shows of it true.
fn to_lesson(counts: &[f64], arm: usize, entry: &Entry) -> f64 {
    let done = (LESSON_AT * entry.times()).recip();
    match counts.get(entry.rival) {
        Some(&rival) if done < 1.0 => more(counts[arm], rival, done),
        _ => 0.0,
    }
}

/// How many more observations are far among so many arms, after so many in all.
fn far(arms: usize, total: f64) -> f64 {
    let (least, in_shares) = FAR;
    at_least(least, in_shares, arms) * total
}

/// The larger of a part, and so many times the share of two arms in what is measured, if all are measured in turn.
fn at_least(part: f64, in_shares: f64, arms: usize) -> f64 {
    part.max(in_shares * 2.0 / arms as f64)
}

/// What the observations are for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    /// There will be a lesson, and proofs of what is observed before it are dear.
    Lesson,
    /// The same, and it will foretell the arms that are far away, where variances are unknown: to settle these before it takes several times as much ([`FORECAST_SHARE`]).
    Forecasts,
    /// They are proof.
    Proof,
}

/// The claims about all arms, with what their turn depends on: after some have changed, the others need not be looked at again. What all are compared by stands side by side, by arm.
#[derive(Clone, Debug)]
pub(super) struct Line {
    way: Towards,
    /// How many observations there are that are proof.
    counts: Vec<f64>,
    entries: Vec<Entry>,
    /// The part of its way that a claim has come.
    fractions: Vec<f64>,
    /// How many more observations it takes, as it seems, while others are open; infinite if it is proved then.
    needs: Vec<f64>,
    open: Open,
    /// What was open when it was said what each waits for.
    waited: Option<Open>,
    /// The arms whose claims have changed since.
    changed: Vec<usize>,
}

impl Line {
    /// At these counts.
    pub fn new(way: Towards, counts: Vec<f64>, entry: impl Fn(usize) -> Entry) -> Self {
        let entries: Vec<Entry> = (0..counts.len()).map(entry).collect();
        let fractions: Vec<f64> = entries.iter().map(Entry::fraction).collect();
        let mut open = Open::default();
        for (entry, _) in entries.iter().zip(&fractions).filter(|(_, fraction)| **fraction < 1.0) {
            *open.beside(entry.on_front) += 1;
        }
        let needs = vec![f64::INFINITY; counts.len()];
        Line { way, counts, entries, fractions, needs, open, waited: None, changed: Vec::new() }
    }

    /// Two arms have so many observations more, and this is claimed then of them, and against or through them.
    pub fn count_in(&mut self, more: [(usize, f64); 2], entry: impl Fn(&[f64], usize) -> Entry) {
        more.iter().for_each(|&(arm, times)| self.counts[arm] += times);
        let [(one, _), (two, _)] = more;
        let is_one = |arm: usize| arm == one || arm == two;
        let changed = self.changed.len();
        let entries = self.entries.iter().enumerate();
        self.changed.extend(entries.filter(|(arm, entry)| is_one(*arm) || is_one(entry.rival)).map(|(arm, _)| arm));
        for place in changed..self.changed.len() {
            let arm = self.changed[place];
            self.change(arm, entry(&self.counts, arm));
        }
    }

    /// This is claimed of an arm from now on.
    fn change(&mut self, arm: usize, entry: Entry) {
        if self.fractions[arm] < 1.0 {
            *self.open.beside(self.entries[arm].on_front) -= 1;
        }
        let fraction = entry.fraction();
        if fraction < 1.0 {
            *self.open.beside(entry.on_front) += 1;
        }
        (self.entries[arm], self.fractions[arm]) = (entry, fraction);
    }

    /// The arm whose claim is to be served; `None` if all are proved. By arm, `pending` observations are under way. `beside` is what it takes to certify an arm
    /// while others are open.
    pub fn next<Beside: Fn(usize) -> f64>(
        &mut self,
        pending: impl Fn(usize) -> f64,
        beside: impl FnOnce(Open) -> Beside,
    ) -> Option<usize> {
        if self.way != Towards::Proof
            && let Some(arm) = self.shortest()
        {
            return Some(arm);
        }
        let weakest = first_least(&self.fractions, 1.0, |_| true)?;
        self.wait(beside);
        let held = self.entries[weakest];
        let given = self.counts[weakest] + self.counts.get(held.rival).unwrap_or(&0.0);
        Some(self.cheap(pending, given * (held.times() - 1.0)).unwrap_or(weakest))
    }

    /// Before a lesson: the arm whose claim is served until it has come as far as it should by then.
    fn shortest(&self) -> Option<usize> {
        let total = self.counts.iter().sum();
        let is_short = |arm: usize| is_soon(&self.counts, arm, &self.entries[arm], self.fractions[arm], total);
        first_least(&self.fractions, LESSON_AT, is_short)
    }

    /// Says what claims wait for, where it is not known.
    fn wait<Beside: Fn(usize) -> f64>(&mut self, beside: impl FnOnce(Open) -> Beside) {
        let changed = std::mem::take(&mut self.changed);
        let is_known = self.waited.replace(self.open) == Some(self.open);
        if is_known && changed.is_empty() {
            return;
        }
        let beside = beside(self.open);
        let Line { counts, entries, fractions, needs, .. } = self;
        let mut wait = |arm: usize| {
            // Of one that has come no part of its way nobody knows, whatever it takes.
            let is_known = fractions[arm] > 0.0;
            needs[arm] = if is_known { need(counts, arm, &entries[arm], beside(arm)) } else { f64::INFINITY };
        };
        if is_known { changed.into_iter().for_each(&mut wait) } else { (0..counts.len()).for_each(&mut wait) }
    }

    /// The cheapest claim, if all that are cheap would take a small part of what is `ahead` of the weakest, were they as cheap.
    fn cheap(&self, pending: impl Fn(usize) -> f64, ahead: f64) -> Option<usize> {
        let (mut cheapest, mut count) = ((f64::INFINITY, None), 0.0);
        for (arm, &need) in self.needs.iter().enumerate() {
            if !(CHEAPER * need <= ahead) {
                continue;
            }
            count += 1.0;
            // Not if what is under way may be enough.
            if need < cheapest.0 && !(need <= pending(arm) + pending(self.entries[arm].rival)) {
                cheapest = (need, Some(arm));
            }
        }
        cheapest.1.filter(|_| cheapest.0 * count <= spare(self.way, &self.counts, ahead))
    }
}

/// What may be spent on settling others first, where so much is `ahead` of the weakest claim.
fn spare(way: Towards, counts: &[f64], ahead: f64) -> f64 {
    let share = |(least, in_shares): (f64, f64)| at_least(least, in_shares, counts.len());
    match way {
        Towards::Lesson => share(EARLY_SHARE) * ahead,
        Towards::Forecasts => {
            let (part, each) = FORECAST_SHARE;
            part * ahead.min(counts.iter().sum::<f64>() - each * counts.len() as f64)
        }
        Towards::Proof => share(LATE_SHARE) * ahead,
    }
}

/// The place of the least of these numbers, of those that are less than `below` and have this property: the first among equals.
fn first_least(numbers: &[f64], below: f64, has: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut least, mut place) = (below, None);
    for (next, &number) in numbers.iter().enumerate() {
        if number < least && has(next) {
            (least, place) = (number, Some(next));
        }
    }
    place
}

/// Whether the claim about an arm is served before all others that have come further, until it has come as far as it should before a lesson; after so many observations in all.
pub(super) fn is_short(counts: &[f64], arm: usize, entry: &Entry, total: f64) -> bool {
    let fraction = entry.fraction();
    fraction < LESSON_AT && is_soon(counts, arm, entry, fraction, total)
}

/// Whether a claim that has come this part of its way, which is less than a lesson is taken at, comes to that before it takes much more than the `total` that has been done; and the lesson waits for it.
fn is_soon(counts: &[f64], arm: usize, entry: &Entry, fraction: f64, total: f64) -> bool {
    more(counts[arm], counts[entry.rival], fraction / LESSON_AT) <= HARD * total
        && to_lesson(counts, arm, entry) <= far(counts.len(), total)
}

/// How many more observations the claim about an arm takes at this bar as well; infinite if it is proved.
fn need(counts: &[f64], arm: usize, entry: &Entry, bar: f64) -> f64 {
    let fraction = entry.claim.fraction(entry.bar.max(bar));
    if fraction < 1.0 { more(counts[arm], counts[entry.rival], fraction) } else { f64::INFINITY }
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

    fn turn(way: Towards, counts: &[f64], entries: &[Entry]) -> Option<usize> {
        Line::new(way, counts.to_vec(), |arm| entries[arm]).next(|_| 0.0, |_| |_| 9.0)
    }

    /// Whose turn it is, by what every claim waits for.
    fn slow<Beside: Fn(usize) -> f64>(
        way: Towards,
        counts: &[f64],
        entries: &[Entry],
        pending: impl Fn(usize) -> f64,
        beside: impl Fn(Open) -> Beside,
    ) -> Option<usize> {
        let total: f64 = counts.iter().sum();
        let open = |arm: &usize| entries[*arm].fraction() < 1.0;
        let weaker = |a: &usize, b: &usize| entries[*a].fraction().total_cmp(&entries[*b].fraction());
        let short = |arm: &usize| way != Towards::Proof && is_short(counts, *arm, &entries[*arm], total);
        if let Some(short) = (0..counts.len()).filter(short).min_by(weaker) {
            return Some(short);
        }
        let weakest = (0..counts.len()).filter(open).min_by(weaker)?;
        let count =
            |on_front: bool| (0..counts.len()).filter(|arm| open(arm) && entries[*arm].on_front == on_front).count();
        let beside = beside(Open { out: count(false), within: count(true) });
        let held = entries[weakest];
        let ahead = (counts[weakest] + counts[held.rival]) * (held.times() - 1.0);
        let needs: Vec<f64> = (0..counts.len()).map(|arm| need(counts, arm, &entries[arm], beside(arm))).collect();
        let cheap: Vec<usize> = (0..counts.len()).filter(|&arm| CHEAPER * needs[arm] <= ahead).collect();
        let waits = |arm: &&usize| needs[**arm] > pending(**arm) + pending(entries[**arm].rival);
        let cheapest = cheap.iter().filter(waits).min_by(|a, b| needs[**a].total_cmp(&needs[**b]));
        let part = |least: f64, in_shares: f64| least.max(in_shares * 2.0 / counts.len() as f64);
        let spare = match way {
            Towards::Lesson => part(0.08, 0.75) * ahead,
            Towards::Forecasts => 0.08 * ahead.min(total - 40.0 * counts.len() as f64),
            Towards::Proof => part(0.01, 0.25) * ahead,
        };
        let is_little = |arm: &&usize| needs[**arm] * cheap.len() as f64 <= spare;
        Some(cheapest.filter(is_little).copied().unwrap_or(weakest))
    }

    #[test]
    fn a_hopeless_claim_does_not_keep_others_waiting() {
        let counts = [5000.0, 5000.0, 40.0];
        // Two that are tied, and one that needs some twenty observations more.
        let entries = [entry(0.01, 1), entry(0.01, 0), entry(0.7, 0)];
        assert_eq!(turn(Towards::Proof, &counts, &entries), Some(2));
        // Not if that is a large part of what is ahead.
        let entries = [entry(0.6, 1), entry(0.6, 0), entry(0.7, 0)];
        assert_eq!(turn(Towards::Proof, &[50.0, 50.0, 50.0], &entries), Some(0));
        // Once it is proved, the weakest; and nobody once all are.
        let entries = [entry(0.01, 1), entry(0.02, 0), entry(1.0, 0)];
        assert_eq!(turn(Towards::Proof, &counts, &entries), Some(0));
        assert_eq!(turn(Towards::Proof, &counts, &[entry(1.0, 1), entry(1.0, 0), entry(1.1, 0)]), None);
    }

    #[test]
    fn what_is_under_way_counts() {
        let (counts, entries) = ([5000.0, 5000.0, 40.0], [entry(0.01, 1), entry(0.01, 0), entry(0.7, 0)]);
        let turn = |pending: f64| {
            let pending = |arm: usize| if arm == 2 { pending } else { 0.0 };
            Line::new(Towards::Proof, counts.to_vec(), |arm| entries[arm]).next(pending, |_| |_| 9.0)
        };
        assert_eq!((turn(5.0), turn(30.0)), (Some(2), Some(0)));
    }

    #[test]
    fn before_a_lesson_all_come_a_part_of_their_way() {
        let counts = [50.0, 50.0, 50.0];
        assert_eq!(turn(Towards::Lesson, &counts, &[entry(0.3, 1), entry(0.1, 0), entry(0.12, 0)]), Some(1));
        // One that is far is not waited for.
        assert_eq!(turn(Towards::Lesson, &counts, &[entry(0.001, 1), entry(0.1, 0), entry(0.12, 0)]), Some(1));
        assert_eq!(
            turn(Towards::Lesson, &[5e3, 5e3, 40.0], &[entry(0.001, 1), entry(0.001, 0), entry(0.7, 0)]),
            Some(2)
        );
    }

    #[test]
    fn who_is_far_from_the_lesson_is_not_served_for_it() {
        let tied = [5e3, 5e3, 40.0, 40.0, 40.0, 40.0];
        let entries = |fraction| {
            [entry(fraction, 1), entry(fraction, 0), entry(0.12, 0), entry(0.2, 0), entry(0.2, 0), entry(0.2, 0)]
        };
        assert!(is_far(&tied, 0, &entries(0.06)[0]));
        assert_eq!(turn(Towards::Lesson, &tied, &entries(0.06)), Some(2));
        assert_eq!(turn(Towards::Lesson, &tied, &entries(0.11)), Some(0));
    }

    #[test]
    fn among_few_arms_a_larger_part_is_for_what_is_cheap() {
        let served = |proved: usize| {
            let mut entries = vec![entry(0.3, 1), entry(0.3, 0)];
            entries.extend((0..6).map(|_| entry(0.7, 0)));
            entries.extend((0..proved).map(|_| entry(2.0, 0)));
            let counts: Vec<f64> = [500.0, 500.0].into_iter().chain(vec![40.0; 6 + proved]).collect();
            turn(Towards::Proof, &counts, &entries)
        };
        assert_eq!((served(0), served(50)), (Some(2), Some(0)));
    }

    #[test]
    fn those_come_first_that_are_cheap_all_together() {
        // Fifty that are cheap, one by one, beside one that takes no more than all of them.
        let mut entries = vec![entry(0.3, 1), entry(0.3, 0)];
        entries.extend((0..50).map(|_| entry(0.7, 0)));
        let counts: Vec<f64> = [500.0, 500.0].into_iter().chain([40.0; 50]).collect();
        assert_eq!(turn(Towards::Proof, &counts, &entries), Some(0));
        // Once there are few of them, they do.
        assert_eq!(turn(Towards::Proof, &counts[..4], &entries[..4]), Some(2));
    }

    #[test]
    fn a_lesson_does_not_wait_for_the_hopeless() {
        let far = |counts: &[f64], fraction| is_far(counts, 0, &entry(fraction, 1));
        let tied = [5e3, 5e3, 40.0, 40.0, 40.0, 40.0];
        assert!(far(&tied, 0.001) && far(&tied, 0.04));
        // One that is close is waited for; and there may be more to it than is seen yet, also where its two arms are all but one.
        assert!(!far(&tied, 0.12) && !far(&[50.0; 6], 0.001) && !far(&[50.0; 3], 0.001));
        // One that has come there is not far from it.
        assert!(!far(&tied, 0.2));
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

        /// Kept while counts grow, against a look at all claims each time.
        #[test]
        fn a_line_that_is_kept_has_the_turns_of_all_claims(
            claims in prop::collection::vec((0.0f64..12.0, 0usize..12, any::<bool>()), 2..12), way in 0usize..3,
            steps in prop::collection::vec((0usize..12, 0usize..12, 0.0f64..1.0, 1u32..40), 1..12), pending in 0.0f64..9.0,
        ) {
            let arms = claims.len();
            let way = [Towards::Lesson, Towards::Forecasts, Towards::Proof][way];
            // What is claimed grows with the counts of both arms.
            let entry = |counts: &[f64], arm: usize| {
                let (cost, other, on_front) = claims[arm];
                let rival = if other % arms == arm { (arm + 1) % arms } else { other % arms };
                let cost = cost * counts[arm] * counts[rival] / (counts[arm] + counts[rival]) / 20.0;
                Entry { claim: Claim { cost, proof: cost - 3.0, objective: 0 }, rival, on_front, bar: 7.0 }
            };
            let beside = |open: Open| move |arm: usize| 6.5 + 0.2 * (open.out + 2 * open.within) as f64 + 0.1 * arm as f64;
            let pending = |arm: usize| if arm == 1 { pending } else { 0.0 };
            let mut counts: Vec<f64> = (0..arms).map(|arm| 10.0 + arm as f64).collect();
            let mut kept = Line::new(way, counts.clone(), |arm| entry(&counts, arm));
            for (one, two, share, times) in steps {
                let entries: Vec<Entry> = (0..arms).map(|arm| entry(&counts, arm)).collect();
                prop_assert_eq!(kept.next(pending, beside), slow(way, &counts, &entries, pending, beside));
                let more = [(one % arms, share * f64::from(times)), (two % arms, (1.0 - share) * f64::from(times))];
                more.iter().for_each(|&(arm, times)| counts[arm] += times);
                kept.count_in(more, entry);
            }
        }
    }
}
