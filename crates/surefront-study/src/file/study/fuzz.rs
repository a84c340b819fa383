//! Whatever a file holds, reading it ends in a study or in a sentence.

use std::path::Path;

use proptest::prelude::*;

use super::StudyFile;
use crate::file::source_text::SourceText;

const GOOD: &str = r#"
name = "a study"
delta = 0.1
correlation = [[1, 0], [0, 1.0]]
[[objective]]
name = "accuracy"
goal = "max"
variance = 0.25
[[objective]]
name = "bytes"
goal = "min"
noise = "exact"
measure = "max_rss_bytes"
[[arm]]
name = "small"
mean = [0.7, 1e6]
variance = [0.5, 0]
command = ["./measure", "small"]
[[arm]]
name = "large"
mean = [0.8, 2_000_000]
command = "./measure large"
"#;

/// Reads, and goes on to the problem and the model as every command does.
fn outcome(bytes: Vec<u8>) -> Result<(), String> {
    let path = Path::new("study.toml");
    let read = || {
        let study = StudyFile::parse(&SourceText::new(path, bytes)?)?;
        study.model(&study.problem()?).map(drop)
    };
    read().map_err(|error| error.to_string())
}

fn check(bytes: Vec<u8>) -> Result<(), TestCaseError> {
    if let Err(message) = outcome(bytes) {
        prop_assert!(message.contains(": ") && message.len() > 20, "{}", message);
    }
    Ok(())
}

/// Pieces that mean something in a study file, so that random texts get past the parser.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "name",
        "delta",
        "goal",
        "variance",
        "noise",
        "measure",
        "mean",
        "command",
        "correlation",
        "\"estimate\"",
        "arms",
        "arm",
        "objective",
        " = ",
        "\n",
        "\r\n",
        "[[arm]]\n",
        "[[objective]]\n",
        "[arm]\n",
        "[",
        "]",
        ",",
        "{",
        "}",
        ".",
        "\"max\"",
        "\"exact\"",
        "\"a\"",
        "\"\"",
        "0",
        "1.5",
        "-1",
        "nan",
        "-inf",
        "1e400",
        "0xff",
        "true",
        "1979-05-27",
        "# x\n",
        "\"\"\"",
        "'",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(bytes)?;
    }

    #[test]
    fn random_tokens(tokens in prop::collection::vec(token(), 0..60)) {
        check(tokens.concat().into_bytes())?;
    }

    #[test]
    fn a_good_file_with_some_bytes_changed(
        changes in prop::collection::vec((0..GOOD.len(), any::<u8>()), 1..6),
    ) {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        check(bytes)?;
    }

    #[test]
    fn a_good_file_with_a_token_in_the_wrong_place(at in 0..GOOD.len(), upto in 0usize..30, token in token()) {
        let upto = (at + upto).min(GOOD.len());
        check([&GOOD[..at], token, &GOOD[upto..]].concat().into_bytes())?;
    }

    #[test]
    fn a_good_file_cut_short(at in 0..GOOD.len()) {
        check(GOOD.as_bytes()[..at].to_vec())?;
    }
}

#[test]
fn the_good_file_is_good() {
    assert_eq!(outcome(GOOD.into()), Ok(()));
    assert_eq!(outcome(format!("\u{feff}{}", GOOD.replace('\n', "\r\n")).into()), Ok(()));
}

#[test]
fn deep_nesting_is_refused() {
    assert!(outcome(format!("name = {}", "[".repeat(100_000)).into()).is_err());
    assert!(outcome(format!("{} = 1", ["a"; 100_000].join(".")).into()).is_err());
}
