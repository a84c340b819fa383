//! The limits of a problem as a problem of their own: every limit is a reading, and the first arm, the post, stands exactly at them.

use std::sync::Arc;

use super::{Arm, Goal, LARGEST, Noise, Objective, Problem, ProblemError};
use crate::family::Family;
use crate::limit::{End, Layout, Limits, POST, Role, behind_post, can_be};

/// The limits, and the arms that have to keep them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gate {
    layout: Arc<Layout>,
    problem: Problem,
}

impl Gate {
    /// Of these objectives; `None` where none is limited.
    pub(super) fn of(objectives: &[Objective], arms: &[Arm]) -> Result<Option<Gate>, ProblemError> {
        let mut layout = Layout { limits: Vec::new(), idle: Vec::new(), post: Vec::new() };
        let mut readings = Vec::new();
        for (j, objective) in objectives.iter().enumerate() {
            let name = || objective.name.clone();
            check(objective)?;
            if objective.role == Role::Limited {
                layout.idle.push(j);
                if objective.limits.is_none() {
                    return Err(ProblemError::NoLimit { objective: name() });
                }
                if !objective.margin.is_none() {
                    return Err(ProblemError::MarginForLimited { objective: name() });
                }
            }
            if objective.limits.is_none() {
                continue;
            }
            for (end, value) in objective.limits.ends() {
                // More of the reading is more feasible.
                let goal = if end == End::Least { Goal::Max } else { Goal::Min };
                layout.limits.push((j, if goal == objective.goal { 1.0 } else { -1.0 }));
                layout.post.push(if goal == Goal::Max { value } else { -value });
                let reading = Objective::new(format!("limit {}", readings.len()), goal, objective.noise);
                readings.push(reading.with_statistic(objective.statistic));
            }
        }
        if layout.idle.len() == objectives.len() {
            return Err(ProblemError::NothingOptimised);
        }
        if readings.is_empty() {
            return Ok(None);
        }
        let post = Arm::named("post").with_noise(vec![Noise::Exact; readings.len()]);
        let of_limits = |own: &Vec<Noise>| layout.limits.iter().map(|&(j, _)| own[j]).collect::<Vec<_>>();
        // Their names have been checked.
        let others = arms.iter().enumerate().map(|(k, arm)| {
            let own = arm.noise.as_ref().filter(|own| own.len() == objectives.len());
            Arm::named(format!("arm {k}")).with_noise(own.map(of_limits))
        });
        let problem = Problem::of_any(readings, std::iter::once(post).chain(others).collect())?;
        for (limit, &(j, _)) in layout.limits.iter().enumerate() {
            let sign = if problem.objectives[limit].goal == Goal::Max { 1.0 } else { -1.0 };
            let value = sign * layout.post[limit];
            if !can_be(problem.family(limit), problem.range(limit), value) {
                return Err(ProblemError::BadLimit { objective: objectives[j].name.clone(), value });
            }
        }
        Ok(Some(Gate { layout: Arc::new(layout), problem }))
    }

    /// Which objectives are limited, and where.
    #[inline]
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The limits as objectives, and after the post the arms.
    #[inline]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The readings of one observation that the limits are about, in their own units.
    pub fn values_of(&self, values: &[f64]) -> Vec<f64> {
        self.layout.limits.iter().map(|&(j, _)| values[j]).collect()
    }

    /// Where the post stands, in the units of the limits.
    pub fn post_in_units(&self) -> Vec<f64> {
        let goals = self.problem.objectives.iter().map(|objective| objective.goal);
        goals.zip(&self.layout.post).map(|(goal, &at)| if goal == Goal::Max { at } else { -at }).collect()
    }

    /// The limits of an objective.
    fn limits_of(&self, objective: usize) -> impl Iterator<Item = usize> + use<'_> {
        let limits = self.layout.limits.iter().enumerate();
        limits.filter(move |(_, limit)| limit.0 == objective).map(|(place, _)| place)
    }

    /// The family of an objective that is only limited.
    pub(super) fn family_of_idle(&self, objective: usize) -> Option<Family> {
        if !self.layout.is_idle(objective) {
            return None;
        }
        self.limits_of(objective).next().map(|limit| self.problem.family(limit))
    }

    pub(super) fn precision_of_idle(&self, arm: usize, objective: usize) -> f64 {
        let limit = self.limits_of(objective).next().expect("what is only limited has a limit");
        self.problem.precision(behind_post(arm))[limit]
    }

    pub(super) fn estimate(&mut self, arm: usize, objective: usize, variance: f64) {
        let limits: Vec<usize> = self.limits_of(objective).collect();
        limits.into_iter().for_each(|limit| self.problem.estimate(behind_post(arm), limit, variance));
    }

    pub(super) fn set_coarse_range(&mut self, objective: usize, range: Option<f64>) {
        let limits: Vec<usize> = self.limits_of(objective).collect();
        limits.into_iter().for_each(|limit| self.problem.set_coarse_range(limit, range));
    }

    /// Leaves the post alone.
    pub(super) fn clear_arms(&mut self) {
        self.problem.arms.truncate(behind_post(POST));
        self.problem.precision.truncate(behind_post(POST) * self.problem.objectives.len());
    }

    /// One more arm, with the objectives' noise.
    pub(super) fn push_arm(&mut self) {
        let name = format!("arm {}", self.problem.arm_count());
        self.problem.push_arm(name);
    }
}

/// Whether the limits of an objective are numbers that leave room.
fn check(objective: &Objective) -> Result<(), ProblemError> {
    let name = || objective.name.clone();
    // Written so that NaN fails.
    if let Some((_, value)) = objective.limits.ends().find(|(_, value)| !(value.abs() <= LARGEST)) {
        return Err(ProblemError::BadLimit { objective: name(), value });
    }
    match objective.limits {
        Limits { at_least: Some(at_least), at_most: Some(at_most) } if at_least >= at_most => {
            Err(ProblemError::NoRoom { objective: name(), at_least, at_most })
        }
        _ => Ok(()),
    }
}
