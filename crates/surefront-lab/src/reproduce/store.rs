//! How many observations a second reach the disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use serde::Serialize;
use surefront::Arm;

use super::vaccine;
use crate::findings::{Findings, Unfinished, rendered};
use crate::lab_error::{LabError, within};
use crate::observer::{Observer, Steps};
use crate::replication::MOST_RUNS;
use crate::scratch::Scratch;
use surefront_study::session::Session;
use surefront_study::store::Access;
use surefront_study::words::number::{duration, grouped};
use surefront_study::words::table::{Align, TextTable, Width};

/// What is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// Observations told one at a time, by each process.
    pub tells: u64,
    /// Rows of the CSV file.
    pub rows: u64,
    /// Processes at once, up to 256.
    pub processes: u64,
    /// Where to put the store, which is removed in the end.
    pub folder: PathBuf,
    /// The program `surefront`, which every process that tells is one of.
    pub program: PathBuf,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions { tells: 1000, rows: 100_000, processes: 8, folder: ".".into(), program: "surefront".into() }
    }
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct StoreSpeed {
    /// "store".
    pub experiment: &'static str,
    /// One for each way of telling.
    pub rows: Vec<StoreRow>,
    #[serde(skip)]
    unfinished: Vec<Unfinished>,
}

/// One way of telling.
#[derive(Clone, Debug, Serialize)]
pub struct StoreRow {
    /// Which.
    pub case: String,
    /// How many were told.
    pub observations: u64,
    /// By the clock.
    pub seconds: f64,
    /// By the clock.
    pub per_second: f64,
}

/// Tells in all ways, and makes sure that everything told is there. Interrupted, it ends without the way under way.
///
/// # Errors
/// When an option is out of its range, something cannot be written or started, or something told is lost.
pub fn run(options: &StoreOptions, observer: &dyn Observer, interrupt: &AtomicBool) -> Result<StoreSpeed, LabError> {
    within("tells", options.tells, 1..=MOST_RUNS)?;
    within("rows", options.rows, 1..=MOST_RUNS)?;
    within("processes", options.processes, 1..=256)?;
    let bench = Bench::new(options, interrupt)?;
    let at_once = format!("{} processes at once, a new process for each", options.processes);
    let ways: [&dyn Fn() -> Result<StoreRow, LabError>; 4] = [
        &|| bench.disk(),
        &|| bench.row("one at a time, one process", options.tells, &|| bench.one_at_a_time()),
        &|| bench.row("one CSV file", options.rows, &|| bench.csv_file()),
        &|| bench.row(&at_once, options.tells * options.processes, &|| bench.processes()),
    ];
    observer.begin(ways.len() as u64, Steps::Rows);
    let mut rows = Vec::new();
    for way in ways {
        let row = match way() {
            _ if interrupt.load(Ordering::Relaxed) => break,
            row => row?,
        };
        rows.push(row);
        observer.advance(1);
    }
    observer.end();
    let unfinished = Unfinished::rows(rows.len(), ways.len());
    Ok(StoreSpeed { experiment: "store", rows, unfinished })
}

