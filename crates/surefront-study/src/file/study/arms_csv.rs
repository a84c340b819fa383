//! The arms of a study as a CSV file: `arm,<objective>,…` with the means, optionally `cost` and `command`, and a column for each parameter that the
//! command for all arms asks for.

use std::collections::HashMap;
use std::path::Path;

use super::arms::{ArmEntry, check_cost, check_means};
use super::command::ArmCommand;
use super::document::Words;
use super::objectives::ObjectiveEntry;
use crate::file::csv_table::{CsvTable, number};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::suggestion::advice;

const ARM: &str = "arm";
const COMMAND: &str = "command";
const COST: &str = "cost";

/// Whether an objective of this name could not be told from another column.
pub fn is_reserved(objective: &str) -> bool {
    objective == ARM || objective == COMMAND
}

/// Reads the arms. Either every objective has a column of means or none has: then the means are left open.
pub fn read(path: &Path, objectives: &[ObjectiveEntry], parameters: &[String]) -> Result<Vec<ArmEntry>, InputError> {
    parse(&SourceText::read(path)?, objectives, parameters)
}

fn parse(
    source: &SourceText,
    objectives: &[ObjectiveEntry],
    parameters: &[String],
) -> Result<Vec<ArmEntry>, InputError> {
    let table = CsvTable::parse(source, "the header `arm,<objective>,…` and one line for each arm")?;
    let names = || objectives.iter().map(|objective| objective.name.as_str());
    if table.columns().any(|column| column.contains([';', '\t'])) {
        // Another separator: better said of the whole header than of its one strange column.
        table.column(ARM)?;
    }
    // An objective may be called "cost": then its column holds means.
    let cost_column = if names().any(|name| name == COST) { None } else { table.find(COST) };
    let known = [ARM, COMMAND, COST]
        .into_iter()
        .chain(names())
        .chain(parameters.iter().map(String::as_str))
        .collect::<Vec<_>>();
    if let Some(column) = table.columns().find(|column| !known.contains(column)) {
        let advice = advice(column, known.iter().copied());
        return Err(table.header_fault(Fault::UnknownColumn { column: column.to_owned(), advice }));
    }
    let arm_column = table.column(ARM)?;
    let mean_columns = if names().any(|name| table.find(name).is_some()) {
        Some(names().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?)
    } else {
        None
    };
    let command_column = table.find(COMMAND);
    let parameter_columns: Vec<(&String, usize)> =
        parameters.iter().filter_map(|name| Some((name, table.find(name)?))).collect();
    if table.rows().len() == 0 {
        return Err(source.fault(Fault::NoArmRows));
    }

    let mut lines = HashMap::new();
    let mut arms = Vec::with_capacity(table.rows().len());
    for (number_of_row, (line, row)) in table.rows().enumerate() {
        let name = row[arm_column].to_owned();
        if name.is_empty() {
            let place = format!("arm number {}", number_of_row + 1);
            return Err(source.fault_on_line(line, Fault::EmptyName { place }));
        }
        if let Some(first_line) = lines.insert(name.clone(), line) {
            return Err(source.fault_on_line(line, Fault::DuplicateName { what: "an arm", name, first_line }));
        }
        let place = format!("arm \"{name}\"");
        let means = mean_columns
            .as_ref()
            .map(|columns| {
                let cells = columns.iter().zip(names());
                cells.map(|(&column, objective)| number(&row[column], objective, &place)).collect::<Result<Vec<_>, _>>()
            })
            .transpose()
            .and_then(|means| match means {
                Some(means) => check_means(&place, &means, objectives).map(|()| Some(means)),
                None => Ok(None),
            })
            .map_err(|fault| source.fault_on_line(line, fault))?;
        let cost = cost_column.map(|column| {
            number(&row[column], COST, &place)
                .and_then(|cost| check_cost(&place, cost))
                .map_err(|fault| source.fault_on_line(line, fault))
        });
        let command = command_column.map(|column| {
            ArmCommand::new(Words::Text(row[column].to_owned()))
                .ok_or_else(|| source.fault_on_line(line, Fault::EmptyCommand { key: "command", place }))
        });
        let parameters =
            parameter_columns.iter().map(|(name, column)| ((*name).clone(), row[*column].to_owned())).collect();
        arms.push(ArmEntry {
            name,
            means,
            noise: None,
            cost: cost.transpose()?,
            command: command.transpose()?,
            parameters,
            line,
        });
    }
    Ok(arms)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use surefront::{Goal, Limits, Margin, Noise, Role, Statistic};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever the file holds, reading it ends in arms with a mean for each objective or in a sentence.
        #[test]
        fn any_text_is_read_or_refused(
            header in prop::sample::select(vec!["", "arm,x,y\n", "y,arm,x,command\r\n", "arm\n"]),
            body in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..80),
                "[a-c1-9,.\"\n\r; -]{0,80}".prop_map(String::into_bytes),
            ],
        ) {
            let entry = |name: &str| ObjectiveEntry {
                name: name.to_owned(), goal: Goal::Max, noise: Some(Noise::Exact), open: false, statistic: Statistic::Mean, margin: Margin::NONE, limits: Limits::default(), role: Role::Optimised,
                measure: None, sum: None, unit: None, line: 1,
            };
            let bytes = [header.as_bytes(), &body].concat();
            let arms = SourceText::new(Path::new("arms.csv"), bytes)
                .and_then(|source| parse(&source, &[entry("x"), entry("y")], &[]));
            match arms {
                Ok(arms) => prop_assert!(arms.iter().all(|arm| arm.means.as_ref().is_none_or(|row| row.len() == 2))),
                Err(error) => prop_assert!(error.to_string().starts_with("arms.csv")),
            }
        }
    }
}
