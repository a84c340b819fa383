//! Who is let in, and what is not.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use surefront_serve::{Options, ServeError, Server, Tokens};

use crate::client::{Answer, House};

const READ: (&str, &str) = ("authorization", "Bearer reading-token-0123");
const WRITE: (&str, &str) = ("authorization", "Bearer writing-token-0123");
const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn other_addresses_need_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let options = |tokens| Options {
        listen: "0.0.0.0:0".parse().unwrap(),
        paths: vec![folder.path().to_owned()],
        tokens,
        hosts: Vec::new(),
    };
    assert!(matches!(Server::bind(options(None)), Err(ServeError::TokensNeeded { .. })));
    assert!(Server::bind(options(Some(Tokens::random().unwrap()))).is_ok());
}

#[test]
fn one_token_reads_and_another_writes() {
    let house = House::guarded();
    let ask = |headers: &[(&str, &str)]| house.request("POST", "/api/studies/codecs/ask", headers, b"{}");
    let read = |headers: &[(&str, &str)]| house.request("GET", "/api/studies/codecs", headers, b"");
    let (nobody, stranger) = (read(&[]), read(&[("authorization", "Bearer reading-token-0124")]));
    assert_eq!((nobody.status, stranger.status), (401, 401));
    assert!(nobody.detail().contains("send a token") && stranger.detail().contains("not one of this server"));
    assert_eq!(nobody.header("www-authenticate"), Some("bearer"));
    assert_eq!((read(&[READ]).status, read(&[WRITE]).status), (200, 200));
    assert_eq!((ask(&[JSON]).status, ask(&[JSON, READ]).status, ask(&[JSON, WRITE]).status), (401, 403, 200));
    // Only what was asked with the right token was asked.
    assert_eq!(read(&[READ]).json()["open_tickets"].as_array().unwrap().len(), 1);
    for path in [
        "/",
        "/new",
        "/studies/codecs",
        "/studies/codecs/measure",
        "/api/studies",
        "/api/openapi.json",
        "/api/studies/codecs/events",
    ] {
        assert_eq!(house.get(path).status, 401, "{path}");
    }
}

#[test]
fn a_log_in_gives_a_cookie_that_only_this_site_sends() {
    let house = House::guarded();
    let page = house.page("/studies/codecs");
    assert_eq!((page.status, page.header("location")), (303, Some("/login?next=%2fstudies%2fcodecs")));
    let wrong = house.form("/login", "token=guess&next=%2Fstudies%2Fcodecs");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (403, None));
    let right = house.form("/login", "token=reading-token-0123&next=%2Fstudies%2Fcodecs");
    assert_eq!((right.status, right.header("location")), (303, Some("/studies/codecs")));
    let cookie = right.header("set-cookie").unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict") && cookie.contains("path=/"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(house.request("GET", "/studies/codecs", &[("cookie", cookie)], b"").status, 200);
    let form = ("content-type", "application/x-www-form-urlencoded");
    let origin = format!("http://{}", house.address);
    let post = |cookie: &str| {
        house.request("POST", "/studies/codecs/ask", &[("cookie", cookie), form, ("origin", &origin)], b"n=1")
    };
    assert_eq!(post(cookie).status, 403, "a token to read does not write");
    assert_eq!(post("surefront_token=writing-token-0123").status, 303);
    let elsewhere = house.form("/login", "token=reading-token-0123&next=%2F%2Fevil.example");
    assert_eq!(elsewhere.header("location"), Some("/"));
    let left = house.form("/logout", "");
    assert!(left.header("set-cookie").unwrap().contains("max-age=0"));
}

#[test]
fn pages_of_other_sites_cannot_write() {
    let house = House::open();
    let form = ("content-type", "application/x-www-form-urlencoded");
    let host = house.address.to_string();
    let own = format!("http://{host}");
    let ask = |headers: &[(&str, &str)]| house.request("POST", "/studies/codecs/ask", headers, b"n=1").status;
    assert_eq!(ask(&[form, ("origin", "http://evil.example")]), 403);
    assert_eq!(ask(&[form, ("origin", "null")]), 403);
    assert_eq!(ask(&[form, ("origin", &own), ("sec-fetch-site", "cross-site")]), 403);
    assert_eq!(ask(&[form]), 403);
    assert_eq!(ask(&[("content-type", "text/plain")]), 403);
    let api = |headers: &[(&str, &str)]| house.request("POST", "/api/studies/codecs/ask", headers, b"{\"n\":1}").status;
    assert_eq!(api(&[JSON, ("origin", "http://evil.example")]), 403);
    assert_eq!(api(&[("content-type", "text/plain")]), 403, "a form can send text, too");
    assert_eq!(house.get("/api/studies/codecs").json()["open_tickets"].as_array().unwrap().len(), 0);
    assert_eq!((ask(&[form, ("origin", &own)]), api(&[JSON])), (303, 200));
    assert_eq!(house.get("/api/studies/codecs").json()["open_tickets"].as_array().unwrap().len(), 2);
}

