//! Rows that are single values: those of one arm and run make an observation.

use std::collections::{HashMap, VecDeque};

use surefront::Objective;

use super::Samples;
use super::cells::{Cells, Taker};
use super::form::Form;
use super::layout::LongColumns;
use super::names::{is_like, plainly};
use super::row_reader::Row;
use crate::file::input_error::Fault;
use crate::words::plain::plain;

/// Values into observations.
pub struct Long {
    cells: Cells,
    columns: LongColumns,
    objectives: Vec<String>,
    /// By what was written: which objective that is, if any.
    metrics: HashMap<Box<[u8]>, Option<usize>>,
    waiting: Waiting,
}

/// An arm and a run, as they are written.
type ArmAndRun = (Box<[u8]>, Box<[u8]>);

/// Values whose observation is not complete.
enum Waiting {
    /// By arm and run, by objective.
    Runs(HashMap<ArmAndRun, Vec<Option<f64>>>),
    /// By arm, by objective, in the order in which they came.
    Order(HashMap<Box<[u8]>, Vec<VecDeque<f64>>>),
}

impl Long {
    /// None so far.
    pub fn new(cells: Cells, columns: LongColumns, objectives: &[Objective]) -> Self {
        let waiting = match columns.run {
            Some(_) => Waiting::Runs(HashMap::new()),
            None => Waiting::Order(HashMap::new()),
        };
        let objectives = objectives.iter().map(|objective| objective.name.clone()).collect();
        Long { cells, columns, objectives, metrics: HashMap::new(), waiting }
    }

    fn objective(&mut self, metric: &[u8]) -> Option<usize> {
        if let Some(&known) = self.metrics.get(metric) {
            return known;
        }
        let text = String::from_utf8_lossy(metric);
        let exact = self.objectives.iter().position(|name| *name == text);
        let plainly_same = || self.objectives.iter().position(|name| plainly(name) == plainly(&text));
        let found =
            exact.or_else(plainly_same).or_else(|| self.objectives.iter().position(|name| is_like(&text, name)));
        if found.is_none() && !text.is_empty() {
            self.cells.others.push(text.into_owned());
        }
        self.metrics.insert(metric.into(), found);
        found
    }
}

impl Taker for Long {
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let Some(objective) = self.objective(row.field(self.columns.metric)) else { return Ok(()) };
        let Some(value) = self.cells.value(row, self.columns.value)? else {
            self.cells.leave_out(row);
            return Ok(());
        };
        let (arm, d) = (self.cells.arm_name(row), self.objectives.len());
        let complete: Option<Vec<f64>> = match &mut self.waiting {
            Waiting::Runs(runs) => {
                let run = self.columns.run.map_or(&b""[..], |column| row.field(column));
                let key = (Box::from(arm), Box::from(run));
                let values = runs.entry(key.clone()).or_insert_with(|| vec![None; d]);
                if values[objective].replace(value).is_some() {
                    return Err(Fault::ValueTwice {
                        objective: self.objectives[objective].clone(),
                        arm: plain(&String::from_utf8_lossy(arm)).into_owned(),
                        column: self.columns.run.map(|run| self.cells.header.name(run).to_owned()).unwrap_or_default(),
                        run: String::from_utf8_lossy(run).into_owned(),
                    });
                }
                // What is complete stays, so that a second value is noticed.
                values.iter().copied().collect()
            }
            Waiting::Order(arms) => {
                let queues = arms.entry(Box::from(arm)).or_insert_with(|| vec![VecDeque::new(); d]);
                queues[objective].push_back(value);
                match queues.iter().all(|queue| !queue.is_empty()) {
                    true => queues.iter_mut().map(VecDeque::pop_front).collect(),
                    false => None,
                }
            }
        };
        match complete {
            None => Ok(()),
            Some(values) => {
                let arm = self.cells.arm(row)?;
                self.cells.gathered.add(arm, &values)
            }
        }
    }

    fn finish(mut self) -> Result<Samples, Fault> {
        let mut alone: Vec<(Box<[u8]>, usize)> = match self.waiting {
            Waiting::Runs(runs) => (runs.into_iter())
                .map(|((arm, _), values)| (arm, values.iter().flatten().count()))
                .filter(|(_, values)| *values < self.objectives.len())
                .collect(),
            Waiting::Order(arms) => {
                arms.into_iter().map(|(arm, queues)| (arm, queues.iter().map(VecDeque::len).sum())).collect()
            }
        };
        // The order of a hash table is nobody's.
        alone.sort();
        for (arm, values) in alone {
            (0..values).for_each(|_| self.cells.left_out.add(&arm));
        }
        let units = vec![None; self.objectives.len()];
        self.cells.finish(Form::Values, units)
    }

    fn cells(&self) -> &Cells {
        &self.cells
    }
}
