//! A server that keeps studies, as its clients see it: one request on one connection. What it speaks is docs/serve.md.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use serde::Deserialize;
use thiserror::Error;

/// Connecting takes no longer, where somebody is there.
const CONNECTING: Duration = Duration::from_secs(10);
/// A store may be locked by others for half a minute.
const ANSWERING: Duration = Duration::from_secs(90);
/// No answer is longer.
const LONGEST: u64 = 1 << 30;

/// What went wrong between here and there.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Not an address.
    #[error("--server is \"{0}\": write an address such as http://lab-pc:8080")]
    Address(String),
    /// Nothing here is encrypted.
    #[error("--server: https is not spoken here: use http through ssh, such as `ssh -L 8080:localhost:8080 HOST`")]
    Encrypted,
    /// How a study goes on is decided where it is kept.
    #[error("with --server, a study goes on as it does there: leave out --rule, --threshold, --delta and --seed")]
    Settings,
    /// A token that no header can hold.
    #[error("a token is made of letters, digits and the signs - . _ ~ + / =")]
    Token,
    /// Nobody answers.
    #[error("{server} cannot be reached ({error}): is `surefront serve` running there?")]
    Unreachable {
        /// Its address.
        server: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// Something else answers.
    #[error("{0} does not answer as `surefront serve` does: check the address")]
    Foreign(String),
    /// It says no.
    #[error("{sentence}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Why.
        sentence: String,
    },
}

impl ServerError {
    /// Whether something else was typed, or told, than the server takes.
    pub fn is_wrong_input(&self) -> bool {
        match self {
            ServerError::Address(_) | ServerError::Encrypted | ServerError::Settings | ServerError::Token => true,
            ServerError::Refused { status, .. } => (400..500).contains(status),
            ServerError::Unreachable { .. } | ServerError::Foreign(_) => false,
        }
    }
}

/// Where it is, and what lets in.
#[derive(Debug)]
pub struct RemoteServer {
    /// As it was typed.
    url: String,
    /// Host and port, as a browser would name them.
    authority: String,
    /// What stands before every address, where it is not at the root.
    prefix: String,
    token: Option<String>,
}

#[derive(Deserialize)]
struct Document {
    detail: String,
}

impl RemoteServer {
    /// At this address.
    pub fn at(url: &str, token: Option<String>) -> Result<Self, ServerError> {
        let address = || ServerError::Address(url.to_owned());
        if url.starts_with("https://") {
            return Err(ServerError::Encrypted);
        }
        let rest = url.strip_prefix("http://").ok_or_else(address)?;
        let (authority, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        if authority.is_empty() || authority.contains('@') || !plain(rest) || rest.contains(['?', '#']) {
            return Err(address());
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        let prefix = prefix.trim_end_matches('/');
        let prefix = if prefix.is_empty() { String::new() } else { format!("/{prefix}") };
        if token.as_ref().is_some_and(|token| token.is_empty() || !plain(token)) {
            return Err(ServerError::Token);
        }
        Ok(RemoteServer { url: url.trim_end_matches('/').to_owned(), authority, prefix, token })
    }

    /// Its address, as it was typed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What is known of a study, or something else below its address.
    pub fn get(&self, id: &str, what: &str) -> Result<String, ServerError> {
        self.request("GET", id, what, "", &[])
    }

    /// Does something to a study.
    pub fn post(&self, id: &str, what: &str, kind: &str, body: &[u8]) -> Result<String, ServerError> {
        self.request("POST", id, what, kind, body)
    }

    fn request(&self, method: &str, id: &str, what: &str, kind: &str, body: &[u8]) -> Result<String, ServerError> {
        let path = format!("{}/api/studies/{}{what}", self.prefix, encoded(id));
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.authority);
        head += &format!("accept: application/json\r\nuser-agent: surefront/{}\r\n", env!("CARGO_PKG_VERSION"));
        if let Some(token) = &self.token {
            head += &format!("authorization: Bearer {token}\r\n");
        }
        if method == "POST" {
            head += &format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len());
        }
        head += "\r\n";
        let answer = self.exchange(head.as_bytes(), body);
        let answer = answer.map_err(|error| ServerError::Unreachable { server: self.url.clone(), error })?;
        let foreign = || ServerError::Foreign(self.url.clone());
        let (status, text) = parsed(&answer).ok_or_else(foreign)?;
        if (200..300).contains(&status) {
            return Ok(text);
        }
        let Document { detail } = serde_json::from_str(&text).map_err(|_| foreign())?;
        Err(ServerError::Refused { status, sentence: detail })
    }

