//! A connection that is given up when its other end takes nothing for long, and that says in a document what is no HTTP.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::problem::Problem;

/// Who takes nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub struct PoliteStream {
    stream: TcpStream,
    /// Runs while the other end takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl PoliteStream {
    pub fn new(stream: TcpStream) -> Self {
        PoliteStream { stream, stalled: None }
    }

    fn patiently(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for PoliteStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for PoliteStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if let Some(document) = for_no_request(bytes) {
            // It is the first thing on its connection, or follows what was taken: there is room for it, or nobody is there.
            return match self.stream.try_write(&document) {
                Ok(_) => Poll::Ready(Ok(bytes.len())),
                Err(error) => Poll::Ready(Err(error)),
            };
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.patiently(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What is no request never comes to us: the HTTP library refuses it with a status and nothing more. Our own answers say something.
fn for_no_request(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = std::str::from_utf8(bytes).ok()?.strip_prefix("HTTP/1.1 4")?;
    if !head.ends_with("\r\n\r\n") || !head.contains("content-length: 0\r\n") {
        return None;
    }
    let (status, sentence) = match head.get(..2)? {
        "14" => (StatusCode::URI_TOO_LONG, "the address is too long"),
        "31" => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "there are too many headers, or too long ones"),
        "08" => (StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time"),
        _ => (StatusCode::BAD_REQUEST, "this is no HTTP request"),
    };
    let (document, reason) = (Problem::new(status, sentence).json(), status.canonical_reason().unwrap_or_default());
    let head = format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: application/problem+json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        status.as_u16(),
        document.len()
    );
    Some((head + &document).into_bytes())
}
