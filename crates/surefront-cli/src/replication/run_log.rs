//! One CSV row per run, on its way out as soon as the run is finished.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use csv::Writer;
use surefront::{Outcome, Run};

use crate::failure::Failure;
use surefront_study::output::destination::Destination;
use surefront_study::output::kind::{OutputKind, RUN_COLUMNS};
use surefront_study::output::rows::CsvTarget;

/// An open table of runs.
pub struct RunLog {
    /// `None` for standard output.
    file: Option<PathBuf>,
    state: Mutex<State>,
}

struct State {
    writer: Writer<Box<dyn Write + Send>>,
    error: Option<io::Error>,
}

impl RunLog {
    /// Opens the table and writes its header, so that a wrong path costs nothing.
    pub fn create(target: &CsvTarget, inputs: &[&Path]) -> Result<Self, Failure> {
        let (file, output): (_, Box<dyn Write + Send>) = match target {
            CsvTarget::Stdout => (None, Box::new(io::stdout())),
            CsvTarget::File(path) => {
                let file = Destination::new(path, OutputKind::RunLog, inputs)?.open()?;
                (Some(path.clone()), Box::new(file))
            }
        };
        let log = RunLog { file, state: Mutex::new(State { writer: Writer::from_writer(output), error: None }) };
        match log.write(RUN_COLUMNS.map(str::to_owned)) {
            true => Ok(log),
            false => Err(log.finish().expect_err("the header was not written")),
        }
    }

    /// Writes a run; `false` if that failed, now or before.
    pub fn add(&self, rule: &str, run: &Run) -> bool {
        let outcome = match run.outcome {
            Outcome::Correct => "correct",
            Outcome::Mistake => "mistake",
            Outcome::Undecided => "undecided",
        };
        let Run { index, samples, seconds, .. } = run;
        self.write([rule.to_owned(), index.to_string(), samples.to_string(), outcome.to_owned(), seconds.to_string()])
    }

    fn write(&self, row: [String; 5]) -> bool {
        // A row is written whole or not at all: a thread that panicked elsewhere leaves nothing half done.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            let written = state.writer.write_record(row).map_err(io::Error::from).and_then(|()| state.writer.flush());
            state.error = written.err();
        }
        state.error.is_none()
    }

    /// The sentence that says where the rows are; or why some are missing.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let error = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).error;
        match (error, self.file) {
            (None, file) => Ok(file.map(|file| format!("Runs written to {}", file.display()))),
            (Some(error), Some(file)) => Err(Failure::Write { file, error }),
            (Some(error), None) => Err(Failure::Print(error)),
        }
    }
}
