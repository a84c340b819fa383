//! The doubts about all arms, kept up to date: the ring between tally and a calibrated stop.
//!
//! An observation of an arm changes only the doubts it is part of: its own, of an arm of the front those that it comes closest to dominating or now comes
//! closer to than the rival did, and of an arm off the front those that it dominates or did. The others are as they were to the last bit,
//! and so the answer depends on the observations alone: a study that is taken up again decides as one that never was interrupted.

use crate::front::{Front, covers};
use crate::question::Question;
use crate::stopping::{Calibrated, Doubt, Part, Progress, ready};
use crate::tally::Tally;

/// If more arms than this have changed, all doubts are looked at anew.
const FEW: usize = 8;

/// The doubts of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Doubts {
    calibrated: Calibrated,
    /// By arm: its doubt, and how it counts; `None` if it has to be looked at anew.
    known: Vec<Option<(Doubt, Part)>>,
    /// The front and, arm by arm, the means that those are about.
    front: Front,
    means: Vec<f64>,
    /// The arms that were observed since.
    observed: Vec<usize>,
}

impl Doubts {
    pub fn new(calibrated: Calibrated) -> Self {
        Doubts { calibrated, known: Vec::new(), front: Front::default(), means: Vec::new(), observed: Vec::new() }
    }

    /// Follows an observation of `arm`.
    pub fn follow(&mut self, arm: usize) {
        if self.observed.len() > FEW {
            self.reconsider();
        } else if !self.observed.contains(&arm) {
            self.observed.push(arm);
        }
    }

    /// Looks at all doubts anew, when next asked: when every variance has changed.
    pub fn reconsider(&mut self) {
        self.known.clear();
    }

    /// How far the doubts are from being small enough. Arms are looked at only as long as those before them leave little doubt: the suspect, those
    /// that are measured often, for they are in doubt, and the rest.
    pub fn progress(&mut self, question: &Question<'_>, tally: &Tally, suspect: Option<usize>) -> Progress {
        let (arms, samples) = (question.problem().arm_count(), tally.total() as f64);
        if !ready(question.problem(), tally) {
            return Progress::new(0.0, self.calibrated.threshold(samples));
        }
        self.catch_up(question);
        let usual = samples / arms as f64;
        let others = || (0..arms).filter(|&arm| Some(arm) != suspect);
        let often = |arm: &usize| tally.counts()[*arm] >= usual;
        let mut doubts = Part::NONE;
        for arm in suspect.into_iter().chain(others().filter(often)).chain(others().filter(|arm| !often(arm))) {
            doubts = doubts.and(self.part(question, arm));
            if !doubts.is_small() {
                break;
            }
        }
        self.calibrated.progress_with(doubts, samples)
    }

    fn part(&mut self, question: &Question<'_>, arm: usize) -> Part {
        let look = || {
            let doubt = Doubt::about(question, arm);
            (doubt, self.calibrated.part(doubt))
        };
        self.known[arm].get_or_insert_with(look).1
    }

    /// Forgets the doubts that may have changed since the last time, and brings up to date those of which it is known how.
    fn catch_up(&mut self, question: &Question<'_>) {
        let (arms, d) = (question.problem().arm_count(), question.problem().objective_count());
        // With margins, every arm may come closest to beating one of the front; with limits, whether one keeps them matters to all that it dominates.
        if question.problem().has_margins() || question.problem().has_limits() {
            self.reconsider();
        }
        if self.known.is_empty() {
            self.known.resize(arms, None);
            self.means.clear();
            (0..arms).for_each(|arm| self.means.extend_from_slice(question.side(arm).mean));
            self.front.clone_from(question.front());
            self.observed.clear();
            return;
        }
        let mut changed = std::mem::take(&mut self.observed);
        let moved = changed.len();
        let switched = (0..arms).filter(|&arm| self.front.contains(arm) != question.front().contains(arm));
        changed.extend(switched.filter(|arm| !changed[..moved].contains(arm)).collect::<Vec<_>>());
        if changed.len() > FEW {
            self.reconsider();
            return self.catch_up(question);
        }
        changed.iter().for_each(|&arm| self.known[arm] = None);
        for arm in 0..arms {
            for &other in &changed {
                let Some((doubt, _)) = self.known[arm] else { break };
                let now = self.after(question, doubt, arm, other);
                if now != Some(doubt) {
                    self.known[arm] = now.map(|doubt| (doubt, self.calibrated.part(doubt)));
                }
            }
        }
        for arm in &changed[..moved] {
            self.means[arm * d..][..d].copy_from_slice(question.side(*arm).mean);
        }
        if self.front != *question.front() {
            self.front.clone_from(question.front());
        }
        changed.clear();
        self.observed = changed;
    }

    /// The doubt about `arm`, which has not changed itself, after another arm has; `None` if that has to be looked at.
    fn after(&self, question: &Question<'_>, doubt: Doubt, arm: usize, other: usize) -> Option<Doubt> {
        let is_on_front = question.front().contains(other);
        if question.front().contains(arm) {
            return match doubt.rival {
                Some(rival) if rival == other => None,
                _ if is_on_front => Some(doubt.or_against(question, arm, other)),
                _ => Some(doubt),
            };
        }
        let (mean, d) = (question.side(arm).mean, question.problem().objective_count());
        let covered = self.front.contains(other) && covers(&self.means[other * d..][..d], mean);
        let is_covered = is_on_front && covers(question.side(other).mean, mean);
        (!covered && !is_covered).then_some(doubt)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Kept up to date or looked at anew, asked each time or now and then: the same to the last bit.
        #[test]
        fn what_is_kept_is_what_there_is(
            d in 1usize..4,
            start in prop::collection::vec(prop::collection::vec(-2.0..2.0f64, 3), 2..10),
            steps in prop::collection::vec((0usize..10, prop::collection::vec(-2.0..2.0f64, 3), 0usize..20), 1..120),
            coarse in prop::bool::ANY,
        ) {
            let problem = crate::testing::unit_problem(start.len(), d);
            // Rounded values make ties.
            let values = |row: &[f64]| -> Vec<f64> {
                row[..d].iter().map(|value| if coarse { value.round() } else { *value }).collect()
            };
            let mut tally = Tally::new(&problem);
            // Small steps: the tally begins with weight.
            for (arm, row) in start.iter().enumerate() {
                (0..30).for_each(|_| tally.add(&problem, arm, &values(row)).unwrap());
            }
            let calibrated = Calibrated::new(0.1).unwrap();
            let mut kept = Doubts::new(calibrated);
            for (arm, row, pause) in &steps {
                let arm = arm % start.len();
                tally.add(&problem, arm, &values(row)).unwrap();
                kept.follow(arm);
                if *pause == 0 {
                    continue;
                }
                let front = Front::of(tally.means());
                let question = Question::unchecked(&problem, tally.means(), &front, tally.counts());
                let suspect = (pause % 2 == 0).then_some(arm);
                let anew = Doubts::new(calibrated).progress(&question, &tally, suspect);
                prop_assert_eq!(kept.progress(&question, &tally, suspect), anew);
                for (arm, known) in kept.known.iter().enumerate() {
                    if let Some((doubt, part)) = known {
                        prop_assert_eq!(*doubt, Doubt::about(&question, arm));
                        prop_assert_eq!(*part, calibrated.part(*doubt));
                    }
                }
            }
        }
    }
}
