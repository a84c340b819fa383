//! How fast a large file of samples is read and judged, and in how much memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cpu_time::ProcessTime;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Goal, Noise, Objective, StoppingKind};
use surefront_study::analysis::study_of;
use surefront_study::answer::Answer;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::samples::{self, Naming, Samples};
use surefront_study::words::number::grouped;
use surefront_study::words::table::Width;

use super::learning_loop::Arms;
use crate::findings::{Findings, Unfinished};
use crate::lab_error::{LabError, within};
use crate::memory::peak_megabytes;
use crate::observer::{Observer, Steps};
use crate::scratch::Scratch;

const DELTA: f64 = 0.1;
/// Rows between two looks at the progress.
const STRETCH: u64 = 1 << 16;

/// The file that is written and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzeOptions {
    /// Its rows.
    pub rows: u64,
    /// Arms, up to a million.
    pub arms: u32,
    /// Objectives, up to 8.
    pub objectives: u32,
    /// Start of the random numbers: the same seed gives the same file.
    pub seed: u64,
    /// Where it is put for the while.
    pub folder: PathBuf,
}

impl Default for AnalyzeOptions {
    fn default() -> Self {
        AnalyzeOptions { rows: 10_000_000, arms: 100, objectives: 3, seed: 1, folder: std::env::temp_dir() }
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct AnalyzeSpeed {
    /// "analyze".
    pub experiment: &'static str,
    /// Rows of the file.
    pub rows: u64,
    /// How many arms.
    pub arms: usize,
    /// How many objectives.
    pub objectives: usize,
    /// The size of the file.
    pub file_megabytes: f64,
    /// From opening the file to the verdict.
    pub seconds: f64,
    /// Of one core.
    pub cpu_seconds: f64,
    /// By the clock.
    pub rows_per_second: f64,
    /// Of one core.
    pub rows_per_cpu_second: f64,
    /// The most that the program ever held, writing the file included; `None` where the system does not say.
    pub peak_megabytes: Option<f64>,
    /// How many arms are on the front.
    pub front_arms: usize,
    /// Whether the evidence suffices, by the stylized threshold: the front is likely.
    pub stopped: bool,
    /// Start of the random numbers.
    pub seed: u64,
}

/// Writes the file and analyzes it. Interrupted while writing, it has nothing to show.
///
/// # Errors
/// When an option is out of its range, the file cannot be written or read, or it was interrupted.
pub fn run(
    options: &AnalyzeOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> Result<AnalyzeSpeed, LabError> {
    within("rows", options.rows, 1..=u64::MAX)?;
    within("arms", options.arms, 1..=1_000_000)?;
    within("objectives", options.objectives, 1..=8)?;
    let scratch = Scratch::within(&options.folder, "analyze")?;
    let path = scratch.join("samples.csv");
    observer.begin(options.rows, Steps::WrittenRows);
    let written = write(&path, options, observer, interrupt);
    observer.end();
    let file_megabytes = match written.map_err(|error| LabError::Write { file: path.clone(), error })? {
        Written::Whole { bytes } => bytes as f64 / 1e6,
        Written::Interrupted { rows } => {
            let (steps, wanted) = (Steps::WrittenRows, options.rows);
            return Err(LabError::Interrupted(vec![Unfinished {
                rule: None,
                steps,
                finished: rows,
                wanted,
                rest: None,
            }]));
        }
    };

    let (start, cpu) = (Instant::now(), ProcessTime::now());
    let input = File::open(&path).map_err(|error| InputError::of_file(&path, Fault::unreadable(error)))?;
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Unknown);
    let objectives = (0..options.objectives).map(objective).collect();
    let Samples { problem, tally, look, .. } = samples::read(input, &path, objectives, &Naming::default())?;
    let answer = Answer::of(
        "samples",
        &mut study_of(problem, tally, StoppingKind::Stylized, DELTA).expect("every threshold is for means"),
        &look,
    );
    let (seconds, cpu_seconds) = (start.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());

    Ok(AnalyzeSpeed {
        experiment: "analyze",
        rows: answer.samples,
        arms: answer.arms.len(),
        objectives: answer.objectives.len(),
        file_megabytes,
        seconds,
        cpu_seconds,
        rows_per_second: options.rows as f64 / seconds,
        rows_per_cpu_second: options.rows as f64 / cpu_seconds,
        peak_megabytes: peak_megabytes(),
        front_arms: answer.front.len(),
        stopped: answer.stopped,
        seed: options.seed,
    })
}

impl Findings for AnalyzeSpeed {
    fn text(&self, _: Width) -> String {
        let rate = |rows: f64| grouped(rows.round() as u64);
        format!(
            "{} rows, {} arms, {} objectives, {:.0} MB: {:.2} s from the file to the verdict, {:.2} s of one core\n\
             {} rows per second, {} per second of one core; at most {} of memory\n\
             {} arms on the front, {} at δ = {DELTA}\n",
            grouped(self.rows),
            grouped(self.arms as u64),
            self.objectives,
            self.file_megabytes,
            self.seconds,
            self.cpu_seconds,
            rate(self.rows_per_second),
            rate(self.rows_per_cpu_second),
            self.peak_megabytes.map_or_else(|| "–".to_owned(), |megabytes| format!("{megabytes:.1} MB")),
            grouped(self.front_arms as u64),
            if self.stopped { "likely" } else { "not decided" },
        )
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        Vec::new()
    }
}

enum Written {
    Whole { bytes: u64 },
    Interrupted { rows: u64 },
}

/// Writes the samples.
fn write(
    path: &Path,
    options: &AnalyzeOptions,
    observer: &dyn Observer,
    interrupt: &AtomicBool,
) -> io::Result<Written> {
    let (k, d) = (options.arms as usize, options.objectives as usize);
    let Arms { problem, truth } = Arms::random(k, d, options.seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut out = BufWriter::new(File::create(path)?);
    let names: Vec<&str> = problem.objectives().iter().map(|objective| objective.name.as_str()).collect();
    writeln!(out, "arm,{}", names.join(","))?;
    for row in 0..options.rows {
        // Every arm at least once, then at random.
        let arm = if row < k as u64 { row as usize } else { rng.random_range(0..k) };
        write!(out, "{}", problem.arms()[arm].name)?;
        for mean in truth.row(arm) {
            let noise: f64 = rng.sample(StandardNormal);
            write!(out, ",{:.6}", mean + noise)?;
        }
        out.write_all(b"\n")?;
        if (row + 1).is_multiple_of(STRETCH) {
            observer.advance(STRETCH);
            if interrupt.load(Ordering::Relaxed) {
                return Ok(Written::Interrupted { rows: row + 1 });
            }
        }
    }
    let bytes = out.into_inner()?.metadata()?.len();
    Ok(Written::Whole { bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_leaves_no_file() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().to_owned();
        let options = AnalyzeOptions { rows: u64::MAX, arms: 2, objectives: 1, seed: 1, folder };
        let error = run(&options, &(), &AtomicBool::new(true)).unwrap_err();
        let LabError::Interrupted(unfinished) = error else { panic!("{error}") };
        assert_eq!((unfinished[0].finished, unfinished[0].wanted), (STRETCH, u64::MAX));
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
