//! What the promise depends on, beyond its assumptions: choices that may have been made by what was seen. The reasons stand in
//! docs/certified.md, "The order of asking".

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::words::number::{grouped, short};
use crate::words::plain::plain;

/// More names than this are not read in a sentence.
const MOST_NAMES: usize = 6;

/// Something that happened in a study, and makes its promise conditional.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// Measurements failed by themselves.
    Failed {
        /// How many.
        count: u64,
    },
    /// Measurements took longer than they were allowed to.
    TimedOut {
        /// How many.
        count: u64,
    },
    /// Somebody said of tickets that there is nothing to tell.
    GivenUp {
        /// How many.
        count: u64,
    },
    /// Measurements were begun, and nobody knows what came of them.
    Lost {
        /// How many.
        count: u64,
    },
    /// Later results did not wait any longer for tickets.
    Overdue {
        /// How many.
        count: u64,
    },
    /// Results were told that nobody had asked for.
    Unasked {
        /// How many.
        count: u64,
    },
    /// Results were taken back.
    TakenBack {
        /// How many.
        count: u64,
    },
    /// Arms take no part at present.
    LeftOut {
        /// Their names.
        arms: Vec<String>,
    },
    /// Arms came in when there were results.
    Added {
        /// Their names.
        arms: Vec<String>,
    },
    /// Arms without results were taken out of the study file when there were some of others.
    Removed {
        /// Their names.
        arms: Vec<String>,
    },
    /// The study file says something else of noise than it did when there were results already.
    Noise {
        /// Of all arms, in these objectives.
        objectives: Vec<String>,
        /// Of these arms alone.
        arms: Vec<String>,
    },
    /// The study file says something else of the correlation between objectives than it did when there were results already.
    Correlation,
    /// The study file says something else of margins than it did when there were results already.
    Margins,
    /// The study file says something else of limits than it did when there were results already.
    Limits,
    /// The accepted chance of a wrong answer was larger when there were results already.
    Delta {
        /// The largest that it was.
        before: f64,
        /// What it is.
        now: f64,
    },
}

impl Condition {
    /// In a word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Condition::Failed { .. } => "failed",
            Condition::TimedOut { .. } => "timed out",
            Condition::GivenUp { .. } => "given up",
            Condition::Lost { .. } => "lost",
            Condition::Overdue { .. } => "overdue",
            Condition::Unasked { .. } => "unasked",
            Condition::TakenBack { .. } => "taken back",
            Condition::LeftOut { .. } => "left out",
            Condition::Added { .. } => "added",
            Condition::Removed { .. } => "removed",
            Condition::Noise { .. } => "noise",
            Condition::Correlation => "correlation",
            Condition::Margins => "margins",
            Condition::Limits => "limits",
            Condition::Delta { .. } => "delta",
        }
    }

    /// How many measurements, results or tickets, if it is about such.
    pub fn count(&self) -> Option<u64> {
        match self {
            Condition::Failed { count }
            | Condition::TimedOut { count }
            | Condition::GivenUp { count }
            | Condition::Lost { count }
            | Condition::Overdue { count }
            | Condition::Unasked { count }
            | Condition::TakenBack { count } => Some(*count),
            _ => None,
        }
    }

    /// What happened, and what the promise then depends on, in a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let happened = |count: u64, thing: &str, one: &str, many: &str| match count {
            1 => format!("1 {thing} {one}"),
            count => format!("{} {thing}s {many}", grouped(count)),
        };
        match self {
            Condition::Failed { count } => {
                format!(
                    "{}: the promise is about measurements that succeed",
                    happened(*count, "measurement", "failed", "failed")
                )
            }
            Condition::TimedOut { count } => format!(
                "{}: the promise is about measurements that end in time",
                happened(*count, "measurement", "took too long", "took too long")
            ),
            Condition::GivenUp { count } => format!(
                "{} given up: the promise holds provided that the reason has nothing to do with what would have been told",
                happened(*count, "ticket", "was", "were")
            ),
            Condition::Lost { count } => format!(
                "{} lost: the promise holds provided that the reason has nothing to do with what would have been shown",
                happened(*count, "measurement", "was", "were")
            ),
            Condition::Overdue { count } => format!(
                "{} no longer waited for: the promise holds provided that how long a measurement takes says nothing about what it shows",
                happened(*count, "ticket", "is", "are")
            ),
            Condition::Unasked { count } => format!(
                "{} told without a ticket: the promise holds provided that nobody chose what to tell by what it shows",
                happened(*count, "result", "was", "were")
            ),
            Condition::TakenBack { count } => format!(
                "{} taken back: the promise holds provided that what was shown is not the reason",
                happened(*count, "result", "was", "were")
            ),
            Condition::LeftOut { arms } => format!(
                "{} left out: the promise is about the other arms, and holds provided that results are not the reason",
                subject(arms, "is", "are")
            ),
            Condition::Added { arms } => format!(
                "{} added to a study with results: the promise holds provided that those results are not the reason",
                subject(arms, "was", "were")
            ),
            Condition::Removed { arms } => format!(
                "{} removed from a study with results: the promise is about the other arms, and holds provided that those results are \
                 not the reason",
                subject(arms, "was", "were")
            ),
            Condition::Noise { objectives, arms } => {
                let of_objectives = (!objectives.is_empty()).then(|| format!("in {}", listed(objectives)));
                let of_arms = (!arms.is_empty()).then(|| format!("of {} {}", arm_or_arms(arms), listed(arms)));
                let whose: Vec<String> = [of_objectives, of_arms].into_iter().flatten().collect();
                format!(
                    "what the study file says of the noise {}, or of what is compared, was changed when there were results: the promise holds provided that \
                     they are not the reason",
                    whose.join(" and ")
                )
            }
            Condition::Correlation => {
                "what the study file says of the correlation between objectives was changed when there \
                 were results: the promise holds provided that they are not the reason"
                    .to_owned()
            }
            Condition::Limits => "the limits were changed when there were results: the promise holds provided that those results are not the reason"
                .to_owned(),
            Condition::Margins => "the margins were changed when there were results: the promise holds provided that those results are not the reason"
                .to_owned(),
            Condition::Delta { before, now } => {
                let (before, now) = (short(*before), short(*now));
                format!(
                    "δ was {before} when there were results and is {now}: the promise at {now} holds provided that they are not the \
                     reason; at {before} it holds in any case"
                )
            }
        }
    }
}

