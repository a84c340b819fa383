//! `surefront init`: a commented study file to begin with.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use surefront::Goal;

use super::{print, print_document};
use crate::args::InitArgs;
use crate::failure::Failure;
use surefront_study::file::study::{Draft, StudyFile};
use surefront_study::words::plural::counted;

/// Writes the study file.
pub fn run(args: &InitArgs) -> Result<(), Failure> {
    let to_stdout = args.study == Path::new("-");
    if !to_stdout && args.study.exists() {
        return Err(Failure::StudyExists { file: args.study.clone() });
    }
    let asks = io::stdin().is_terminal() && io::stdout().is_terminal() && !to_stdout;
    let draft = draft(args, asks)?;
    let text = draft.text();
    // What is wrong with names is said before there is a file.
    StudyFile::built_in(&args.study.to_string_lossy(), &text).map_err(|error| error.without_line())?;
    if to_stdout {
        return print_document(&text);
    }
    let written = OpenOptions::new().write(true).create_new(true).open(&args.study);
    match written.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::StudyExists { file: args.study.clone() });
        }
        Err(error) => return Err(Failure::Write { file: args.study.clone(), error }),
    }
    let study = args.study.display();
    let next = if draft.command.is_some() {
        format!("  surefront run {study}      measures until it is sure")
    } else {
        format!("  surefront ask {study}      says what to measure next")
    };
    print(&format!(
        "{study} is written: {}, {}. Its comments say what else there is.\n\n  surefront check {study}    says what would be run\n{next}\n",
        counted(draft.arms.len(), "arm", "arms"),
        counted(draft.objectives.len(), "objective", "objectives"),
    ))
}

/// What the file says: by the options, and by what is asked for.
fn draft(args: &InitArgs, asks: bool) -> Result<Draft, Failure> {
    let stem = args.study.file_stem().map_or_else(|| "study".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let stem = if stem == "-" { "study".to_owned() } else { stem };
    let (mut max, mut min, mut arms) = (args.max.clone(), args.min.clone(), args.arm.clone());
    let mut name = args.name.clone();
    let mut command = args.command.clone();
    let needs_objectives = max.is_empty() && min.is_empty();
    if asks && (needs_objectives || arms.is_empty()) {
        if name.is_none() {
            name = ask(&format!("What is the study called? [{stem}]"))?;
        }
        if needs_objectives {
            max = names(ask("What is measured of which more is better? Names with commas, or nothing:")?);
            min = names(ask("And of which less is better?")?);
        }
        if arms.is_empty() {
            arms = names(ask("What are the alternatives? Names with commas:")?);
        }
        if command.is_none() {
            command = ask("Which command measures one? {name} stands for its name; nothing if it is done by hand:")?;
        }
    }
    if max.is_empty() && min.is_empty() {
        return Err(Failure::NothingToDraft { what: "what is measured", options: "--max NAME or --min NAME" });
    }
    if arms.is_empty() {
        return Err(Failure::NothingToDraft { what: "the alternatives", options: "--arm NAME, once for each" });
    }
    let objectives = max.into_iter().map(|name| (name, Goal::Max));
    let objectives = objectives.chain(min.into_iter().map(|name| (name, Goal::Min))).collect();
    Ok(Draft { name: name.unwrap_or(stem), delta: args.delta, objectives, arms, command })
}

/// An answer, if there is one.
fn ask(question: &str) -> Result<Option<String>, Failure> {
    print(&format!("{question} "))?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

fn names(line: Option<String>) -> Vec<String> {
    let line = line.unwrap_or_default();
    line.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
