//! Why a command did not do what it was asked, and the exit code that says so.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use surefront::{BoundError, MethodError};
use surefront_lab::{LabError, ThreadsError, Unfinished};
use surefront_serve::{ServeError, TokensError};
use surefront_study::StudyError;
use surefront_study::output::output_error::OutputError;
use thiserror::Error;

use crate::advice;
use crate::args::ObjectivesError;
use crate::remark::remark;
use crate::server::ServerError;
use surefront_study::file::input_error::InputError;
use surefront_study::run::Mishap;
use surefront_study::store::StoreError;
use surefront_study::words::number::grouped;
use surefront_study::words::plain::plain;
use surefront_study::words::plural::samples;

/// The reason a command ended early.
#[derive(Debug, Error)]
pub enum Failure {
    /// A file that was handed in is wrong.
    #[error("{}{}", .0, advice::on_input(.0))]
    Input(#[from] InputError),
    /// The store does not allow it, or cannot be used.
    #[error("{}{}", .0, advice::on_store(.0))]
    Store(#[from] StoreError),
    /// Anything else that is wrong with a study.
    #[error("{}{}", .0, advice::on_study(.0))]
    Study(StudyError),
    /// Options of `analyze` contradict each other.
    #[error(transparent)]
    Objectives(#[from] ObjectivesError),
    /// A file of results is wrong somewhere.
    #[error("{}{} (nothing of this file was stored)", .0, advice::on_study(.0))]
    NothingStored(StudyError),
    /// A value of something else.
    #[error("the study has no objective \"{name}\": {advice}")]
    UnknownObjective {
        /// What was typed.
        name: String,
        /// The nearest objective, or all of them.
        advice: String,
    },
    /// Not one value for each objective.
    #[error("{found} typed: give one number for each of {expected}, in this order, or each as NAME=VALUE")]
    ValueCount {
        /// How many there are, in words.
        found: String,
        /// The objectives.
        expected: String,
    },
    /// Something typed that is not a number.
    #[error("the value of \"{objective}\" is \"{text}\": give a finite number")]
    NotAValue {
        /// The objective.
        objective: String,
        /// What was typed.
        text: String,
    },
    /// There is no server.
    #[error("{}{}", .0, advice::on_serve(.0))]
    Serve(ServeError),
    /// No token can be made.
    #[error(transparent)]
    Tokens(TokensError),
    /// A file of tokens, or one that is sent, is not as it should be.
    #[error("{}: {sentence}", file.display())]
    TokenFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        sentence: String,
    },
    /// A study elsewhere.
    #[error("{}{}", .0, advice::on_server(.0))]
    Server(#[from] ServerError),
    /// The chosen method does not fit the study.
    #[error("--method: {0}")]
    Method(#[from] MethodError),
    /// Two arms of the front have the same means.
    #[error(
        "{}: \"{one}\" and \"{other}\" have the same means, and no number of samples can tell which dominates: leave one out, or change its mean",
        file.display()
    )]
    Twins {
        /// The study file.
        file: PathBuf,
        /// An arm.
        one: String,
        /// The arm like it.
        other: String,
    },
    /// An arm off the front ties with the one that dominates it.
    #[error(
        "{}: \"{below}\" is dominated by \"{above}\" with an exact tie in \"{objective}\", and no number of samples can tell on which side it is: change one of the two means",
        file.display()
    )]
    Tie {
        /// The study file.
        file: PathBuf,
        /// The arm off the front.
        below: String,
        /// The arm that dominates it.
        above: String,
        /// Where they tie.
        objective: String,
    },
    /// The bound cannot be computed as closely as asked.
    #[error("{0}")]
    Bound(BoundError),
    /// Standard output cannot be written to.
    #[error("cannot write the result ({0})")]
    Print(#[from] io::Error),
    /// A file cannot be written.
    #[error("cannot write {} ({error}): give another path", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The threads asked for cannot be had.
    #[error("cannot start the threads ({0}): ask for fewer with --jobs")]
    Threads(ThreadsError),
    /// The end of a report's name says nothing.
    #[error("what to write to {} is not clear from its name: end it in .html, .md, .json or .svg, or add --format", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The end of a report's name says nothing, and no option could.
    #[error("what to write to {} is not clear from its name: end it in .html, .md, .json or .svg", file.display())]
    UnknownEnding {
        /// The file.
        file: PathBuf,
    },
    /// A result would take the place of what it was made from.
    #[error("{} is what this is made from: give another path", file.display())]
    OverwritesInput {
        /// The file.
        file: PathBuf,
    },
    /// The rows and the result would run into each other.
    #[error("--export-csv - and --json both write to standard output: give the rows a file")]
    TwoOutputs,
    /// Ctrl-C: what was finished has been shown.
    #[error("interrupted: {}", .0.iter().map(how_far).collect::<Vec<_>>().join("; "))]
    Interrupted(Vec<Unfinished>),
    /// An arm could not be measured.
    #[error("{} {} kept; {advice}", closed(&format!("{mishap}{}", advice::on_mishap(mishap))), observations_are(*kept))]
    Measurement {
        /// What happened.
        mishap: Mishap,
        /// How many observations there are.
        kept: u64,
        /// How to go on.
        advice: &'static str,
    },
    /// Ctrl-C, while measuring.
    #[error("interrupted: {} kept in {}, and the same command goes on from there", observations_are(*kept), store.display())]
    RunInterrupted {
        /// How many observations there are.
        kept: u64,
        /// Where they are.
        store: PathBuf,
    },
    /// A signal that leaves no time, or a second Ctrl-C, while measuring.
    #[error("ended at once: {} kept in {}, and the same command goes on from there", observations_are(*kept), store.display())]
    RunEnded {
        /// How many observations there are.
        kept: u64,
        /// Where they are.
        store: PathBuf,
        /// What shells report for that signal.
        exit_code: u8,
    },
    /// There is an answer, and no proof of it.
    #[error("the answer is likely, not proved: --threshold certified asks for a proof")]
    LikelyOnly,
    /// There is a study file already.
    #[error("{} is there already, and is not replaced: choose another name", file.display())]
    StudyExists {
        /// The file.
        file: PathBuf,
    },
    /// Nobody said what a study is about.
    #[error("nothing says {what}: give {options}, or run it on a terminal, where it asks")]
    NothingToDraft {
        /// What is missing.
        what: &'static str,
        /// Options that say it.
        options: &'static str,
    },
    /// A limit was reached before there was an answer.
    #[error("not sure yet: {option} is reached, {} kept; raise it to go on from there", observations_are(*kept))]
    OutOfBudget {
        /// Which limit.
        option: &'static str,
        /// How many observations there are.
        kept: u64,
    },
    /// Another process measures for the same store.
    #[error(
        "{}: another `surefront run` (process {owner}) is measuring for this store: wait for it, stop it with Ctrl-C, or name another store with --store",
        store.display()
    )]
    AlreadyRunning {
        /// The store.
        store: PathBuf,
        /// The process.
        owner: String,
    },
    /// No run of any rule came to an answer.
    #[error("no run came to an answer within {}: raise --max-samples", samples(*max_samples))]
    Undecided {
        /// The limit.
        max_samples: u64,
    },
    /// An experiment found what cannot be.
    #[error("{0}; please report this")]
    OurFault(LabError),
    /// Anything else that is wrong with an experiment.
    #[error(transparent)]
    Lab(LabError),
}

