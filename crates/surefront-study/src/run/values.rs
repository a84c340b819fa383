//! Objective values from the last line that a command prints: a JSON object, or words like `quality=0.9`.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use surefront::Reading;
use thiserror::Error;

use crate::words::suggestion::{advice, listed, nearest};

/// What is wrong with a line of values; worded to follow "the command".
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ValuesError {
    /// Neither JSON nor words.
    #[error("printed \"{line}\" as its last line: print {example}")]
    NoValues {
        /// The line, or its beginning.
        line: String,
        /// A line that would do.
        example: String,
    },
    /// Text that begins like a JSON object.
    #[error("printed a last line that is not a JSON object ({error}): print {example}")]
    BadJson {
        /// The parser's own complaint.
        error: String,
        /// A line that would do.
        example: String,
    },
    /// A name that is not an objective's.
    #[error("printed a value for \"{name}\", which is no objective: {advice}")]
    UnknownObjective {
        /// What was printed.
        name: String,
        /// The nearest objective, or all of them.
        advice: String,
    },
    /// Objectives without a value.
    #[error("printed no value for {missing} in its last line (\"{line}\"): print {example}")]
    Missing {
        /// Their names.
        missing: String,
        /// The line, or its beginning.
        line: String,
        /// A line that would do.
        example: String,
    },
    /// Two values for one objective.
    #[error("printed two values for \"{objective}\" in its last line: print one")]
    Twice {
        /// The objective.
        objective: String,
    },
    /// Something else in a number's place.
    #[error("printed {value} for \"{objective}\": print a number, without quotes or unit")]
    NotANumber {
        /// The objective.
        objective: String,
        /// What was printed.
        value: String,
    },
    /// That a value is more than something, where means are compared.
    #[error(
        "printed {value} for \"{objective}\", of which means are compared: print a finite number, or let the command fail where there is none; \
         if such values belong to what is measured, compare the median of \"{objective}\""
    )]
    MoreThan {
        /// The objective.
        objective: String,
        /// What was printed.
        value: String,
    },
    /// A number that nothing can be computed with.
    #[error("printed {value} for \"{objective}\": print a finite number, or let the command fail where there is none")]
    NotFinite {
        /// The objective.
        objective: String,
        /// What was printed.
        value: String,
    },
}

/// The values of objectives, and the names of what was printed beside them and passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub values: Vec<f64>,
    pub passed_over: Vec<String>,
}

/// The values of the objectives named `wanted`, in their order. Whatever else is printed is passed over, unless one of them is missing: then it may be
/// that one, misspelt. Values of `others`, which are measured in another way, are not worth a word. That a value is more than something may be said of the objectives that can bear it.
pub fn parse(
    line: &str,
    wanted: &[&str],
    others: &[&str],
    bears: impl Fn(&str) -> bool,
) -> Result<Parsed, ValuesError> {
    let pairs = if line.starts_with('{') { json(line, wanted)? } else { words(line, wanted)? };
    let mut values = vec![None; wanted.len()];
    let mut passed_over = Vec::new();
    for (name, printed) in pairs {
        let Some(at) = wanted.iter().position(|objective| *objective == name) else {
            if !others.contains(&name.as_str()) {
                passed_over.push(name);
            }
            continue;
        };
        let value = printed.number(&name, bears(&name))?;
        if values[at].replace(value).is_some() {
            return Err(ValuesError::Twice { objective: name });
        }
    }
    let missing = || wanted.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(name, _)| *name);
    if let Some(first) = missing().next() {
        let unknown = passed_over.iter().find(|name| nearest(name, [first]).is_some()).or(passed_over.first());
        if let Some(name) = unknown {
            let advice = advice(name, missing().collect::<Vec<_>>());
            return Err(ValuesError::UnknownObjective { name: name.clone(), advice });
        }
        let missing = listed(missing());
        return Err(ValuesError::Missing { missing, line: beginning(line), example: example(wanted) });
    }
    Ok(Parsed { values: values.into_iter().flatten().collect(), passed_over })
}

/// A line that would do.
pub fn example(wanted: &[&str]) -> String {
    const SHOWN: usize = 4;
    let more = if wanted.len() > SHOWN { ", …" } else { "" };
    let shown = &wanted[..wanted.len().min(SHOWN)];
    let entry = |name: &&str| format!("{}: 1.5", Value::from(*name));
    let json = format!("{{{}{more}}}", shown.iter().map(entry).collect::<Vec<_>>().join(", "));
    let plain = |name: &&str| !name.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if shown.iter().all(plain) {
        let words: Vec<_> = shown.iter().map(|name| format!("{name}=1.5")).collect();
        format!("for example {json} or {}{}", words.join(" "), if more.is_empty() { "" } else { " …" })
    } else {
        format!("for example {json}")
    }
}

