//! An objective, as answers show it.

use serde::{Serialize, Serializer};
use surefront::{Goal, Limits, Margin, Objective, Statistic};

use crate::words::number::short;

/// An objective.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectiveName {
    /// Its name.
    pub name: String,
    /// Whether more or less is better; `None` for a constraint, which only has to keep its limits.
    #[serde(serialize_with = "goal_name")]
    pub goal: Option<Goal>,
    /// What of an arm's values is compared, if it is not the mean.
    #[serde(skip_serializing_if = "Statistic::is_mean")]
    pub statistic: Statistic,
    /// What it is measured in, if somebody said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Differences up to this do not matter: a number in the objective's units, or a text in percent of the mean.
    #[serde(serialize_with = "margin", skip_serializing_if = "Margin::is_none")]
    pub margin: Margin,
    /// An arm with less is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// An arm with more is not wanted at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

impl ObjectiveName {
    /// Of an objective, without its unit.
    pub(super) fn of(objective: &Objective) -> Self {
        ObjectiveName {
            name: objective.name.clone(),
            goal: (!objective.is_only_limited()).then_some(objective.goal),
            statistic: objective.statistic,
            unit: None,
            margin: objective.margin,
            at_least: objective.limits.at_least,
            at_most: objective.limits.at_most,
        }
    }

    /// The name with what is compared: "median milliseconds".
    pub fn title(&self) -> String {
        self.statistic.of(&self.name)
    }

    /// What it has to be, in words: "at most 200"; nothing if all is well with any number.
    pub fn limits(&self) -> String {
        let Limits { at_least, at_most } = Limits { at_least: self.at_least, at_most: self.at_most };
        let parts =
            [at_least.map(|x| format!("at least {}", short(x))), at_most.map(|x| format!("at most {}", short(x)))];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }

    /// What is wanted of it: "more is better", "at most 200", "less is better, at most 200".
    pub fn wanted(&self) -> String {
        let better = self.goal.map(|goal| match goal {
            Goal::Max => "more is better".to_owned(),
            Goal::Min => "less is better".to_owned(),
        });
        let limits = Some(self.limits()).filter(|limits| !limits.is_empty());
        better.into_iter().chain(limits).collect::<Vec<_>>().join(", ")
    }

    /// The title with the unit: "median latency (ms)".
    pub fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.title()),
            None => self.title(),
        }
    }
}

fn margin<S: Serializer>(margin: &Margin, serializer: S) -> Result<S::Ok, S::Error> {
    match margin {
        Margin::Absolute(size) => serializer.serialize_f64(*size),
        part => serializer.collect_str(part),
    }
}

fn goal_name<S: Serializer>(goal: &Option<Goal>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = goal.map(|goal| match goal {
        Goal::Max => "max",
        Goal::Min => "min",
    });
    name.serialize(serializer)
}