impl Findings for StoreSpeed {
    fn text(&self, width: Width) -> String {
        format!("{}\n{NOTES}\n", table(&self.rows, width))
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

const NOTES: &str = "\
Every observation is on the disk before the next one is told; those of a file are on the disk together. The disk sets the pace: its
own comes first. The study is the vaccine instance: 20 arms, 3 objectives. A new process reads the study file, opens the store,
tells one observation, and ends.";

fn table(rows: &[StoreRow], width: Width) -> String {
    let mut table = TextTable::new(&[
        ("told", Align::Left),
        ("observations", Align::Right),
        ("time", Align::Right),
        ("per second", Align::Right),
    ]);
    for StoreRow { case, observations, seconds, per_second } in rows {
        table.push(vec![
            case.clone(),
            grouped(*observations),
            duration(seconds * 1e6),
            grouped(per_second.round() as u64),
        ]);
    }
    rendered(&table, width)
}

/// A study in a folder of its own.
struct Bench<'a> {
    options: &'a StoreOptions,
    interrupt: &'a AtomicBool,
    scratch: Scratch,
}

impl<'a> Bench<'a> {
    fn new(options: &'a StoreOptions, interrupt: &'a AtomicBool) -> Result<Self, LabError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| LabError::Write { file: path, error }
        };
        let bench = Bench { options, interrupt, scratch: Scratch::within(&options.folder, "store")? };
        fs::write(bench.study(), vaccine::STUDY).map_err(at(&bench.study()))?;
        let problem = bench.session()?.problem().clone();
        let names = problem.objectives().iter().map(|objective| objective.name.clone());
        let header = std::iter::once(["arm".to_owned()].into_iter().chain(names).collect::<Vec<_>>());
        let row = |(index, arm): (u64, &Arm)| {
            let values = values(index).map(|value| value.to_string());
            [arm.name.clone()].into_iter().chain(values).collect()
        };
        let rows = (0..options.rows).zip(problem.arms().iter().cycle()).map(row);
        let write = || -> io::Result<()> {
            let mut csv = csv::Writer::from_path(bench.results())?;
            header.chain(rows).try_for_each(|row| csv.write_record(row))?;
            csv.flush()
        };
        write().map_err(at(&bench.results()))?;
        Ok(bench)
    }

    fn goes_on(&self) -> bool {
        !self.interrupt.load(Ordering::Relaxed)
    }

    fn study(&self) -> PathBuf {
        self.scratch.join("vaccine.toml")
    }

    fn results(&self) -> PathBuf {
        self.scratch.join("results.csv")
    }

    fn session(&self) -> Result<Session, LabError> {
        Ok(Session::open(&self.study(), None, Access::Create)?)
    }

    /// Times the work, which tells this many observations, and counts what has arrived.
    fn row(
        &self,
        case: &str,
        observations: u64,
        work: &dyn Fn() -> Result<(), LabError>,
    ) -> Result<StoreRow, LabError> {
        let before = self.count()?;
        let start = Instant::now();
        work()?;
        let seconds = start.elapsed().as_secs_f64();
        let found = self.count()? - before;
        if found != observations {
            return Err(LabError::ObservationsLost { found, expected: observations });
        }
        Ok(StoreRow { case: case.to_owned(), observations, seconds, per_second: observations as f64 / seconds })
    }

    fn count(&self) -> Result<u64, LabError> {
        Ok(self.session()?.known()?.study().tally().total())
    }

    /// The yardstick: what the disk takes for as little as can be written to it.
    fn disk(&self) -> Result<StoreRow, LabError> {
        let path = self.scratch.join("disk");
        let write = || {
            let mut file = File::create(&path)?;
            (0..self.options.tells)
                .take_while(|_| self.goes_on())
                .try_for_each(|_| file.write_all(&[0; 4096]).and_then(|()| file.sync_data()))
        };
        let start = Instant::now();
        write().map_err(|error| LabError::Write { file: path.clone(), error })?;
        let (observations, seconds) = (self.options.tells, start.elapsed().as_secs_f64());
        let case = "the disk alone: 4 KiB appended, synchronised".to_owned();
        Ok(StoreRow { case, observations, seconds, per_second: observations as f64 / seconds })
    }

    fn one_at_a_time(&self) -> Result<(), LabError> {
        let mut session = self.session()?;
        let arms = session.problem().arm_count();
        for index in (0..self.options.tells).take_while(|_| self.goes_on()) {
            session.change(|batch| batch.tell_arm(index as usize % arms, &values(index), "reproduce"))?;
        }
        Ok(())
    }

    fn csv_file(&self) -> Result<(), LabError> {
        let results = self.results();
        self.surefront(&["--csv".as_ref(), results.as_ref()])
    }

    fn processes(&self) -> Result<(), LabError> {
        let name = self.session()?.problem().arms()[0].name.clone();
        let tell = |process: u64| -> Result<(), LabError> {
            (0..self.options.tells).take_while(|_| self.goes_on()).try_for_each(|index| {
                let values = values(index + process).map(|value| value.to_string());
                let words: Vec<String> = ["--arm".to_owned(), name.clone()].into_iter().chain(values).collect();
                self.surefront(&words.iter().map(AsRef::as_ref).collect::<Vec<_>>())
            })
        };
        let tell = &tell;
        thread::scope(|scope| {
            let processes: Vec<_> =
                (0..self.options.processes).map(|process| scope.spawn(move || tell(process))).collect();
            processes.into_iter().try_for_each(|process| process.join().expect("no thread panics"))
        })
    }

    /// Runs `surefront tell` with these arguments.
    fn surefront(&self, args: &[&std::ffi::OsStr]) -> Result<(), LabError> {
        let program = &self.options.program;
        let started = Command::new(program).arg("tell").arg(self.study()).args(args).output();
        let output = started.map_err(|error| LabError::Start { program: program.clone(), error })?;
        match output.status.success() && output.stderr.is_empty() {
            true => Ok(()),
            false => Err(LabError::TellFailed { said: String::from_utf8_lossy(&output.stderr).trim_end().to_owned() }),
        }
    }
}

/// Some values or other, one for each objective.
fn values(index: u64) -> [f64; 3] {
    [17, 31, 47].map(|factor| (index * factor % 1000) as f64 / 100.0)
}
