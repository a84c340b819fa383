//! `surefront man`: the help texts as manual pages.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::print;
use crate::args::{Args, ManArgs};
use crate::failure::Failure;

/// Prints the program's page, or writes the pages of all commands.
pub fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut program = Args::command().disable_help_subcommand(true);
    // Gives each command its full name and its `--help`.
    program.build();
    match &args.dir {
        None => print(&page("surefront", program)?),
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|error| Failure::Write { file: dir.clone(), error })?;
            let count = write_pages(dir, "surefront".to_owned(), program)?;
            print(&format!("{count} pages written to {}\n", dir.display()))
        }
    }
}

/// Writes the page of a command and those of the commands below it, and says how many these are.
fn write_pages(dir: &Path, name: String, command: Command) -> Result<usize, Failure> {
    let mut count = 1;
    for below in command.get_subcommands() {
        count += write_pages(dir, format!("{name}-{}", below.get_name()), below.clone())?;
    }
    let file = dir.join(format!("{name}.1"));
    let page = page(&name, command)?;
    std::fs::write(&file, page).map_err(|error| Failure::Write { file, error })?;
    Ok(count)
}

/// A page in the language of `man`.
fn page(name: &str, command: Command) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    Man::new(command).title(name.to_uppercase()).render(&mut bytes)?;
    let page = String::from_utf8_lossy(&bytes);
    // Notes and examples are set in lines, which the manual would otherwise run together.
    Ok(page.replace(".SH EXTRA\n", ".SH \"NOTES AND EXAMPLES\"\n.nf\n").replace(".SH VERSION\n", ".fi\n.SH VERSION\n"))
}