/// As much of a line as fits into a sentence, without what would upset a terminal.
pub fn beginning(line: &str) -> String {
    const SHOWN: usize = 120;
    let clean = || line.chars().filter(|c| !c.is_control());
    let mut text: String = clean().take(SHOWN).collect();
    if clean().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}

/// What was printed in a number's place.
enum Printed {
    Number(f64),
    /// Perhaps a number that JSON has no word for.
    Text(String),
    Other(&'static str),
}

impl Printed {
    fn number(self, objective: &str, bears_more: bool) -> Result<f64, ValuesError> {
        let objective = objective.to_owned();
        if let Printed::Text(text) = &self
            && let Some(reading) = Reading::parse(text)
        {
            let value = beginning(text);
            return if bears_more { Ok(reading.as_value()) } else { Err(ValuesError::MoreThan { objective, value }) };
        }
        match self {
            Printed::Number(value) if Reading::is_plain(value) => Ok(value),
            Printed::Number(value) => Err(ValuesError::NotFinite { objective, value: value.to_string() }),
            Printed::Text(text) => match text.parse::<f64>() {
                Ok(value) if !value.is_finite() => Err(ValuesError::NotFinite { objective, value: beginning(&text) }),
                _ => Err(ValuesError::NotANumber { objective, value: format!("\"{}\"", beginning(&text)) }),
            },
            Printed::Other(what) => Err(ValuesError::NotANumber { objective, value: what.to_owned() }),
        }
    }
}

/// The entries of a JSON object in their order, each as often as it is there.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(EntriesVisitor)
    }
}

fn json(line: &str, wanted: &[&str]) -> Result<Vec<(String, Printed)>, ValuesError> {
    let Entries(entries) = serde_json::from_str(line)
        // Python and others print numbers that JSON does not have; read as text, they can be named in the message.
        .or_else(|error| serde_json::from_str(&with_quoted_numbers(line)).map_err(|_| error))
        .map_err(|error| ValuesError::BadJson { error: error.to_string(), example: example(wanted) })?;
    let printed = |value| match value {
        Value::Number(number) => number.as_f64().map_or(Printed::Text(number.to_string()), Printed::Number),
        Value::String(text) => Printed::Text(text),
        Value::Null => Printed::Other("null"),
        Value::Bool(_) => Printed::Other("true or false"),
        Value::Array(_) => Printed::Other("a list"),
        Value::Object(_) => Printed::Other("an object"),
    };
    Ok(entries.into_iter().map(|(name, value)| (name, printed(value))).collect())
}

/// The line with NaN and Infinity in quotes, where they stand in a value's place.
fn with_quoted_numbers(line: &str) -> String {
    let mut text = line.to_owned();
    for number in ["-Infinity", "Infinity", "NaN"] {
        for before in [":", ": "] {
            text = text.replace(&format!("{before}{number}"), &format!("{before}\"{number}\""));
        }
    }
    text
}

