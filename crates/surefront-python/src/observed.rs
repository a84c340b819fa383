//! Observations as they are handed to Python.

use pyo3::prelude::*;
use surefront::Reading;

/// An observation: number, arm, ticket, source, time, when and why it was taken back, values.
pub type Observed = (i64, String, Option<i64>, String, String, Option<(String, String)>, Vec<Shown>);

/// A value as it was told.
#[derive(IntoPyObject)]
pub enum Shown {
    /// A number; infinity for what is more than any.
    Number(f64),
    /// ">200".
    More(String),
}

impl Shown {
    pub fn of(value: f64) -> Self {
        match Reading::of(value) {
            Reading::Value(value) => Shown::Number(value),
            Reading::ENDLESS => Shown::Number(f64::INFINITY),
            more => Shown::More(more.to_string()),
        }
    }
}
