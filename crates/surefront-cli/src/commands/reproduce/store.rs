//! `surefront reproduce store`: how many observations a second reach the disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use serde::Serialize;

use super::vaccine;
use crate::args::StoreArgs;
use crate::commands::{print, print_json};
use crate::failure::Failure;
use surefront_study::session::Session;
use surefront_study::store::Access;
use surefront_study::words::number::{duration, grouped};
use surefront_study::words::table::{Align, TextTable};

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    rows: Vec<Row>,
}

/// One way of telling.
#[derive(Serialize)]
struct Row {
    case: String,
    observations: u64,
    seconds: f64,
    per_second: f64,
}

/// Tells in all ways, and makes sure that everything told is there.
pub fn run(args: &StoreArgs) -> Result<(), Failure> {
    let bench = Bench::new(args)?;
    let rows = [
        bench.disk()?,
        bench.row("one at a time, one process".to_owned(), args.tells, || bench.one_at_a_time())?,
        bench.row("one CSV file".to_owned(), args.rows, || bench.csv_file())?,
        bench.row(
            format!("{} processes at once, a new process for each", args.processes),
            args.tells * args.processes,
            || bench.processes(),
        )?,
    ];
    if args.json {
        return print_json(&Report { experiment: "store", rows: rows.into() });
    }
    print(&format!("{}\n{NOTES}\n", table(&rows)))
}

const NOTES: &str = "\
Every observation is on the disk before the next one is told; those of a file are on the disk together. The disk sets the pace: its
own comes first. The study is the vaccine instance: 20 arms, 3 objectives. A new process reads the study file, opens the store,
tells one observation, and ends.";

fn table(rows: &[Row]) -> String {
    let mut table = TextTable::new(&[
        ("told", Align::Left),
        ("observations", Align::Right),
        ("time", Align::Right),
        ("per second", Align::Right),
    ]);
    for Row { case, observations, seconds, per_second } in rows {
        table.push(vec![
            case.clone(),
            grouped(*observations),
            duration(seconds * 1e6),
            grouped(per_second.round() as u64),
        ]);
    }
    table.render()
}

/// A folder of its own, removed in the end.
struct Bench<'a> {
    args: &'a StoreArgs,
    folder: PathBuf,
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        // What cannot be removed does no harm but to lie there.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl<'a> Bench<'a> {
    fn new(args: &'a StoreArgs) -> Result<Self, Failure> {
        let folder = args.folder.join(format!("surefront-store-{}", std::process::id()));
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| Failure::Write { file: path, error }
        };
        fs::create_dir(&folder).map_err(at(&folder))?;
        let bench = Bench { args, folder };
        fs::write(bench.study(), vaccine::STUDY).map_err(at(&bench.study()))?;
        let problem = bench.session()?.problem().clone();
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = problem.objectives().iter().map(|objective| objective.name.clone());
        csv.write_record(["arm".to_owned()].into_iter().chain(names)).map_err(io::Error::from)?;
        for (index, arm) in (0..args.rows).zip(problem.arms().iter().cycle()) {
            let values = values(index).map(|value| value.to_string());
            csv.write_record([arm.name.clone()].into_iter().chain(values)).map_err(io::Error::from)?;
        }
        let csv = csv.into_inner().map_err(|error| error.into_error())?;
        fs::write(bench.results(), csv).map_err(at(&bench.results()))?;
        Ok(bench)
    }

    fn study(&self) -> PathBuf {
        self.folder.join("vaccine.toml")
    }

    fn results(&self) -> PathBuf {
        self.folder.join("results.csv")
    }

    fn session(&self) -> Result<Session, Failure> {
        Ok(Session::open(&self.study(), None, Access::Create)?)
    }

    /// Times the work, which tells this many observations, and counts what has arrived.
    fn row(&self, case: String, observations: u64, work: impl FnOnce() -> Result<(), Failure>) -> Result<Row, Failure> {
        let before = self.count()?;
        let start = Instant::now();
        work()?;
        let seconds = start.elapsed().as_secs_f64();
        let found = self.count()? - before;
        if found != observations {
            return Err(Failure::ObservationsLost { found, expected: observations });
        }
        Ok(Row { case, observations, seconds, per_second: observations as f64 / seconds })
    }

    fn count(&self) -> Result<u64, Failure> {
        Ok(self.session()?.known()?.study().tally().total())
    }

    /// The yardstick: what the disk takes for as little as can be written to it.
    fn disk(&self) -> Result<Row, Failure> {
        let path = self.folder.join("disk");
        let write = || {
            let mut file = File::create(&path)?;
            (0..self.args.tells).try_for_each(|_| file.write_all(&[0; 4096]).and_then(|()| file.sync_data()))
        };
        let start = Instant::now();
        write().map_err(|error| Failure::Write { file: path.clone(), error })?;
        let (observations, seconds) = (self.args.tells, start.elapsed().as_secs_f64());
        let case = "the disk alone: 4 KiB appended, synchronised".to_owned();
        Ok(Row { case, observations, seconds, per_second: observations as f64 / seconds })
    }

    fn one_at_a_time(&self) -> Result<(), Failure> {
        let mut session = self.session()?;
        let arms = session.problem().arm_count();
        for index in 0..self.args.tells {
            session.change(|batch| batch.tell_arm(index as usize % arms, &values(index), "reproduce"))?;
        }
        Ok(())
    }

    fn csv_file(&self) -> Result<(), Failure> {
        let results = self.results();
        self.surefront(&["--csv".as_ref(), results.as_ref()])
    }

    fn processes(&self) -> Result<(), Failure> {
        let name = self.session()?.problem().arms()[0].name.clone();
        let tell = |process: u64| -> Result<(), Failure> {
            (0..self.args.tells).try_for_each(|index| {
                let values = values(index + process).map(|value| value.to_string());
                let words: Vec<String> = ["--arm".to_owned(), name.clone()].into_iter().chain(values).collect();
                self.surefront(&words.iter().map(AsRef::as_ref).collect::<Vec<_>>())
            })
        };
        let tell = &tell;
        thread::scope(|scope| {
            let processes: Vec<_> =
                (0..self.args.processes).map(|process| scope.spawn(move || tell(process))).collect();
            processes.into_iter().try_for_each(|process| process.join().expect("no thread panics"))
        })
    }

    /// Runs `surefront tell` with these arguments.
    fn surefront(&self, args: &[&std::ffi::OsStr]) -> Result<(), Failure> {
        let output = Command::new(std::env::current_exe()?).arg("tell").arg(self.study()).args(args).output()?;
        match output.status.success() && output.stderr.is_empty() {
            true => Ok(()),
            false => Err(Failure::TellFailed { said: String::from_utf8_lossy(&output.stderr).trim_end().to_owned() }),
        }
    }
}

/// Some values or other, one for each objective.
fn values(index: u64) -> [f64; 3] {
    [17, 31, 47].map(|factor| (index * factor % 1000) as f64 / 100.0)
}
