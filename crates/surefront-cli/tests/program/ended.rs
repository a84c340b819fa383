//! Runs that end before their time: interrupted, killed, told to go away; and one at a time.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::Place;
use super::run::{complaint, observations, tickets, with_command};

/// More than anything here takes on the slowest machine: whoever waits longer waits for ever.
const GENEROUS: Duration = Duration::from_secs(300);

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < GENEROUS, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The program at work. What it says goes to files, so that nobody who waits for a line can wait for ever.
struct Started<'a> {
    place: &'a Place,
    child: Child,
}

fn start<'a>(place: &'a Place, args: &[&str]) -> Started<'a> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surefront"));
    start_as(place, command.args(args))
}

fn start_as<'a>(place: &'a Place, command: &mut Command) -> Started<'a> {
    let file = |name| fs::File::create(place.path(name)).unwrap();
    command.current_dir(place.path("")).stdout(file("stdout")).stderr(file("stderr"));
    Started { place, child: command.spawn().unwrap() }
}

impl Started<'_> {
    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    fn stdout(&self) -> String {
        fs::read_to_string(self.place.path("stdout")).unwrap()
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.place.path("stderr")).unwrap()
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    fn end(&mut self) -> ExitStatus {
        wait_for("the program ends", || self.child.try_wait().unwrap().is_some());
        self.child.wait().unwrap()
    }
}

