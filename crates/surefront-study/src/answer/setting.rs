//! What could be said of an objective in the study file, and what it would change.

use std::fmt;

use serde::{Serialize, Serializer};
use surefront::{Noise, Objective, Problem, Promise, Statistic};

use super::{Answer, more_samples};
use crate::look::Seen;
use crate::words::number::short;

/// Trials of one answer: each reads all observations again.
const MOST_TRIALS: usize = 3;

/// A line of the study file that says more of an objective.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// Every value is 0 or 1.
    Bernoulli,
    /// Every value is a count.
    Poisson,
    /// No value is outside.
    Bounded {
        /// The least that there can be.
        low: f64,
        /// The greatest.
        high: f64,
    },
    /// Medians are compared.
    Median,
}

/// As the study file has it.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Setting::Bernoulli => f.write_str("noise = \"bernoulli\""),
            Setting::Poisson => f.write_str("noise = \"poisson\""),
            Setting::Bounded { low, high } => {
                write!(f, "noise = \"bounded\" and range = [{}, {}]", short(*low), short(*high))
            }
            Setting::Median => f.write_str("statistic = \"median\""),
        }
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Setting {
    /// What to write where observations are this, if there is something.
    pub(super) fn for_what_is(seen: &Seen) -> Option<Self> {
        match seen {
            Seen::Outlier { .. } | Seen::Skew { .. } => Some(Setting::Median),
            Seen::Levels { levels, complete, range, .. } => {
                let values: Vec<f64> = levels.iter().map(|level| level.value).chain([range.0, range.1]).collect();
                Setting::of_values(&values, *complete)
            }
            Seen::Counts { .. } => Some(Setting::Poisson),
            _ => None,
        }
    }

    /// What to write for values that are these, with the least and the greatest among them; `complete` if there are no others.
    pub(super) fn of_values(values: &[f64], complete: bool) -> Option<Self> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let bits = complete && values.iter().all(|&value| value == 0.0 || value == 1.0);
        (low < high).then_some(if bits { Setting::Bernoulli } else { Setting::Bounded { low, high } })
    }

    /// When to write it, in a sentence.
    pub(super) fn advice(&self) -> String {
        match self {
            Setting::Bernoulli => {
                format!(
                    "Write {self} if 0 and 1 are all that there can be: success rates have a proof of their own, which takes far fewer samples"
                )
            }
            Setting::Poisson => format!("Write {self} if each counts events that have nothing to do with each other"),
            Setting::Bounded { .. } => {
                format!(
                    "Write {self}, or the range that you know of, if no value can lie outside: the promise then holds whatever the values are"
                )
            }
            Setting::Median => format!("Write {self} to compare medians, which no outlier moves"),
        }
    }

    /// The problem with this said of an objective, if it can be said of it.
    pub(crate) fn said_of(&self, problem: &Problem, objective: usize) -> Option<Problem> {
        let mut objectives = problem.objectives().to_vec();
        self.say(&mut objectives[objective]);
        let changed = Problem::new(objectives, problem.arms().to_vec()).ok()?;
        match problem.correlation() {
            None => Some(changed),
            Some(correlation) => changed.with_correlation(correlation.clone()).ok(),
        }
    }

    /// Says it of an objective.
    pub fn say(&self, objective: &mut Objective) {
        match *self {
            Setting::Bernoulli => objective.noise = Noise::Bernoulli,
            Setting::Poisson => objective.noise = Noise::Poisson,
            Setting::Bounded { low, high } => objective.noise = Noise::Bounded { low, high },
            Setting::Median => objective.statistic = Statistic::MEDIAN,
        }
    }
}

/// What the same observations would say if the line stood there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Would {
    /// Whether there would be an answer.
    pub stopped: bool,
    /// How strong it would be.
    pub promise: Promise,
    /// About how many more samples it would take; `None` if that cannot be said.
    pub samples_expected: Option<f64>,
    /// How many there are.
    pub samples: u64,
    /// About how many more it takes as it is; `None` if that cannot be said, or if there is an answer.
    #[serde(skip)]
    instead_of: Option<f64>,
}

impl Would {
    /// In a sentence.
    pub(super) fn sentence(&self, setting: &Setting) -> String {
        let otherwise = match self.instead_of {
            Some(more) if more.is_finite() && more > 0.0 => format!(" instead of about {}", more_samples(more)),
            _ => String::new(),
        };
        let what = match (self.stopped, self.promise, self.samples_expected) {
            (true, Promise::Proved, _) => format!("sure with these {} samples", self.samples),
            (true, Promise::Likely, _) => format!("an answer with these {} samples", self.samples),
            (false, _, Some(more)) if more.is_finite() => format!("about {}{otherwise}", more_samples(more)),
            (false, ..) => "no answer yet".to_owned(),
        };
        format!("With {setting}: {what}")
    }
}

impl Answer {
    /// Tries what the remarks tell to write: `trial` has the answer of the same observations if it stood there, or nothing if it cannot.
    pub fn try_settings<E>(
        &mut self,
        mut trial: impl FnMut(usize, &Setting) -> Result<Option<Answer>, E>,
    ) -> Result<(), E> {
        let mut tried: Vec<(String, Setting, Option<Would>)> = Vec::new();
        let instead_of = self.samples_expected.filter(|_| !self.stopped);
        let place = |name: &str| self.objectives.iter().position(|objective| objective.name == name);
        for remark in &mut self.remarks {
            let Some(setting) = remark.setting else { continue };
            let known = tried.iter().find(|(name, known, _)| *name == remark.objective && *known == setting);
            if let Some((.., would)) = known {
                remark.would = would.clone();
                continue;
            }
            let Some(objective) = place(&remark.objective).filter(|_| tried.len() < MOST_TRIALS) else { continue };
            let would = trial(objective, &setting)?.map(|answer| Would {
                stopped: answer.stopped,
                promise: answer.promise,
                samples_expected: answer.samples_expected.filter(|_| !answer.stopped),
                samples: answer.samples,
                instead_of,
            });
            remark.would.clone_from(&would);
            tried.push((remark.objective.clone(), setting, would));
        }
        Ok(())
    }
}
