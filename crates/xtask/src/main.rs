//! What developers do again and again.
//!
//! ```sh
//! cargo xtask test      # every test, of the Rust crates, in a browser, and of the Python package
//! cargo xtask browser   # the pages of the server in a browser alone
//! cargo xtask python    # the Python package alone
//! ```

mod browser;
mod python;
mod step;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::step::{Failed, step};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["browser"] => browser::test(&root()),
        ["python"] => python::test(&root()),
        _ => Err(Failed("usage: cargo xtask test, cargo xtask browser, or cargo xtask python".to_owned())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(why)) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Everything; what is in the environment, such as `SUREFRONT_TESTS=long`, holds for all of it.
fn test() -> Result<(), Failed> {
    let root = root();
    step("tests of the Rust crates", step::cargo(&root).args(["test", "--workspace", "--locked"]))?;
    browser::test(&root)?;
    python::test(&root)
}

/// Where the repository is, as cargo says when it runs this: it may have been built elsewhere.
fn root() -> PathBuf {
    let built = || env!("CARGO_MANIFEST_DIR").into();
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(built, PathBuf::from);
    here.ancestors().nth(2).map_or_else(|| here.clone(), Path::to_owned)
}
