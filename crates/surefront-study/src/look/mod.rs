//! What the observations look like: whether they are what an answer takes them for.
//!
//! It is told every observation, arm by arm, in the order in which they count, and keeps a few numbers of each arm and objective, however many
//! there are. Each kind of thing that can be seen has a test of its own; `budget` holds the chance of a false alarm.
//!
//! An arm's observations are looked at when there are so and so many of them (`pace`), or in a way that holds at any number. In either case it does
//! not matter who decided, and by what, which arm was measured next: how many observations an arm has is not used as if it were chosen beforehand.

mod arm;
mod budget;
mod cell;
mod copies;
mod counts;
mod dependence;
mod drift;
mod levels;
mod moments;
mod outliers;
mod pace;
mod repeats;
mod seen;
mod skew;
mod tails;
#[cfg(test)]
mod tests;
mod variance;

use surefront::{Noise, Objective, Problem, Tally};

use self::arm::ArmLook;
pub use self::budget::FALSE_ALARM;
pub use self::seen::{Level, Seen, Side, Sight};
use self::skew::Signs;

/// The noise of an objective that something can be seen of: outliers and skew say nothing against a quantile.
pub fn looked_for(objective: &Objective) -> Noise {
    if objective.statistic.is_mean() { objective.noise } else { Noise::Any }
}

/// All that was seen of the observations of a study.
#[derive(Clone, Debug, Default)]
pub struct Look {
    arms: Vec<ArmLook>,
    /// What objectives were taken for by what they look like.
    taken: Vec<(usize, Seen)>,
    stirred: bool,
}

impl Look {
    /// Of the arms of a problem, before any observation.
    pub fn new(problem: &Problem) -> Self {
        let mut look = Look::default();
        for arm in 0..problem.arm_count() {
            let noise = |objective: usize| match problem.quantile(objective) {
                None => problem.noise(arm, objective),
                Some(_) => Noise::Any,
            };
            look.meet((0..problem.objective_count()).map(noise));
        }
        look
    }

    /// One more arm, with the noise that is said to be in each objective.
    pub fn meet(&mut self, noise: impl IntoIterator<Item = Noise>) {
        self.arms.push(ArmLook::new(noise));
    }

    /// Takes in an observation of an arm that was met, in the objectives' own units.
    #[inline]
    pub fn add(&mut self, arm: usize, values: &[f64]) {
        self.stirred |= self.arms[arm].add(values);
    }

    /// From now on an objective is a success rate, since that is what it looks like: so many of its observations were successes.
    pub fn take_for_successes(&mut self, objective: usize, ones: u64, observations: u64) {
        self.arms.iter_mut().for_each(|arm| arm.forget(objective));
        self.taken.push((objective, Seen::Successes { ones, observations }));
    }

    /// Whether there may be something new to see since this was asked last.
    pub fn stirs(&mut self) -> bool {
        std::mem::take(&mut self.stirred)
    }

    /// Everything there is to see: of an objective in all arms, then arm by arm. `tally` has the same observations, of the same arms and objectives.
    pub fn sights(&self, problem: &Problem, tally: &Tally) -> Vec<Sight> {
        let objectives = problem.objective_count();
        let alarm = budget::alarm(self.arms.len(), objectives);
        let taken = self.taken.iter().cloned();
        let mut sights: Vec<Sight> =
            taken.map(|(objective, seen)| Sight { arm: None, objective, seen, strength: f64::NEG_INFINITY }).collect();
        for objective in 0..objectives {
            let coarse = |(arm, look): (usize, &ArmLook)| {
                look.cell(objective).and_then(|cell| levels::levels(problem, tally, arm, objective, cell, look.n()))
            };
            let coarse: Vec<Option<Seen>> = self.arms.iter().enumerate().map(coarse).collect();
            let fine = self.arms.iter().zip(&coarse).filter(|(_, coarse)| coarse.is_none());
            let signs = fine.filter_map(|(look, _)| look.cell(objective).map(|cell| (cell.signs(), look.n())));
            let together = Signs::together(signs).filter(|(strength, _)| *strength <= alarm);
            sights.extend(together.map(|(strength, seen)| Sight { arm: None, objective, seen, strength }));
            if problem.objectives()[objective].noise.is_unknown() {
                let values = self.arms.iter().filter_map(|look| Some(look.cell(objective)?.values(look.n())));
                let seen = counts::counts(values);
                sights.extend(seen.map(|seen| Sight { arm: None, objective, seen, strength: f64::NEG_INFINITY }));
            }
            for (arm, (look, coarse)) in self.arms.iter().zip(coarse).enumerate() {
                let Some(cell) = look.cell(objective) else { continue };
                let found = cell.sights(alarm, coarse);
                sights.extend(found.map(|(strength, seen)| Sight { arm: Some(arm), objective, seen, strength }));
            }
        }
        sights
    }
}
