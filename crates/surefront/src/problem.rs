//! What is to be decided: the objectives, the arms and their noise.
//!
//! A [`Problem`] is validated once, when it is made, and is valid ever after: the algorithms take it as it is. It says
//! nothing about the means, which are a [`Model`](crate::Model): given, guessed or estimated.

mod arm;
mod correlated;
mod costs;
mod gate;
mod laws;
mod margins;
mod no_oracle;
mod noise;
mod objective;
mod precision;
mod problem_error;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::arm::Arm;
pub(crate) use self::gate::Gate;
use self::laws::free_of_laws;
pub use self::no_oracle::NoOracle;
pub use self::noise::Noise;
pub use self::objective::{Goal, Objective};
use self::precision::precision;
pub use self::problem_error::ProblemError;
use crate::correlation::{Correlation, Coupling};
use crate::costs::{Costs, is_cost};
use crate::law::Kind;
use crate::limit::Layout;
use crate::margin::Raise;
use crate::range::Range;
use crate::statistic::Quantile;

/// The largest magnitude of a mean, and the range of a variance around 1, that costs can be computed from without
/// overflow: squares of differences, times a weight, over a variance.
pub const LARGEST: f64 = 1e75;

/// The objectives and the arms, with their noise: checked, and valid ever after.
///
/// ```
/// use surefront::{Arm, Goal, Noise, Objective, Problem};
///
/// let problem = Problem::new(
///     vec![
///         Objective::new("accuracy", Goal::Max, Noise::Variance(0.04)),
///         Objective::new("bytes", Goal::Min, Noise::Exact),
///     ],
///     vec![Arm::named("small"), Arm::named("large")],
/// )?;
/// assert_eq!((problem.arm_count(), problem.objective_count()), (2, 2));
/// assert_eq!(problem.arm_named("large"), Some(1));
/// # Ok::<(), surefront::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    objectives: Vec<Objective>,
    arms: Vec<Arm>,
    /// 1 / variance by arm and objective, row by row; infinite where there is no noise, an estimate where it is unknown, one where the
    /// variance comes with the mean.
    precision: Vec<f64>,
    /// By objective, where some difference does not matter.
    raises: Option<Vec<Raise>>,
    /// What `precision` is for means that are raised by a factor; none where none is.
    raised_precision: Option<Vec<f64>>,
    /// By objective, unless all noise is Gaussian.
    kinds: Option<Vec<Kind>>,
    /// By objective: where its values are, if that is all that is known.
    ranges: Vec<Option<Range>>,
    homoscedastic: bool,
    unknown: bool,
    /// By objective: whether some arms share a variance that only the observations can tell.
    shared: Vec<bool>,
    /// By objective: how far the values reach, where they are too coarse to be taken for Gaussian; none at all where nobody looked.
    coarse: Vec<Option<f64>>,
    /// What was said of the correlation between objectives.
    correlation: Option<Correlation>,
    /// What it is, as given or estimated; none where the readings are independent.
    coupling: Option<Coupling>,
    costs: Costs,
    /// Where there are limits.
    gate: Option<Box<Gate>>,
}

impl Problem {
    /// Checks the objectives and the arms.
    ///
    /// # Errors
    /// The first condition that does not hold, with the name or number of what breaks it.
    pub fn new(objectives: Vec<Objective>, arms: Vec<Arm>) -> Result<Self, ProblemError> {
        let (objectives, arms) = free_of_laws(objectives, arms)?;
        Problem::of_any(objectives, arms)
    }

    /// The same for objectives and arms of which any may be without noise, where a quantile is compared as well: it is where it is.
    fn of_any(objectives: Vec<Objective>, arms: Vec<Arm>) -> Result<Self, ProblemError> {
        if objectives.is_empty() {
            return Err(ProblemError::NoObjectives);
        }
        if arms.is_empty() {
            return Err(ProblemError::NoArms);
        }
        check_names("objective", objectives.iter().map(|o| o.name.as_str()))?;
        check_names("arm", arms.iter().map(|a| a.name.as_str()))?;

        if let Some(arm) = arms.iter().find(|arm| !is_cost(arm.cost)) {
            return Err(ProblemError::BadCost { arm: arm.name.clone(), value: arm.cost });
        }

        let d = objectives.len();
        let costs = Costs::given(arms.iter().map(|arm| arm.cost).collect());
        let shared = objectives
            .iter()
            .map(|o| precision(o.noise, o.statistic, || format!("objective \"{}\"", o.name)))
            .collect::<Result<Vec<f64>, _>>()?;
        let mut table = Vec::with_capacity(arms.len() * d);
        for arm in &arms {
            match &arm.noise {
                None => table.extend_from_slice(&shared),
                Some(own) if own.len() != d => {
                    return Err(ProblemError::WrongArity {
                        what: "variances",
                        arm: arm.name.clone(),
                        found: own.len(),
                        expected: d,
                    });
                }
                Some(own) => {
                    for (objective, &noise) in objectives.iter().zip(own) {
                        table.push(precision(noise, objective.statistic, || {
                            format!("arm \"{}\" in objective \"{}\"", arm.name, objective.name)
                        })?);
                    }
                }
            }
        }
        let mut problem = Problem {
            objectives,
            arms,
            precision: table,
            raises: None,
            raised_precision: None,
            kinds: None,
            ranges: vec![None; d],
            homoscedastic: false,
            unknown: false,
            shared: vec![false; d],
            coarse: vec![None; d],
            correlation: None,
            coupling: None,
            costs,
            gate: None,
        };
        let shares = |j: usize| (0..problem.arm_count()).any(|arm| problem.noise(arm, j) == Noise::Common);
        problem.shared = (0..d).map(shares).collect();
        problem.kinds = problem.find_kinds()?;
        problem.ranges = problem.find_ranges()?;
        problem.gate = Gate::of(&problem.objectives, &problem.arms)?.map(Box::new);
        problem.rest_idle(0);
        problem.raises = problem.find_raises()?;
        problem.raise_precisions();
        let unknown = (0..problem.arm_count()).any(|arm| (0..d).any(|j| problem.noise(arm, j).is_estimated()));
        let table = &problem.precision;
        // Estimates will differ from arm to arm.
        let homoscedastic =
            !unknown && table.iter().all(|p| p.is_finite()) && table.chunks_exact(d).all(|row| row == &table[..d]);
        Ok(Problem { homoscedastic, unknown, ..problem })
    }

