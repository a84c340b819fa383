//! How a run is made, as Python says it.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use surefront_study::run::{Jobs, LeftOut, OnFailure, RunOptions};

use crate::error::Failure;

/// How a run is made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RunChoice {
    jobs: Option<usize>,
    timeout: Option<f64>,
    on_failure: String,
    max_samples: Option<u64>,
    max_cost: Option<f64>,
    max_seconds: Option<f64>,
    patience: Option<f64>,
    restore: bool,
}

impl RunChoice {
    pub fn options(&self) -> Result<RunOptions, Failure> {
        let mut options = RunOptions::default();
        options.jobs = self.jobs.map(Jobs::try_from).transpose().map_err(|error| Failure::new(error.to_string()))?;
        options.timeout = seconds("timeout", self.timeout)?;
        options.max_samples = self.max_samples;
        // Written so that NaN fails.
        if let Some(cost) = self.max_cost.filter(|cost| !(*cost > 0.0 && cost.is_finite())) {
            return Err(Failure::new(format!("max_cost is {cost}: give a number above 0")));
        }
        options.max_cost = self.max_cost;
        // A time beyond all clocks is no limit.
        options.until = seconds("max_time", self.max_seconds)?.and_then(|time| Instant::now().checked_add(time));
        options.patience = seconds("patience", self.patience)?;
        options.on_failure = match self.on_failure.as_str() {
            "stop" => OnFailure::Stop,
            "retry" => OnFailure::Retry,
            "drop" => OnFailure::Drop,
            other => {
                return Err(Failure::new(format!(
                    "on_failure is \"{other}\": write one of \"stop\", \"retry\", \"drop\""
                )));
            }
        };
        options.left_out = if self.restore { LeftOut::TakeIn } else { LeftOut::StayOut };
        Ok(options)
    }
}

fn seconds(what: &str, given: Option<f64>) -> Result<Option<Duration>, Failure> {
    given
        .map(|given| {
            Duration::try_from_secs_f64(given)
                .map_err(|_| Failure::new(format!("{what} is {given}: give a number of seconds, 0 or more")))
        })
        .transpose()
}
