//! `surefront reproduce analyze`: how fast a large file of samples is read and judged, and in how much memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use cpu_time::ProcessTime;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use serde::Serialize;
use surefront::{Goal, Noise, Objective};

use super::learning_loop::Arms;
use crate::args::AnalyzeSpeedArgs;
use crate::commands::analyze::study_of;
use crate::commands::{print, print_json};
use crate::failure::Failure;
use crate::memory::peak_megabytes;
use crate::progress;
use surefront_study::answer::Answer;
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::samples::{self, Samples};
use surefront_study::session::ThresholdName;
use surefront_study::words::number::grouped;

const DELTA: f64 = 0.1;
/// Rows between two looks at the progress.
const STRETCH: u64 = 1 << 16;

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    rows: u64,
    arms: usize,
    objectives: usize,
    file_megabytes: f64,
    /// From opening the file to the verdict.
    seconds: f64,
    /// Of one core.
    cpu_seconds: f64,
    rows_per_second: f64,
    rows_per_cpu_second: f64,
    /// The most that the program ever held, writing the file included; `None` where the system does not say.
    peak_megabytes: Option<f64>,
    front_arms: usize,
    stopped: bool,
    seed: u64,
}

/// Writes the file, analyzes it, and prints the times.
pub fn run(args: &AnalyzeSpeedArgs) -> Result<(), Failure> {
    let file = TemporaryFile::new();
    let file_megabytes =
        file.write(args).map_err(|error| Failure::Write { file: file.path.clone(), error })? as f64 / 1e6;

    let (start, cpu) = (Instant::now(), ProcessTime::now());
    let input = File::open(&file.path).map_err(|error| InputError::of_file(&file.path, Fault::unreadable(error)))?;
    let objective = |j| Objective::new(format!("y{j}"), Goal::Max, Noise::Unknown);
    let objectives = (0..args.objectives).map(objective).collect();
    let Samples { problem, tally, .. } = samples::read(input, &file.path, objectives, None)?;
    let answer = Answer::of("samples", &mut study_of(problem, tally, ThresholdName::Stylized, DELTA));
    let (seconds, cpu_seconds) = (start.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());

    let report = Report {
        experiment: "analyze",
        rows: answer.samples,
        arms: answer.arms.len(),
        objectives: answer.objectives.len(),
        file_megabytes,
        seconds,
        cpu_seconds,
        rows_per_second: args.rows as f64 / seconds,
        rows_per_cpu_second: args.rows as f64 / cpu_seconds,
        peak_megabytes: peak_megabytes(),
        front_arms: answer.front.len(),
        stopped: answer.stopped,
        seed: args.seed,
    };
    if args.json { print_json(&report) } else { print(&report.screen()) }
}

impl Report {
    fn screen(&self) -> String {
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
            if self.stopped { "sure" } else { "not sure" },
        )
    }
}

/// A file that is gone when its owner is.
struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    fn new() -> Self {
        TemporaryFile { path: std::env::temp_dir().join(format!("surefront-analyze-{}.csv", std::process::id())) }
    }

    /// Writes the samples, and says how many bytes they are.
    fn write(&self, args: &AnalyzeSpeedArgs) -> io::Result<u64> {
        let (k, d) = (args.arms as usize, args.objectives as usize);
        let Arms { problem, truth } = Arms::random(k, d, args.seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
        let mut out = BufWriter::new(File::create(&self.path)?);
        let names: Vec<&str> = problem.objectives().iter().map(|objective| objective.name.as_str()).collect();
        writeln!(out, "arm,{}", names.join(","))?;
        let bar = progress::written_rows(args.rows);
        for row in 0..args.rows {
            // Every arm at least once, then at random.
            let arm = if row < k as u64 { row as usize } else { rng.random_range(0..k) };
            write!(out, "{}", problem.arms()[arm].name)?;
            for mean in truth.row(arm) {
                let noise: f64 = rng.sample(StandardNormal);
                write!(out, ",{:.6}", mean + noise)?;
            }
            out.write_all(b"\n")?;
            if (row + 1).is_multiple_of(STRETCH) {
                bar.inc(STRETCH);
            }
        }
        bar.finish_and_clear();
        out.into_inner()?.metadata().map(|data| data.len())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // It may never have been made; and where it cannot be removed, the system will do so.
        let _ = std::fs::remove_file(&self.path);
    }
}
