//! The whole program, as people and scripts see it.

mod bad_input;
mod bound;
mod reproduce;
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
        Command::cargo_bin("surefront").unwrap().current_dir(self.0.path()).args(args).output().unwrap()
    }

    /// What a run that must go well prints.
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.stdout(args)).unwrap()
    }
}

/// The example that comes with the program.
fn vaccine() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vaccine.toml").to_str().unwrap().to_owned()
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
