//! Studies that a server keeps, and the server that is killed.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::{Place, refusal};

const STUDY: &str = r#"
delta = 0.1
[[objective]]
name = "quality"
goal = "max"
variance = 1
[[objective]]
name = "bytes"
goal = "min"
variance = 1
[[arm]]
name = "fine"
[[arm]]
name = "coarse"
"#;

/// A server that is killed when this goes.
struct Served {
    child: Child,
    url: String,
    /// All that it printed before it served.
    said: String,
}

impl Served {
    fn start(place: &Place, args: &[&str]) -> Self {
        let program = assert_cmd::cargo::cargo_bin("surefront");
        let mut child = Command::new(program)
            .current_dir(place.0.path())
            .arg("serve")
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut said).unwrap();
        let url =
            said.split_whitespace().find(|word| word.starts_with("http://")).unwrap().trim_end_matches('/').to_owned();
        if url.contains("0.0.0.0") {
            output.read_line(&mut said).unwrap();
            output.read_line(&mut said).unwrap();
        }
        Served { child, url, said }
    }

    /// `kill -9`.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_loop_on_another_machine_needs_a_token_and_no_file() {
    let place = Place::new()
        .with("codecs.toml", STUDY)
        .with("tokens", "read only-to-look-0123456\nwrite may-write-0123456789\n");
    let elsewhere = Place::new().with("token", "may-write-0123456789\n").with("look", "read only-to-look-0123456\n");
    let served = Served::start(&place, &["--listen", "127.0.0.1:0", "--token-file", "tokens"]);
    let url = &served.url.clone();
    let at = |words: &[&'static str]| -> Vec<String> {
        let mut all: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        all.extend(["--server".to_owned(), url.to_owned(), "--token-file".to_owned(), "token".to_owned()]);
        all
    };
    let run = |words: &[&'static str]| {
        let words = at(words);
        elsewhere.stdout(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let asked: serde_json::Value = serde_json::from_str(&run(&["ask", "codecs", "-n", "2", "--json"])).unwrap();
    assert_eq!(asked["tickets"][1]["ticket"], 2);
    assert!(asked["tickets"][0]["arm"]["name"].is_string(), "{asked}");
    assert_eq!(run(&["tell", "codecs.toml", "--ticket", "1", "0.5", "-8"]), "Stored as observation 1\n");
    assert_eq!(
        run(&["tell", "codecs", "--ticket", "1", "bytes=-8", "quality=0.5"]),
        "The same was told before (observation 1): nothing has changed\n"
    );
    assert_eq!(run(&["tell", "codecs", "--ticket", "2", "--failed", "spilt"]), "Ticket 2 is closed: spilt\n");
    std::fs::write(elsewhere.path("r.csv"), "arm,quality,bytes\nfine,1,2\ncoarse,1,2\n").unwrap();
    assert_eq!(run(&["tell", "codecs", "--csv", "r.csv"]), "2 stored, 0 had been told before, 0 left open\n");
    assert!(run(&["ask", "codecs"]).contains("Then: surefront tell codecs --server"));
    assert!(run(&["status", "codecs"]).contains("codecs: 3 observations, 1 open tickets"));
    assert_eq!(run(&["status", "codecs", "--json"]), place.stdout(&["status", "codecs.toml", "--json"]));
    // What is refused there is refused here, with its sentence.
    let refused = |words: &[&str]| refusal(&elsewhere, &[words, &["--server", url]].concat());
    assert!(refused(&["ask", "codecs"]).contains("send a token"));
    assert!(refused(&["ask", "codecs", "--token-file", "look"]).contains("writing takes the other one"));
    assert!(refused(&["ask", "nothing", "--token-file", "token"]).contains("there is no study \"nothing\" here"));
    assert!(
        refused(&["tell", "codecs", "--arm", "fin", "1", "2", "--token-file", "token"])
            .contains("did you mean \"fine\"?")
    );
    assert!(refused(&["ask", "codecs", "--delta", "0.01", "--token-file", "token"]).contains("leave out --rule"));
    assert!(refusal(&elsewhere, &["ask", "codecs", "--server", "lab-pc"]).contains("http://lab-pc:8080"));
    drop(served);
    let unreachable = elsewhere.run(&["status", "codecs", "--server", url]);
    assert_eq!(unreachable.status.code(), Some(1));
}

#[test]
fn tokens_are_made_where_others_can_connect() {
    let place = Place::new().with("codecs.toml", STUDY).with("empty", "");
    let served = Served::start(&place, &["codecs.toml", "--listen", "0.0.0.0:0"]);
    let lines: Vec<&str> = served.said.lines().collect();
    let (read, write) = (lines[1].strip_prefix("read ").unwrap(), lines[2].strip_prefix("write ").unwrap());
    assert!(read.len() >= 32 && write.len() >= 32 && read != write, "{}", served.said);
    let url = served.url.replace("0.0.0.0", "127.0.0.1");
    let ask = |token: &str| place.run(&["ask", "codecs", "--server", &url, "--token", token]).status.code();
    assert_eq!((ask(write), ask(read)), (Some(0), Some(2)));
    assert!(
        refusal(&place, &["serve", "--listen", "127.0.0.1:0", "--token-file", "empty"]).contains("there is no token")
    );
    assert!(refusal(&place, &["serve", "nowhere"]).contains("no such file or folder"));
    let nonsense = place.run(&["serve", "--listen", "nonsense"]);
    assert_eq!(nonsense.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nonsense.stderr).contains("for example 127.0.0.1:8080"));
}

