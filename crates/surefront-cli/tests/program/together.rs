//! A run and other commands on the same store at the same time; what they measured, and how.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::{Place, refusal, without_times};

/// Each command says that it has begun, and waits until it may end: the tests decide who is first.
const HELD: &str = r#"name = "held"

[[objective]]
name = "quality"
goal = "max"
variance = 0.01

[[objective]]
name = "seconds"
goal = "min"
variance = 0.01

[[arm]]
name = "one"
command = "touch begun.$SUREFRONT_TICKET; until test -e end.$SUREFRONT_TICKET; do sleep 0.01; done; cat end.$SUREFRONT_TICKET"

[[arm]]
name = "two"
command = "touch begun.$SUREFRONT_TICKET; until test -e end.$SUREFRONT_TICKET; do sleep 0.01; done; cat end.$SUREFRONT_TICKET"
"#;

/// A run under way, which does not outlive its test.
struct Run(Option<Child>);

impl Run {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefront"));
        command.current_dir(place.path("")).args(args).stdin(Stdio::null());
        Run(Some(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()))
    }

    fn finish(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
        }
    }
}

/// Waits for something that is sure to come, unless the program is broken.
fn wait_for(place: &Place, file: &str) {
    let begin = Instant::now();
    while !place.path(file).exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{file} never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Lets a command end with these values.
fn release(place: &Place, ticket: u64, values: &str) {
    fs::write(place.path("draft"), values).unwrap();
    fs::rename(place.path("draft"), place.path(&format!("end.{ticket}"))).unwrap();
}

#[test]
fn whoever_tells_first_is_right_and_nothing_else_is_lost() {
    let place = Place::new().with("s.toml", HELD);
    let run = Run::start(&place, &["run", "s.toml", "--jobs", "2", "--max-samples", "4", "--no-report"]);
    wait_for(&place, "begun.1");
    wait_for(&place, "begun.2");
    // Somebody else tells one of the two, and something that nobody asked for, and takes that back.
    place.stdout(&["tell", "s.toml", "--ticket", "1", "0.5", "1.5"]);
    place.stdout(&["tell", "s.toml", "--arm", "two", "0.25", "2.5"]);
    place.stdout(&["retract", "s.toml", "2"]);
    // The run has other values for the first, and ends the second in the same moment.
    release(&place, 1, "quality=0.75 seconds=1");
    release(&place, 2, "quality=0.25 seconds=2");
    for ticket in 3..=6 {
        release(&place, ticket, "quality=0.5 seconds=1.5");
    }
    let output = run.finish();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("ticket 1 of arm \"one\" was told 0.5, 1.5 while it was being measured"), "{errors}");
    assert!(errors.contains("measuring it gave 0.75, 1, which does not count"), "{errors}");
    let csv = place.stdout(&["export", "s.toml"]);
    assert!(csv.contains("1,one,1,"), "{csv}");
    assert!(csv.lines().any(|line| line.ends_with("run,0.25,2")), "{csv}");
    assert_eq!(csv.lines().count() - 1, 4, "{csv}");
    // The other way round, whoever comes second is told so.
    let message = refusal(&place, &["tell", "s.toml", "--ticket", "2", "9", "9"]);
    assert!(message.contains("ticket 2 was told 0.25, 2 already"), "{message}");
}

#[test]
fn a_ticket_given_up_elsewhere_does_not_end_the_run() {
    let place = Place::new().with("s.toml", HELD);
    let run = Run::start(&place, &["run", "s.toml", "--jobs", "2", "--max-samples", "2", "--no-report"]);
    wait_for(&place, "begun.1");
    wait_for(&place, "begun.2");
    place.stdout(&["tell", "s.toml", "--ticket", "1", "--failed", "spilt"]);
    place.stdout(&["tell", "s.toml", "--ticket", "2", "0.5", "1.5"]);
    // What fails after somebody has told it is no failure of the study.
    release(&place, 2, "nonsense");
    release(&place, 1, "quality=0.75 seconds=1");
    for ticket in 3..=5 {
        release(&place, ticket, "quality=0.5 seconds=1.5");
    }
    let output = run.finish();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    let json = place.json(&["status", "s.toml", "--json"]);
    assert_eq!(json["samples"], 2);
    // Told after all: it has not failed.
    assert_eq!(json["arms"][0]["failures"]["count"], 0);
}

#[test]
fn a_store_that_is_deleted_during_a_run_is_missed() {
    let place = Place::new().with("s.toml", HELD);
    let run = Run::start(&place, &["run", "s.toml", "--no-report"]);
    wait_for(&place, "begun.1");
    fs::remove_file(place.path("s.db")).unwrap();
    release(&place, 1, "quality=0.75 seconds=1");
    let output = run.finish();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("s.db: the store was deleted, moved or replaced while it was in use"), "{errors}");
}

/// The first arm fails at every other measurement.
const HALTING: &str = r#"[[objective]]
name = "quality"
goal = "max"
variance = 0.0001

