//! What is certified of every arm: as many as possible at once, since the more there are, the less it takes for each.

use std::borrow::Cow;

use super::case::{Case, Cases, count, largest};
use super::gauge::Gauge;
use super::limits::LimitGauge;
use super::{Certificate, Certified, Situation};
use crate::problem::Problem;
use crate::stopping::Standing;

/// What all observations prove, and what those since the lesson do.
pub(super) fn all(certified: &Certified, situation: &Situation<'_>) -> Vec<Certificate> {
    let plain = plain(certified, situation, None);
    match situation.seasons.split() {
        Some(_) => learned(certified, situation, plain),
        None => plain,
    }
}

/// Arms whose standing all observations may certify.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a> {
    /// By arm: the rival, of those that are near it.
    pub rivals: &'a [Option<usize>],
    /// By arm: whether it was certified before.
    pub settled: &'a [bool],
}

/// By arm: whether all observations certify its standing, of those that are `near` it; off the front, through this rival. Of one that was certified before, perhaps less is found than there is.
pub(crate) fn settled(certified: &Certified, situation: &Situation<'_>, near: Near<'_>) -> Vec<bool> {
    plain(certified, situation, Some(near)).iter().map(|certificate| certificate.certain).collect()
}

/// From all observations: as many as possible are said to be out at once, then as many as possible to be in. If only those that are `near` are looked at, perhaps fewer: any set whose
/// proofs suffice for its size is certified.
fn plain(certified: &Certified, situation: &Situation<'_>, near: Option<Near<'_>>) -> Vec<Certificate> {
    let is_near = |arm: usize| near.is_none_or(|near| near.rivals[arm].is_some());
    let was_settled = |arm: usize| near.is_some_and(|near| near.settled[arm]);
    let (problem, front, means) = (situation.problem, situation.front, situation.tally().means());
    let arms = problem.arm_count();
    let mut cases = Cases::new(situation, Gauge::plain(problem, situation.tally()));
    let limits = LimitGauge::new(problem, situation.tally());

    let mut all = vec![Case::NONE; arms];
    let margins = problem.has_margins();
    // With margins, how many are said to be out, or in, has nothing to do with how many are wrong.
    let kept = |count: usize| if margins { arms - 1 } else { arms - count };
    let least = certified.out_threshold(problem, 1);
    let out_bars = range((1..arms.max(2)).map(|count| certified.out_threshold(problem, kept(count))));
    for arm in (0..arms).filter(|&arm| !front.contains(arm) && is_near(arm)) {
        all[arm] = match (&limits, near.and_then(|near| near.rivals[arm])) {
            (Some(limits), _) => cases.for_out_limited(limits, arm),
            (None, Some(by)) if was_settled(arm) => cases.for_out_quickly(arm, by),
            (None, Some(by)) => cases.for_out_through(arm, by, out_bars),
            (None, None) => cases.for_out(arm, least),
        };
    }
    let out = largest(&all, |count| certified.out_threshold(problem, kept(count)));
    let left = if margins { arms } else { arms - count(&out) };
    let mut on_front = vec![Case::NONE; arms];
    let least = (1.0 / certified.plain_risk(problem)).ln();
    let excluded = excluded(problem, &out);
    let in_bar = |count: usize| certified.in_threshold(problem, if margins { 1 } else { count }, left);
    let in_bars = range((1..=front.members().len()).map(in_bar));
    // Where the likeliest rival will do to see that it is too early, nobody else is looked at.
    let is_early = |arm: usize| {
        let rival = near.and_then(|near| near.rivals[arm]).filter(|_| limits.is_none() && !was_settled(arm));
        let bar = in_bar(front.members().len());
        rival.is_some_and(|rival| rival < arms && !cases.gauge().proves_undominated(problem, means, arm, rival, bar))
    };
    let members: Vec<usize> = front.members().iter().copied().filter(|&arm| is_near(arm) && !is_early(arm)).collect();
    for arm in members {
        on_front[arm] = match &limits {
            Some(limits) => cases.for_in_limited(limits, arm, &excluded, certified.out_threshold(problem, arms - 1)),
            None if was_settled(arm) => cases.for_in_quickly(arm, &excluded, in_bars),
            None if near.is_some() => cases.for_in_between(arm, &excluded, in_bars),
            None => cases.for_in(arm, &excluded, least),
        };
    }
    let within = largest(&on_front, in_bar);

    let certain = count(&within);
    (0..arms)
        .map(|arm| {
            if front.contains(arm) {
                let threshold = in_bar(certain + usize::from(!within[arm]));
                on_front[arm].certificate(situation, arm, Standing::In, within[arm], threshold)
            } else {
                let threshold = certified.out_threshold(problem, kept(count(&out) + usize::from(!out[arm])));
                all[arm].certificate(situation, arm, Standing::Out, out[arm], threshold)
            }
        })
        .collect()
}

