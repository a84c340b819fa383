//! A full set of means, one row per arm: the truth, a guess, the estimates so far, or an alternative.

use crate::margin::Raise;
use crate::problem::{Goal, LARGEST, Problem, ProblemError};

/// The means of all arms, turned so that larger is better in every objective.
///
/// ```
/// use surefront::{Arm, Goal, Model, Noise, Objective, Problem};
///
/// let cost = Objective::new("cost", Goal::Min, Noise::Variance(1.0));
/// let problem = Problem::new(vec![cost], vec![Arm::named("a"), Arm::named("b")])?;
/// let model = Model::new(&problem, &[vec![3.0], vec![5.0]])?;
/// assert_eq!(model.row(0), [-3.0]);
/// assert_eq!(model.in_units(&problem, 0), [3.0]);
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    d: usize,
    rows: Vec<f64>,
    /// Where there are margins.
    raised: Option<Box<Raised>>,
}

/// The means as they count for arms that are named.
#[derive(Clone, Debug, PartialEq)]
struct Raised {
    raises: Vec<Raise>,
    rows: Vec<f64>,
}

impl Raised {
    fn new(problem: &Problem, rows: &[f64]) -> Option<Box<Raised>> {
        let raises = problem.raises()?.to_vec();
        let rows = rows.iter().zip(raises.iter().cycle()).map(|(&mean, raise)| raise.up(mean)).collect();
        Some(Box::new(Raised { raises, rows }))
    }
}

impl Model {
    /// Checks the means, given in the objectives' own units, one row per arm.
    ///
    /// # Errors
    /// When there is not one row per arm with one finite number per objective.
    pub fn new<R: AsRef<[f64]>>(problem: &Problem, means: &[R]) -> Result<Self, ProblemError> {
        if means.len() != problem.arm_count() {
            return Err(ProblemError::WrongCount {
                what: "rows of means",
                found: means.len(),
                expected: problem.arm_count(),
            });
        }
        let d = problem.objective_count();
        let mut rows = Vec::with_capacity(means.len() * d);
        for (arm, row) in problem.arms().iter().zip(means) {
            let row = row.as_ref();
            if row.len() != d {
                return Err(ProblemError::WrongArity {
                    what: "means",
                    arm: arm.name.clone(),
                    found: row.len(),
                    expected: d,
                });
            }
            for (j, (objective, &value)) in problem.objectives().iter().zip(row).enumerate() {
                // Written so that NaN fails.
                if !(value.abs() <= LARGEST) {
                    return Err(ProblemError::BadMean {
                        arm: arm.name.clone(),
                        objective: objective.name.clone(),
                        value,
                    });
                }
                let family = problem.family(j);
                if !family.takes_mean(value) {
                    let (arm, objective) = (arm.name.clone(), objective.name.clone());
                    return Err(ProblemError::MeanOutside { arm, objective, value, family });
                }
                if let Some(range) = problem.range(j).filter(|range| !range.holds(value)) {
                    let (arm, objective) = (arm.name.clone(), objective.name.clone());
                    return Err(ProblemError::MeanBeyond { arm, objective, value, range });
                }
                rows.push(oriented(objective.goal, value));
            }
        }
        let raised = Raised::new(problem, &rows);
        Ok(Model { d, rows, raised })
    }

    /// The number of arms.
    pub fn arm_count(&self) -> usize {
        self.rows.len() / self.d
    }

    /// The number of objectives.
    pub fn objective_count(&self) -> usize {
        self.d
    }

    /// The means of `arm`, larger is better.
    ///
    /// # Panics
    /// When there is no such arm.
    #[inline]
    pub fn row(&self, arm: usize) -> &[f64] {
        &self.rows[arm * self.d..(arm + 1) * self.d]
    }

    /// All means, row by row, larger is better.
    #[inline]
    pub(crate) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// All means as they count for arms that are named, row by row: raised by the margins.
    #[inline]
    pub(crate) fn raised_rows(&self) -> &[f64] {
        self.raised.as_ref().map_or(&self.rows, |raised| &raised.rows)
    }

    /// Whether there are margins.
    #[inline]
    pub(crate) fn has_margins(&self) -> bool {
        self.raised.is_some()
    }

