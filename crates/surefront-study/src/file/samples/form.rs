//! What the rows of a table can be.

use serde::Serialize;

/// What a row of a table was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// An observation.
    #[default]
    Observations,
    /// One value of one objective.
    Values,
    /// The mean, the standard deviation and the number of the observations of an arm.
    Summaries,
}
