//! `surefront run`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{Place, STUDY, refusal, transcript};

/// Two arms measured by commands whose noise depends on the ticket, so that every run is the same.
const MEASURED: &str = r#"name = "editors"
delta = 0.05

[[objective]]
name = "quality"
goal = "max"

[[objective]]
name = "bytes"
goal = "min"
noise = "exact"

[[arm]]
name = "plain"
command = "echo quality=1.$((SUREFRONT_TICKET * 37 % 100)) bytes=10"

[[arm]]
name = "rich"
command = ["sh", "-c", "echo \"{\\\"quality\\\": 3.$((SUREFRONT_TICKET * 53 % 100)), \\\"bytes\\\": 90}\""]
"#;

/// `MEASURED`, and an arm that is measured by this, as TOML.
fn with_command(command: &str) -> String {
    format!("{MEASURED}\n[[arm]]\nname = \"odd one\"\ncommand = {command}\n")
}

/// The observations that count, by ticket: arm and values.
fn observations(place: &Place, store: &str) -> BTreeMap<i64, (String, Vec<f64>)> {
    let connection = Connection::open(place.path(store)).unwrap();
    let mut statement = connection.prepare("SELECT * FROM measurement").unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let values = (5..columns).map(|column| row.get(column)).collect::<Result<Vec<f64>, _>>()?;
        Ok((row.get("ticket")?, (row.get("arm")?, values)))
    });
    let rows: Vec<(i64, _)> = rows.unwrap().map(Result::unwrap).collect();
    let count = rows.len();
    let by_ticket: BTreeMap<_, _> = rows.into_iter().collect();
    assert_eq!(by_ticket.len(), count, "a ticket was told twice");
    by_ticket
}

/// How many tickets there are in each state, by state.
fn tickets(place: &Place, store: &str) -> BTreeMap<String, u64> {
    let connection = Connection::open(place.path(store)).unwrap();
    let mut statement = connection.prepare("SELECT status, count(*) FROM ticket GROUP BY status").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)));
    rows.unwrap().map(Result::unwrap).collect()
}

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