[[arm]]
name = "halting"
command = "test $((SUREFRONT_TICKET % 2)) = 0 || { echo 'no luck' >&2; exit 4; }; echo quality=0.9"

[[arm]]
name = "steady"
command = "echo quality=0.1"
"#;

#[test]
fn failures_are_shown_wherever_the_answer_is() {
    let place = Place::new().with("s.toml", HALTING);
    let output = place.run(&["run", "s.toml", "--on-failure", "retry", "--report", "r.md"]);
    let screen = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let json = place.json(&["status", "s.toml", "--json"]);
    let failures = &json["arms"][0]["failures"];
    let count = failures["count"].as_u64().unwrap();
    assert!(count > 0);
    assert!(failures["last"].as_str().unwrap().contains("exit status 4 (\"no luck\")"), "{failures}");
    assert!(failures["at"].is_string());
    assert_eq!(json["arms"][1]["failures"]["count"], 0);
    let measurements = if count == 1 { "measurement" } else { "measurements" };
    let sentence = format!("{count} {measurements} of arm \"halting\" failed, the last one: ");
    assert!(screen.contains(&sentence), "{screen}");
    assert!(place.stdout(&["status", "s.toml"]).contains(&sentence));
    assert!(fs::read_to_string(place.path("r.md")).unwrap().contains("no luck"));
    let report = place.json(&["report", "s.toml", "--format", "json", "-o", "-"]);
    assert_eq!(report["answer"]["arms"][0]["failures"]["count"], count);
}

#[test]
fn another_command_is_said_and_can_be_taken_back() {
    let study = HALTING.replace("test $((SUREFRONT_TICKET % 2)) = 0 || { echo 'no luck' >&2; exit 4; }; ", "");
    // So much noise that it cannot come to an end.
    let study = study.replace("variance = 0.0001", "variance = 100");
    let place = Place::new().with("s.toml", &study);
    let run = |samples: &str| {
        let output = place.run(&["run", "s.toml", "--max-samples", samples, "--delta", "1e-200", "--report", "r.md"]);
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!run("6").contains("measured by"));
    fs::write(place.path("s.toml"), study.replace("quality=0.9", "quality=0.8")).unwrap();
    let errors = run("12");
    assert!(
        errors.contains(
            "of arm \"halting\" were measured by `echo quality=0.9`; from now on it is `echo quality=0.8`. \
             If that makes a difference: surefront retract s.toml --arm \"halting\""
        ),
        "{errors}"
    );
    // Said once; from then on it stands in the answer.
    assert!(!run("14").contains("from now on"));
    let json = place.json(&["status", "s.toml", "--json"]);
    let change = &json["changes"][0];
    assert_eq!((&change["arm"]["name"], &change["of"]), (&"halting".into(), &"command".into()));
    let at = change["at"].as_str().unwrap().to_owned();
    assert!(without_times(&place.stdout(&["status", "s.toml"])).contains("measured by `echo quality=0.9`; since TIME"));
    assert!(fs::read_to_string(place.path("r.md")).unwrap().contains("quality=0.9"));
    // What was measured before is taken back; what was measured since is not.
    let taken = place.json(&["retract", "s.toml", "--arm", "halting", "--before", &at, "--json"]);
    assert_eq!(taken["retracted"].as_array().unwrap().len() as u64, change["observations_before"].as_u64().unwrap());
    assert_eq!(place.json(&["status", "s.toml", "--json"])["changes"].as_array().unwrap().len(), 0);
    let all = place.stdout(&["retract", "s.toml", "--before", "2999-01-01"]);
    assert!(all.contains("observations no longer count"), "{all}");
    assert_eq!(
        place.stdout(&["retract", "s.toml", "--arm", "steady"]),
        "There is no such observation that counts: nothing was taken back\n"
    );
    let unknown = refusal(&place, &["retract", "s.toml", "--arm", "holting"]);
    assert!(unknown.contains("the study has no arm \"holting\""), "{unknown}");
    let output = place.run(&["retract", "s.toml", "--arm", "steady", "--before", "yesterday"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("\"yesterday\" is no time: write a date"));
}

#[test]
fn another_number_of_jobs_matters_where_commands_are_timed() {
    let timed = HALTING
        .replace("goal = \"max\"\nvariance = 0.0001", "goal = \"min\"\nvariance = 0.01\nmeasure = \"wall_seconds\"");
    let place = Place::new().with("s.toml", timed.replace("test $((SUREFRONT_TICKET % 2)) = 0 ||", "true ||"));
    let run = |samples: &str, jobs: &str| {
        let args = ["run", "s.toml", "--max-samples", samples, "--jobs", jobs, "--delta", "1e-200", "--no-report"];
        String::from_utf8(place.run(&args).stderr).unwrap()
    };
    assert!(!run("2", "1").contains("at a time"));
    let errors = run("6", "2");
    assert!(errors.contains("2 observations were measured with 1 at a time; from now on it is 2"), "{errors}");
    assert!(!run("8", "2").contains("from now on"));
}
