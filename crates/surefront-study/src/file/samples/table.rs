//! A table from its first row to its last, whatever its rows are.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;
use surefront::{Objective, ObservationError, Reading};

use super::by_row::ByRow;
use super::columns::{Header, number};
use super::decimals::{Decimal, Numbers, is_missing};
use super::layout::Layout;
use super::left_out::LeftOut;
use super::long::Long;
use super::row_reader::{Beginning, Row, RowSource};
use super::summed::Summed;
use super::{Gathered, Naming, Samples, is_value, row_error};
use crate::file::input_error::{Fault, InputError};
use crate::words::plural::counted;

/// So many rows tell which column is what, and how numbers are written.
const TELLING: usize = 2000;

/// What a row of a table was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// An observation.
    #[default]
    Observations,
    /// One value of one objective.
    Values,
    /// The mean, the standard deviation and the number of the observations of an arm.
    Summaries,
}

/// A row that is kept for a while.
pub struct KeptRow {
    line: usize,
    bytes: Vec<u8>,
    fields: Vec<(usize, usize)>,
    beginning: Beginning,
}

impl KeptRow {
    fn of(row: &Row<'_>) -> Self {
        let (mut bytes, mut fields) = (Vec::new(), Vec::new());
        for field in row.fields() {
            let begin = bytes.len();
            bytes.extend_from_slice(field);
            fields.push((begin, bytes.len()));
        }
        KeptRow { line: row.line(), bytes, fields, beginning: row.beginning() }
    }

    fn row(&self) -> Row<'_> {
        Row::kept(self.line, &self.bytes, &self.fields, self.beginning)
    }

    /// How many fields there are.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field, if there is one and it is text.
    pub(super) fn cell(&self, column: usize) -> Option<&str> {
        let &(begin, end) = self.fields.get(column)?;
        std::str::from_utf8(&self.bytes[begin..end]).ok()
    }
}

/// What reads a table.
pub struct Reader<'a> {
    /// Where it comes from.
    pub origin: &'a Path,
    /// What is wanted of it.
    pub objectives: Vec<Objective>,
    /// What somebody said of its columns.
    pub naming: &'a Naming,
}

/// Takes rows and makes observations of them.
pub trait Taker {
    /// A row of as many fields as there are columns.
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault>;
    /// The end.
    fn finish(self) -> Result<Samples, Fault>;
    /// What all kinds of tables have.
    fn cells(&self) -> &Cells;
}

impl Reader<'_> {
    /// Reads all rows.
    pub fn read(self, mut source: impl RowSource) -> Result<Samples, InputError> {
        let origin = self.origin;
        let broken = |error| row_error(origin, error);
        let expected = "a header with the columns' names, and a row for each observation";
        let first =
            source.next().map_err(broken)?.ok_or_else(|| InputError::of_file(origin, Fault::Empty { expected }))?;
        let line = first.line();
        let at_header = |fault| InputError::at_line(origin, line, fault);
        let mut header = Header::new(&first).map_err(at_header)?;
        let mut sample = Vec::new();
        while sample.len() < TELLING
            && let Some(row) = source.next().map_err(broken)?
        {
            sample.push(KeptRow::of(&row));
        }
        if source.may_name_rows() && !sample.is_empty() && sample.iter().all(|row| row.len() == header.len() + 1) {
            header = header.with_row_names();
        }
        let layout = Layout::of(&header, &self.objectives, self.naming, &sample).map_err(at_header)?;
        let numbers = match source.is_typed() {
            true => Numbers::PLAIN,
            false => {
                let columns = layout.number_columns();
                let rows = sample.iter().filter(|row| row.len() == header.len());
                let cells = rows.flat_map(|row| columns.iter().filter_map(|&column| row.cell(column)));
                Numbers::seen(cells.map(str::as_bytes), self.naming.decimal)
                    .map_err(|fault| InputError::of_file(origin, fault))?
            }
        };
        let gathered = Gathered::new(self.objectives.clone()).map_err(|fault| InputError::of_file(origin, fault))?;
        let cells = Cells::new(header, &layout, numbers, gathered);
        match layout {
            Layout::Rows(columns) => drive(source, &sample, origin, ByRow::new(cells, columns)),
            Layout::Long(columns) => drive(source, &sample, origin, Long::new(cells, columns, &self.objectives)),
            Layout::Sums { objectives, .. } => {
                drive(source, &sample, origin, Summed::new(cells, None, objectives, &self.objectives))
            }
            Layout::LongSums { metric, columns, .. } => {
                drive(source, &sample, origin, Summed::new(cells, Some(metric), vec![columns], &self.objectives))
            }
        }
    }
}

