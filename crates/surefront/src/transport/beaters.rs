//! Who comes nearest to beating an arm of the front by more than the margins.
//!
//! Anybody may, also one that is off the front: there are p (K − 1) *remove* pieces. Each is a closed set that restricts two arms, so its distance falls by no more than the drift when one of
//! the two is observed ([`Measure::drift`]), and not at all when another one is, whatever becomes of the front. For each arm of the front the removal that was the cheapest when it was last looked at is
//! kept exactly, and the others sleep behind a bound until that is within reach of the best of all.

use super::crossings::Crossings;
use super::measure::{FORESIGHT, Measure};
use super::{Piece, better, remove};
use crate::law::Laws;
use crate::question::Question;

/// By arm of the front: everybody else.
#[derive(Clone, Debug)]
pub(crate) struct Beaters {
    measure: Measure,
    /// The front arms, in no particular order: each has a row.
    arms: Vec<usize>,
    /// By arm: its place in `arms`.
    place: Vec<usize>,
    /// By row, and in it by arm: a lower bound on the distance of the removal through it; of no meaning for the arm itself and the one that is kept.
    bounds: Vec<f64>,
    /// By row: no more than the least of its bounds.
    least: Vec<f64>,
    /// By row: the removal that is kept, its cost and the arm through which it is.
    kept: Vec<(f64, usize)>,
}

impl Beaters {
    /// Nobody is on the front.
    pub fn new(arm_count: usize, measure: Measure) -> Self {
        let (arms, place) = (Vec::new(), vec![usize::MAX; arm_count]);
        Beaters { measure, arms, place, bounds: Vec::new(), least: Vec::new(), kept: Vec::new() }
    }

    /// Takes in an arm that joined the front. Nothing is known of it yet.
    pub fn join(&mut self, arm: usize) {
        self.place[arm] = self.arms.len();
        self.arms.push(arm);
        self.bounds.resize(self.arms.len() * self.place.len(), 0.0);
        self.least.push(0.0);
        self.kept.push((f64::INFINITY, usize::MAX));
    }

    /// Lets go of an arm that left the front.
    pub fn leave(&mut self, arm: usize) {
        let (row, last, stride) = (self.place[arm], self.arms.len() - 1, self.place.len());
        self.place[arm] = usize::MAX;
        self.arms.swap_remove(row);
        self.least.swap_remove(row);
        self.kept.swap_remove(row);
        if row < last {
            self.place[self.arms[row]] = row;
            self.bounds.copy_within(last * stride.., row * stride);
        }
        self.bounds.truncate(last * stride);
    }

    /// Follows an observation of `arm`, by which the distances of pieces that involve it may have fallen by the drift.
    pub fn follow(&mut self, laws: impl Laws, question: &Question<'_>, crossings: &Crossings, arm: usize, drift: f64) {
        let (roster, stride) = (question.roster(), self.place.len());
        let lowered = |bound: f64| if drift < f64::MAX { bound - drift } else { f64::NEG_INFINITY };
        for (row, &of) in self.arms.iter().enumerate() {
            let (cost, through) = &mut self.kept[row];
            let bounds = &mut self.bounds[row * stride..(row + 1) * stride];
            let least = &mut self.least[row];
            if of == arm {
                bounds.iter_mut().for_each(|bound| *bound = lowered(*bound));
                *least = lowered(*least);
            } else if *through != arm {
                bounds[arm] = lowered(bounds[arm]);
                *least = least.min(bounds[arm]);
            }
            if *through != usize::MAX && (of == arm || *through == arm) {
                let (one, two) = (roster.raised(of), roster.side(*through));
                *cost = remove::removal_cost_by(laws, one, two, crossings.entrance(*through));
            }
        }
    }

    /// The cheapest removal, the first among equals; if all cost more than `below`, it may be another one of these.
    pub fn least(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        crossings: &Crossings,
        below: f64,
    ) -> Option<(f64, Piece)> {
        let mut below = self.kept.iter().fold(below, |below, kept| below.min(kept.0));
        let mut reach = self.measure.reach(below);
        for row in 0..self.arms.len() {
            if self.least[row] <= reach {
                below = below.min(self.look(laws, question, crossings, row, below));
                reach = self.measure.reach(below);
            }
        }
        let mut best = None;
        for (&arm, &(cost, through)) in self.arms.iter().zip(&self.kept) {
            let offer = (cost, Piece::Remove { arm, through });
            if cost < f64::INFINITY && better(offer, best) {
                best = Some(offer);
            }
        }
        best
    }

