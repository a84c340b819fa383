//! All arms of a study of which some take no part: what is known of them, and who is who.

use super::Settings;
use crate::observation::ObservationError;
use crate::problem::Problem;
use crate::record::{Record, Told};

/// A study's arms, their observations and what was asked for, with the arms that are left out. The ring knows only the others.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub problem: Problem,
    /// With the rule as it is for all arms.
    pub settings: Settings,
    pub record: Record,
    pub asked: Vec<u64>,
    /// The arms that take part, by their place in the ring.
    pub arms: Vec<usize>,
    /// By arm: its place in the ring, if it takes part.
    pub places: Vec<Option<usize>>,
}

impl Whole {
    pub fn new(problem: Problem, settings: Settings, record: Record, asked: Vec<u64>, arms: Vec<usize>) -> Self {
        let mut places = vec![None; problem.arm_count()];
        for (place, &arm) in arms.iter().enumerate() {
            places[arm] = Some(place);
        }
        Whole { problem, settings, record, asked, arms, places }
    }

    /// The problem of the arms that take part, their observations, and what was asked for of them.
    pub fn part(&self) -> (Problem, Record, Vec<u64>) {
        let asked = self.arms.iter().map(|&arm| self.asked[arm]).collect();
        (self.problem.of_arms(&self.arms), self.record.of_arms(&self.arms), asked)
    }

    pub fn tell(&mut self, arm: usize, values: &[f64]) -> Result<Told, ObservationError> {
        let told = self.record.tell(&self.problem, arm, values)?;
        self.asked[arm] = self.asked[arm].saturating_sub(1);
        Ok(told)
    }

    /// Takes over the variances that were estimated of the arms that take part.
    pub fn follow_estimates(&mut self, part: &Problem) {
        for j in 0..part.objective_count() {
            self.problem.set_coarse_range(j, part.coarse_range(j));
        }
        if part.estimates_correlation() {
            self.problem.set_coupling(part.coupling().cloned());
        }
        for (place, &arm) in self.arms.iter().enumerate() {
            for j in 0..part.objective_count() {
                if part.noise(place, j).is_estimated() {
                    self.problem.estimate(arm, j, part.precision(place)[j].recip());
                }
            }
        }
    }
}