/// Hands all rows to whoever takes them.
fn drive<S: RowSource, T: Taker>(
    mut source: S,
    sample: &[KeptRow],
    origin: &Path,
    mut taker: T,
) -> Result<Samples, InputError> {
    for row in sample {
        take(&mut taker, &row.row()).map_err(|fault| InputError::at_line(origin, row.line, fault))?;
    }
    while let Some(row) = source.next().map_err(|error| row_error(origin, error))? {
        take(&mut taker, &row).map_err(|fault| InputError::at_line(origin, row.line(), fault))?;
    }
    taker.finish().map_err(|fault| InputError::of_file(origin, fault))
}

#[inline]
fn take(taker: &mut impl Taker, row: &Row<'_>) -> Result<(), Fault> {
    if row.len() != taker.cells().header.len() || row.beginning() == Beginning::Hash {
        return take_odd(taker, row);
    }
    taker.take(row)
}

/// A row that is shorter or longer than the others, or may be a comment.
#[cold]
fn take_odd(taker: &mut impl Taker, row: &Row<'_>) -> Result<(), Fault> {
    let cells = taker.cells();
    let columns = cells.header.len();
    if row.beginning() == Beginning::Hash {
        let is_number = |&column: &usize| cells.value(row, column).is_ok_and(|value| value.is_some());
        let is_row = row.len() == columns && cells.number_columns.iter().all(is_number);
        return if is_row { Err(Fault::CommentOrRow) } else { Ok(()) };
    }
    if row.fields().all(|field| field.is_empty()) {
        return Ok(());
    }
    // A separator at the end of each row makes no column.
    if row.len() > columns && (columns..row.len()).all(|field| row.field(field).is_empty()) {
        return taker.take(row);
    }
    let (found, expected) = (counted(row.len(), "value", "values"), counted(columns, "column", "columns"));
    Err(match row.len() > columns {
        true => Fault::LongRow { found, expected },
        false => Fault::RaggedRow { found, expected },
    })
}

/// What all kinds of tables have: cells to read, arms to meet, and what was gathered.
pub struct Cells {
    pub header: Header,
    number_columns: Vec<usize>,
    looked_at: Vec<usize>,
    arm: usize,
    /// In an export of all observations: when one was taken back.
    retracted: Option<usize>,
    numbers: Numbers,
    pub gathered: Gathered,
    arms: HashMap<Box<[u8]>, usize>,
    pub left_out: LeftOut,
    /// What else there was beside the objectives.
    pub others: Vec<String>,
}

impl Cells {
    fn new(header: Header, layout: &Layout, numbers: Numbers, gathered: Gathered) -> Self {
        let exported = ["observation", "told_at", "source", "retracted_at"];
        let places: Vec<usize> = exported.into_iter().filter_map(|name| header.find(name).ok()).collect();
        Cells {
            retracted: if places.len() == exported.len() { places.last().copied() } else { None },
            number_columns: layout.number_columns(),
            looked_at: layout.columns(),
            arm: layout.arm(),
            header,
            numbers,
            gathered,
            arms: HashMap::new(),
            left_out: LeftOut::default(),
            others: Vec::new(),
        }
    }

    /// Whether a row is of an observation that was taken back; such a row does not count.
    #[inline]
    pub fn was_retracted(&mut self, row: &Row<'_>) -> bool {
        let retracted = self.retracted.is_some_and(|column| !row.field(column).is_empty());
        self.left_out.retracted += u64::from(retracted);
        retracted
    }

