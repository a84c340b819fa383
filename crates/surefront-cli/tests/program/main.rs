//! The whole program, as people and scripts see it.

mod analyze;
mod ask_tell;
mod bad_input;
mod bits;
mod bound;
mod correlation;
mod costs;
mod data_files;
mod ended;
mod guide;
mod init;
mod kinds;
mod likely;
mod limits;
mod manual;
mod order;
mod outputs;
mod plan;
mod remarks;
mod report;
mod reproduce;
mod run;
mod screens;
mod serve;
mod simulate;
mod store;
mod together;
mod transport;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A directory of its own to run in, with whatever files a test needs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the program here, so that messages name files and no directories.
    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::cargo_bin("surefront").unwrap();
        command.current_dir(self.0.path()).env_remove("COLUMNS").args(args).output().unwrap()
    }

    /// What a run that must go well prints.
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a run prints that ends with an answer that is not proved.
    fn likely(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?}: {message}");
        assert!(
            message.ends_with("the answer is likely, not proved: --threshold certified asks for a proof\n"),
            "{message}"
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.stdout(args)).unwrap()
    }
}

/// The example that comes with the program.
fn vaccine() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../surefront-lab/data/vaccine.toml").to_str().unwrap().to_owned()
}

/// The message, after checking that it is one line, names the file, and comes with exit code 2.
fn refusal(place: &Place, args: &[&str]) -> String {
    let output = place.run(args);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty());
    assert_eq!(message.lines().count(), 1, "{message}");
    message.trim_end().to_owned()
}

/// One message per case, under its title.
fn transcript<'a>(cases: impl IntoIterator<Item = (&'a str, String)>) -> String {
    cases.into_iter().map(|(title, message)| format!("{title}\n    {message}\n")).collect()
}

/// The same text whenever it was written: times as people and programs read them.
fn without_times(text: &str) -> String {
    const LENGTH: usize = "2026-01-31T12:34:56.789Z".len();
    let is_time =
        |bytes: &[u8]| bytes[4] == b'-' && bytes[10] == b'T' && bytes[13] == b':' && bytes[LENGTH - 1] == b'Z';
    let mut text = text.to_owned();
    while let Some(at) =
        (0..text.len().saturating_sub(LENGTH - 1)).find(|&at| is_time(&text.as_bytes()[at..at + LENGTH]))
    {
        text.replace_range(at..at + LENGTH, "TIME");
    }
    text
}

/// Every element is closed, in order: enough to know that a viewer will show it.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Three arms: one is exact in one objective, two make the front.
const STUDY: &str = r#"name = "codecs"
delta = 0.05

[[objective]]
name = "quality"
goal = "max"
variance = 0.04

[[objective]]
name = "bytes"
goal = "min"
variance = 4

[[arm]]
name = "fine"
mean = [0.9, 30]

[[arm]]
name = "coarse"
mean = [0.5, 10]

[[arm]]
name = "clumsy"
mean = [0.4, 20]
"#;