    /// The number of arms, K.
    pub fn arm_count(&self) -> usize {
        self.arms.len()
    }

    /// The number of objectives, d.
    pub fn objective_count(&self) -> usize {
        self.objectives.len()
    }

    /// The objectives, in the order of every vector of values.
    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    /// The arms, in the order of their indices.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The index of the arm of this name.
    pub fn arm_named(&self, name: &str) -> Option<usize> {
        self.arms.iter().position(|arm| arm.name == name)
    }

    /// The noise of `arm` in an objective, as it was given.
    ///
    /// # Panics
    /// When there is no such arm or objective.
    pub fn noise(&self, arm: usize, objective: usize) -> Noise {
        self.arms[arm].noise.as_ref().map_or(self.objectives[objective].noise, |own| own[objective])
    }

    /// The quantile that is compared in an objective; `None` where it is the mean.
    ///
    /// # Panics
    /// When there is no such objective.
    #[inline]
    pub fn quantile(&self, objective: usize) -> Option<Quantile> {
        self.objectives[objective].statistic.quantile()
    }

    /// Whether a quantile is compared in some objective.
    #[inline]
    pub fn has_quantiles(&self) -> bool {
        self.objectives.iter().any(|objective| !objective.statistic.is_mean())
    }

    /// Whether some variance has to be estimated: of [`Noise::Unknown`], [`Noise::Common`] or [`Noise::Bounded`].
    pub fn has_unknown_noise(&self) -> bool {
        self.unknown
    }

    /// Whether some arms share a variance in an objective that only the observations can tell.
    pub(crate) fn shares_variance(&self, objective: usize) -> bool {
        self.shared[objective]
    }

    /// Whether some objective has limits.
    #[inline]
    pub fn has_limits(&self) -> bool {
        self.gate.is_some()
    }

    /// The limits, as an arm that others have to cover.
    #[inline]
    pub(crate) fn gate(&self) -> Option<&Gate> {
        self.gate.as_deref()
    }

    /// Which objectives are limited, and where.
    pub(crate) fn limit_layout(&self) -> Option<&std::sync::Arc<Layout>> {
        self.gate.as_ref().map(|gate| gate.layout())
    }

    /// What is only limited is the same for all arms as far as they are compared: without noise, from the arm `from` on.
    fn rest_idle(&mut self, from: usize) {
        let Some(gate) = &self.gate else { return };
        let d = self.objectives.len();
        for row in self.precision.chunks_exact_mut(d).skip(from) {
            gate.layout().idle.iter().for_each(|&j| row[j] = f64::INFINITY);
        }
    }

    /// Objectives without arms, which only a growing tally may have.
    pub(crate) fn without_arms(objectives: Vec<Objective>) -> Result<Self, ProblemError> {
        let mut problem = Problem::new(objectives, vec![Arm::named("any")])?;
        problem.arms.clear();
        problem.precision.clear();
        if let Some(gate) = &mut problem.gate {
            gate.clear_arms();
        }
        Ok(problem)
    }

    /// The problem of these arms alone, of which there is one.
    pub(crate) fn of_arms(&self, arms: &[usize]) -> Self {
        let kept = arms.iter().map(|&arm| self.arms[arm].clone()).collect();
        let part = Problem::new(self.objectives.clone(), kept).expect("the arms of a valid problem are valid");
        let costs = self.costs.of_arms(arms);
        Problem { correlation: self.correlation.clone(), coupling: self.coupling.clone(), costs, ..part }
    }

    /// One more arm, with the objectives' noise.
    pub(crate) fn push_arm(&mut self, name: String) {
        self.arms.push(Arm::named(name));
        for objective in &self.objectives {
            let checked = precision(objective.noise, objective.statistic, || objective.name.clone());
            self.precision.push(checked.expect("the objectives have been checked"));
        }
        if let Some(gate) = &mut self.gate {
            gate.push_arm();
        }
        self.rest_idle(self.arms.len() - 1);
        self.raise_precisions();
    }

    /// The arms alone.
    pub(crate) fn into_arms(self) -> Vec<Arm> {
        self.arms
    }

    /// Whether every objective is noisy, with the same variance for all arms: the paper's setting, and what the solvers
    /// `cells` and `sweep` need.
    pub fn is_homoscedastic(&self) -> bool {
        self.homoscedastic
    }
}

fn check_names<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), ProblemError> {
    let mut seen = HashMap::new();
    for (index, name) in names.enumerate() {
        let number = index + 1;
        if name.trim().is_empty() {
            return Err(ProblemError::EmptyName { what, number });
        }
        if let Some(first) = seen.insert(name, number) {
            return Err(ProblemError::DuplicateName { what, name: name.to_owned(), first, second: number });
        }
    }
    Ok(())
}
