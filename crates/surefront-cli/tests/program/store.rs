//! The store under several processes, under kill -9, and under other study files.

use std::collections::HashSet;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::ask_tell::STUDY;
use super::{Place, refusal, transcript};

/// The tickets of the observations that count.
fn told_tickets(place: &Place) -> Vec<i64> {
    let lines = place.stdout(&["export", "s.toml", "--format", "jsonl"]);
    let ticket = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["ticket"].as_i64();
    lines.lines().filter_map(ticket).collect()
}

#[test]
fn processes_tell_at_once() {
    const PROCESSES: usize = 6;
    const TELLS: usize = 12;
    let place = Place::new().with("s.toml", STUDY);
    // There is no store yet: they also make it at once.
    thread::scope(|scope| {
        for process in 0..PROCESSES {
            let place = &place;
            scope.spawn(move || {
                for tell in 0..TELLS {
                    let quality = format!("{process}.{tell:02}");
                    let output = place.run(&["tell", "s.toml", "--arm", "fine", &quality, "30"]);
                    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
                }
            });
        }
    });
    let csv = place.stdout(&["export", "s.toml"]);
    let qualities: HashSet<&str> = csv.lines().skip(1).map(|line| line.split(',').nth(5).unwrap()).collect();
    assert_eq!((csv.lines().count() - 1, qualities.len()), (PROCESSES * TELLS, PROCESSES * TELLS));
}

#[test]
fn processes_ask_at_once() {
    let place = Place::new().with("s.toml", STUDY);
    let lists: Vec<serde_json::Value> = thread::scope(|scope| {
        let place = &place;
        let askers: Vec<_> =
            (0..4).map(|_| scope.spawn(move || place.json(&["ask", "s.toml", "-n", "3", "--json"]))).collect();
        askers.into_iter().map(|asker| asker.join().unwrap()).collect()
    });
    let tickets: Vec<_> = lists.iter().flat_map(|list| list["tickets"].as_array().unwrap()).collect();
    let numbers: HashSet<_> = tickets.iter().map(|ticket| ticket["ticket"].as_i64().unwrap()).collect();
    assert_eq!(numbers, (1..=12).collect());
    // Each knew what the others had asked for: all arms are asked for equally often.
    for arm in ["fine", "coarse", "clumsy"] {
        assert_eq!(tickets.iter().filter(|ticket| ticket["arm"]["name"] == arm).count(), 4);
    }
}

