//! The end of a stream: what a command says last is kept, what it said before is let go.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How much of a stream is kept, in bytes.
pub const KEPT: usize = 64 * 1024;

/// The last bytes of a stream, [`KEPT`] at least if there were as many.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
    /// Whether something before them was let go.
    cut: bool,
}

impl Tail {
    fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        // Twice the room, so that each byte is moved once at most.
        if self.bytes.len() > 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
            self.cut = true;
        }
    }

    /// The last line that is not blank; `None` if there is none.
    pub fn last_line(&self) -> Option<LastLine> {
        let end = self.bytes.trim_ascii_end();
        if end.is_empty() {
            return None;
        }
        let start = end.iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(0, |at| at + 1);
        if start == 0 && self.cut {
            return Some(LastLine::TooLong);
        }
        Some(LastLine::Whole(String::from_utf8_lossy(end[start..].trim_ascii_start()).into_owned()))
    }
}

/// A stream's last line.
#[derive(Debug, PartialEq, Eq)]
pub enum LastLine {
    /// All of it.
    Whole(String),
    /// Its beginning was let go.
    TooLong,
}

/// A stream that is read to its end in a thread of its own, so that whoever writes to it never has to wait.
pub struct Listener {
    tail: Arc<Mutex<Tail>>,
    done: Receiver<()>,
}

impl Listener {
    /// Begins to read.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn start(mut stream: impl Read + Send + 'static) -> io::Result<Self> {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (sender, done) = channel();
        let shared = Arc::clone(&tail);
        thread::Builder::new().spawn(move || {
            let mut chunk = [0; 16 * 1024];
            loop {
                match stream.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(count) => shared.lock().unwrap_or_else(PoisonError::into_inner).push(&chunk[..count]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            // Nobody listens any more if the stream outlived its command.
            let _ = sender.send(());
        })?;
        Ok(Listener { tail, done })
    }

    /// The end of the stream; what there is by now if it does not end in time. (A command may have left something running
    /// that holds the stream open for ever.)
    pub fn finish(self, patience: Duration) -> Tail {
        let _ = self.done.recv_timeout(patience);
        std::mem::take(&mut self.tail.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;

    fn tail_of(text: &str) -> Tail {
        let mut tail = Tail::default();
        text.as_bytes().chunks(1000).for_each(|chunk| tail.push(chunk));
        tail
    }

    #[test]
    fn the_last_line_is_the_last_that_is_not_blank() {
        let last = |text| tail_of(text).last_line();
        let whole = |text: &str| Some(LastLine::Whole(text.to_owned()));
        assert_eq!(last("a\nb"), whole("b"));
        assert_eq!(last("a\n  b \r\n\n \t\n"), whole("b"));
        assert_eq!(last("50 %\r100 %\r"), whole("100 %"));
        assert_eq!(last("only"), whole("only"));
        assert_eq!(last(" \n\n"), None);
        assert_eq!(last(""), None);
    }

    #[test]
    fn a_flood_is_let_go() {
        let flood = "y\n".repeat(1_000_000);
        let tail = tail_of(&(flood + "x=1\n"));
        assert!((KEPT..=2 * KEPT).contains(&tail.bytes.len()));
        assert!(tail.bytes.capacity() < 8 * KEPT);
        assert_eq!(tail.last_line(), Some(LastLine::Whole("x=1".to_owned())));
        assert_eq!(tail_of(&"y".repeat(1_000_000)).last_line(), Some(LastLine::TooLong));
    }

    #[test]
    fn a_stream_that_never_ends_is_left() {
        /// Says that everything before it was read, and nothing more.
        struct Silence(Sender<()>);
        impl Read for Silence {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                self.0.send(()).unwrap();
                loop {
                    thread::park();
                }
            }
        }
        let (sender, reached) = channel();
        let listener = Listener::start(b"x=1\n".chain(Silence(sender))).unwrap();
        reached.recv_timeout(Duration::from_secs(300)).expect("the stream is read");
        assert_eq!(listener.finish(Duration::from_millis(1)).last_line(), Some(LastLine::Whole("x=1".to_owned())));
    }
}
