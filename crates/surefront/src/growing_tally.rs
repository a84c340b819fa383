//! A tally of arms that are met one by one, where nobody has said beforehand which there are.

use crate::observation::ObservationError;
use crate::problem::{Objective, Problem, ProblemError};
use crate::tally::Tally;

/// Observations of arms that become known with their first observation, as in a stream.
///
/// ```
/// use surefront::{Goal, GrowingTally, Noise, Objective};
///
/// let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
/// let mut growing = GrowingTally::new(vec![objective])?;
/// let (a, b) = (growing.meet("a"), growing.meet("b"));
/// growing.add(b, &[2.0])?;
/// growing.add(a, &[1.0])?;
/// growing.add(b, &[4.0])?;
/// let (problem, tally) = growing.finish()?;
/// assert_eq!(problem.arms()[1].name, "b");
/// assert_eq!(tally.means().row(1), [3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrowingTally {
    problem: Problem,
    tally: Tally,
}

impl GrowingTally {
    /// No arms yet.
    ///
    /// # Errors
    /// When the objectives are not those of any problem.
    pub fn new(objectives: Vec<Objective>) -> Result<Self, ProblemError> {
        let problem = Problem::without_arms(objectives)?;
        Ok(GrowingTally { tally: Tally::new(&problem), problem })
    }

    /// A new arm, with the objectives' noise: its index. Names must differ, which [`finish`](GrowingTally::finish) checks.
    pub fn meet(&mut self, name: impl Into<String>) -> usize {
        self.problem.push_arm(name.into());
        self.tally.push_arm();
        self.problem.arm_count() - 1
    }

    /// Takes in one observation of `arm`, in the objectives' own units.
    ///
    /// # Errors
    /// As [`Tally::add`].
    pub fn add(&mut self, arm: usize, values: &[f64]) -> Result<(), ObservationError> {
        self.tally.add(&self.problem, arm, values)
    }

    /// Takes in `count` observations of `arm` at once, by their means and standard deviations.
    ///
    /// # Errors
    /// As [`Tally::add_summary`].
    pub fn add_summary(
        &mut self,
        arm: usize,
        count: u64,
        means: &[f64],
        deviations: &[f64],
    ) -> Result<(), ObservationError> {
        self.tally.add_summary(&self.problem, arm, count, means, deviations)
    }

    /// The arms met, as a problem, and their tally.
    ///
    /// # Errors
    /// When there is no arm, or two have the same name.
    pub fn finish(self) -> Result<(Problem, Tally), ProblemError> {
        let GrowingTally { problem, tally } = self;
        Ok((Problem::new(problem.objectives().to_vec(), problem.into_arms())?, tally))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Goal, Noise};

    fn objectives() -> Vec<Objective> {
        let objective = |name: &str, goal, noise| Objective::new(name, goal, noise);
        vec![objective("x", Goal::Max, Noise::Variance(2.0)), objective("y", Goal::Min, Noise::Exact)]
    }

    #[test]
    fn it_grows_into_the_tally_of_the_problem() {
        let rows = [("b", [1.0, 5.0]), ("a", [2.0, 4.0]), ("b", [3.0, 5.0]), ("c", [0.1, 0.2])];
        let mut growing = GrowingTally::new(objectives()).unwrap();
        for (name, values) in rows {
            let known = growing.problem.arm_named(name);
            let arm = known.unwrap_or_else(|| growing.meet(name));
            growing.add(arm, &values).unwrap();
        }
        let problem = Problem::new(objectives(), ["b", "a", "c"].map(Arm::named).to_vec()).unwrap();
        let mut tally = Tally::new(&problem);
        for (name, values) in rows {
            tally.add(&problem, problem.arm_named(name).unwrap(), &values).unwrap();
        }
        assert_eq!(growing.finish().unwrap(), (problem, tally));
    }

    #[test]
    fn what_no_problem_has_is_refused() {
        assert_eq!(GrowingTally::new(vec![]).unwrap_err(), ProblemError::NoObjectives);
        let mut growing = GrowingTally::new(objectives()).unwrap();
        assert_eq!(growing.clone().finish().unwrap_err(), ProblemError::NoArms);
        let arm = growing.meet("a");
        growing.add(arm, &[1.0, 2.0]).unwrap();
        assert!(matches!(growing.add(arm, &[1.0, 3.0]), Err(ObservationError::NotExact { .. })));
        assert!(matches!(growing.add(arm, &[f64::NAN, 2.0]), Err(ObservationError::BadValue { .. })));
        growing.meet("a");
        assert!(matches!(growing.finish(), Err(ProblemError::DuplicateName { .. })));
    }
}
