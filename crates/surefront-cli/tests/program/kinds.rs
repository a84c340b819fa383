//! Success rates, counts and times, from a study file to an answer.

use crate::Place;

const STUDY: &str = r#"
delta = 0.1

[[objective]]
name = "passes"
goal = "max"
noise = "bernoulli"

[[objective]]
name = "alarms"
goal = "min"
noise = "poisson"

[[objective]]
name = "seconds"
goal = "min"
noise = "exponential"

[[arm]]
name = "careful"
mean = [0.9, 0.5, 4]

[[arm]]
name = "quick"
mean = [0.5, 1.5, 1]

[[arm]]
name = "sloppy"
mean = [0.2, 6, 8]
"#;

fn said(place: &Place, code: i32, args: &[&str]) -> String {
    let output = place.run(args);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    text
}

#[test]
fn what_is_known_can_be_asked() {
    let place = Place::new().with("s.toml", STUDY);
    assert!(said(&place, 0, &["transport", "s.toml"]).contains("sloppy"));
    assert!(said(&place, 0, &["bound", "s.toml"]).contains("careful"));
    assert!(said(&place, 2, &["transport", "s.toml", "--method", "cells"]).contains("Gaussian"));
    let simulated = said(&place, 0, &["simulate", "s.toml", "--runs", "20", "--rule", "dual", "--rule", "weakest"]);
    assert!(simulated.contains("dual") && simulated.contains("weakest"), "{simulated}");
    let plan = said(&place, 0, &["plan", "s.toml", "--runs", "5"]);
    assert!(plan.contains("sloppy"), "{plan}");
}

#[test]
fn a_study_ends_with_a_proof() {
    let place = Place::new().with("s.toml", STUDY);
    said(&place, 0, &["tell", "s.toml", "--arm", "quick", "1", "0", "0.25"]);
    let text = said(&place, 0, &["run", "s.toml", "--seed", "3"]);
    assert!(text.contains("sure, at δ = 0.1"), "{text}");
    assert!(text.contains("what is called bernoulli is 0 or 1"), "{text}");
    assert!(said(&place, 0, &["status", "s.toml"]).contains("careful"));
    said(&place, 0, &["report", "s.toml", "--output", "r.html"]);
    assert!(std::fs::read_to_string(place.path("r.html")).unwrap().contains("bernoulli"));
}

/// Every threshold and every rule takes every kind.
#[test]
fn an_answer_may_be_likely() {
    for threshold in ["stylized", "calibrated"] {
        for rule in ["dual", "weakest", "ape"] {
            let place = Place::new().with("s.toml", STUDY);
            let text = said(&place, 4, &["run", "s.toml", "--threshold", threshold, "--rule", rule]);
            assert!(text.contains("likely") && !text.contains("sure that"), "{text}");
        }
    }
}

#[test]
fn values_outside_the_domain_are_refused_by_line() {
    let place = Place::new().with("s.toml", STUDY);
    for (row, what) in [
        ("quick,2,1,1", "give 0 or 1"),
        ("quick,1,0.5,1", "give a whole number, 0 or more"),
        ("quick,1,-1,1", "give a whole number, 0 or more"),
        ("quick,1,1,0", "give a number above 0"),
    ] {
        std::fs::write(place.path("o.csv"), format!("arm,passes,alarms,seconds\ncareful,1,0,3.5\n{row}\n")).unwrap();
        let text = said(&place, 2, &["tell", "s.toml", "--csv", "o.csv"]);
        assert!(text.contains("line 3") && text.contains(what), "{row}: {text}");
    }
}

const BOUNDED: &str = r#"
[[objective]]
name = "score"
goal = "max"
noise = "bounded"
range = [0, 1]

[[arm]]
name = "left"
mean = [0.3]

[[arm]]
name = "right"
mean = [0.6]
"#;

/// Scores of which nothing is known but their range, through every command.
#[test]
fn a_range_is_enough_for_a_proof() {
    let place = Place::new().with("s.toml", BOUNDED);
    for args in [&["transport", "s.toml"][..], &["bound", "s.toml"], &["simulate", "s.toml", "--runs", "5"]] {
        assert!(said(&place, 0, args).contains("right"), "{args:?}");
    }
    said(&place, 0, &["plan", "s.toml", "--runs", "3"]);
    let text = said(&place, 2, &["tell", "s.toml", "--arm", "left", "1.5"]);
    assert!(text.contains("ranges from 0 to 1"), "{text}");
    said(&place, 0, &["tell", "s.toml", "--arm", "left", "0.25"]);
    let text = said(&place, 0, &["run", "s.toml"]);
    assert!(text.contains("sure") && text.contains("no value is beyond the range given"), "{text}");
    said(&place, 0, &["report", "s.toml", "--output", "r.md"]);
    assert!(std::fs::read_to_string(place.path("r.md")).unwrap().contains("from 0 to 1"));
}
