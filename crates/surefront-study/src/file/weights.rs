//! A file of weights, in any of three forms: a CSV with the columns `arm` and `weight`, one number per line in the study's
//! order, or JSON: a list of numbers, or an object with such a list as `weights`, as `surefront bound --json` prints.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use surefront::{Problem, Weights};

use crate::file::csv_table::{CsvTable, number};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::plural::{counted, there_are};
use crate::words::suggestion::advice;

/// One weight for each arm of `problem`, from a file.
pub fn read(path: &Path, problem: &Problem) -> Result<Weights, InputError> {
    parse(&SourceText::read(path)?, problem)
}

fn parse(source: &SourceText, problem: &Problem) -> Result<Weights, InputError> {
    let text = source.text().trim_start();
    let weights = if text.starts_with(['[', '{']) {
        from_json(source, problem)?
    } else {
        let first = text.lines().next().map(str::trim);
        match first {
            None => {
                let expected = "one weight per line, or a CSV with the columns arm and weight";
                return Err(source.fault(Fault::Empty { expected }));
            }
            Some(first) if first.parse::<f64>().is_ok() => from_lines(source, problem)?,
            Some(first) if first.contains(',') => from_csv(source, problem)?,
            Some(first) => {
                let line = source.line(source.text().len() - text.len());
                return Err(source.fault_on_line(line, Fault::NoWeightsFormat { text: first.to_owned() }));
            }
        }
    };
    Weights::new(problem.arm_count(), weights).map_err(|error| source.fault(error.into()))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Json {
    List(Vec<f64>),
    Object { weights: Vec<f64> },
}

fn from_json(source: &SourceText, problem: &Problem) -> Result<Vec<f64>, InputError> {
    // Twice, because only the first pass can say on which line the text breaks off.
    let value: serde_json::Value = serde_json::from_str(source.text())
        .map_err(|error| source.fault_on_line(error.line().max(1), Fault::Json(error.to_string())))?;
    let weights = match serde_json::from_value(value) {
        Ok(Json::List(weights) | Json::Object { weights }) => weights,
        Err(_) => return Err(source.fault(Fault::Json("it holds something else".to_owned()))),
    };
    check_count(source, problem, weights.len())?;
    for (&value, arm) in weights.iter().zip(problem.arms()) {
        check(value, &arm.name).map_err(|fault| source.fault(fault))?;
    }
    Ok(weights)
}

fn from_lines(source: &SourceText, problem: &Problem) -> Result<Vec<f64>, InputError> {
    let lines = source.text().lines().enumerate().filter(|(_, text)| !text.trim().is_empty());
    let mut weights = Vec::new();
    for (index, text) in lines {
        let name = problem.arms().get(weights.len()).map_or("past the last", |arm| arm.name.as_str());
        let weight = number(text.trim(), "weight", &format!("arm \"{name}\""))
            .and_then(|value| check(value, name))
            .map_err(|fault| source.fault_on_line(index + 1, fault))?;
        weights.push(weight);
    }
    check_count(source, problem, weights.len())?;
    Ok(weights)
}

fn from_csv(source: &SourceText, problem: &Problem) -> Result<Vec<f64>, InputError> {
    let table = CsvTable::parse(source, "the header `arm,weight` and one line for each arm")?;
    let known = ["arm", "weight"];
    if let Some(column) = table.columns().find(|column| !known.contains(column)) {
        let advice = advice(column, known);
        return Err(table.header_fault(Fault::UnknownColumn { column: column.to_owned(), advice }));
    }
    let (arm_column, weight_column) = (table.column("arm")?, table.column("weight")?);
    let places: HashMap<&str, usize> =
        problem.arms().iter().enumerate().map(|(index, arm)| (arm.name.as_str(), index)).collect();
    let mut weights: Vec<Option<(f64, usize)>> = vec![None; problem.arm_count()];
    for (line, row) in table.rows() {
        let name = &row[arm_column];
        let Some(&place) = places.get(name) else {
            let advice = advice(name, problem.arms().iter().map(|arm| arm.name.as_str()));
            return Err(source.fault_on_line(line, Fault::UnknownArm { arm: name.to_owned(), advice }));
        };
        let weight = number(&row[weight_column], "weight", &format!("arm \"{name}\""))
            .and_then(|value| check(value, name))
            .map_err(|fault| source.fault_on_line(line, fault))?;
        if let Some((_, first_line)) = weights[place].replace((weight, line)) {
            return Err(source.fault_on_line(line, Fault::WeightTwice { arm: name.to_owned(), first_line }));
        }
    }
    weights
        .into_iter()
        .zip(problem.arms())
        .map(|(weight, arm)| match weight {
            Some((weight, _)) => Ok(weight),
            None => Err(source.fault(Fault::WeightMissing { arm: arm.name.clone() })),
        })
        .collect()
}

fn check(value: f64, arm: &str) -> Result<f64, Fault> {
    // Written so that NaN fails.
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(Fault::BadWeight { arm: arm.to_owned(), value }) }
}

fn check_count(source: &SourceText, problem: &Problem, found: usize) -> Result<(), InputError> {
    let expected = problem.arm_count();
    if found == expected {
        return Ok(());
    }
    let fault =
        Fault::WeightCount { found: there_are(found, "weight", "weights"), expected: counted(expected, "arm", "arms") };
    Err(source.fault(fault))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use surefront::{Arm, Goal, Noise, Objective};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever the file holds, reading it ends in one weight for each arm or in a sentence.
        #[test]
        fn any_text_is_read_or_refused(
            header in prop::sample::select(vec!["", "arm,weight\n", "[", "{\"weights\": [", "1\n"]),
            body in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..60),
                "[ab1-9,.\"\n\r\\]} -]{0,30}".prop_map(String::into_bytes),
            ],
        ) {
            let objective = Objective::new("x", Goal::Max, Noise::Exact);
            let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")]).unwrap();
            let bytes = [header.as_bytes(), &body].concat();
            match SourceText::new(Path::new("w"), bytes).and_then(|source| parse(&source, &problem)) {
                Ok(weights) => prop_assert_eq!(weights.len(), 2),
                Err(error) => prop_assert!(error.to_string().starts_with('w')),
            }
        }
    }
}
