//! What all kinds of tables have: cells to read, arms to meet, and what was gathered.

use std::collections::HashMap;

use surefront::{ObservationError, Reading};

use super::columns::{Header, number};
use super::decimals::{Decimal, Numbers, is_missing};
use super::form::Form;
use super::layout::Layout;
use super::left_out::LeftOut;
use super::row_reader::Row;
use super::{Gathered, Samples, is_value};
use crate::file::input_error::Fault;
use crate::words::plural::counted;

/// Takes rows and makes observations of them.
pub trait Taker {
    /// A row of as many fields as there are columns.
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault>;
    /// The end.
    fn finish(self) -> Result<Samples, Fault>;
    /// What all kinds of tables have.
    fn cells(&self) -> &Cells;
}

/// What all kinds of tables have: cells to read, arms to meet, and what was gathered.
pub struct Cells {
    pub header: Header,
    /// The columns that hold numbers.
    pub number_columns: Vec<usize>,
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
    /// None has been met.
    pub fn new(header: Header, layout: &Layout, numbers: Numbers, gathered: Gathered) -> Self {
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
