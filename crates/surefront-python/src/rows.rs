//! Samples that exist already, chunk by chunk, and what they say.

use std::collections::HashMap;
use std::path::Path;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use surefront::StoppingKind;
use surefront_study::analysis::Analysis;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::samples::Gathered;
use surefront_study::file::study::StudyFile;

use crate::definition::{delta, named};
use crate::error::Failure;
use crate::json::json;

/// Samples as they are read.
#[pyclass(module = "surefront._surefront")]
pub struct Rows {
    gathered: Option<Gathered>,
    /// The objectives of whose noise nothing was said.
    open: Vec<usize>,
    name: String,
    arms: HashMap<String, usize>,
    objectives: usize,
    read: usize,
}

#[pymethods]
impl Rows {
    /// None so far, of the objectives in the text of a study file.
    #[new]
    fn new(name: String, text: &str) -> PyResult<Self> {
        let of_text = |error: InputError| Failure::from(error.without_line());
        let (objectives, open) = StudyFile::objectives_in(&name, text).map_err(of_text)?;
        let count = objectives.len();
        let of_problem = |fault| Failure::from(InputError::of_file(Path::new(&name), fault));
        let gathered = Some(Gathered::new(objectives).map_err(of_problem)?);
        Ok(Rows { gathered, open, name, arms: HashMap::new(), objectives: count, read: 0 })
    }

    /// A chunk: the arms met in it, by name; of each row the arm's place among those; and a column of values for each objective.
    fn add(
        &mut self,
        py: Python<'_>,
        names: Vec<String>,
        codes: PyReadonlyArray1<'_, i64>,
        columns: Vec<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let codes = codes.as_slice()?;
        let columns = columns.iter().map(|column| Ok(column.as_slice()?)).collect::<PyResult<Vec<&[f64]>>>()?;
        if columns.len() != self.objectives || columns.iter().any(|column| column.len() != codes.len()) {
            return Err(Failure::new("the columns are not all as long as that of the arms").into());
        }
        Ok(py.detach(|| self.gather(&names, codes, &columns))?)
    }

    /// What they say, as JSON, and the sentences that people read.
    #[pyo3(signature = (arm_column, ignored, threshold, risk, next))]
    fn finish(
        &mut self,
        py: Python<'_>,
        arm_column: String,
        ignored: Vec<String>,
        threshold: Option<&str>,
        risk: f64,
        next: usize,
    ) -> PyResult<(String, String, Vec<String>)> {
        let threshold = named::<StoppingKind>(threshold)?;
        let delta = delta(Some(risk))?.unwrap_or(risk);
        let gathered = self.gathered.take().ok_or_else(|| Failure::new("these rows were summed up already"))?;
        let name = self.name.clone();
        let found = py.detach(|| -> Result<Analysis, Failure> {
            let samples = gathered.finish(arm_column, ignored).map_err(|fault| self.fault(fault))?;
            let threshold = threshold.unwrap_or_default();
            Ok(Analysis::of(&name, samples.taking_successes(&self.open), threshold, delta, next)?)
        })?;
        let sentences = found.answer.caveats().into_iter().chain(found.answer.seen()).collect();
        Ok((json(&found), found.answer.headline(), sentences))
    }
}

impl Rows {
    fn gather(&mut self, names: &[String], codes: &[i64], columns: &[&[f64]]) -> Result<(), Failure> {
        let gathered = self.gathered.as_mut().ok_or_else(|| Failure::new("these rows were summed up already"))?;
        let mut places = Vec::with_capacity(names.len());
        for name in names {
            let arm = match self.arms.get(name) {
                Some(&arm) => arm,
                None => {
                    let arm = gathered.meet(name);
                    self.arms.insert(name.clone(), arm);
                    arm
                }
            };
            places.push(arm);
        }
        let place = |(row, &code): (usize, &i64)| {
            let known = usize::try_from(code).ok().and_then(|code| places.get(code).copied());
            known.ok_or_else(|| (row, Fault::NoArm { column: "arm".to_owned() }))
        };
        let arms = codes.iter().enumerate().map(place).collect::<Result<Vec<usize>, _>>();
        let added = arms.and_then(|arms| gathered.add_columns(&arms, columns));
        let before = self.read;
        self.read += codes.len();
        added.map_err(|(row, fault)| Failure::new(format!("{}, row {}: {fault}", self.name, before + row)))
    }

    fn fault(&self, fault: Fault) -> Failure {
        InputError::of_file(Path::new(&self.name), fault).into()
    }
}
