//! The figures of docs/benchmarks.md about the server, measured on 127.0.0.1:
//!
//! ```sh
//! cargo run --release --example load --package surefront-serve
//! ```
//!
//! The server is a process of its own: this program, started again.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use surefront_serve::{Options, Server};
use surefront_study::file::results::Key;
use surefront_study::session::{Session, ToldBy};
use surefront_study::store::Access;

/// Tells of one measurement.
const TELLS: usize = 8_000;
const CLIENTS: usize = 8;
const STREAMS: usize = 1_000;
const ARMS: usize = 1_000;
const SAMPLES: usize = 100_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [command, folder] = &arguments[..]
        && command == "server"
    {
        return serve(Path::new(folder));
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.toml"), study(10)).expect("a file");
    let server = Running::start(folder.path());
    let alone = tells(server.address);
    println!("{TELLS} tells, durable, {CLIENTS} clients: {alone:.0} per second");
    let before = server.memory();
    let heard = Arc::new(AtomicUsize::new(0));
    let streams: Vec<TcpStream> = (0..STREAMS).map(|_| follow(server.address)).collect();
    listen(&streams, &heard);
    let among = tells(server.address);
    thread::sleep(Duration::from_secs(1));
    println!(
        "with {STREAMS} streams of events: {among:.0} per second; {:.0} MB, {:.0} MB without; {} events heard",
        server.memory(),
        before,
        heard.load(Ordering::Relaxed)
    );
    drop(streams);
    shown(folder.path(), server.address);
    drop(server);
    large();
}

/// A study with this many arms.
fn study(arms: usize) -> String {
    let objectives =
        "[[objective]]\nname = \"quality\"\ngoal = \"max\"\n[[objective]]\nname = \"seconds\"\ngoal = \"min\"\n";
    let arms = (0..arms).map(|arm| format!("[[arm]]\nname = \"arm {arm}\"\n"));
    objectives.to_owned() + &arms.collect::<String>()
}

fn serve(folder: &Path) {
    let options = Options {
        listen: "127.0.0.1:0".parse().expect("an address"),
        paths: vec![folder.to_owned()],
        tokens: None,
        hosts: Vec::new(),
    };
    let server = Server::bind(options).expect("it can listen");
    println!("{}", server.address());
    server.run().expect("it serves");
}

/// A server in a process of its own, which ends with this.
struct Running {
    child: Child,
    address: SocketAddr,
}

impl Running {
    fn start(folder: &Path) -> Self {
        let this = env::current_exe().expect("this program");
        let mut child = Command::new(this).arg("server").arg(folder).stdout(Stdio::piped()).spawn().expect("a process");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut line).expect("its address");
        Running { child, address: line.trim().parse().expect("an address") }
    }

    /// What it holds, in megabytes.
    fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0) / 1024.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        Client { stream: BufReader::new(stream), address }
    }

    fn post(&mut self, path: &str, body: &str) -> String {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(head.as_bytes()).expect("it is sent");
        self.answer()
    }

    fn get(&mut self, path: &str) -> String {
        let head = format!("GET {path} HTTP/1.1\r\nhost: {}\r\naccept: text/html\r\n\r\n", self.address);
        self.stream.get_mut().write_all(head.as_bytes()).expect("it is sent");
        self.answer()
    }

    fn answer(&mut self) -> String {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("an answer");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" || line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("a text")
    }
}

/// Tells per second: the tickets are asked for before.
fn tells(address: SocketAddr) -> f64 {
    let asked = Client::new(address).post("/api/studies/small/ask", &format!("{{\"n\": {TELLS}}}"));
    let asked: serde_json::Value = serde_json::from_str(&asked).expect("JSON");
    let tickets: Vec<i64> =
        asked["tickets"].as_array().expect("tickets").iter().filter_map(|ticket| ticket["ticket"].as_i64()).collect();
    assert_eq!(tickets.len(), TELLS);
    let begin = Instant::now();
    thread::scope(|scope| {
        for share in tickets.chunks(TELLS / CLIENTS) {
            scope.spawn(move || {
                let mut client = Client::new(address);
                for ticket in share {
                    // Close to each other, so that there is no answer before the end.
                    let value = 1.0 + 0.01 * (ticket % 17) as f64;
                    let told = client.post(
                        "/api/studies/small/tell",
                        &format!("{{\"ticket\": {ticket}, \"values\": [{value}, {value}]}}"),
                    );
                    assert!(told.contains("\"stored\":1"), "{told}");
                }
            });
        }
    });
    TELLS as f64 / begin.elapsed().as_secs_f64()
}

