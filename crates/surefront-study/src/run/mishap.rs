//! A measurement that came to nothing, in a sentence that names the arm, its command and what to do.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use surefront::ObservationError;
use thiserror::Error;

use super::values::ValuesError;
use crate::words::number;

/// Why an arm could not be measured.
#[derive(Debug, Error)]
#[error("arm \"{arm}\": {role} `{command}` {reason}")]
pub struct Mishap {
    /// The arm's name.
    pub arm: String,
    /// What the command was run for.
    pub role: Role,
    /// The command, as it was written.
    pub command: String,
    /// What was wrong.
    pub reason: Box<Reason>,
}

impl Mishap {
    /// Whether the command was ended from here, and is not to blame.
    pub fn is_given_up(&self) -> bool {
        matches!(*self.reason, Reason::GivenUp)
    }
}

/// What a command is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To measure, or to warm up.
    Measure,
    /// Before a measurement.
    Prepare,
    /// A function of a program does, instead of a command.
    Function,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Role::Measure => "the command",
            Role::Prepare => "the preparation",
            Role::Function => "the function",
        })
    }
}

/// What was wrong; worded to follow "the command …".
#[derive(Debug, Error)]
pub enum Reason {
    /// The system refuses to start it.
    #[error("cannot be started ({error}): check its name and its path, which starts in {}", place(folder))]
    NotStarted {
        /// What the system says.
        error: io::Error,
        /// Where it was to run.
        folder: PathBuf,
    },
    /// It says itself that it failed, or was ended from outside.
    #[error("{}{}: try it by hand in {}", outcome(*status), said(last_words), place(folder))]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The last line of its standard error.
        last_words: Option<String>,
        /// Where it ran.
        folder: PathBuf,
    },
    /// It took too long.
    #[error(
        "was still running after {} and was ended{}: find out what it waits for",
        number::duration(timeout.as_secs_f64() * 1e6),
        said(last_words)
    )]
    TimedOut {
        /// What it had.
        timeout: Duration,
        /// The last line of its standard error.
        last_words: Option<String>,
    },
    /// A function that nobody can end.
    #[error("had not returned after {} and was given up: find out what it waits for", number::duration(timeout.as_secs_f64() * 1e6))]
    Late {
        /// The time it had.
        timeout: Duration,
    },
    /// What became of it where it was measured; worded to follow "the function".
    #[error("{0}")]
    Elsewhere(Box<dyn Error + Send + Sync>),
    /// It was ended with all others, since nobody needs its values any more.
    #[error("was ended before it had measured anything")]
    GivenUp,
    /// It printed nothing.
    #[error("printed nothing{}: print {example} as the last line", said(last_words))]
    Silent {
        /// A line that would do.
        example: String,
        /// The last line of its standard error.
        last_words: Option<String>,
    },
    /// It flooded its output.
    #[error("printed a last line of more than {kibibytes} KiB: print {example} as the last line")]
    Endless {
        /// How much is kept.
        kibibytes: usize,
        /// A line that would do.
        example: String,
    },
    /// What it printed is not what it should.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// The study cannot take the values.
    #[error("gave values that cannot be: {0}")]
    Refused(#[from] ObservationError),
}

fn place(folder: &Path) -> String {
    if folder == Path::new(".") { "this folder".to_owned() } else { folder.display().to_string() }
}

fn outcome(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit status {code}"),
        None => format!("was ended by {}", status.to_string().replacen(": ", " ", 1)),
    }
}

fn said(last_words: &Option<String>) -> String {
    last_words.as_ref().map_or_else(String::new, |words| format!(" (\"{words}\")"))
}
