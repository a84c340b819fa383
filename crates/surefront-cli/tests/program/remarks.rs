//! What is said of observations that are not what an answer takes them for.

use std::fmt::Write;

use serde_json::Value;

use super::Place;

/// Values that nothing can be said against: places in [0, 1) by mixing the bits of a number (as SplitMix does), drawn out like a Gaussian's.
fn fair(number: usize) -> f64 {
    let mut bits = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let place = (bits ^ (bits >> 31)) as f64 / 2f64.powi(64);
    4.91 * (place.powf(0.14) - (1.0 - place).powf(0.14))
}

/// Rows of two arms, the second 3 lower than the first, with these values of the first.
fn rows(count: usize, first: impl Fn(usize) -> f64) -> String {
    let mut text = String::from("arm,score\n");
    for i in 0..count {
        let _ = writeln!(text, "a,{:.4}\nb,{:.4}", first(i), fair(i + 1000) - 3.0);
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
    let bits = |i: usize| f64::from(u8::from(!i.is_multiple_of(5)));
    let place = Place::new().with("r.csv", rows(60, bits));
    let screen = place.stdout(&["analyze", "r.csv", "--max", "score", "--threshold", "certified"]);
    let (_, seen) = screen.split_once("What the observations look like:\n").unwrap();
    // What follows is said once, not for every arm again.
    assert_eq!(seen.lines().count(), 1, "{seen}");
    assert!(seen.starts_with("- objective \"score\" has") && seen.contains("not taken to be Gaussian"), "{seen}");
    let answer = analyze(rows(60, bits), &["--threshold", "certified"]);
    assert_eq!(kinds(&answer), ["coarse", "levels"]);
}

/// A study whose variance is much too small for what its commands print, which is the same for both arms: nobody can tell them apart.
const NOISY: &str = r#"
[[objective]]
name = "score"
goal = "max"
variance = 0.25

[[arm]]
name = "one"
command = """echo x >> one; wc -l < one | awk '{ k = int(($1 + 1) / 2); v = k == 1 ? 0.1 : 1.5 + 0.03 * (k * 37 % 11); print "score=" ($1 % 2 ? v : -v) }'"""

[[arm]]
name = "two"
command = """echo x >> two; wc -l < two | awk '{ k = int(($1 + 1) / 2); v = k == 1 ? 0.1 : 1.5 + 0.03 * (k * 37 % 11); print "score=" ($1 % 2 ? v : -v) }'"""
"#;

#[test]
fn a_run_says_it_once_and_at_its_end_and_so_do_status_and_report() {
    let place = Place::new().with("s.toml", NOISY);
    let output = place.run(&["run", "s.toml", "--max-samples", "24", "--rule", "uniform"]);
    let (errors, screen) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    let remark = "objective \"score\": the variance given is 0.25, but that of";
    assert_eq!(errors.matches(remark).count(), 1, "{errors}");
    assert_eq!(screen.matches(remark).count(), 1, "{screen}");
    let status = place.json(&["status", "s.toml", "--json"]);
    assert!(kinds(&status).contains(&"variance_too_small"), "{status}");
    for format in ["html", "md", "json"] {
        let report = place.stdout(&["report", "s.toml", "--format", format, "-o", "-"]);
        assert!(report.contains("the variance given is 0.25, but that of"), "{report}");
    }
}

/// One arm of fine values, and one that prints the same again and again.
const CONSTANT: &str = r#"
[[objective]]
name = "score"
goal = "max"

[[arm]]
name = "fine"
command = """echo x >> one; wc -l < one | awk '{ print "score=" 0.5 + 0.001 * sin(12.9898 * $1) }'"""

[[arm]]
name = "constant"
command = "echo score=0.4"
"#;

#[test]
fn equal_repeats_are_no_evidence_and_it_is_said_wherever_there_is_no_verdict() {
    let place = Place::new().with("s.toml", CONSTANT);
    let output = place.run(&["run", "s.toml", "--max-samples", "40", "--rule", "uniform"]);
    assert_eq!(output.status.code(), Some(3));
    let (errors, screen) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    let remark = "objective \"score\": all values of arm \"constant\" are the same. Equal repeats are no evidence";
    assert_eq!(errors.matches(remark).count(), 1, "{errors}");
    assert_eq!(screen.matches(remark).count(), 1, "{screen}");
    assert!(screen.contains("write noise = \"exact\" if there is no noise"), "{screen}");
    assert!(!screen.contains(": sure"), "{screen}");
    let status = place.json(&["status", "s.toml", "--json"]);
    let remarks = status["remarks"].as_array().unwrap();
    let equal = remarks.iter().find(|remark| remark["kind"] == "equal").unwrap();
    assert_eq!((&equal["arms"], &equal["always"]), (&serde_json::json!(["constant"]), &true.into()));
    assert!(equal["sentence"].as_str().unwrap().starts_with(remark), "{equal}");
    for format in ["html", "md", "json"] {
        let report = place.stdout(&["report", "s.toml", "--format", format, "-o", "-"]);
        assert!(report.contains("Equal repeats are no evidence"), "{report}");
    }
    // The way out, by the same observations; and by the quick thresholds there is no answer either.
    let export = place.stdout(&["export", "s.toml"]);
    let place = Place::new().with("r.csv", export);
    let args = ["analyze", "r.csv", "--max", "score"];
    let screen = place.stdout(&args);
    assert!(
        screen.contains(remark) && screen.contains("With statistic = \"median\": sure with these 40 samples"),
        "{screen}"
    );
    for threshold in ["calibrated", "stylized"] {
        let json = place.json(&[&args[..], &["--threshold", threshold, "--json"]].concat());
        assert_eq!((&json["stopped"], kinds(&json)[0]), (&false.into(), "equal"), "{json}");
    }
    let bounded = place.json(&[&args[..], &["--range", "score=0..1", "--json"]].concat());
    assert!(!kinds(&bounded).contains(&"equal"), "{bounded}");
}

/// Ten rows, pasted twenty times.
#[test]
fn copied_rows_are_noticed() {
    let answer = analyze(rows(200, |i| fair(i % 10)), &[]);
    assert_eq!(kinds(&answer), ["copies"]);
    let sentence = answer["remarks"][0]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("arm \"a\", objective \"score\": values come back to the last digit"), "{sentence}");
    assert!(sentence.contains("Leave the copies out"), "{sentence}");
    let place = Place::new().with("r.csv", rows(200, |i| fair(i % 10)));
    assert!(place.stdout(&["analyze", "r.csv", "--max", "score"]).contains(sentence));
}