/// What a client was told about one result.
type Acknowledged = Arc<Mutex<HashMap<i64, i64>>>;

/// Tells these tickets one by one, until nobody answers; those that were acknowledged, with their observations.
fn client(url: &str, tickets: Vec<i64>, acknowledged: &Acknowledged, over: &AtomicBool) {
    let address = url.trim_start_matches("http://").to_owned();
    let Ok(stream) = TcpStream::connect(&address) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let mut stream = BufReader::new(stream);
    for ticket in tickets {
        let body = format!("{{\"ticket\": {ticket}, \"values\": [{}, 2]}}", ticket % 7);
        let head = format!(
            "POST /api/studies/codecs/tell HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        if over.load(Ordering::Relaxed) || stream.get_mut().write_all(head.as_bytes()).is_err() {
            return;
        }
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            match stream.read_line(&mut line) {
                Ok(read) if read > 0 => {}
                _ => return,
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        if stream.read_exact(&mut body).is_err() {
            return;
        }
        let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let observation = told["observation"].as_i64().unwrap_or_else(|| panic!("{told}"));
        acknowledged.lock().unwrap().insert(ticket, observation);
    }
}

/// Killed at instants of all kinds while eight clients tell; `SUREFRONT_KILLS` says how often.
#[test]
fn what_was_acknowledged_survives_a_kill() {
    let kills: u64 = std::env::var("SUREFRONT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let place = Place::new().with("codecs.toml", STUDY);
    let acknowledged: Acknowledged = Arc::default();
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..kills {
        let served = Served::start(&place, &["--listen", "127.0.0.1:0"]);
        let asked: serde_json::Value = place.json(&["ask", "codecs", "-n", "4000", "--json", "--server", &served.url]);
        let tickets: Vec<i64> =
            asked["tickets"].as_array().unwrap().iter().map(|ticket| ticket["ticket"].as_i64().unwrap()).collect();
        assert_eq!(tickets.len(), 4000, "there is no answer yet");
        let over = Arc::new(AtomicBool::new(false));
        let clients: Vec<_> = tickets
            .chunks(500)
            .map(|share| {
                let (url, share) = (served.url.clone(), share.to_vec());
                let (acknowledged, over) = (Arc::clone(&acknowledged), Arc::clone(&over));
                thread::spawn(move || client(&url, share, &acknowledged, &over))
            })
            .collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
        thread::sleep(Duration::from_millis(10 + (seed >> 33) % 700));
        served.kill();
        over.store(true, Ordering::Relaxed);
        clients.into_iter().for_each(|client| client.join().unwrap());
        let export = place.stdout(&["export", "codecs.toml"]);
        let mut stored: HashMap<i64, i64> = HashMap::new();
        for row in export.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let (observation, ticket): (i64, i64) = (cells[0].parse().unwrap(), cells[2].parse().unwrap());
            assert_eq!(cells[5].parse::<i64>().unwrap(), ticket % 7, "ticket {ticket} has the values that were told");
            assert_eq!(stored.insert(ticket, observation), None, "ticket {ticket} is there twice");
        }
        let acknowledged = acknowledged.lock().unwrap();
        for (ticket, observation) in acknowledged.iter() {
            assert_eq!(stored.get(ticket), Some(observation), "ticket {ticket} was acknowledged");
        }
    }
    let count = acknowledged.lock().unwrap().len();
    assert!(count > 0, "nothing was ever acknowledged");
    println!("{kills} kills, {count} acknowledged results, none lost or doubled");
}
