//! Results of measurements as CSV: a column for each reading, or for each objective, and `ticket` or `arm` or both.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use surefront::Problem;

use crate::file::csv_table::{CsvTable, reading};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::file::study::Readings;
use crate::words::suggestion::advice;

const TICKET: &str = "ticket";
const ARM: &str = "arm";

/// All rows that have values.
#[derive(Debug, PartialEq)]
pub struct Results {
    /// The rows, in the file's order.
    pub rows: Vec<ResultRow>,
    /// How many rows have a ticket and no values.
    pub open: usize,
    /// Columns that mean nothing to us.
    pub ignored: Vec<String>,
}

/// What was measured of one arm.
#[derive(Debug, PartialEq)]
pub struct ResultRow {
    /// Where it is written.
    pub line: usize,
    /// Whose it is.
    pub key: Key,
    /// One value for each objective.
    pub values: Vec<f64>,
}

/// Whose result it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// This ticket's.
    Ticket(i64),
    /// This ticket's, which should be for this arm.
    TicketFor(i64, usize),
    /// This arm's, without a ticket.
    Arm(usize),
}

/// Reads a file; `-` is standard input.
pub fn read(path: &Path) -> Result<SourceText, InputError> {
    if path != Path::new("-") {
        return SourceText::read(path);
    }
    let origin = Path::new("standard input");
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => SourceText::new(origin, bytes),
        Err(error) => Err(InputError::of_file(origin, Fault::Unreadable(error))),
    }
}

/// The results in what was sent under this name.
pub fn of_bytes(name: &Path, bytes: Vec<u8>, problem: &Problem, readings: &Readings) -> Result<Results, InputError> {
    parse(&SourceText::new(name, bytes)?, problem, readings)
}

/// The results in a text, for the arms of this problem, whose objectives are made of these readings.
pub fn parse(source: &SourceText, problem: &Problem, readings: &Readings) -> Result<Results, InputError> {
    let table =
        CsvTable::parse(source, "a header with `ticket` or `arm` and the objectives, and one line for each result")?;
    let given = readings.among(|name| table.find(name).is_some());
    let names = || readings.names_of(given).into_iter();
    if let Some(clash) = names().find(|name| [TICKET, ARM].contains(name)) {
        return Err(table.header_fault(Fault::AmbiguousColumn { column: clash.to_owned() }));
    }
    let (ticket_column, arm_column) = (table.find(TICKET), table.find(ARM));
    if ticket_column.is_none() && arm_column.is_none() {
        return Err(table.header_fault(Fault::NoKeyColumn));
    }
    let columns = names().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    let known: Vec<&str> = [TICKET, ARM].into_iter().chain(names()).collect();
    let ignored = table.columns().filter(|column| !known.contains(column)).map(str::to_owned).collect();
    let places: HashMap<&str, usize> =
        problem.arms().iter().enumerate().map(|(index, arm)| (arm.name.as_str(), index)).collect();

    let mut results = Results { rows: Vec::with_capacity(table.rows().len()), open: 0, ignored };
    for (line, row) in table.rows() {
        let fault = |fault| source.fault_on_line(line, fault);
        let cell = |column: Option<usize>| column.map(|column| &row[column]).filter(|text| !text.is_empty());
        let (ticket, arm) = (cell(ticket_column), cell(arm_column));
        if ticket.is_some() && columns.iter().all(|&column| row[column].is_empty()) {
            results.open += 1;
            continue;
        }
        let ticket = ticket
            .map(|text| text.parse::<i64>().map_err(|_| fault(Fault::NotATicket { text: text.to_owned() })))
            .transpose()?;
        let arm = arm
            .map(|name| {
                places.get(name).copied().ok_or_else(|| {
                    let advice = advice(name, problem.arms().iter().map(|arm| arm.name.as_str()));
                    fault(Fault::UnknownArm { arm: name.to_owned(), advice })
                })
            })
            .transpose()?;
        let key = match (ticket, arm) {
            (Some(ticket), Some(arm)) => Key::TicketFor(ticket, arm),
            (Some(ticket), None) => Key::Ticket(ticket),
            (None, Some(arm)) => Key::Arm(arm),
            (None, None) => return Err(fault(Fault::NoKey)),
        };
        let place = match key {
            Key::Ticket(ticket) => format!("ticket {ticket}"),
            Key::TicketFor(_, arm) | Key::Arm(arm) => format!("arm \"{}\"", problem.arms()[arm].name),
        };
        let values =
            columns.iter().zip(names()).map(|(&column, name)| reading(&row[column], name, &place).map_err(fault));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let values = readings.made_of(given, &values).map_err(|error| fault(error.into()))?;
        results.rows.push(ResultRow { line, key, values });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use surefront::{Arm, Goal, Noise, Objective};

    use super::*;

    fn problem() -> Problem {
        let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Unknown);
        Problem::new(vec![objective("x"), objective("y")], vec![Arm::named("a"), Arm::named("b, c")]).unwrap()
    }

    fn results(bytes: &[u8]) -> Result<Results, InputError> {
        let readings = Readings::new(vec![("x".to_owned(), None), ("y".to_owned(), None)]);
        parse(&SourceText::new(Path::new("r.csv"), bytes.to_vec())?, &problem(), &readings)
    }

    #[test]
    fn rows_belong_to_tickets_or_arms() {
        let text = "\u{feff}y,ticket,date,arm,x\r\n2,7,May,a,1\r\n,8,,a,\r\n\r\n4,,,\"b, c\",-3\r\n6,9,,,5\r\n";
        let Results { rows, open, ignored } = results(text.as_bytes()).unwrap();
        assert_eq!((open, ignored), (1, vec!["date".to_owned()]));
        assert_eq!(
            rows,
            [
                ResultRow { line: 2, key: Key::TicketFor(7, 0), values: vec![1.0, 2.0] },
                ResultRow { line: 5, key: Key::Arm(1), values: vec![-3.0, 4.0] },
                ResultRow { line: 6, key: Key::Ticket(9), values: vec![5.0, 6.0] },
            ]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever the file holds, reading it ends in rows with a value for each objective or in a sentence.
        #[test]
        fn any_text_is_read_or_refused(
            header in prop::sample::select(vec!["", "arm,x,y\n", "ticket,x,y\r\n", "y,arm,x,ticket\n"]),
            body in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..80),
                "[ab1-9,.\"\n\r; -]{0,80}".prop_map(String::into_bytes),
            ],
        ) {
            match results(&[header.as_bytes(), &body].concat()) {
                Ok(results) => prop_assert!(results.rows.iter().all(|row| row.values.len() == 2)),
                Err(error) => prop_assert!(error.to_string().starts_with("r.csv")),
            }
        }
    }
}
