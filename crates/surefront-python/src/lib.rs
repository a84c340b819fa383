//! The Python package `surefront`, as far as it is Rust: a thin door to studies, experiments and analyses. What Python code sees is in
//! `python/surefront`.

mod definition;
mod error;
mod executor;
mod experiment;
mod json;
mod kept;
mod listener;
mod observed;
mod rows;
mod run_choice;
mod study;
mod ticket;
mod values;

use pyo3::prelude::*;

/// What the Python sources of the package build on.
#[pymodule]
fn _surefront(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<study::Core>()?;
    module.add_class::<ticket::Ticket>()?;
    module.add_class::<rows::Rows>()?;
    error::register(module)?;
    experiment::register(module)
}
