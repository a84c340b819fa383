//! The header of a table, and which of its columns names the arm.

use super::decimals::is_missing;
use super::kept_row::KeptRow;
use super::names::{is_like, plainly, without_unit};
use super::row_reader::Row;
use crate::file::input_error::Fault;
use crate::words::suggestion::{advice, listed};

/// The name that needs no option.
const USUAL_ARM_COLUMN: &str = "arm";

/// The header.
pub struct Header {
    names: Vec<String>,
}

impl Header {
    /// The names in the first row.
    pub fn new(row: &Row<'_>) -> Result<Self, Fault> {
        let names = row.fields().map(|field| std::str::from_utf8(field).map(str::to_owned)).collect::<Result<_, _>>();
        Ok(Header { names: names.map_err(|_| Fault::NotUtf8)? })
    }

    /// The same with a first column that has no name, as where rows have names.
    pub fn with_row_names(mut self) -> Self {
        self.names.insert(0, String::new());
        self
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// A column's name.
    pub fn name(&self, column: usize) -> &str {
        &self.names[column]
    }

    /// The unit that stands behind a column's name.
    pub fn unit(&self, column: usize) -> Option<&str> {
        const STATISTICS: [&str; 8] = ["mean", "median", "sd", "std", "n", "count", "min", "max"];
        let unit = without_unit(&self.names[column]).map(|(_, unit)| unit);
        unit.filter(|unit| !STATISTICS.contains(&unit.to_lowercase().as_str()))
    }

    /// The column of this name, or else the only one that is much like it.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, name: &str) -> Result<usize, Fault> {
        let rules: [fn(&str, &str) -> bool; 3] =
            [|column, name| column == name, |column, name| plainly(column) == plainly(name), is_like];
        for rule in rules {
            let mut found = (0..self.len()).filter(|&column| rule(&self.names[column], name));
            match (found.next(), found.next()) {
                (Some(column), None) => return Ok(column),
                (Some(first), Some(second)) => {
                    let names = [first, second].map(|column| self.names[column].clone());
                    return Err(match names {
                        [first, second] if first == second => Fault::DuplicateColumn { column: first },
                        [first, second] => Fault::AlikeColumns { name: name.to_owned(), first, second },
                    });
                }
                (None, _) => {}
            }
        }
        let named = self.names.iter().map(String::as_str).filter(|name| !name.is_empty());
        Err(Fault::NoSuchColumn { column: name.to_owned(), advice: advice(name, named) })
    }

    /// The column that names the arm: the one asked for, or else the one called `arm`, or else the only one with text beside those that
    /// are taken.
    ///
    /// # Errors
    /// When there is none, or it is taken, or several may be it.
    pub fn arm_column(&self, taken: &[usize], asked: Option<&str>, sample: &[KeptRow]) -> Result<usize, Fault> {
        let arm = match asked {
            Some(name) => self.find(name)?,
            None => match self.find(USUAL_ARM_COLUMN) {
                Ok(column) => column,
                Err(fault @ (Fault::DuplicateColumn { .. } | Fault::AlikeColumns { .. })) => return Err(fault),
                Err(_) => self.text_column(taken, sample)?,
            },
        };
        match taken.contains(&arm) {
            true => Err(Fault::ArmIsObjective { column: self.names[arm].clone() }),
            false => Ok(arm),
        }
    }

    fn text_column(&self, taken: &[usize], sample: &[KeptRow]) -> Result<usize, Fault> {
        // The first entry that says something tells.
        let is_text = |column: usize| {
            let cells = sample.iter().filter_map(|row| row.cell(column)).filter(|cell| !is_missing(cell.as_bytes()));
            cells.map(|cell| number(cell.as_bytes()).is_none()).next().unwrap_or(false)
        };
        let others: Vec<usize> = (0..self.len()).filter(|column| !taken.contains(column)).collect();
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
