//! `surefront simulate`: rules on simulated arms, side by side.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use surefront::Run;
use surefront_lab::replication::{Budgeter, RunLog, Simulator};
use surefront_lab::{Findings, Observer, Steps};
use surefront_study::file::study::StudyFile;
use surefront_study::output::destination::Destination;
use surefront_study::output::figure::Figure;
use surefront_study::output::kind::OutputKind;
use surefront_study::output::rows::CsvTarget;

use super::experiment::{self, Form};
use crate::args::{AllocationSource, SimulateArgs, WeightsSource};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use crate::remark::remark;
use crate::screen;

/// Runs all rules, then shows what was finished.
pub fn run(args: &SimulateArgs) -> Result<(), Failure> {
    if args.work.json && args.export_csv == Some(CsvTarget::Stdout) {
        return Err(Failure::TwoOutputs);
    }
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let truth = study.model(&problem)?;
    let of_lab = |error| Failure::of_lab(error, study.path());
    if !args.budget.is_empty() {
        let options = args.budget_options(&study, &problem)?;
        let budgeter = Budgeter::new(&problem, &truth, &options).map_err(of_lab)?;
        let figure = args.svg.as_deref().map(|path| Figure::create(path, &study.paths())).transpose()?;
        let found = budgeter.run(&Bar::default(), &interrupt::flag("runs")).map_err(of_lab)?;
        let notes = experiment::written(figure, &found)?;
        experiment::show(&found, Form::of(args.work.json), &notes)?;
        return experiment::finished(&found);
    }
    let options = args.options(&study, &problem)?;
    let simulator = Simulator::new(&problem, &truth, &options).map_err(of_lab)?;
    let mut inputs = study.paths().to_vec();
    if let AllocationSource::Given(WeightsSource::File(path)) = &args.allocation {
        inputs.push(path);
    }
    let log = args.export_csv.as_ref().map(|target| Rows::create(target, &inputs)).transpose()?;
    if let Some(CsvTarget::File(path)) = &args.export_csv {
        // Of the two outputs, neither may replace the other.
        inputs.push(path);
    }
    let figure = args.svg.as_deref().map(|path| Figure::create(path, &inputs)).transpose()?;

    let watch = Watch { bar: Bar::default(), log };
    let simulated = simulator.run(&watch, &interrupt::flag("runs")).map_err(of_lab)?;
    let mut notes = experiment::written(figure, &simulated)?;
    let logged = watch.log.map_or(Ok(None), Rows::finish);
    if let Ok(Some(note)) = &logged {
        notes += note;
    }
    if args.export_csv == Some(CsvTarget::Stdout) {
        remark(&(simulated.text(screen::width()) + &notes));
    } else {
        experiment::show(&simulated, Form::of(args.work.json), &notes)?;
    }
    logged?;
    experiment::finished(&simulated)?;
    if simulated.is_undecided() { Err(Failure::Undecided { max_samples: args.max_samples }) } else { Ok(()) }
}

/// Shows the progress, and keeps the runs.
struct Watch {
    bar: Bar,
    log: Option<Rows>,
}

impl Observer for Watch {
    fn begin(&self, count: u64, steps: Steps) {
        self.bar.begin(count, steps);
    }

    fn advance(&self, count: u64) {
        self.bar.advance(count);
    }

    fn message(&self, text: &str) {
        self.bar.message(text);
    }

    fn end(&self) {
        self.bar.end();
    }

    fn run(&self, rule: &'static str, run: &Run) -> ControlFlow<()> {
        self.log.as_ref().map_or(ControlFlow::Continue(()), |rows| rows.log.add(rule, run))
    }
}

/// The table of runs, and where it goes.
struct Rows {
    target: CsvTarget,
    log: RunLog,
}

impl Rows {
    /// Opens the table and writes its header, so that a wrong path costs nothing.
    fn create(target: &CsvTarget, inputs: &[&Path]) -> Result<Self, Failure> {
        let log = match target {
            CsvTarget::Stdout => RunLog::new(Box::new(io::stdout())),
            CsvTarget::File(path) => RunLog::new(Box::new(Destination::new(path, OutputKind::RunLog, inputs)?.open()?)),
        };
        let target = target.clone();
        match log {
            Ok(log) => Ok(Rows { target, log }),
            Err(error) => Err(failure(target, error)),
        }
    }

    /// The line that says where the rows are; or why some are missing.
    fn finish(self) -> Result<Option<String>, Failure> {
        let Rows { target, log } = self;
        match (log.finish(), target) {
            (Ok(()), CsvTarget::Stdout) => Ok(None),
            (Ok(()), CsvTarget::File(path)) => Ok(Some(format!("Runs written to {}\n", path.display()))),
            (Err(error), target) => Err(failure(target, error)),
        }
    }
}

fn failure(target: CsvTarget, error: io::Error) -> Failure {
    match target {
        CsvTarget::Stdout => Failure::Print(error),
        CsvTarget::File(file) => Failure::Write { file, error },
    }
}