fn follow(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET /api/studies/small/events HTTP/1.1\r\nhost: {address}\r\n\r\n").expect("it is sent");
    stream
}

/// Reads whatever comes, on one thread.
fn listen(streams: &[TcpStream], heard: &Arc<AtomicUsize>) {
    let mut streams: Vec<TcpStream> = streams.iter().map(|stream| stream.try_clone().expect("a connection")).collect();
    streams.iter().for_each(|stream| stream.set_nonblocking(true).expect("a connection"));
    let heard = Arc::clone(heard);
    thread::spawn(move || {
        let mut room = vec![0; 64 * 1024];
        loop {
            for stream in &mut streams {
                match stream.read(&mut room) {
                    Ok(0) => return,
                    Ok(read) => {
                        let events = room[..read].windows(6).filter(|window| window == b"event:").count();
                        heard.fetch_add(events, Ordering::Relaxed);
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
}

/// From a tell of another process to the page that shows it: the event, and the page again.
fn shown(folder: &Path, address: SocketAddr) {
    fs::write(folder.join("told.toml"), study(10)).expect("a file");
    let mut session = Session::open(&folder.join("told.toml"), None, Access::Create).expect("a store");
    let mut page = Client::new(address);
    page.get("/studies/told");
    let stream = TcpStream::connect(address).expect("a connection");
    let mut events = BufReader::new(stream);
    write!(events.get_mut(), "GET /api/studies/told/events HTTP/1.1\r\nhost: {address}\r\n\r\n").expect("it is sent");
    let mut heard = |samples: u64| {
        let mut line = String::new();
        while !line.contains(&format!("\"samples\":{samples},")) {
            line.clear();
            events.read_line(&mut line).expect("an event");
        }
    };
    heard(0);
    let mut worst = Duration::ZERO;
    for turn in 0..50u32 {
        thread::sleep(Duration::from_millis(u64::from(turn * 37 % 200)));
        let begin = Instant::now();
        session.tell(Key::Arm(turn as usize % 10), &[1.0, 2.0], "elsewhere").expect("it is stored");
        heard(u64::from(turn) + 1);
        let shown = page.get("/studies/told");
        assert!(shown.contains(&format!("<dt>samples</dt><dd>{}</dd>", turn + 1)));
        worst = worst.max(begin.elapsed());
    }
    println!("told elsewhere, shown on a page: at most {} ms of 50 times", worst.as_millis());
}

/// The first page of a large study.
fn large() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.toml");
    fs::write(&path, study(ARMS)).expect("a file");
    let mut session = Session::open(&path, None, Access::Create).expect("a store");
    let told: Vec<ToldBy> = (0..SAMPLES)
        .map(|sample| {
            let (arm, turn) = (sample % ARMS, sample / ARMS);
            let noise = ((sample * 2_654_435_761) % 1000) as f64 / 1000.0;
            let angle = arm as f64 / ARMS as f64 * 1.57;
            let reach = 0.6 + 0.4 * ((arm * 7919) % 100) as f64 / 100.0;
            let values = vec![
                10.0 * reach * angle.cos() + noise,
                10.0 - 10.0 * reach * angle.sin() + 0.01 * turn as f64 + noise * 0.7,
            ];
            ToldBy { key: Key::Arm(arm), values, source: "load".to_owned() }
        })
        .collect();
    session.tell_each(&told).expect("they are stored");
    drop(session);
    let server = Running::start(folder.path());
    let begin = Instant::now();
    let page = Client::new(server.address).get("/studies/large");
    let cold = begin.elapsed();
    let begin = Instant::now();
    Client::new(server.address).get("/studies/large");
    println!(
        "{ARMS} arms, {SAMPLES} samples: first page after {} ms as the server starts, then {} ms; {} kB; server {:.0} MB",
        cold.as_millis(),
        begin.elapsed().as_millis(),
        page.len() / 1000,
        server.memory()
    );
}
