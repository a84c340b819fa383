//! The names of objectives and arms, which must differ.

use std::collections::HashMap;

use super::document::{Located, Section};
use super::keys;
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;

/// The name of an objective or an arm, and its table under that name; `lines` are the names so far.
pub(super) fn named<'a>(
    what: &'static str,
    source: &SourceText,
    section: Section<'a>,
    lines: &mut HashMap<String, usize>,
) -> Result<(String, Section<'a>), InputError> {
    let place = section.place().to_owned();
    let Some(Located { value: name, line }) = section.string("name")? else {
        // A misspelt key is the likelier reason, and the better advice.
        section.allow_only(&[keys::OBJECTIVE, keys::CONSTRAINT, keys::ARM].concat())?;
        let example = if what == "arm" { "name = \"variant A\"" } else { "name = \"accuracy\"" };
        return Err(section.fault(Fault::MissingKey { place, key: "name", example }));
    };
    if name.trim().is_empty() {
        return Err(source.fault_on_line(line, Fault::EmptyName { place }));
    }
    if let Some(first_line) = lines.insert(name.clone(), line) {
        let what = if what == "arm" { "an arm" } else { "an objective" };
        return Err(source.fault_on_line(line, Fault::DuplicateName { what, name, first_line }));
    }
    let place = format!("{what} \"{name}\"");
    Ok((name, section.named(place)))
}
