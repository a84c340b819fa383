//! The doubts about all arms, kept up to date: the ring between tally and a calibrated stop.
//!
//! An observation of an arm changes only the doubts it is part of: its own, of an arm of the front those that it comes closest to dominating or now comes
//! closer to than the rival did, and of an arm off the front those that it dominates, or did, or is or was near to. The others are as they were to the last bit,
//! and so the answer depends on the observations alone: a study that is taken up again decides as one that never was interrupted.

mod turn;

use self::turn::{Entry, whose_turn};
use crate::front::Front;
use crate::question::Question;
use crate::side::Side;
use crate::stopping::{Calibrated, Doubt, Part, Progress, ready};
use crate::tally::Tally;

/// If more arms than this have changed, all doubts are looked at anew.
const FEW: usize = 8;

/// The doubts of a tally in which every arm has been observed.
#[derive(Clone, Debug)]
pub(crate) struct Doubts {
    calibrated: Calibrated,
    /// By arm: its doubt, and how it counts; `None` if it has to be looked at anew.
    known: Vec<Option<Known>>,
    /// Whether a rule serves them: then none is left out.
    are_served: bool,
    /// The front and, arm by arm, the means and counts that those are about.
    front: Front,
    means: Vec<f64>,
    counts: Vec<f64>,
    /// The arms that were observed since.
    observed: Vec<usize>,
}

/// A doubt, and how it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    doubt: Doubt,
    part: Part,
}

/// The doubt that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    pub arm: usize,
    pub rival: usize,
    pub objective: usize,
}

impl Doubts {
    pub fn new(calibrated: Calibrated, are_served: bool) -> Self {
        Doubts {
            calibrated,
            known: Vec::new(),
            are_served,
            front: Front::default(),
            means: Vec::new(),
            counts: Vec::new(),
            observed: Vec::new(),
        }
    }

    /// Whether a rule serves them.
    pub fn are_served(&self) -> bool {
        self.are_served
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

    /// How far the doubts are from being small enough. Unless a rule serves them, arms are looked at only as long as those before them leave little
    /// doubt: the suspect, those that are measured often, for they are in doubt, and the rest.
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
            if !doubts.is_small() && !self.are_served {
                break;
            }
        }
        self.calibrated.progress_with(doubts, samples)
    }

    fn part(&mut self, question: &Question<'_>, arm: usize) -> Part {
        let look = || counted(&self.calibrated, Doubt::about(question, arm));
        self.known[arm].get_or_insert_with(look).part
    }

    /// The largest of them, as last looked at, if another arm is part of one.
    pub fn largest(&self) -> Option<Served> {
        let between = |(arm, known): (usize, &Option<Known>)| {
            let Known { doubt: Doubt { rival, objective, .. }, part } = (*known)?;
            Some((part.alone(), Served { arm, rival: rival?, objective }))
        };
        let all = self.known.iter().enumerate().filter_map(between);
        all.reduce(|known, other| if other.0 > known.0 { other } else { known }).map(|(_, served)| served)
    }

    /// The doubt whose turn it is, as last looked at; `None` if there is none. By arm, `pending` observations are under way.
    pub fn served(&self, tally: &Tally, pending: impl Fn(usize) -> f64) -> Option<Served> {
        self.turn(tally.counts(), pending, |arm| self.known.get(arm).copied().flatten())
    }

    /// The same in another model of the same observations.
    pub fn served_in(&self, question: &Question<'_>, pending: impl Fn(usize) -> f64) -> Option<Served> {
        let look = |arm: usize| Some(counted(&self.calibrated, Doubt::about(question, arm)));
        let known: Vec<Option<Known>> = (0..question.problem().arm_count()).map(look).collect();
        self.turn(question.weights(), pending, |arm| known[arm])
    }

    fn turn(
        &self,
        counts: &[f64],
        pending: impl Fn(usize) -> f64,
        known: impl Fn(usize) -> Option<Known>,
    ) -> Option<Served> {
        let entry = |arm: usize| {
            let Known { doubt, part } = known(arm)?;
            Some(Entry { arm, rival: doubt.rival?, size: part.alone(), way: part.way() })
        };
        let arm = whose_turn((0..counts.len()).filter_map(entry), counts, pending)?;
        let Doubt { rival, objective, .. } = known(arm)?.doubt;
        Some(Served { arm, rival: rival?, objective })
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
            self.counts.clear();
            self.counts.extend_from_slice(question.weights());
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
                let Some(Known { doubt, .. }) = self.known[arm] else { break };
                let now = self.after(question, doubt, arm, other);
                if now != Some(doubt) {
                    self.known[arm] = now.map(|doubt| counted(&self.calibrated, doubt));
                }
            }
        }
        for arm in &changed[..moved] {
            self.means[arm * d..][..d].copy_from_slice(question.side(*arm).mean);
            self.counts[*arm] = question.weights()[*arm];
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
                // If it is larger than it was, it is larger than those about others still.
                Some(rival) if rival == other => {
                    Some(Doubt::against(question, arm, other)).filter(|now| is_on_front && now.ln >= doubt.ln)
                }
                _ if is_on_front => Some(doubt.or_against(question, arm, other)),
                _ => Some(doubt),
            };
        }
        let d = question.problem().objective_count();
        let before = Side { mean: &self.means[other * d..][..d], weight: self.counts[other], ..question.side(other) };
        let counted = self.front.contains(other) && doubt.counts(question, arm, before);
        let counts = is_on_front && doubt.counts(question, arm, question.side(other));
        (!counted && !counts).then_some(doubt)
    }
}

fn counted(calibrated: &Calibrated, doubt: Doubt) -> Known {
    Known { doubt, part: calibrated.part(doubt) }
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
            let [mut kept, mut all] = [false, true].map(|are_served| Doubts::new(calibrated, are_served));
            for (arm, row, pause) in &steps {
                let arm = arm % start.len();
                tally.add(&problem, arm, &values(row)).unwrap();
                kept.follow(arm);
                all.follow(arm);
                if *pause == 0 {
                    continue;
                }
                let front = Front::of(tally.means());
                let question = Question::unchecked(&problem, tally.means(), &front, tally.counts());
                let suspect = (pause % 2 == 0).then_some(arm);
                let anew = Doubts::new(calibrated, false).progress(&question, &tally, suspect);
                prop_assert_eq!(kept.progress(&question, &tally, suspect), anew);
                for (arm, known) in kept.known.iter().enumerate() {
                    if let Some(Known { doubt, part }) = known {
                        prop_assert_eq!(*doubt, Doubt::about(&question, arm));
                        prop_assert_eq!(*part, calibrated.part(*doubt));
                    }
                }
                // Where they are served, all of them are looked at, and the stop is the same.
                prop_assert_eq!(all.progress(&question, &tally, None).suffices(), anew.suffices());
                prop_assert!((0..start.len()).all(|arm| all.known[arm].map(|known| known.doubt) == Some(Doubt::about(&question, arm))));
                prop_assert_eq!(all.served(&tally, |_| 0.0), all.served_in(&question, |_| 0.0));
            }
        }
    }
}
