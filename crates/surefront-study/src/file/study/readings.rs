//! What is read of an arm, and how its objectives are made of that: the one place where readings become objectives.
//!
//! Most often an objective is what is read. One that is a weighted sum of readings ([`WeightedSum`]) is not read itself: its parts are.

use surefront::Reading;
use thiserror::Error;

use super::weighted_sum::WeightedSum;
use crate::file::input_error::Fault;

/// The readings of a study, and the objectives that are made of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    names: Vec<String>,
    objectives: Vec<(String, Option<WeightedSum>)>,
}

/// What somebody gives: readings, or the objectives that were made of them already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// One number for each reading.
    Readings,
    /// One for each objective.
    Objectives,
}

/// Something that cannot be added up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{reading}\" is only known to be more than something, and \"{objective}\" is a sum with it: give a number")]
pub struct NotAdded {
    /// What is not known.
    pub reading: String,
    /// The sum.
    pub objective: String,
}

impl From<NotAdded> for Fault {
    fn from(NotAdded { reading, objective }: NotAdded) -> Self {
        Fault::NotAdded { reading, objective }
    }
}

impl Readings {
    /// Of these objectives, some of which may be sums.
    pub(crate) fn new(objectives: Vec<(String, Option<WeightedSum>)>) -> Self {
        let mut names: Vec<String> = Vec::new();
        for (objective, sum) in &objectives {
            let parts: Vec<&str> =
                sum.as_ref().map_or_else(|| vec![objective.as_str()], |sum| sum.readings().collect());
            for name in parts {
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        Readings { names, objectives }
    }

    /// Their names, in the order of the objectives that they come up in.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether some objective is a sum, and so not read itself.
    pub fn has_sums(&self) -> bool {
        self.objectives.iter().any(|(_, sum)| sum.is_some())
    }

    /// The names of what is given.
    pub fn names_of(&self, given: Given) -> Vec<&str> {
        match given {
            Given::Readings => self.names.iter().map(String::as_str).collect(),
            Given::Objectives => self.objectives.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    /// What is given, where these names are there: the objectives only if all of them are, and not all readings.
    pub fn among(&self, is_there: impl Fn(&str) -> bool) -> Given {
        let all = |given: Given| self.names_of(given).into_iter().all(&is_there);
        if !all(Given::Readings) && all(Given::Objectives) { Given::Objectives } else { Given::Readings }
    }

    /// What is given, if it is so many numbers in their order: the objectives only if there are as many, and not as many readings.
    pub fn in_order(&self, count: usize) -> Given {
        if count != self.names.len() && count == self.objectives.len() { Given::Objectives } else { Given::Readings }
    }

    /// One number for each objective, of as many as there are names of what is given.
    ///
    /// # Errors
    /// When a part of a sum is only known to be more than something.
    pub fn made_of(&self, given: Given, values: &[f64]) -> Result<Vec<f64>, NotAdded> {
        if given == Given::Objectives || !self.has_sums() {
            return Ok(values.to_vec());
        }
        let read = |name: &str| {
            let place = self.names.iter().position(|known| known == name).expect("it is one of the readings");
            values[place]
        };
        let made = self.objectives.iter().map(|(objective, sum)| match sum {
            None => Ok(read(objective)),
            Some(sum) => match sum.readings().find(|name| matches!(Reading::of(read(name)), Reading::MoreThan(_))) {
                Some(reading) => Err(NotAdded { reading: reading.to_owned(), objective: objective.clone() }),
                None => Ok(sum.value(read)),
            },
        });
        made.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings() -> Readings {
        let sum = WeightedSum::of(&[("revenue", 1.0), ("cost", -2.0)]);
        Readings::new(vec![("net".to_owned(), Some(sum)), ("seconds".to_owned(), None)])
    }

    #[test]
    fn sums_are_made_of_what_is_read() {
        let readings = readings();
        assert_eq!(readings.names(), ["revenue", "cost", "seconds"]);
        assert_eq!(readings.made_of(Given::Readings, &[7.0, 2.0, 0.5]), Ok(vec![3.0, 0.5]));
        assert_eq!(readings.made_of(Given::Objectives, &[3.0, 0.5]), Ok(vec![3.0, 0.5]));
        let more = Reading::MoreThan(5.0).as_value();
        assert!(readings.made_of(Given::Readings, &[7.0, more, 0.5]).unwrap_err().to_string().contains("\"cost\""));
        assert_eq!(readings.made_of(Given::Readings, &[7.0, 2.0, more]).unwrap()[0], 3.0);
    }

    #[test]
    fn objectives_may_be_given_instead() {
        let readings = readings();
        let among = |names: &[&str]| readings.among(|name| names.contains(&name));
        assert_eq!(among(&["net", "seconds"]), Given::Objectives);
        assert_eq!(among(&["revenue", "cost", "seconds", "net"]), Given::Readings);
        assert_eq!(among(&["revenue", "seconds"]), Given::Readings);
        assert_eq!((readings.in_order(2), readings.in_order(3)), (Given::Objectives, Given::Readings));
    }

    #[test]
    fn without_sums_all_is_as_it_was() {
        let plain = Readings::new(vec![("x".to_owned(), None), ("y".to_owned(), None)]);
        assert!(!plain.has_sums() && plain.names() == ["x", "y"]);
        assert_eq!(plain.among(|_| false), Given::Readings);
        assert_eq!(plain.made_of(Given::Readings, &[1.0, 2.0]), Ok(vec![1.0, 2.0]));
    }
}
