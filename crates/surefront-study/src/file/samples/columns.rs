//! Which column of a file of samples is what.

use super::row_reader::Row;
use crate::file::input_error::Fault;
use crate::words::suggestion::{advice, listed};

/// The name that needs no option.
const USUAL_ARM_COLUMN: &str = "arm";

/// The header.
pub struct Header {
    names: Vec<String>,
}

/// The places of the columns that are read.
pub struct Columns {
    /// The arm's.
    pub arm: usize,
    /// The objectives', in their order.
    pub objectives: Vec<usize>,
}

impl Header {
    /// The names in the first row.
    pub fn new(row: &Row<'_>) -> Result<Self, Fault> {
        let names = row.fields().map(|field| std::str::from_utf8(field).map(str::to_owned)).collect::<Result<_, _>>();
        Ok(Header { names: names.map_err(|_| Fault::NotUtf8)? })
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// A column's name.
    pub fn name(&self, column: usize) -> &str {
        &self.names[column]
    }

    /// Finds the columns of these objectives, and the arm's: the one asked for, or else the one called `arm`, or else the only one
    /// with text in the first row.
    pub fn columns<'a>(
        &self,
        objectives: impl Iterator<Item = &'a str>,
        arm_column: Option<&str>,
        first: Option<&Row<'_>>,
    ) -> Result<Columns, Fault> {
        let objectives = objectives.map(|name| self.find(name)).collect::<Result<Vec<_>, _>>()?;
        let arm = match arm_column {
            Some(name) => self.find(name)?,
            None if self.names.iter().any(|name| name == USUAL_ARM_COLUMN) => self.find(USUAL_ARM_COLUMN)?,
            None => self.text_column(&objectives, first)?,
        };
        match objectives.contains(&arm) {
            true => Err(Fault::ArmIsObjective { column: self.names[arm].clone() }),
            false => Ok(Columns { arm, objectives }),
        }
    }

    fn find(&self, name: &str) -> Result<usize, Fault> {
        let mut found = (0..self.len()).filter(|&column| self.names[column] == name);
        match (found.next(), found.next()) {
            (Some(column), None) => Ok(column),
            (Some(_), Some(_)) => Err(Fault::DuplicateColumn { column: name.to_owned() }),
            (None, _) => Err(Fault::NoSuchColumn {
                column: name.to_owned(),
                advice: advice(name, self.names.iter().map(String::as_str)),
            }),
        }
    }

    fn text_column(&self, objectives: &[usize], first: Option<&Row<'_>>) -> Result<usize, Fault> {
        let is_text = |column: usize| {
            let cell = first.filter(|row| column < row.len()).map_or(&b""[..], |row| row.field(column));
            !cell.is_empty() && number(cell).is_none()
        };
        let others: Vec<usize> = (0..self.len()).filter(|column| !objectives.contains(column)).collect();
        let texts: Vec<usize> = others.iter().copied().filter(|&column| is_text(column)).collect();
        let named = |columns: &[usize]| listed(columns.iter().map(|&column| self.names[column].as_str()));
        match texts[..] {
            [column] => Ok(column),
            [] if others.is_empty() => Err(Fault::OnlyObjectives),
            [] => Err(Fault::NoArmColumn { columns: named(&others) }),
            _ => Err(Fault::WhichArmColumn { columns: named(&texts) }),
        }
    }
}

/// A number, finite or not.
#[inline]
pub fn number(cell: &[u8]) -> Option<f64> {
    std::str::from_utf8(cell).ok()?.parse().ok()
}
