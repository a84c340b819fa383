//! How the arms are measured, as far as the study file says it: options win over it.

use std::time::Duration;

use super::document::{Located, NumberOrText, Section};
use crate::file::input_error::{Fault, InputError};
use crate::words::time::time;

/// The most commands that can run side by side: there is a thread for each.
pub const MOST_JOBS: usize = 1024;

/// What the study file says of measuring; `None` where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Running {
    /// Commands that take longer are ended.
    pub timeout: Option<Duration>,
    /// Commands side by side, at least one and at most [`MOST_JOBS`].
    pub jobs: Option<usize>,
    /// Runs of a command before its arm's first measurement.
    pub warmup: Option<u64>,
    /// The most observations in the study.
    pub max_samples: Option<u64>,
}

impl Running {
    pub(super) fn of(root: &Section) -> Result<Self, InputError> {
        let timeout = match root.number_or_string("timeout", "seconds, or text such as \"10m\"")? {
            None => None,
            Some(Located { value, line }) => {
                let text = match value {
                    NumberOrText::Number(seconds) => seconds.to_string(),
                    NumberOrText::Text(text) => text,
                };
                let found = time(&text).ok_or_else(|| root.fault_on(line, Fault::BadTime { key: "timeout", text }))?;
                Some(found)
            }
        };
        let whole = |key: &'static str, least: u64, most: u64| match root.whole(key)? {
            Some(Located { value, line }) if !(least..=most).contains(&value) => {
                Err(root.fault_on(line, Fault::WholeOutside { key, value, least, most }))
            }
            found => Ok(found.map(|found| found.value)),
        };
        Ok(Running {
            timeout,
            jobs: whole("jobs", 1, MOST_JOBS as u64)?.map(|jobs| jobs as usize),
            warmup: whole("warmup", 0, 1_000_000)?,
            max_samples: whole("max_samples", 1, u64::MAX)?,
        })
    }
}