/// A test that fails leaves nothing behind.
impl Drop for Started<'_> {
    fn drop(&mut self) {
        if self.is_running() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The whole line that a command has written to a file, as soon as there is one.
fn line_of(place: &Place, name: &str) -> String {
    let line = || fs::read_to_string(place.path(name)).ok().filter(|text| text.ends_with('\n'));
    // The next command empties the file before it writes to it.
    let mut found = None;
    wait_for("a command has begun", || {
        found = line();
        found.is_some()
    });
    found.expect("it was waited for").trim().to_owned()
}

/// Waits until there is no such process, or it is a zombie of somebody else's.
fn assert_ends(pid: &str) {
    wait_for(&format!("process {pid} ends"), || {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
        state.is_empty() || state.starts_with(b"Z")
    });
}

/// Says that it runs, and goes on once it may.
const PATIENT: &str = r#""echo $$ > running; while [ ! -e go ]; do sleep 0.01; done; echo quality=0.$((SUREFRONT_TICKET * 41 % 100)) bytes=99""#;

#[test]
fn an_interrupt_finishes_what_is_under_way() {
    let place = Place::new().with("s.toml", with_command(PATIENT));
    let mut run = start(&place, &["run", "s.toml"]);
    line_of(&place, "running");
    run.signal("-INT");
    wait_for("the interrupt is noticed", || run.stderr().ends_with('\n'));
    assert_eq!(run.stderr(), "finishing the measurements under way; Ctrl-C again quits at once\n");
    fs::write(place.path("go"), "").unwrap();
    assert_eq!(run.end().code(), Some(1));
    assert!(run.stdout().contains("Not sure yet"), "{}", run.stdout());
    let told = observations(&place, "s.db");
    assert!(told.values().any(|(arm, _)| arm == "odd one"), "{told:?}");
    let kept = told.len();
    assert_eq!(
        run.stderr().lines().last().unwrap(),
        format!("interrupted: {kept} observations are kept in s.db, and the same command goes on from there")
    );
    assert_eq!(tickets(&place, "s.db"), BTreeMap::from([("told".to_owned(), kept as u64)]));
    place.stdout(&["run", "s.toml"]);
}

/// Starts something, and waits for ever.
const STUCK: &str = r#""sleep 1000 & echo $! > started; echo $$ > running; wait""#;

/// A run with a command that is stuck is given some signals; the last ends it at once.
fn assert_ended_at_once(place: &Place, signals: &[&str], code: i32) {
    let mut run = start(place, &["run", "s.toml", "--jobs", "2"]);
    let processes = [line_of(place, "running"), line_of(place, "started")];
    for (count, signal) in signals.iter().enumerate() {
        wait_for("the signal before is noticed", || run.stderr().lines().count() == count);
        assert!(run.is_running());
        run.signal(signal);
    }
    assert_eq!(run.end().code(), Some(code), "{signals:?}: {}", run.stderr());
    processes.iter().for_each(|process| assert_ends(process));
    assert_eq!(run.stdout(), "");
    let told = observations(place, "s.db").len();
    let kept = if told == 1 { "1 observation is".to_owned() } else { format!("{told} observations are") };
    let expected = format!("ended at once: {kept} kept in s.db, and the same command goes on from there");
    assert_eq!(run.stderr().lines().last().unwrap(), expected);
    // Being ended is no failure of the command.
    let states = tickets(place, "s.db");
    assert!(states["expired"] >= 1, "{states:?}");
    assert!(!states.contains_key("asked") && !states.contains_key("failed"), "{states:?}");
}

#[test]
fn signals_that_leave_no_time_end_the_commands() {
    let hang_ups_are_ignored = || Command::new("sh").args(["-c", "kill -HUP $$"]).status().unwrap().success();
    for (signals, code) in
        [(&["-TERM"][..], 143), (&["-HUP"], 129), (&["-INT", "-INT"], 130), (&["-INT", "-TERM"], 143)]
    {
        if signals == ["-HUP"] && hang_ups_are_ignored() {
            // These tests were started to outlive their terminal, and so is what they start.
            continue;
        }
        let place = Place::new().with("s.toml", with_command(STUCK));
        assert_ended_at_once(&place, signals, code);
        let told = observations(&place, "s.db");
        let place = place.with("s.toml", with_command(r#""echo quality=0.$((SUREFRONT_TICKET * 41 % 100)) bytes=99""#));
        place.stdout(&["run", "s.toml"]);
        let later = observations(&place, "s.db");
        assert!(told.iter().all(|(ticket, values)| later.get(ticket) == Some(values)), "{signals:?}");
    }
}

#[test]
fn a_run_that_is_to_outlive_its_terminal_does() {
    let place = Place::new().with("s.toml", with_command(PATIENT));
    let line = format!("trap '' HUP; exec '{}' run s.toml", env!("CARGO_BIN_EXE_surefront"));
    let mut run = start_as(&place, Command::new("sh").args(["-c", &line]));
    line_of(&place, "running");
    run.signal("-HUP");
    fs::write(place.path("go"), "").unwrap();
    assert_eq!(run.end().code(), Some(0), "{}", run.stderr());
}

#[test]
fn one_run_at_a_time() {
    let place = Place::new().with("s.toml", with_command(PATIENT));
    let mut run = start(&place, &["run", "s.toml"]);
    line_of(&place, "running");
    let message = complaint(&place, &["run", "s.toml"]);
    let expected = format!("s.db: another `surefront run` (process {}) is measuring for this store", run.child.id());
    assert!(message.contains(&expected), "{message}");
    fs::write(place.path("go"), "").unwrap();
    assert_eq!(run.end().code(), Some(0), "{}", run.stderr());
}

/// Three arms with noise that depends on the ticket. Every command writes down what it is about to print.
const WITNESSED: &str = r#"delta = 0.01
[[objective]]
name = "speed"
goal = "max"
variance = 1.0
[[objective]]
name = "cost"
goal = "min"
variance = 1.0
[[arm]]
name = "fast"
command = "sh measure.sh 3 2"
[[arm]]
name = "cheap"
command = "sh measure.sh 2 1"
[[arm]]
name = "neither"
command = "sh measure.sh 1 3"
"#;

const MEASURE: &str = r#"
noise=$((SUREFRONT_TICKET * 7919 % 1000))
values="$(($1 * 1000 + noise)) $(($2 * 1000 + 999 - noise))"
echo "$SUREFRONT_TICKET $SUREFRONT_ARM $values" >> witness
set -- $values
echo "speed=${1}e-3 cost=${2}e-3"
"#;

#[test]
fn killed_at_any_instant_nothing_is_lost_or_counted_twice() {
    // More of them by hand: SUREFRONT_KILLS=100.
    let kills: usize = std::env::var("SUREFRONT_KILLS").map_or(10, |text| text.parse().unwrap());
    // So sure that all these runs are needed.
    let delta = format!("1e-{}", (3 * kills).clamp(40, 300));
    let place = Place::new().with("s.toml", WITNESSED.replace("0.01", &delta)).with("measure.sh", MEASURE);
    let measured = || fs::read(place.path("witness")).map_or(0, |text| text.split(|&byte| byte == b'\n').count());
    let mut known = BTreeMap::new();
    for kill in 0..kills {
        let before = measured();
        let mut run = start(&place, &["run", "s.toml", "--jobs", "4"]);
        // Some are killed before their first measurement, perhaps in the middle of making or opening the store.
        let in_the_middle = kill % 4 != 0;
        if in_the_middle {
            wait_for("some arms are measured", || measured() >= before + 4 || !run.is_running());
        }
        thread::sleep(Duration::from_micros((kill as u64 * 48_271) % 40_000));
        run.signal("-KILL");
        assert_eq!(run.end().signal(), Some(9), "run {kill} ended by itself: {}", run.stderr());
        let made = Connection::open(place.path("s.db")).unwrap().table_exists(None, "observation").unwrap();
        if made {
            let now = observations(&place, "s.db");
            assert!(known.iter().all(|(ticket, values)| now.get(ticket) == Some(values)), "after kill {kill}");
            let cut_short = tickets(&place, "s.db").get("asked").copied().unwrap_or(0);
            assert!(cut_short > 0 || !in_the_middle, "kill {kill} met no measurement under way");
            known = now;
        }
        assert!(made || !in_the_middle);
    }
    let json = place.json(&["run", "s.toml", "--jobs", "4", "--json"]);
    let names: Vec<&str> = json["front"].as_array().unwrap().iter().map(|arm| arm["name"].as_str().unwrap()).collect();
    assert_eq!((names, &json["stopped"]), (vec!["fast", "cheap"], &serde_json::Value::Bool(true)));
    let last = observations(&place, "s.db");
    assert!(known.iter().all(|(ticket, values)| last.get(ticket) == Some(values)));
    assert_eq!(json["samples"], last.len());
    assert_eq!(tickets(&place, "s.db")["told"], last.len() as u64);
    assert!(!tickets(&place, "s.db").contains_key("asked"));

    // Each observation is what the command of its ticket saw.
    let witness = fs::read_to_string(place.path("witness")).unwrap();
    let seen: BTreeMap<i64, &str> = witness
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(ticket, rest)| (ticket.parse().unwrap(), rest))
        .collect();
    assert_eq!(seen.len(), witness.lines().count(), "a ticket was measured twice");
    for (ticket, (arm, values)) in &last {
        let thousandths: Vec<String> = values.iter().map(|value| (value * 1000.0).round().to_string()).collect();
        assert_eq!(seen[ticket], format!("{arm} {}", thousandths.join(" ")));
    }
}