#[test]
fn names_that_others_can_point_here_are_refused() {
    let house = House::guarded();
    let host = |host: &str| house.request("GET", "/api/studies", &[READ, ("host", host)], b"");
    for known in ["localhost:80", "127.0.0.1", "[::1]:8", "lab-pc", "LAB-PC:8080"] {
        assert_eq!(host(known).status, 200, "{known}");
    }
    for other in ["evil.example", "lab-pc.evil.example", "localhost.evil.example:80", ""] {
        let answer = host(other);
        assert_eq!(answer.status, 421, "{other}");
        assert!(answer.detail().contains("not one of this server"));
    }
    let without = house.raw(b"GET /api/studies HTTP/1.1\r\nconnection: close\r\n\r\n");
    assert_eq!(without.status, 421);
    let twice =
        house.raw(b"GET /api/studies HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
    assert_eq!(twice.status, 421);
}

#[test]
fn browsers_are_told_to_run_nothing_else() {
    let house = House::open();
    for path in ["/", "/studies/codecs", "/new", "/login", "/api/studies", "/nothing"] {
        let answer = house.page(path);
        let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{path}"));
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{policy}");
        assert!(
            !policy.contains("unsafe-eval")
                && !policy.split(';').any(|part| part.contains("script") && part.contains("unsafe"))
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[test]
fn bodies_have_a_limit() {
    let house = House::open();
    let large = vec![b' '; 300 * 1024];
    let answer = house.request("POST", "/api/studies/codecs/tell", &[JSON], &large);
    assert_eq!(answer.status, 413);
    assert!(answer.detail().contains("at most 256 kB"));
    // One that does not say how long it is.
    let mut chunked = format!("POST /api/studies/codecs/tell HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n", house.address).into_bytes();
    for _ in 0..40 {
        chunked.extend(b"2800\r\n");
        chunked.extend(vec![b' '; 0x2800]);
        chunked.extend(b"\r\n");
    }
    assert_eq!(house.raw(&chunked).status, 413);
    let csv = [b"arm,quality,bytes\n".to_vec(), vec![b'\n'; 17 * 1024 * 1024]].concat();
    assert_eq!(house.request("POST", "/api/studies/codecs/tell", &[("content-type", "text/csv")], &csv).status, 413);
}

#[test]
fn what_is_no_request_is_said_to_be_none() {
    let house = House::open();
    for bytes in
        [&b"GET /a b HTTP/1.1\r\n\r\n"[..], b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n", b"\0\0\0\0\r\n\r\n"]
    {
        let answer = house.raw(bytes);
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.detail().contains("no HTTP request"));
    }
    let headers: String = (0..200).map(|i| format!("x-{i}: y\r\n")).collect();
    let many = house.raw(format!("GET / HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").as_bytes());
    assert_eq!(many.status, 431);
    assert!(many.detail().contains("headers"));
}

#[test]
fn a_slow_client_keeps_nobody_waiting() {
    let house = House::open();
    // Heads and bodies that never end, while others are answered.
    let slow: Vec<TcpStream> = (0..50)
        .map(|i| {
            let mut stream = TcpStream::connect(house.address).unwrap();
            let head = format!(
                "POST /api/studies/codecs/tell HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n",
                house.address
            );
            let body = if i % 2 == 0 { "x: y" } else { "content-length: 100\r\n\r\n{" };
            stream.write_all((head + body).as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(house.get("/api/studies").status, 200);
    }
    drop(slow);
}

/// The time after which the server gives up; a test that takes it is for whoever has the time.
#[test]
fn a_body_that_does_not_come_is_given_up() {
    if std::env::var_os("SUREFRONT_TESTS").is_none_or(|tests| tests != "long") {
        return;
    }
    let house = House::open();
    let mut stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    let head = format!(
        "POST /api/studies/codecs/tell HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{",
        house.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).unwrap();
    assert_eq!(Answer::parse(&answer[..read]).status, 408);
    let mut idle = TcpStream::connect(house.address).unwrap();
    idle.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    idle.write_all(b"GET / HTTP/1.1\r\nhost:").unwrap();
    let mut rest = Vec::new();
    assert!(idle.read_to_end(&mut rest).is_ok(), "the connection is closed");
}

#[test]
fn commands_are_never_run() {
    let house = House::open();
    let trap = house.path().join("owned");
    let study = format!(
        "[[objective]]\nname = \"x\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\ncommand = \"touch {0}\"\n[[arm]]\nname = \"b\"\ncommand = \"touch {0}\"\n",
        trap.display()
    );
    std::fs::write(house.path().join("trap.toml"), study).unwrap();
    for path in ["/", "/studies/trap", "/studies/trap/measure", "/api/studies/trap", "/api/studies/trap/report"] {
        assert_eq!(house.get(path).status, 200, "{path}");
    }
    assert_eq!(house.post("/api/studies/trap/ask", r#"{"n": 4}"#).status, 200);
    assert_eq!(house.form("/studies/trap/ask", "n=1").status, 303);
    assert_eq!(house.form("/studies/trap/tell", "ticket=1&value0=1").status, 303);
    assert!(!trap.exists());
    // Nor is there a way to say one.
    let form = "id=mine&objective0=x&goal0=max&arms=a%0Ab&command=touch&command0=touch&prepare=touch";
    assert_eq!(house.form("/new", form).status, 303);
    let text = std::fs::read_to_string(house.path().join("mine.toml")).unwrap();
    assert!(!text.contains("touch"), "{text}");
}

#[test]
fn no_path_leaves_the_folder() {
    let house = House::open();
    let outside = house.path().parent().unwrap().join("surefront-outside.toml");
    std::fs::write(&outside, crate::client::STUDY).unwrap();
    for id in [
        "..%2Fsurefront-outside",
        "%2e%2e%2fsurefront-outside",
        "..",
        "%2e%2e",
        "codecs%00",
        "codecs.toml",
        ".%2Fcodecs",
        "%ff",
    ] {
        for path in [
            format!("/api/studies/{id}"),
            format!("/studies/{id}"),
            format!("/studies/{id}/log"),
            format!("/assets/{id}"),
        ] {
            let answer = house.get(&path);
            assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
            answer.detail();
        }
    }
    std::fs::remove_file(outside).unwrap();
}