fn arm_or_arms(arms: &[String]) -> &'static str {
    if arms.len() == 1 { "arm" } else { "arms" }
}

/// "arm "a" is", "arms "a" and "b" are".
fn subject(arms: &[String], one: &str, many: &str) -> String {
    format!("{} {} {}", arm_or_arms(arms), listed(arms), if arms.len() == 1 { one } else { many })
}

/// Names in quotation marks, as many as can be read.
fn listed(names: &[String]) -> String {
    let quoted = |name: &String| format!("\"{}\"", plain(name));
    match names {
        [only] => quoted(only),
        [first @ .., last] if names.len() <= MOST_NAMES => {
            format!("{} and {}", first.iter().map(quoted).collect::<Vec<_>>().join(", "), quoted(last))
        }
        _ => {
            let first: Vec<String> = names.iter().take(MOST_NAMES - 1).map(quoted).collect();
            format!("{} and {} more", first.join(", "), grouped((names.len() + 1).saturating_sub(MOST_NAMES) as u64))
        }
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind())?;
        map.serialize_entry("sentence", &self.sentence())?;
        if let Some(count) = self.count() {
            map.serialize_entry("count", &count)?;
        }
        match self {
            Condition::LeftOut { arms } | Condition::Added { arms } | Condition::Removed { arms } => {
                map.serialize_entry("arms", arms)?;
            }
            Condition::Noise { objectives, arms } => {
                map.serialize_entry("objectives", objectives)?;
                map.serialize_entry("arms", arms)?;
            }
            Condition::Delta { before, now } => {
                map.serialize_entry("before", before)?;
                map.serialize_entry("now", now)?;
            }
            _ => {}
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_is_a_sentence() {
        let names = |count: usize| (1..=count).map(|arm| format!("a{arm}")).collect::<Vec<_>>();
        let sentences: Vec<String> = [
            Condition::Failed { count: 1 },
            Condition::Failed { count: 1234 },
            Condition::TimedOut { count: 1 },
            Condition::TimedOut { count: 2 },
            Condition::GivenUp { count: 2 },
            Condition::Lost { count: 1 },
            Condition::Overdue { count: 2 },
            Condition::Unasked { count: 40 },
            Condition::TakenBack { count: 1 },
            Condition::LeftOut { arms: names(1) },
            Condition::Added { arms: names(6) },
            Condition::Removed { arms: names(9) },
            Condition::Noise { objectives: names(1), arms: vec![] },
            Condition::Noise { objectives: names(2), arms: names(2) },
            Condition::Correlation,
            Condition::Margins,
            Condition::Limits,
            Condition::Delta { before: 0.1, now: 0.01 },
        ]
        .iter()
        .map(|condition| format!("{}: {}", condition.kind(), condition.sentence()))
        .collect();
        insta::assert_snapshot!(sentences.join("\n"));
    }
}
