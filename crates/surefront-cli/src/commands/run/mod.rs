//! `surefront run`: measures until the answer is sure.

mod display;

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use surefront::Problem;

use self::display::Display;
use super::{LeftOutJson, print, print_json, verdicts};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::interrupt::{self, Work};
use surefront_study::answer::{Answer, Rows};
use surefront_study::file::study::{ArmCommand, StudyFile};
use surefront_study::output::destination::Destination;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::run::OnFailure;
use surefront_study::run::{Campaign, Claim, End, Ledger, Limits, Runner, RunnerOptions, end_all};
use surefront_study::store::{Dropped, IfMissing};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::samples_of;

/// Measures, then shows what is known.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let begin = Instant::now();
    // What is wrong in the study file is said before there is a store.
    let file = StudyFile::read(&args.session.study)?;
    let problem = file.learning_problem()?;
    let prepare = args.prepare.clone().map(ArmCommand::Shell).or_else(|| file.prepare().cloned());
    let runner = Runner::new(&file, &problem, RunnerOptions { timeout: args.timeout, prepare })?;

    let mut session = args.session.open(IfMissing::Create)?;
    let chosen = session.choose(&args.settings.wishes())?;
    let runner = runner.seeded(chosen.seed);
    let store = &mut session.store;
    let report = report_destination(args, &file, store.path())?;
    let claim = Claim::of(store.path())?;
    let limits = Limits {
        samples: args.max_samples,
        until: args.max_time.map(|time| begin + time),
        interrupted: interrupt::flag(Work { under_way: "measurements", abandon: end_all }),
        on_failure: args.on_failure,
        jobs: args.jobs,
        warm_ups: args.warmup,
    };
    let ledger = store.write(|batch| {
        if args.restore {
            (0..problem.arm_count()).try_for_each(|arm| batch.restore_arm(arm).map(drop))?;
        }
        Ledger::open(&problem, chosen, &runner, limits, batch)
    })?;
    let mut display = Display::new(ledger.learner.study.tally().total());
    let campaign = Campaign::run(store, ledger, &runner, args.jobs, &mut display);
    display.finish();
    let (end, ledger) = campaign?;
    let mut learner = ledger.learner;
    let written = match (&report, &end) {
        // There is hardly anything to report, and something to be mended first.
        (None, _) | (_, End::Failed(_)) => None,
        (Some((destination, format)), _) => {
            let history = session.store.read(|view| view.progress())?;
            let data = ReportData::of(&file.name, &problem, &mut learner, &history);
            destination.write(report::render(&data, *format).as_bytes())?;
            Some(destination.path())
        }
    };
    drop(claim);
    let store = session.store.path().to_owned();
    let summary =
        Summary { answer: learner.answer(&file.name), problem: &problem, dropped: &learner.dropped, report: written };
    if args.json {
        print_json(&summary.json(&end, &store))?;
    } else if !matches!(end, End::Failed(_)) {
        print(&summary.screen(if args.all { Rows::All } else { Rows::Few }))?;
    }
    let kept = summary.answer.samples;
    match end {
        End::Sure => Ok(()),
        End::OutOfSamples => Err(Failure::OutOfBudget { option: "--max-samples", kept }),
        End::OutOfTime => Err(Failure::OutOfBudget { option: "--max-time", kept }),
        End::Interrupted => Err(Failure::RunInterrupted { kept, store }),
        End::Failed(mishap) => Err(Failure::Measurement { mishap, kept, advice: advice(args.on_failure) }),
    }
}

/// Where the report goes and what it is, after making sure that it can be written there.
fn report_destination(
    args: &RunArgs,
    file: &StudyFile,
    store: &Path,
) -> Result<Option<(Destination, Format)>, Failure> {
    if args.no_report {
        return Ok(None);
    }
    let (path, format) = match &args.report {
        Some(path) => {
            (path.clone(), Format::of_path(path).ok_or_else(|| Failure::UnknownEnding { file: path.clone() })?)
        }
        None => (report::beside(file.path(), Format::Html), Format::Html),
    };
    let [study, arms] = file.paths();
    Ok(Some((report::destination(&path, format, &[study, arms, store])?, format)))
}

/// How to go on after a failure.
fn advice(on_failure: OnFailure) -> &'static str {
    match on_failure {
        OnFailure::Stop => {
            "once it works, the same command goes on from there (--on-failure retry tries again by itself, --on-failure drop leaves such arms out)"
        }
        OnFailure::Retry => {
            "it was tried several times; once it works, the same command goes on from there (--on-failure drop leaves such arms out)"
        }
        OnFailure::Drop => "the same command goes on from there",
    }
}

/// All that is shown.
struct Summary<'a> {
    answer: Answer,
    problem: &'a Problem,
    dropped: &'a [Dropped],
    report: Option<&'a Path>,
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    end: &'static str,
    left_out: Vec<LeftOutJson<'a>>,
    store: String,
    report: Option<String>,
}

impl Summary<'_> {
    fn json(&self, end: &End, store: &Path) -> SummaryJson<'_> {
        SummaryJson {
            answer: &self.answer,
            end: match end {
                End::Sure => "sure",
                End::OutOfSamples => "out of samples",
                End::OutOfTime => "out of time",
                End::Interrupted => "interrupted",
                End::Failed(_) => "failed",
            },
            left_out: LeftOutJson::list(self.problem, self.dropped),
            store: store.display().to_string(),
            report: self.report.map(|path| path.display().to_string()),
        }
    }

    fn screen(&self, rows: Rows) -> String {
        let Answer { study, samples, arms, objectives, .. } = &self.answer;
        let mut text = format!(
            "{}: {}\n\n{}\n{}",
            plain(study),
            samples_of(*samples, arms.len(), objectives.len()),
            self.answer.headline(),
            verdicts(&self.answer, rows)
        );
        if !self.dropped.is_empty() {
            text += "\nLeft out, so that the answer is about the others only (--restore takes them in again):\n";
            for Dropped { reason, .. } in self.dropped {
                text += &format!("  {}\n", plain(reason));
            }
        }
        if let Some(path) = self.report {
            text += &format!("\nReport written to {}\n", path.display());
        }
        text
    }
}