    /// The means of `arm` as they count if it is named: raised by the margins.
    #[inline]
    pub(crate) fn raised(&self, arm: usize) -> &[f64] {
        &self.raised_rows()[arm * self.d..(arm + 1) * self.d]
    }

    /// The means of `arm` in the objectives' own units.
    ///
    /// # Panics
    /// When there is no such arm.
    pub fn in_units(&self, problem: &Problem, arm: usize) -> Vec<f64> {
        problem
            .objectives()
            .iter()
            .zip(self.row(arm))
            .map(|(objective, &value)| oriented(objective.goal, value))
            .collect()
    }

    /// The same means with the margins of another problem.
    pub(crate) fn under(&self, problem: &Problem) -> Self {
        Model { d: self.d, rows: self.rows.clone(), raised: Raised::new(problem, &self.rows) }
    }

    /// All means zero: where a tally begins.
    pub(crate) fn zero(problem: &Problem) -> Self {
        let d = problem.objective_count();
        let rows = vec![0.0; problem.arm_count() * d];
        let raised = Raised::new(problem, &rows);
        Model { d, rows, raised }
    }

    /// All means zero, of so many arms of this model.
    pub(crate) fn zero_like(&self, arm_count: usize) -> Self {
        let room = arm_count * self.d;
        let raised = self.raised.as_ref().map(|raised| {
            let rows = raised.raises.iter().map(|raise| raise.up(0.0)).cycle().take(room).collect();
            Box::new(Raised { raises: raised.raises.clone(), rows })
        });
        Model { d: self.d, rows: vec![0.0; room], raised }
    }

    /// One more arm, its means zero.
    pub(crate) fn push_zero(&mut self) {
        self.rows.resize(self.rows.len() + self.d, 0.0);
        if let Some(raised) = &mut self.raised {
            let Raised { raises, rows } = &mut **raised;
            rows.extend(raises.iter().map(|raise| raise.up(0.0)));
        }
    }

    /// Changes the means of `arm`, larger being better.
    #[inline]
    pub(crate) fn change(&mut self, arm: usize, change: impl FnOnce(&mut [f64])) {
        let place = arm * self.d..(arm + 1) * self.d;
        change(&mut self.rows[place.clone()]);
        if let Some(raised) = &mut self.raised {
            let Raised { raises, rows } = &mut **raised;
            for ((to, mean), raise) in rows[place.clone()].iter_mut().zip(&self.rows[place]).zip(raises) {
                *to = raise.up(*mean);
            }
        }
    }

    /// Makes these the means of `arm`, larger being better.
    #[inline]
    pub(crate) fn set(&mut self, arm: usize, means: &[f64]) {
        self.change(arm, |row| row.copy_from_slice(means));
    }
}

/// Turns a value so that larger is better, or back again.
pub(crate) fn oriented(goal: Goal, value: f64) -> f64 {
    match goal {
        Goal::Max => value,
        Goal::Min => -value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Arm, Noise, Objective};

    fn problem() -> Problem {
        let objective = |name: &str, goal| Objective::new(name, goal, Noise::Variance(1.0));
        Problem::new(
            vec![objective("gain", Goal::Max), objective("cost", Goal::Min)],
            vec![Arm::named("a"), Arm::named("b")],
        )
        .unwrap()
    }

    #[test]
    fn goals_are_turned_and_turned_back() {
        let model = Model::new(&problem(), &[[1.0, 2.0], [3.0, 4.0]]).unwrap();
        assert_eq!(model.row(1), [3.0, -4.0]);
        assert_eq!(model.in_units(&problem(), 1), [3.0, 4.0]);
    }

    #[test]
    fn bad_means_are_named() {
        let message = |rows: &[Vec<f64>]| Model::new(&problem(), rows).unwrap_err().to_string();
        assert!(message(&[vec![1.0, 2.0]]).contains("1 rows of means, but 2 arms"));
        assert!(message(&[vec![1.0, 2.0], vec![1.0]]).contains("means of arm \"b\" have 1 entries"));
        for bad in [f64::NAN, f64::INFINITY, -1e76] {
            let text = message(&[vec![1.0, 2.0], vec![1.0, bad]]);
            assert!(text.contains("arm \"b\" in objective \"cost\""), "{text}");
        }
    }
}
