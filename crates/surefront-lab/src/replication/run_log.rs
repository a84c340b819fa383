//! One CSV row per run, on its way out as soon as the run is finished.

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use csv::Writer;
use surefront::{Outcome, Run};
use surefront_study::output::kind::RUN_COLUMNS;

/// An open table of runs.
pub struct RunLog {
    state: Mutex<State>,
}

struct State {
    writer: Writer<Box<dyn Write + Send>>,
    error: Option<io::Error>,
}

impl fmt::Debug for RunLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunLog").finish_non_exhaustive()
    }
}

impl RunLog {
    /// Writes the header.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn new(output: Box<dyn Write + Send>) -> io::Result<Self> {
        let log = RunLog { state: Mutex::new(State { writer: Writer::from_writer(output), error: None }) };
        match log.write(RUN_COLUMNS.map(str::to_owned)) {
            ControlFlow::Continue(()) => Ok(log),
            ControlFlow::Break(()) => Err(log.finish().expect_err("the header was not written")),
        }
    }

    /// Writes a run; `Break` if that failed, now or before.
    pub fn add(&self, rule: &str, run: &Run) -> ControlFlow<()> {
        let outcome = match run.outcome {
            Outcome::Correct => "correct",
            Outcome::Mistake => "mistake",
            Outcome::Undecided => "undecided",
        };
        let Run { index, samples, seconds, .. } = run;
        self.write([rule.to_owned(), index.to_string(), samples.to_string(), outcome.to_owned(), seconds.to_string()])
    }

    fn write(&self, row: [String; 5]) -> ControlFlow<()> {
        // A row is written whole or not at all: a thread that panicked elsewhere leaves nothing half done.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            let written = state.writer.write_record(row).map_err(io::Error::from).and_then(|()| state.writer.flush());
            state.error = written.err();
        }
        if state.error.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Closes the table.
    ///
    /// # Errors
    /// Why some rows are missing.
    pub fn finish(self) -> io::Result<()> {
        let error = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).error;
        error.map_or(Ok(()), Err)
    }
}