    /// Looks at the removals of a row that may cost as little as `below`; what the one costs that is kept then.
    fn look(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        crossings: &Crossings,
        row: usize,
        mut below: f64,
    ) -> f64 {
        let (roster, stride, measure) = (question.roster(), self.place.len(), self.measure);
        let one = roster.raised(self.arms[row]);
        let bounds = &mut self.bounds[row * stride..(row + 1) * stride];
        let kept = &mut self.kept[row];
        let (mut least, mut reach) = (f64::INFINITY, measure.reach(below));
        for through in (0..stride).filter(|&through| through != self.arms[row]) {
            if through == kept.1 {
                continue;
            }
            if bounds[through] <= reach {
                let (two, entrance) = (roster.side(through), crossings.entrance(through));
                let found = remove::removal_within(laws, one, two, entrance, FORESIGHT * below);
                bounds[through] = measure.kept(found.unwrap_or_else(|bound| bound));
                if let Ok(cost) = found
                    && (cost, through) < *kept
                {
                    let (before, earlier) = std::mem::replace(kept, (cost, through));
                    // It sleeps with the others from now on.
                    if earlier != usize::MAX {
                        bounds[earlier] = measure.kept(before);
                        least = least.min(bounds[earlier]);
                    }
                    below = below.min(cost);
                    reach = measure.reach(below);
                    continue;
                }
            }
            least = least.min(bounds[through]);
        }
        self.least[row] = least;
        kept.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front::Front;
    use crate::law::Gaussian;
    use crate::margin::Margin;
    use crate::problem::{Objective, Problem};
    use crate::tally::Tally;
    use crate::testing::unit_problem;
    use crate::transport::removal_cost;

    /// The cheapest removal, by going through all of them.
    fn slowly(question: &Question<'_>) -> Option<(f64, Piece)> {
        let mut best = None;
        for &arm in question.front().members() {
            for through in question.coverers(arm) {
                let offer = (removal_cost(question, arm, through), Piece::Remove { arm, through });
                if offer.0 < f64::INFINITY && better(offer, best) {
                    best = Some(offer);
                }
            }
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Small numbers make ties, duplicates and changes of the front common; a bound from elsewhere lets more sleep.
        #[test]
        fn the_cheapest_is_found_after_every_observation(
            d in 1usize..=4, k in 1usize..12, margin in 1u8..4, coarse: bool, cap in prop_oneof![Just(f64::INFINITY), Just(0.5), Just(0.0)],
            observations in prop::collection::vec((0usize..12, prop::collection::vec(-3.0..3.0f64, 4)), 20..150),
        ) {
            let plain = unit_problem(k, d);
            let objective = |objective: &Objective| objective.clone().with_margin(Margin::Absolute(f64::from(margin) / 2.0));
            let problem = Problem::new(plain.objectives().iter().map(objective).collect(), plain.arms().to_vec()).unwrap();
            let row = |values: &[f64]| -> Vec<f64> {
                values[..d].iter().map(|&value| if coarse { value.round() } else { value }).collect()
            };
            let mut tally = Tally::new(&problem);
            for arm in 0..k {
                tally.add(&problem, arm, &row(&observations[arm % observations.len()].1)).unwrap();
            }
            let (measure, crossings) = (Measure::of(&problem), Crossings::default());
            let mut beaters = Beaters::new(k, measure);
            let mut front = Front::of(tally.means());
            front.members().iter().for_each(|&arm| beaters.join(arm));
            for (arm, values) in observations {
                let (arm, before) = (arm % k, tally.means().clone());
                tally.add(&problem, arm, &row(&values)).unwrap();
                let drift = measure.drift(Gaussian, &problem, &before, &tally, arm);
                let now = Front::of(tally.means());
                for arm in 0..k {
                    match (front.contains(arm), now.contains(arm)) {
                        (true, false) => beaters.leave(arm),
                        (false, true) => beaters.join(arm),
                        _ => {}
                    }
                }
                front = now;
                let question = Question::unchecked(&problem, tally.means(), &front, tally.counts());
                beaters.follow(Gaussian, &question, &crossings, arm, drift);
                let (fast, slow) = (beaters.least(Gaussian, &question, &crossings, cap), slowly(&question));
                match slow {
                    Some((cost, _)) if cost > cap => prop_assert!(fast.is_none_or(|fast| fast.0 >= cost)),
                    _ => prop_assert_eq!(fast, slow),
                }
            }
        }
    }
}
