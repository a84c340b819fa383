//! What all commands share that make experiments: how Ctrl-C ends one, and how its findings are shown.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use surefront_lab::{Findings, LabError};
use surefront_study::output::figure::Figure;

use super::{print, print_json};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use crate::remark::remark;
use crate::screen;

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl Form {
    /// As `--json` says.
    pub fn of(json: bool) -> Self {
        if json { Form::Json } else { Form::Text }
    }
}

/// Makes an experiment, with a figure if there is a file for one, and shows what it found.
pub fn run<F: Findings>(
    svg: Option<&Path>,
    form: Form,
    under_way: &'static str,
    make: impl FnOnce(&Bar, &AtomicBool) -> Result<F, LabError>,
) -> Result<(), Failure> {
    let figure = svg.map(|path| Figure::create(path, &[])).transpose()?;
    let findings = make(&Bar::default(), &interrupt::flag(under_way))?;
    let notes = written(figure, &findings)?;
    show(&findings, form, &notes)?;
    finished(&findings)
}

/// Writes the figure, if there is a file for one, and gives the line that says so.
pub fn written(figure: Option<Figure>, findings: &impl Findings) -> Result<String, Failure> {
    let Some(figure) = figure else { return Ok(String::new()) };
    let svg = findings.svg().expect("a figure is asked for only where there is one");
    Ok(figure.write(&svg)? + "\n")
}

/// Prints the findings, and the notes beside them.
pub fn show(findings: &impl Findings, form: Form, notes: &str) -> Result<(), Failure> {
    match form {
        Form::Text => print(&(findings.text(screen::width()) + notes)),
        Form::Json => {
            remark(notes);
            print_json(findings)
        }
    }
}

/// Whether everything was done that was asked for.
pub fn finished(findings: &impl Findings) -> Result<(), Failure> {
    let unfinished = findings.unfinished();
    if unfinished.is_empty() { Ok(()) } else { Err(Failure::Interrupted(unfinished)) }
}
