//! What was measured, as Python code says it: a value for each objective, by name or in their order.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::{advice, listed};
use thiserror::Error;

/// What is wrong with values, worded to follow "values:" or "the function … returned".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    /// Something else altogether.
    #[error("{found}: give a number for each objective, such as {{{example}}}")]
    NoValues {
        /// What it is.
        found: String,
        /// What would do.
        example: String,
    },
}

/// The values of these objectives, in their order.
pub fn values(given: &Bound<'_, PyAny>, objectives: &[String]) -> Result<Vec<f64>, ValuesError> {
    if let Ok(dict) = given.cast::<PyDict>() {
        let mut values = vec![0.0; objectives.len()];
        let mut found = 0;
        for (value, name) in values.iter_mut().zip(objectives) {
            if let Ok(Some(entry)) = dict.get_item(name) {
                *value = number(&entry, name)?;
                found += 1;
            }
        }
        return if found == objectives.len() && dict.len() == found {
            Ok(values)
        } else {
            Err(amiss(dict.keys().iter().map(|key| key.to_string()).collect(), objectives))
        };
    }
    if let Ok(mapping) = given.cast::<PyMapping>() {
        let names: Vec<String> =
            mapping.keys().map_or_else(|_| Vec::new(), |keys| keys.iter().map(|key| key.to_string()).collect());
        if names.len() != objectives.len() || names.iter().any(|name| !objectives.contains(name)) {
            return Err(amiss(names, objectives));
        }
        let entry =
            |name: &String| number(&mapping.get_item(name).map_err(|_| amiss(names.clone(), objectives))?, name);
        return objectives.iter().map(entry).collect();
    }
    if let [only] = objectives
        && let Ok(value) = given.extract::<f64>()
    {
        let _ = only;
        return Ok(vec![value]);
    }
    let Ok(entries) = given.try_iter() else { return Err(no_values(given, objectives)) };
    let entries: Vec<Bound<'_, PyAny>> = entries.collect::<PyResult<_>>().map_err(|_| no_values(given, objectives))?;
    if entries.len() != objectives.len() || given.is_instance_of::<pyo3::types::PyString>() {
        let found = counted(entries.len(), "value", "values");
        return Err(ValuesError::Count { found, objectives: listed(objectives.iter().map(String::as_str)) });
    }
    entries.iter().zip(objectives).map(|(entry, name)| number(entry, name)).collect()
}

fn number(entry: &Bound<'_, PyAny>, objective: &str) -> Result<f64, ValuesError> {
    entry.extract().map_err(|_| ValuesError::NotANumber { objective: objective.to_owned(), found: kind(entry) })
}

/// Of names that are not those of the objectives: what is wrong.
fn amiss(names: Vec<String>, objectives: &[String]) -> ValuesError {
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
