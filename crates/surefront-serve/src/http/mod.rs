//! Connections: taken one by one, and given up when nothing moves.

pub mod body;
pub mod guard;
mod polite_stream;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use self::polite_stream::PoliteStream;

/// The head of a request must be there by then, and so must the next one on the same connection.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// At once; further ones wait until one ends.
const MOST_CONNECTIONS: usize = 4096;
/// What is under way gets this long when the server ends.
const LAST_STEPS: Duration = Duration::from_secs(3);
/// A pause where the operating system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// Ends a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Self {
        Stop(watch::Sender::new(false))
    }
}

impl Stop {
    /// No more connections from now on; what is under way is finished.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Waits until it is stopped.
async fn ended(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Answers requests until it is stopped.
pub async fn serve(listener: std::net::TcpListener, router: Router, stop: Stop) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let mut stopped = stop.0.subscribe();
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let accept = async {
            let place = Arc::clone(&room).acquire_owned().await.expect("it is never closed");
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accept => accepted,
            () = ended(&mut stopped) => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(NO_ROOM).await;
            continue;
        };
        // Small answers go out at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut stopped = stop.0.subscribe();
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .max_buf_size(64 * 1024)
                .serve_connection(TokioIo::new(PoliteStream::new(stream)), service);
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                // Whatever became of it, the connection is over.
                _ = connection.as_mut() => {}
                () = ended(&mut stopped) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(LAST_STEPS, connection).await;
                }
            }
            drop(place);
        });
    }
    // Streams of events never end by themselves.
    let all = room.acquire_many(MOST_CONNECTIONS as u32);
    let _ = tokio::time::timeout(LAST_STEPS, all).await;
    Ok(())
}
