//! A study file to begin with, and what would be run.

use super::{Place, refusal};

const CODECS: [&str; 12] = [
    "init",
    "codecs.toml",
    "--min",
    "seconds",
    "--min",
    "megabytes",
    "--arm",
    "gzip",
    "--arm",
    "zstd",
    "--command",
    "./measure.sh {name}",
];

#[test]
fn a_new_study_file_says_what_is_known_and_what_else_there_is() {
    let place = Place::new();
    let screen = place.narrow(&CODECS);
    let text = std::fs::read_to_string(place.path("codecs.toml")).unwrap();
    insta::assert_snapshot!(format!("{screen}\n{text}"));
    assert_eq!(
        place.stdout(&[&["init", "-"], &CODECS[2..]].concat()),
        text.replace("name = \"codecs\"", "name = \"study\"")
    );
}

#[test]
fn nothing_is_replaced() {
    let place = Place::new().with("codecs.toml", "mine");
    assert!(refusal(&place, &CODECS).contains("codecs.toml is there already, and is not replaced"));
    assert_eq!(std::fs::read_to_string(place.path("codecs.toml")).unwrap(), "mine");
}

#[test]
fn what_is_missing_is_asked_for_by_option() {
    let place = Place::new();
    assert!(refusal(&place, &["init", "--arm", "a"]).contains("--max NAME or --min NAME"));
    assert!(refusal(&place, &["init", "--max", "x"]).contains("--arm NAME"));
    assert!(refusal(&place, &["init", "--max", "x", "--arm", "a", "--arm", "a"]).contains("study.toml: "));
    assert!(refusal(&place, &["init", "--max", "x", "--arm", "a", "--command", "x {level}"]).contains("{level}"));
    assert!(!place.path("study.toml").exists());
    let output = place.run(&["init", "nowhere/study.toml", "--max", "x", "--arm", "a"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.contains("cannot write nowhere/study.toml"), "{message}");
}

#[test]
fn check_says_what_would_be_run() {
    let place = Place::new();
    place.stdout(&CODECS);
    let commands = place.narrow(&["check", "codecs.toml"]);
    place.stdout(&["init", "trial.toml", "--max", "response", "--arm", "dose 10", "--arm", "dose 20"]);
    let by_hand = place.narrow(&["check", "trial.toml"]);
    let place = place.with("grid.toml", GRID).with("half.toml", format!("{SIMULATED}\n[[arm]]\nname = \"c\"\n"));
    let place = place.with("simulated.toml", SIMULATED);
    let all = [
        commands,
        by_hand,
        place.narrow(&["check", "grid.toml"]),
        place.narrow(&["check", "simulated.toml"]),
        place.narrow(&["check", "half.toml"]),
    ];
    insta::assert_snapshot!(all.join("\n--------\n"));
    let json = place.json(&["check", "grid.toml", "--json"]);
    assert_eq!(json["arms"][5]["command"], "zstd -19 --threads=4 -c corpus");
    assert_eq!((&json["jobs"], &json["timeout"], &json["warmup"]), (&4.into(), &600.0.into(), &1.into()));
}

const GRID: &str = r#"
name = "zstd"
command = "zstd -{level} --threads={threads} -c corpus"
prepare = "sync"
jobs = 4
timeout = "10m"
warmup = 1
max_samples = 5000

[[objective]]
name = "seconds"
goal = "min"
statistic = "median"
measure = "wall_seconds"

[[objective]]
name = "share of tests passed"
goal = "max"
noise = "bounded"
range = [0, 1]

[grid]
level = [1, 6, 19]
threads = [1, 4]
"#;

const SIMULATED: &str = r#"
delta = 0.05

[[objective]]
name = "x"
goal = "max"
variance = 1

[[arm]]
name = "a"
mean = [1]

[[arm]]
name = "b"
mean = [0.5]
"#;

#[test]
fn check_says_what_is_wrong() {
    let place = Place::new().with("s.toml", "delta = 0.1\n[[objective]]\nname = \"x\"\ngaol = \"max\"\n");
    assert!(
        refusal(&place, &["check", "s.toml"])
            .contains("s.toml, line 4: objective \"x\" has the unknown key \"gaol\": did you mean \"goal\"?")
    );
}
