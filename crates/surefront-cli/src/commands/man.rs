//! `surefront man`: the help texts as manual pages.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::{print, print_document};
use crate::args::{Args, ManArgs};
use crate::failure::Failure;
use surefront_study::output::destination::Destination;
use surefront_study::output::kind::OutputKind;

/// Prints the program's page, or writes the pages of all commands.
pub fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut program = Args::command().disable_help_subcommand(true);
    // Gives each command its full name and its `--help`.
    program.build();
    match &args.dir {
        None => print_document(&page("surefront", program)?),
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(|error| Failure::Write { file: dir.clone(), error })?;
            let mut pages = Vec::new();
            add_pages(&mut pages, dir, "surefront".to_owned(), program)?;
            // None is written unless all can be.
            for (place, page) in &pages {
                place.write(page.as_bytes())?;
            }
            print(&format!("{} pages written to {}\n", pages.len(), dir.display()))
        }
    }
}

/// The page of a command and those of the commands below it, each with its place.
fn add_pages(
    pages: &mut Vec<(Destination, String)>,
    dir: &Path,
    name: String,
    command: Command,
) -> Result<(), Failure> {
    for below in command.get_subcommands() {
        add_pages(pages, dir, format!("{name}-{}", below.get_name()), below.clone())?;
    }
    let place = Destination::new(&dir.join(format!("{name}.1")), OutputKind::ManualPage, &[])?;
    pages.push((place, page(&name, command)?));
    Ok(())
}

/// A page in the language of `man`.
fn page(name: &str, command: Command) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    Man::new(command).title(name.to_uppercase()).render(&mut bytes)?;
    let page = String::from_utf8_lossy(&bytes);
    // Notes and examples are set in lines, which the manual would otherwise run together.
    Ok(page.replace(".SH EXTRA\n", ".SH \"NOTES AND EXAMPLES\"\n.nf\n").replace(".SH VERSION\n", ".fi\n.SH VERSION\n"))
}