    /// A value; `None` where there is none.
    #[inline]
    pub fn value(&self, row: &Row<'_>, column: usize) -> Result<Option<f64>, Fault> {
        match number(row.field(column)) {
            Some(value) if self.numbers.decimal == Decimal::Point && is_value(value) => Ok(Some(value)),
            _ => self.odd_value(row, column),
        }
    }

    /// What a program would not take for a number.
    #[cold]
    fn odd_value(&self, row: &Row<'_>, column: usize) -> Result<Option<f64>, Fault> {
        let cell = row.field(column);
        if is_missing(cell) {
            return Ok(None);
        }
        // Whether it can be borne that a value is more than something depends on what is compared.
        if let Some(reading) = std::str::from_utf8(cell).ok().and_then(Reading::parse) {
            return Ok(Some(reading.as_value()));
        }
        let value = self.numbers.read(cell)?.or_else(|| number(cell));
        match value {
            Some(value) if is_value(value) => Ok(Some(value)),
            _ => Err(self.not_a_number(row, column, value)),
        }
    }

    fn not_a_number(&self, row: &Row<'_>, column: usize, value: Option<f64>) -> Fault {
        let text = String::from_utf8_lossy(row.field(column)).into_owned();
        let arm = String::from_utf8_lossy(row.field(self.arm)).into_owned();
        let (place, key) = (format!("arm \"{arm}\""), self.header.name(column).to_owned());
        match value {
            Some(value) if value.is_finite() => ObservationError::BadValue { arm, objective: key, value }.into(),
            Some(_) => Fault::NotFinite { place, key, value: text },
            None => {
                let end = text.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
                let (size, unit) = text.split_at(end);
                let alone = !unit.trim().is_empty() && number(size.trim().as_bytes()).is_some();
                match alone {
                    true => Fault::UnitInCell { place, key, unit: unit.trim().to_owned(), text },
                    false => Fault::NotANumber { place, key, text },
                }
            }
        }
    }

    /// The arm that a row is about.
    #[inline]
    pub fn arm(&mut self, row: &Row<'_>) -> Result<usize, Fault> {
        let name = row.field(self.arm);
        match self.arms.get(name) {
            Some(&arm) => Ok(arm),
            None => self.meet(name),
        }
    }

    /// An arm that has not been met before.
    fn meet(&mut self, name: &[u8]) -> Result<usize, Fault> {
        let text = std::str::from_utf8(name).map_err(|_| Fault::NotUtf8)?;
        if text.is_empty() {
            return Err(Fault::NoArm { column: self.header.name(self.arm).to_owned() });
        }
        let arm = self.gathered.meet(text);
        self.arms.insert(name.into(), arm);
        Ok(arm)
    }

    /// The name of the arm that a row is about, which need not be met.
    pub fn arm_name<'a>(&self, row: &Row<'a>) -> &'a [u8] {
        row.field(self.arm)
    }

    /// A row that does not count.
    #[cold]
    pub fn leave_out(&mut self, row: &Row<'_>) {
        self.left_out.add(row.field(self.arm));
    }

    /// All of it.
    pub fn finish(self, form: Form, units: Vec<Option<String>>) -> Result<Samples, Fault> {
        if self.arms.is_empty() && self.left_out.incomplete > 0 {
            return Err(Fault::NoCompleteRow { rows: counted(self.left_out.incomplete as usize, "row", "rows") });
        }
        let unread = (0..self.header.len()).filter(|column| !self.looked_at.contains(column));
        let named = unread.map(|column| self.header.name(column).to_owned()).filter(|name| !name.is_empty());
        let ignored = named.chain(self.others).collect();
        let samples = self.gathered.finish(self.header.name(self.arm).to_owned(), ignored)?;
        let left_out = self.left_out.without(samples.problem.arms().iter().map(|arm| arm.name.as_str()));
        Ok(Samples { form, left_out, units, ..samples })
    }

    /// The unit behind the name of a column.
    pub fn unit(&self, column: usize) -> Option<String> {
        self.header.unit(column).map(str::to_owned)
    }
}
