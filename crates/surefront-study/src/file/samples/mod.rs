//! Samples that exist already: a table in one of the forms that people keep, into a problem and its tally.

mod by_row;
mod cells;
mod columns;
mod container;
mod decimals;
mod dialect;
mod form;
mod gathered;
mod json_rows;
mod kept_row;
mod layout;
mod left_out;
mod long;
mod names;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod row_reader;
mod successes;
mod summed;
mod table;
mod utf16;

use std::io::Read;
use std::path::Path;

use surefront::{Objective, Problem, Reading, Tally};

use self::container::Content;
pub use self::decimals::Decimal;
pub use self::form::Form;
pub use self::gathered::Gathered;
use self::json_rows::JsonRows;
pub use self::left_out::LeftOut;
use self::row_reader::{RowError, RowReader};
use self::table::Reader;
use crate::file::input_error::{Fault, InputError};
use crate::look::Look;

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
    /// What a row was.
    pub form: Form,
    /// What did not count.
    pub left_out: LeftOut,
    /// The units that stand in the header, by objective.
    pub units: Vec<Option<String>>,
}

/// What somebody said about a table.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// The column that names the arm; else it is the one called `arm`, or the only one with text.
    pub arm: Option<String>,
    /// Where a row is one value: the column that names the objective; else it is the one that holds the objectives' names.
    pub metric: Option<String>,
    /// Where a row is one value: its column; else it is the one called `value`, or the only one with numbers.
    pub value: Option<String>,
    /// What stands before decimals; else the numbers show it.
    pub decimal: Option<Decimal>,
}

/// Reads samples of these objectives to the end. `origin` is where they come from, for messages.
///
/// # Errors
/// When they cannot be read, or could be read in more than one way.
pub fn read<'a>(
    input: impl Read + 'a,
    origin: &'a Path,
    objectives: Vec<Objective>,
    naming: &Naming,
) -> Result<Samples, InputError> {
    let broken = |error: RowError| row_error(origin, error);
    let reader = Reader { origin, objectives, naming };
    let content = container::open(Box::new(input)).map_err(|fault| InputError::of_file(origin, fault))?;
    match content {
        Content::Csv(input) => {
            let mut wanted: Vec<&str> = reader.objectives.iter().map(|objective| objective.name.as_str()).collect();
            wanted.extend([&naming.arm, &naming.metric, &naming.value].into_iter().flatten().map(String::as_str));
            let rows = RowReader::new(input, &wanted).map_err(broken)?;
            reader.read(rows)
        }
        Content::Json(input) => reader.read(JsonRows::new(input).map_err(broken)?),
        Content::Parquet(input) => read_parquet(reader, input),
    }
}

#[cfg(feature = "parquet")]
fn read_parquet(reader: Reader<'_>, input: impl Read) -> Result<Samples, InputError> {
    let rows = parquet_rows::ParquetRows::new(input).map_err(|error| row_error(reader.origin, error))?;
    reader.read(rows)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(reader: Reader<'_>, _: impl Read) -> Result<Samples, InputError> {
    Err(InputError::of_file(reader.origin, Fault::ParquetLeftOut))
}

fn row_error(origin: &Path, error: RowError) -> InputError {
    let at = |line: usize, fault: Fault| InputError::at_line(origin, line, fault);
    match error {
        RowError::Read(error) => InputError::of_file(origin, Fault::unreadable(error)),
        RowError::OpenQuote { line } => at(line, Fault::OpenQuote),
        RowError::Endless { line } => at(line, Fault::EndlessRow),
        RowError::Json { line, error } => at(line, Fault::JsonObjects(error)),
        #[cfg(feature = "parquet")]
        RowError::Parquet(error) => InputError::of_file(origin, Fault::Parquet(error)),
    }
}

/// Whether a number can be a value: larger ones stand for something else.
fn is_value(number: f64) -> bool {
    Reading::is_plain(number) && Reading::Value(number).is_sound()
}
