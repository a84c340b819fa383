//! An objective that is a weighted sum of what is read: `of = { revenue = 1.0, cost = -1.0 }`.

use super::document::{Located, Section};
use crate::file::input_error::{Fault, InputError};
use crate::words::number::short;

/// A weighted sum of readings.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedSum {
    /// What is read, and what it counts; in their order.
    parts: Vec<(String, f64)>,
}

impl WeightedSum {
    /// Under the key `of`, if it is there.
    pub(super) fn read(section: &Section) -> Result<Option<Self>, InputError> {
        let expected = "it as a table, for example { revenue = 1, cost = -1 }";
        let place = section.place().to_owned();
        let Some(table) = section.section("of", place.clone(), expected)? else { return Ok(None) };
        if section.has("measure") {
            return Err(section.fault_on(table.line, Fault::SumMeasured { place }));
        }
        let mut parts = Vec::new();
        for (reading, Located { value, line }) in table.numbers_by_key()? {
            if value == 0.0 {
                return Err(section.fault_on(line, Fault::ZeroWeight { place, reading }));
            }
            parts.push((reading, value));
        }
        if parts.is_empty() {
            return Err(section.fault_on(table.line, Fault::EmptySum { place }));
        }
        Ok(Some(WeightedSum { parts }))
    }

    /// Of these.
    #[cfg(test)]
    pub(super) fn of(parts: &[(&str, f64)]) -> Self {
        WeightedSum { parts: parts.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect() }
    }

    /// What it is a sum of.
    pub fn readings(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(reading, _)| reading.as_str())
    }

    /// Its value, where these are the readings.
    pub fn value(&self, reading: impl Fn(&str) -> f64) -> f64 {
        self.parts.iter().map(|(name, weight)| weight * reading(name)).sum()
    }
}

impl std::fmt::Display for WeightedSum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, (reading, weight)) in self.parts.iter().enumerate() {
            let sign = match (place, *weight < 0.0) {
                (0, false) => "",
                (0, true) => "−",
                (_, false) => " + ",
                (_, true) => " − ",
            };
            let factor = if weight.abs() == 1.0 { String::new() } else { format!("{} · ", short(weight.abs())) };
            write!(f, "{sign}{factor}{reading}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_what_its_parts_come_to() {
        let sum = WeightedSum::of(&[("revenue", 1.0), ("cost", -2.5)]);
        assert_eq!(sum.value(|name| if name == "cost" { 2.0 } else { 7.0 }), 2.0);
        assert_eq!(sum.to_string(), "revenue − 2.5 · cost");
    }
}
