//! Differences that do not matter, as head starts by objective.

use super::Problem;
use super::objective::Goal;
use super::problem_error::ProblemError;
use crate::family::Family;
use crate::margin::{Margin, Raise};

impl Problem {
    /// The head start of every objective, if there is a margin.
    pub(super) fn find_raises(&self) -> Result<Option<Vec<Raise>>, ProblemError> {
        for (j, objective) in
            self.objectives.iter().enumerate().filter(|(_, objective)| objective.margin != Margin::NONE)
        {
            let (margin, objective) = (objective.margin, objective.name.clone());
            if !margin.is_valid() {
                return Err(ProblemError::BadMargin { objective, margin });
            }
            if margin.is_none() {
                continue;
            }
            if self.quantile(j).is_some() {
                continue;
            }
            if self.shares_variance(j) && matches!(margin, Margin::Relative(_)) {
                return Err(ProblemError::RelativeMarginForCommon { objective });
            }
        }
        let sign = |goal: Goal| if goal == Goal::Max { 1.0 } else { -1.0 };
        let raises = || self.objectives.iter().map(|objective| objective.margin.raise(sign(objective.goal))).collect();
        Ok(self.objectives.iter().any(|objective| !objective.margin.is_none()).then(raises))
    }

    pub(super) fn raise_precisions(&mut self) {
        let raises = self.raises.as_ref().filter(|raises| raises.iter().any(|raise| raise.factor != 1.0));
        // A mean of another family is priced where it was before it was raised.
        let stretched = |j: usize, precision: f64, raise: &Raise| match self.kind(j).family {
            Family::Gaussian => raise.precision(precision),
            _ => precision,
        };
        self.raised_precision = raises.map(|raises| {
            let raised = self.precision.iter().zip(raises.iter().enumerate().cycle());
            raised.map(|(&precision, (j, raise))| stretched(j, precision, raise)).collect()
        });
    }

    /// The same problem, with what is known of it, under these margins.
    pub(crate) fn with_margins(&self, margins: &[Margin]) -> Result<Self, ProblemError> {
        let mut problem = self.clone();
        problem.objectives.iter_mut().zip(margins).for_each(|(objective, &margin)| objective.margin = margin);
        problem.raises = problem.find_raises()?;
        problem.raise_precisions();
        Ok(problem)
    }

    /// Whether there is an objective in which some difference does not matter.
    #[inline]
    pub fn has_margins(&self) -> bool {
        self.raises.is_some()
    }

    /// By objective: the head start of arms that are named; `None` without margins.
    #[inline]
    pub(crate) fn raises(&self) -> Option<&[Raise]> {
        self.raises.as_deref()
    }

    /// What [`Problem::precisions`] gives for means that are raised.
    #[inline]
    pub(crate) fn raised_precisions(&self) -> &[f64] {
        self.raised_precision.as_ref().unwrap_or(&self.precision)
    }
}
