//! What can be typed after `completions` and `man`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap_complete::Shell;

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  surefront completions bash > ~/.local/share/bash-completion/completions/surefront
  surefront completions zsh > ~/.zfunc/_surefront     with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  surefront completions fish > ~/.config/fish/completions/surefront.fish
  surefront completions powershell >> $PROFILE
  surefront completions elvish >> ~/.config/elvish/rc.elv";

pub const MAN_EXAMPLES: &str = "\
Examples:
  surefront man | man -l -
  surefront man --dir ~/.local/share/man/man1     then `man surefront`, `man surefront-analyze`";

/// Options of `completions`.
#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Debug, ClapArgs)]
pub struct ManArgs {
    /// Write a page for the program and one for each command into this directory
    #[arg(short = 'o', long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}
