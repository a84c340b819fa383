//! `surefront run`: measures until there is an answer.

mod display;
mod view;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use surefront::{Problem, Promise};

use self::display::Display;
use super::{print, print_json, verdicts};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::interrupt::Measurements;
use crate::screen;
use surefront_study::answer::{self, Answer, Likely, Rows};
use surefront_study::file::study::{ArmCommand, StudyFile};
use surefront_study::output::destination::Destination;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::run::{self, End, LeftOut, OnFailure, RunOptions, Urgency};
use surefront_study::status::ArmLeftOut;
use surefront_study::store::{Access, Dropped};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::samples_of;

/// Measures, then shows what is known.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let options = options(args, Instant::now());
    // What is wrong in the study file is said before there is a store.
    let file = StudyFile::read(&args.session.study)?;
    run::check(&file, &file.learning_problem()?)?;
    let mut session = args.session.open(Access::Create)?;
    let store = session.store_path().to_owned();
    let report = report_destination(args, &file, &store)?;

    let measurements = Measurements::listen();
    let mut display = Display::new(&args.session.study);
    let end = run::measure(&mut session, &options, &mut display, &measurements.interrupt);
    display.finish();
    measurements.over();
    let end = end?;
    let known = session.known()?;
    let kept = answer::samples(known.study()) + known.waiting().map_or(0, |waiting| waiting.results);
    if let End::Interrupted(Urgency::AtOnce) = end {
        // Whoever wants an end at once does not wait for a report.
        return Err(Failure::RunEnded { kept, store, exit_code: measurements.exit_code() });
    }
    let (answer, written) = match (&report, &end) {
        // There is hardly anything to report, and something to be mended first.
        (None, _) | (_, End::Failed(_)) => (session.answer()?, None),
        (Some((destination, format)), _) => {
            let data = ReportData::of(&mut session)?;
            destination.write(report::render(&data, *format).as_bytes())?;
            (data.answer, Some(destination.path()))
        }
    };
    let problem = Arc::clone(session.problem());
    // Whoever has no more to spend wants the best answer that there is for it.
    let is_spent = matches!(end, End::OutOfSamples | End::OutOfCost | End::OutOfTime);
    let likely = if is_spent { Likely::of(session.known()?.study(), &answer) } else { None };
    let dropped = session.known()?.dropped();
    let summary = Summary { answer, likely, problem: &problem, dropped, report: written };
    if args.json {
        print_json(&summary.json(&end, &store))?;
    } else if !matches!(end, End::Failed(_)) {
        print(&summary.screen(if args.all { Rows::All } else { Rows::Few }))?;
    }
    match end {
        End::Answered => super::ended(summary.answer.answered()),
        End::OutOfSamples => Err(Failure::OutOfBudget { option: spent_samples(args), kept }),
        End::OutOfCost => Err(Failure::OutOfBudget { option: "--max-cost", kept }),
        End::OutOfTime => Err(Failure::OutOfBudget { option: "--max-time", kept }),
        End::Interrupted(_) => Err(Failure::RunInterrupted { kept, store }),
        End::Failed(mishap) => Err(Failure::Measurement { mishap, kept, advice: advice(args.on_failure) }),
    }
}

/// What to raise for more samples.
fn spent_samples(args: &RunArgs) -> &'static str {
    if args.max_samples.is_some() { "--max-samples" } else { "`max_samples` in the study file" }
}

/// What was typed, for a run that began then.
fn options(args: &RunArgs, begin: Instant) -> RunOptions {
    let mut options = RunOptions::default();
    options.wishes = args.settings.wishes();
    options.jobs = args.jobs;
    options.timeout = args.timeout;
    options.warm_ups = args.warmup;
    options.prepare = args.prepare.clone().map(ArmCommand::Shell);
    options.max_samples = args.max_samples;
    options.max_cost = args.max_cost;
    // A time beyond all clocks is no limit.
    options.until = args.max_time.and_then(|time| begin.checked_add(time));
    options.patience = args.patience;
    options.on_failure = args.on_failure;
    options.left_out = if args.restore { LeftOut::TakeIn } else { LeftOut::StayOut };
    options
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
    likely: Option<Likely>,
    problem: &'a Problem,
    dropped: &'a [Dropped],
    report: Option<&'a Path>,
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    /// What is likely, where the budget was spent before there was an answer.
    likely: Option<&'a Likely>,
    end: &'static str,
    left_out: Vec<ArmLeftOut>,
    store: String,
    report: Option<String>,
}

impl Summary<'_> {
    fn json(&self, end: &End, store: &Path) -> SummaryJson<'_> {
        SummaryJson {
            answer: &self.answer,
            likely: self.likely.as_ref(),
            end: match end {
                End::Answered => match self.answer.promise {
                    Promise::Proved => "sure",
                    Promise::Likely => "likely",
                },
                End::OutOfSamples => "out of samples",
                End::OutOfCost => "out of cost",
                End::OutOfTime => "out of time",
                End::Interrupted(_) => "interrupted",
                End::Failed(_) => "failed",
            },
            left_out: ArmLeftOut::list(self.problem, self.dropped),
            store: store.display().to_string(),
            report: self.report.map(|path| path.display().to_string()),
        }
    }

    fn screen(&self, rows: Rows) -> String {
        let Answer { study, samples, arms, objectives, .. } = &self.answer;
        let optimised = objectives.iter().filter(|objective| objective.goal.is_some()).count();
        let mut text = format!(
            "{}: {}\n\n{}\n{}",
            plain(study),
            samples_of(*samples, arms.len(), optimised, objectives.len() - optimised),
            self.answer.headline(),
            verdicts(&self.answer, rows)
        );
        if let Some(likely) = &self.likely {
            text += &format!("\n{}", likely.text(&self.answer, screen::width()));
        }
        if !self.dropped.is_empty() {
            text += "\nLeft out, so that the answer is about the others only (--restore takes them in again):\n";
            for Dropped { reason, .. } in self.dropped {
                text += &format!("  {}\n", plain(reason));
            }
        }
        text += &super::caveats(&self.answer);
        if let Some(path) = self.report {
            text += &format!("\nReport written to {}\n", path.display());
        }
        text
    }
}
