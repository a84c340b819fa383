//! What changes is heard.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use surefront_study::file::results::Key;
use surefront_study::session::Session;
use surefront_study::store::Access;

use crate::client::House;

/// The next change, as JSON.
fn next(lines: &mut impl Iterator<Item = String>) -> Value {
    let data = lines.find_map(|line| line.strip_prefix("data: ").map(str::to_owned)).expect("there is another event");
    serde_json::from_str(&data).unwrap()
}

#[test]
fn whoever_follows_hears_what_others_tell() {
    let house = House::open();
    let mut stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET /api/studies/codecs/events HTTP/1.1\r\nhost: {}\r\n\r\n", house.address).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    assert!(head.iter().any(|line| line == "content-type: text/event-stream"), "{head:?}");
    let first = next(&mut lines);
    assert_eq!((first["samples"].clone(), first["stopped"].clone()), (0.into(), false.into()));
    // Another process would do the same.
    let mut session = Session::open(&house.study(), None, Access::Create).unwrap();
    session.tell(Key::Arm(0), &[1.0, 2.0], "elsewhere").unwrap();
    let mut heard = next(&mut lines);
    while heard["samples"] != 1 {
        heard = next(&mut lines);
    }
    assert!(heard["sequence"].as_u64() > first["sequence"].as_u64());
    house.post("/api/studies/codecs/tell", r#"{"arm": "coarse", "values": [1, 2]}"#);
    while heard["samples"] != 2 {
        heard = next(&mut lines);
    }
    // The sequence is that of the page.
    let page = house.page("/studies/codecs").text();
    assert!(page.contains(&format!("data-sequence=\"{}\"", heard["sequence"])), "{heard}");
}
