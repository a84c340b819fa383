//! What a study has cost, and will.

use serde::Serialize;
use surefront::Study;

use super::FORESEEABLE;
use super::taking_part::samples;
use crate::words::number::{grouped, rough_duration, significant};

/// What a study has cost, and will.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spent {
    /// So far.
    pub spent: f64,
    /// About how much more, if it goes on as before; `None` if that cannot be said.
    pub expected: Option<f64>,
    /// Whether it is time, in seconds, as it was measured.
    pub measured: bool,
}

impl Spent {
    /// Of a study that will take about so many more samples; `None` where nothing is said of costs.
    pub fn of(study: &Study, samples_expected: Option<f64>) -> Option<Self> {
        let problem = study.problem();
        let spent = study.cost();
        let by_sample = spent / samples(study) as f64;
        let expected = samples_expected.map(|more| more * by_sample).filter(|more| more.is_finite());
        problem.has_costs().then(|| Spent { spent, expected, measured: problem.measures_costs() })
    }

    /// How much it is so far: "20 s of measuring", "a cost of 1,300".
    pub fn phrase(&self) -> String {
        if self.measured {
            format!("{} of measuring", rough_duration(1e6 * self.spent))
        } else {
            format!("a cost of {}", amount(self.spent))
        }
    }

    /// So far, and about how much more.
    pub fn sentence(&self) -> String {
        let more = match self.expected {
            Some(more) if more > 0.0 && more <= FORESEEABLE && self.measured => {
                format!(", about {} more to go", rough_duration(1e6 * more))
            }
            Some(more) if more > 0.0 && more <= FORESEEABLE => format!(", about {} more to go", significant(more, 2)),
            _ => String::new(),
        };
        format!("That has taken {}{more}.", self.phrase())
    }
}

/// A cost, to four digits or, if it is large, in whole numbers.
fn amount(cost: f64) -> String {
    if cost >= 1000.0 { grouped(cost.round() as u64) } else { significant(cost, 4) }
}