#[test]
fn what_is_taken_back_is_not_seen_any_more() {
    let study = "[[objective]]\nname = \"score\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\n[[arm]]\nname = \"b\"\n";
    let place = Place::new().with("s.toml", study).with("r.csv", rows(60, |i| if i == 33 { 50.0 } else { fair(i) }));
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    assert_eq!(kinds(&place.json(&["status", "s.toml", "--json"])), ["outlier"]);
    place.stdout(&["retract", "s.toml", "67", "--reason", "a typing mistake"]);
    assert!(kinds(&place.json(&["status", "s.toml", "--json"])).is_empty());
}

/// Tests of two programs, the first of which passes more of them.
fn passed() -> String {
    (0..400).fold("arm,passed\n".to_owned(), |text, i| {
        text + &format!("a,{}\nb,{}\n", u8::from(i % 10 != 0), u8::from(i % 2 == 0))
    })
}

#[test]
fn zeros_and_ones_are_taken_for_successes_unless_something_is_said() {
    let place = Place::new().with("r.csv", passed());
    let args = ["analyze", "r.csv", "--max", "passed"];
    let json = place.json(&[&args[..], &["--json"]].concat());
    assert_eq!((kinds(&json), &json["stopped"]), (vec!["successes"], &true.into()));
    assert_eq!(json["remarks"][0]["ones"], 360 + 200);
    assert!(json["assumptions"][0].as_str().unwrap().contains("bernoulli"), "{json}");
    let screen = place.stdout(&args);
    assert!(screen.contains("they are taken for successes and failures, noise = \"bernoulli\""), "{screen}");
    let said = place.json(&[&args[..], &["--noise", "passed=bernoulli", "--json"]].concat());
    assert_eq!((kinds(&said), &said["arms"]), (vec![], &json["arms"]));
    let otherwise = place.json(&[&args[..], &["--noise", "passed=gaussian", "--json"]].concat());
    assert_eq!(kinds(&otherwise)[0], "coarse");
    assert_eq!(otherwise["remarks"][0]["write"], "noise = \"bernoulli\"");
    assert_eq!(otherwise["remarks"][0]["would"]["stopped"], true);
}