    fn exchange(&self, head: &[u8], body: &[u8]) -> io::Result<Vec<u8>> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for address in self.authority.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECTING) {
                Ok(mut stream) => {
                    stream.set_read_timeout(Some(ANSWERING))?;
                    stream.set_write_timeout(Some(ANSWERING))?;
                    let sent = stream.write_all(head).and_then(|()| stream.write_all(body));
                    let mut answer = Vec::new();
                    // A server that does not want all of it says so before it has it.
                    let read = stream.take(LONGEST).read_to_end(&mut answer);
                    return match (sent, read) {
                        (_, _) if !answer.is_empty() => Ok(answer),
                        (Err(error), _) | (_, Err(error)) => Err(error),
                        (Ok(()), Ok(_)) => Err(io::ErrorKind::UnexpectedEof.into()),
                    };
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// The status and the body of an answer; `None` if it is not one, or not all of one.
fn parsed(answer: &[u8]) -> Option<(u16, String)> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let (head, body) = (std::str::from_utf8(&answer[..end]).ok()?, &answer[end + 4..]);
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    let headers: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim()))
        .collect();
    let header = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| *value);
    let body = match (header("transfer-encoding"), header("content-length")) {
        (Some(coding), _) if coding.eq_ignore_ascii_case("chunked") => unchunked(body)?,
        (_, Some(length)) => body.get(..length.parse().ok()?)?.to_vec(),
        _ => body.to_vec(),
    };
    Some((status, String::from_utf8(body).ok()?))
}

/// What was sent piece by piece.
fn unchunked(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n")?;
        let size = std::str::from_utf8(&body[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        body = &body[end + 2..];
        if size == 0 {
            return Some(whole);
        }
        whole.extend(body.get(..size)?);
        body = body.get(size.checked_add(2)?..)?;
    }
}

/// A name as a part of an address.
fn encoded(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    id.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_do() {
        let at = |url: &str| RemoteServer::at(url, None).map(|server| (server.authority, server.prefix));
        let is = |authority: &str, prefix: &str| (authority.to_owned(), prefix.to_owned());
        assert_eq!(at("http://lab:8080").unwrap(), is("lab:8080", ""));
        assert_eq!(at("http://lab/").unwrap(), is("lab:80", ""));
        assert_eq!(at("http://[::1]:9/x/").unwrap(), is("[::1]:9", "/x"));
        assert!(matches!(at("https://lab"), Err(ServerError::Encrypted)));
        for url in ["lab:8080", "http://", "http://a b", "http://u@h", "http://h?x", "ftp://h"] {
            assert!(matches!(at(url), Err(ServerError::Address(_))), "{url}");
        }
        assert!(RemoteServer::at("http://h", Some("a\r\nx: y".to_owned())).is_err());
    }

    #[test]
    fn answers_are_read_whole_or_not_at_all() {
        let text = |answer: &str| parsed(answer.as_bytes());
        assert_eq!(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), Some((200, "{}".to_owned())));
        assert_eq!(
            text("HTTP/1.1 404 X\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{ \r\n1\r\n}\r\n0\r\n\r\n"),
            Some((404, "{ }".to_owned()))
        );
        assert_eq!(text("HTTP/1.0 200 OK\r\n\r\nx"), Some((200, "x".to_owned())));
        for broken in [
            "",
            "x\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{}",
        ] {
            assert_eq!(text(broken), None, "{broken}");
        }
    }
}
