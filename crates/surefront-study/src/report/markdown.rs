//! The report as Markdown: the text and the tables.

use std::fmt::Write;

use super::data::{ReportData, Selection};
use super::words;
use crate::answer::{Condition, ObjectiveName};
use crate::words::number::grouped;
use crate::words::plain::acts;

/// The text.
pub fn text(data: &ReportData) -> String {
    let answer = &data.answer;
    let mut text = format!("# {}\n\n", escaped(&answer.study));
    let _ = writeln!(text, "{}\n", escaped(&words::question(data)));
    let _ = writeln!(text, "**{}** {}\n", escaped(&words::answer(data)), words::sureness(data));
    let _ = writeln!(text, "{}\n", escaped(answer.promises().trim_end()));

    let Selection { arms, left_out } = data.listed();
    let left_out = words::left_out(left_out, "listed");
    let rest = if left_out.is_empty() { left_out } else { format!("\n{}\n", escaped(&left_out)) };
    text += "## Verdicts\n\n";
    row(&mut text, ["arm", "verdict", "why", "evidence"].map(str::to_owned));
    text += "|---|---|---|---|\n";
    for arm in &arms {
        let cells = [
            arm.name.clone(),
            arm.verdict.words(answer.promise).to_owned(),
            arm.reason.clone(),
            words::evidence(arm, answer.promise),
        ];
        row(&mut text, cells);
    }
    text += &rest;

    text += "\n## What was measured\n\nMeans ± standard errors; n is the number of observations.\n\n";
    let header = ["arm".to_owned(), "n".to_owned()].into_iter();
    row(&mut text, header.chain(answer.objectives.iter().map(ObjectiveName::label)));
    let _ = writeln!(text, "|---|--:|{}", "--:|".repeat(answer.objectives.len()));
    for arm in &arms {
        let means = (0..arm.mean.len()).map(|objective| arm.cell(objective));
        row(&mut text, [arm.name.clone(), grouped(arm.n)].into_iter().chain(means));
    }
    text += &rest;
    if !data.dropped.is_empty() {
        text += "\n## Given up\n\n";
        for dropped in &data.dropped {
            let _ = writeln!(text, "- {}: {}", escaped(&dropped.name), escaped(&dropped.reason));
        }
    }

    list(&mut text, "How the data were read", &data.notes);
    list(&mut text, "How it was measured", &words::measuring(data));
    list(&mut text, "How measuring went", &data.answer.caveats());
    list(&mut text, "What the observations look like", &data.answer.seen());
    let conditions: Vec<String> = data.answer.conditions.iter().map(Condition::sentence).collect();
    list(&mut text, "What the promise depends on", &conditions);
    list(&mut text, "Assumptions", &words::assumptions(data));

    text += "\n## Settings\n\n| | |\n|---|---|\n";
    for (name, value) in words::settings(data) {
        row(&mut text, [name.to_owned(), value]);
    }
    for (objective, &noise) in answer.objectives.iter().zip(&data.noise) {
        let value = format!("{}; noise: {}", objective.wanted(), words::noise(noise));
        row(&mut text, [format!("objective {}", objective.title()), value]);
    }
    text
}

/// Sentences under a title, if there are any.
fn list(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n");
    for line in lines {
        let _ = writeln!(text, "- {}", escaped(line));
    }
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().map(|cell| escaped(&cell)).collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Text that is not taken for markup, on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '~' | '$' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push(' '),
            // Nor for a command to the terminal.
            other if acts(other) => escaped.extend(other.escape_unicode()),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_break_the_table() {
        let mut text = String::new();
        row(&mut text, ["a|b".to_owned(), "*c*\n<d>".to_owned()]);
        assert_eq!(text, "| a\\|b | \\*c\\* \\<d\\> |\n");
    }
}
