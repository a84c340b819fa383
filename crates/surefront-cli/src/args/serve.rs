//! What can be typed after `serve`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::Args as ClapArgs;

pub const EXAMPLES: &str = "\
Everybody who can connect sees the studies, and enters results. By default that is this machine alone. Any other address needs tokens:
a file with a line `write TOKEN` and perhaps a line `read TOKEN`, or new ones, which are made and printed at the start. Browsers log in
with one; programs send it as a header, `Authorization: Bearer TOKEN`. Nothing is encrypted: across a network that others use, put it
behind a server that speaks HTTPS, or reach it through ssh.

Commands of study files are never run by this server: measure by hand, with other programs, or with `surefront run` beside it.

Examples:
  surefront serve                                   the studies of this folder, on http://127.0.0.1:8080/
  surefront serve studies --listen 127.0.0.1:9000
  surefront serve study.toml --listen 0.0.0.0:8080 --token-file tokens
  surefront serve --listen 0.0.0.0:8080 --host lab-pc     browsers may call it http://lab-pc:8080/

Then, on any machine:
  surefront ask study --server http://lab-pc:8080 --token-file token
  surefront tell study --server http://lab-pc:8080 --token-file token --ticket 7 0.93 12.5

Exit codes: 0 stopped (Ctrl-C), 1 something failed, 2 wrong usage or input.";

/// Options of `serve`.
#[derive(Debug, ClapArgs)]
pub struct ServeArgs {
    /// A folder of study files, or study files [default: this folder]
    #[arg(value_name = "FOLDER|STUDY")]
    pub paths: Vec<PathBuf>,
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub listen: SocketAddr,
    /// A file with the tokens that let in whoever reads or writes
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name of this machine that browsers may use for it; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| "write an address and a port, for example 127.0.0.1:8080".to_owned())
}
