//! `surefront analyze`: the verdict on samples that exist already, and what to measure next.

mod objectives;

use std::convert::Infallible;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{ended, print, print_json, verdicts};
use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::progress;
use surefront::Objective;
use surefront_study::analysis::{Analysis, Share};
use surefront_study::answer::{Answer, Rows, Setting};
use surefront_study::file::input_error::{Fault, InputError};
use surefront_study::file::samples::{self, Naming};
use surefront_study::output::destination::Destination;
use surefront_study::report::{self, Format};
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::{counted, samples_of};
use surefront_study::words::suggestion::listed;

/// Reads the samples and shows what they say.
pub fn run(args: &AnalyzeArgs) -> Result<(), Failure> {
    let (objectives, open) = objectives::objectives(args)?;
    let outputs = Outputs::of(args)?;
    let analysis = analysis(args, objectives.clone(), &open)?;
    let analysis = if args.data == Path::new("-") { analysis } else { with_trials(analysis, args, &objectives, &open) };
    let written = outputs.write(&analysis)?;
    if args.json {
        print_json(&analysis)?
    } else {
        print(&(screen(&analysis, args) + &written))?
    }
    ended(analysis.answer.answered())
}

/// What the samples say if their objectives are these; nothing was said of the noise of the `open` ones.
fn analysis(args: &AnalyzeArgs, objectives: Vec<Objective>, open: &[usize]) -> Result<Analysis, Failure> {
    let source = Source::open(&args.data)?;
    let naming = Naming {
        arm: args.arm_column.clone(),
        metric: args.metric_column.clone(),
        value: args.value_column.clone(),
        decimal: args.decimal,
    };
    let mut samples = samples::read(source.input, &source.origin, objectives, &naming)?;
    for (objective, unit) in samples.problem.objectives().iter().zip(&mut samples.units) {
        if let Some(known) = args.unit.iter().find(|known| known.objective == objective.name) {
            *unit = Some(known.unit.clone());
        }
    }
    let threshold = args.threshold.unwrap_or_default();
    Ok(Analysis::of(&source.name, samples.taking_successes(open), threshold, args.delta, args.next as usize)?)
}

/// Tries what the remarks tell to write, by reading the file again.
fn with_trials(mut analysis: Analysis, args: &AnalyzeArgs, objectives: &[Objective], open: &[usize]) -> Analysis {
    let trial = |objective: usize, setting: &Setting| {
        let mut changed = objectives.to_vec();
        setting.say(&mut changed[objective]);
        let open: Vec<usize> = open.iter().copied().filter(|&other| other != objective).collect();
        // What cannot be, since the file is another by now or the threshold says nothing of it, is no trial.
        Ok::<_, Infallible>(self::analysis(args, changed, &open).ok().map(|analysis| analysis.answer))
    };
    let Ok(()) = analysis.answer.try_settings(trial);
    analysis
}

/// The files that are asked for, each made sure of before the samples are read.
struct Outputs(Vec<(Destination, Format)>);

impl Outputs {
    fn of(args: &AnalyzeArgs) -> Result<Self, Failure> {
        let mut places = Vec::new();
        if let Some(path) = &args.report {
            let format = Format::of_path(path).ok_or_else(|| Failure::UnknownFormat { file: path.clone() })?;
            places.push((path, format));
        }
        places.extend(args.svg.as_ref().map(|path| (path, Format::Svg)));
        let made_sure =
            |(path, format): (&PathBuf, Format)| Ok((report::destination(path, format, &[&args.data])?, format));
        places.into_iter().map(made_sure).collect::<Result<_, Failure>>().map(Outputs)
    }

    /// Writes them, and gives the sentences that say so.
    fn write(self, analysis: &Analysis) -> Result<String, Failure> {
        if self.0.is_empty() {
            return Ok(String::new());
        }
        let data = analysis.report();
        let mut said = "\n".to_owned();
        for (place, format) in self.0 {
            place.write(report::render(&data, format).as_bytes())?;
            let _ = writeln!(said, "Report written to {}", place.path().display());
        }
        Ok(said)
    }
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
        let stem = |path: &Path| path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let name = stem(path);
        let packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let name = if packed { stem(Path::new(&name)) } else { name };
        Ok(Source { input: Box::new(progress::bytes(length).wrap_read(file)), origin: path.to_owned(), name })
    }
}

/// For people.
fn screen(analysis: &Analysis, args: &AnalyzeArgs) -> String {
    let Answer { study, samples, arms, objectives, .. } = &analysis.answer;
    let optimised = objectives.iter().filter(|objective| objective.goal.is_some()).count();
    let mut text = format!(
        "{}: {}, arms from the column \"{}\"",
        plain(study),
        samples_of(*samples, arms.len(), optimised, objectives.len() - optimised),
        plain(&analysis.arm_column)
    );
    if !analysis.ignored_columns.is_empty() {
        let _ = write!(text, ", not looked at: {}", listed(analysis.ignored_columns.iter().map(String::as_str)));
    }
    for note in analysis.notes() {
        let _ = write!(text, "\n{}", plain(&note));
    }
    if arms.len() > 1 && arms.iter().all(|arm| arm.n == 1) {
        let _ = write!(
            text,
            "\nEvery row has an arm of its own: if \"{}\" is not the column that names the arm, say which is with --arm-column.",
            plain(&analysis.arm_column)
        );
    }
    let rows = if args.all { Rows::All } else { Rows::Few };
    let _ = write!(text, "\n\n{}\n{}", analysis.answer.headline(), verdicts(&analysis.answer, rows));
    text + &advice(analysis, args.next) + &super::caveats(&analysis.answer)
}

/// How to spend the next measurements.
fn advice(analysis: &Analysis, next: u64) -> String {
    const SHOWN: usize = 12;
    if analysis.next.is_empty() {
        return String::new();
    }
    let share = |Share { arm, samples }: &Share| format!("\"{}\" {}", plain(&arm.name), grouped(*samples));
    let mut shares: Vec<String> = analysis.next.iter().take(SHOWN).map(share).collect();
    if analysis.next.len() > SHOWN {
        let others: u64 = analysis.next[SHOWN..].iter().map(|share| share.samples).sum();
        shares.push(format!("{} {}", counted(analysis.next.len() - SHOWN, "other", "others"), grouped(others)));
    }
    let next = if next == 1 { "sample is".to_owned() } else { format!("{} samples are", grouped(next)) };
    format!("\nThe next {next} best spent on {}.\n", shares.join(", "))
}
