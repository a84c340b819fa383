//! What measures an arm: a program to run.

use std::fmt;

use super::document::{Located, Section, Words};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;

/// A command as the study file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArmCommand {
    /// A line for the shell.
    Shell(String),
    /// A program and its arguments, for no shell; there is at least the program.
    Words(Vec<String>),
}

impl ArmCommand {
    /// The command, unless it is empty.
    pub(super) fn new(words: Words) -> Option<Self> {
        match words {
            Words::Text(line) => (!line.trim().is_empty()).then_some(ArmCommand::Shell(line)),
            Words::List(words) => {
                words.first().is_some_and(|program| !program.trim().is_empty()).then_some(ArmCommand::Words(words))
            }
        }
    }
}

/// As in a study file, but for the quotes around a line.
impl fmt::Display for ArmCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArmCommand::Shell(line) => f.write_str(line),
            ArmCommand::Words(words) => write!(f, "{words:?}"),
        }
    }
}

/// A command under this key, if there is one.
pub(super) fn command(
    source: &SourceText,
    section: &Section,
    key: &'static str,
) -> Result<Option<ArmCommand>, InputError> {
    let Some(Located { value, line }) = section.words(key)? else { return Ok(None) };
    let empty = || Fault::EmptyCommand { key, place: section.place().to_owned() };
    ArmCommand::new(value).ok_or_else(|| source.fault_on_line(line, empty())).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_for_the_shell_and_a_list_is_not() {
        let list = |words: &[&str]| Words::List(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!(ArmCommand::new(Words::Text("gzip -9".into())), Some(ArmCommand::Shell("gzip -9".into())));
        assert_eq!(
            ArmCommand::new(list(&["gzip", ""])),
            Some(ArmCommand::Words(vec!["gzip".to_owned(), String::new()]))
        );
        assert_eq!(ArmCommand::new(Words::Text(" ".into())), None);
        assert_eq!(ArmCommand::new(list(&[])), None);
        assert_eq!(ArmCommand::new(list(&["", "x"])), None);
    }
}
