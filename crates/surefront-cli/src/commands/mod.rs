//! What each command does, one file per command.

mod analyze;
mod ask;
mod bound;
mod check;
mod completions;
mod experiment;
mod export;
mod init;
mod man;
mod plan;
mod remote;
mod report;
mod reproduce;
mod retract;
mod run;
mod serve;
mod simulate;
mod status;
mod tell;
mod transport;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use surefront::Promise;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::screen;
use surefront_study::answer::{Answer, Condition, Rows, VerdictTable};
use surefront_study::session::Session;
use surefront_study::words::plain::{acts, plain_lines};
use surefront_study::words::room::wrapped;
use surefront_study::words::table::Width;

/// Does what was typed.
pub fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::Transport(args) => transport::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Bound(args) => bound::run(&args),
        Command::Ask(args) => ask::run(&args),
        Command::Tell(args) => tell::run(&args),
        Command::Retract(args) => retract::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Reproduce(experiment) => reproduce::run(&experiment),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// The end of a command that shows an answer, if there is one: what is not proved has an exit code of its own.
fn ended(answered: Option<Promise>) -> Result<(), Failure> {
    match answered {
        Some(Promise::Likely) => Err(Failure::LikelyOnly),
        Some(Promise::Proved) | None => Ok(()),
    }
}

/// What to know beside the verdicts, and what the promise depends on, each after an empty line; nothing if there is nothing.
fn caveats(answer: &Answer) -> String {
    let lines: String = answer.caveats().into_iter().map(|line| line + "\n").collect();
    let caveats = if lines.is_empty() { lines } else { format!("\n{lines}") };
    caveats + &under("What the observations look like", answer.seen()) + &conditions(&answer.conditions)
}

/// What a promise depends on, beyond its assumptions, after an empty line.
fn conditions(conditions: &[Condition]) -> String {
    under("What the promise depends on", conditions.iter().map(Condition::sentence))
}

/// Sentences under a title, after an empty line; nothing if there are none.
fn under(title: &str, sentences: impl IntoIterator<Item = String>) -> String {
    let lines: String = sentences.into_iter().map(|sentence| entry(&sentence)).collect();
    if lines.is_empty() { lines } else { format!("\n{title}:\n{lines}") }
}

/// A sentence of a list, with further lines further in.
fn entry(sentence: &str) -> String {
    let lines = match screen::width() {
        Width::Columns(columns) => wrapped(sentence, columns.saturating_sub(4)),
        Width::Unlimited => vec![sentence.to_owned()],
    };
    format!("- {}\n", lines.join("\n  "))
}

/// The verdicts as a table, and how to see those that are not in it.
fn verdicts(answer: &Answer, rows: Rows) -> String {
    let VerdictTable { mut text, left_out } = answer.table(rows, screen::width());
    if let Some(left_out) = left_out {
        text += &format!("  … and {left_out}: --all shows them\n");
    }
    text
}

/// All files that a study is read from.
fn inputs(session: &Session) -> [&Path; 3] {
    let [study, arms] = session.file().paths();
    [study, arms, session.store_path()]
}

/// Prints a screen: whatever a name is made of, it does nothing to the terminal.
fn print(text: &str) -> Result<(), Failure> {
    print_document(&plain_lines(text))
}

/// Prints something that is not for the eye alone, as it is.
fn print_document(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_json_text(serde_json::to_string_pretty(value).map_err(io::Error::from)? + "\n")
}

fn print_json_text(mut text: String) -> Result<(), Failure> {
    // Within JSON, what a terminal would obey stands in texts only, where it may as well be escaped.
    let escaped = |c: char| if c != '\n' && acts(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    if text.contains(|c| c != '\n' && acts(c)) {
        text = text.chars().map(escaped).collect();
    }
    print_document(&text)
}
