//! The Python package: built as people install it, into an environment of its own, and tested there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failed, cargo, step};

/// What the tests need, pinned.
const REQUIREMENTS: &str = "python/requirements.txt";

/// Builds the wheel, installs it, and runs tests, examples and lints. What cannot be had is left out, and a line says so.
pub fn test(root: &Path) -> Result<(), Failed> {
    let Some(python) = interpreter() else {
        println!("\nLeft out: the tests of the Python package (there is no Python 3.10 or later; PYTHON may name one)");
        return Ok(());
    };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let Some(environment) = Environment::at(&target.join("python-tests"), &python, root)? else {
        println!("\nLeft out: the tests of the Python package (what {REQUIREMENTS} names cannot be had here)");
        return Ok(());
    };
    let build = ["build", "--release", "--locked", "--package", "surefront-cli"];
    step("the program that the package works together with", cargo(root).args(build))?;
    environment.install_wheel(root, &target)?;

    // Elsewhere, so that it is the installed package that is tested.
    let (elsewhere, tests) = (environment.folder.join("elsewhere"), root.join("python/tests"));
    fs::create_dir_all(&elsewhere).map_err(|error| Failed(format!("{}: {error}", elsewhere.display())))?;
    let program = target.join("release/surefront");
    let configuration = root.join("pyproject.toml");
    let pytest = || {
        let mut pytest = environment.tool("pytest");
        pytest.current_dir(&elsewhere).env("SUREFRONT_PROGRAM", &program).arg("-c").arg(&configuration);
        pytest.args(["--quiet", "-p", "no:cacheprovider"]);
        pytest
    };
    step("tests of the Python package", pytest().arg(&tests))?;
    step("its examples", pytest().args(["--doctest-modules", "--pyargs", "surefront"]))?;
    step("lints of the Python sources", environment.tool("ruff").current_dir(root).args(["check", "python"]))?;
    let mypy = ["--cache-dir", "target/mypy", "python/surefront", "python/tests", "python/examples"];
    step("types of the Python sources", environment.tool("mypy").current_dir(root).args(mypy))
}

/// An environment with everything that the tests need.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Made once, and again when the requirements have changed; `None` if they cannot be had.
    fn at(folder: &Path, python: &Path, root: &Path) -> Result<Option<Self>, Failed> {
        let environment = Environment { folder: folder.to_owned() };
        let wanted = root.join(REQUIREMENTS);
        let requirements = fs::read_to_string(&wanted).map_err(|error| Failed(format!("{REQUIREMENTS}: {error}")))?;
        let stamp = folder.join("requirements.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == requirements) {
            return Ok(Some(environment));
        }
        println!("\n== an environment for the tests of the Python package");
        let made = Command::new(python).args(["-m", "venv", "--clear"]).arg(folder).status();
        let made = made.is_ok_and(|status| status.success());
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
        if !made || !environment.python().args(install).arg(&wanted).status().is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        fs::write(&stamp, requirements).map_err(|error| Failed(format!("{}: {error}", stamp.display())))?;
        Ok(Some(environment))
    }

    fn python(&self) -> Command {
        Command::new(self.folder.join("bin/python"))
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = self.python();
        command.args(["-m", name]);
        command
    }

    fn install_wheel(&self, root: &Path, target: &Path) -> Result<(), Failed> {
        let wheels = target.join("wheels");
        // What an earlier build left would be installed as well.
        let _ = fs::remove_dir_all(&wheels);
        let mut maturin = self.tool("maturin");
        maturin.current_dir(root).args(["build", "--release", "--locked", "--interpreter"]);
        maturin.arg(self.folder.join("bin/python")).arg("--out").arg(&wheels);
        step("the wheel", &mut maturin)?;
        let wheel = fs::read_dir(&wheels).ok().into_iter().flatten().flatten().map(|entry| entry.path()).next();
        let wheel = wheel.ok_or_else(|| Failed(format!("there is no wheel in {}", wheels.display())))?;
        let install = ["install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
        step("its installation", self.tool("pip").args(install).arg(wheel))
    }
}

/// A Python that is new enough: the one that `PYTHON` names, or else the usual ones.
fn interpreter() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let usual = ["python3", "python"].map(PathBuf::from);
    let new_enough = |python: &PathBuf| {
        let check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
        let mut command = Command::new(python);
        command.args(["-c", check]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    named.into_iter().chain(usual).find(new_enough)
}
