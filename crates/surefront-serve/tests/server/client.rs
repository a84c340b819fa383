//! A server in this process, and a client that sends whatever it is told to.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use surefront_serve::{Options, Server, Stop, Tokens};
use tempfile::TempDir;

pub const STUDY: &str = r#"
name = "codecs"
delta = 0.1
[[objective]]
name = "quality"
goal = "max"
variance = 0.04
[[objective]]
name = "bytes"
goal = "min"
variance = 1
[[arm]]
name = "fine"
[[arm]]
name = "coarse"
[[arm]]
name = "<script>alert(1)</script>"
"#;

/// A folder with a study, served.
pub struct House {
    pub folder: TempDir,
    pub address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl House {
    pub fn open() -> Self {
        House::with(None, &[])
    }

    pub fn guarded() -> Self {
        House::with(Some("read reading-token-0123\nwrite writing-token-0123\n"), &["lab-pc"])
    }

    fn with(tokens: Option<&str>, hosts: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("codecs.toml"), STUDY).unwrap();
        let options = Options {
            listen: "127.0.0.1:0".parse().unwrap(),
            paths: vec![folder.path().to_owned()],
            tokens: tokens.map(|text| Tokens::parse(text).unwrap()),
            hosts: hosts.iter().map(|&host| host.to_owned()).collect(),
        };
        let server = Server::bind(options).unwrap();
        let (address, stop) = (server.address(), server.stop());
        let thread = thread::spawn(move || server.run().unwrap());
        House { folder, address, stop, thread: Some(thread) }
    }

    pub fn study(&self) -> PathBuf {
        self.folder.path().join("codecs.toml")
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Sends these bytes, and reads until the other end closes.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // Whoever is refused early may not get rid of all of it.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::parse(&answer)
    }

    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        self.raw(&[format!("{head}\r\n").as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }

    pub fn page(&self, path: &str) -> Answer {
        self.request("GET", path, &[("accept", "text/html")], b"")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.request("POST", path, &[("content-type", "application/json")], body.as_bytes())
    }

    /// As a browser sends a form of a page of this server.
    pub fn form(&self, path: &str, body: &str) -> Answer {
        let origin = format!("http://{}", self.address);
        let headers = [
            ("accept", "text/html"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", origin.as_str()),
        ];
        self.request("POST", path, &headers, body.as_bytes())
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Answer {
    pub fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut answer = Answer { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() };
        // What follows is the answer to something else.
        if let Some(length) = answer.header("content-length").and_then(|length| length.parse().ok()) {
            answer.body.truncate(length);
        }
        answer
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")))
    }

    /// The sentence of a problem document, which it must be.
    pub fn detail(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let document = self.json();
        assert_eq!(document["status"], self.status, "{document}");
        assert!(document["title"].is_string() && document["type"].is_string(), "{document}");
        document["detail"].as_str().unwrap().to_owned()
    }
}
