//! Requests of all kinds, most of them wrong: each is answered, none breaks anything, and none writes what it should not.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::client::{Answer, House};

/// Tried in every run; `SUREFRONT_FUZZ` says another number.
const USUALLY: u64 = 3_000;

/// Xorshift: the same requests in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }

    fn noise(&mut self, most: usize) -> Vec<u8> {
        let length = self.roll(most);
        (0..length).map(|_| self.roll(256) as u8).collect()
    }

    /// A text with some of its bytes changed, dropped or doubled.
    fn damaged(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..self.roll(4) {
            if bytes.is_empty() {
                break;
            }
            let at = self.roll(bytes.len());
            match self.roll(3) {
                0 => bytes[at] = self.roll(256) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
        }
        bytes
    }
}

const METHODS: [&str; 8] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW"];
const PATHS: [&str; 22] = [
    "/",
    "/new",
    "/login",
    "/logout",
    "/api/studies",
    "/api/studies/codecs",
    "/api/studies/codecs/ask",
    "/api/studies/codecs/tell",
    "/api/studies/codecs/retract",
    "/api/studies/codecs/report?format=svg",
    "/api/studies/codecs/export?all=true",
    "/api/openapi.json",
    "/studies/codecs",
    "/studies/codecs/measure",
    "/studies/codecs/tell",
    "/studies/codecs/upload",
    "/studies/codecs/retract",
    "/studies/codecs/plot?pair=0+1&x=0+1&y=0+1",
    "/studies/codecs/log?before=3",
    "/studies/..%2f..%2fetc%2fpasswd/log",
    "/assets/../../Cargo.toml",
    "/studies/codecs/worklist.csv",
];
const KINDS: [&str; 6] = [
    "application/json",
    "text/csv",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "",
];
/// None of these is right as it is: the ticket was never asked, the arm is unknown, a value is missing or no number.
const BODIES: [&str; 14] = [
    "{\"ticket\": 999999, \"values\": {\"quality\": 1, \"bytes\": 2}}",
    "{\"arm\": \"nobody\", \"values\": [1, 2]}",
    "{\"arm\": \"fine\", \"values\": [1]}",
    "{\"arm\": \"fine\", \"values\": {\"quality\": \"xyz\", \"bytes\": 1}}",
    "{\"arm\": \"fine\", \"values\": [null, {}]}",
    "{\"n\": 99999999999}",
    "{\"n\": \"two\"}",
    "{\"observation\": -99999}",
    "[[[[[[[[",
    "{}",
    "arm,quality,bytes\nfine,1\n",
    "ticket=1&value0=xyz&value1=%",
    "observation=xyz&reason=y",
    "--x\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nticket\n--x--",
];

/// Bytes of a request; what comes back is an answer or, where nothing could be read, the end. Who has sent all of it waits; who has not goes away in the middle.
fn exchange(house: &House, bytes: &[u8], is_whole: bool) -> Option<Answer> {
    let mut stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let _ = stream.write_all(bytes);
    if !is_whole {
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (!answer.is_empty()).then(|| Answer::parse(&answer))
}

#[test]
fn nothing_that_is_sent_breaks_anything() {
    let number = std::env::var("SUREFRONT_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(USUALLY);
    let house = House::guarded();
    let write = ("authorization", "Bearer writing-token-0123");
    let before = house.request(
        "POST",
        "/api/studies/codecs/tell",
        &[("content-type", "application/json"), write],
        br#"{"arm": "fine", "values": [1, 2]}"#,
    );
    assert_eq!(before.status, 200);
    let export = || house.request("GET", "/api/studies/codecs/export?all=true", &[write], b"").text();
    let stored = export();
    let mut dice = Dice(0x5eed_5eed);
    let (mut refused, mut served) = (0u64, 0u64);
    for turn in 0..number {
        let method = dice.one_of(&METHODS);
        let path = dice.one_of(&PATHS);
        let path = if dice.roll(3) == 0 { dice.damaged(path) } else { path.as_bytes().to_vec() };
        let kind = dice.one_of(&KINDS);
        let body = match dice.roll(4) {
            0 => dice.noise(200),
            1 => dice.one_of(&BODIES).as_bytes().to_vec(),
            _ => {
                let body = dice.one_of(&BODIES);
                dice.damaged(body)
            }
        };
        let token = match dice.roll(4) {
            0 => "",
            1 => "authorization: Bearer writing-token-0124\r\n",
            2 => "authorization: Bearer reading-token-0123\r\n",
            _ => "authorization: Bearer writing-token-0123\r\n",
        };
        let origin = match dice.roll(4) {
            0 => "origin: http://evil.example\r\n".to_owned(),
            1 => format!("origin: http://{}\r\n", house.address),
            _ => String::new(),
        };
        let host = if dice.roll(12) == 0 { "evil.example".to_owned() } else { house.address.to_string() };
        let length = if dice.roll(10) == 0 { dice.roll(1000) } else { body.len() };
        let mut request = format!("{method} ").into_bytes();
        request.extend(&path);
        request.extend(format!(" HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{token}{origin}content-type: {kind}\r\ncontent-length: {length}\r\n\r\n").bytes());
        request.extend(&body);
        let is_damaged = dice.roll(8) == 0;
        let request = if is_damaged { dice.damaged(&String::from_utf8_lossy(&request)) } else { request };
        let shown = String::from_utf8_lossy(&request).into_owned();
        // A stream of events has no end.
        if shown.contains("/events") {
            continue;
        }
        let Some(answer) = exchange(&house, &request, !is_damaged && !path.contains(&b'\n') && length <= body.len())
        else {
            continue;
        };
        assert!(
            answer.status < 500 && answer.status >= 200,
            "{turn}: {} for {shown:?}: {}",
            answer.status,
            answer.text()
        );
        if answer.status >= 400 {
            refused += 1;
            if method != "HEAD" && !answer.body.is_empty() && !answer.text().starts_with("<!DOCTYPE") {
                answer.detail();
            }
        } else {
            served += 1;
        }
    }
    assert!(refused > number / 3 && served > number / 100, "{refused} refused, {served} served");
    assert_eq!(export(), stored, "nothing was written");
    assert_eq!(house.request("GET", "/api/studies/codecs", &[write], b"").status, 200);
    println!("{number} requests: {refused} refused, {served} served");
}