#[test]
fn killed_at_any_instant() {
    const TICKETS: i64 = 40;
    let place = Place::new().with("s.toml", STUDY.replace("noise = \"exact\"", "variance = 1"));
    place.stdout(&["ask", "s.toml", "-n", &TICKETS.to_string()]);
    let mut acknowledged = Vec::new();
    for ticket in 1..=TICKETS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_surefront"))
            .current_dir(place.0.path())
            .args(["tell", "s.toml", "--ticket", &ticket.to_string(), &format!("0.{ticket}"), "30"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // From before its first step to after its last, whatever this machine makes of it.
        thread::sleep(Duration::from_micros(ticket as u64 * 500));
        child.kill().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.wait().unwrap();
        if said.starts_with("Stored") {
            acknowledged.push(ticket);
        }
    }
    let told = told_tickets(&place);
    for ticket in acknowledged {
        assert!(told.contains(&ticket), "ticket {ticket} was acknowledged");
    }
    // Telling all of them again leaves each there exactly once.
    let rows = (1..=TICKETS).map(|ticket| format!("{ticket},0.{ticket},30\n"));
    std::fs::write(place.path("r.csv"), "ticket,quality,bytes\n".to_owned() + &rows.collect::<String>()).unwrap();
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    let mut told = told_tickets(&place);
    told.sort_unstable();
    assert_eq!(told, (1..=TICKETS).collect::<Vec<_>>());
}

#[test]
fn a_file_is_told_as_a_whole_or_not_at_all() {
    const ROWS: usize = 20_000;
    let rows = "fine,0.9,30\n".repeat(ROWS);
    let place = Place::new().with("s.toml", STUDY).with("r.csv", format!("arm,quality,bytes\n{rows}"));
    place.stdout(&["ask", "s.toml"]);
    for micros in [5_000, 20_000, 40_000] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_surefront"))
            .current_dir(place.0.path())
            .args(["tell", "s.toml", "--csv", "r.csv"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(micros));
        child.kill().unwrap();
        child.wait().unwrap();
        let samples = place.json(&["status", "s.toml", "--json"])["samples"].as_u64().unwrap() as usize;
        assert_eq!(samples % ROWS, 0);
    }
}

#[test]
fn other_study_files() {
    let place = Place::new().with("s.toml", STUDY);
    place.stdout(&["tell", "s.toml", "--arm", "coarse", "0.5", "10"]);
    let change = |from: &str, to: &str| {
        assert!(STUDY.contains(from), "{from}");
        STUDY.replacen(from, to, 1)
    };
    let refused = [
        ("another goal", change("\"max\"", "\"min\"")),
        ("another objective", change("\"quality\"", "\"taste\"")),
        ("an arm less", change("[[arm]]\nname = \"coarse\"\n", "")),
        ("another study", change("\"quality\"", "\"colour\"").replace("coarse", "bright").replace("bytes", "price")),
    ];
    insta::assert_snapshot!(transcript(refused.map(|(title, study)| {
        std::fs::write(place.path("t.toml"), study).unwrap();
        (title, refusal(&place, &["status", "t.toml", "--store", "s.db"]))
    })));
    let accepted = [
        change("[[arm]]", "[[arm]]\nname = \"new\"\n[[arm]]"),
        change("delta = 0.05", "delta = 0.01"),
        change("name = \"codecs\"", "name = \"all codecs\""),
        change("name = \"fine\"", "name = \"fine\"\ncommand = \"./fine\""),
        change("[[arm]]\nname = \"clumsy\"\n", ""),
        change("noise = \"exact\"", "variance = 2"),
    ];
    for study in accepted {
        std::fs::write(place.path("t.toml"), &study).unwrap();
        let json = place.json(&["status", "t.toml", "--store", "s.db", "--json"]);
        assert_eq!(json["samples"], 1, "{study}");
    }
}

#[test]
fn files_that_are_no_store() {
    let place = Place::new().with("s.toml", STUDY).with("text.db", STUDY.repeat(20)).with("empty.db", "");
    std::fs::create_dir(place.path("folder.db")).unwrap();
    let status = |store: &str| place.run(&["status", "s.toml", "--store", store]);
    insta::assert_snapshot!(transcript(["text.db", "empty.db", "folder.db", "none/s.db"].map(|store| {
        let output = status(store);
        (store, format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr).trim_end()))
    })));
    let output = place.run(&["ask", "s.toml", "--store", "none/s.db"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr));
    // What was no store is left as it was.
    assert_eq!(std::fs::read_to_string(place.path("text.db")).unwrap(), STUDY.repeat(20));
}

#[test]
fn a_reader_who_has_read_enough_ends_an_export_quietly() {
    let rows = "fine,0.9,30\n".repeat(20_000);
    let place = Place::new().with("s.toml", STUDY).with("r.csv", format!("arm,quality,bytes\n{rows}"));
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    for format in ["csv", "jsonl"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_surefront"))
            .current_dir(place.0.path())
            .args(["export", "s.toml", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // There is far more to come than fits into the pipe.
        child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap()),
            (Some(0), String::new()),
            "{format}"
        );
    }
}

#[test]
fn what_is_in_a_folder_that_may_only_be_read_can_be_read() {
    let place = Place::new().with("s.toml", STUDY);
    place.stdout(&["tell", "s.toml", "--arm", "fine", "0.9", "30"]);
    let expected = place.stdout(&["status", "s.toml"]);
    // A mount of its own holds for everybody, also for the superuser; not every machine allows one.
    let here = place.0.path().to_str().unwrap();
    let inside = |commands: &str| {
        let mount = format!("mount --bind '{here}' '{here}' && mount -o remount,bind,ro '{here}' && cd '{here}'");
        let script = format!("{mount} || exit 99\n{commands}");
        Command::new("unshare").args(["-rm", "sh", "-c", &script]).output()
    };
    match inside("! touch x 2> /dev/null || exit 99") {
        Ok(output) if output.status.success() => {}
        _ => return eprintln!("not tested: this machine allows no mounts"),
    }
    let program = env!("CARGO_BIN_EXE_surefront");
    let run = |args: &str| inside(&format!("'{program}' {args}")).unwrap();
    let status = run("status s.toml");
    assert_eq!(String::from_utf8(status.stdout).unwrap(), expected, "{}", String::from_utf8_lossy(&status.stderr));
    assert!(run("export s.toml").status.success());
    assert!(run("report s.toml --format md -o -").status.success());
    let tell = run("tell s.toml --arm fine 0.9 30");
    assert_eq!(tell.status.code(), Some(1));
    let message = String::from_utf8(tell.stderr).unwrap();
    assert!(message.contains("s.db: the store cannot be opened for writing"), "{message}");
}
