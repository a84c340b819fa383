//! A study says what is wrong in words that every door to it can show: options and commands are the command line's to name.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn no_sentence_names_an_option_or_a_command() {
    let mut seen = 0;
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for literal in literals(code) {
            seen += 1;
            assert!(!names_an_option(&literal), "{}: {literal:?}", file.display());
            assert!(!literal.contains("`surefront "), "{}: {literal:?}", file.display());
        }
    }
    assert!(seen > 500, "only {seen} literals were found");
}

#[test]
fn literals_are_found() {
    let code = r##"let a = "x \" --one"; // "not --this"
        let b = r#"raw "--two""#; let c = '"'; let d: &'static str = "--three";"##;
    let found = literals(code);
    assert_eq!(found, ["x \\\" --one", "raw \"--two\"", "--three"]);
    assert!(found.iter().all(|literal| names_an_option(literal)));
    assert!(!names_an_option("a -- b |---|--:|"));
}

/// All source files but those of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files
}

fn names_an_option(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// What stands between the quotes of a source text, outside comments.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (skipped, literal) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => match raw(rest) {
                Some((length, text)) => (length, Some(text.to_owned())),
                None => (1, None),
            },
            '"' => {
                let end = quoted(&rest[1..]);
                (end + 2, Some(rest[1..=end].to_owned()))
            }
            '\'' if rest.starts_with("'\"'") => (3, None),
            '\'' if rest.starts_with("'\\") => (3, None),
            other => (other.len_utf8(), None),
        };
        found.extend(literal);
        rest = &rest[skipped.min(rest.len())..];
    }
    found
}

/// How long a text is up to the quote that ends it.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    panic!("a quote is not closed: {text}");
}

/// The length and the content of a raw text at the beginning.
fn raw(rest: &str) -> Option<(usize, &str)> {
    let hashes = rest[1..].chars().take_while(|c| *c == '#').count();
    let begin = 1 + hashes + 1;
    if rest[1 + hashes..].chars().next()? != '"' {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let length = rest[begin..].find(&end)?;
    Some((begin + length + end.len(), &rest[begin..begin + length]))
}
