//! What was measured, as Python code says it: a value for each reading, by name or in their order, or for each objective that is made of them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyMapping, PyString};
use surefront::Reading;
use surefront_study::file::study::{Given, Readings};
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::{advice, listed};
use thiserror::Error;

/// What is wrong with values, worded to follow "values:" or "the function … returned".
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ValuesError {
    /// Objectives without a value.
    #[error("no value for {missing}: give one for each objective")]
    Missing {
        /// Their names.
        missing: String,
    },
    /// A name that is not an objective's.
    #[error("a value for \"{name}\", which is no objective: {advice}")]
    Unknown {
        /// The name.
        name: String,
        /// The nearest objective, or all of them.
        advice: String,
    },
    /// Not one for each.
    #[error("{found}: give one for each objective, {objectives} in this order, or each by name")]
    Count {
        /// How many there are, in words.
        found: String,
        /// The objectives.
        objectives: String,
    },
    /// Something else in a number's place.
    #[error("{found} for \"{objective}\": give a number")]
    NotANumber {
        /// The objective.
        objective: String,
        /// What it is.
        found: String,
    },
    /// A number that is beyond all values.
    #[error(
        "{value:e} for \"{objective}\": give a number of at most 1e75 in size, or inf for one that is more than any"
    )]
    TooLarge {
        /// The objective.
        objective: String,
        /// The number.
        value: f64,
    },
    /// A part of a sum that is only known to be more than something.
    #[error("what cannot be added up: {0}")]
    NotAdded(String),
    /// Something else altogether.
    #[error("{found}: give a number for each objective, such as {{{example}}}")]
    NoValues {
        /// What it is.
        found: String,
        /// What would do.
        example: String,
    },
}

/// The readings, and the objectives that are made of them, as Python has their names.
pub struct Objectives {
    readings: Readings,
    read: Named,
    made: Named,
}

/// Names that values come with.
struct Named {
    given: Given,
    names: Vec<String>,
    /// Made once: to look one up in a dictionary costs nothing but that.
    keys: Vec<Py<PyString>>,
}

impl Objectives {
    /// Those that are made of these readings.
    pub fn new(py: Python<'_>, readings: Readings) -> Self {
        let (read, made) = (Named::new(py, &readings, Given::Readings), Named::new(py, &readings, Given::Objectives));
        Objectives { readings, read, made }
    }

    /// Their names, in order.
    pub fn names(&self) -> &[String] {
        &self.made.names
    }

    /// The names of what is read, in order.
    pub fn readings(&self) -> &[String] {
        &self.read.names
    }

    /// A value for each, in their order.
    pub fn values(&self, given: &Bound<'_, PyAny>) -> Result<Vec<f64>, ValuesError> {
        let named = if self.readings.has_sums() { self.which(given) } else { &self.read };
        self.made_of(named.given, &named.values(given)?)
    }

    /// A value for each, of as many as there are readings, or objectives.
    pub fn made_of(&self, given: Given, values: &[f64]) -> Result<Vec<f64>, ValuesError> {
        self.readings.made_of(given, values).map_err(|error| ValuesError::NotAdded(error.to_string()))
    }

    /// What so many values in order are.
    pub fn in_order(&self, count: usize) -> Given {
        self.readings.in_order(count)
    }

    /// Whether readings are given, or what is made of them.
    fn which(&self, given: &Bound<'_, PyAny>) -> &Named {
        let which = match given.cast::<PyMapping>() {
            Ok(mapping) => self.readings.among(|name| mapping.contains(name).unwrap_or(false)),
            Err(_) => self.readings.in_order(given.len().unwrap_or(1)),
        };
        if which == Given::Objectives { &self.made } else { &self.read }
    }
}

impl Named {
    fn new(py: Python<'_>, readings: &Readings, given: Given) -> Self {
        let names: Vec<String> = readings.names_of(given).into_iter().map(str::to_owned).collect();
        let keys = names.iter().map(|name| PyString::intern(py, name).unbind()).collect();
        Named { given, names, keys }
    }

