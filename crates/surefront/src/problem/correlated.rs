//! How the readings of a problem go together.

use super::Problem;
use super::noise::Noise;
use super::objective::Goal;
use super::problem_error::ProblemError;
use crate::correlation::{CorrelatedNoise, Correlation, CorrelationError, Coupling};
use crate::family::Family;

impl Problem {
    /// The same problem, with readings that are correlated as said; they are independent otherwise.
    ///
    /// # Errors
    /// When no readings can be correlated like this, or an objective is of a kind that correlations are not for.
    pub fn with_correlation(self, correlation: Correlation) -> Result<Self, ProblemError> {
        let d = self.objectives.len();
        let kind = |j: usize| match self.family(j) {
            Family::Gaussian if self.range(j).is_some() => Some("bounded"),
            Family::Gaussian if self.quantile(j).is_some() => Some("compared by a quantile"),
            Family::Gaussian => None,
            family => Some(family.name()),
        };
        if let Some((j, family)) = (0..d).find_map(|j| kind(j).map(|kind| (j, kind))) {
            let objective = self.objectives[j].name.clone();
            return Err(CorrelationError::OfOtherKind { objective, family }.into());
        }
        let coupling = match &correlation {
            // Until the observations have told it.
            Correlation::Estimate => None,
            Correlation::Given(rows) => {
                let names: Vec<&str> = self.objectives.iter().map(|objective| objective.name.as_str()).collect();
                let coupling = Coupling::checked(rows, &names, &self.signs())?;
                let is_exact = |j: usize| (0..self.arms.len()).all(|arm| self.noise(arm, j) == Noise::Exact);
                for exact in (0..d).filter(|&j| is_exact(j)) {
                    if let Some(other) = (0..d).find(|&j| j != exact && rows[exact][j] != 0.0) {
                        let objectives = [exact, other].map(|j| names[j].to_owned());
                        let (exact, value) = (objectives[0].clone(), rows[exact][other]);
                        return Err(CorrelationError::WithExact { objectives, exact, value }.into());
                    }
                }
                Some(coupling).filter(|coupling| !coupling.is_none())
            }
        };
        Ok(Problem { correlation: Some(correlation), coupling, ..self })
    }

    /// What was said of the correlation between objectives; `None` where they are taken to be independent.
    pub fn correlation(&self) -> Option<&Correlation> {
        self.correlation.as_ref()
    }

    /// The correlation of two objectives, of the readings as they are: as given, or as estimated so far.
    ///
    /// # Panics
    /// When there is no such objective.
    pub fn correlation_of(&self, one: usize, other: usize) -> f64 {
        let turned = self.objectives[one].goal != self.objectives[other].goal;
        let sign = if turned { -1.0 } else { 1.0 };
        match &self.coupling {
            _ if one == other => 1.0,
            None => 0.0,
            Some(coupling) => sign * coupling.of_pair(one, other),
        }
    }

    /// What makes independent noise correlated as given, or as estimated so far; `None` where it is independent.
    pub fn correlated_noise(&self) -> Option<CorrelatedNoise> {
        let coupling = self.coupling.clone()?;
        Some(CorrelatedNoise { coupling, signs: self.signs() })
    }

    /// By objective: 1 where larger values are better, otherwise −1.
    fn signs(&self) -> Vec<f64> {
        self.objectives.iter().map(|objective| if objective.goal == Goal::Max { 1.0 } else { -1.0 }).collect()
    }

    /// The correlation, where the readings are not independent.
    #[inline]
    pub(crate) fn coupling(&self) -> Option<&Coupling> {
        self.coupling.as_ref()
    }

    /// The covariance of one observation of `arm` in two objectives, larger being better; zero where there is no noise.
    pub(crate) fn covariance(&self, arm: usize, one: usize, other: usize) -> f64 {
        let precision = self.precision(arm);
        match &self.coupling {
            Some(coupling) => coupling.covariance(precision, one, other),
            None if one == other => precision[one].recip(),
            None => 0.0,
        }
    }

    /// Whether only the observations can tell the correlation.
    pub(crate) fn estimates_correlation(&self) -> bool {
        self.correlation == Some(Correlation::Estimate)
    }

    /// Takes the correlation that only the observations can tell to be this.
    pub(crate) fn set_coupling(&mut self, coupling: Option<Coupling>) {
        debug_assert!(self.estimates_correlation());
        self.coupling = coupling;
    }
}
