//! What is said of observations that are not what an answer takes them for.

use std::fmt::Write;

use serde_json::Value;

use super::Place;

/// Values without randomness that nothing can be said against: their places in [0, 1) by multiples of an irrational number, drawn out like a Gaussian's.
fn fair(number: usize) -> f64 {
    let place = (0.618_033_988_75 * (number + 1) as f64).fract();
    4.91 * (place.powf(0.14) - (1.0 - place).powf(0.14))
}

/// Rows of two arms, the second 3 lower than the first, with these values of the first.
fn rows(count: usize, first: impl Fn(usize) -> f64) -> String {
    let mut text = String::from("arm,score\n");
    for i in 0..count {
        let _ = writeln!(text, "a,{:.4}\nb,{:.4}", first(i), fair(i + 7) - 3.0);
    }
    text
}

fn analyze(rows: String, args: &[&str]) -> Value {
    let place = Place::new().with("r.csv", rows);
    place.json(&[&["analyze", "r.csv", "--max", "score", "--json"], args].concat())
}

fn kinds(answer: &Value) -> Vec<&str> {
    answer["remarks"].as_array().unwrap().iter().map(|remark| remark["kind"].as_str().unwrap()).collect()
}

#[test]
fn a_remark_has_arm_objective_figures_and_sentence() {
    let answer = analyze(rows(60, |i| if i == 33 { 50.0 } else { fair(i) }), &[]);
    assert_eq!(kinds(&answer), ["outlier"]);
    let remark = &answer["remarks"][0];
    assert_eq!((&remark["arm"]["name"], &remark["objective"]), (&"a".into(), &"score".into()));
    assert_eq!((&remark["value"], &remark["observation"]), (&50.0.into(), &34.into()));
    let sentence = remark["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("arm \"a\", objective \"score\": observation 34 of this arm, 50, is "), "{sentence}");
}

#[test]
fn samples_that_are_as_they_should_be_have_none() {
    assert!(kinds(&analyze(rows(300, fair), &[])).is_empty());
    assert!(kinds(&analyze(rows(300, fair), &["--variance", "score=1"])).is_empty());
}

#[test]
fn what_the_samples_look_like_is_on_the_screen() {
    let bits = |i: usize| f64::from(u8::from(i % 5 > 0));
    let place = Place::new().with("r.csv", rows(60, bits));
    let screen = place.stdout(&["analyze", "r.csv", "--max", "score", "--threshold", "certified"]);
    let (_, seen) = screen.split_once("What the observations look like:\n").unwrap();
    // What follows is said once, not for every arm again.
    assert_eq!(seen.lines().count(), 1, "{seen}");
    assert!(seen.starts_with("- objective \"score\" has") && seen.contains("not taken to be Gaussian"), "{seen}");
    let answer = analyze(rows(60, bits), &["--threshold", "certified"]);
    assert_eq!(kinds(&answer), ["coarse", "levels"]);
}

/// A study whose variance is much too small for what its commands print.
const NOISY: &str = r#"
[[objective]]
name = "score"
goal = "max"
variance = 0.0001

[[arm]]
name = "one"
command = "echo x >> one; wc -l < one | awk '{ print ($1 * 7919 % 101) / 10 }'"

[[arm]]
name = "two"
command = "echo x >> two; wc -l < two | awk '{ print ($1 * 7919 % 103) / 10 }'"
"#;

#[test]
fn a_run_says_it_once_and_at_its_end_and_so_do_status_and_report() {
    let place = Place::new().with("s.toml", NOISY);
    let output = place.run(&["run", "s.toml", "--max-samples", "40", "--rule", "uniform"]);
    let (errors, screen) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    let remark = "objective \"score\": the variance given is 0.0001, but that of";
    assert_eq!(errors.matches(remark).count(), 1, "{errors}");
    assert_eq!(screen.matches(remark).count(), 1, "{screen}");
    let status = place.json(&["status", "s.toml", "--json"]);
    assert!(kinds(&status).contains(&"variance_too_small"), "{status}");
    for format in ["html", "md", "json"] {
        let report = place.stdout(&["report", "s.toml", "--format", format, "-o", "-"]);
        assert!(report.contains("the variance given is 0.0001, but that of"), "{report}");
    }
}
