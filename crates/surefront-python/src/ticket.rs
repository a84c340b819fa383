//! A measurement that was asked for.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// A measurement that was asked for: which arm, under which number.
#[pyclass(frozen, module = "surefront")]
pub struct Ticket {
    /// Its number.
    #[pyo3(get)]
    pub id: i64,
    /// What to measure.
    pub arm: Py<PyString>,
}

#[pymethods]
impl Ticket {
    #[new]
    fn new(id: i64, arm: Py<PyString>) -> Self {
        Ticket { id, arm }
    }

    /// The arm to measure.
    #[getter]
    fn arm(&self, py: Python<'_>) -> Py<PyString> {
        self.arm.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Ticket(id={}, arm={})", self.id, self.arm.bind(py).repr()?))
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.id == other.id && self.arm.bind(py).to_cow()? == other.arm.bind(py).to_cow()?)
    }

    fn __hash__(&self) -> u64 {
        self.id.cast_unsigned()
    }

    /// Tickets may be sent to other processes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (i64, Py<PyString>)) {
        let ticket = slf.get();
        (slf.get_type(), (ticket.id, ticket.arm.clone_ref(slf.py())))
    }
}

/// Whose result it is: a ticket's, or an arm's.
#[derive(FromPyObject)]
pub enum Whose<'py> {
    /// This ticket's.
    Ticket(Bound<'py, Ticket>),
    /// The ticket's of this number.
    Number(i64),
    /// This arm's, which nobody had asked for.
    Arm(String),
}
