//! What a rule knows once a budget is spent.

use std::num::NonZeroU64;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::{Simulation, mixed};
use crate::front::{Front, is_right};
use crate::study::{Settings, Study};

/// The answer of one replication after so many observations, right or wrong: nothing said that it was time to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// How many observations there were.
    pub samples: u64,
    /// Whether the arms named are the front; with margins, whether to name them is right.
    pub right: bool,
    /// How many arms are where they belong, on the front or off it.
    pub placed: usize,
    /// Whether the front of the means would have been right, or what the rule itself comes to: the answer as rules are published.
    pub right_as_published: bool,
}

/// What one replication has settled once a budget is spent, or earlier, if that was enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// How many observations there were.
    pub samples: u64,
    /// Whether the stop said that it was enough.
    pub answered: bool,
    /// Whether the arms named by then are right.
    pub right: bool,
    /// By arm: whether its standing was certain, as the stop has it.
    pub certain: Vec<bool>,
}

impl Simulation {
    /// What the replication of this number has settled after each of these numbers of observations, ascending, by the stop of its settings.
    pub fn settle(&self, index: u64, budgets: &[u64]) -> Vec<Settled> {
        let (mut study, mut noise) = self.begin(index, self.settings.clone());
        let mut settled = |budget: u64| {
            self.measure(&mut study, &mut noise, budget);
            let assessment = study.assessment();
            Settled {
                samples: study.tally().total(),
                answered: assessment.stopped,
                right: is_right(&self.truth, &study.verdict().front),
                certain: assessment.arms.iter().map(|arm| arm.certain).collect(),
            }
        };
        budgets.iter().map(|&budget| settled(budget)).collect()
    }

    fn begin(&self, index: u64, mut settings: Settings) -> (Study, Xoshiro256PlusPlus) {
        // As in `run`, one stream for the rule, one for the noise.
        settings.seed = mixed(self.settings.seed, 2 * index);
        let noise = Xoshiro256PlusPlus::seed_from_u64(mixed(self.settings.seed, 2 * index + 1));
        (Study::new(self.problem.clone(), settings).expect("checked when the simulation was made"), noise)
    }

    /// Goes on until so many observations are made, or the study stops.
    fn measure(&self, study: &mut Study, noise: &mut Xoshiro256PlusPlus, budget: u64) {
        let mut values = vec![0.0; self.problem.objective_count()];
        while study.tally().total() < budget && !study.stopped() {
            let arm = study.ask();
            self.observe(arm, noise, &mut values);
            study.tell(arm, &values).expect("simulated observations are finite");
        }
    }

    /// What the replication of this number would answer after each of these numbers of observations, ascending, whatever the stop says meanwhile: the [best guess](Study::best_guess), or the
    /// answer that the rule comes to by itself. A budget that does not suffice to measure every arm has no answer: nothing is right then, and no arm is placed.
    pub fn spend(&self, index: u64, budgets: &[u64]) -> Vec<Placement> {
        let (mut study, mut noise) = self.begin(index, self.settings.clone().check_every(NonZeroU64::MAX));
        let truth = Front::of(&self.truth);
        let mut placement = |budget: u64| {
            self.measure(&mut study, &mut noise, budget);
            let own = study.conclude().map(|conclusion| conclusion.arms);
            let published = own.clone().unwrap_or_else(|| study.verdict().front);
            let named = own.unwrap_or_else(|| study.best_guess());
            let is_answer = !study.tally().counts().contains(&0.0);
            let well_placed = |arm: &usize| truth.contains(*arm) == named.contains(arm);
            Placement {
                samples: study.tally().total(),
                right: is_answer && is_right(&self.truth, &named),
                placed: if is_answer { (0..self.truth.arm_count()).filter(well_placed).count() } else { 0 },
                right_as_published: is_answer && is_right(&self.truth, &published),
            }
        };
        budgets.iter().map(|&budget| placement(budget)).collect()
    }
}
