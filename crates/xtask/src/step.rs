//! One command after the other, each under its title.

use std::path::Path;
use std::process::Command;

/// Why something was not done.
#[derive(Debug)]
pub struct Failed(pub String);

/// Runs a command; what it prints is seen.
pub fn step(title: &str, command: &mut Command) -> Result<(), Failed> {
    println!("\n== {title}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed(format!("{title}: {} ended with {status}", shown(command)))),
        Err(error) => Err(Failed(format!("{title}: {} cannot be started ({error})", shown(command)))),
    }
}

/// The cargo that runs this.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

fn shown(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
