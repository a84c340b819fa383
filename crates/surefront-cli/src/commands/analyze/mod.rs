//! `surefront analyze`: the verdict on samples that exist already, and what to measure next.

mod objectives;

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use surefront::Study;

use super::{ended, print, print_json, verdicts};
use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::progress;
use surefront_study::analysis::study_of;
use surefront_study::answer::{Answer, ArmName, Rows};
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::samples::{self, Samples};
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::{counted, samples_of};
use surefront_study::words::suggestion::listed;

/// Reads the samples and shows what they say.
pub fn run(args: &AnalyzeArgs) -> Result<(), Failure> {
    let objectives = objectives::objectives(args)?;
    let source = Source::open(&args.data)?;
    let Samples { problem, tally, look, arm_column, ignored } =
        samples::read(source.input, &source.origin, objectives, args.arm_column.as_deref())?;

    let threshold = args.threshold.unwrap_or_default();
    let mut study = study_of(problem, tally, threshold, args.delta).map_err(Failure::Settings)?;
    let analysis = Analysis {
        answer: Answer::of(&source.name, &mut study, &look),
        arm_column,
        ignored_columns: ignored,
        next: if study.stopped() { Vec::new() } else { next(&mut study, args.next as usize) },
    };
    if args.json {
        print_json(&analysis)?
    } else {
        print(&analysis.screen(args))?
    }
    ended(analysis.answer.answered())
}

/// Where the samples come from.
struct Source {
    input: Box<dyn Read>,
    /// As messages say it.
    origin: PathBuf,
    /// As the answer is headed.
    name: String,
}

impl Source {
    fn open(path: &Path) -> Result<Self, InputError> {
        if path == Path::new("-") {
            let origin = "standard input";
            return Ok(Source { input: Box::new(io::stdin().lock()), origin: origin.into(), name: origin.to_owned() });
        }
        let unreadable = |error| InputError::of_file(path, Fault::unreadable(error));
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Source { input: Box::new(progress::bytes(length).wrap_read(file)), origin: path.to_owned(), name })
    }
}

/// All that is shown.
#[derive(Serialize)]
struct Analysis {
    #[serde(flatten)]
    answer: Answer,
    arm_column: String,
    ignored_columns: Vec<String>,
    /// How the next measurements are best spread: empty once there is an answer.
    next: Vec<Share>,
}

/// An arm's share of the next measurements.
#[derive(Serialize)]
struct Share {
    #[serde(flatten)]
    arm: ArmName,
    samples: u64,
}

/// The arms that the rule asks for next, those it asks for most often first.
fn next(study: &mut Study, samples: usize) -> Vec<Share> {
    let mut counts = vec![0; study.problem().arm_count()];
    for arm in study.ask_batch(samples) {
        counts[arm] += 1;
    }
    let asked = counts.into_iter().enumerate().filter(|(_, samples)| *samples > 0);
    let name = |index: usize| ArmName { name: study.problem().arms()[index].name.clone(), index };
    let mut shares: Vec<Share> = asked.map(|(arm, samples)| Share { arm: name(arm), samples }).collect();
    shares.sort_by_key(|share| (std::cmp::Reverse(share.samples), share.arm.index));
    shares
}

impl Analysis {
    fn screen(&self, args: &AnalyzeArgs) -> String {
        let Answer { study, samples, arms, objectives, .. } = &self.answer;
        let mut text = format!(
            "{}: {}, arms from the column \"{}\"",
            plain(study),
            samples_of(*samples, arms.len(), objectives.len()),
            plain(&self.arm_column)
        );
        if !self.ignored_columns.is_empty() {
            let _ = write!(text, ", not looked at: {}", listed(self.ignored_columns.iter().map(String::as_str)));
        }
        if arms.len() > 1 && arms.iter().all(|arm| arm.n == 1) {
            let _ = write!(
                text,
                "\nEvery row has an arm of its own: if \"{}\" is not the column that names the arm, say which is with --arm-column.",
                plain(&self.arm_column)
            );
        }
        let rows = if args.all { Rows::All } else { Rows::Few };
        let _ = write!(text, "\n\n{}\n{}", self.answer.headline(), verdicts(&self.answer, rows));
        text + &self.advice(args.next) + &super::caveats(&self.answer)
    }

    /// How to spend the next measurements.
    fn advice(&self, next: u64) -> String {
        const SHOWN: usize = 12;
        if self.next.is_empty() {
            return String::new();
        }
        let share = |Share { arm, samples }: &Share| format!("\"{}\" {}", plain(&arm.name), grouped(*samples));
        let mut shares: Vec<String> = self.next.iter().take(SHOWN).map(share).collect();
        if self.next.len() > SHOWN {
            let others: u64 = self.next[SHOWN..].iter().map(|share| share.samples).sum();
            shares.push(format!("{} {}", counted(self.next.len() - SHOWN, "other", "others"), grouped(others)));
        }
        let next = if next == 1 { "sample is".to_owned() } else { format!("{} samples are", grouped(next)) };
        format!("\nThe next {next} best spent on {}.\n", shares.join(", "))
    }
}
