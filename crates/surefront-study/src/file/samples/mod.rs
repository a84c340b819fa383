//! Samples that exist already: a CSV stream with one row per observation, into a problem and its tally.

mod columns;
mod gathered;
mod row_reader;
mod successes;

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use surefront::{Objective, ObservationError, Problem, Reading, Tally};

use self::columns::{Columns, Header, number};
pub use self::gathered::Gathered;
use self::row_reader::{Row, RowError, RowReader};
use crate::file::input_error::{Fault, InputError};
use crate::look::Look;
use crate::words::plural::counted;

/// What a stream of samples holds.
#[derive(Debug)]
pub struct Samples {
    /// The arms met, in the order in which they were met, and the objectives.
    pub problem: Problem,
    /// Their observations.
    pub tally: Tally,
    /// What they look like.
    pub look: Look,
    /// The column that the arms were taken from.
    pub arm_column: String,
    /// The columns that were not read.
    pub ignored: Vec<String>,
}

/// Reads samples of these objectives to the end. `origin` is where they come from, for messages; without `arm_column` it is taken
/// to be the column called `arm`, or the only one with text.
pub fn read(
    input: impl Read,
    origin: &Path,
    objectives: Vec<Objective>,
    arm_column: Option<&str>,
) -> Result<Samples, InputError> {
    let at = |line: usize| move |fault: Fault| InputError::at_line(origin, line, fault);
    let broken = |error: RowError| match error {
        RowError::Read(error) => InputError::of_file(origin, Fault::unreadable(error)),
        RowError::OpenQuote { line } => at(line)(Fault::OpenQuote),
        RowError::Endless { line } => at(line)(Fault::EndlessRow),
    };
    let mut rows = RowReader::new(input).map_err(broken)?;
    let expected = "a header with the columns' names, and a row for each observation";
    let first = rows.next().map_err(broken)?.ok_or_else(|| InputError::of_file(origin, Fault::Empty { expected }))?;
    let header_line = first.line();
    let header = Header::new(&first).map_err(at(header_line))?;

    let names = objectives.iter().map(|objective| objective.name.clone()).collect::<Vec<_>>();
    let mut row = rows.next().map_err(broken)?;
    let columns =
        header.columns(names.iter().map(String::as_str), arm_column, row.as_ref()).map_err(at(header_line))?;
    let gathered = Gathered::new(objectives).map_err(|fault| InputError::of_file(origin, fault))?;
    let mut collector = Collector { header: &header, columns, gathered, arms: HashMap::new(), values: Vec::new() };
    while let Some(present) = row {
        collector.take(&present).map_err(at(present.line()))?;
        row = rows.next().map_err(broken)?;
    }
    collector.finish().map_err(|fault| InputError::of_file(origin, fault))
}

/// Whether a number can be a value: larger ones stand for something else.
fn is_value(number: f64) -> bool {
    Reading::is_plain(number) && Reading::Value(number).is_sound()
}

/// Rows into observations.
struct Collector<'a> {
    header: &'a Header,
    columns: Columns,
    gathered: Gathered,
    arms: HashMap<Box<[u8]>, usize>,
    values: Vec<f64>,
}

impl Collector<'_> {
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        if row.len() != self.header.len() {
            return Err(Fault::RaggedRow {
                found: counted(row.len(), "value", "values"),
                expected: counted(self.header.len(), "column", "columns"),
            });
        }
        self.values.clear();
        for &column in &self.columns.objectives {
            match number(row.field(column)) {
                Some(value) if is_value(value) => self.values.push(value),
                // Whether it can be borne that a value is more than something depends on what is compared.
                _ => match std::str::from_utf8(row.field(column)).ok().and_then(Reading::parse) {
                    Some(reading) => self.values.push(reading.as_value()),
                    None => return Err(self.not_a_number(row, column)),
                },
            }
        }
        let name = row.field(self.columns.arm);
        let arm = match self.arms.get(name) {
            Some(&arm) => arm,
            None => self.meet(name)?,
        };
        self.gathered.add(arm, &self.values)
    }

    /// An arm that has not been met before.
    fn meet(&mut self, name: &[u8]) -> Result<usize, Fault> {
        let text = std::str::from_utf8(name).map_err(|_| Fault::NotUtf8)?;
        if text.is_empty() {
            return Err(Fault::NoArm { column: self.header.name(self.columns.arm).to_owned() });
        }
        let arm = self.gathered.meet(text);
        self.arms.insert(name.into(), arm);
        Ok(arm)
    }

    fn not_a_number(&self, row: &Row<'_>, column: usize) -> Fault {
        let text = String::from_utf8_lossy(row.field(column)).into_owned();
        let place = format!("arm \"{}\"", String::from_utf8_lossy(row.field(self.columns.arm)));
        let key = self.header.name(column).to_owned();
        match number(row.field(column)) {
            Some(value) if value.is_finite() => {
                let arm = String::from_utf8_lossy(row.field(self.columns.arm)).into_owned();
                ObservationError::BadValue { arm, objective: key, value }.into()
            }
            Some(_) => Fault::NotFinite { place, key, value: text },
            None if text.is_empty() => Fault::EmptyCell { place, key },
            None => Fault::NotANumber { place, key, text },
        }
    }

    fn finish(self) -> Result<Samples, Fault> {
        let read = |column: &usize| *column == self.columns.arm || self.columns.objectives.contains(column);
        let ignored = (0..self.header.len()).filter(|column| !read(column));
        let ignored = ignored.map(|column| self.header.name(column).to_owned()).collect();
        self.gathered.finish(self.header.name(self.columns.arm).to_owned(), ignored)
    }
}
