//! Arms that take part, and arms that are left out.

use super::study_error::StudyError;
use super::{Study, unknown};

impl Study {
    /// From now on `arm` takes no part: the front is that of the others, and so is the promise. Its observations are kept. The rule begins
    /// afresh, and so does the stop.
    ///
    /// ```
    /// # use surefront::{Arm, Goal, Noise, Objective, Problem, RuleKind, Settings, StoppingKind, Study};
    /// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
    /// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b"), Arm::named("c")])?;
    /// # let settings = Settings::new(RuleKind::Uniform.rule(&problem, 0.1)?, StoppingKind::Certified.stopping(0.1)?);
    /// let mut study = Study::new(problem, settings)?;
    /// study.leave_out(1)?;
    /// assert_eq!(study.ask_batch(4), [0, 2, 0, 2]);
    /// study.take_in(1)?;
    /// assert_eq!(study.ask_batch(2), [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such arm, or it is the last one that takes part.
    pub fn leave_out(&mut self, arm: usize) -> Result<(), StudyError> {
        if self.place(arm)?.is_some() {
            let mut left_out = self.left_out();
            left_out.push(arm);
            self.rebuild(&left_out)?;
        }
        Ok(())
    }

    /// From now on `arm` takes part again. The rule begins afresh, and so does the stop.
    ///
    /// # Errors
    /// When there is no such arm.
    pub fn take_in(&mut self, arm: usize) -> Result<(), StudyError> {
        if self.place(arm)?.is_none() {
            let mut left_out = self.left_out();
            left_out.retain(|&other| other != arm);
            self.rebuild(&left_out)?;
        }
        Ok(())
    }

    /// The arms that take no part, ascending.
    pub fn left_out(&self) -> Vec<usize> {
        let places = self.whole.as_ref().map_or(&[][..], |whole| &whole.places);
        places.iter().enumerate().filter(|(_, place)| place.is_none()).map(|(arm, _)| arm).collect()
    }

    /// The same observations and random numbers, without these arms.
    fn rebuild(&mut self, left_out: &[usize]) -> Result<(), StudyError> {
        let (problem, record) = (self.problem().clone(), self.record().clone());
        let mut settings = self.settings().clone();
        let all: Vec<usize> = (0..problem.arm_count()).collect();
        settings.rule = settings.rule.afresh(&all, &problem, settings.stopping.delta());
        let asked = self.whole.as_ref().map_or(&self.ring.asked, |whole| &whole.asked).clone();
        *self = Study::assemble(problem, settings, record, asked, self.ring.rng.clone(), left_out)?;
        self.ring.stop_if_sure();
        Ok(())
    }

    /// The place of `arm` in the ring, if it takes part.
    pub(super) fn place(&self, arm: usize) -> Result<Option<usize>, StudyError> {
        match &self.whole {
            _ if arm >= self.problem().arm_count() => Err(unknown(self.problem(), arm)),
            None => Ok(Some(arm)),
            Some(whole) => Ok(whole.places[arm]),
        }
    }

    pub(super) fn arms_taking_part(&self) -> usize {
        self.ring.problem.arm_count()
    }

    /// The arms at these places in the ring.
    pub(super) fn outside_all(&self, places: Vec<usize>) -> Vec<usize> {
        match &self.whole {
            None => places,
            Some(whole) => places.into_iter().map(|place| whole.arms[place]).collect(),
        }
    }
}
