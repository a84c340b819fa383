//! Correlated readings, from a study file to an answer.

use crate::{Place, STUDY};

/// The noise of quality and of bytes goes together.
const CORRELATION: &str = "correlation = [[1, 0.8], [0.8, 1]]\n";

fn place(correlation: &str) -> Place {
    Place::new().with("s.toml", format!("{correlation}{STUDY}"))
}

#[test]
fn what_moves_takes_the_rest_along() {
    let json = place(CORRELATION).json(&["transport", "s.toml", "--json"]);
    assert_eq!((&json["method"], &json["piece"]["kind"]), (&"branch".into(), &"add".into()));
    let plain = place("").json(&["transport", "s.toml", "--json"]);
    // One front arm alone is passed at its marginal variance.
    let cost = |json: &serde_json::Value| json["cost"].as_f64().unwrap();
    assert!((cost(&json) - cost(&plain)).abs() < 1e-12, "{json} {plain}");
    // Of the two that meet in one objective, the other follows.
    let moved = |json: &serde_json::Value| {
        let rows = json["alternative"].as_array().unwrap();
        let means = [[0.9, 30.0], [0.5, 10.0], [0.4, 20.0]];
        let cells = rows.iter().zip(means).flat_map(|(row, means)| {
            let row: Vec<f64> = row.as_array().unwrap().iter().map(|mean| mean.as_f64().unwrap()).collect();
            [row[0] != means[0], row[1] != means[1]]
        });
        cells.filter(|moved| *moved).count()
    };
    assert_eq!((moved(&plain), moved(&json)), (2, 4));
    let gradient: f64 = json["gradient"].as_array().unwrap().iter().map(|g| g.as_f64().unwrap() / 3.0).sum();
    assert!((gradient - cost(&json)).abs() < 1e-12);
}

#[test]
fn every_command_takes_it() {
    let place = place(CORRELATION);
    assert!(place.stdout(&["bound", "s.toml"]).contains("fine"));
    let options = ["simulate", "s.toml", "--runs", "20", "--threshold", "stylized", "--rule", "dual"];
    assert!(place.stdout(&[&options[..], &["--rule", "track-and-stop"]].concat()).contains("track-and-stop"));
    assert!(place.stdout(&["plan", "s.toml", "--runs", "5"]).contains("fine"));
    let run = place.likely(&["run", "s.toml", "--threshold", "stylized", "--json"]);
    let run: serde_json::Value = serde_json::from_str(&run).unwrap();
    let granted = run["assumptions"].as_array().unwrap();
    assert!(granted.iter().any(|one| one == "the readings of a measurement are correlated as given"), "{run}");
    let report = place.stdout(&["report", "s.toml", "--format", "md", "--output", "-"]);
    assert!(report.contains("as the study file says"), "{report}");
}

#[test]
fn an_estimate_is_learned_and_shown() {
    let place = place("correlation = \"estimate\"\n");
    // Arms are simulated, independently; what is found is near zero, and is used.
    place.likely(&["run", "s.toml", "--threshold", "stylized"]);
    let report = place.stdout(&["report", "s.toml", "--format", "json", "--output", "-"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let found = report["correlation"]["estimated"][0][1].as_f64().unwrap();
    assert!(found != 0.0 && found.abs() < 0.6, "{found}");
    let text = place.stdout(&["report", "s.toml", "--format", "md", "--output", "-"]);
    assert!(text.contains("in the same way for all arms"), "{text}");
}
