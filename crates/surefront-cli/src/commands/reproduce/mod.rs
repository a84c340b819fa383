//! `surefront reproduce`: published experiments, beside the published figures.

mod instance;
mod race;
mod scaling;
mod speedup;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Experiment;
use crate::failure::Failure;

/// Runs the experiment.
pub fn run(experiment: &Experiment) -> Result<(), Failure> {
    match experiment {
        Experiment::Scaling(args) => scaling::run(args),
        Experiment::Speedup(args) => speedup::run(args),
    }
}

/// A file that is opened before the long work, so that a wrong path costs nothing.
struct Figure {
    path: PathBuf,
    file: File,
}

impl Figure {
    fn create(path: &Path) -> Result<Self, Failure> {
        match File::create(path) {
            Ok(file) => Ok(Figure { path: path.to_owned(), file }),
            Err(error) => Err(Failure::Write { file: path.to_owned(), error }),
        }
    }

    fn write(mut self, svg: &str) -> Result<String, Failure> {
        match self.file.write_all(svg.as_bytes()) {
            Ok(()) => Ok(format!("Plot written to {}", self.path.display())),
            Err(error) => Err(Failure::Write { file: self.path, error }),
        }
    }
}

/// Rows done, on standard error; nothing is shown when that is not a terminal.
fn progress(rows: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} rows, {msg} ({elapsed})")
        .expect("the template is well formed");
    ProgressBar::new(rows as u64).with_style(style)
}

/// A power of ten microseconds, for an axis.
fn time_tick(micros: f64) -> String {
    let (value, unit) = match micros {
        m if m < 0.99 => (m * 1e3, "ns"),
        m if m < 990.0 => (m, "µs"),
        m if m < 990e3 => (m / 1e3, "ms"),
        m => (m / 1e6, "s"),
    };
    format!("{} {unit}", value.round())
}
