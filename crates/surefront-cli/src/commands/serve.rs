//! `surefront serve`: studies in a browser and over HTTP.

use std::fs;
use std::path::Path;

use super::print;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::remark::remark;
use surefront_serve::{Options, Server, Tokens};

/// Serves until it is stopped.
pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    let made_here = args.token_file.is_none() && !args.listen.ip().is_loopback();
    let tokens = match &args.token_file {
        Some(path) => Some(tokens_in(path)?),
        None if made_here => Some(Tokens::random().map_err(Failure::Tokens)?),
        None => None,
    };
    if tokens.as_ref().is_some_and(Tokens::is_short) {
        remark("a token has fewer than 16 characters, and can be guessed: make a longer one\n");
    }
    let shown = tokens.clone().filter(|_| made_here);
    let options = Options { listen: args.listen, paths: args.paths.clone(), tokens, hosts: args.hosts.clone() };
    let server = Server::bind(options).map_err(Failure::Serve)?;
    let mut text = format!("Serving on http://{}/ until Ctrl-C\n", server.address());
    if let Some(tokens) = shown {
        let line =
            |what: &str, token: Option<&str>| token.map_or_else(String::new, |token| format!("{what} {token}\n"));
        text += &line("read", tokens.read());
        text += &line("write", tokens.write());
    }
    print(&text)?;
    let stop = server.stop();
    interrupt::on_end(move || stop.stop());
    server.run().map_err(Failure::Serve)
}

/// The tokens of a file.
pub fn tokens_in(path: &Path) -> Result<Tokens, Failure> {
    let unreadable =
        |error| Failure::TokenFile { file: path.to_owned(), sentence: format!("cannot be read ({error})") };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    Tokens::parse(&text).map_err(|error| Failure::TokenFile { file: path.to_owned(), sentence: error.to_string() })
}
