//! The best answer for a budget, and how likely arms are to be on the front, by models drawn from what the observations leave possible. No guarantee: a posterior.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::Study;
use super::ring::Ring;
use crate::front::{Front, is_right};
use crate::rule::Draw;
use crate::shrinkage::Shrinkage;

/// What drawn models say of the front. Nobody promises that it is so: these are shares of models, drawn as if the means of arms were like each other: normal, with the centre and the
/// variance that all arms together show.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chances {
    /// How many models were drawn.
    pub draws: u64,
    /// By arm: the share of models in which it is on the front; 0 for an arm that takes no part.
    pub on_front: Vec<f64>,
    /// The share of models of which the arms named are the front; with margins, in which to name them is right.
    pub front: f64,
}

impl Ring {
    fn best_guess(&self) -> Vec<usize> {
        if self.stopped.is_some() || self.tally().counts().contains(&0.0) {
            return self.front();
        }
        Front::of(&Shrinkage::new(&self.problem, self.tally()).means()).members().to_vec()
    }

    /// `named`: in ascending order.
    fn chances(&self, named: &[usize], draws: u64) -> Option<Chances> {
        let tally = self.tally();
        if draws == 0 || tally.counts().iter().any(|&count| count < self.first_looks() as f64) {
            return None;
        }
        // Numbers of its own: what is asked for does not change what is measured next.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed);
        let mut draw = Draw::default();
        let shrinkage = Shrinkage::new(&self.problem, tally);
        let (mut on_front, mut right) = (vec![0u64; self.problem.arm_count()], 0u64);
        for _ in 0..draws {
            let (model, front) = draw.drawn_together(&self.problem, tally, &shrinkage, &mut rng);
            front.members().iter().for_each(|&arm| on_front[arm] += 1);
            let is_same = if model.has_margins() { is_right(model, named) } else { front.members() == named };
            right += u64::from(is_same);
        }
        let share = |count: u64| count as f64 / draws as f64;
        Some(Chances { draws, on_front: on_front.into_iter().map(share).collect(), front: share(right) })
    }
}

impl Study {
    /// The arms to name if nothing more can be measured: those of the answer, or else the front of the means after each was drawn towards that of all arms, the more the fewer observations it has. It is
    /// right more often than the front of the means where noise is large and counts differ, and no guarantee. Empty as long as some arm has not been measured.
    pub fn best_guess(&self) -> Vec<usize> {
        self.outside_all(self.ring.best_guess())
    }

    /// How likely each arm is to be on the front, and the arms `named` to be the front, by so many drawn models; `None` as long as some arm has not been measured as often as it takes. The
    /// same observations give the same shares. An arm named that takes no part makes that front impossible.
    ///
    /// ```
    /// # use surefront::{Arm, Goal, Noise, Objective, Problem, RuleKind, Settings, StoppingKind, Study};
    /// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
    /// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")])?;
    /// # let settings = Settings::new(RuleKind::Dual.rule(&problem, 0.1)?, StoppingKind::Certified.stopping(0.1)?);
    /// let mut study = Study::new(problem, settings)?;
    /// assert!(study.chances(&[], 1000).is_none());
    /// study.tell(0, &[0.0])?;
    /// study.tell(1, &[1.0])?;
    /// // One standard error of √2 apart: P(Z < 1/√2) = 0.76.
    /// let chances = study.chances(&study.best_guess(), 10_000).ok_or("both arms are measured")?;
    /// assert!((chances.front - 0.76).abs() < 0.03);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chances(&self, named: &[usize], draws: u64) -> Option<Chances> {
        let Some(whole) = &self.whole else { return self.ring.chances(&ascending(named.to_vec()), draws) };
        let places: Option<Vec<usize>> = named.iter().map(|&arm| whole.places.get(arm).copied().flatten()).collect();
        let chances = self.ring.chances(&ascending(places.clone().unwrap_or_default()), draws)?;
        let place = |place: &Option<usize>| place.map_or(0.0, |place| chances.on_front[place]);
        let front = if places.is_some() { chances.front } else { 0.0 };
        Some(Chances { on_front: whole.places.iter().map(place).collect(), front, ..chances })
    }
}

fn ascending(mut arms: Vec<usize>) -> Vec<usize> {
    arms.sort_unstable();
    arms
}
