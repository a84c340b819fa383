//! Studies in a browser and over HTTP: watched, fed and shared.
//!
//! A [`Server`] serves the studies of a folder from the same stores that programs use beside it. Each study has a desk: one thread that
//! writes, so that what many tell at once is made durable together, and one that looks, so that many readers share one rendering.
//!
//! Nothing here runs a command: what is measured, others measure.

mod address;
mod api;
mod desk;
mod http;
mod open_api;
mod pages;
mod problem;
mod routes;
mod serve_error;
mod state;
mod studies;
mod tokens;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

pub use self::http::Stop;
pub use self::serve_error::ServeError;
use self::state::State;
use self::studies::Studies;
pub use self::tokens::{Role, Tokens, TokensError};

/// What is served, where, and to whom.
#[derive(Debug)]
pub struct Options {
    /// Where to listen; port 0 is any that is free.
    pub listen: SocketAddr,
    /// A folder of studies, or study files; none: the folder that the program is in.
    pub paths: Vec<PathBuf>,
    /// Who may read and write; `None`: everybody who can connect.
    pub tokens: Option<Tokens>,
    /// Names of this machine that browsers may use for it, beside its addresses and `localhost`.
    pub hosts: Vec<String>,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    state: Arc<State>,
    stop: Stop,
}

impl Server {
    /// Listens; requests are answered once it runs.
    ///
    /// # Errors
    /// When there is nothing to serve, the address cannot be had, or everybody on a network could write.
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let Options { listen, paths, tokens, hosts } = options;
        if tokens.is_none() && !listen.ip().is_loopback() {
            return Err(ServeError::TokensNeeded { address: listen });
        }
        let studies = Studies::at(&paths)?;
        let listen_error = |error| ServeError::Listen { address: listen, error };
        let listener = std::net::TcpListener::bind(listen).map_err(listen_error)?;
        listener.set_nonblocking(true).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let state = Arc::new(State { studies, tokens, hosts });
        Ok(Server { listener, address, state, stop: Stop::default() })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it, from any thread.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers requests until it is stopped.
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Threads)?;
        self.state.studies.open_all();
        let router = routes::router(Arc::clone(&self.state));
        let done = runtime.block_on(http::serve(self.listener, router, self.stop)).map_err(ServeError::Threads);
        // Whoever only listens for events would keep it for ever.
        runtime.shutdown_background();
        done
    }
}
