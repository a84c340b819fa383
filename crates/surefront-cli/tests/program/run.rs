//! `surefront run`.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

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
pub(super) fn with_command(command: &str) -> String {
    format!("{MEASURED}\n[[arm]]\nname = \"odd one\"\ncommand = {command}\n")
}

/// The observations that count, by ticket: arm and values.
pub(super) fn observations(place: &Place, store: &str) -> BTreeMap<i64, (String, Vec<f64>)> {
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
pub(super) fn tickets(place: &Place, store: &str) -> BTreeMap<String, u64> {
    let connection = Connection::open(place.path(store)).unwrap();
    let mut statement = connection.prepare("SELECT status, count(*) FROM ticket GROUP BY status").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)));
    rows.unwrap().map(Result::unwrap).collect()
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
    let study = with_command(
        r#""cat; cat word; echo $SUREFRONT_ARM > arm; echo quality=0.$((SUREFRONT_TICKET * 41 % 100)) bytes=5""#,
    );
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
pub(super) fn complaint(place: &Place, args: &[&str]) -> String {
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
    let place = Place::new().with(
        "s.toml",
        with_command(r#""yes | head -c 30000000; echo quality=0.$((SUREFRONT_TICKET * 41 % 100)) bytes=99""#),
    );
    assert!(place.stdout(&["run", "s.toml"]).contains("The front is \"plain\", \"rich\""));
}

#[test]
fn a_failure_is_tried_again() {
    // The first two trials of each measurement fail.
    let command = r#""echo x >> trials; test $(($(wc -l < trials) % 3)) = 0 && echo quality=0.$((SUREFRONT_TICKET * 41 % 100)) bytes=99""#;
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
    let mended = with_command(r#""echo quality=9.$((SUREFRONT_TICKET * 41 % 100)) bytes=1""#);
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

/// Two arms that are as good as each other in an objective never come apart: it says so, and which margin would settle them.
#[test]
fn a_tie_is_named_with_the_margin_that_would_settle_it() {
    let tied = super::STUDY.replace("mean = [0.4, 20]", "mean = [0.5, 20]");
    let output = Place::new().with("s.toml", tied).run(&["run", "s.toml", "--max-samples", "1500", "--no-report"]);
    assert_eq!(output.status.code(), Some(3));
    let screen = String::from_utf8(output.stdout).unwrap();
    let sentence = "\"coarse\" and \"clumsy\" hold it up: they are close in quality";
    assert!(screen.contains(sentence) && screen.contains("`margin = "), "{screen}");
}

/// What is certified, what is likely and how likely: the chances are those of a posterior, and said to be no guarantee.
#[test]
fn the_best_answer_for_a_budget() {
    let place = Place::new().with("s.toml", super::STUDY);
    let output = place.run(&["run", "s.toml", "--max-samples", "60", "--no-report"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
    let output = place.run(&["run", "s.toml", "--max-samples", "60", "--no-report", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let arms = json["likely"]["arms"].as_array().unwrap();
    assert_eq!(arms.len(), json["arms"].as_array().unwrap().len());
    let chances: Vec<f64> = arms.iter().map(|arm| arm["on_front"].as_f64().unwrap()).collect();
    assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)) && chances.iter().sum::<f64>() >= 1.0);
    assert!((0.0..=1.0).contains(&json["likely"]["front_chance"].as_f64().unwrap()));
    // With the answer there is nothing left to be likely.
    let json = place.json(&["run", "s.toml", "--no-report", "--json"]);
    assert_eq!((&json["end"], &json["likely"]), (&"sure".into(), &serde_json::Value::Null));
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

/// One command for all arms, with how they are measured beside it; it prints more than it must.
const GRID: &str = r#"
command = "echo x >> runs-{level}; echo '{\"score\": '{level}', \"host\": \"here\"}'"
warmup = 2
max_samples = 3
jobs = 2
timeout = "1m"

[[objective]]
name = "score"
goal = "max"
noise = "exact"

[grid]
level = [1, 6, 9]
"#;

#[test]
fn one_command_serves_a_grid() {
    let place = Place::new().with("s.toml", GRID);
    let output = place.run(&["run", "s.toml", "--json"]);
    let (errors, json) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = json["arms"].as_array().unwrap().iter().map(|arm| arm["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["level=1", "level=6", "level=9"], "{errors}");
    assert_eq!(json["front"][0]["name"], "level=9");
    assert_eq!(errors.matches("also prints \"host\", which is no objective: it is passed over").count(), 1, "{errors}");
    // Two warm-ups and the measurement itself; options win over the file.
    assert_eq!(std::fs::read_to_string(place.path("runs-9")).unwrap().lines().count(), 3);
    let place = Place::new().with("s.toml", GRID.replace("noise = \"exact\"", "variance = 1"));
    let output = place.run(&["run", "s.toml", "--warmup", "0", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("`max_samples` in the study file"));
    assert_eq!(std::fs::read_to_string(place.path("runs-9")).unwrap().lines().count(), 1);
}