/// The least and the most of what is asked for.
fn range(bars: impl Iterator<Item = f64>) -> (f64, f64) {
    bars.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), bar| (bar.min(least), bar.max(most)))
}

/// The arms that nobody need be compared with: with margins, who is out may beat another that is in.
fn excluded<'a>(problem: &Problem, out: &'a [bool]) -> Cow<'a, [bool]> {
    if problem.has_margins() { Cow::Owned(vec![false; out.len()]) } else { Cow::Borrowed(out) }
}

/// From the observations since the lesson, beside what is certified already: the largest set of arms whose proofs reach what a set of its
/// size takes. It is found from above: those that fall short are left out until none does.
fn learned(certified: &Certified, situation: &Situation<'_>, plain: Vec<Certificate>) -> Vec<Certificate> {
    let (problem, front) = (situation.problem, situation.front);
    let arms = problem.arm_count();
    let mut cases = Cases::new(situation, Gauge::new(problem, situation.seasons));
    let standing = |arm: usize| if front.contains(arm) { Standing::In } else { Standing::Out };
    let expected: Vec<bool> = (0..arms).map(|arm| cases.gauge().expects(arm, front.contains(arm))).collect();
    let settled: Vec<bool> =
        (0..arms).map(|arm| plain[arm].certain || cases.gauge().has_settled(arm, front.contains(arm))).collect();
    let surprises = (0..arms).filter(|&arm| !expected[arm]).count();
    let risk = certified.learned_risk();
    let least = (1.0 / risk).ln();

    let mut proved = vec![true; arms];
    let open = |proved: &[bool]| (0..arms).filter(|&arm| expected[arm] && !settled[arm] && !proved[arm]).count();
    let lesson = cases.gauge().lesson().expect("one was taken").clone();
    let bar = |arm: usize, open: usize| {
        if problem.has_margins() {
            certified.even_threshold(problem)
        } else {
            lesson.threshold(risk, !expected[arm], open, surprises)
        }
    };
    // Leaves out whoever falls short, again and again: with each, it takes more.
    let sift = |members: &[usize], all: &[Case], proved: &mut Vec<bool>| {
        loop {
            let open = open(proved);
            let short: Vec<usize> =
                members.iter().copied().filter(|&arm| proved[arm] && !(all[arm].proof >= bar(arm, open))).collect();
            if short.is_empty() {
                break;
            }
            short.iter().for_each(|&arm| proved[arm] = false);
        }
    };
    let (off, on): (Vec<usize>, Vec<usize>) =
        (0..arms).filter(|&arm| !settled[arm]).partition(|&arm| !front.contains(arm));
    let mut all = vec![Case::NONE; arms];
    for &arm in &off {
        all[arm] = cases.for_out(arm, least);
    }
    // What all observations have certified may be relied on: that is wrong at a risk of its own.
    let out: Vec<bool> = (0..arms).map(|arm| !front.contains(arm) && settled[arm]).collect();
    let excluded = excluded(problem, &out);
    for &arm in &on {
        all[arm] = cases.for_in(arm, &excluded, least);
    }
    let unsettled: Vec<usize> = off.into_iter().chain(on).collect();
    sift(&unsettled, &all, &mut proved);
    let open = open(&proved);
    let mut certificates = plain;
    for arm in 0..arms {
        if certificates[arm].certain {
            continue;
        }
        // Beside itself, if it is one of those that are open.
        let is_open = expected[arm] && !settled[arm] && !proved[arm];
        let threshold = bar(arm, open - usize::from(is_open));
        let certain = proved[arm] || settled[arm];
        if !settled[arm] {
            certificates[arm] = all[arm].certificate(situation, arm, standing(arm), certain, threshold);
        } else {
            // What was certified once stays certified: the evidence was there.
            let certificate = &mut certificates[arm];
            certificate.evidence = certificate.evidence.max(certificate.threshold);
            certificate.certain = true;
        }
    }
    certificates
}