#[test]
fn simulated_arms() {
    let place = Place::new().with("s.toml", STUDY);
    let output = place.run(&["run", "s.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
    // Once it is sure, there is nothing more to measure.
    let before = observations(&place, "s.db");
    place.stdout(&["run", "s.toml"]);
    assert_eq!(before, observations(&place, "s.db"));
    assert_eq!(tickets(&place, "s.db"), BTreeMap::from([("told".to_owned(), before.len() as u64)]));
}

#[test]
fn the_same_seed_gives_the_same_study() {
    let place = Place::new().with("s.toml", STUDY);
    let run = |store: &str, args: &[&str]| {
        place.stdout(&[&["run", "s.toml", "--store", store], args].concat());
        observations(&place, store)
    };
    let first = run("a.db", &[]);
    assert_eq!(first, run("b.db", &["--seed", "1", "--jobs", "3"]));
    assert_ne!(first, run("c.db", &["--seed", "2"]));
    // Interrupted again and again, it goes on as if it had not been.
    for most in (5..).step_by(7) {
        let output = place.run(&["run", "s.toml", "--store", "d.db", "--max-samples", &most.to_string()]);
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(observations(&place, "d.db").len(), most);
    }
    assert_eq!(first, observations(&place, "d.db"));
}

#[test]
fn commands() {
    let place = Place::new().with("s.toml", MEASURED);
    insta::assert_snapshot!(place.stdout(&["run", "s.toml"]));
    let json = place.json(&["run", "s.toml", "--json"]);
    assert_eq!(json["stopped"], true);
    assert_eq!(json["front"][1]["name"], "rich");
    assert_eq!(json["left_out"], serde_json::json!([]));
    for (ticket, (arm, values)) in observations(&place, "s.db") {
        let expected = match arm.as_str() {
            "plain" => [format!("1.{}", ticket * 37 % 100).parse().unwrap(), 10.0],
            _ => [format!("3.{}", ticket * 53 % 100).parse().unwrap(), 90.0],
        };
        assert_eq!(values, expected);
    }
}

#[test]
fn commands_run_beside_the_study_with_nothing_to_read() {
    let study = with_command(r#""cat; cat word; echo $SUREFRONT_ARM > arm; echo quality=0 bytes=5""#);
    let place = Place::new().with("study.toml", study).with("word", "a word\n");
    let elsewhere = Place::new();
    elsewhere.stdout(&["run", place.path("study.toml").to_str().unwrap()]);
    assert_eq!(fs::read_to_string(place.path("arm")).unwrap(), "odd one\n");
    assert!(place.path("study.db").exists());
}

#[test]
fn what_a_command_takes_is_measured() {
    let study = r#"
[[objective]]
name = "time"
goal = "min"
measure = "wall_seconds"
[[objective]]
name = "work"
goal = "min"
measure = "user_seconds"
[[objective]]
name = "memory"
goal = "min"
measure = "max_rss_bytes"
[[objective]]
name = "size"
goal = "min"
noise = "exact"
[[arm]]
name = "lazy"
command = "sleep 0.1; echo size=1 time=0"
"#;
    let place = Place::new().with("s.toml", study);
    place.stdout(&["run", "s.toml", "--max-samples", "1"]);
    let (_, values) = &observations(&place, "s.db")[&1];
    let [time, work, memory, size] = values[..] else { panic!("{values:?}") };
    assert!(time >= 0.1 && (0.0..time).contains(&work) && memory > 1e5 && size == 1.0, "{values:?}");
    // Where everything is measured, nothing need be printed.
    let silent = study
        .replace("name = \"size\"\ngoal = \"min\"\nnoise = \"exact\"", "")
        .replace("[[objective]]\n\n[[arm]]", "[[arm]]")
        .replace("echo size=1 time=0", "echo done");
    Place::new().with("s.toml", silent).stdout(&["run", "s.toml", "--max-samples", "1"]);
}

/// What is said of a run that fails.
fn complaint(place: &Place, args: &[&str]) -> String {
    let output = place.run(args);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
    assert!(output.stdout.is_empty());
    assert_eq!(message.lines().count(), 1, "{message}");
    message.trim_end().to_owned()
}

#[test]
fn commands_that_give_no_observation() {
    let cases = [
        ("fails", r#""exit 3""#),
        ("fails and says why", r#""echo reading >&2; echo no such file >&2; echo quality=1 bytes=1; exit 1""#),
        ("is ended", r#""kill -SEGV $$""#),
        ("is not there", r#"["no-such-program", "-x"]"#),
        ("is not there, for the shell", r#""no-such-program -x 2> /dev/null""#),
        ("prints nothing", r#""true""#),
        ("prints something else", r#""echo quality=1 bytes=1; echo done""#),
        ("prints NaN", r#""echo quality=nan bytes=1""#),
        ("prints NaN as Python does", r#""echo '{\"quality\": NaN, \"bytes\": 1}'""#),
        ("prints too large a number", r#""echo quality=1e200 bytes=1""#),
        ("prints a word", r#""echo quality=good bytes=1""#),
        ("prints an unknown objective", r#""echo qualty=1 bytes=1""#),
        ("prints half the objectives", r#""echo quality=1""#),
        ("prints broken JSON", r#""echo '{\"quality\": 1'""#),
        ("changes what is exact", r#""echo quality=1 bytes=$SUREFRONT_TICKET""#),
        ("floods its output with one line", r#""yes | tr -d '\\n' | head -c 1000000""#),
    ];
    insta::assert_snapshot!(transcript(cases.map(|(title, command)| (title, failure_of(command, &[])))));
}

#[test]
fn commands_that_take_too_long() {
    // Long enough for a command that only says something, even where much else is going on.
    let timeout = ["--timeout", "4"];
    let cases = [
        ("hangs", r#""echo waiting >&2; sleep 1000""#),
        ("does not want to end", r#""trap '' TERM; sleep 1000; sleep 1000""#),
        ("floods its output for ever", r#""yes""#),
    ];
    let messages = thread::scope(|scope| {
        let started = cases.map(|(title, command)| (title, scope.spawn(move || failure_of(command, &timeout))));
        started.map(|(title, message)| (title, message.join().unwrap()))
    });
    insta::assert_snapshot!(transcript(messages));
}

/// What is said of an arm with this command, which fails while the other arms are measured.
fn failure_of(command: &str, options: &[&str]) -> String {
    let place = Place::new().with("s.toml", with_command(command));
    let message = complaint(&place, &[&["run", "s.toml"], options].concat());
    let kept = observations(&place, "s.db").len() as u64;
    let states = tickets(&place, "s.db");
    assert!(kept >= 2 && states["told"] == kept && states["failed"] == 1, "{command}: {states:?}");
    assert!(message.contains(&format!("{kept} observations are kept")), "{message}");
    message
}

#[test]
fn a_flood_before_the_last_line_is_harmless() {
    let place = Place::new().with("s.toml", with_command(r#""yes | head -c 30000000; echo quality=0 bytes=99""#));
    assert!(place.stdout(&["run", "s.toml"]).contains("The front is \"plain\", \"rich\""));
}

#[test]
fn a_failure_is_tried_again() {
    // The first two trials of each measurement fail.
    let command = r#""echo x >> trials; test $(($(wc -l < trials) % 3)) = 0 && echo quality=0 bytes=99""#;
    let place = Place::new().with("s.toml", with_command(command));
    let output = place.run(&["run", "s.toml", "--on-failure", "retry", "--max-samples", "3"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert_eq!(message.lines().count(), 3, "{message}");
    assert!(message.lines().next().unwrap().ends_with(". Trying again (1 of 3)."), "{message}");
    assert_eq!(tickets(&place, "s.db"), BTreeMap::from([("failed".to_owned(), 2), ("told".to_owned(), 3)]));

    let place = Place::new().with("s.toml", with_command(r#""exit 1""#));
    let output = place.run(&["run", "s.toml", "--on-failure", "retry"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 4, "{message}");
    assert!(message.lines().last().unwrap().contains("it was tried several times"), "{message}");
    assert_eq!(tickets(&place, "s.db")["failed"], 4);
}

#[test]
fn an_arm_that_cannot_be_measured_is_left_out() {
    let place = Place::new().with("s.toml", with_command(r#""exit 1""#));
    let args = ["run", "s.toml", "--on-failure", "drop"];
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(0));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.ends_with(" The arm is left out from now on.\n"), "{message}");
    let screen = String::from_utf8(output.stdout).unwrap();
    insta::assert_snapshot!(screen);
    // It stays out, until it is taken in again.
    assert_eq!(place.stdout(&["run", "s.toml"]), screen);
    let json = place.json(&["run", "s.toml", "--json"]);
    assert_eq!(json["left_out"][0]["name"], "odd one");
    complaint(&place, &["run", "s.toml", "--restore"]);
    let mended = with_command(r#""echo quality=9 bytes=1""#);
    let place = place.with("s.toml", mended);
    assert!(place.stdout(&["run", "s.toml"]).contains("The front is \"odd one\""));
}

#[test]
fn nothing_is_left_when_all_arms_are_left_out() {
    let study = MEASURED.replace("echo", "false").replace("\"false", "\"exit 1; false");
    let place = Place::new().with("s.toml", study.replace("[\"sh\"", "[\"no-such-program\""));
    let output = place.run(&["run", "s.toml", "--on-failure", "drop"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn budgets() {
    let place = Place::new().with("s.toml", MEASURED);
    let output = place.run(&["run", "s.toml", "--max-samples", "5", "--jobs", "2"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(
        String::from_utf8(output.stdout).unwrap() + "\n" + &String::from_utf8(output.stderr).unwrap()
    );
    assert_eq!(observations(&place, "s.db").len(), 5);
    let output = place.run(&["run", "s.toml", "--max-time", "1e-9"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "not sure yet: --max-time is reached, 5 observations are kept; raise it to go on from there\n"
    );
    // A time beyond all clocks is no limit.
    place.stdout(&["run", "s.toml", "--max-time", "1e19", "--timeout", "1e19"]);
}

#[test]
fn preparations_and_warm_ups() {
    let study = format!("prepare = [\"sh\", \"-c\", \"echo $SUREFRONT_ARM >> prepared\"]\n{MEASURED}")
        .replace("\"echo quality", "\"echo x >> plain; echo quality");
    let place = Place::new().with("s.toml", study);
    let lines = |name: &str| fs::read_to_string(place.path(name)).unwrap().lines().count();
    place.run(&["run", "s.toml", "--warmup", "3", "--max-samples", "4"]);
    // Two measurements of each arm, and three times each before.
    assert_eq!((lines("prepared"), lines("plain")), (10, 5));
    place.run(&["run", "s.toml", "--prepare", "echo instead >> instead", "--max-samples", "6"]);
    assert_eq!((lines("prepared"), lines("plain"), lines("instead")), (10, 6, 2));
    let message = complaint(&place, &["run", "s.toml", "--prepare", "exit 7"]);
    assert!(message.contains("the preparation `exit 7` failed with exit status 7"), "{message}");
}

#[test]
fn studies_that_cannot_be_run() {
    let cases = [
        ("neither command nor mean", MEASURED.replace("command = [", "# ")),
        ("mean without variance", STUDY.replace("variance = 4\n", "")),
        ("empty preparation", format!("prepare = []\n{MEASURED}")),
    ];
    insta::assert_snapshot!(transcript(cases.map(|(title, study)| {
        let place = Place::new().with("s.toml", study);
        let message = refusal(&place, &["run", "s.toml"]);
        assert!(!place.path("s.db").exists());
        (title, message)
    })));
    let place = Place::new().with("s.toml", STUDY);
    for (option, value) in [("--timeout", "0"), ("--max-time", "soon"), ("--jobs", "0"), ("--on-failure", "cry")] {
        let output = place.run(&["run", "s.toml", option, value]);
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

/// Says that it runs, and goes on once it may.
const PATIENT: &str = r#""echo $$ > running; while [ ! -e go ]; do sleep 0.01; done; echo quality=0 bytes=99""#;

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
    let expected =
        format!("ended at once: {told} observations are kept in s.db, and the same command goes on from there");
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
        let place = place.with("s.toml", with_command(r#""echo quality=0 bytes=99""#));
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

#[test]
fn the_example_with_real_commands_runs_anywhere() {
    let place = Place::new();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compress");
    for name in ["compress.toml", "compress.sh", "make-log.sh"] {
        fs::copy(example.join(name), place.path(name)).unwrap();
    }
    // Every arm once; where a tool is missing, its arms are left out.
    let output = place.run(&["run", "compress.toml", "--max-samples", "8", "--on-failure", "drop", "--json"]);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for arm in json["arms"].as_array().unwrap() {
        let bytes = arm["mean"][1].as_f64().unwrap();
        assert!((100_000.0..250_000.0).contains(&bytes), "{arm}");
    }
}
