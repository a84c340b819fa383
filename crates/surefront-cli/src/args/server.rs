//! A study that is kept elsewhere.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

/// A server, and what lets in there.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Over a network")]
pub struct ServerArgs {
    /// The study is the one of this name on a server, such as http://lab-pc:8080 (`surefront serve`)
    #[arg(long, value_name = "URL", conflicts_with = "store")]
    pub server: Option<String>,
    /// The token that the server wants; a file keeps it from others on this machine
    #[arg(long, value_name = "TOKEN", requires = "server", conflicts_with = "token_file")]
    pub token: Option<String>,
    /// A file with the token
    #[arg(long, value_name = "FILE", requires = "server")]
    pub token_file: Option<PathBuf>,
}

/// The study's name on a server: that of its file, which need not be here.
pub fn id(study: &Path) -> String {
    let named = if study.extension().is_some_and(|end| end == "toml") { study.file_stem() } else { study.file_name() };
    named.unwrap_or(study.as_os_str()).to_string_lossy().into_owned()
}
