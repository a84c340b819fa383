//! A full set of means, one row per arm: the truth, a guess, the estimates so far, or an alternative.

use std::sync::Arc;

use crate::limit::{Layout, POST, behind_post};
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
    /// Where there are limits.
    limited: Option<Box<Limited>>,
}

/// The means of what is limited: the rows of the arms, after that of the post. What is only limited is zero in the rows of the model itself, the same for all, so that it
/// makes no arm better than another.
#[derive(Clone, Debug, PartialEq)]
struct Limited {
    layout: Arc<Layout>,
    readings: Model,
}

impl Limited {
    /// Of rows that hold everything; what is only limited is taken out of them.
    fn new(problem: &Problem, rows: &mut [f64]) -> Option<Box<Limited>> {
        let layout = problem.limit_layout()?.clone();
        let mut readings = layout.post.clone();
        for row in rows.chunks_exact_mut(problem.objective_count()) {
            readings.extend(layout.limits.iter().map(|&(j, sign)| sign * row[j]));
            layout.idle.iter().for_each(|&j| row[j] = 0.0);
        }
        let readings = Model { d: layout.limits.len(), rows: readings, raised: None, limited: None };
        Some(Box::new(Limited { layout, readings }))
    }

    /// Follows a row of the model itself.
    #[inline]
    fn follow(&mut self, arm: usize, row: &mut [f64]) {
        for (limit, &(j, sign)) in self.layout.limits.iter().enumerate() {
            if !self.layout.is_idle(j) {
                self.readings.rows[behind_post(arm) * self.readings.d + limit] = sign * row[j];
            }
        }
        self.layout.idle.iter().for_each(|&j| row[j] = 0.0);
    }
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
        let limited = Limited::new(problem, &mut rows);
        let raised = Raised::new(problem, &rows);
        Ok(Model { d, rows, raised, limited })
    }

    /// The number of arms.
    pub fn arm_count(&self) -> usize {
        self.rows.len() / self.d
    }

    /// The number of objectives.
    pub fn objective_count(&self) -> usize {
        self.d
    }

    /// The means of `arm`, larger is better; zero for what is only limited ([`mean_in`](Model::mean_in) has that).
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
        let objectives = problem.objectives().iter().enumerate();
        objectives.map(|(j, objective)| oriented(objective.goal, self.mean_in(arm, j))).collect()
    }

    /// The mean of `arm` in an objective, larger being better as [`row`](Model::row) has it, also of one that is only limited.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    #[inline]
    pub fn mean_in(&self, arm: usize, objective: usize) -> f64 {
        let Some(limited) = &self.limited else { return self.row(arm)[objective] };
        if !limited.layout.is_idle(objective) {
            return self.row(arm)[objective];
        }
        let mut limits = limited.layout.limits.iter().enumerate();
        let (limit, &(_, sign)) =
            limits.find(|(_, limit)| limit.0 == objective).expect("what is only limited has a limit");
        sign * limited.readings.row(behind_post(arm))[limit]
    }

    /// Whether `arm` keeps all limits.
    ///
    /// # Panics
    /// When there is no such arm.
    #[inline]
    pub fn is_feasible(&self, arm: usize) -> bool {
        self.limited.as_ref().is_none_or(|limited| {
            let post = limited.readings.row(POST);
            limited.readings.row(behind_post(arm)).iter().zip(post).all(|(mean, at)| mean >= at)
        })
    }

    /// Whether an objective is measured for its limits alone.
    pub(crate) fn is_idle(&self, objective: usize) -> bool {
        self.limited.as_ref().is_some_and(|limited| limited.layout.is_idle(objective))
    }

    /// Whether there are limits.
    #[inline]
    pub(crate) fn has_limits(&self) -> bool {
        self.limited.is_some()
    }

    /// The means of what is limited, where something is: of the post, and after it of the arms.
    #[inline]
    pub(crate) fn limited(&self) -> Option<&Model> {
        self.limited.as_ref().map(|limited| &limited.readings)
    }

    /// Makes these the means of `arm` in what is limited; those that are optimised as well stay.
    pub(crate) fn set_limited(&mut self, arm: usize, means: &[f64]) {
        let Some(limited) = &mut self.limited else { return };
        let Limited { layout, readings } = &mut **limited;
        for (limit, &(j, _)) in layout.limits.iter().enumerate() {
            if layout.is_idle(j) {
                readings.rows[behind_post(arm) * readings.d + limit] = means[limit];
            }
        }
    }

    /// Makes this the mean of `arm` in an objective that is only limited, larger being better as that is turned.
    pub(crate) fn set_idle(&mut self, arm: usize, objective: usize, mean: f64) {
        let Some(limited) = &mut self.limited else { return };
        let Limited { layout, readings } = &mut **limited;
        for (limit, &(j, sign)) in layout.limits.iter().enumerate() {
            if j == objective {
                readings.rows[behind_post(arm) * readings.d + limit] = sign * mean;
            }
        }
    }

    /// Makes the means of an arm of another model those of `arm`.
    #[inline]
    pub(crate) fn set_from(&mut self, arm: usize, other: &Model, from: usize) {
        self.set(arm, other.row(from));
        if let Some(readings) = other.limited() {
            self.set_limited(arm, readings.row(behind_post(from)));
        }
    }

    /// The same means with the margins of another problem.
    pub(crate) fn under(&self, problem: &Problem) -> Self {
        Model {
            d: self.d,
            rows: self.rows.clone(),
            raised: Raised::new(problem, &self.rows),
            limited: self.limited.clone(),
        }
    }

    /// All means zero: where a tally begins.
    pub(crate) fn zero(problem: &Problem) -> Self {
        let d = problem.objective_count();
        let mut rows = vec![0.0; problem.arm_count() * d];
        let limited = Limited::new(problem, &mut rows);
        let raised = Raised::new(problem, &rows);
        Model { d, rows, raised, limited }
    }

    /// All means zero, of so many arms of this model.
    pub(crate) fn zero_like(&self, arm_count: usize) -> Self {
        let room = arm_count * self.d;
        let raised = self.raised.as_ref().map(|raised| {
            let rows = raised.raises.iter().map(|raise| raise.up(0.0)).cycle().take(room).collect();
            Box::new(Raised { raises: raised.raises.clone(), rows })
        });
        let limited = self.limited.as_ref().map(|limited| {
            let mut readings = limited.readings.zero_like(behind_post(arm_count));
            readings.set(POST, &limited.layout.post);
            Box::new(Limited { layout: limited.layout.clone(), readings })
        });
        Model { d: self.d, rows: vec![0.0; room], raised, limited }
    }

    /// One more arm, its means zero.
    pub(crate) fn push_zero(&mut self) {
        self.rows.resize(self.rows.len() + self.d, 0.0);
        if let Some(raised) = &mut self.raised {
            let Raised { raises, rows } = &mut **raised;
            rows.extend(raises.iter().map(|raise| raise.up(0.0)));
        }
        if let Some(limited) = &mut self.limited {
            limited.readings.push_zero();
        }
    }

    /// Changes the means of `arm`, larger being better; not of what is only limited.
    #[inline]
    pub(crate) fn change(&mut self, arm: usize, change: impl FnOnce(&mut [f64])) {
        let place = arm * self.d..(arm + 1) * self.d;
        change(&mut self.rows[place.clone()]);
        if let Some(limited) = &mut self.limited {
            limited.follow(arm, &mut self.rows[place.clone()]);
        }
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
