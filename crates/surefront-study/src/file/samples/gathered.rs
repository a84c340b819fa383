//! Samples row by row, of arms that are met one by one.

use surefront::{GrowingTally, Noise, Objective, ObservationError, Reading};

use super::{Form, LeftOut, Samples, is_value};
use crate::file::input_error::Fault;
use crate::look::{Look, looked_for};

/// Samples so far.
#[derive(Debug)]
pub struct Gathered {
    objectives: Vec<String>,
    noise: Vec<Noise>,
    arms: Vec<String>,
    tally: GrowingTally,
    look: Look,
}

impl Gathered {
    /// None so far, of these objectives.
    ///
    /// # Errors
    /// When they cannot be a problem's.
    pub fn new(objectives: Vec<Objective>) -> Result<Self, Fault> {
        Ok(Gathered {
            objectives: objectives.iter().map(|objective| objective.name.clone()).collect(),
            noise: objectives.iter().map(looked_for).collect(),
            arms: Vec::new(),
            tally: GrowingTally::new(objectives)?,
            look: Look::default(),
        })
    }

    /// An arm that has not been met before; its number.
    pub fn meet(&mut self, name: &str) -> usize {
        self.arms.push(name.to_owned());
        self.look.meet(self.noise.iter().copied());
        self.tally.meet(name)
    }

    /// One row, of finite numbers.
    pub(super) fn add(&mut self, arm: usize, values: &[f64]) -> Result<(), Fault> {
        self.tally.add(arm, values).map_err(|error| match error {
            ObservationError::NotExact { arm, objective, known, value } => {
                Fault::NotExact { arm, objective, known, value }
            }
            other => other.into(),
        })?;
        self.look.add(arm, values);
        Ok(())
    }

    /// What so many observations of an arm sum up to.
    pub(super) fn add_summary(
        &mut self,
        arm: usize,
        count: u64,
        means: &[f64],
        deviations: &[f64],
    ) -> Result<(), Fault> {
        Ok(self.tally.add_summary(arm, count, means, deviations)?)
    }

    /// Rows of which `arms` says whose each is, by number, and `columns`, one as long for each objective, what was measured.
    ///
    /// # Errors
    /// With the number of the row that cannot be, from 0; what came before it counts.
    pub fn add_columns(&mut self, arms: &[usize], columns: &[&[f64]]) -> Result<(), (usize, Fault)> {
        let mut values = vec![0.0; columns.len()];
        for (row, &arm) in arms.iter().enumerate() {
            for (value, column) in values.iter_mut().zip(columns) {
                *value = column[row];
            }
            if let Some(bad) = values.iter().position(|&value| !is_value(value) && value != f64::INFINITY) {
                let (objective, value) = (self.objectives[bad].clone(), values[bad]);
                let fault = if value.is_finite() {
                    ObservationError::BadValue { arm: self.arms[arm].clone(), objective, value }.into()
                } else {
                    let place = format!("arm \"{}\"", self.arms[arm]);
                    Fault::NotFinite { place, key: objective, value: value.to_string() }
                };
                return Err((row, fault));
            }
            // Infinity is more than anything; whether that can be borne depends on what is compared.
            values.iter_mut().for_each(|value| *value = Reading::of(*value).as_value());
            self.add(arm, &values).map_err(|fault| (row, fault))?;
        }
        Ok(())
    }

    /// All of them, which `arm_column` named the arms of.
    ///
    /// # Errors
    /// When there are none.
    pub fn finish(self, arm_column: String, ignored: Vec<String>) -> Result<Samples, Fault> {
        if self.arms.is_empty() {
            return Err(Fault::NoSamples);
        }
        let (problem, tally) = self.tally.finish()?;
        let units = vec![None; problem.objective_count()];
        let (form, left_out) = (Form::default(), LeftOut::default());
        Ok(Samples { problem, tally, look: self.look, arm_column, ignored, form, left_out, units })
    }
}