    /// A value for each, in their order.
    fn values(&self, given: &Bound<'_, PyAny>) -> Result<Vec<f64>, ValuesError> {
        if let Ok(dict) = given.cast::<PyDict>() {
            return self.by_name(dict.len(), |key| dict.get_item(key).ok().flatten(), || texts(dict.keys().try_iter()));
        }
        if let Ok(list) = given.cast::<PyList>() {
            return self.in_order(list.iter().collect());
        }
        if let Ok(mapping) = given.cast::<PyMapping>() {
            let names = || texts(mapping.keys().and_then(|keys| keys.try_iter()));
            return self.by_name(mapping.len().unwrap_or(0), |key| mapping.get_item(key).ok(), names);
        }
        if self.names.len() == 1
            && let Ok(value) = given.extract::<f64>()
        {
            return Ok(vec![sound(value, &self.names[0])?]);
        }
        let entries = given.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
        let entries = if given.is_instance_of::<PyString>() { None } else { entries.ok() };
        self.in_order(entries.ok_or_else(|| no_values(given, &self.names))?)
    }

    fn in_order(&self, entries: Vec<Bound<'_, PyAny>>) -> Result<Vec<f64>, ValuesError> {
        if entries.len() != self.names.len() {
            let found = counted(entries.len(), "value", "values");
            return Err(ValuesError::Count { found, objectives: listed(self.names.iter().map(String::as_str)) });
        }
        entries.iter().zip(&self.names).map(|(entry, name)| number(entry, name)).collect()
    }

    /// `count` entries of these `names`.
    fn by_name<'py>(
        &self,
        count: usize,
        entry: impl Fn(&Py<PyString>) -> Option<Bound<'py, PyAny>>,
        names: impl Fn() -> Vec<String>,
    ) -> Result<Vec<f64>, ValuesError> {
        let mut values = Vec::with_capacity(self.names.len());
        for (key, name) in self.keys.iter().zip(&self.names) {
            let entry = entry(key).ok_or_else(|| amiss(&names(), &self.names))?;
            values.push(number(&entry, name)?);
        }
        if count == values.len() { Ok(values) } else { Err(amiss(&names(), &self.names)) }
    }
}

/// Keys as texts.
fn texts<'py>(keys: PyResult<Bound<'py, PyIterator>>) -> Vec<String> {
    keys.map_or_else(|_| Vec::new(), |keys| keys.filter_map(Result::ok).map(|key| key.to_string()).collect())
}

/// A number, or a text such as ">200".
fn number(entry: &Bound<'_, PyAny>, objective: &str) -> Result<f64, ValuesError> {
    if let Ok(value) = entry.extract() {
        return sound(value, objective);
    }
    let more = entry.extract::<String>().ok().and_then(|text| Reading::parse(&text));
    more.map(Reading::as_value)
        .ok_or_else(|| ValuesError::NotANumber { objective: objective.to_owned(), found: kind(entry) })
}

/// A number that is not taken for something else. Whether it can be a value is for the study to say.
pub fn sound(value: f64, objective: &str) -> Result<f64, ValuesError> {
    if value.is_finite() && !Reading::is_plain(value) {
        return Err(ValuesError::TooLarge { objective: objective.to_owned(), value });
    }
    Ok(value)
}

/// Of names that are not those of the objectives: what is wrong.
fn amiss(names: &[String], objectives: &[String]) -> ValuesError {
    if let Some(name) = names.iter().find(|name| !objectives.contains(name)) {
        let advice = advice(name, objectives.iter().map(String::as_str));
        return ValuesError::Unknown { name: name.clone(), advice };
    }
    let missing = objectives.iter().filter(|objective| !names.contains(objective));
    ValuesError::Missing { missing: listed(missing.map(String::as_str)) }
}

fn no_values(given: &Bound<'_, PyAny>, objectives: &[String]) -> ValuesError {
    let example = objectives.iter().map(|name| format!("\"{name}\": 1.5")).collect::<Vec<_>>().join(", ");
    ValuesError::NoValues { found: kind(given), example }
}

/// What something is, in a few words.
fn kind(given: &Bound<'_, PyAny>) -> String {
    if given.is_none() {
        return "None".to_owned();
    }
    let name = given.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name}")
}
