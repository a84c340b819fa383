//! Rows that are what the observations of an arm sum up to: means, standard deviations and counts.

use surefront::{Noise, Objective};

use super::Samples;
use super::cells::{Cells, Taker};
use super::form::Form;
use super::layout::{Spread, SumColumns};
use super::names::is_like;
use super::row_reader::Row;
use crate::file::input_error::Fault;

/// Means, standard deviations and counts.
pub struct Summed {
    cells: Cells,
    /// The column that names the objective, where a row is about one.
    metric: Option<usize>,
    /// One for each objective, or one for all.
    columns: Vec<SumColumns>,
    objectives: Vec<Objective>,
    /// By arm, by objective.
    sums: Vec<Vec<Option<Sum>>>,
    names: Vec<String>,
}

/// What observations sum up to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum {
    mean: f64,
    deviation: f64,
    count: u64,
}

impl Summed {
    /// None so far.
    pub fn new(cells: Cells, metric: Option<usize>, columns: Vec<SumColumns>, objectives: &[Objective]) -> Self {
        Summed { cells, metric, columns, objectives: objectives.to_vec(), sums: Vec::new(), names: Vec::new() }
    }

    /// What a row says of an objective; `None` where something is missing.
    fn sum(&self, row: &Row<'_>, columns: &SumColumns, objective: usize) -> Result<Option<Sum>, Fault> {
        let Objective { name, noise, .. } = &self.objectives[objective];
        let (Some(mean), Some(count)) = (self.cells.value(row, columns.mean)?, self.cells.value(row, columns.count)?)
        else {
            return Ok(None);
        };
        let arm = || String::from_utf8_lossy(self.cells.arm_name(row)).into_owned();
        // Beyond 2^53 not every whole number is one.
        if !(count >= 1.0 && count.fract() == 0.0 && count < 9e15) {
            let text = String::from_utf8_lossy(row.field(columns.count)).into_owned();
            return Err(Fault::BadCount { arm: arm(), column: self.cells.header.name(columns.count).to_owned(), text });
        }
        let spread = match columns.spread {
            Some((column, spread)) => self.cells.value(row, column)?.map(|size| (size, spread)),
            None => None,
        };
        let deviation = match (spread, noise) {
            (_, Noise::Exact) => 0.0,
            (Some((size, _)), _) if size < 0.0 => {
                return Err(Fault::BadSpread { arm: arm(), objective: name.clone(), value: size });
            }
            (Some((size, Spread::Deviation)), _) => size,
            (Some((size, Spread::Error)), _) => size * count.sqrt(),
            (Some((size, Spread::Variance)), _) => size.sqrt(),
            // One observation does not spread, and where the variance is known it does not matter.
            (None, Noise::Variance(_)) => 0.0,
            (None, _) if count == 1.0 => 0.0,
            (None, _) => return Ok(None),
        };
        if deviation == 0.0 && count > 1.0 && !matches!(noise, Noise::Exact | Noise::Variance(_)) {
            return Err(Fault::NoSpread { arm: arm(), objective: name.clone() });
        }
        let deviation = if count == 1.0 { 0.0 } else { deviation };
        Ok(Some(Sum { mean, deviation, count: count as u64 }))
    }
}

impl Taker for Summed {
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let found: Vec<(usize, Option<Sum>)> = match self.metric {
            Some(metric) => {
                let text = String::from_utf8_lossy(row.field(metric));
                let named = |objective: &Objective| objective.name == text;
                let like = |objective: &Objective| is_like(&text, &objective.name);
                let objective =
                    self.objectives.iter().position(named).or_else(|| self.objectives.iter().position(like));
                match objective {
                    Some(objective) => vec![(objective, self.sum(row, &self.columns[0], objective)?)],
                    None => {
                        if !self.cells.others.iter().any(|other| *other == text) {
                            self.cells.others.push(text.into_owned());
                        }
                        return Ok(());
                    }
                }
            }
            None => {
                let sums = self.columns.iter().enumerate().map(|(at, columns)| Ok((at, self.sum(row, columns, at)?)));
                sums.collect::<Result<_, Fault>>()?
            }
        };
        if found.iter().any(|(_, sum)| sum.is_none()) {
            if !row.fields().all(<[u8]>::is_empty) {
                self.cells.leave_out(row);
            }
            return Ok(());
        }
        let name = String::from_utf8_lossy(self.cells.arm_name(row)).into_owned();
        let arm = self.cells.arm(row)?;
        if arm == self.sums.len() {
            self.sums.push(vec![None; self.objectives.len()]);
            self.names.push(name.clone());
        }
        for (objective, sum) in found {
            if self.sums[arm][objective].is_some() {
                return Err(Fault::SummaryTwice { arm: name, objective: self.objectives[objective].name.clone() });
            }
            self.sums[arm][objective] = sum;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Samples, Fault> {
        for (arm, (sums, name)) in self.sums.iter().zip(&self.names).enumerate() {
            let missing = sums.iter().position(Option::is_none);
            if let Some(objective) = missing {
                let objective = self.objectives[objective].name.clone();
                return Err(Fault::SummaryMissing { arm: name.clone(), objective });
            }
            let sums: Vec<Sum> = sums.iter().copied().flatten().collect();
            if let Some(other) = sums.iter().find(|sum| sum.count != sums[0].count) {
                let counts = [sums[0].count, other.count];
                return Err(Fault::CountsDiffer { arm: name.clone(), first: counts[0], second: counts[1] });
            }
            let means: Vec<f64> = sums.iter().map(|sum| sum.mean).collect();
            let deviations: Vec<f64> = sums.iter().map(|sum| sum.deviation).collect();
            self.cells.gathered.add_summary(arm, sums[0].count, &means, &deviations)?;
        }
        let unit = |columns: &SumColumns| self.cells.unit(columns.mean);
        let units = match self.metric {
            Some(_) => vec![None; self.objectives.len()],
            None => self.columns.iter().map(unit).collect(),
        };
        self.cells.finish(Form::Summaries, units)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }
}