#[test]
fn a_remark_says_what_to_write_and_what_it_would_change() {
    let stalls = rows(120, |i| if i % 24 == 7 { 40.0 } else { fair(i) });
    let place = Place::new().with("r.csv", stalls.clone());
    let screen = place.stdout(&["analyze", "r.csv", "--max", "score", "--threshold", "certified"]);
    assert!(screen.contains("compare medians: write statistic = \"median\""), "{screen}");
    assert!(screen.contains("With statistic = \"median\": sure with these 240 samples"), "{screen}");
    let study = "[[objective]]\nname = \"score\"\ngoal = \"max\"\n[[arm]]\nname = \"a\"\n[[arm]]\nname = \"b\"\n";
    let place = Place::new().with("s.toml", study).with("r.csv", stalls);
    place.stdout(&["tell", "s.toml", "--csv", "r.csv"]);
    let status = place.json(&["status", "s.toml", "--json"]);
    let outlier = status["remarks"].as_array().unwrap().iter().find(|remark| remark["kind"] == "outlier").unwrap();
    assert_eq!((&outlier["write"], &outlier["would"]["stopped"]), (&"statistic = \"median\"".into(), &true.into()));
}

#[test]
fn counts_are_told_that_they_look_like_counts() {
    // Of mean 4, as Poisson counts are distributed.
    let count = |i: usize| {
        let place = (fair(i) / 2.0).clamp(-2.4, 2.4);
        (4.0 + 4.0 * place).round().max(0.0)
    };
    let text =
        (0..300).fold("arm,errors\n".to_owned(), |text, i| text + &format!("a,{}\nb,{}\n", count(i), count(i + 999)));
    let place = Place::new().with("r.csv", text);
    let json = place.json(&["analyze", "r.csv", "--min", "errors", "--json"]);
    assert!(kinds(&json).contains(&"counts"), "{:?}", kinds(&json));
    let said = place.json(&["analyze", "r.csv", "--min", "errors", "--noise", "errors=poisson", "--json"]);
    assert!(kinds(&said).is_empty(), "{:?}", kinds(&said));
}

#[test]
fn what_is_said_of_the_noise_is_said_once() {
    let place = Place::new().with("r.csv", passed());
    for (options, said) in [
        (["--noise", "passed=bernoulli", "--range", "passed=0..1"], "in --range and in --noise"),
        (["--noise", "passed=bernoulli", "--variance", "passed=1"], "in --variance and in --noise"),
        (["--exact", "passed", "--range", "passed=0..1"], "in --exact and in --range"),
        (["--noise", "passed=poisson", "--statistic", "passed=median"], "a quantile needs no law"),
        (["--noise", "pased=poisson", "--next", "1"], "did you mean \"passed\"?"),
    ] {
        let output = place.run(&[&["analyze", "r.csv", "--max", "passed"], &options[..]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(said), "{options:?}: {error}");
    }
    place.stdout(&["analyze", "r.csv", "--max", "passed", "--noise", "passed=gaussian", "--variance", "passed=0.25"]);
}
