//! The pages of the server in a real browser: Debian's chromium, driven by playwright-core, checked by axe-core.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failed, cargo, step};

/// Where the tests are.
const TESTS: &str = "browser-tests";
/// Debian's, or the one that `CHROMIUM` names.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the program, installs what the tests need, and runs them. What cannot be had is left out, and a line says so.
pub fn test(root: &Path) -> Result<(), Failed> {
    let left_out = |why: &str| {
        println!("\nLeft out: the tests in a browser ({why})");
        Ok(())
    };
    if !runs(Command::new("node").arg("--version")) || !runs(Command::new("npm").arg("--version")) {
        return left_out("there is no node with npm; on Debian: apt-get install nodejs npm");
    }
    let Some(chromium) = chromium() else {
        return left_out("there is no chromium, and apt-get may not install it; CHROMIUM may name one");
    };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = target.join("browser-tests");
    let Some(()) = packages(&root.join(TESTS), &folder)? else {
        return left_out("npm cannot install what browser-tests/package.json names");
    };
    step("the program that is served", cargo(root).args(["build", "--locked", "--package", "surefront-cli"]))?;
    let mut node = Command::new("node");
    node.current_dir(&folder).env("CHROMIUM", chromium).env("SUREFRONT_PROGRAM", target.join("debug/surefront"));
    step("tests in a browser", node.args(["--test", "--test-concurrency=1"]))
}

/// A copy of the tests beside the packages they need, installed again when others are named; `None` if they cannot be had.
fn packages(tests: &Path, folder: &Path) -> Result<Option<()>, Failed> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error| Failed(format!("{path}: {error}"))
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let stamp = folder.join("installed.json");
    let wanted = fs::read_to_string(tests.join("package.json")).map_err(failed(tests))?;
    for entry in fs::read_dir(tests).map_err(failed(tests))?.flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed(&entry.path()))?;
    }
    if !fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("\n== packages for the tests in a browser");
        let mut npm = Command::new("npm");
        if !runs(npm.current_dir(folder).args(["install", "--no-audit", "--no-fund", "--silent"])) {
            return Ok(None);
        }
        fs::write(&stamp, wanted).map_err(failed(&stamp))?;
    }
    Ok(Some(()))
}

/// A chromium, installed if it may be.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = || named.clone().into_iter().chain([PathBuf::from(CHROMIUM)]).find(|path| path.is_file());
    known().or_else(|| {
        println!("\n== chromium, for the tests in a browser");
        let apt =
            |arguments: &[&str]| runs(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"));
        let install = || apt(&["install", "--yes", "--no-install-recommends", "chromium"]);
        // A machine that is new knows of no package before it has asked.
        (install() || (apt(&["update"]) && install())).then(known).flatten()
    })
}

/// Whether a command can be run, and does what it should.
fn runs(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
