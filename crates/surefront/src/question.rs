//! What the oracle is asked about: a problem, a model of it with its front, and weights.

use thiserror::Error;

use crate::front::Front;
use crate::model::Model;
use crate::problem::{NoOracle, Problem};
use crate::side::{Roster, Side};
use crate::weights::Weights;

/// A problem, means, their front, and weights or counts: parts that fit together.
///
/// ```
/// # use surefront::{Arm, Front, Goal, Model, Noise, Objective, Problem, Question, QuestionError, Weights};
/// # let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective("x"), objective("y")], vec![Arm::named("a"), Arm::named("b")])?;
/// let model = Model::new(&problem, &[[0.0, 3.0], [2.0, 1.0]])?;
/// let (front, weights) = (Front::of(&model), Weights::new(2, vec![0.5, 0.5])?);
/// let question = Question::new(&problem, &model, &front, &weights)?;
/// assert_eq!(question.gap(0, 1, 0), -2.0);
///
/// let other = Model::new(&problem, &[[1.0, 1.0], [0.0, 0.0]])?;
/// assert_eq!(Question::new(&problem, &other, &front, &weights).unwrap_err(), QuestionError::OtherFront);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    problem: &'a Problem,
    model: &'a Model,
    front: &'a Front,
    weights: &'a Weights,
}

/// Parts that do not belong to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// The model has other arms or objectives than the problem.
    #[error(
        "the model has {arms} arms and {objectives} objectives, the problem {expected_arms} and {expected_objectives}: \
         they must be the same"
    )]
    OtherModel {
        /// How many arms the model has.
        arms: usize,
        /// How many objectives the model has.
        objectives: usize,
        /// How many arms the problem has.
        expected_arms: usize,
        /// How many objectives the problem has.
        expected_objectives: usize,
    },
    /// The front is that of another model.
    #[error("the front is not that of the model: give the front of the same means")]
    OtherFront,
    /// There is not one weight per arm.
    #[error("there are {found} weights, but {expected} arms: give one for each arm")]
    OtherWeights {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// There is no oracle for the problem.
    #[error(transparent)]
    NoOracle(#[from] NoOracle),
}

impl<'a> Question<'a> {
    /// Checks that the parts fit together. The front is computed anew for this.
    ///
    /// # Errors
    /// When arms or objectives differ in number, or the front is not that of the model; or when there is no oracle for the problem.
    pub fn new(
        problem: &'a Problem,
        model: &'a Model,
        front: &'a Front,
        weights: &'a Weights,
    ) -> Result<Self, QuestionError> {
        let (arms, objectives) = (model.arm_count(), model.objective_count());
        if arms != problem.arm_count() || objectives != problem.objective_count() {
            let (expected_arms, expected_objectives) = (problem.arm_count(), problem.objective_count());
            return Err(QuestionError::OtherModel { arms, objectives, expected_arms, expected_objectives });
        }
        if weights.len() != arms {
            return Err(QuestionError::OtherWeights { found: weights.len(), expected: arms });
        }
        if *front != Front::of(model) {
            return Err(QuestionError::OtherFront);
        }
        if let Some(missing) = problem.no_oracle() {
            return Err(missing.into());
        }
        Ok(Question { problem, model, front, weights })
    }

    /// Parts that are known to fit together.
    #[inline]
    pub(crate) fn unchecked(
        problem: &'a Problem,
        model: &'a Model,
        front: &'a Front,
        weights: &'a Weights,
    ) -> Question<'a> {
        Question { problem, model, front, weights }
    }

    /// The problem.
    #[inline]
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The means.
    #[inline]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The front of the means.
    #[inline]
    pub fn front(&self) -> &'a Front {
        self.front
    }

    /// The weights, or counts.
    #[inline]
    pub fn weights(&self) -> &'a Weights {
        self.weights
    }

    /// How far `one` is ahead of `other` in an objective, larger being better; negative where it is behind.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    #[inline]
    pub fn gap(&self, one: usize, other: usize, objective: usize) -> f64 {
        self.side(one).gap(self.side(other), objective)
    }

    /// An arm at its weight.
    #[inline]
    pub(crate) fn side(&self, arm: usize) -> Side<'a> {
        self.roster().side(arm)
    }

    /// An arm that is named, at its weight, with its head start.
    #[inline]
    pub(crate) fn raised(&self, arm: usize) -> Side<'a> {
        self.roster().raised(arm)
    }

    /// The arms through which one of the front may be removed. Without margins it takes one of the front: before another arm comes to cover `arm`, that one has joined the front.
    /// With margins the front may be right still when it has.
    pub(crate) fn coverers(&self, arm: usize) -> impl Iterator<Item = usize> + 'a {
        let (front, all) = (self.front, self.problem.has_margins());
        let members = if all { &[] } else { front.members() };
        let everybody = if all { 0..self.problem.arm_count() } else { 0..0 };
        members.iter().copied().chain(everybody).filter(move |&other| other != arm)
    }

    /// All arms at their weights, for inner loops.
    #[inline]
    pub(crate) fn roster(&self) -> Roster<'a> {
        Roster::new(self.problem, self.model, self.weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::unit_problem;

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let (problem, larger) = (unit_problem(2, 2), unit_problem(3, 2));
        let model = Model::new(&problem, &[[1.0, 0.0], [0.0, 0.0]]).unwrap();
        let front = Front::of(&model);
        let weights = |k: usize| Weights::new(k, vec![1.0; k]).unwrap();
        let ask = |problem: &Problem, front: &Front, k| Question::new(problem, &model, front, &weights(k)).map(|_| ());
        assert_eq!(ask(&problem, &front, 2), Ok(()));
        assert_eq!(ask(&problem, &front, 3), Err(QuestionError::OtherWeights { found: 3, expected: 2 }));
        let message = ask(&larger, &front, 3).unwrap_err().to_string();
        assert!(message.contains("2 arms and 2 objectives, the problem 3 and 2"), "{message}");
        assert!(ask(&unit_problem(2, 1), &front, 2).is_err());
        let other = Model::new(&larger, &[[1.0, 0.0], [0.0, 0.0], [2.0, 2.0]]).unwrap();
        for front in [Front::default(), Front::of(&other)] {
            assert_eq!(ask(&problem, &front, 2), Err(QuestionError::OtherFront));
        }
    }
}
