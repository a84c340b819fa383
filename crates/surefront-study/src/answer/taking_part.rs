//! The arms that an answer is about, and their observations.

use surefront::Study;

/// The observations of a study, without those of arms that are left out.
pub fn samples(study: &Study) -> u64 {
    let aside: u64 = study.left_out().into_iter().map(|arm| study.tally().count(arm)).sum();
    study.tally().total() - aside
}

/// The arms that the answer is about.
pub(super) fn taking_part(study: &Study) -> impl Iterator<Item = usize> {
    let left_out = study.left_out();
    (0..study.problem().arm_count()).filter(move |arm| left_out.binary_search(arm).is_err())
}