/// With a full stop, unless it is a question.
fn closed(sentence: &str) -> String {
    if sentence.ends_with('?') { sentence.to_owned() } else { format!("{sentence}.") }
}

fn observations_are(count: u64) -> String {
    match count {
        0 => "Nothing was measured before, and nothing is".to_owned(),
        1 => "1 observation is".to_owned(),
        count => format!("{} observations are", grouped(count)),
    }
}

/// What is finished, and how to go on.
fn how_far(unfinished: &Unfinished) -> String {
    let Unfinished { rule, steps, finished, wanted, rest } = unfinished;
    let mut text = format!("{finished} of {wanted} {}", steps.name());
    if let Some(rule) = rule {
        text += &format!(" of {rule}");
    }
    text += " are finished";
    if let (Some(rule), Some(Range { start, end })) = (rule, rest) {
        text += &format!(", go on with --rule {rule} --first-run {start} --runs {}", end - start);
    }
    text
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        Failure::of_lab(error, Path::new("vaccine.toml"))
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Write { file, error } => Failure::Write { file, error },
            OutputError::Print(error) => Failure::Print(error),
            OutputError::OverwritesInput { file } => Failure::OverwritesInput { file },
            other => Failure::Study(other.into()),
        }
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Input(error) => Failure::Input(error),
            StudyError::Store(error) => Failure::Store(error),
            StudyError::Output(error) => error.into(),
            StudyError::AlreadyRunning { store, owner } => Failure::AlreadyRunning { store, owner },
            other => Failure::Study(other),
        }
    }
}

