//! Observations that were measured in different ways, and may be of different things.

use serde::Serialize;

use super::ArmName;
use crate::words::number::grouped;

/// From some moment on, measurements were made in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Whose; `None` for those of all arms.
    pub arm: Option<ArmName>,
    /// What has changed.
    pub of: ChangeOf,
    /// How it was before.
    pub before: String,
    /// How it is since.
    pub after: String,
    /// How many observations that count were measured as before.
    pub observations_before: u64,
    /// When the first observation after the change was told; `None` if there is none yet.
    pub at: Option<String>,
}

/// What can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeOf {
    /// The command that measures an arm.
    Command,
    /// How many commands run side by side.
    Jobs,
}

impl Change {
    /// In a sentence.
    pub fn sentence(&self) -> String {
        let Change { arm, of, before, after, observations_before, at } = self;
        let whose = arm.as_ref().map_or_else(String::new, |arm| format!(" of arm \"{}\"", arm.name));
        let observations = match observations_before {
            1 => format!("1 observation{whose} was"),
            count => format!("{} observations{whose} were", grouped(*count)),
        };
        let since = at.as_ref().map_or_else(|| "from now on".to_owned(), |at| format!("since {at}"));
        match of {
            ChangeOf::Command => format!("{observations} measured by `{before}`; {since} it is `{after}`"),
            ChangeOf::Jobs => format!("{observations} measured with {before} at a time; {since} it is {after}"),
        }
    }
}
