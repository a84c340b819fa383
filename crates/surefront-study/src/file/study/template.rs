//! One command for all arms: `{name}` and `{parameter}` stand for what differs between them.

use super::command::{ArmCommand, command};
use super::document::Section;
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;
use crate::words::suggestion::advice;

/// What an arm's placeholders stand for, by name.
pub type Parameters = Vec<(String, String)>;

/// The arm's own name, as a placeholder.
pub const NAME: &str = "name";

/// The command for all arms.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) command: ArmCommand,
    pub(super) line: usize,
}

impl Template {
    pub(super) fn of(source: &SourceText, root: &Section) -> Result<Option<Self>, InputError> {
        let line = root.words("command")?.map(|words| words.line);
        let command = command(source, root, "command")?;
        Ok(command.zip(line).map(|(command, line)| Template { command, line }))
    }

    /// The placeholders that are parameters.
    pub(super) fn parameters(&self) -> Vec<String> {
        placeholders(&self.command).into_iter().filter(|name| name != NAME).collect()
    }

    pub(super) fn filled(&self, arm: &str, parameters: &Parameters) -> Result<ArmCommand, Fault> {
        filled(&self.command, arm, parameters).map_err(|placeholder| {
            let known: Vec<&str> = [NAME].into_iter().chain(parameters.iter().map(|(name, _)| name.as_str())).collect();
            let advice = advice(&placeholder, known);
            Fault::UnknownPlaceholder { arm: arm.to_owned(), placeholder, advice }
        })
    }
}

/// A piece of a text.
enum Part<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

/// The placeholders of a command, each once.
pub fn placeholders(command: &ArmCommand) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let texts = match command {
        ArmCommand::Shell(line) => std::slice::from_ref(line),
        ArmCommand::Words(words) => words.as_slice(),
    };
    for part in texts.iter().flat_map(|text| parts(text)) {
        if let Part::Placeholder(name) = part
            && !found.iter().any(|known| known == name)
        {
            found.push(name.to_owned());
        }
    }
    found
}

/// The command of the arm of this name; a placeholder that it has nothing for is the error.
pub fn filled(command: &ArmCommand, arm: &str, parameters: &Parameters) -> Result<ArmCommand, String> {
    let value = |name: &str| match name {
        NAME => Ok(arm),
        _ => {
            let known = parameters.iter().find(|(known, _)| known == name);
            known.map(|(_, value)| value.as_str()).ok_or_else(|| name.to_owned())
        }
    };
    let fill = |text: &str, quote: fn(&str) -> String| {
        parts(text)
            .into_iter()
            .map(|part| match part {
                Part::Text(text) => Ok(text.to_owned()),
                Part::Placeholder(name) => value(name).map(quote),
            })
            .collect::<Result<String, String>>()
    };
    Ok(match command {
        ArmCommand::Shell(line) => ArmCommand::Shell(fill(line, quoted)?),
        ArmCommand::Words(words) => {
            ArmCommand::Words(words.iter().map(|word| fill(word, str::to_owned)).collect::<Result<_, _>>()?)
        }
    })
}

/// A text in its parts. `{word}` is a placeholder, but not after a dollar sign, where the shell has a use for it; `{{word}}` stands for `{word}`; all other
/// braces are what they are.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        at = open + 1;
        let doubled = text[at..].starts_with('{');
        let inner = if doubled { at + 1 } else { at };
        let Some(end) = text[inner..].find(|c: char| !is_part_of_a_name(c)).map(|found| inner + found) else { break };
        let closed = text[end..].starts_with(if doubled { "}}" } else { "}" });
        if end == inner || !closed || text[..open].ends_with('$') {
            continue;
        }
        parts.push(Part::Text(&text[begin..open]));
        if doubled {
            parts.push(Part::Text(&text[at..=end]));
            (begin, at) = (end + 2, end + 2);
        } else {
            parts.push(Part::Placeholder(&text[inner..end]));
            (begin, at) = (end + 1, end + 1);
        }
    }
    parts.push(Part::Text(&text[begin..]));
    parts
}

fn is_part_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Whether a parameter can be asked for by this name.
pub fn is_a_name(text: &str) -> bool {
    !text.is_empty() && text != NAME && text.chars().all(is_part_of_a_name)
}

/// As one word of a line for the shell.
fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, parameters: &[(&str, &str)]) -> Result<String, String> {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        filled(&ArmCommand::Shell(text.to_owned()), "the arm", &parameters).map(|command| command.to_string())
    }

    #[test]
    fn placeholders_are_filled_in_and_other_braces_stay() {
        assert_eq!(
            line("gzip -{level} < {in-file}", &[("level", "9"), ("in-file", "a b.txt")]).unwrap(),
            "gzip -9 < 'a b.txt'"
        );
        assert_eq!(line("echo {name}", &[]).unwrap(), "echo 'the arm'");
        for same in ["awk '{ print $1 }' x", "echo ${HOME} {} { } {a b}", "{\"x\": 1}", "a{", "{é"] {
            assert_eq!(line(same, &[]).unwrap(), same);
        }
        assert_eq!(line("awk '{{print}}' {n}", &[("n", "1")]).unwrap(), "awk '{print}' 1");
        assert_eq!(line("{level}", &[]).unwrap_err(), "level");
        assert_eq!(line("x {n}", &[("n", "it's; rm -r .")]).unwrap(), r"x 'it'\''s; rm -r .'");
        let words = ArmCommand::Words(vec!["gzip".into(), "-{level}".into(), "{name}".into()]);
        assert_eq!(placeholders(&words), ["level", "name"]);
        let parameters = vec![("level".to_owned(), "it's 9".to_owned())];
        assert_eq!(
            filled(&words, "a b", &parameters).unwrap(),
            ArmCommand::Words(vec!["gzip".into(), "-it's 9".into(), "a b".into()])
        );
    }
}