fn words(line: &str, wanted: &[&str]) -> Result<Vec<(String, Printed)>, ValuesError> {
    let no_values = || ValuesError::NoValues { line: beginning(line), example: example(wanted) };
    let mut pairs = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (name, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').and_then(|(name, after)| Some((name, after.strip_prefix('=')?))),
            None => rest.split_once('='),
        }
        .ok_or_else(no_values)?;
        let (value, after) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        let value = value.trim_end_matches([',', ';']);
        if name.is_empty() || (!rest.starts_with('"') && name.contains(char::is_whitespace)) {
            return Err(no_values());
        }
        let printed = match value.parse::<f64>() {
            Ok(number) if number.is_finite() => Printed::Number(number),
            _ => Printed::Text(value.to_owned()),
        };
        pairs.push((name.to_owned(), printed));
        rest = after.trim_start();
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: [&str; 2] = ["quality", "anti-spike IgG"];

    fn refused(line: &str) -> String {
        parse(line, &WANTED, &["seconds"], |_| false).unwrap_err().to_string()
    }

    #[test]
    fn json_and_words_say_the_same() {
        for line in [
            r#"{"quality": 0.5, "anti-spike IgG": -3e2}"#,
            r#"{"anti-spike IgG":-300,"seconds":"much","quality":0.5}"#,
            r#"quality=0.5 "anti-spike IgG"=-300"#,
            r#"  "quality"=0.5,  "anti-spike IgG"=-3e2;  seconds=7 "#,
        ] {
            assert_eq!(parse(line.trim(), &WANTED, &["seconds"], |_| false).unwrap().values, [0.5, -300.0], "{line}");
        }
    }

    #[test]
    fn what_is_no_objective_is_passed_over() {
        for line in [
            r#"{"quality": 1, "host": "a", "anti-spike IgG": 2, "seconds": 3, "runs": [1]}"#,
            r#"host=a quality=1 "anti-spike IgG"=2 runs=x"#,
        ] {
            let parsed = parse(line, &WANTED, &["seconds"], |_| false).unwrap();
            assert_eq!(
                (parsed.values, parsed.passed_over),
                (vec![1.0, 2.0], vec!["host".to_owned(), "runs".to_owned()])
            );
        }
        assert!(refused(r#"{"qualty": 1, "anti-spike IgG": 2}"#).contains("did you mean \"quality\"?"));
        assert!(refused(r#"{"host": 1, "qualty": 1, "anti-spike IgG": 2}"#).contains("a value for \"qualty\""));
    }

    #[test]
    fn numbers_are_read_to_the_last_bit() {
        let value = 0.1 + 0.2;
        assert_eq!(parse(&format!("{{\"x\": {value}}}"), &["x"], &[], |_| false).unwrap().values, [value]);
        assert_eq!(parse(&format!("x={value}"), &["x"], &[], |_| false).unwrap().values, [value]);
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let lines = [
            "done in 3 s",
            "done = 3",
            "0.5",
            "=0.5",
            "quality=",
            "quality=0.5",
            "quality=fast",
            "quality=nan",
            "qualty=0.5",
            "colour=0.5",
            "quality=1 quality=2",
            r#""anti-spike IgG=3"#,
            r#"{"quality": 0.5"#,
            r#"{"quality": 0.5} done"#,
            r#"{"quality": NaN, "anti-spike IgG": 1}"#,
            r#"{"quality":-Infinity, "anti-spike IgG": 1}"#,
            r#"{"quality": 1e999, "anti-spike IgG": 1}"#,
            r#"{"quality": "0.5", "anti-spike IgG": 1}"#,
            r#"{"quality": null, "anti-spike IgG": 1}"#,
            r#"{"quality": [1, 2], "anti-spike IgG": 1}"#,
            r#"{"quality": 1, "quality": 2}"#,
            "{}",
            "\u{1b}[31mred\u{1b}[0m",
        ];
        let sentences: String = lines.iter().map(|line| format!("{line:?}\n    {}\n", refused(line))).collect();
        insta::assert_snapshot!(sentences);
    }

    #[test]
    fn that_it_is_more_is_a_value_where_it_can_be_borne() {
        let more = |limit| Reading::MoreThan(limit).as_value();
        for (line, value) in [
            (r#"{"x": ">200"}"#, more(200.0)),
            ("x=>200", more(200.0)),
            ("x=inf", Reading::ENDLESS.as_value()),
            (r#"{"x": Infinity}"#, Reading::ENDLESS.as_value()),
            (r#"{"x": "inf"}"#, Reading::ENDLESS.as_value()),
        ] {
            assert_eq!(parse(line, &["x"], &[], |_| true).unwrap().values, [value], "{line}");
            let text = parse(line, &["x"], &[], |_| false).unwrap_err().to_string();
            assert!(text.contains("compare the median of \"x\""), "{text}");
        }
        assert!(parse("x=-inf", &["x"], &[], |_| true).is_err());
        assert!(parse("x=nan", &["x"], &[], |_| true).is_err());
    }

    #[test]
    fn examples_are_lines_that_would_do() {
        assert_eq!(example(&["a", "b"]), r#"for example {"a": 1.5, "b": 1.5} or a=1.5 b=1.5"#);
        assert_eq!(example(&["a b"]), r#"for example {"a b": 1.5}"#);
        let many = example(&["a", "b", "c", "d", "e"]);
        assert_eq!(many, r#"for example {"a": 1.5, "b": 1.5, "c": 1.5, "d": 1.5, …} or a=1.5 b=1.5 c=1.5 d=1.5 …"#);
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(beginning(&"ü".repeat(120)), "ü".repeat(120));
        assert_eq!(beginning(&"ü".repeat(121)), "ü".repeat(120) + "…");
    }

    proptest::proptest! {
        #[test]
        fn no_line_upsets_the_reader(line in ".*") {
            let _ = parse(&line, &WANTED, &[], |_| true);
        }
    }
}
