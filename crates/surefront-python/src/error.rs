//! What can go wrong, as exceptions: the sentences are those of the crates before this one.

use pyo3::prelude::*;
use pyo3::{PyErr, create_exception, exceptions::PyException};
use surefront_lab::LabError;
use surefront_study::StudyError as Wrong;
use surefront_study::file::input_error::InputError;
use surefront_study::store::StoreError;

create_exception!(
    surefront,
    StudyError,
    PyException,
    "What was asked for cannot be done; the message says why, and what to do instead. The study is as it was before."
);
create_exception!(
    surefront,
    AnsweredError,
    StudyError,
    "Nothing needs to be measured: the study has its answer. The message is the answer."
);
create_exception!(
    surefront,
    MeasurementError,
    StudyError,
    "An arm could not be measured, and the run ended. Everything told before is kept, and the next run goes on from there."
);

/// Any of our errors, with its sentence.
pub struct Failure(String);

impl From<Failure> for PyErr {
    fn from(Failure(sentence): Failure) -> Self {
        StudyError::new_err(sentence)
    }
}

impl Failure {
    /// A sentence of this door.
    pub fn new(sentence: impl Into<String>) -> Self {
        Failure(sentence.into())
    }
}

/// Errors of other crates, as exceptions with the same sentence.
macro_rules! failures {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure(error.to_string())
            }
        })+
    };
}

failures!(InputError, StoreError, Wrong, LabError);

/// Makes the exceptions known.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("StudyError", py.get_type::<StudyError>())?;
    module.add("AnsweredError", py.get_type::<AnsweredError>())?;
    module.add("MeasurementError", py.get_type::<MeasurementError>())
}
