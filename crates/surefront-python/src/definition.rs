//! A study as Python code describes it: the text of a study file that was perhaps never written.

use std::path::PathBuf;

use pyo3::prelude::*;
use surefront::{Model, Problem, Risk, RuleKind, StoppingKind};
use surefront_study::file::input_error::InputError;
use surefront_study::file::study::StudyFile;
use surefront_study::session::Wishes;

use crate::error::Failure;

/// Where the description of a study is.
#[derive(Clone, Debug, FromPyObject)]
pub enum Definition {
    /// A study file.
    #[pyo3(transparent)]
    File(PathBuf),
    /// The study's name, and what its file would say.
    Text((String, String)),
}

impl Definition {
    /// Reads and checks it.
    pub fn read(&self) -> Result<StudyFile, Failure> {
        match self {
            Definition::File(path) => Ok(StudyFile::read(path)?),
            Definition::Text((name, text)) => Ok(StudyFile::built_in(name, text).map_err(InputError::without_line)?),
        }
    }

    /// A fault that was found later; of a text that nobody wrote to a file, it has no line.
    fn placed(&self, error: InputError) -> Failure {
        match self {
            Definition::File(_) => error.into(),
            Definition::Text(_) => error.without_line().into(),
        }
    }

    /// The problem, with variances that data may have to tell.
    pub fn learning_problem(&self, file: &StudyFile) -> Result<Problem, Failure> {
        file.learning_problem().map_err(|error| self.placed(error))
    }

    /// The problem and its means, where both are known.
    pub fn truth(&self, file: &StudyFile) -> Result<(Problem, Model), Failure> {
        let problem = file.problem().map_err(|error| self.placed(error))?;
        let model = file.model(&problem).map_err(|error| self.placed(error))?;
        Ok((problem, model))
    }
}

/// A name that Python code gives, as what it names.
pub fn named<T: std::str::FromStr<Err: std::fmt::Display>>(name: Option<&str>) -> Result<Option<T>, Failure> {
    name.map(|name| name.parse().map_err(|error: T::Err| Failure::new(error.to_string()))).transpose()
}

/// δ, checked.
pub fn delta(delta: Option<f64>) -> Result<Option<f64>, Failure> {
    delta.map(|delta| Risk::new(delta).map(f64::from).map_err(|error| Failure::new(error.to_string()))).transpose()
}

/// How a study is to go on.
pub fn wishes(
    rule: Option<&str>,
    threshold: Option<&str>,
    wanted: Option<f64>,
    seed: Option<u64>,
) -> Result<Wishes, Failure> {
    let rule = named::<RuleKind>(rule)?;
    let threshold = named::<StoppingKind>(threshold)?;
    Ok(Wishes { rule, threshold, delta: delta(wanted)?, seed })
}