impl Failure {
    /// An experiment on the study in this file.
    pub fn of_lab(error: LabError, file: &Path) -> Self {
        let file = file.to_owned();
        match error {
            LabError::Study(error) => error.into(),
            LabError::Twins { one, other } => Failure::Twins { file, one, other },
            LabError::Tie { below, above, objective } => Failure::Tie { file, below, above, objective },
            LabError::Bound(error) => Failure::Bound(error),
            LabError::Threads(error) => Failure::Threads(error),
            LabError::Write { file, error } => Failure::Write { file, error },
            LabError::Interrupted(unfinished) => Failure::Interrupted(unfinished),
            error @ (LabError::ObservationsLost { .. } | LabError::Disagreement { .. }) => Failure::OurFault(error),
            error => Failure::Lab(error),
        }
    }

    /// Says what happened on standard error, and gives the exit code: 1 if something failed or was interrupted, 2 for wrong
    /// usage or input (as the argument parser does), 3 if no answer was found within the budget, 4 if the answer is likely and not
    /// proved, 128 and the signal's number if a signal ended it at once.
    pub fn report(&self) -> ExitCode {
        match self {
            // Whoever reads our output has read enough: `surefront … | head` is no failure.
            Failure::Print(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            // How it ended, not what went wrong.
            Failure::Interrupted(_)
            | Failure::Undecided { .. }
            | Failure::LikelyOnly
            | Failure::RunInterrupted { .. }
            | Failure::RunEnded { .. }
            | Failure::OutOfBudget { .. } => remark(&format!("{}\n", plain(&self.to_string()))),
            _ => remark(&format!("error: {}\n", plain(&self.to_string()))),
        }
        match self {
            Failure::Input(_)
            | Failure::StudyExists { .. }
            | Failure::NothingToDraft { .. }
            | Failure::NothingStored(_)
            | Failure::UnknownObjective { .. }
            | Failure::ValueCount { .. }
            | Failure::NotAValue { .. }
            | Failure::Objectives(_)
            | Failure::Method(_)
            | Failure::Twins { .. }
            | Failure::Tie { .. }
            | Failure::UnknownFormat { .. }
            | Failure::UnknownEnding { .. }
            | Failure::Study(StudyError::Output(OutputError::Foreign { .. } | OutputError::FilledIn { .. }))
            | Failure::OverwritesInput { .. }
            | Failure::TwoOutputs => ExitCode::from(2),
            Failure::Study(StudyError::Kind(_)) => ExitCode::from(2),
            // What the study file says has no bound; rounding is nobody's fault.
            Failure::Bound(error) if !matches!(error, BoundError::Stalled { .. }) => ExitCode::from(2),
            Failure::Store(error) if error.is_wrong_input() => ExitCode::from(2),
            Failure::Lab(error) if error.is_wrong_input() => ExitCode::from(2),
            Failure::Serve(error) if error.is_wrong_input() => ExitCode::from(2),
            Failure::Server(error) if error.is_wrong_input() => ExitCode::from(2),
            Failure::TokenFile { .. } => ExitCode::from(2),
            Failure::Undecided { .. } | Failure::OutOfBudget { .. } => ExitCode::from(3),
            Failure::LikelyOnly => ExitCode::from(4),
            Failure::RunEnded { exit_code, .. } => ExitCode::from(*exit_code),
            Failure::Store(_)
            | Failure::Serve(_)
            | Failure::Server(_)
            | Failure::Tokens(_)
            | Failure::Study(_)
            | Failure::Bound(_)
            | Failure::Print(_)
            | Failure::Write { .. }
            | Failure::Threads(_)
            | Failure::Interrupted(_)
            | Failure::OurFault(_)
            | Failure::Lab(_)
            | Failure::RunInterrupted { .. }
            | Failure::Measurement { .. }
            | Failure::AlreadyRunning { .. } => ExitCode::FAILURE,
        }
    }
}
